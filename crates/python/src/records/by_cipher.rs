//! Records in a cipher: gathered in groups, which go through it together.

use std::ops::Range;

use cipherloom::Direction;
use cipherloom_formats::encoding::Encoding;
use cipherloom_records::{Field, Group, IvFrom, KeyFrom, Status, Task, check_key_len, explain};
use pyo3::prelude::*;

use super::column::{Reader, Side};
use super::plan::CipherPlan;
use super::serve::WINDOW;
use super::served::Served;
use super::sides::{Bytes, Columns, check_cipher, hex, wrong};
use crate::fault;

/// Bytes of a group's buffers that are used again.
const KEPT: usize = WINDOW << 8;

/// See above.
pub(super) struct ByCipher<'a> {
    task: Task,
    /// How values that are text are written.
    encoding: Option<Encoding>,
    /// Those that each record has.
    keys: Option<Reader<'a>>,
    ivs: Option<Reader<'a>>,
    is_text: bool,
}

/// A record taken in.
enum Taken {
    /// It is in the group.
    Waits,
    Nothing,
    Refused(String),
}

impl<'a> ByCipher<'a> {
    /// # Errors
    /// A key or an IV is missing, has another length, or is not taken.
    pub(super) fn new(
        plan: &CipherPlan,
        columns: &Columns<'a>,
        encoding: Option<Encoding>,
        is_text: bool,
    ) -> PyResult<Self> {
        check_cipher(plan, columns)?;
        let (key, keys) = match columns.key {
            Some(Side::One(bytes, is_text)) => {
                let key = hex(bytes, *is_text).map_err(|error| wrong("key", error))?;
                check_key_len(&plan.cipher, key.len()).map_err(fault::usage)?;
                (KeyFrom::Same(key), None)
            }
            Some(Side::Each(column)) => (KeyFrom::Each { fill_up: None }, Some(column.reader()?)),
            None => return Err(fault::usage("give a key, or a column of keys")),
        };
        let (iv, ivs) = match columns.iv {
            Some(Side::One(bytes, is_text)) => {
                let iv = hex(bytes, *is_text).map_err(|error| wrong("IV", error))?;
                let name = &plan.cipher.name;
                let iv = iv.as_slice().try_into().map_err(|_| {
                    fault::usage(format!("the IV has {} bytes, and {name} takes 8", iv.len()))
                })?;
                (IvFrom::Same(iv), None)
            }
            Some(Side::Each(column)) => (IvFrom::Each, Some(column.reader()?)),
            None if plan.iv_prefix => (IvFrom::Prefix, None),
            None => (IvFrom::Nowhere, None),
        };
        let task = Task::new(plan.cipher.clone(), plan.padding, plan.direction, key, iv);
        Ok(Self { task, encoding, keys, ivs, is_text })
    }

    /// Serves these rows of a column.
    ///
    /// # Errors
    /// The library's self-test; no random numbers to be had.
    pub(super) fn serve(
        &self,
        data: &Reader<'_>,
        rows: Range<usize>,
        served: &mut Served,
    ) -> PyResult<()> {
        let (mut group, mut taken) = (Group::default(), Vec::new());
        let mut start = rows.start;
        while start < rows.end {
            let end = rows.end.min(start + WINDOW);
            group.clear(KEPT);
            taken.clear();
            taken.extend((start..end).map(|row| self.take(data, row, &mut group)));
            group.run(&self.task).map_err(fault::group)?;
            let mut results = group.results(&self.task);
            for taken in taken.drain(..) {
                match taken {
                    Taken::Nothing => served.push(Status::PassedThrough, None),
                    Taken::Refused(error) => served.refuse(Status::Damaged, error),
                    Taken::Waits => match results.next() {
                        Some((Ok(result), _)) => self.push(result, served),
                        Some((Err(error), _)) => {
                            let (status, error) = explain(error);
                            served.refuse(status, error);
                        }
                        // A group has a result for each of its records.
                        None => return Err(fault::usage("a record is without its result")),
                    },
                }
            }
            start = end;
        }
        Ok(())
    }

    #[inline]
    fn take(&self, data: &Reader<'_>, row: usize, group: &mut Group) -> Taken {
        let Some((bytes, is_text)) = data.get(row) else { return Taken::Nothing };
        let encoding = match (self.task.direction(), is_text, self.encoding) {
            (Direction::Encrypt, ..) | (Direction::Decrypt, false, None) => Encoding::Text,
            (Direction::Decrypt, _, Some(encoding)) => encoding,
            (Direction::Decrypt, true, None) => Encoding::Hex,
        };
        let (key, iv) = (own(&self.keys, row), own(&self.ivs, row));
        let taken = group.take(&self.task, Field { bytes, encoding }, key, iv);
        taken.map_or_else(Taken::Refused, |()| Taken::Waits)
    }

    fn push(&self, result: &[u8], served: &mut Served) {
        let status = self.task.status();
        if !self.is_text {
            return served.push(status, Some(result));
        }
        let encoding = match self.task.direction() {
            Direction::Encrypt => self.encoding.unwrap_or(Encoding::Hex),
            Direction::Decrypt => Encoding::Text,
        };
        let mut text = Bytes::default();
        match encoding.encode(result, &mut text) {
            Ok(()) => served.push(status, Some(&text)),
            Err(error) => served.refuse(status, format!("{error}; text=False gives its bytes")),
        }
    }
}

/// What a row has of its own: bytes, which text has in hex.
fn own<'r>(reader: &'r Option<Reader<'_>>, row: usize) -> Option<Field<'r>> {
    let (bytes, is_text) = reader.as_ref()?.get(row)?;
    Some(Field { bytes, encoding: if is_text { Encoding::Hex } else { Encoding::Text } })
}
