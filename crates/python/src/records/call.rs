//! What Python calls: a plan, and columns or a value for it.

use cipherloom::Direction;
use cipherloom_formats::encoding::Encoding;
use cipherloom_formats::preset::{Charset, Outcome, Text};
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use zeroize::Zeroizing;

use super::column::{Column, Side};
use super::output::{Form, Records};
use super::plan::{Options, Own, Plan, PresetPlan, What};
use super::serve::Service;
use super::sides::{self, Bytes, Given};
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
        count = None, charset = None, key_file = None, iv_prefix = false, text = None
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
        iv_prefix: bool,
        text: Option<bool>,
    ) -> PyResult<Self> {
        let options = Options {
            preset,
            cipher,
            padding,
            encoding,
            digest,
            count,
            charset,
            key_file,
            iv_prefix,
        };
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
        let form = self.form(&data)?;
        let columns = sides::Columns { data: &data, key: &key, iv: &iv, salt: &salt };
        let work = Service::new(&self.plan, &columns, form.is_text)?;
        let served = py.detach(|| work.run(rows, threads.max(1)))?;
        Ok(Records::new(served, form))
    }

    /// Makes one value of a preset.
    #[pyo3(signature = (value, *, key = None, iv = None, salt = None))]
    fn seal<'py>(
        &self,
        py: Python<'py>,
        value: Value,
        key: Option<&Bound<'py, PyAny>>,
        iv: Option<&Bound<'py, PyAny>>,
        salt: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let (plan, [key, iv, salt]) = self.one(key, iv, salt)?;
        let [secret, iv, salt] = [&key, &iv, &salt].map(|own| own.as_deref().map(Vec::as_slice));
        let is_text = self.seals_text(plan)?;
        let text = match is_text {
            true => self.plan.encoding.map(Text::As),
            false => Some(Text::As(Encoding::Text)),
        };
        let value = (value.bytes(), value.is_text());
        let sealed = py.detach(|| plan.seal(Own { secret, iv, salt }, text, value));
        let sealed = sealed.map_err(fault::seal)?;
        match String::from_utf8(sealed) {
            Ok(text) if is_text => Ok(text.into_pyobject(py)?.into_any()),
            Ok(text) => Ok(PyBytes::new(py, text.as_bytes()).into_any()),
            Err(bytes) => Ok(PyBytes::new(py, bytes.as_bytes()).into_any()),
        }
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
        let (plan, [key, iv, salt]) = self.one(key, iv, salt)?;
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
    /// The preset for one value, and what was given for that: secret, IV and salt.
    fn one(
        &self,
        key: Option<&Bound<'_, PyAny>>,
        iv: Option<&Bound<'_, PyAny>>,
        salt: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<(&PresetPlan, [Option<Bytes>; 3])> {
        let What::Preset(plan) = &self.plan.what else {
            return Err(fault::usage("one value of a cipher: Mode and a key are for it"));
        };
        let given = Given { key: key.is_some(), iv: iv.is_some(), salt: salt.is_some() };
        sides::check_preset(plan, &given)?;
        let side = |object: Option<&Bound<'_, PyAny>>| object.map(Side::new).transpose();
        let own = [
            sides::secret(plan, side(key)?)?,
            sides::fixed("IV", side(iv)?)?,
            sides::fixed("salt", side(salt)?)?,
        ];
        Ok((plan, own))
    }

    /// Whether new values of a preset are text.
    fn seals_text(&self, plan: &PresetPlan) -> PyResult<bool> {
        let is_text = plan.seals_text(self.plan.encoding);
        if self.text == Some(true) && !is_text {
            let name = plan.preset.name;
            return Err(fault::usage(format!(
                "{name} writes bytes, which are no text; encoding=\"hex\" or \"base64\" makes them so"
            )));
        }
        Ok(self.text.unwrap_or(is_text))
    }

    /// Unless the caller says which, results are bytes for a cipher; for a preset where the data is and the preset
    /// does not say that plaintexts are text; new values of a preset are what it writes.
    fn form(&self, data: &Column) -> PyResult<Form> {
        let is_text = match &self.plan.what {
            What::Cipher(_) => self.text.unwrap_or(false),
            What::Preset(plan) if plan.direction == Direction::Encrypt => self.seals_text(plan)?,
            What::Preset(plan) => self.text.unwrap_or({
                let charset = plan.charset.unwrap_or(plan.preset.charset);
                !data.is_bytes() || charset != Charset::Bytes
            }),
        };
        Ok(Form::of(data, is_text))
    }
}
