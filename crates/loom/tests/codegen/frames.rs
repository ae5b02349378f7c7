//! Where kernels keep vectors on the stack: each in one line of the cache, if the caller's stack pointer is at a multiple
//! of their size.

use iced_x86::{Decoder, DecoderOptions, Instruction, Register};
use loom::isa::frame::Abi;
use loom::isa::x86::X86_64;
use loom::library;

#[test]
fn vectors_on_the_stack_lie_at_multiples_of_their_size() {
    let mut seen = [0; 3];
    for variant in library::variants_for(&X86_64) {
        let made = variant.make(Abi::usual(variant.target), &variant.untuned()).unwrap();
        let record = made.record();
        // The return address lies below what was the caller's stack pointer.
        let below_caller = u64::from(record.stack_bytes) + 8;
        let bytes = made.bytes(None).unwrap();
        let all = Decoder::with_ip(64, &bytes, 0, DecoderOptions::NONE);
        let on_stack = |inst: &Instruction| inst.memory_base() == Register::RSP;
        for inst in all.into_iter().filter(on_stack) {
            let size = inst.memory_size().size();
            let Some(kind) = [16, 32, 64].iter().position(|vector| *vector == size) else {
                continue;
            };
            let place = inst.memory_displacement64().wrapping_sub(below_caller);
            assert!(place.is_multiple_of(size as u64), "{}: {inst}", record.name);
            seen[kind] += 1;
        }
    }
    assert!(seen.iter().all(|count| *count > 0), "{seen:?}");
}
