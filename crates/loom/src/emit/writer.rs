//! What is printed, in which order: the same for every dialect.

use std::collections::HashSet;

use super::header;
use super::unit::Unit;
use crate::isa::Target;
use crate::isa::text::{Dialect, Format, Item, Layout, Line, Refers, Section, Tables, all_land};

/// A file with kernels and one copy of the tables that they look up, in any dialect. `prefix`
/// stands before the name of each.
///
/// # Panics
/// If the format is one of object files, or another target's.
#[must_use]
pub fn text(format: &Format, units: &[Unit], prefix: &str) -> String {
    let dialect = format.dialect().expect("a format for an assembler");
    let symbol = |name: &str| format!("{prefix}{name}");
    let mut writer = Writer::new(dialect, &symbol);
    let features: Vec<_> = units.iter().flat_map(|unit| unit.record.features.clone()).collect();
    let pointer = units.first().map_or(0, |unit| unit.record.abi.pointer);
    writer.item(&Item::Start(&features, pointer));
    // Code that finds its tables by a distance has them in its own section.
    let together = units.iter().any(|unit| unit.listing.together);
    let mut printed = HashSet::new();
    for tables in units.iter().filter_map(|unit| unit.listing.tables.as_ref()) {
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
        for (at, table) in unit.listing.tables.iter().flat_map(Tables::places) {
            writer.item(&Item::Constant(&Tables::constant(table), at as u64));
        }
        let symbol = writer.symbol(&unit.record.name);
        writer.item(&Item::Global(&symbol));
        writer.kernel(unit);
    }
    writer.end_section();
    let land = all_land(units.iter().map(|unit| &unit.listing));
    if land && format.without_landing.is_none() {
        writer.item(&Item::Landing);
    }
    writer.item(&Item::Finish(!together));
    writer.layout.finish()
}

/// A kernel without a word of sections or containers: what the library takes in between a head and a
/// tail for the container at hand. `symbol` makes symbols of its name and of that of its tables.
///
/// # Panics
/// If the target has no such form.
#[must_use]
pub fn body(unit: &Unit, symbol: &dyn Fn(&str) -> String) -> String {
    let mut writer = Writer::new(dialect_of_bodies(unit.target()), symbol);
    writer.layout.comments(&header::kernel(unit, None));
    writer.layout.blank();
    writer.item(&Item::Global(&writer.symbol(&unit.record.name)));
    writer.kernel(unit);
    writer.layout.finish()
}

/// Tables in the same form.
///
/// # Panics
/// As [`body`].
#[must_use]
pub fn tables_body(
    target: &'static Target,
    tables: &Tables,
    symbol: &dyn Fn(&str) -> String,
) -> String {
    let mut writer = Writer::new(dialect_of_bodies(target), symbol);
    writer.item(&Item::Global(&writer.symbol(&tables.name)));
    writer.tables(tables);
    writer.layout.finish()
}

fn dialect_of_bodies(target: &'static Target) -> &'static dyn Dialect {
    target.body.and_then(Format::dialect).expect("a form that fits into every container")
}

/// A text in the making.
struct Writer<'a> {
    dialect: &'a dyn Dialect,
    symbol: &'a dyn Fn(&str) -> String,
    layout: Layout,
    section: Option<Section>,
}

impl<'a> Writer<'a> {
    fn new(dialect: &'a dyn Dialect, symbol: &'a dyn Fn(&str) -> String) -> Self {
        Self { dialect, symbol, layout: Layout::new(dialect.comment()), section: None }
    }

    fn symbol(&self, name: &str) -> String {
        (self.symbol)(name)
    }

    fn item(&mut self, item: &Item<'_>) {
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
        self.item(&Item::Align(Tables::ALIGN));
        for (n, table) in tables.tables.iter().enumerate() {
            self.layout.blank();
            self.layout.comment(&format!("{}: {}", Tables::constant(table), table.doc));
            let name = (n == 0).then_some(symbol.as_str());
            self.item(&Item::Entries(name, table.entry_bytes, &table.entries));
        }
        self.item(&Item::EndTables(&symbol));
    }

    fn kernel(&mut self, unit: &Unit) {
        let symbol = self.symbol(&unit.record.name);
        let tables = unit.listing.tables.as_ref().map_or(String::new(), |t| self.symbol(&t.name));
        self.item(&Item::Align(unit.target().entry));
        self.item(&Item::Function(&symbol));
        for line in &unit.listing.lines {
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
        self.item(&Item::EndFunction(&symbol, &unit.listing.entry()));
    }
}
