//! `loom list`: the kernels and what is known of them.

use std::path::PathBuf;

use cipherloom_measure::Columns;
use serde::Serialize;

use loom::ir::{Access, Extent};
use loom::isa::frame::Abi;
use loom::isa::registry;
use loom::library;
use loom::record::Record;
use loom::tune::GENERIC;
use loom::variant::KernelVariant;

use super::error::Result;
use super::recipe::recipe;
use super::{output, repository};

/// Prints the kernels and what is known of each
#[derive(Debug, clap::Args)]
pub(crate) struct List {
    /// Only these kernels [default: all]
    #[arg(value_name = "KERNEL")]
    kernels: Vec<String>,
    /// Only kernels that the library takes in
    #[arg(long, conflicts_with = "kernels")]
    shipped: bool,
    /// The directory of tuned files [default: the one of Cipherloom's source tree, or ./tuned]
    #[arg(long, value_name = "DIR")]
    tuned: Option<PathBuf>,
    /// Print everything as JSON
    #[arg(long)]
    json: bool,
}

/// A kernel's record, and what else is known.
#[derive(Serialize)]
struct Row {
    name: String,
    doc: String,
    abi: &'static str,
    features: Vec<&'static str>,
    constant_time: bool,
    table_bytes: usize,
    stack_bytes: u32,
    keeps_values_on_stack: bool,
    /// What figures count, and how many of it one of the count is.
    per: &'static str,
    pieces: usize,
    params: Vec<Param>,
    shipped: bool,
    tuned: bool,
    description: String,
}

#[derive(Serialize)]
struct Param {
    name: String,
    doc: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    access: Option<&'static str>,
    /// Bytes that it leads to, or that it leads to for each one of the count.
    #[serde(skip_serializing_if = "Option::is_none")]
    bytes: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    bytes_per_count: Option<u32>,
}

impl List {
    /// # Errors
    /// Bad usage, or a tuned file that cannot be used.
    pub(crate) fn run(&self) -> Result<()> {
        let mut shipped: Vec<_> = registry::targets().flat_map(library::variants_for).collect();
        let of_vendors = registry::targets().flat_map(library::variants_of_vendors);
        shipped.extend(of_vendors.map(|(_, variant)| variant));
        let variants = match (self.kernels.as_slice(), self.shipped) {
            (_, true) => shipped.clone(),
            ([], false) => registry::targets().flat_map(KernelVariant::all).collect(),
            (names, false) => names.iter().map(|name| Ok(name.parse()?)).collect::<Result<_>>()?,
        };
        let store = repository::store(self.tuned.as_deref());
        let mut rows = Vec::new();
        for variant in variants {
            let abi = Abi::usual(variant.target);
            let plan = recipe(&store, &variant, abi, GENERIC)?.plan;
            let record = variant.make(abi, &plan)?.record().clone();
            let tuned = store.load(&variant, abi, GENERIC)?.is_some();
            rows.push(Row::new(&variant, record, shipped.contains(&variant), tuned));
        }
        if self.json { output::print_json(&rows) } else { output::print(&table(&rows)) }
    }
}

impl Row {
    fn new(variant: &KernelVariant, record: Record, shipped: bool, tuned: bool) -> Self {
        let (per, pieces) = variant.strategy.counted();
        let params = record.params.iter().map(|param| {
            let access = param.memory.map(|(access, _)| match access {
                Access::Read => "read",
                Access::Write => "write",
                Access::ReadWrite => "read and write",
            });
            let (mut bytes, mut bytes_per_count) = (None, None);
            match param.memory {
                Some((_, Extent::Fixed(n))) => bytes = Some(n),
                Some((_, Extent::PerCount(n))) => bytes_per_count = Some(n),
                None => {}
            }
            let (name, doc) = (param.name.clone(), param.doc.clone());
            Param { name, doc, access, bytes, bytes_per_count }
        });
        Self {
            params: params.collect(),
            name: variant.to_string(),
            doc: record.doc,
            abi: record.abi.name,
            features: record.features,
            constant_time: record.constant_time,
            table_bytes: record.table_bytes,
            stack_bytes: record.stack_bytes,
            keeps_values_on_stack: record.spills,
            per: per.name(),
            pieces,
            shipped,
            tuned,
            description: record.description,
        }
    }
}

fn table(rows: &[Row]) -> String {
    let yes = |is: bool| if is { "yes" } else { "no" }.to_owned();
    let heading = [
        "kernel",
        "ABI",
        "features",
        "constant time",
        "shipped",
        "tuned",
        "does",
        "tables",
        "stack",
    ];
    let mut columns = Columns::new(7, heading);
    for row in rows {
        let plural = if row.pieces == 1 { "" } else { "s" };
        columns.row([
            row.name.clone(),
            row.abi.to_owned(),
            if row.features.is_empty() { "-".to_owned() } else { row.features.join(",") },
            yes(row.constant_time),
            yes(row.shipped),
            yes(row.tuned),
            format!("{} {}{plural}", row.pieces, row.per),
            row.table_bytes.to_string(),
            row.stack_bytes.to_string(),
        ]);
    }
    columns.to_string()
}
