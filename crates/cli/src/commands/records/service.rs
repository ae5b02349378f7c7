//! A group of records at work: taken in, opened or sent through a cipher, their results.

use std::ops::Range;

use cipherloom_formats::encoding::{Encoding, ValueError};
use cipherloom_formats::preset::{self, Charset, Opener};
use cipherloom_records::{self as records, Group, GroupError, explain};
use zeroize::Zeroizing;

use super::layout::{Field, Fields};
use super::plan::{CipherPlan, Plan, PresetPlan, ResultForm};
use super::rows::{BYTES, clear};
use super::status::{Ending, Status};
use crate::errors::{Error, Result};
use crate::presets::Own;

/// Memory of a buffer that is kept for the next group: more than most groups need.
pub(super) const KEPT: usize = 2 * BYTES;

/// Takes records in, transforms them, and gives their results.
#[derive(Default)]
pub(super) struct Records {
    taken: Vec<Taken>,
    /// Those of a cipher.
    group: Group,
    /// Bytes of those that passed through.
    passed: Vec<u8>,
    /// A result, or why there is none.
    text: Vec<u8>,
    why: String,
}

/// A record taken in.
enum Taken {
    /// It is in the group.
    Waits,
    /// A preset opened it. If it passed through, its bytes lie there.
    Opened(preset::Outcome, Range<usize>),
    /// The row says that there is nothing.
    Nothing,
    /// Something is wrong with it.
    Refused(Status, String),
}

/// What is told of a record beside its ending.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Remarks {
    pub(super) marks: records::Marks,
    /// It was UTF-16, which nobody said that it is.
    pub(super) is_wide: bool,
    /// Nothing shows that its key was right.
    pub(super) is_unsure: bool,
}

impl Records {
    /// Takes a record in, or what is wrong with its row. `opener` is the plan's ([`Plan::opener`]).
    ///
    /// # Errors
    /// Options that fit no record.
    pub(super) fn take(
        &mut self,
        plan: &Plan,
        opener: &mut Option<Opener<'_>>,
        fields: std::result::Result<Fields<'_>, String>,
    ) -> Result<()> {
        let taken = match (plan, fields) {
            (_, Err(error)) => Taken::Refused(Status::Damaged, error),
            (_, Ok(Fields { data: None, .. })) => Taken::Nothing,
            (Plan::Cipher(plan), Ok(Fields { data: Some(data), key, iv, .. })) => {
                self.wait(plan, &data, [&key, &iv])
            }
            (Plan::Preset(plan), Ok(Fields { data: Some(data), key, iv, salt })) => {
                self.open(plan, opener, &data, [&key, &iv, &salt])?
            }
        };
        self.taken.push(taken);
        Ok(())
    }

