//! Errors as numbers with a text. No panic leaves this library.

use core::ffi::{CStr, c_char, c_int};
use library::{Error, KeyFault};
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Defines [`Code`] from one table: name, number, name in the header, text.
macro_rules! codes {
    ($($name:ident = $number:literal, $header:literal, $text:literal;)*) => {
        /// Why a call was refused or failed.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub(crate) enum Code {
            $(#[doc = $header] $name = $number,)*
        }

        /// Number, name in the header, and text of each code, and of success.
        pub(crate) const CODES: &[(c_int, &str, &CStr)] =
            &[(0, "CL_OK", c"no error"), $(($number, $header, $text)),*];
    };
}

codes! {
    Null = 1, "CL_ERROR_NULL", c"a pointer is null that must not be";
    Argument = 2, "CL_ERROR_ARGUMENT", c"an argument has a value that means nothing here";
    Length = 3, "CL_ERROR_LENGTH", c"a length is greater than any buffer";
    Overlap = 4, "CL_ERROR_OVERLAP", c"buffers overlap that must not, or a record's span leaves its buffer";
    Memory = 5, "CL_ERROR_MEMORY", c"there is not enough memory";
    Finished = 6, "CL_ERROR_FINISHED", c"the message is finished already";
    Cipher = 7, "CL_ERROR_CIPHER", c"the operation is not for keys of this cipher";
    KeyLength = 16, "CL_ERROR_KEY_LENGTH", c"the key has not the cipher's length";
    WeakKey = 17, "CL_ERROR_WEAK_KEY", c"refused key: a weak DES key";
    SemiWeakKey = 18, "CL_ERROR_SEMI_WEAK_KEY", c"refused key: a semi-weak DES key";
    DegenerateKey = 19, "CL_ERROR_DEGENERATE_KEY", c"refused key: a degenerate bundle, KEY1 = KEY2 or KEY2 = KEY3";
    KeyParity = 20, "CL_ERROR_KEY_PARITY", c"refused key: a byte of even parity";
    IvLength = 21, "CL_ERROR_IV_LENGTH", c"the initialization vector has not the mode's length";
    NotWholeBlocks = 22, "CL_ERROR_NOT_WHOLE_BLOCKS", c"the input's length is no multiple of 8";
    TooShort = 23, "CL_ERROR_TOO_SHORT", c"the input is too short";
    OutputTooSmall = 24, "CL_ERROR_OUTPUT_TOO_SMALL", c"the output buffer is too small";
    Padding = 25, "CL_ERROR_PADDING", c"the padding is wrong";
    Tag = 26, "CL_ERROR_TAG", c"the tag does not fit";
    TagLength = 27, "CL_ERROR_TAG_LENGTH", c"the tag has not 4 to 8 bytes";
    Count = 28, "CL_ERROR_COUNT", c"keys or initialization vectors do not fit the number of records";
    Mode = 29, "CL_ERROR_MODE", c"the mode has no such operation";
    Backend = 30, "CL_ERROR_BACKEND", c"the backend cannot serve this cipher here";
    SelfTest = 31, "CL_ERROR_SELF_TEST", c"no backend passed its self-test";
    MessageLength = 32, "CL_ERROR_MESSAGE_LENGTH", c"the message has not the length that was announced";
    Internal = 64, "CL_ERROR_INTERNAL", c"a defect of the library";
}

impl From<Error> for Code {
    #[inline]
    fn from(error: Error) -> Self {
        // Before all others: a wrong padding must cost what a right one costs.
        if let Error::Padding = error {
            return Self::Padding;
        }
        Self::other_than_padding(error)
    }
}

impl Code {
    #[cold]
    fn other_than_padding(error: Error) -> Self {
        match error {
            Error::KeyLength { .. } => Self::KeyLength,
            Error::Key(KeyFault::Weak) => Self::WeakKey,
            Error::Key(KeyFault::SemiWeak) => Self::SemiWeakKey,
            Error::Key(KeyFault::Degenerate) => Self::DegenerateKey,
            Error::Key(KeyFault::Parity) => Self::KeyParity,
            Error::IvLength { .. } => Self::IvLength,
            Error::NotWholeBlocks { .. } => Self::NotWholeBlocks,
            Error::TooShort { .. } => Self::TooShort,
            Error::OutputTooSmall { .. } => Self::OutputTooSmall,
            Error::Padding => Self::Padding,
            Error::Tag => Self::Tag,
            Error::TagLength { .. } => Self::TagLength,
            Error::Overlap => Self::Overlap,
            Error::Count { .. } => Self::Count,
            Error::Mode => Self::Mode,
            Error::Backend(_) => Self::Backend,
            Error::SelfTest => Self::SelfTest,
            Error::MessageLength { .. } => Self::MessageLength,
            // Both enums may grow.
            _ => Self::Internal,
        }
    }
}

/// What a function of this face returns for what `work` did.
pub(crate) fn answer(work: impl FnOnce() -> Result<(), Code>) -> c_int {
    // What a panic leaves half done is never looked at again but by its owner, who is told.
    match catch_unwind(AssertUnwindSafe(work)) {
        Ok(Ok(())) => 0,
        Ok(Err(code)) => code as c_int,
        Err(_) => Code::Internal as c_int,
    }
}

#[unsafe(no_mangle)]
extern "C" fn cl_error_text(error: c_int) -> *const c_char {
    let text = CODES.iter().find(|(number, ..)| *number == error).map(|(.., text)| *text);
    text.unwrap_or(c"no error has this number").as_ptr()
}

#[unsafe(no_mangle)]
extern "C" fn cl_version() -> *const c_char {
    const VERSION: &str = concat!(env!("CARGO_PKG_VERSION"), "\0");
    VERSION.as_ptr().cast()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The header is written by hand: its numbers and ours are the same, in the same order.
    #[test]
    fn the_header_has_these_codes() {
        let is_code = |name: &str| name == "CL_OK" || name.starts_with("CL_ERROR_");
        let values = super::super::header::constants(is_code);
        let ours: Vec<_> = CODES.iter().map(|(number, name, _)| (*name, *number)).collect();
        assert_eq!(values, ours);
    }

    #[test]
    fn a_panic_is_an_error() {
        assert_eq!(answer(|| panic!("as this test wants it")), Code::Internal as c_int);
    }
}
