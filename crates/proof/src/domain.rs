//! What a machine computes with: bits, or bytes.

use crate::Result;
use rustc_hash::FxHashMap;
use std::fmt::Debug;
use std::hash::Hash;

/// A bitwise operation.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Logic {
    /// x or y, not both.
    Xor,
    /// x and y.
    And,
    /// x or y.
    Or,
}

/// Cells and arrays that take the place of others.
#[derive(Clone)]
pub struct Substitution<C> {
    /// Inputs, and what takes their place.
    pub cells: FxHashMap<C, C>,
    /// The same for arrays.
    pub arrays: FxHashMap<u32, u32>,
}

impl<C> Default for Substitution<C> {
    fn default() -> Self {
        Self { cells: FxHashMap::default(), arrays: FxHashMap::default() }
    }
}

/// Cells as expressions of inputs. Cells that are equal are equal for all inputs; of others nothing is said.
/// A result is unknown where an unknown cell may make a difference.
pub trait Domain: Clone + Default {
    /// One bit, or one byte.
    type Cell: Copy + Eq + Hash + Debug;
    /// Bits of a cell: 1 or 8.
    const BITS: usize;
    /// Nothing is known of it.
    const UNKNOWN: Self::Cell;

    /// A new input.
    fn input(&mut self) -> Self::Cell;
    /// A constant, of which the low bits count.
    fn constant(&mut self, value: u8) -> Self::Cell;
    /// The value of a constant.
    fn known(&self, cell: Self::Cell) -> Option<u8>;
    /// How a cell reads in an error message.
    fn show(&self, cell: Self::Cell) -> String;

    /// A bitwise operation.
    ///
    /// # Errors
    /// If cells of this kind cannot express the result.
    fn logic(&mut self, operation: Logic, x: Self::Cell, y: Self::Cell) -> Result<Self::Cell>;

    /// The sum of two numbers of equal length, the lowest cell first.
    ///
    /// # Errors
    /// If cells of this kind cannot express the result.
    fn add(&mut self, x: &[Self::Cell], y: &[Self::Cell]) -> Result<Vec<Self::Cell>>;

    /// A cell that is zero where two numbers are equal, and only there.
    ///
    /// # Errors
    /// If cells of this kind cannot express the result.
    fn difference(&mut self, x: &[Self::Cell], y: &[Self::Cell]) -> Result<Self::Cell>;

    /// One cell where another is zero, else a third.
    fn select(&mut self, zero: Self::Cell, then: Self::Cell, other: Self::Cell) -> Self::Cell;

    /// `bytes` bytes that a constant table has at an index.
    ///
    /// # Errors
    /// Those of `table`, or if cells of this kind cannot express the result.
    fn look_up(
        &mut self,
        index: &[Self::Cell],
        bytes: usize,
        table: &dyn Fn(u64) -> Result<u64>,
    ) -> Result<Vec<Self::Cell>>;

    /// Entry 4x + 2y + z of a table of 8, bit by bit.
    ///
    /// # Errors
    /// If cells of this kind cannot express the result.
    fn ternary(&mut self, table: u8, xyz: [Self::Cell; 3]) -> Result<Self::Cell>;

    /// The cells of the byte that `entry` has for an index of one byte, of which the bits in `mask` count.
    ///
    /// # Errors
    /// If cells of this kind cannot express the result.
    fn choose<'t>(
        &mut self,
        index: &[Self::Cell],
        mask: u8,
        entry: &dyn Fn(u8) -> &'t [Self::Cell],
    ) -> Result<Vec<Self::Cell>>;

    /// An element of an array of 256 cells.
    ///
    /// # Errors
    /// If there are no arrays of this kind.
    fn read(&mut self, array: u32, index: Self::Cell) -> Result<Self::Cell>;

    /// An index of one byte with a number added, if the sum is a byte, too.
    fn moved(&mut self, _index: &[Self::Cell], _by: i64) -> Option<Vec<Self::Cell>> {
        None
    }

    /// An array with an element changed.
    ///
    /// # Errors
    /// If there are no arrays of this kind.
    fn write(&mut self, array: u32, index: Self::Cell, value: Self::Cell) -> Result<u32>;

    /// Whether two arrays have the same elements.
    fn same_arrays(&mut self, x: u32, y: u32) -> bool;

    /// A number of the last input or function that a sum has and that no sum of others has, by which sums
    /// can be eliminated; none for a constant.
    fn leader(&self, cell: Self::Cell) -> Option<u32>;

    /// A cell with others in place of inputs; unknown if that cannot be expressed.
    fn substitute(&mut self, cell: Self::Cell, places: &Substitution<Self::Cell>) -> Self::Cell;

    /// Whether expressions are longer than those of any kernel that does what it should: the rest of a proof would
    /// take long, and fail.
    fn is_lost(&self) -> bool {
        false
    }

    /// The number that cells are, the lowest first, if all are constants.
    fn number(&self, cells: &[Self::Cell]) -> Option<u64> {
        let cells = cells.iter().enumerate();
        cells.into_iter().try_fold(0, |number, (n, &cell)| {
            Some(number | u64::from(self.known(cell)?) << (Self::BITS * n))
        })
    }

    /// The cells of a number of so many bits.
    fn cells(&mut self, number: u64, bits: usize) -> Vec<Self::Cell> {
        let cells =
            (0..bits / Self::BITS).map(|n| self.constant((number >> (Self::BITS * n)) as u8));
        cells.collect()
    }

    /// The cells of so many bits that are 0.
    fn zeros(&mut self, bits: usize) -> Vec<Self::Cell> {
        vec![self.constant(0); bits / Self::BITS]
    }

    /// The cells of bytes.
    fn bytes(&mut self, bytes: &[u8]) -> Vec<Self::Cell> {
        bytes.iter().flat_map(|&byte| self.cells(byte.into(), 8)).collect()
    }
}
