//! Arrow's arrays in and out, by the PyCapsule interface: nothing is copied at this border.
#![allow(unsafe_code)] // Arrow's C structures are behind pointers.

use std::ffi::CStr;
use std::sync::Arc;

use arrow_array::ffi::{FFI_ArrowArray, FFI_ArrowSchema, from_ffi, to_ffi};
use arrow_array::ffi_stream::{ArrayStreamReader, FFI_ArrowArrayStream};
use arrow_array::{Array, ArrayRef, make_array};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyCapsule, PyTuple};

use crate::fault;

const SCHEMA: &CStr = c"arrow_schema";
const ARRAY: &CStr = c"arrow_array";
const STREAM: &CStr = c"arrow_array_stream";

/// An array of Arrow's; PyArrow, Polars, pandas and others take it as it is.
#[pyclass(frozen, module = "cipherloom")]
pub(crate) struct ArrowArray(pub(crate) ArrayRef);

#[pymethods]
impl ArrowArray {
    #[pyo3(signature = (requested_schema = None))]
    fn __arrow_c_array__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyTuple>> {
        let _ = requested_schema;
        export(py, &self.0)
    }

    fn __len__(&self) -> usize {
        self.0.len()
    }

    fn __repr__(&self) -> String {
        format!("<cipherloom.ArrowArray of {} values, {}>", self.0.len(), self.0.data_type())
    }
}

/// The two capsules of an array.
pub(crate) fn export<'py>(py: Python<'py>, array: &dyn Array) -> PyResult<Bound<'py, PyTuple>> {
    let (array, schema) = to_ffi(&array.to_data()).map_err(fault::usage)?;
    let schema = PyCapsule::new_with_value(py, schema, SCHEMA)?;
    let array = PyCapsule::new_with_value(py, array, ARRAY)?;
    PyTuple::new(py, [schema, array])
}

/// The pieces of a column that an object of Arrow's world has; none if it is no such object.
pub(crate) fn import(object: &Bound<'_, PyAny>) -> PyResult<Option<Vec<ArrayRef>>> {
    if object.hasattr("__arrow_c_array__")? {
        return Ok(Some(vec![import_array(&object.call_method0("__arrow_c_array__")?)?]));
    }
    if object.hasattr("__arrow_c_stream__")? {
        let stream = object.call_method0("__arrow_c_stream__")?;
        return import_stream(object.py(), &stream).map(Some);
    }
    Ok(None)
}

fn import_array(capsules: &Bound<'_, PyAny>) -> PyResult<ArrayRef> {
    let (schema, array): (Bound<'_, PyCapsule>, Bound<'_, PyCapsule>) = capsules.extract()?;
    let schema = schema.pointer_checked(Some(SCHEMA))?.cast::<FFI_ArrowSchema>();
    let array = array.pointer_checked(Some(ARRAY))?.cast::<FFI_ArrowArray>();
    // SAFETY: a capsule of this name has such a structure, as the PyCapsule interface promises. The array is
    // moved out, so that its capsule no longer releases it; the schema is only read, while its capsule is there.
    let data = unsafe { from_ffi(FFI_ArrowArray::from_raw(array.as_ptr()), schema.as_ref()) };
    Ok(make_array(data.map_err(fault::usage)?))
}

fn import_stream(py: Python<'_>, capsule: &Bound<'_, PyAny>) -> PyResult<Vec<ArrayRef>> {
    let capsule = capsule.cast::<PyCapsule>().map_err(|_| PyTypeError::new_err("no capsule"))?;
    let stream = capsule.pointer_checked(Some(STREAM))?.cast::<FFI_ArrowArrayStream>();
    // SAFETY: as above; the stream is moved out of its capsule.
    let reader = unsafe { ArrayStreamReader::from_raw(stream.as_ptr()) }.map_err(fault::usage)?;
    // What gives the pieces may be Python, and takes the lock itself if so.
    let pieces: Result<Vec<_>, _> = py.detach(move || Taken(reader).0.collect());
    pieces.map_err(fault::usage)
}

/// A stream that one thread after the other may read.
struct Taken(ArrayStreamReader);

// SAFETY: Arrow's C stream interface has no ties to a thread; calls must not overlap, and do not.
unsafe impl Send for Taken {}

/// A shared array, for Python.
pub(crate) fn shared(array: impl Array + 'static) -> ArrowArray {
    ArrowArray(Arc::new(array))
}
