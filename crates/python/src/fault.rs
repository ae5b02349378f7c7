//! What can go wrong, as Python's exceptions.

use cipherloom::Error as LibraryError;
use cipherloom_formats::preset::Outcome;
use cipherloom_records::GroupError;
use pyo3::create_exception;
use pyo3::exceptions::{PyRuntimeError, PyValueError};
use pyo3::prelude::*;

create_exception!(cipherloom, Error, PyValueError, "What was given cannot be used.");
create_exception!(
    cipherloom,
    PaddingError,
    Error,
    "The padding is wrong: key, IV, padding or data."
);
create_exception!(cipherloom, TagError, Error, "The tag does not fit the message and the key.");
create_exception!(cipherloom, WrongKeyError, Error, "The value shows that the key is wrong.");
create_exception!(cipherloom, OtherFormatError, Error, "The value is of another format.");
create_exception!(cipherloom, DamagedError, Error, "The value is damaged, or not of this preset.");
create_exception!(
    cipherloom,
    SelfTestError,
    PyRuntimeError,
    "This build or this machine computes wrongly; nothing was computed."
);

pub(crate) fn add(module: &Bound<'_, PyModule>) -> PyResult<()> {
    let py = module.py();
    module.add("Error", py.get_type::<Error>())?;
    module.add("PaddingError", py.get_type::<PaddingError>())?;
    module.add("TagError", py.get_type::<TagError>())?;
    module.add("WrongKeyError", py.get_type::<WrongKeyError>())?;
    module.add("OtherFormatError", py.get_type::<OtherFormatError>())?;
    module.add("DamagedError", py.get_type::<DamagedError>())?;
    module.add("SelfTestError", py.get_type::<SelfTestError>())
}

/// What the library refused.
pub(crate) fn library(error: LibraryError) -> PyErr {
    let text = error.to_string();
    match error {
        LibraryError::Padding => PaddingError::new_err(text),
        LibraryError::Tag => TagError::new_err(text),
        LibraryError::SelfTest => SelfTestError::new_err(text),
        _ => Error::new_err(text),
    }
}

/// Why a group of records was not served.
pub(crate) fn group(error: GroupError) -> PyErr {
    match error {
        GroupError::Library(error) => library(error),
        GroupError::Random(_) => PyRuntimeError::new_err(error.to_string()),
    }
}

/// Why there is no new value.
pub(crate) enum SealError {
    /// What was given cannot be used.
    Preset(cipherloom_formats::preset::Error),
    /// The system has no random bytes.
    Random(getrandom::Error),
}

/// The same, as an exception.
pub(crate) fn seal(error: SealError) -> PyErr {
    match error {
        SealError::Preset(error) => usage(error),
        SealError::Random(error) => {
            PyRuntimeError::new_err(format!("no random numbers to be had: {error}"))
        }
    }
}

/// What cannot be used.
pub(crate) fn usage(text: impl std::fmt::Display) -> PyErr {
    Error::new_err(text.to_string())
}

/// What became of a value that has no plaintext.
pub(crate) fn outcome(outcome: &Outcome) -> PyErr {
    let text = outcome.to_string();
    match outcome {
        Outcome::Other(..) => OtherFormatError::new_err(text),
        Outcome::Damaged(_) => DamagedError::new_err(text),
        _ => WrongKeyError::new_err(text),
    }
}
