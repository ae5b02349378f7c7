//! What a program can ask of the valgrind that runs it.
//!
//! The protocol is that of `valgrind.h` (Valgrind 3.19, "client requests", amd64): the address of
//! six words, a request and its five arguments, goes into `rax`, the answer without valgrind into
//! `rdx`; then come four rotations of `rdi` by 128 bits in all and an exchange of `rbx` with
//! itself, which a processor runs without any effect, and which valgrind knows as a request.

/// `RUNNING_ON_VALGRIND`: how deep.
const RUNNING: u64 = 0x1001;
/// Memcheck's own requests are counted from here ("MC").
const MEMCHECK: u64 = 0x4d43_0000;
const MAKE_UNDEFINED: u64 = MEMCHECK + 1;
const MAKE_DEFINED: u64 = MEMCHECK + 2;

/// Whether valgrind runs this program.
pub fn is_running() -> bool {
    ask(RUNNING, [0; 2]) != 0
}

/// Makes bytes undefined in memcheck's eyes, as if nobody had written them: it reports every branch
/// and every address that depends on them, at any distance. The bytes stay what they are.
pub fn make_undefined(bytes: &mut [u8]) {
    ask(MAKE_UNDEFINED, [bytes.as_mut_ptr() as u64, bytes.len() as u64]);
}

/// Makes bytes, or any value, defined again: from here on they are public.
pub fn make_defined<T: ?Sized>(value: &mut T) {
    let start = core::ptr::from_mut(value).cast::<u8>();
    ask(MAKE_DEFINED, [start as u64, size_of_val(value) as u64]);
}

/// The answer to a request, or 0 where there is no valgrind.
fn ask(request: u64, arguments: [u64; 2]) -> u64 {
    let words = [request, arguments[0], arguments[1], 0, 0, 0];
    let mut answer: u64 = 0;
    // SAFETY: the rotations of `rdi` add up to two whole turns, so that it keeps its value, and
    // they and the exchange touch nothing else but flags, which an assembly block may. Under
    // valgrind the request reads `words`, which lives on, and writes nothing in memory that a
    // program can read: only what memcheck knows of it changes. That the block may write memory is
    // what the compiler takes for granted: it cannot know bytes across it.
    #[allow(unsafe_code)]
    unsafe {
        core::arch::asm!(
            "rol rdi, 3",
            "rol rdi, 13",
            "rol rdi, 61",
            "rol rdi, 51",
            "xchg rbx, rbx",
            in("rax") &raw const words,
            inout("rdx") answer,
            options(nostack),
        );
    }
    answer
}
