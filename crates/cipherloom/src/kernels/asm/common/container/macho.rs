//! Mach-O: macOS, and what Apple made of it.

/// A body. Sections are not its own: here a linker takes them apart, symbol by symbol. The symbol is one
/// of the linked image alone, and of those with its name the linker keeps one (`.weak_definition`). The
/// symbol at its end stays with it (`.alt_entry`); a byte behind keeps it from being the next one's begin.
macro_rules! body {
    ($symbol:expr, code, $body:expr) => {
        body!($symbol, "__TEXT,__text,regular,pure_instructions", $body);
    };
    ($symbol:expr, constants, $body:expr) => {
        body!($symbol, "__TEXT,__const", $body);
    };
    ($symbol:expr, $section:literal, $body:expr) => {
        assembly!(
            concat!(".section ", $section),
            concat!(".private_extern ", $symbol),
            concat!(".weak_definition ", $symbol),
            $body,
            concat!(".private_extern end_of_", $symbol),
            concat!(".weak_definition end_of_", $symbol),
            concat!(".alt_entry end_of_", $symbol),
            concat!("end_of_", $symbol, ":"),
            ".byte 0",
            ".text"
        );
    };
}
