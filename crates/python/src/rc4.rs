//! RC4 streams.

use cipherloom::{self as library, Policy};
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::buffer::{Input, detached, filled};
use crate::fault;

/// An RC4 stream.
#[pyclass(module = "cipherloom")]
pub(crate) struct Rc4(library::Rc4);

#[pymethods]
impl Rc4 {
    #[new]
    #[pyo3(signature = (key, *, drop = 0, constant_time = false))]
    fn new(key: Input, drop: u64, constant_time: bool) -> PyResult<Self> {
        let policy = if constant_time { Policy::ConstantTime } else { Policy::Fastest };
        let mut stream = library::Rc4::with_policy(&key, policy).map_err(fault::library)?;
        stream.skip(drop).map_err(fault::library)?;
        Ok(Self(stream))
    }

    /// XORs the next bytes of the key stream into a copy of the data.
    fn apply<'py>(&mut self, py: Python<'py>, data: Input) -> PyResult<Bound<'py, PyBytes>> {
        let stream = &mut self.0;
        filled(py, data.len(), |out| stream.apply_to(&data, out).map(std::mem::drop))
    }

    /// Leaves out the next bytes of the key stream.
    fn skip(&mut self, py: Python<'_>, count: u64) -> PyResult<()> {
        let stream = &mut self.0;
        let len = usize::try_from(count).unwrap_or(usize::MAX);
        detached(py, len, || stream.skip(count)).map_err(fault::library)
    }

    fn __repr__(&self) -> &'static str {
        "<cipherloom.Rc4>"
    }
}
