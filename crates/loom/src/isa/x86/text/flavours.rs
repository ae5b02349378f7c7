//! What assemblers of GNU's syntax differ in, from system to system.

use crate::isa::text::Container;

/// A directive and its operands.
pub(super) type Directive = (&'static str, &'static str);

/// How an alignment is asked for.
#[derive(Clone, Copy, Debug)]
pub(super) enum Align {
    /// By a directive that takes bytes.
    Bytes(&'static str),
    /// By a directive that takes the exponent of a power of two.
    Power(&'static str),
    /// By a macro of the file that takes both.
    Either,
}

/// How the types and sizes of symbols are told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Symbols {
    /// Not at all.
    Bare,
    /// By `.type` and `.size`.
    Typed,
    /// By macros of the file.
    Macros,
}

/// Unwind information.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Unwind {
    /// None.
    None,
    /// By DWARF's call frame instructions.
    Dwarf,
    /// By those that can stand for Windows' as well: the stack pointer is lowered by
    /// `.cfi_adjust_cfa_offset` and by nothing else, and the entry ends with `.cfi_remember_state`.
    Both,
    /// In the form of 64-bit Windows; its GNU tools for 32 bits read DWARF's.
    Windows,
}

/// A system's assembler.
#[derive(Clone, Copy, Debug)]
pub(super) struct Flavour {
    pub(super) container: Container,
    /// What begins a comment, and what ends it where that is not the line's end.
    pub(super) comment: [&'static str; 2],
    /// What says that code follows.
    pub(super) text: Directive,
    /// What says that constants follow.
    pub(super) constants: Directive,
    pub(super) align: Align,
    /// What stands around a function's own label.
    pub(super) local: [&'static str; 2],
    pub(super) symbols: Symbols,
    pub(super) unwind: Unwind,
    /// Whether the distance between two labels is a number as soon as it has a name, and is left to
    /// a linker before.
    pub(super) names_distances: bool,
    /// Why its files cannot say that their code goes with CET, where the container can.
    pub(super) without_note: Option<&'static str>,
    /// The end of the file.
    pub(super) finish: &'static [Directive],
}

/// Linux and today's BSD.
pub(super) const ELF: Flavour = Flavour {
    container: Container::Elf,
    comment: ["#", ""],
    text: (".text", ""),
    constants: (".section", ".rodata"),
    align: Align::Power(".p2align"),
    local: [".L", ""],
    symbols: Symbols::Typed,
    unwind: Unwind::Dwarf,
    names_distances: false,
    without_note: None,
    finish: &[(".section", ".note.GNU-stack,\"\",@progbits")],
};

/// YASM's parser for this syntax, which has no directives for unwind information.
pub(super) const YASM: Flavour =
    Flavour { unwind: Unwind::None, without_note: Some(YASM_WITHOUT_NOTE), ..ELF };

/// Linkers look for the type.
pub(super) const YASM_WITHOUT_NOTE: &str = "YASM has no sections of the type `note`";

/// DJGPP: 32-bit programs of DOS, in COFF without sections for constants.
pub(super) const DJGPP: Flavour = Flavour {
    container: Container::Go32,
    constants: (".text", ""),
    align: Align::Power(".p2align"),
    local: ["L", ""],
    symbols: Symbols::Bare,
    unwind: Unwind::None,
    finish: &[],
    ..ELF
};

/// Windows.
pub(super) const COFF: Flavour = Flavour {
    container: Container::Coff,
    constants: (".section", ".rdata,\"dr\""),
    symbols: Symbols::Bare,
    unwind: Unwind::Windows,
    finish: &[],
    ..ELF
};

/// Says that a linker may leave functions out, or put them elsewhere.
pub(super) const APART: &str = ".subsections_via_symbols";

/// macOS.
pub(super) const MACHO: Flavour = Flavour {
    container: Container::MachO,
    text: (".section", "__TEXT,__text,regular,pure_instructions"),
    constants: (".section", "__TEXT,__const"),
    local: ["L", ""],
    symbols: Symbols::Bare,
    names_distances: true,
    finish: &[(APART, "")],
    ..ELF
};

/// Real mode, in ELF's object files: 16-bit C of gcc-ia16. The tables lie beside the code, as they are
/// reached by `cs`; there are no debuggers to undo frames.
pub(super) const REAL: Flavour =
    Flavour { constants: (".text", ""), unwind: Unwind::None, finish: &[], ..ELF };

/// The body that fits into every container; it has no sections.
pub(super) const BODY: Flavour = Flavour {
    container: Container::Neutral,
    constants: ("", ""),
    symbols: Symbols::Bare,
    unwind: Unwind::Both,
    finish: &[],
    ..ELF
};

/// Solaris: comments begin with a slash, and a section's flags are told.
pub(super) const SOLARIS: Flavour = Flavour {
    comment: ["/", ""],
    constants: (".section", ".rodata,\"a\""),
    align: Align::Bytes(".align"),
    unwind: Unwind::None,
    without_note: Some("the note is for GNU's linker and loader"),
    finish: &[],
    ..ELF
};

/// GNU as for a.out, which has no section of constants.
pub(super) const OUT: Flavour = Flavour {
    container: Container::AOut,
    constants: (".text", ""),
    align: Align::Power(".align"),
    local: ["L", ""],
    unwind: Unwind::None,
    finish: &[],
    ..ELF
};

/// BSD/OS, whose assembler knows no types and sizes.
pub(super) const BSDI: Flavour = Flavour { symbols: Symbols::Bare, ..OUT };

/// One file for all of the four: the C preprocessor makes each.
pub(super) const CPP: Flavour = Flavour {
    comment: ["/*", " */"],
    constants: ("CONSTANTS", ""),
    align: Align::Either,
    local: ["LOCAL(", ")"],
    symbols: Symbols::Macros,
    unwind: Unwind::None,
    finish: &[],
    ..ELF
};

/// What stands above a file for the C preprocessor.
pub(super) const CPP_START: &str = "\
/*
 * For the C preprocessor; one of these says which assembler comes next:
 *
 *   -DELF   GNU as for ELF
 *   -DSOL   Solaris
 *   -DOUT   GNU as for a.out
 *   -DBSDI  BSD/OS
 */
#if defined(ELF) + defined(SOL) + defined(OUT) + defined(BSDI) != 1
#error \"define one of ELF, SOL, OUT and BSDI\"
#endif

#if defined(ELF) || defined(SOL)
#define ALIGN(bytes, power) .align bytes
#define LOCAL(label) .L##label
#else
#define ALIGN(bytes, power) .align power
#define LOCAL(label) L##label
#endif

#if defined(ELF)
#define CONSTANTS .section .rodata
#elif defined(SOL)
#define CONSTANTS .section .rodata,\"a\"
#else
#define CONSTANTS .text
#endif

#if defined(BSDI)
#define TYPE(name, what)
#define SIZE(name)
#else
#define TYPE(name, what) .type name, @what
#define SIZE(name) .size name, .-name
#endif
";

/// What stands below it.
pub(super) const CPP_FINISH: &str = "\
#if defined(ELF)
        .section .note.GNU-stack,\"\",@progbits
#endif
";
