//! Records at work, without Python's lock.

use std::ops::Range;

use cipherloom::Direction;
use cipherloom::batch::Record;
use cipherloom_formats::encoding::Encoding;
use cipherloom_formats::preset::{Charset, Opener, Outcome, Text};
use cipherloom_records::{Status, check_key_len, explain};
use pyo3::prelude::*;
use zeroize::Zeroizing;

use super::column::{IsText, Reader, Side};
use super::plan::{CipherPlan, Own, Plan, PresetPlan, What};
use super::served::Served;
use super::sides::{Bytes, Columns, check_cipher, check_preset, hex, secret_bytes, wrong};
use crate::fault;

/// Records that are in the making at a time: their bytes stay in the cache that is next to the nearest.
const WINDOW: usize = 4096;
/// More than any padding adds.
const ROOM: usize = 8;

/// Where a key, an IV or a salt comes from.
enum Source<'a> {
    Nowhere,
    One(Bytes),
    Each(Reader<'a>),
}

/// A plan with its columns.
pub(super) struct Service<'a> {
    plan: &'a Plan,
    data: Reader<'a>,
    key: Source<'a>,
    iv: Source<'a>,
    salt: Source<'a>,
    is_text: bool,
}

impl<'a> Service<'a> {
    /// # Errors
    /// A key or an IV is missing, or one that the plan does not take was given.
    pub(super) fn new(plan: &'a Plan, columns: &Columns<'a>, is_text: bool) -> PyResult<Self> {
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
        let key = match &plan.what {
            What::Cipher(cipher) => {
                check_cipher(cipher, columns)?;
                source(columns.key, &|bytes, is_text| {
                    let key = hex("key")(bytes, is_text)?;
                    check_key_len(&cipher.cipher, key.len()).map_err(fault::usage)?;
                    Ok(key)
                })?
            }
            What::Preset(preset) => {
                check_preset(preset, columns)?;
                source(columns.key, &|bytes, is_text| {
                    secret_bytes(preset, bytes, is_text).map_err(fault::usage)
                })?
            }
        };
        Ok(Self {
            plan,
            data: columns.data.reader()?,
            key,
            iv: source(columns.iv, &hex("IV"))?,
            salt: source(columns.salt, &hex("salt"))?,
            is_text,
        })
    }

