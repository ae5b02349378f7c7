//! Values that a program wrote in its own way.

use std::ops::Range;

use cipherloom::Direction;
use cipherloom_formats::encoding::Encoding;
use cipherloom_formats::preset::{Charset, Error, Opener, Outcome, Text};
use cipherloom_records::Status;
use pyo3::prelude::*;
use zeroize::Zeroizing;

use super::column::{IsText, Reader, Side};
use super::plan::{Own, PresetPlan};
use super::served::Served;
use super::sides::{Bytes, Columns, check_preset, hex, secret_bytes, wrong};
use crate::fault::{self, SealError};

/// See above.
pub(super) struct ByPreset<'a> {
    plan: &'a PresetPlan,
    /// How values are written; none: as the preset says.
    encoding: Option<Encoding>,
    key: Source<'a>,
    iv: Source<'a>,
    salt: Source<'a>,
    is_text: bool,
}

/// Where a key, an IV or a salt comes from.
enum Source<'a> {
    Nowhere,
    One(Bytes),
    Each(Reader<'a>),
}

impl<'a> ByPreset<'a> {
    /// # Errors
    /// The secret is missing, or one that the preset does not take was given.
    pub(super) fn new(
        plan: &'a PresetPlan,
        columns: &Columns<'a>,
        encoding: Option<Encoding>,
        is_text: bool,
    ) -> PyResult<Self> {
        let source = |side: &'a Option<Side>, one: &dyn Fn(&[u8], bool) -> PyResult<Bytes>| {
            Ok::<_, PyErr>(match side {
                None => Source::Nowhere,
                Some(Side::One(bytes, is_text)) => Source::One(one(bytes, *is_text)?),
                Some(Side::Each(column)) => Source::Each(column.reader()?),
            })
        };
        let hex = |what: &'static str| {
            move |bytes: &[u8], is_text| hex(bytes, is_text).map_err(|error| wrong(what, error))
        };
        check_preset(plan, &columns.given())?;
        Ok(Self {
            plan,
            encoding,
            key: source(columns.key, &|bytes, is_text| {
                secret_bytes(plan, bytes, is_text).map_err(fault::usage)
            })?,
            iv: source(columns.iv, &hex("IV"))?,
            salt: source(columns.salt, &hex("salt"))?,
            is_text,
        })
    }

    /// Serves these rows of a column.
    ///
    /// # Errors
    /// What was given for all values cannot be used.
    pub(super) fn serve(
        &self,
        data: &Reader<'_>,
        rows: Range<usize>,
        served: &mut Served,
    ) -> PyResult<()> {
        // Of values that are bytes, and that are text.
        let mut openers: [Option<Opener<'_>>; 2] = [None, None];
        for row in rows {
            let Some(value) = data.get(row) else {
                served.push(Status::PassedThrough, None);
                continue;
            };
            match self.plan.direction {
                Direction::Encrypt => self.seal(value, row, served)?,
                Direction::Decrypt if value.0.is_empty() => {
                    served.push(Status::PassedThrough, Some(&[]));
                }
                Direction::Decrypt => self.open(value, row, &mut openers, served)?,
            }
        }
        Ok(())
    }

    /// What all values have.
    fn all(&self) -> Own<'_> {
        fn common<'s>(source: &'s Source<'_>) -> Option<&'s [u8]> {
            if let Source::One(bytes) = source { Some(bytes) } else { None }
        }
        Own { secret: common(&self.key), iv: common(&self.iv), salt: common(&self.salt) }
    }

    /// Whether no value has anything for itself.
    fn is_common(&self) -> bool {
        let sources = [&self.key, &self.iv, &self.salt];
        !sources.iter().any(|source| matches!(source, Source::Each(_)))
    }

    fn open<'s>(
        &'s self,
        (value, is_text): (&[u8], IsText),
        row: usize,
        openers: &mut [Option<Opener<'s>>; 2],
        served: &mut Served,
    ) -> PyResult<()> {
        let preset = self.plan.preset;
        let as_bytes = (!is_text).then_some(Text::As(Encoding::Text));
        let text = self.encoding.map(Text::As).or(as_bytes);
        let outcome = if self.is_common() {
            let opener = openers[usize::from(is_text)]
                .get_or_insert_with(|| preset.opener(self.plan.given(self.all(), text)));
            opener.open(value).map_err(fault::usage)?
        } else {
            let opened = self.with_own(row, |own| {
                preset.open(&self.plan.given(own, text), value).map_err(|error| error.to_string())
            });
            match opened {
                Ok(outcome) => outcome,
                Err(error) => {
                    served.refuse(Status::Damaged, error);
                    return Ok(());
                }
            }
        };
        self.push_outcome(&outcome, (value, text), served);
        Ok(())
    }

    fn seal(&self, value: (&[u8], IsText), row: usize, served: &mut Served) -> PyResult<()> {
        let text = match self.is_text {
            true => self.encoding.map(Text::As),
            false => Some(Text::As(Encoding::Text)),
        };
        let sealed = self.with_own(row, |own| Ok(self.plan.seal(own, text, value)));
        match sealed {
            Ok(Ok(sealed)) => served.push(Status::Encrypted, Some(&sealed)),
            Ok(Err(SealError::Preset(error))) if error == Error::Plaintext || !self.is_common() => {
                served.refuse(Status::Damaged, error.to_string());
            }
            Ok(Err(error)) => return Err(fault::seal(error)),
            Err(error) => served.refuse(Status::Damaged, error),
        }
        Ok(())
    }

    /// Does something with what a row has itself and what all have.
    fn with_own<R>(
        &self,
        row: usize,
        work: impl FnOnce(Own<'_>) -> Result<R, String>,
    ) -> Result<R, String> {
        let (all, own) = (self.all(), self.own(row)?);
        let [secret, iv, salt] =
            [&own[0], &own[1], &own[2]].map(|own| own.as_deref().map(Vec::as_slice));
        work(Own { secret: secret.or(all.secret), iv: iv.or(all.iv), salt: salt.or(all.salt) })
    }

    /// What a row has itself: secret, IV and salt.
    fn own(&self, row: usize) -> Result<[Option<Bytes>; 3], String> {
        fn read<'s>(
            source: &'s Source<'_>,
            row: usize,
            what: &str,
        ) -> Result<Option<(&'s [u8], IsText)>, String> {
            match source {
                Source::Each(reader) => {
                    reader.get(row).map(Some).ok_or_else(|| format!("there is no {what}"))
                }
                _ => Ok(None),
            }
        }
        let key = read(&self.key, row, "key or password")?;
        let key =
            key.map(|(value, is_text)| secret_bytes(self.plan, value, is_text)).transpose()?;
        let mut others = [None, None];
        for (own, (source, what)) in others.iter_mut().zip([(&self.iv, "IV"), (&self.salt, "salt")])
        {
            let value = read(source, row, what)?.map(|(value, is_text)| hex(value, is_text));
            *own = value.transpose().map_err(|error| format!("{what}: {error}"))?;
        }
        let [iv, salt] = others;
        Ok([key, iv, salt])
    }

    fn push_outcome(
        &self,
        outcome: &Outcome,
        (value, text): (&[u8], Option<Text>),
        served: &mut Served,
    ) {
        let status = Status::from(outcome);
        let passed;
        let bytes = match outcome {
            Outcome::Decrypted(plaintext) => &plaintext.bytes,
            Outcome::PassedThrough(_) => {
                let given = self.plan.given(Own::default(), text);
                passed =
                    Zeroizing::new(self.plan.preset.passed_through(&given, value).into_owned());
                &passed
            }
            other => return served.refuse(status, other.to_string()),
        };
        if !self.is_text {
            return served.push(status, Some(bytes));
        }
        let is_decrypted = status == Status::Decrypted;
        let read =
            is_decrypted.then(|| self.plan.preset.read_text(self.plan.charset, bytes)).flatten();
        let is_open = !is_decrypted
            || self.plan.charset.unwrap_or(self.plan.preset.charset) == Charset::Bytes;
        match (read, std::str::from_utf8(bytes)) {
            (Some(text), _) => served.push(status, Some(text.as_bytes())),
            (None, Ok(_)) if is_open => served.push(status, Some(bytes)),
            _ => served
                .refuse(status, "the plaintext is no such text; text=False gives its bytes".into()),
        }
    }
}
