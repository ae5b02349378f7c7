//! Unwind information of ELF files as bytes (`.eh_frame`; "Linux Standard Base", 10.6), by DWARF's call frame
//! instructions.

use object::RelocationFlags;
use object::write::{Object, Relocation, Result, StandardSection, SymbolId};

use super::text::{Code, Frame};

/// The section in the making: where its common part is, once it is there.
#[derive(Default)]
pub(super) struct Section {
    common: Option<u64>,
}

impl Section {
    /// Adds a kernel. `distance` is the relocation by four bytes' distance.
    ///
    /// # Errors
    /// If the object has no such relocation.
    pub(super) fn add(
        &mut self,
        object: &mut Object<'_>,
        unwinding: &Unwinding,
        kernel: SymbolId,
        code: &Code,
        distance: RelocationFlags,
    ) -> Result<()> {
        let section = object.section_id(StandardSection::EhFrame);
        let common = match self.common {
            Some(common) => common,
            None => object.append_section_data(section, &unwinding.common(), 8),
        };
        self.common = Some(common);
        let at = object.section(section).data().len() as u64;
        let bytes = code.bytes.len() as u32;
        let part = unwinding.function((at - common) as u32, bytes, &code.frames);
        let offset = object.append_section_data(section, &part, 4) + CODE as u64;
        // By way of the section: a symbol that others see may be another one's in the end.
        let addend = object.symbol(kernel).value as i64;
        let text = object.section_id(StandardSection::Text);
        let symbol = object.section_symbol(text);
        object.add_relocation(section, Relocation { offset, symbol, addend, flags: distance })
    }
}

/// What it must know of a processor. Registers go by DWARF's numbers.
#[derive(Clone, Copy)]
pub(super) struct Unwinding {
    /// Of how many bytes the length of every instruction is a multiple.
    pub(super) code: u8,
    /// Bytes of a word.
    pub(super) word: u32,
    /// Bytes that a call puts on the stack.
    pub(super) pushed: u32,
    /// The stack pointer.
    pub(super) stack: u8,
    /// Where the return address is: a register, or a number that stands for it.
    pub(super) return_address: u8,
    /// The number of a register.
    pub(super) number: fn(u8) -> u8,
}

/// Where in a [`function`](Unwinding::function) the four-byte distance to its code lies.
const CODE: usize = 8;

const OFFSET: u8 = 0x80;
const RESTORE: u8 = 0xc0;
const OFFSET_EXTENDED: u8 = 0x05;
const RESTORE_EXTENDED: u8 = 0x06;
const DEFINE_CFA: u8 = 0x0c;
const DEFINE_CFA_OFFSET: u8 = 0x0e;
const ADVANCE: u8 = 0x40;
const ADVANCE_1: u8 = 0x02;
const ADVANCE_2: u8 = 0x03;

impl Unwinding {
    /// The part that is common to all functions.
    fn common(&self) -> Vec<u8> {
        const RELATIVE_4_BYTES: u8 = 0x1b;
        let mut body = vec![0, 0, 0, 0, 1, b'z', b'R', 0];
        // Code in its units, data in words downwards.
        body.extend([self.code, 0x80 - self.word as u8, self.return_address, 1, RELATIVE_4_BYTES]);
        // The caller's stack pointer is above ours by what a call pushed: the return address.
        body.extend([DEFINE_CFA, self.stack, self.pushed as u8]);
        if self.pushed > 0 {
            body.extend([OFFSET | self.return_address, (self.pushed / self.word) as u8]);
        }
        sized(body)
    }

    /// The part for a function of so many bytes, which lies `back` bytes behind the common part, with
    /// a hole at [`CODE`].
    fn function(&self, back: u32, bytes: u32, frames: &[(usize, Frame)]) -> Vec<u8> {
        let mut body = (back + 4).to_le_bytes().to_vec();
        body.extend([0; 4]);
        body.extend(bytes.to_le_bytes());
        body.push(0);
        let mut at = 0;
        for (offset, frame) in frames {
            let Some(depth) = frame.caller(self.pushed) else { continue };
            match (offset - at) / usize::from(self.code) {
                0 => {}
                step @ 1..64 => body.push(ADVANCE | step as u8),
                step @ 64..256 => body.extend([ADVANCE_1, step as u8]),
                step => {
                    let step = u16::try_from(step).expect("a kernel of less than 64 KiB");
                    body.push(ADVANCE_2);
                    body.extend(step.to_le_bytes());
                }
            }
            at = *offset;
            // Where calls push, functions do, too; elsewhere they store below a stack pointer that stays.
            let stays = matches!(frame, Frame::Pushed { .. } | Frame::Popped { .. });
            if self.pushed > 0 || !stays {
                body.push(DEFINE_CFA_OFFSET);
                number(&mut body, depth);
            }
            match frame {
                Frame::Pushed { register, depth } => self.saved(&mut body, *register, *depth),
                Frame::Popped { register, .. } => {
                    self.operation(&mut body, [RESTORE, RESTORE_EXTENDED], *register);
                }
                Frame::Again { pushed, .. } => {
                    pushed.iter().for_each(|(register, depth)| {
                        self.saved(&mut body, *register, *depth);
                    });
                }
                Frame::Lowered { .. } | Frame::Raised { .. } | Frame::Entered | Frame::Leaves => {}
            }
        }
        sized(body)
    }

    fn saved(&self, body: &mut Vec<u8>, register: u8, depth: u32) {
        self.operation(body, [OFFSET, OFFSET_EXTENDED], register);
        number(body, (depth + self.pushed) / self.word);
    }

    /// An operation on a register, whose number the first form has room for if it is below 64.
    fn operation(&self, body: &mut Vec<u8>, [short, long]: [u8; 2], register: u8) {
        match (self.number)(register) {
            number @ ..64 => body.push(short | number),
            number => body.extend([long, number]),
        }
    }
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
