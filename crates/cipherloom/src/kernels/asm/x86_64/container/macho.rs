//! Mach-O: macOS, and what Apple made of it.

/// A body. Sections are not its own: here a linker takes them apart, symbol by symbol. The symbol is one
/// of the linked image alone, and of those with its name the linker keeps one (`.weak_definition`).
macro_rules! body {
    ($symbol:expr, code, $body:expr) => {
        body!($symbol, "__TEXT,__text,regular,pure_instructions", $body);
    };
    ($symbol:expr, constants, $body:expr) => {
        body!($symbol, "__TEXT,__const", $body);
    };
    ($symbol:expr, $section:literal, $body:expr) => {
        core::arch::global_asm!(
            concat!(".section ", $section),
            concat!(".private_extern ", $symbol),
            concat!(".weak_definition ", $symbol),
            $body,
            ".text",
            options(att_syntax, raw)
        );
    };
}
