//! COFF: Windows. Its unwind information is the processor's own (`unwound!`).

/// A body in a section of its own, whose name behind `$` a linker leaves out. Of sections with one symbol
/// the linker keeps one (`discard`).
macro_rules! body {
    ($symbol:expr, code, $body:expr) => {
        assembly!(
            concat!(".section .text$", $symbol, ",\"xr\",discard,", $symbol),
            concat!(".def ", $symbol, "; .scl 2; .type 32; .endef"),
            unwound!($symbol, $body),
            concat!(".globl end_of_", $symbol),
            concat!("end_of_", $symbol, ":"),
            ".text"
        );
    };
    ($symbol:expr, constants, $body:expr) => {
        assembly!(
            concat!(".section .rdata$", $symbol, ",\"dr\",discard,", $symbol),
            $body,
            concat!(".globl end_of_", $symbol),
            concat!("end_of_", $symbol, ":"),
            ".text"
        );
    };
}
