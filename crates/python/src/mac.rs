//! Message authentication codes.

use cipherloom as library;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::buffer::{Input, detached};
use crate::fault;
use crate::keys::{BlockKey, TdesEde2};
use crate::names;

/// A MAC of a message that comes in pieces.
#[pyclass(module = "cipherloom")]
pub(crate) struct Mac(Option<library::Mac>);

impl Mac {
    fn mac(&mut self) -> PyResult<&mut library::Mac> {
        self.0.as_mut().ok_or_else(|| fault::usage("the message has ended"))
    }

    fn end(&mut self) -> PyResult<library::Mac> {
        self.mac()?;
        self.0.take().ok_or_else(|| fault::usage("the message has ended"))
    }
}

#[pymethods]
impl Mac {
    /// CBC-MAC (ISO/IEC 9797-1 algorithm 1). With a length, padding method 3.
    #[staticmethod]
    #[pyo3(signature = (key, padding = "zero", *, length = None))]
    fn cbc_mac(key: &Bound<'_, BlockKey>, padding: &str, length: Option<u64>) -> PyResult<Self> {
        let (key, padding) = (&key.get().0, names::padding(padding)?);
        Ok(Self(Some(match length {
            Some(length) => library::Mac::cbc_mac_of_length(key, length),
            None => library::Mac::cbc_mac(key, padding),
        })))
    }

    /// Retail MAC (ISO/IEC 9797-1 algorithm 3). With a length, padding method 3.
    #[staticmethod]
    #[pyo3(signature = (key, padding = "zero", *, length = None))]
    fn retail(key: &Bound<'_, TdesEde2>, padding: &str, length: Option<u64>) -> PyResult<Self> {
        let padding = names::padding(padding)?;
        let key = key.as_super().get().0.clone();
        let key = library::TdesEde2::try_from(key)
            .map_err(|_| PyTypeError::new_err("the key is none of TdesEde2"))?;
        Ok(Self(Some(match length {
            Some(length) => library::Mac::retail_of_length(&key, length),
            None => library::Mac::retail(&key, padding),
        })))
    }

    /// CMAC (SP 800-38B).
    #[staticmethod]
    fn cmac(key: &Bound<'_, BlockKey>) -> Self {
        Self(Some(library::Mac::cmac(&key.get().0)))
    }

    /// Takes the next piece of the message.
    fn update(&mut self, py: Python<'_>, data: Input) -> PyResult<()> {
        let mac = self.mac()?;
        detached(py, data.len(), || mac.update(&data)).map_err(fault::library)
    }

    /// The tag, 8 bytes. Nothing may follow.
    fn finish<'py>(&mut self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        let tag = self.end()?.finish().map_err(fault::library)?;
        Ok(PyBytes::new(py, &tag))
    }

    /// Compares the tag, or its first bytes, in constant time. Nothing may follow.
    fn verify(&mut self, tag: Input) -> PyResult<()> {
        self.end()?.verify(&tag).map_err(fault::library)
    }
}
