//! A group of records at work: their bytes in buffers that are used again, their results.

use std::ops::Range;

use cipherloom::Direction;
use cipherloom::batch::{self, Record};
use cipherloom_formats::encoding::{Encoding, ValueError};
use cipherloom_formats::preset::{self, Charset, Opener};
use cipherloom_formats::salted;
use cipherloom_records::{check_key_len, explain};
use zeroize::Zeroizing;

use super::layout::{Field, Fields};
use super::plan::{CipherPlan, IvFrom, KeyFrom, Plan, PresetPlan, ResultForm};
use super::rows::{BYTES, clear};
use super::status::{Ending, Status};
use crate::errors::{Error, Result};
use crate::presets::Own;

/// Memory of a buffer that is kept for the next group: more than most groups need.
pub(super) const KEPT: usize = 2 * BYTES;
/// More than any padding adds.
const ROOM: usize = 8;

/// Takes records in, transforms them, and gives their results.
#[derive(Default)]
pub(super) struct Records {
    taken: Vec<Taken>,
    outcomes: Vec<batch::Outcome>,
    keys: Vec<u8>,
    ivs: Vec<u8>,
    data: Vec<u8>,
    /// A result, or why there is none.
    text: Vec<u8>,
    why: String,
}

/// A record taken in.
enum Taken {
    /// It waits for the cipher.
    Spans(Spans),
    /// A preset opened it. If it passed through, its bytes lie there.
    Opened(preset::Outcome, Range<usize>),
    /// The row says that there is nothing.
    Nothing,
    /// Something is wrong with it.
    Refused(Status, String),
}

/// Where a record lies in the buffers.
#[derive(Clone, Debug)]
struct Spans {
    key: Range<usize>,
    iv: Range<usize>,
    /// The message.
    data: Range<usize>,
    /// Bytes before the message that belong to the result: a random IV.
    front: usize,
    is_weak: bool,
    had_header: bool,
}

/// What is told of a record beside its ending.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Remarks {
    pub(super) is_weak: bool,
    /// It began with OpenSSL's header, which was left out.
    pub(super) had_header: bool,
    /// It was UTF-16, which nobody said that it is.
    pub(super) is_wide: bool,
    /// Nothing shows that its key was right.
    pub(super) is_unsure: bool,
}

