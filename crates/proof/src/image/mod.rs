//! A linked file: the code of kernels, and the constant tables.

mod changed;
#[cfg(test)]
mod tests;

use crate::Result;
use crate::isa::{Convention, Isa};
use object::{
    BinaryFormat, Object, ObjectKind, ObjectSection, ObjectSymbol, SectionFlags, SymbolKind,
};
use object::{elf, macho, pe};
use std::collections::BTreeMap;
use std::ops::Range;

/// A part of the file as it lies in memory.
struct Section {
    start: u64,
    bytes: Vec<u8>,
    executable: bool,
}

impl Section {
    fn slice(&self, start: u64, bytes: u64) -> Option<&[u8]> {
        let from = start.checked_sub(self.start)?;
        self.bytes.get(usize::try_from(from).ok()?..usize::try_from(from.checked_add(bytes)?).ok()?)
    }
}

/// What a file has of kernels.
pub struct Image {
    /// Whose instructions it has.
    pub isa: Isa,
    /// How its kernels are called.
    pub convention: &'static Convention,
    /// Those that a program cannot write to.
    sections: Vec<Section>,
    /// The addresses of kernels, by `HASH_NAME`.
    pub kernels: BTreeMap<String, Range<u64>>,
    /// Those of tables.
    pub tables: BTreeMap<String, Range<u64>>,
    /// Whether it is ELF, whose unwind information is looked at.
    pub is_elf: bool,
    /// The section of unwind information, with its address.
    unwind: Option<(u64, Vec<u8>)>,
}

/// What the symbol at an end begins with.
const END: &str = "end_of_";

/// The name in `HASH_NAME`.
pub fn name_of(symbol: &str) -> &str {
    symbol.split_once('_').map_or(symbol, |(_, name)| name)
}

/// Who named the symbols of a file.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Names {
    /// The library: kernels and tables are `cipherloom_HASH_NAME`, and there is other code beside them.
    Library,
    /// Loom, without a prefix: all code is kernels, and all objects are tables.
    Loom,
}

impl Names {
    /// What a symbol is called in an image, if it is a kernel's or a table's.
    fn of(self, symbol: &str) -> Option<String> {
        match self {
            Self::Library => symbol_name(symbol).map(str::to_owned),
            // There is no hash. A linker makes one symbol of its own.
            Self::Loom => (!["", "_DYNAMIC"].contains(&symbol)).then(|| format!("_{symbol}")),
        }
    }
}

/// `HASH_NAME` of a symbol `cipherloom_HASH_NAME`.
fn symbol_name(symbol: &str) -> Option<&str> {
    let own = symbol.strip_prefix("cipherloom_")?;
    let (hash, _) = own.split_once('_')?;
    (hash.len() == 16 && hash.bytes().all(|byte| byte.is_ascii_hexdigit())).then_some(own)
}

/// Whether a section is code, if it is one that a program cannot write to.
fn is_code<'a>(section: &impl ObjectSection<'a>) -> Option<bool> {
    match section.flags() {
        SectionFlags::Elf { sh_flags, .. } => {
            let has = |flag: elf::SectionFlags| sh_flags & flag == flag;
            let is_constant = has(elf::SHF_ALLOC) && !has(elf::SHF_WRITE);
            is_constant.then(|| has(elf::SHF_EXECINSTR))
        }
        SectionFlags::Coff { characteristics } => {
            let has = |flag: pe::SectionFlags| characteristics & flag == flag;
            (!has(pe::IMAGE_SCN_MEM_WRITE)).then(|| has(pe::IMAGE_SCN_MEM_EXECUTE))
        }
        SectionFlags::MachO { flags, .. } => {
            let code = macho::S_ATTR_PURE_INSTRUCTIONS;
            (section.segment_name() == Ok(Some("__TEXT"))).then(|| flags & code == code)
        }
        _ => None,
    }
}

impl Image {
    /// The kernels of a linked file: ELF, Windows' PE, or macOS' Mach-O.
    ///
    /// # Errors
    /// If it is none, or has no symbols of kernels.
    pub fn parse(file: &[u8]) -> Result<Self> {
        Self::read(file, Names::Library)
    }

    /// The same of a file that has nothing but what loom emits.
    ///
    /// # Errors
    /// As of [`parse`](Self::parse).
    pub fn of_loom(file: &[u8]) -> Result<Self> {
        Self::read(file, Names::Loom)
    }

    /// The same of one of code of 16 bits, whose segment begins at address 0.
    ///
    /// # Errors
    /// As of [`parse`](Self::parse), or if it does not lie in 64 KiB.
    pub fn of_real_mode(file: &[u8]) -> Result<Self> {
        let mut image = Self::of_loom(file)?;
        if image.isa != Isa::X86_32 || image.all().any(|range| range.end > 1 << 16) {
            return Err("not code of a 386 in one segment of 64 KiB".into());
        }
        image.isa = Isa::X86_16;
        image.convention = image.isa.convention();
        Ok(image)
    }

