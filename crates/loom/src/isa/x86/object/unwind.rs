//! Windows' unwind information: for object files, and for assemblers without directives for it.

use crate::isa::text::Frame;

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