impl Records {
    /// Takes a record in, or what is wrong with its row. `opener` is the plan's ([`Plan::opener`]).
    ///
    /// # Errors
    /// No random numbers to be had; options that fit no record.
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
                self.take_spans(plan, &data, [&key, &iv])?
            }
            (Plan::Preset(plan), Ok(Fields { data: Some(data), key, iv, salt })) => {
                self.open(plan, opener, &data, [&key, &iv, &salt])?
            }
        };
        self.taken.push(taken);
        Ok(())
    }

    fn take_spans(
        &mut self,
        plan: &CipherPlan,
        data: &[u8],
        own: [&Option<Field<'_>>; 2],
    ) -> Result<Taken> {
        let before = (self.keys.len(), self.ivs.len(), self.data.len());
        match self.read(plan, data, own) {
            Ok(spans) => {
                if plan.iv == IvFrom::Prefix && !plan.decrypt {
                    let iv = &mut self.ivs[spans.iv.clone()];
                    getrandom::fill(iv).map_err(|error| {
                        Error::failure(format!("no random numbers to be had: {error}"))
                    })?;
                }
                Ok(Taken::Spans(spans))
            }
            Err(error) => {
                self.keys.truncate(before.0);
                self.ivs.truncate(before.1);
                self.data.truncate(before.2);
                Ok(Taken::Refused(Status::Damaged, error))
            }
        }
    }

    fn read(
        &mut self,
        plan: &CipherPlan,
        data: &[u8],
        [key, iv]: [&Option<Field<'_>>; 2],
    ) -> std::result::Result<Spans, String> {
        let key_start = self.keys.len();
        if let Some(key) = key {
            let decoded = plan.key_encoding.decode(key, &mut self.keys);
            decoded.map_err(|error| format!("key: {error}"))?;
            if let Some(len) = plan.key_len {
                self.keys.resize(key_start + len, 0);
            }
            check_key_len(&plan.cipher, self.keys.len() - key_start)?;
        }
        let key = key_start..self.keys.len();
        let is_weak = match plan.key {
            KeyFrom::Option(_) => false,
            KeyFrom::Column => self.is_weak(plan, &key)?,
        };
        let iv_start = self.ivs.len();
        if let Some(iv) = iv {
            let decoded = plan.iv_encoding.decode(iv, &mut self.ivs);
            decoded.map_err(|error| format!("IV: {error}"))?;
            let got = self.ivs.len() - iv_start;
            if got != 8 {
                return Err(format!("the IV has {got} bytes, and {} takes 8", plan.cipher.name));
            }
        }
        // Room for the IV that will be chosen.
        let front = if plan.iv == IvFrom::Prefix && !plan.decrypt { 8 } else { 0 };
        self.ivs.extend(&[0; 8][..front]);
        // Decoded, no field becomes longer, but base64 is decoded in groups of 3 bytes. Without this a
        // large record would take twice its memory.
        self.data.reserve(front + data.len() + 3 + ROOM);
        self.data.extend(&[0; 8][..front]);

        let mut start = self.data.len();
        let decoded = plan.data_encoding.decode(data, &mut self.data);
        decoded.map_err(|error| format!("data: {error}"))?;
        // Encrypted data starts like a header by chance once in 2^64.
        let had_header = plan.may_have_header && self.data[start..].starts_with(&salted::MAGIC);
        if had_header {
            let salt = salted::parse(&self.data[start..], salted::SALT_LEN);
            start += salted::header(&salt.map_err(|error| error.to_string())?).len();
        }
        if plan.iv == IvFrom::Prefix && plan.decrypt {
            let Some(iv) = self.data[start..].first_chunk::<8>() else {
                let got = self.data.len() - start;
                return Err(format!("the data has {got} bytes, too few for the IV before it"));
            };
            self.ivs.extend(iv);
            start += 8;
        }
        let data = start..self.data.len();
        self.data.extend(&[0; ROOM]);
        Ok(Spans { key, iv: iv_start..self.ivs.len(), data, front, is_weak, had_header })
    }

    fn is_weak(&self, plan: &CipherPlan, key: &Range<usize>) -> std::result::Result<bool, String> {
        match plan.cipher.fault(&self.keys[key.clone()]) {
            Some(fault) if plan.strict_keys => Err(format!("refused key: {fault}")),
            fault => Ok(fault.is_some()),
        }
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
            return Ok(Taken::Opened(nothing, self.data.len()..self.data.len()));
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
        let start = self.data.len();
        if matches!(outcome, preset::Outcome::PassedThrough(_)) {
            self.data.extend_from_slice(&plan.opening.as_it_is(data));
        }
        Taken::Opened(outcome, start..self.data.len())
    }

    /// Encrypts or decrypts all records that wait for it.
    ///
    /// # Errors
    /// The library's self-test: nothing was served then.
    pub(super) fn transform(&mut self, plan: &Plan) -> Result<()> {
        let Plan::Cipher(plan) = plan else { return Ok(()) };
        let mut records = Vec::with_capacity(self.taken.len());
        let mut rest = self.data.as_mut_slice();
        let mut before = 0;
        for taken in &self.taken {
            let Taken::Spans(spans) = taken else { continue };
            let (_, behind) = rest.split_at_mut(spans.data.start - before);
            let (data, behind) = behind.split_at_mut(spans.data.len() + ROOM);
            before = spans.data.end + ROOM;
            rest = behind;
            let key = match &plan.key {
                KeyFrom::Option(key) => &key[..],
                KeyFrom::Column => &self.keys[spans.key.clone()],
            };
            let iv = match &plan.iv {
                IvFrom::Option(iv) => &iv[..],
                _ => &self.ivs[spans.iv.clone()],
            };
            records.push(Record { key, iv, data, len: spans.data.len() });
        }
        self.outcomes.resize(records.len(), Ok(0));
        let direction = if plan.decrypt { Direction::Decrypt } else { Direction::Encrypt };
        plan.work.run(direction, &mut records, &mut self.outcomes)?;
        Ok(())
    }

    /// How every record ended, in their order, until `each` says false.
    pub(super) fn endings(
        &mut self,
        plan: &Plan,
        mut each: impl FnMut(Ending<'_>, Remarks) -> bool,
    ) {
        let mut outcomes = self.outcomes.iter();
        for taken in &self.taken {
            let mut remarks = Remarks::default();
            self.text.clear();
            self.why.clear();
            let status = match (taken, plan) {
                (Taken::Spans(spans), Plan::Cipher(plan)) => {
                    remarks.is_weak = spans.is_weak;
                    remarks.had_header = spans.had_header;
                    let outcome = outcomes.next().copied().unwrap_or(Ok(0));
                    let start = spans.data.start - spans.front;
                    if spans.front > 0 {
                        let iv = &self.ivs[spans.iv.clone()];
                        self.data[start..spans.data.start].copy_from_slice(iv);
                    }
                    match outcome {
                        Ok(len) => {
                            let result = &self.data[start..spans.data.start + len];
                            write(plan.result_form, result, &mut self.text, &mut self.why);
                            if plan.decrypt { Status::Decrypted } else { Status::Encrypted }
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
                            let bytes = &self.data[bytes.clone()];
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
        self.outcomes.clear();
        for bytes in [&mut self.text, &mut self.keys, &mut self.ivs, &mut self.data] {
            clear(bytes, KEPT);
        }
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