    fn wait(&mut self, plan: &CipherPlan, data: &[u8], own: [&Option<Field<'_>>; 2]) -> Taken {
        let field = |bytes, encoding| records::Field { bytes, encoding };
        let [key, iv] = own.map(Option::as_deref);
        let key = key.map(|key| field(key, plan.key_encoding));
        let iv = iv.map(|iv| field(iv, plan.iv_encoding));
        let taken = self.group.take(&plan.task, field(data, plan.data_encoding), key, iv);
        taken.map_or_else(|error| Taken::Refused(Status::Damaged, error), |()| Taken::Waits)
    }

    fn open(
        &mut self,
        plan: &PresetPlan,
        opener: &mut Option<Opener<'_>>,
        data: &[u8],
        [key, iv, salt]: [&Option<Field<'_>>; 3],
    ) -> Result<Taken> {
        let opening = &plan.opening;
        if data.is_empty() {
            let nothing = preset::Outcome::PassedThrough("there is nothing");
            return Ok(Taken::Opened(nothing, 0..0));
        }
        if let Some(opener) = opener {
            let outcome = opener.open(data).map_err(|error| {
                Error::usage(format!("preset {}: {error}", opening.preset.name))
            })?;
            return Ok(self.opened(plan, outcome, data));
        }
        let read = |field: &Option<Field<'_>>, encoding: Encoding, what| {
            let Some(field) = field else { return Ok(None) };
            let mut bytes = Zeroizing::new(Vec::with_capacity(field.len() + 3));
            match encoding.decode(field, &mut bytes) {
                Ok(()) => Ok(Some(bytes)),
                Err(error) => Err(format!("{what}: {error}")),
            }
        };
        let own = read(key, opening.key_encoding(), "key").and_then(|secret| {
            let iv = read(iv, plan.iv_encoding, "IV")?;
            Ok((secret, iv, read(salt, plan.salt_encoding, "salt")?))
        });
        let (secret, iv, salt) = match own {
            Ok(own) => own,
            Err(error) => return Ok(Taken::Refused(Status::Damaged, error)),
        };
        let [secret, iv, salt] = [&secret, &iv, &salt].map(|own| own.as_deref().map(Vec::as_slice));
        let own = Own { secret, iv, salt };
        Ok(match opening.open(own, data) {
            Ok(outcome) => self.opened(plan, outcome, data),
            Err(error) => Taken::Refused(Status::WrongKey, error.to_string()),
        })
    }

    fn opened(&mut self, plan: &PresetPlan, outcome: preset::Outcome, data: &[u8]) -> Taken {
        let start = self.passed.len();
        if matches!(outcome, preset::Outcome::PassedThrough(_)) {
            self.passed.extend_from_slice(&plan.opening.as_it_is(data));
        }
        Taken::Opened(outcome, start..self.passed.len())
    }

    /// Encrypts or decrypts all records that wait for it.
    ///
    /// # Errors
    /// The library's self-test, no random numbers to be had: nothing was served then.
    pub(super) fn transform(&mut self, plan: &Plan) -> Result<()> {
        let Plan::Cipher(plan) = plan else { return Ok(()) };
        self.group.run(&plan.task).map_err(|error| match error {
            GroupError::Library(error) => error.into(),
            GroupError::Random(_) => Error::failure(error.to_string()),
        })
    }

    /// How every record ended, in their order, until `each` says false.
    pub(super) fn endings(
        &mut self,
        plan: &Plan,
        mut each: impl FnMut(Ending<'_>, Remarks) -> bool,
    ) {
        let mut results = match plan {
            Plan::Cipher(plan) => Some(self.group.results(&plan.task)),
            Plan::Preset(_) => None,
        };
        for taken in &self.taken {
            let mut remarks = Remarks::default();
            self.text.clear();
            self.why.clear();
            let status = match (taken, plan) {
                (Taken::Waits, Plan::Cipher(plan)) => {
                    let (result, marks) = results
                        .as_mut()
                        .and_then(Iterator::next)
                        .expect("as many results as records in the group");
                    remarks.marks = marks;
                    match result {
                        Ok(result) => {
                            write(plan.result_form, result, &mut self.text, &mut self.why);
                            plan.task.status()
                        }
                        Err(error) => {
                            let (status, why) = explain(error);
                            self.why = why;
                            status
                        }
                    }
                }
                (Taken::Opened(outcome, bytes), Plan::Preset(plan)) => {
                    let form = plan.result_form;
                    match outcome {
                        preset::Outcome::Decrypted(plaintext) => {
                            let charset = plan.opening.charset();
                            remarks.is_unsure = plaintext.witness.is_weak();
                            let is_readable = form == ResultForm::Text(Encoding::Text);
                            let text = match is_readable {
                                true => plan.opening.text(&plaintext.bytes),
                                false => None,
                            };
                            remarks.is_wide = plan.opening.is_open_to_text()
                                && text
                                    .as_ref()
                                    .is_some_and(|t| t.as_bytes() != &plaintext.bytes[..]);
                            let bytes =
                                text.as_ref().map_or(&plaintext.bytes[..], |t| t.as_bytes());
                            if text.is_some() || !is_readable || charset == Charset::Bytes {
                                write(form, bytes, &mut self.text, &mut self.why);
                            } else {
                                self.why.push_str(
                                    "the plaintext is no such text; --result-encoding hex or base64 \
                                     shows it",
                                );
                            }
                        }
                        preset::Outcome::PassedThrough(_) => {
                            let bytes = &self.passed[bytes.clone()];
                            write(form, bytes, &mut self.text, &mut self.why);
                            if !self.why.is_empty() {
                                self.why.replace_range(
                                    ..,
                                    "the value is no UTF-8 text; --result-encoding hex or base64 shows it",
                                );
                            }
                        }
                        other => self.why = other.to_string(),
                    }
                    Status::from(outcome)
                }
                (Taken::Nothing, _) => Status::PassedThrough,
                (Taken::Refused(status, why), _) => {
                    self.why.push_str(why);
                    *status
                }
                _ => unreachable!("a plan takes its own kind of records in"),
            };
            let something = (!matches!(taken, Taken::Nothing)).then_some(&self.text[..]);
            let result = if self.why.is_empty() { Ok(something) } else { Err(&*self.why) };
            if !each(Ending { status, result }, remarks) {
                return;
            }
        }
    }

    /// Forgets the records, and gives up memory that no usual group needs.
    pub(super) fn clear(&mut self) {
        self.taken.clear();
        self.group.clear(KEPT);
        clear(&mut self.text, KEPT);
        clear(&mut self.passed, KEPT);
    }
}

/// Writes a result, or why it cannot be.
fn write(form: ResultForm, result: &[u8], text: &mut Vec<u8>, why: &mut String) {
    let ResultForm::Text(encoding) = form else {
        text.extend_from_slice(result);
        return;
    };
    if let Err(error) = encoding.encode(result, text) {
        *why = match error {
            ValueError::NotUtf8 => {
                format!("{error}, which --result-encoding hex or base64 shows")
            }
            _ => error.to_string(),
        };
    }
}
