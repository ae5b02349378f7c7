//! The Python face: the library's objects with Python's manners, columns of values, and presets.
//!
//! The module `cipherloom._cipherloom`; the package around it is Python, in `python/cipherloom`. What a caller
//! gave is copied while Python's lock is held, unless it is `bytes`, which nobody can change. So work without
//! the lock has memory of its own.

#![expect(clippy::too_many_arguments, reason = "a keyword of a Python function is an argument")]

mod arrow;
mod buffer;
mod fault;
mod keys;
mod mac;
mod modes;
mod names;
mod presets;
mod rc4;
mod records;

use pyo3::prelude::*;

/// Cipherloom's native part; `import cipherloom` hands it on.
#[pymodule]
fn _cipherloom(module: &Bound<'_, PyModule>) -> PyResult<()> {
    fault::add(module)?;
    keys::add(module)?;
    module.add_class::<modes::Mode>()?;
    module.add_class::<modes::Encryptor>()?;
    module.add_class::<modes::Decryptor>()?;
    module.add_class::<mac::Mac>()?;
    module.add_class::<rc4::Rc4>()?;
    module.add_class::<records::Call>()?;
    module.add_class::<records::Records>()?;
    module.add_class::<arrow::ArrowArray>()?;
    presets::add(module)?;
    module.add("__version__", env!("CARGO_PKG_VERSION"))
}
