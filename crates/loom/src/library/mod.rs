//! What the library `cipherloom` takes in: which kernels, in which files.
//!
//! `list/` says which kernels ship; `rust.rs` writes the Rust around them, `portable.rs` the S-boxes
//! of the bit-sliced kernel that is Rust; `symbols.rs` gives symbols. All of it is committed, and `loom check` compares it with
//! what is made here.

mod list;
mod portable;
mod rust;
mod symbols;

pub use list::{variants, variants_for, variants_of_vendors};

use std::collections::BTreeMap;

use self::list::{PROCESSORS, Processor};
use self::symbols::Symbols;
use crate::allocate::Wrong;
use crate::emit::{Unit, body, tables_body};
use crate::ir::Kernel;
use crate::isa::costs::Cpu;
use crate::isa::frame::Abi;
use crate::pipeline::Options;
use crate::tune::{GENERIC, Store, Unusable, VENDORS, by_model, words};
use crate::variant::KernelVariant;

/// Where the assembly for a processor is, from the repository's root.
fn assembly(processor: &Processor) -> String {
    format!("{ASSEMBLY}/{}", processor.folder)
}

/// Where the Rust around it is.
fn rust(processor: &Processor) -> String {
    format!("crates/cipherloom/src/kernels/asm/{}/generated.rs", processor.folder)
}

const ASSEMBLY: &str = "crates/cipherloom/kernels";

/// Where its tables of FIPS 46-3 are.
const FIPS: &str = "crates/cipherloom/src/kernels/fips.rs";

/// How a kernel is made: its plan, and what its header says of it.
#[derive(Clone, Debug)]
pub struct Recipe {
    /// The plan.
    pub plan: Options,
    /// A few lines for people.
    pub how: Vec<String>,
}

impl Recipe {
    /// The recipe of a kernel that nobody tuned, for a calling convention.
    ///
    /// # Errors
    /// As [`KernelVariant::shortest`].
    pub fn untuned(variant: &KernelVariant, abi: &'static Abi) -> Result<Self, Wrong> {
        let plan = variant.shortest(abi)?;
        let how = std::iter::once("untuned".to_owned()).chain(words(&plan)).collect();
        Ok(Self { plan, how })
    }

    /// The recipe of a kernel for a calling convention and a processor: the plan that was tuned for both, or for
    /// the usual convention, or that of a kernel that nobody tuned.
    ///
    /// # Errors
    /// As [`Store::load`] and [`KernelVariant::shortest`].
    pub fn find<E: From<Unusable> + From<Wrong>>(
        store: &Store,
        variant: &KernelVariant,
        abi: &'static Abi,
        processor: &str,
    ) -> Result<Self, E> {
        let tuned = match store.load(variant, abi, processor)? {
            None => store.load(variant, Abi::usual(abi.target), processor)?,
            own => own,
        };
        Ok(match tuned {
            Some(tuned) => Self { how: tuned.how(), plan: tuned.plan },
            None => Self::untuned(variant, abi)?,
        })
    }

    /// The recipe of a kernel for a calling convention and a processor that is not at hand, by its costs.
    ///
    /// # Panics
    /// As [`by_model`].
    #[must_use]
    pub fn modelled(
        variant: &KernelVariant,
        abi: &'static Abi,
        cpu: &'static Cpu,
        steps: usize,
    ) -> Self {
        let (plan, cycles) = by_model(variant, abi, cpu, steps);
        let found = format!("best plan by the costs of {}, {cycles} cycles predicted", cpu.name);
        let how = std::iter::once(found).chain(words(&plan)).collect();
        Self { plan, how }
    }
}

/// A kernel that ships: the one for every processor, and those for the processors of some vendors.
struct Shipped {
    kernel: Kernel,
    unit: Unit,
    /// With their vendors' names.
    special: Vec<(&'static str, Unit)>,
}

/// Every generated file of the library: its path from the repository's root, and its content. `recipe`
/// gives the recipe of a kernel by the plans of a directory, generic or a vendor's; by a vendor's plans only
/// of what ships for its processors.
///
/// # Errors
/// As [`KernelVariant::make`], or as `recipe`.
///
/// # Panics
/// If a kernel is not what the library relies on.
pub fn files<E: From<Wrong>>(
    recipe: impl Fn(&KernelVariant, &str) -> Result<Option<Recipe>, E>,
) -> Result<BTreeMap<String, String>, E> {
    let mut files = BTreeMap::new();
    for processor in &PROCESSORS {
        kernels(processor, &recipe, &mut files)?;
    }
    files.insert(portable::PATH.to_owned(), portable::source());
    files.insert(FIPS.to_owned(), cipherloom_circuits::FIPS.replace("\npub ", "\npub(crate) "));
    Ok(files)
}

/// The files of one processor.
fn kernels<E: From<Wrong>>(
    processor: &Processor,
    recipe: &impl Fn(&KernelVariant, &str) -> Result<Option<Recipe>, E>,
    files: &mut BTreeMap<String, String>,
) -> Result<(), E> {
    let mut shipped = Vec::new();
    for group in (processor.groups)() {
        for variant in &group.variants {
            let unit = |own: &KernelVariant,
                        plans,
                        vendor: Option<&str>|
             -> Result<Option<(Kernel, Unit)>, E> {
                let Some(Recipe { plan, how }) = recipe(own, plans)? else { return Ok(None) };
                let mut made = own.make(Abi::usual(own.target), &plan)?;
                group.check(made.record());
                if processor.lands {
                    made.land();
                }
                let name = variant.name();
                made.rename(
                    vendor.map_or_else(|| name.clone(), |vendor| format!("{name}_{vendor}")),
                );
                Ok(Some((made.kernel().clone(), Unit::new(&*made, how))))
            };
            let (kernel, generic) =
                unit(variant, GENERIC, None)?.expect("all kernels ship for all processors");
            let mut special = Vec::new();
            for vendor in VENDORS {
                special
                    .extend(unit(variant, vendor, Some(vendor))?.map(|(_, unit)| (vendor, unit)));
            }
            for (vendor, own) in group.own(*variant) {
                special.extend(unit(&own, GENERIC, Some(vendor))?.map(|(_, unit)| (vendor, unit)));
            }
            shipped.push(Shipped { kernel, unit: generic, special });
        }
    }
    let folder = assembly(processor);
    let mut symbols = Symbols::default();
    let special = shipped.iter().flat_map(|each| &each.special).map(|(_, unit)| unit);
    for unit in shipped.iter().map(|each| &each.unit).chain(special) {
        if let Some(tables) = &unit.listing.tables
            && !symbols.has(&tables.name)
        {
            let text =
                symbols.print(&tables.name, |symbol| tables_body(unit.target(), tables, symbol));
            files.insert(format!("{folder}/{}.s", tables.name), text);
        }
        let name = &unit.record.name;
        let text = symbols.print(name, |symbol| body(unit, symbol));
        files.insert(format!("{folder}/{name}.s"), text);
    }
    files.insert(rust(processor), rust::source(processor, &shipped, &symbols));
    Ok(())
}

/// The folders in which there is nothing but generated files.
#[must_use]
pub fn folders() -> Vec<String> {
    PROCESSORS.iter().map(assembly).collect()
}
