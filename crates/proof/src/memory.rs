//! Memory as a kernel may see it: regions that lie apart, each with its size, alignment and rights.

use crate::Result;
use std::collections::BTreeMap;
use std::rc::Rc;

/// The region of the stack below the return address.
pub const STACK: usize = 0;
/// The region of constant tables: offsets are addresses of the image.
pub const TABLES: usize = 1;
/// The first region of a kernel's arguments.
pub const ARGUMENTS: usize = 2;
/// The offset of the return address in the region of the stack. Without one of 8 bytes the stack is aligned to
/// 16 bytes.
pub const RETURN: i64 = 16384 - 8;

/// What a register is, or as many bytes of memory. One of 32 bits is a number of 64 of which the upper half is 0.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Value<C> {
    /// A number.
    Cells(Rc<[C]>),
    /// A place in memory.
    Pointer(usize, i64),
    /// A place in memory with an index of one byte, which is no constant, and its scale.
    Indexed(usize, i64, (Rc<[C]>, i64)),
    /// What the caller had in this register.
    Saved(usize),
    /// A count of groups less so many.
    Count(i64),
    /// A number of which the lowest 32 bits are not all 0.
    NotZero,
    /// Nothing is known of it.
    Unknown,
}

/// What a kernel may do to a region.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Access {
    /// It may read it.
    pub read: bool,
    /// It may write it.
    pub write: bool,
}

/// Read only.
pub const READ: Access = Access { read: true, write: false };
/// Write only.
pub const WRITE: Access = Access { read: false, write: true };
/// Both.
pub const BOTH: Access = Access { read: true, write: true };

/// Bytes one after the other.
#[derive(Clone)]
pub struct Region<C> {
    /// What it is.
    pub name: &'static str,
    /// Its bytes.
    pub size: i64,
    /// Its address is a multiple of this.
    pub align: i64,
    /// What may be done to it.
    pub access: Access,
    /// Its content.
    pub cells: Rc<Vec<C>>,
    /// Arrays of 256 elements in it: where each begins. Their cells do not count.
    pub arrays: Vec<(i64, u32)>,
    /// Bytes of an element, of which those above the lowest are 0.
    pub element: i64,
    /// Bytes of a word, on the stack of a value; of one above the return address.
    pub word: (i64, i64),
    /// The number of its segment, where that is looked at.
    pub segment: Rc<[C]>,
    /// Values that are no cells, by their offset.
    pub values: BTreeMap<i64, Value<C>>,
    /// Which bytes were written.
    pub written: Rc<Vec<bool>>,
}

impl<C: Copy> Region<C> {
    /// A region with this content, `per_byte` cells a byte.
    pub fn new(name: &'static str, access: Access, cells: Vec<C>, per_byte: usize) -> Self {
        let size = (cells.len() / per_byte) as i64;
        let (cells, values) = (Rc::new(cells), BTreeMap::new());
        let (arrays, written) = (Vec::new(), Rc::new(vec![false; size as usize]));
        let (align, element, word, segment) = (1, 1, (1, 1), Rc::from([]));
        Self { name, size, align, access, cells, arrays, element, word, segment, values, written }
    }

    /// The same with an alignment.
    #[must_use]
    pub fn aligned(self, align: usize) -> Self {
        Self { align: align as i64, ..self }
    }

    /// The array that some bytes lie in, by its place in `arrays`, and their offset in it.
    ///
    /// # Errors
    /// If only a part of them lies in an array.
    pub fn array_at(&self, offset: i64, bytes: i64) -> Result<Option<(usize, i64)>> {
        let size = 256 * self.element;
        let touches = |&(start, _): &(i64, u32)| offset < start + size && start < offset + bytes;
        let Some(place) = self.arrays.iter().position(touches) else { return Ok(None) };
        let inside = offset - self.arrays[place].0;
        if inside < 0 || inside + bytes > size {
            return Err(format!("{}: across the end of an array", self.name));
        }
        Ok(Some((place, inside)))
    }
}

