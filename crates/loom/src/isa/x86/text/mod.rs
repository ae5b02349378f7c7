//! Kernels of x86 as text for assemblers.
//!
//! | file | subject |
//! |---|---|
//! | `listing.rs`, `trace.rs` | finished programs as listings; what registers point to, and the stack, line by line |
//! | `operands.rs` | instructions as words, as far as the dialects agree |
//! | `gnu.rs` | GNU's syntax, AT&T's and Intel's operands, and the body that fits every container |
//! | `flavours.rs` | what assemblers of this syntax differ in: ELF, COFF, Mach-O, a.out, Solaris, the C preprocessor |
//! | `nasm.rs` | NASM and YASM, for ELF, COFF, Mach-O, a.out, OMF, `ld86` |
//! | `masm.rs` | MASM, for COFF |
//! | `formats.rs` | all of them by name |

mod flavours;
pub(super) mod formats;
mod gnu;
mod listing;
mod masm;
mod nasm;
mod operands;
mod trace;

pub(super) use listing::listing;
