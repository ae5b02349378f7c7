//! ELF: Linux, Android, the BSDs, illumos, Solaris.

/// A body in a section of its own. The symbol is hidden; sections of one name are one group, of which
/// the linker keeps one.
macro_rules! body {
    ($symbol:expr, code, $body:expr) => {
        body!($symbol, ".text.", "ax", "@function", $body);
    };
    ($symbol:expr, constants, $body:expr) => {
        body!($symbol, ".rodata.", "a", "@object", $body);
    };
    ($symbol:expr, $section:literal, $flags:literal, $type:literal, $body:expr) => {
        assembly!(
            concat!(
                ".pushsection ",
                $section,
                $symbol,
                ",\"",
                $flags,
                "G\",@progbits,",
                $symbol,
                ",comdat"
            ),
            concat!(".hidden ", $symbol),
            concat!(".type ", $symbol, ", ", $type),
            $body,
            concat!(".size ", $symbol, ", . - ", $symbol),
            concat!(".globl end_of_", $symbol),
            concat!(".hidden end_of_", $symbol),
            concat!("end_of_", $symbol, ":"),
            ".popsection"
        );
    };
}
