//! A group of records at work: their bytes in buffers that are used again, their results.

use std::ops::Range;

use cipherloom::batch::{Outcome, Record};
use cipherloom_formats::encoding::ValueError;
use cipherloom_formats::salted;

use super::layout::Layout;
use super::plan::{IvFrom, KeyFrom, Plan, check_key_len};
use super::rows::{BYTES, Rows, clear};
use crate::errors::Result;

/// Memory of a buffer that is kept for the next group: more than most groups need.
const KEPT: usize = 2 * BYTES;
/// More than any padding adds.
const ROOM: usize = 8;
/// Delimiters, quotes and the end of the line, of a row whose result needs no quotes inside.
const MARKS: usize = 16;

/// Serves one group of records after the other.
#[derive(Default)]
pub(super) struct Worker {
    spans: Vec<std::result::Result<Spans, String>>,
    buffers: Buffers,
    /// A result as text.
    text: Vec<u8>,
    /// The rows as they are to be written.
    pub(super) out: Vec<u8>,
    pub(super) report: Report,
}

/// What became of a group.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Report {
    pub(super) records: u64,
    pub(super) errors: u64,
    pub(super) weak_keys: u64,
    /// Records whose data began with OpenSSL's header, which was left out.
    pub(super) headers: u64,
    /// The first record with an error: how many records of the group stand before it, its line in
    /// the input, and the error.
    pub(super) first_error: Option<(u64, u64, String)>,
}

/// The bytes of all records, one behind the other.
#[derive(Default)]
struct Buffers {
    keys: Vec<u8>,
    ivs: Vec<u8>,
    data: Vec<u8>,
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

impl Worker {
    /// Serves the records; after it `out` and `report` are theirs, until it is cleared. If
    /// `until_error`, `out` ends before the first record with an error.
    ///
    /// # Errors
    /// The library's self-test, and no random numbers to be had: nothing was served then.
    pub(super) fn process(
        &mut self,
        plan: &Plan,
        layout: &impl Layout,
        rows: &Rows,
        until_error: bool,
    ) -> Result<()> {
        for row in rows.iter() {
            let spans = self.buffers.add(plan, layout, row.text)?;
            self.spans.push(spans);
        }
        let mut outcomes = self.buffers.transform(plan, &self.spans)?.into_iter();
        self.report = Report { records: rows.len() as u64, ..Report::default() };
        for (n, (row, spans)) in rows.iter().zip(&self.spans).enumerate() {
            let result = match spans {
                Ok(spans) => {
                    self.report.weak_keys += u64::from(spans.is_weak);
                    self.report.headers += u64::from(spans.had_header);
                    let outcome = outcomes.next().unwrap_or(Ok(0));
                    self.buffers.result(plan, spans, outcome, &mut self.text)
                }
                Err(error) => Err(error.clone()),
            };
            if let Err(error) = &result {
                self.report.errors += 1;
                if self.report.first_error.is_none() {
                    self.report.first_error = Some((n as u64, row.line, error.clone()));
                }
            }
            if until_error && self.report.errors > 0 {
                break;
            }
            let outcome = result.as_ref().map_err(String::as_str).copied();
            let added = outcome.map_or_else(str::len, <[u8]>::len) + layout.weight() + MARKS;
            self.out.reserve(row.text.len() + added);
            layout.write(row.text, outcome, &mut self.out);
        }
        Ok(())
    }

    /// Forgets what was served, and gives up memory that no usual group needs.
    pub(super) fn clear(&mut self) {
        self.report = Report::default();
        self.spans.clear();
        let Buffers { keys, ivs, data } = &mut self.buffers;
        for bytes in [&mut self.text, &mut self.out, keys, ivs, data] {
            clear(bytes, KEPT);
        }
    }
}

impl Buffers {
    /// Takes a record in, or says what is wrong with it.
    fn add(
        &mut self,
        plan: &Plan,
        layout: &impl Layout,
        row: &[u8],
    ) -> Result<std::result::Result<Spans, String>> {
        let before = (self.keys.len(), self.ivs.len(), self.data.len());
        let spans = self.read(plan, layout, row);
        if let Ok(spans) = &spans {
            if plan.iv == IvFrom::Prefix && !plan.decrypt {
                let iv = &mut self.ivs[spans.iv.clone()];
                getrandom::fill(iv).map_err(|error| {
                    crate::errors::Error::failure(format!("no random numbers to be had: {error}"))
                })?;
            }
        } else {
            self.keys.truncate(before.0);
            self.ivs.truncate(before.1);
            self.data.truncate(before.2);
        }
        Ok(spans)
    }

