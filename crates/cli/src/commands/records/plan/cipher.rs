//! Records in a cipher: the options for it.

use std::path::Path;

use cipherloom::Direction;
use cipherloom_formats::Cipher;
use cipherloom_formats::encoding::{BOM, Encoding};
use cipherloom_records::{IvFrom, KeyFrom, Task, WeakKeys, check_key_len};
use zeroize::Zeroizing;

use super::form::{ResultForm, iv_encoding};
use crate::args::given::Given;
use crate::args::key::PaddingName;
use crate::args::preset::EncodingName;
use crate::ciphers::explain_unknown;
use crate::commands::records::args::Arguments;
use crate::errors::{Error, Result};

/// Most bytes of a key file that are read: far more than any key has.
const KEY_FILE_LIMIT: u64 = 4096;

/// What is to be done with every record, and how its fields are written.
pub(in crate::commands::records) struct CipherPlan {
    pub(in crate::commands::records) task: Task,
    pub(in crate::commands::records) key_encoding: Encoding,
    pub(in crate::commands::records) iv_encoding: Encoding,
    pub(in crate::commands::records) data_encoding: Encoding,
    pub(in crate::commands::records) result_form: ResultForm,
}

impl CipherPlan {
    /// Checks the options against each other.
    ///
    /// # Errors
    /// Bad usage, and a key file that cannot be read.
    pub(super) fn new(args: &Arguments, given: &Given) -> Result<Self> {
        let name = args.cipher.as_deref().unwrap_or_default();
        let cipher = Cipher::find(name).ok_or_else(|| Error::usage(explain_unknown(name)))?;
        check_given(args, given, &cipher)?;
        let padding = args.padding.unwrap_or(PaddingName::Pkcs7).into();
        let plaintext = Encoding::Text;
        let (data, result) =
            if args.decrypt { (Encoding::Hex, plaintext) } else { (plaintext, Encoding::Hex) };
        let result_encoding = args.result_encoding.map_or(result, Encoding::from);
        if args.preset.key_encoding == Some(EncodingName::Text) {
            return Err(Error::usage("--key-encoding takes hex or base64"));
        }
        let direction = if args.decrypt { Direction::Decrypt } else { Direction::Encrypt };
        let (key, iv) = (key(args, &cipher)?, iv(args, &cipher)?);
        let mut task = Task::new(cipher, padding, direction, key, iv);
        task.weak_keys = if args.strict_keys { WeakKeys::Refused } else { WeakKeys::Told };
        task.may_have_header = args.decrypt && !args.header_is_data;
        Ok(Self {
            task,
            key_encoding: key_encoding(args),
            iv_encoding: iv_encoding(args),
            data_encoding: args.data_encoding.map_or(data, Encoding::from),
            result_form: ResultForm::Text(result_encoding),
        })
    }
}

/// # Errors
/// Bad usage: an option that changes nothing for this cipher.
fn check_given(args: &Arguments, given: &Given, cipher: &Cipher) -> Result<()> {
    let is_taken = |id: &str| match id {
        "charset" | "k" | "kfile" | "pass" | "salt" | "salt_column" | "md" | "iter" => false,
        "padding" => cipher.is_padded(),
        "iv" | "iv_column" | "iv_prefix" => cipher.iv_len() > 0,
        "iv_encoding" => args.iv_column.is_some(),
        "key_encoding" => args.key.is_none(),
        "key_as_given" => args.key.is_some(),
        _ => true,
    };
    given.refuse(is_taken, |id| match id {
        "padding" => format!("is for ECB and CBC; {} keeps the length of the data", cipher.name),
        "iv" | "iv_column" | "iv_prefix" => {
            format!("does nothing: {} has no IV; leave it out", cipher.name)
        }
        "iv_encoding" => "is for --iv-column; --iv is in hex".into(),
        "key_encoding" => "is for --key-file and --key-column; -K is in hex".into(),
        "key_as_given" => "is for -K; keys of a file or a column are taken as they are".into(),
        _ => "is for --preset; records in a cipher have keys (-K, --key-file, --key-column)".into(),
    })
}

fn key_encoding(args: &Arguments) -> Encoding {
    args.preset.key_encoding.map_or(Encoding::Hex, Encoding::from)
}

fn key(args: &Arguments, cipher: &Cipher) -> Result<KeyFrom> {
    let key = match (&args.key, &args.preset.key_file, &args.key_column) {
        (Some(text), ..) => args.raw.key(cipher, text.as_bytes())?,
        (_, Some(path), _) => key_file(path, args, cipher)?,
        (_, _, Some(_)) => {
            return Ok(KeyFrom::Each { fill_up: padded_key_len(args, cipher) });
        }
        _ => {
            return Err(Error::usage(
                "no key: give -K HEX, --key-file FILE, or --key-column COLUMN",
            ));
        }
    };
    Ok(KeyFrom::Same(key))
}

/// What `--pad-like-openssl` makes of a key. Without it a key of a file or a column is taken as it
/// is: it was not written for OpenSSL's command.
fn padded_key_len(args: &Arguments, cipher: &Cipher) -> Option<usize> {
    args.raw.pad_like_openssl.then(|| cipher.derived_key_len())
}

fn key_file(path: &Path, args: &Arguments, cipher: &Cipher) -> Result<Zeroizing<Vec<u8>>> {
    use std::io::Read;
    let wrong = |what: String| Error::failure(format!("key file {}: {what}", path.display()));
    let mut text = Vec::new();
    std::fs::File::open(path)
        .and_then(|file| file.take(KEY_FILE_LIMIT).read_to_end(&mut text))
        .map_err(|error| Error::file("cannot read the key file", path, &error))?;
    let mut key = Zeroizing::new(Vec::new());
    key_encoding(args)
        .decode(text.strip_prefix(BOM).unwrap_or(&text).trim_ascii(), &mut key)
        .map_err(|error| wrong(error.to_string()))?;
    let len = padded_key_len(args, cipher).unwrap_or(key.len());
    key.resize(len, 0);
    check_key_len(cipher, key.len()).map_err(wrong)?;
    Ok(key)
}

fn iv(args: &Arguments, cipher: &Cipher) -> Result<IvFrom> {
    let iv = match (&args.iv, &args.iv_column, args.iv_prefix) {
        (Some(text), ..) => {
            let bytes = args.raw.bytes("--iv", text.as_bytes(), 8)?;
            let iv = bytes.first_chunk().ok_or_else(|| Error::usage("--iv takes 8 bytes"))?;
            IvFrom::Same(*iv)
        }
        (_, Some(_), _) => IvFrom::Each,
        (_, _, true) => IvFrom::Prefix,
        _ => IvFrom::Nowhere,
    };
    match (iv, cipher.iv_len()) {
        (IvFrom::Nowhere, 8) => Err(Error::usage(format!(
            "{} takes an IV: give --iv-column COLUMN, --iv-prefix if it stands before the data, or \
             --iv HEX for one that all records share (--iv 0000000000000000 is common)",
            cipher.name
        ))),
        (IvFrom::Nowhere, _) => Ok(iv),
        _ => Ok(iv),
    }
}
