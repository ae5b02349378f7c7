//! What values may be, and which presets and ciphers there are.

use cipherloom_formats::Cipher;
use cipherloom_formats::encoding::Encoding;
use cipherloom_formats::preset::{Preset as Row, SecretKind, Text};
use cipherloom_formats::recognise;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedStr;
use pyo3::types::PyString;

use crate::buffer::Input;

/// What a value may be.
#[pyclass(frozen, get_all, module = "cipherloom")]
pub(crate) struct Guess {
    /// The preset that would open it, or None: no preset does.
    preset: Option<&'static str>,
    /// The program that writes so.
    written_by: Option<&'static str>,
    /// What speaks for it.
    why: String,
}

#[pymethods]
impl Guess {
    fn __repr__(&self) -> String {
        match self.preset {
            Some(preset) => format!("<cipherloom.Guess {preset}: {}>", self.why),
            None => format!("<cipherloom.Guess no preset: {}>", self.why),
        }
    }
}

/// A way in which a program wrote data.
#[pyclass(frozen, get_all, module = "cipherloom")]
pub(crate) struct Preset {
    /// Its name.
    name: &'static str,
    /// The program that writes so.
    written_by: &'static str,
    /// What opens it: "password", "key" or None.
    secret: Option<&'static str>,
    /// Whether its values are text.
    is_text: bool,
    /// What shows a wrong key.
    shown_by: &'static str,
}

#[pymethods]
impl Preset {
    fn __repr__(&self) -> String {
        format!("<cipherloom.Preset {}: {}>", self.name, self.written_by)
    }
}

/// A value as text or as bytes.
pub(crate) enum Value {
    Text(PyBackedStr),
    Bytes(Input),
}

impl<'a, 'py> FromPyObject<'a, 'py> for Value {
    type Error = PyErr;

    fn extract(object: Borrowed<'a, 'py, PyAny>) -> PyResult<Self> {
        if let Ok(text) = object.cast::<PyString>() {
            return Ok(Self::Text(text.to_owned().try_into()?));
        }
        match object.extract::<Input>() {
            Err(error) if error.is_instance_of::<PyTypeError>(object.py()) => {
                let kind = object.get_type().name()?;
                Err(PyTypeError::new_err(format!("a value is text or bytes, not {kind}")))
            }
            bytes => bytes.map(Self::Bytes),
        }
    }
}

impl Value {
    pub(crate) fn bytes(&self) -> &[u8] {
        match self {
            Self::Text(text) => text.as_bytes(),
            Self::Bytes(bytes) => bytes,
        }
    }

    pub(crate) fn is_text(&self) -> bool {
        matches!(self, Self::Text(_))
    }
}

/// What may have written a value, likely ones first. Nothing is decrypted for that.
#[pyfunction]
fn what(value: Value) -> Vec<Guess> {
    let guesses = recognise::recognise(value.bytes());
    let told = guesses.into_iter().map(|guess| Guess {
        preset: guess.preset.map(|preset| preset.name),
        written_by: guess.preset.map(|preset| preset.written_by),
        why: guess.why,
    });
    told.collect()
}

/// Every preset.
#[pyfunction]
fn presets() -> Vec<Preset> {
    let told = Row::all().map(|row| Preset {
        name: row.name,
        written_by: row.written_by,
        secret: match row.secret {
            SecretKind::None => None,
            SecretKind::Password(_) => Some("password"),
            SecretKind::Key(..) => Some("key"),
        },
        is_text: row.text != Text::As(Encoding::Text),
        shown_by: row.shown_by(),
    });
    told.collect()
}

/// The names of all ciphers with their modes.
#[pyfunction]
fn ciphers() -> Vec<String> {
    Cipher::names()
}

pub(crate) fn add(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<Guess>()?;
    module.add_class::<Preset>()?;
    module.add_function(wrap_pyfunction!(what, module)?)?;
    module.add_function(wrap_pyfunction!(presets, module)?)?;
    module.add_function(wrap_pyfunction!(ciphers, module)?)
}
