//! What became of records, as Python has it: lists, arrays of NumPy, or Arrow's.

use std::sync::Arc;

use arrow_array::builder::{BinaryBuilder, LargeBinaryBuilder, LargeStringBuilder, StringBuilder};
use arrow_array::{ArrayRef, StructArray};
use arrow_schema::{Field, Fields};
use cipherloom_records::Status;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyList, PyString, PyTuple};

use super::column::Column;
use super::served::Served;
use crate::arrow::{ArrowArray, export, shared};
use crate::fault;

/// What results are made of.
#[derive(Clone, Copy)]
pub(super) struct Form {
    kind: Kind,
    pub(super) is_text: bool,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    List,
    Rows,
    Arrow,
}

impl Form {
    /// The same as the data.
    pub(super) fn of(data: &Column, is_text: bool) -> Self {
        let kind = match data {
            Column::List(_) => Kind::List,
            Column::Rows { .. } => Kind::Rows,
            Column::Arrow { .. } => Kind::Arrow,
        };
        Self { kind, is_text }
    }
}

/// What became of the records of a column: a result, a status and an error for each.
#[pyclass(module = "cipherloom")]
pub(crate) struct Records {
    served: Served,
    form: Form,
    /// Results, statuses and errors, as Python has them, once somebody asks.
    made: [Option<Py<PyAny>>; 3],
}

#[pymethods]
impl Records {
    /// The results; None where there is none.
    #[getter]
    fn results(&mut self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        self.made(py, 0, |own| match own.form.kind {
            Kind::List => own.result_list(py),
            Kind::Rows => own.result_rows(py),
            Kind::Arrow => Ok(ArrowArray(own.result_array()).into_pyobject(py)?.into_any()),
        })
    }

    /// The statuses, each a word or two.
    #[getter]
    fn statuses(&mut self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        self.made(py, 1, |own| match own.form.kind {
            Kind::Arrow => Ok(shared(own.status_array()).into_pyobject(py)?.into_any()),
            _ => {
                let names = Status::ALL.map(|status| PyString::intern(py, status.name()));
                let named = own.served.statuses.iter().map(|status| &names[*status as usize]);
                Ok(PyList::new(py, named)?.into_any())
            }
        })
    }

    /// What is wrong with each record; None where nothing is.
    #[getter]
    fn errors(&mut self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        self.made(py, 2, |own| match own.form.kind {
            Kind::Arrow => Ok(shared(own.error_array()).into_pyobject(py)?.into_any()),
            _ => Ok(PyList::new(py, own.error_texts())?.into_any()),
        })
    }

    /// How many records ended in each way.
    fn counts<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let counts = PyDict::new(py);
        for status in Status::ALL {
            let count = self.served.statuses.iter().filter(|own| **own == status).count();
            if count > 0 {
                counts.set_item(status.name(), count)?;
            }
        }
        Ok(counts)
    }

    fn __len__(&self) -> usize {
        self.served.ends.len()
    }

    /// All as a table with the columns `result`, `status` and `error`.
    #[pyo3(signature = (requested_schema = None))]
    fn __arrow_c_array__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyTuple>> {
        let _ = requested_schema;
        let results = self.result_array();
        let columns: Vec<ArrayRef> =
            vec![results, Arc::new(self.status_array()), Arc::new(self.error_array())];
        let names = ["result", "status", "error"].iter().zip(&columns);
        let fields: Fields =
            names.map(|(name, own)| Field::new(*name, own.data_type().clone(), true)).collect();
        export(py, &StructArray::try_new(fields, columns, None).map_err(fault::usage)?)
    }

    fn __repr__(&self) -> String {
        format!(
            "<cipherloom.Records: {} records, {} errors>",
            self.__len__(),
            self.served.errors.len()
        )
    }
}

impl Records {
    pub(super) fn new(served: Served, form: Form) -> Self {
        Self { served, form, made: [None, None, None] }
    }

    fn made<'py>(
        &mut self,
        py: Python<'py>,
        place: usize,
        make: impl FnOnce(&Self) -> PyResult<Bound<'py, PyAny>>,
    ) -> PyResult<Py<PyAny>> {
        if let Some(made) = &self.made[place] {
            return Ok(made.clone_ref(py));
        }
        let made = make(self)?.unbind();
        Ok(self.made[place].insert(made).clone_ref(py))
    }

    /// Every result, where there is one.
    fn results_of(&self) -> impl ExactSizeIterator<Item = Option<&[u8]>> {
        let Served { data, ends, is_there, .. } = &self.served;
        ends.iter().enumerate().map(move |(row, &end)| {
            let start = if row > 0 { ends[row - 1] } else { 0 };
            is_there[row].then(|| &data[start..end])
        })
    }

    fn result_list<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let list = if self.form.is_text {
            // What is text was checked to be UTF-8.
            let texts = self.results_of().map(|result| std::str::from_utf8(result?).ok());
            PyList::new(py, texts)?
        } else {
            PyList::new(
                py,
                self.results_of().map(|result| result.map(|bytes| PyBytes::new(py, bytes))),
            )?
        };
        Ok(list.into_any())
    }

    /// An array of NumPy's where every result is there and all have one length, else a list.
    fn result_rows<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let rows = self.served.ends.len();
        let width = self.served.ends.first().copied().unwrap_or_default();
        let is_even = self.results_of().all(|result| result.is_some_and(|own| own.len() == width));
        if self.form.is_text || !is_even {
            return self.result_list(py);
        }
        let numpy = py.import("numpy")?;
        let flat =
            numpy.call_method1("frombuffer", (PyBytes::new(py, &self.served.data), "uint8"))?;
        flat.call_method1("reshape", (rows, width))
    }

    fn result_array(&self) -> ArrayRef {
        let (rows, bytes) = (self.served.ends.len(), self.served.data.len());
        let results = self.results_of();
        // What is text was checked to be UTF-8.
        fn text(result: Option<&[u8]>) -> Option<&str> {
            result.and_then(|bytes| std::str::from_utf8(bytes).ok())
        }
        macro_rules! built {
            ($builder:ty, $result:expr) => {{
                let mut builder = <$builder>::with_capacity(rows, bytes);
                results.for_each(|result| builder.append_option($result(result)));
                Arc::new(builder.finish())
            }};
        }
        let is_large = i32::try_from(bytes).is_err();
        match (self.form.is_text, is_large) {
            (false, false) => built!(BinaryBuilder, |bytes| bytes),
            (false, true) => built!(LargeBinaryBuilder, |bytes| bytes),
            (true, false) => built!(StringBuilder, text),
            (true, true) => built!(LargeStringBuilder, text),
        }
    }

    fn status_array(&self) -> arrow_array::StringArray {
        self.served.statuses.iter().map(|status| Some(status.name())).collect()
    }

    fn error_array(&self) -> arrow_array::StringArray {
        self.error_texts().collect()
    }

    fn error_texts(&self) -> impl ExactSizeIterator<Item = Option<&str>> {
        let mut errors = self.served.errors.iter().peekable();
        (0..self.served.ends.len())
            .map(move |row| Some(&*errors.next_if(|(own, _)| *own == row)?.1))
    }
}
