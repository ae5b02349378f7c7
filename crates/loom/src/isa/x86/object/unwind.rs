//! Unwind information as bytes: for object files, and for assemblers without directives for it.

use crate::isa::text::Frame;
use crate::isa::x86::Mode;
use crate::isa::x86::gpr::RSP;

/// A code of Windows' unwind information ("x64 exception handling" in Microsoft's documentation).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in super::super) struct Windows<'a> {
    /// What it undoes; its offset is where this is done.
    pub(in super::super) undoes: &'a Frame,
    /// Operation and its detail.
    pub(in super::super) code: u8,
    /// A second entry with the size of a large allocation, in units of 8 bytes.
    pub(in super::super) size: Option<u16>,
}

/// The codes of a function with this entry, the last step first, as it is undone first.
pub(in super::super) fn windows(entry: &[Frame]) -> Vec<Windows<'_>> {
    const PUSH: u8 = 0;
    const ALLOCATE_LARGE: u8 = 1;
    const ALLOCATE_SMALL: u8 = 2;
    fn code(undoes: &Frame) -> Option<Windows<'_>> {
        match undoes {
            Frame::Pushed { register, .. } => {
                Some(Windows { undoes, code: register << 4 | PUSH, size: None })
            }
            Frame::Lowered { by, .. } if *by <= 128 => {
                let units = (by / 8) as u8;
                Some(Windows { undoes, code: (units - 1) << 4 | ALLOCATE_SMALL, size: None })
            }
            Frame::Lowered { by, .. } => {
                let size = u16::try_from(by / 8).expect("a frame of less than half a megabyte");
                Some(Windows { undoes, code: ALLOCATE_LARGE, size: Some(size) })
            }
            _ => None,
        }
    }
    entry.iter().rev().filter_map(code).collect()
}

/// DWARF's number of a general register.
fn dwarf(mode: Mode, register: u8) -> u8 {
    match mode {
        Mode::Real | Mode::Bits32 => register,
        Mode::Bits64 => {
            [0, 2, 1, 3, 7, 6, 4, 5].get(usize::from(register)).copied().unwrap_or(register)
        }
    }
}

/// The part of an ELF `.eh_frame` that is common to all functions ("Linux Standard Base", 10.6).
pub(super) fn common(mode: Mode) -> Vec<u8> {
    const RELATIVE_4_BYTES: u8 = 0x1b;
    let word = mode.bytes() as u8;
    let return_address = match mode {
        Mode::Real | Mode::Bits32 => 8,
        Mode::Bits64 => 16,
    };
    let mut body = vec![0, 0, 0, 0, 1, b'z', b'R', 0];
    // Code in bytes, data in words downwards.
    body.extend([1, 0x80 - word, return_address, 1, RELATIVE_4_BYTES]);
    // The caller's stack pointer is a word above ours, the return address a word below it.
    body.extend([0x0c, dwarf(mode, RSP), word, 0x80 | return_address, 1]);
    sized(body)
}

/// Where in a [`function`] the four-byte distance to its code lies.
pub(super) const CODE: usize = 8;

/// The part for a function of so many bytes, which lies `back` bytes behind the common part, with
/// a hole at [`CODE`].
pub(super) fn function(mode: Mode, back: u32, bytes: u32, frames: &[(usize, Frame)]) -> Vec<u8> {
    let word = mode.bytes();
    let mut body = (back + 4).to_le_bytes().to_vec();
    body.extend([0; 4]);
    body.extend(bytes.to_le_bytes());
    body.push(0);
    let mut at = 0;
    for (offset, frame) in frames {
        let Some(depth) = frame.caller(word) else { continue };
        match offset - at {
            0 => {}
            step @ 1..64 => body.push(0x40 | step as u8),
            step @ 64..256 => body.extend([0x02, step as u8]),
            step => {
                let step = u16::try_from(step).expect("a kernel of less than 64 KiB");
                body.push(0x03);
                body.extend(step.to_le_bytes());
            }
        }
        at = *offset;
        body.push(0x0e);
        number(&mut body, depth);
        let saved = |body: &mut Vec<u8>, register: u8, depth: u32| {
            body.push(0x80 | dwarf(mode, register));
            number(body, depth / word + 1);
        };
        match frame {
            Frame::Pushed { register, depth } => saved(&mut body, *register, *depth),
            Frame::Popped { register, .. } => body.push(0xc0 | dwarf(mode, *register)),
            Frame::Again { pushed, .. } => {
                pushed.iter().for_each(|(register, depth)| saved(&mut body, *register, *depth));
            }
            Frame::Lowered { .. } | Frame::Raised { .. } | Frame::Entered => {}
        }
    }
    sized(body)
}

/// An unsigned LEB128 number.
fn number(body: &mut Vec<u8>, mut number: u32) {
    while number > 0x7f {
        body.push(0x80 | number as u8 & 0x7f);
        number >>= 7;
    }
    body.push(number as u8);
}

/// Its length, and no-operations to the next multiple of 4.
fn sized(mut body: Vec<u8>) -> Vec<u8> {
    body.resize(body.len().next_multiple_of(4), 0);
    let mut all = (body.len() as u32).to_le_bytes().to_vec();
    all.append(&mut body);
    all
}
