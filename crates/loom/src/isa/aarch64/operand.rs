//! Operands of AArch64: widths, shifts, constants that have a form, places in memory.

use crate::isa::{Effect, Reg, Span};

/// Of how many bits of a register an instruction makes use.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Width {
    /// 32; the upper half of a result is zero.
    Word,
    /// 64.
    Double,
}

impl Width {
    /// How many.
    #[must_use]
    pub const fn bits(self) -> u8 {
        match self {
            Self::Word => 32,
            Self::Double => 64,
        }
    }

    /// Those of them that are ones in a number.
    #[must_use]
    pub const fn cut(self, number: u64) -> u64 {
        match self {
            Self::Word => number as u32 as u64,
            Self::Double => number,
        }
    }
}

/// How an operand is shifted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Shift {
    /// Towards high bits, by 0 and more.
    Left(u8),
    /// Towards low bits, zeros from above, by 1 and more.
    Right(u8),
    /// In a circle towards low bits, by 1 and more.
    Rotate(u8),
}

impl Shift {
    /// Not at all.
    pub const NONE: Self = Self::Left(0);
}

/// A place in memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Mem {
    /// Where it counts from.
    pub base: Reg,
    /// How far from there.
    pub at: At,
    /// Its region, if accesses keep their order.
    pub ordered: Option<u32>,
}

/// How far a place is from its base.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum At {
    /// So many bytes.
    Disp(i32),
    /// A word, of bytes or of as many as are accessed.
    Index(Reg, bool),
}

impl Mem {
    /// What an access to so many bytes touches.
    #[must_use]
    pub fn effect(&self, bytes: u8, kind: fn(Span) -> Effect) -> Effect {
        let at = match self.at {
            At::Disp(disp) => Some((self.base, disp)),
            At::Index(..) => None,
        };
        let span = |region| kind(Span { region, at, bytes: bytes.into() });
        self.ordered.map_or(Effect::None, span)
    }
}

/// Whether an access of so many bytes can name a displacement: a multiple in 12 bits, or 9 bits with a
/// sign.
#[must_use]
pub(super) fn reaches(disp: i32, bytes: u8) -> bool {
    is_scaled(disp, bytes) || (-256..256).contains(&disp)
}

/// Whether it is a multiple in 12 bits.
#[must_use]
pub(super) fn is_scaled(disp: i32, bytes: u8) -> bool {
    let bytes = i32::from(bytes);
    (0..4096 * bytes).contains(&disp) && disp % bytes == 0
}

/// Whether a sum can have a constant: 12 bits, or 12 bits above 12 zeros, and a sign.
#[must_use]
pub(super) fn is_addend(imm: i64) -> bool {
    let size = imm.unsigned_abs();
    size < 1 << 12 || size < 1 << 24 && size & 0xfff == 0
}

/// The fields N, immr and imms of a constant in logic: a run of ones, rotated, repeated over a register;
/// none if it is no such. Their places are those in the instruction, counted from bit 10.
#[must_use]
pub(super) fn mask(imm: u64, width: Width) -> Option<u32> {
    let bits = u32::from(width.bits());
    let imm = match width {
        Width::Word => imm << 32 | imm & 0xffff_ffff,
        Width::Double => imm,
    };
    if imm == 0 || imm == u64::MAX {
        return None;
    }
    let repeats = |size: &u32| imm.rotate_right(*size) == imm;
    let size = [2, 4, 8, 16, 32].into_iter().find(repeats).unwrap_or(64).min(bits);
    let part = imm & (u64::MAX >> (64 - size));
    let ones = part.count_ones();
    // Rotated so that the run begins at bit 0, counted within a part.
    let rotated = |by: u32| (part << by | part >> (size - by)) & (u64::MAX >> (64 - size));
    let run = u64::MAX >> (64 - ones);
    let by = (0..size).find(|&by| if by == 0 { part == run } else { rotated(by) == run })?;
    let (wide, high) = (u32::from(size == 64), !(2 * size - 1) & 0x3f);
    let length = if size == 64 { ones - 1 } else { high | (ones - 1) };
    Some(wide << 12 | by << 6 | length)
}

/// The bits of the byte in an instruction that fills a vector with a constant in each 64 bits, and whether
/// each bit stands for a byte; none if it has no such form.
#[must_use]
pub(super) fn fill(imm: u64) -> Option<(u8, bool)> {
    let bytes = imm.to_le_bytes();
    if bytes.iter().all(|byte| *byte == bytes[0]) {
        return Some((bytes[0], false));
    }
    let whole = bytes.iter().all(|byte| matches!(byte, 0 | 0xff));
    let bits = bytes.iter().enumerate().map(|(n, byte)| (byte & 1) << n);
    whole.then(|| (bits.sum(), true))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What the processor makes of the fields, by the manual's words.
    fn unmasked(fields: u32, width: Width) -> u64 {
        let (wide, by, length) = (fields >> 12, fields >> 6 & 0x3f, fields & 0x3f);
        let size = 1u32 << (31 - (wide << 6 | !length & 0x3f).leading_zeros());
        let ones = (length & (size - 1)) + 1;
        let run = u64::MAX >> (64 - ones);
        let part = match by {
            0 => run,
            _ => (run >> by | run << (size - by)) & (u64::MAX >> (64 - size)),
        };
        let whole = (0..64 / size).fold(0, |sum, n| sum | part << (n * size));
        width.cut(whole)
    }

    #[test]
    fn masks_are_what_the_processor_makes_of_their_fields() {
        let mut all = std::collections::HashSet::new();
        for size in [2u32, 4, 8, 16, 32, 64] {
            for (ones, by) in (1..size).flat_map(|ones| (0..size).map(move |by| (ones, by))) {
                let run = u64::MAX >> (64 - ones);
                let part = match by {
                    0 => run,
                    _ => (run >> by | run << (size - by)) & (u64::MAX >> (64 - size)),
                };
                all.insert((0..64 / size).fold(0, |sum, n| sum | part << (n * size)));
            }
        }
        // So many there are.
        assert_eq!(all.len(), 5334);
        for &imm in &all {
            let fields = mask(imm, Width::Double).unwrap_or_else(|| panic!("{imm:#x}"));
            assert_eq!(unmasked(fields, Width::Double), imm);
            let half = imm as u32;
            if imm >> 32 == u64::from(half) {
                let fields = mask(half.into(), Width::Word).unwrap_or_else(|| panic!("{half:#x}"));
                assert_eq!((fields >> 12, unmasked(fields, Width::Word)), (0, half.into()));
            }
            for other in [imm ^ 1 << 7, imm ^ 1 << 40] {
                assert_eq!(mask(other, Width::Double).is_some(), all.contains(&other));
            }
        }
        assert!(mask(0, Width::Word).is_none() && mask(0xffff_ffff, Width::Word).is_none());
    }

    #[test]
    fn constants_of_vectors_have_their_forms() {
        assert_eq!(fill(0x0f0f_0f0f_0f0f_0f0f), Some((0x0f, false)));
        assert_eq!(fill(0), Some((0, false)));
        assert_eq!(fill(0x00ff_00ff_0000_ffff), Some((0b0101_0011, true)));
        assert_eq!(fill(0x0fff_00ff_0000_ffff), None);
    }
}
