//! What is printed, in which order: the same for every dialect.

use std::collections::HashSet;

use super::gnu::BODY;
use super::unit::{Frame, Inst, Label, Line, Refers, Tables, Unit};
use super::{Dialect, Layout, header};

/// Where something is put.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Section {
    /// Code.
    Text,
    /// Constants.
    Constants,
}

/// Something that a dialect has a form for. Names are those of C.
#[derive(Clone, Copy, Debug)]
pub enum Item<'a, I> {
    /// The file begins; what its kernels need beyond the processor's baseline.
    Start(&'a [&'static str]),
    /// What follows belongs into a section.
    Section(Section),
    /// What came before did.
    EndSection(Section),
    /// A name is for others, too.
    Global(&'a str),
    /// What follows begins at a multiple of so many bytes.
    Align(u32),
    /// Entries of so many bytes; the first of several tables bears the name of all.
    Entries(Option<&'a str>, u8, &'a [u64]),
    /// Tables end.
    EndTables(&'a str),
    /// How far behind a label of a function its tables lie gets a name.
    Distance(&'a str, &'a Label, &'a str),
    /// A number gets a name; the name may have had another number before.
    Constant(&'a str, u64),
    /// A function begins.
    Function(&'a str),
    /// A label of a function.
    Label(&'a str, &'a Label),
    /// An instruction of a function, which looks up the tables named last.
    Inst(&'a str, &'a Inst<I>, &'a str),
    /// What became of the stack.
    Frame(&'a Frame),
    /// A function ends; what its entry did to the stack.
    EndFunction(&'a str, &'a [Frame]),
    /// All functions of the file go with Intel's CET.
    Cet,
    /// The file ends; whether its functions may be taken apart.
    Finish(bool),
}

/// A file with kernels and one copy of the tables that they look up, in any dialect. `prefix`
/// stands before the name of each.
#[must_use]
pub fn text<I, C>(dialect: &dyn Dialect<I>, units: &[Unit<I, C>], prefix: &str) -> String {
    let symbol = |name: &str| format!("{prefix}{name}");
    let mut writer = Writer::new(dialect, &symbol);
    let features: Vec<_> = units.iter().flat_map(|unit| unit.record.features.clone()).collect();
    writer.item(&Item::Start(&features));
    // Code that finds its tables by a distance has them in its own section.
    let together = units.iter().any(|unit| unit.record.abi.position_independent);
    let mut printed = HashSet::new();
    for tables in units.iter().filter_map(|unit| unit.tables.as_ref()) {
        if printed.insert(&tables.name) {
            writer.section(if together { Section::Text } else { Section::Constants });
            writer.tables(tables);
        }
    }
    for unit in units {
        writer.section(Section::Text);
        writer.layout.blank();
        let in_c = writer.symbol(&unit.record.name);
        writer.layout.comments(&header::kernel(unit, Some(&in_c)));
        writer.layout.blank();
        for (at, table) in unit.tables.iter().flat_map(Tables::places) {
            writer.item(&Item::Constant(&Tables::constant(table), at as u64));
        }
        let symbol = writer.symbol(&unit.record.name);
        writer.item(&Item::Global(&symbol));
        writer.kernel(unit);
    }
    writer.end_section();
    if fit_for_cet(units) {
        writer.item(&Item::Cet);
    }
    writer.item(&Item::Finish(!together));
    writer.layout.finish()
}

/// Whether a file of these kernels goes with Intel's CET: all begin with a landing pad. None branches by
/// a register or by memory, and each returns to where it was called.
pub(super) fn fit_for_cet<I, C>(units: &[Unit<I, C>]) -> bool {
    !units.is_empty() && units.iter().all(|unit| unit.landing)
}

/// A kernel without a word of sections or containers, in AT&T syntax: what the library takes in
/// between a head and a tail for the container at hand. `symbol` makes symbols of its name and of
/// that of its tables.
#[must_use]
pub fn body(unit: &Unit<iced_x86::Instruction>, symbol: &dyn Fn(&str) -> String) -> String {
    let mut writer = Writer::new(&BODY, symbol);
    writer.layout.comments(&header::kernel(unit, None));
    writer.layout.blank();
    writer.item(&Item::Global(&writer.symbol(&unit.record.name)));
    writer.kernel(unit);
    writer.layout.finish()
}

/// Tables in the same form.
#[must_use]
pub fn tables_body(tables: &Tables, symbol: &dyn Fn(&str) -> String) -> String {
    let mut writer: Writer<'_, iced_x86::Instruction> = Writer::new(&BODY, symbol);
    writer.item(&Item::Global(&writer.symbol(&tables.name)));
    writer.tables(tables);
    writer.layout.finish()
}

/// Alignment of tables, in bytes.
pub(super) const CACHE_LINE: u32 = 64;

/// A text in the making.
struct Writer<'a, I> {
    dialect: &'a dyn Dialect<I>,
    symbol: &'a dyn Fn(&str) -> String,
    layout: Layout,
    section: Option<Section>,
}

impl<'a, I> Writer<'a, I> {
    fn new(dialect: &'a dyn Dialect<I>, symbol: &'a dyn Fn(&str) -> String) -> Self {
        Self { dialect, symbol, layout: Layout::new(dialect.comment()), section: None }
    }

    fn symbol(&self, name: &str) -> String {
        (self.symbol)(name)
    }

    fn item(&mut self, item: &Item<'_, I>) {
        self.dialect.item(item, &mut self.layout);
    }

    fn section(&mut self, section: Section) {
        if self.section != Some(section) {
            self.end_section();
            self.layout.blank();
            self.item(&Item::Section(section));
            self.section = Some(section);
        }
    }

    fn end_section(&mut self) {
        if let Some(section) = self.section.take() {
            self.layout.blank();
            self.item(&Item::EndSection(section));
        }
    }

    fn tables(&mut self, tables: &Tables) {
        let symbol = self.symbol(&tables.name);
        self.layout.blank();
        self.layout.comments(&header::tables(tables));
        self.layout.blank();
        self.item(&Item::Align(CACHE_LINE));
        for (n, table) in tables.tables.iter().enumerate() {
            self.layout.blank();
            self.layout.comment(&format!("{}: {}", Tables::constant(table), table.doc));
            let name = (n == 0).then_some(symbol.as_str());
            self.item(&Item::Entries(name, table.entry_bytes, &table.entries));
        }
        self.item(&Item::EndTables(&symbol));
    }

    fn kernel<C>(&mut self, unit: &Unit<I, C>) {
        let symbol = self.symbol(&unit.record.name);
        let tables = unit.tables.as_ref().map_or(String::new(), |t| self.symbol(&t.name));
        self.item(&Item::Align(unit.target.entry));
        self.item(&Item::Function(&symbol));
        for line in &unit.lines {
            match line {
                Line::Inst(inst) => {
                    if let Refers::Distance(here) = &inst.refers {
                        self.item(&Item::Distance(&symbol, here, &tables));
                    }
                    self.item(&Item::Inst(&symbol, inst, &tables));
                }
                Line::Frame(frame) => self.item(&Item::Frame(frame)),
                Line::Label(label) => self.item(&Item::Label(&symbol, label)),
                Line::Align(bytes) => self.item(&Item::Align(*bytes)),
                Line::Comment(text) => {
                    self.layout.blank();
                    self.layout.comment(text);
                }
            }
        }
        self.item(&Item::EndFunction(&symbol, &unit.entry()));
    }
}