    fn read(
        &mut self,
        plan: &Plan,
        layout: &impl Layout,
        row: &[u8],
    ) -> std::result::Result<Spans, String> {
        let fields = layout.fields(row)?;
        let key_start = self.keys.len();
        if let Some(field) = &fields.key {
            let key = plan.key_encoding.decode(field, &mut self.keys);
            key.map_err(|error| format!("key: {error}"))?;
            let len = plan.key_len.unwrap_or(self.keys.len() - key_start);
            self.keys.resize(key_start + len, 0);
            check_key_len(&plan.cipher, len)?;
        }
        let key = key_start..self.keys.len();
        let is_weak = fields.key.is_some() && self.is_weak(plan, &key)?;

        let iv_start = self.ivs.len();
        if let Some(field) = &fields.iv {
            let iv = plan.iv_encoding.decode(field, &mut self.ivs);
            iv.map_err(|error| format!("IV: {error}"))?;
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
        self.data.reserve(front + fields.data.len() + 3 + ROOM);
        self.data.extend(&[0; 8][..front]);

        let mut start = self.data.len();
        let data = plan.data_encoding.decode(&fields.data, &mut self.data);
        data.map_err(|error| format!("data: {error}"))?;
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

    fn is_weak(&self, plan: &Plan, key: &Range<usize>) -> std::result::Result<bool, String> {
        match plan.cipher.fault(&self.keys[key.clone()]) {
            Some(fault) if plan.strict_keys => Err(format!("refused key: {fault}")),
            fault => Ok(fault.is_some()),
        }
    }

    /// Encrypts or decrypts all records; an outcome for each one that has spans.
    fn transform(
        &mut self,
        plan: &Plan,
        spans: &[std::result::Result<Spans, String>],
    ) -> Result<Vec<Outcome>> {
        let mut records = Vec::with_capacity(spans.len());
        let mut rest = self.data.as_mut_slice();
        let mut taken = 0;
        for spans in spans.iter().flatten() {
            let (_, behind) = rest.split_at_mut(spans.data.start - taken);
            let (data, behind) = behind.split_at_mut(spans.data.len() + ROOM);
            taken = spans.data.end + ROOM;
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
        let mut outcomes = vec![Ok(0); records.len()];
        if plan.decrypt {
            plan.batch.decrypt(&mut records, &mut outcomes)?;
        } else {
            plan.batch.encrypt(&mut records, &mut outcomes)?;
        }
        Ok(outcomes)
    }

    /// A record's result as text, for which `text` is room.
    fn result<'t>(
        &mut self,
        plan: &Plan,
        spans: &Spans,
        outcome: Outcome,
        text: &'t mut Vec<u8>,
    ) -> std::result::Result<&'t [u8], String> {
        let len = outcome.map_err(explain)?;
        let start = spans.data.start - spans.front;
        if spans.front > 0 {
            self.data[start..spans.data.start].copy_from_slice(&self.ivs[spans.iv.clone()]);
        }
        let result = &self.data[start..spans.data.start + len];
        text.clear();
        let written = plan.result_encoding.encode(result, text);
        written.map_err(|error| match error {
            ValueError::NotUtf8 => {
                format!("{error}, which --result-encoding hex or base64 shows")
            }
            _ => error.to_string(),
        })?;
        Ok(text)
    }
}

/// What to tell of a record that the library refused.
fn explain(error: cipherloom::Error) -> String {
    match error {
        cipherloom::Error::Padding => {
            "wrong padding: another key, IV or padding, or damaged data".into()
        }
        cipherloom::Error::NotWholeBlocks { len } => {
            format!("the data has {len} bytes, which is no multiple of 8")
        }
        cipherloom::Error::TooShort { .. } => "the data is empty".into(),
        other => other.to_string(),
    }
}