    /// Serves all rows, in so many threads.
    ///
    /// # Errors
    /// The library's self-test; what was given for all values cannot be used.
    pub(super) fn run(&self, rows: usize, threads: usize) -> PyResult<Served> {
        let share = rows.div_ceil(threads.min(rows.div_ceil(WINDOW)).max(1)).max(1);
        let ranges = (0..rows).step_by(share).map(|start| start..rows.min(start + share));
        if share >= rows {
            return self.serve(0..rows);
        }
        let parts: Vec<PyResult<Served>> = std::thread::scope(|scope| {
            let running: Vec<_> = ranges.map(|rows| scope.spawn(|| self.serve(rows))).collect();
            let join = |thread: std::thread::ScopedJoinHandle<'_, _>| {
                thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
            };
            running.into_iter().map(join).collect()
        });
        let mut whole = Served::default();
        let parts = parts.into_iter().collect::<PyResult<Vec<_>>>()?;
        // No copy that nobody wipes is left behind.
        whole.data.reserve_exact(parts.iter().map(|part| part.data.len()).sum());
        parts.iter().for_each(|part| whole.append(part));
        Ok(whole)
    }

    fn serve(&self, rows: Range<usize>) -> PyResult<Served> {
        let mut served = Served::default();
        // With room for all from the start, so that no copy is left behind; text may take twice as much.
        let most = room(&self.data, rows.clone());
        served.data.reserve_exact(if self.is_text { 2 * most } else { most });
        match &self.plan.what {
            What::Cipher(plan) => {
                let mut window = Window::default();
                let mut start = rows.start;
                while start < rows.end {
                    let end = rows.end.min(start + WINDOW);
                    self.serve_window(plan, start..end, &mut window, &mut served)?;
                    start = end;
                }
            }
            What::Preset(plan) => self.open(plan, rows, &mut served)?,
        }
        Ok(served)
    }

    fn serve_window(
        &self,
        plan: &CipherPlan,
        rows: Range<usize>,
        window: &mut Window,
        served: &mut Served,
    ) -> PyResult<()> {
        window.clear();
        for (bytes, source) in [(&mut window.keys, &self.key), (&mut window.ivs, &self.iv)] {
            if let Source::Each(reader) = source {
                make_room(bytes, room(reader, rows.clone()));
            }
        }
        make_room(&mut window.data, room(&self.data, rows.clone()));
        for row in rows.clone() {
            let before = (window.keys.len(), window.ivs.len(), window.data.len());
            let taken = self.take(plan, row, window);
            if !matches!(taken, Taken::Spans(_)) {
                window.keys.truncate(before.0);
                window.ivs.truncate(before.1);
                window.data.truncate(before.2);
            }
            window.taken.push(taken);
        }
        let mut records = Vec::with_capacity(rows.len());
        let (mut rest, mut before) = (window.data.as_mut_slice(), 0);
        for taken in &window.taken {
            let Taken::Spans(spans) = taken else { continue };
            let (_, behind) = rest.split_at_mut(spans.data.start - before);
            let (data, behind) = behind.split_at_mut(spans.data.len() + ROOM);
            (rest, before) = (behind, spans.data.end + ROOM);
            let key = if let Source::One(key) = &self.key {
                key
            } else {
                &window.keys[spans.key.clone()]
            };
            let iv =
                if let Source::One(iv) = &self.iv { iv } else { &window.ivs[spans.iv.clone()] };
            records.push(Record { key, iv, data, len: spans.data.len() });
        }
        let mut outcomes = vec![Ok(0); records.len()];
        plan.work.run(plan.direction, &mut records, &mut outcomes).map_err(fault::library)?;
        let mut outcomes = outcomes.into_iter();
        for taken in &window.taken {
            match taken {
                Taken::Nothing => served.push(Status::PassedThrough, None),
                Taken::Refused(error) => served.refuse(Status::Damaged, error.clone()),
                Taken::Spans(spans) => match outcomes.next().unwrap_or(Ok(0)) {
                    Ok(len) => {
                        let result = &window.data[spans.data.start..][..len];
                        self.push_result(plan.direction, result, served);
                    }
                    Err(error) => {
                        let (status, error) = explain(error);
                        served.refuse(status, error);
                    }
                },
            }
        }
        Ok(())
    }

    /// Takes a record in.
    fn take(&self, plan: &CipherPlan, row: usize, window: &mut Window) -> Taken {
        let Some((data, is_text)) = self.data.get(row) else { return Taken::Nothing };
        let own = |source: &Source<'_>, bytes: &mut Bytes, what| match source {
            Source::Each(reader) => {
                let (value, is_text) =
                    reader.get(row).ok_or_else(|| format!("there is no {what}"))?;
                let start = bytes.len();
                let encoding = if is_text { Encoding::Hex } else { Encoding::Text };
                encoding.decode(value, bytes).map_err(|error| format!("{what}: {error}"))?;
                Ok::<_, String>(start..bytes.len())
            }
            _ => Ok(0..0),
        };
        let spans = own(&self.key, &mut window.keys, "key").and_then(|key| {
            if let Source::Each(_) = self.key {
                check_key_len(&plan.cipher, key.len())?;
            }
            let iv = own(&self.iv, &mut window.ivs, "IV")?;
            if matches!(self.iv, Source::Each(_)) && iv.len() != 8 {
                return Err(format!(
                    "the IV has {} bytes, and {} takes 8",
                    iv.len(),
                    plan.cipher.name
                ));
            }
            let start = window.data.len();
            let encoding = match (plan.direction, is_text, self.plan.encoding) {
                (Direction::Encrypt, ..) | (Direction::Decrypt, false, None) => Encoding::Text,
                (Direction::Decrypt, _, Some(encoding)) => encoding,
                (Direction::Decrypt, true, None) => Encoding::Hex,
            };
            let decoded = encoding.decode(data, &mut window.data);
            decoded.map_err(|error| format!("data: {error}"))?;
            let end = window.data.len();
            window.data.extend(&[0; ROOM]);
            Ok(Spans { key, iv, data: start..end })
        });
        spans.map_or_else(Taken::Refused, Taken::Spans)
    }

    fn push_result(&self, direction: Direction, result: &[u8], served: &mut Served) {
        let (status, encoding) = match direction {
            Direction::Encrypt => (Status::Encrypted, self.plan.encoding.unwrap_or(Encoding::Hex)),
            Direction::Decrypt => (Status::Decrypted, Encoding::Text),
        };
        if !self.is_text {
            return served.push(status, Some(result));
        }
        let mut text = Bytes::default();
        match encoding.encode(result, &mut text) {
            Ok(()) => served.push(status, Some(&text)),
            Err(error) => served.refuse(status, format!("{error}; text=False gives its bytes")),
        }
    }

    fn open(&self, plan: &PresetPlan, rows: Range<usize>, served: &mut Served) -> PyResult<()> {
        fn common<'s>(source: &'s Source<'_>) -> Option<&'s [u8]> {
            if let Source::One(bytes) = source { Some(bytes) } else { None }
        }
        let is_common = ![&self.key, &self.iv, &self.salt]
            .iter()
            .any(|source| matches!(source, Source::Each(_)));
        let all = Own { secret: common(&self.key), iv: common(&self.iv), salt: common(&self.salt) };
        // Of values that are bytes, and that are text.
        let mut openers: [Option<Opener<'_>>; 2] = [None, None];
        for row in rows {
            let Some((value, is_text)) = self.data.get(row).filter(|(value, _)| !value.is_empty())
            else {
                served.push(Status::PassedThrough, self.data.get(row).map(|_| &[][..]));
                continue;
            };
            let as_bytes = (!is_text).then_some(Text::As(Encoding::Text));
            let text = self.plan.encoding.map(Text::As).or(as_bytes);
            let outcome = if is_common {
                let opener = openers[usize::from(is_text)]
                    .get_or_insert_with(|| plan.preset.opener(plan.given(all, text)));
                opener.open(value).map_err(fault::usage)?
            } else {
                let own = self.own(plan, row);
                let opened = own.and_then(|[secret, iv, salt]| {
                    let [secret, iv, salt] =
                        [&secret, &iv, &salt].map(|own| own.as_deref().map(Vec::as_slice));
                    let own = Own {
                        secret: secret.or(all.secret),
                        iv: iv.or(all.iv),
                        salt: salt.or(all.salt),
                    };
                    plan.preset
                        .open(&plan.given(own, text), value)
                        .map_err(|error| error.to_string())
                });
                match opened {
                    Ok(outcome) => outcome,
                    Err(error) => {
                        served.refuse(Status::Damaged, error);
                        continue;
                    }
                }
            };
            self.push_outcome(plan, &outcome, (value, text), served);
        }
        Ok(())
    }

    /// What a row has itself: secret, IV and salt.
    fn own(&self, plan: &PresetPlan, row: usize) -> Result<[Option<Bytes>; 3], String> {
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
        let key = key.map(|(value, is_text)| secret_bytes(plan, value, is_text)).transpose()?;
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
        plan: &PresetPlan,
        outcome: &Outcome,
        (value, text): (&[u8], Option<Text>),
        served: &mut Served,
    ) {
        let status = Status::from(outcome);
        let passed;
        let bytes = match outcome {
            Outcome::Decrypted(plaintext) => &plaintext.bytes,
            Outcome::PassedThrough(_) => {
                let given = plan.given(Own::default(), text);
                passed = Zeroizing::new(plan.preset.passed_through(&given, value).into_owned());
                &passed
            }
            other => return served.refuse(status, other.to_string()),
        };
        if !self.is_text {
            return served.push(status, Some(bytes));
        }
        let is_decrypted = status == Status::Decrypted;
        let read = is_decrypted.then(|| plan.preset.read_text(plan.charset, bytes)).flatten();
        let is_open =
            !is_decrypted || plan.charset.unwrap_or(plan.preset.charset) == Charset::Bytes;
        match (read, std::str::from_utf8(bytes)) {
            (Some(text), _) => served.push(status, Some(text.as_bytes())),
            (None, Ok(_)) if is_open => served.push(status, Some(bytes)),
            _ => served
                .refuse(status, "the plaintext is no such text; text=False gives its bytes".into()),
        }
    }
}

/// Bytes that values of these rows may have, with their paddings.
fn room(reader: &Reader<'_>, rows: Range<usize>) -> usize {
    rows.map(|row| reader.get(row).map_or(0, |(value, _)| value.len()) + ROOM).sum()
}

/// Gives an empty buffer room; what was in it is wiped, and not copied.
fn make_room(bytes: &mut Bytes, need: usize) {
    if bytes.capacity() < need {
        *bytes = Zeroizing::new(Vec::with_capacity(need));
    }
}

/// Records in the making, in buffers that are used again.
#[derive(Default)]
struct Window {
    taken: Vec<Taken>,
    keys: Bytes,
    ivs: Bytes,
    data: Bytes,
}

impl Window {
    fn clear(&mut self) {
        self.taken.clear();
        [&mut self.keys, &mut self.ivs, &mut self.data].into_iter().for_each(|bytes| bytes.clear());
    }
}

enum Taken {
    Nothing,
    Spans(Spans),
    Refused(String),
}

/// Where a record lies in a window.
struct Spans {
    key: Range<usize>,
    iv: Range<usize>,
    data: Range<usize>,
}
