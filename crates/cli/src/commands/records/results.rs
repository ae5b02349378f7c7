//! Results in words: as text, or why there is none.

use cipherloom::Error as CipherError;
use cipherloom_formats::encoding::ValueError;

use super::plan::ResultForm;
use super::status::Status;

/// Writes a result, or why it cannot be.
pub(super) fn write(form: ResultForm, result: &[u8], text: &mut Vec<u8>, why: &mut String) {
    let ResultForm::Text(encoding) = form else {
        text.extend_from_slice(result);
        return;
    };
    if let Err(error) = encoding.encode(result, text) {
        *why = match error {
            ValueError::NotUtf8 => {
                format!("{error}, which --result-encoding hex or base64 shows")
            }
            _ => error.to_string(),
        };
    }
}

/// What to tell of a record that the library refused.
pub(super) fn explain(error: CipherError) -> (Status, String) {
    match error {
        CipherError::Padding => {
            (Status::WrongKey, "wrong padding: another key, IV or padding, or damaged data".into())
        }
        CipherError::NotWholeBlocks { len } => {
            (Status::Damaged, format!("the data has {len} bytes, which is no multiple of 8"))
        }
        CipherError::TooShort { len: 0, .. } => (Status::Damaged, "the data is empty".into()),
        other => (Status::Damaged, other.to_string()),
    }
}
