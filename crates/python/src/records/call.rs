//! What Python calls: a plan, and columns or a value for it.

use cipherloom_formats::preset::{Charset, Outcome, Text};
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use zeroize::Zeroizing;

use super::column::{Column, Side};
use super::output::{Form, Records};
use super::plan::{Options, Own, Plan, What};
use super::serve::Service;
use super::sides;
use crate::fault;
use crate::presets::Value;

/// What is to be done with values.
#[pyclass(frozen, name = "Plan", module = "cipherloom")]
pub(crate) struct Call {
    plan: Plan,
    /// Whether results are to be text.
    text: Option<bool>,
}

#[pymethods]
impl Call {
    #[new]
    #[pyo3(signature = (
        encrypt, *, preset = None, cipher = None, padding = None, encoding = None, digest = None,
        count = None, charset = None, key_file = None, text = None
    ))]
    fn new(
        encrypt: bool,
        preset: Option<&str>,
        cipher: Option<&str>,
        padding: Option<&str>,
        encoding: Option<&str>,
        digest: Option<&str>,
        count: Option<u32>,
        charset: Option<&str>,
        key_file: Option<&[u8]>,
        text: Option<bool>,
    ) -> PyResult<Self> {
        let options =
            Options { preset, cipher, padding, encoding, digest, count, charset, key_file };
        Ok(Self { plan: Plan::new(encrypt, options)?, text })
    }

    /// Encrypts or decrypts a column.
    #[pyo3(signature = (data, *, key = None, iv = None, salt = None, threads = 1))]
    fn run(
        &self,
        py: Python<'_>,
        data: &Bound<'_, PyAny>,
        key: Option<&Bound<'_, PyAny>>,
        iv: Option<&Bound<'_, PyAny>>,
        salt: Option<&Bound<'_, PyAny>>,
        threads: usize,
    ) -> PyResult<Records> {
        let data = Column::new(data)?;
        let rows = data.len();
        let side = |object: Option<&Bound<'_, PyAny>>, what| {
            let side = object.map(Side::new).transpose()?;
            match &side {
                Some(Side::Each(column)) if column.len() != rows => Err(fault::usage(format!(
                    "the column of {what} has {} values, and that of the data {rows}",
                    column.len()
                ))),
                _ => Ok(side),
            }
        };
        let (key, iv, salt) = (side(key, "keys")?, side(iv, "IVs")?, side(salt, "salts")?);
        let form = self.form(&data);
        let columns = sides::Columns { data: &data, key: &key, iv: &iv, salt: &salt };
        let work = Service::new(&self.plan, &columns, form.is_text)?;
        let served = py.detach(|| work.run(rows, threads.max(1)))?;
        Ok(Records::new(served, form))
    }

    /// Decrypts one value of a preset: its plaintext.
    #[pyo3(signature = (value, *, key = None, iv = None, salt = None))]
    fn open<'py>(
        &self,
        py: Python<'py>,
        value: Value,
        key: Option<&Bound<'py, PyAny>>,
        iv: Option<&Bound<'py, PyAny>>,
        salt: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let What::Preset(plan) = &self.plan.what else {
            return Err(fault::usage("one value of a cipher: Mode and a key decrypt it"));
        };
        let (key, iv, salt) = (
            sides::secret(plan, key.map(Side::new).transpose()?)?,
            sides::fixed("IV", iv.map(Side::new).transpose()?)?,
            sides::fixed("salt", salt.map(Side::new).transpose()?)?,
        );
        let [secret, iv, salt] = [&key, &iv, &salt].map(|own| own.as_deref().map(Vec::as_slice));
        let given = plan.given(Own { secret, iv, salt }, self.plan.encoding.map(Text::As));
        let bytes = value.bytes();
        let outcome = py.detach(|| match value.is_text() {
            true => plan.preset.open(&given, bytes),
            // A file, or bytes of which nobody said how they are written.
            false => plan.preset.open_file(&given, bytes),
        });
        let plaintext = match outcome.map_err(fault::usage)? {
            Outcome::Decrypted(plaintext) => plaintext.bytes,
            Outcome::PassedThrough(_) => {
                Zeroizing::new(plan.preset.passed_through(&given, bytes).into_owned())
            }
            other => return Err(fault::outcome(&other)),
        };
        if self.text != Some(true) {
            return Ok(PyBytes::new(py, &plaintext).into_any());
        }
        let text = plan.preset.read_text(plan.charset, &plaintext);
        let text = text.ok_or_else(|| fault::usage("the plaintext is no text"))?;
        Ok(text.as_str().into_pyobject(py)?.into_any())
    }
}

impl Call {
    /// Results are bytes for a cipher; for a preset where the data is and the preset does not say that
    /// plaintexts are text, unless the caller says which.
    fn form(&self, data: &Column) -> Form {
        let is_text = self.text.unwrap_or(match &self.plan.what {
            What::Cipher(_) => false,
            What::Preset(plan) => {
                let charset = plan.charset.unwrap_or(plan.preset.charset);
                !data.is_bytes() || charset != Charset::Bytes
            }
        });
        Form::of(data, is_text)
    }
}