/// All regions.
#[derive(Clone)]
pub struct Memory<C> {
    /// The stack, the tables (which have their content in the image), and those of the arguments.
    pub regions: Vec<Region<C>>,
    /// The lowest offset of the stack that was touched. A call has touched the return address.
    pub touched: i64,
    /// Whether cells that are not known may be read and written: where only some lanes are followed.
    pub partial: bool,
}

impl<C: Copy + PartialEq> Memory<C> {
    /// Nothing but a stack of which nothing is known.
    pub fn new(unknown: C, per_byte: usize) -> Self {
        let stack = vec![unknown; RETURN as usize * per_byte];
        let stack = Region::new("stack", BOTH, stack, per_byte).aligned(16);
        let tables = Region::new("tables", READ, Vec::new(), per_byte);
        Self { regions: vec![stack, tables], touched: RETURN, partial: false }
    }

    /// Whether an access is one that the record allows; the tables' accesses the image checks.
    ///
    /// # Errors
    /// If it is not.
    pub fn check(
        &mut self,
        (number, offset): (usize, i64),
        bytes: i64,
        write: bool,
        stack_pointer: i64,
    ) -> Result<&mut Region<C>> {
        let region = self.regions.get_mut(number).ok_or("an access outside all regions")?;
        let name = region.name;
        let kind = if write { "write" } else { "read" };
        let end = offset.checked_add(bytes).ok_or("an offset that overflows")?;
        if offset < 0 || end > region.size {
            return Err(format!("{kind} of {offset}..{end} in {name} of {} bytes", region.size));
        }
        if !(if write { region.access.write } else { region.access.read }) {
            return Err(format!("{kind} in {name}"));
        }
        // Linux would keep 128 bytes there; Windows, where the same bytes run, keeps none.
        // Windows adds a page of 4096 bytes to a stack when something in it is touched, but one at a time.
        if number == STACK && offset < stack_pointer.max(self.touched - 4096) {
            return Err(format!("{kind} on the stack below its pointer, or beyond its next page"));
        }
        self.touched = self.touched.min(if number == STACK { offset } else { RETURN });
        if number == STACK && write && end > RETURN {
            return Err("write above the return address".into());
        }
        if write {
            Rc::make_mut(&mut region.written)[offset as usize..end as usize].fill(true);
        }
        Ok(region)
    }
}

impl<C: Copy + PartialEq> Region<C> {
    /// Bytes of a value there.
    pub fn bytes_at(&self, at: i64) -> i64 {
        if at < RETURN { self.word.0 } else { self.word.1 }
    }

    /// Where a value that is no number lies in some bytes, if one does.
    pub(crate) fn value_in(&self, offset: i64, bytes: i64) -> Option<i64> {
        let (&at, _) = self.values.range(..offset + bytes).next_back()?;
        (at + self.bytes_at(at) > offset).then_some(at)
    }

    /// Cells of some bytes.
    ///
    /// # Errors
    /// If there is a pointer or a count, or part of one.
    pub fn load(&self, offset: i64, bytes: i64, per_byte: usize) -> Result<&[C]> {
        match self.value_in(offset, bytes) {
            None => Ok(&self.cells[offset as usize * per_byte..][..bytes as usize * per_byte]),
            Some(at) => Err(format!("{}: what lies at {at} is no number", self.name)),
        }
    }

    /// Puts cells in place of what was there. What is left of a value is unknown.
    pub fn store(&mut self, offset: i64, cells: &[C], unknown: C, per_byte: usize) {
        let bytes = (cells.len() / per_byte) as i64;
        while let Some(at) = self.value_in(offset, bytes) {
            self.values.remove(&at);
            let (all, bytes) = (Rc::make_mut(&mut self.cells), self.word.0 as usize);
            all[at as usize * per_byte..][..bytes * per_byte].fill(unknown);
        }
        let all = Rc::make_mut(&mut self.cells);
        all[offset as usize * per_byte..][..cells.len()].copy_from_slice(cells);
    }
}