    fn all(&self) -> impl Iterator<Item = &Range<u64>> {
        self.kernels.values().chain(self.tables.values())
    }

    fn read(file: &[u8], names: Names) -> Result<Self> {
        let file = object::File::parse(file).map_err(|error| error.to_string())?;
        let isa = match file.architecture() {
            object::Architecture::X86_64 => Isa::X86_64,
            object::Architecture::I386 => Isa::X86_32,
            object::Architecture::Aarch64 if file.is_little_endian() => Isa::AArch64,
            object::Architecture::Hppa if !file.is_little_endian() => Isa::Hppa,
            other => return Err(format!("a file for {other:?}, not for x86, AArch64 or PA-RISC")),
        };
        if !matches!(file.kind(), ObjectKind::Dynamic | ObjectKind::Executable) {
            return Err("not a linked program or library: only linked code is what runs".into());
        }
        let mut sections = Vec::new();
        for section in file.sections() {
            if let Some(executable) = is_code(&section) {
                let bytes = section.data().map_err(|error| error.to_string())?.to_vec();
                sections.push(Section { start: section.address(), bytes, executable });
            }
        }
        let unwind = file.section_by_name(".eh_frame");
        let unwind =
            unwind.and_then(|section| Some((section.address(), section.data().ok()?.to_vec())));
        let (kernels, tables) = (BTreeMap::new(), BTreeMap::new());
        let is_elf = file.format() == BinaryFormat::Elf;
        // The one with addresses as long as the file's, of several.
        let is_wide = |of: &&Convention| (of.offset == 8) == file.is_64();
        let convention = isa.conventions().iter().find(is_wide).unwrap_or(isa.convention());
        let mut image = Self { isa, convention, sections, kernels, tables, is_elf, unwind };
        // Only ELF's symbols have sizes; the library has a symbol at each end.
        let ends: BTreeMap<&str, u64> = file
            .symbols()
            .filter_map(|symbol| Some((symbol.name().ok()?.strip_prefix(END)?, symbol.address())))
            .collect();
        for symbol in file.symbols() {
            let Some(full) = symbol.name().ok() else { continue };
            let is_code = symbol.kind() == SymbolKind::Text;
            if names == Names::Loom && !is_code && symbol.kind() != SymbolKind::Data {
                continue;
            }
            let Some(name) = names.of(full) else { continue };
            let end = match is_elf {
                true => symbol.address().checked_add(symbol.size()),
                false => ends.get(full).copied(),
            };
            let range = symbol.address()..end.ok_or("a symbol without end")?;
            if range.is_empty() || image.section(&range, is_code).is_none() {
                let kind = if is_code { "code" } else { "data" };
                return Err(format!("{name} does not lie in constant {kind}"));
            }
            let all = if is_code { &mut image.kernels } else { &mut image.tables };
            if all.insert(name.clone(), range.clone()).is_some_and(|other| other != range) {
                return Err(format!("{name} is there twice"));
            }
        }
        if image.kernels.is_empty() {
            return Err("no symbols of kernels: another file, or its symbols were stripped".into());
        }
        Ok(image)
    }

    fn section(&self, range: &Range<u64>, executable: bool) -> Option<&[u8]> {
        // Position-independent code has its tables beside it.
        let mut sections = self.sections.iter().filter(|section| section.executable || !executable);
        sections.find_map(|section| section.slice(range.start, range.end - range.start))
    }

    /// The section of unwind information, with its address. None: Windows' and macOS' is another, which tests of loom's
    /// look at; PA-RISC's has no word for registers of 64 bits.
    ///
    /// # Errors
    /// If an ELF file has none.
    pub fn unwind(&self) -> Result<Option<&(u64, Vec<u8>)>> {
        match &self.unwind {
            _ if !self.is_elf || matches!(self.isa, Isa::X86_16 | Isa::Hppa) => Ok(None),
            None => Err("no unwind information".into()),
            some => Ok(some.as_ref()),
        }
    }

    /// The bytes of a kernel.
    pub fn code(&self, kernel: &Range<u64>) -> &[u8] {
        self.section(kernel, true).unwrap_or_default()
    }

    /// Whether some bytes lie in one table.
    pub fn is_table(&self, start: u64, bytes: u64) -> bool {
        let end = start.checked_add(bytes);
        let mut tables = self.tables.values();
        tables.any(|table| table.start <= start && end.is_some_and(|end| end <= table.end))
    }

    /// Bytes of one table.
    ///
    /// # Errors
    /// If they do not lie in one.
    pub fn table(&self, start: u64, bytes: u64) -> Result<&[u8]> {
        let range = start..start.wrapping_add(bytes);
        let found = self.is_table(start, bytes).then(|| self.section(&range, false)).flatten();
        found.ok_or_else(|| format!("a look-up of {bytes} bytes at {start:x}, outside all tables"))
    }
}
