//! How a kernel is made: by its tuned file, if there is one.

use loom::isa::frame::Abi;
use loom::library::Recipe;
use loom::tune::{GENERIC, Store, Tuned};
use loom::variant::KernelVariant;

use super::error::Result;

/// What ships of a kernel by the plans of a directory: by those of a vendor only what was tuned for it.
///
/// # Errors
/// As [`recipe`].
pub(crate) fn shipped(
    store: &Store,
    variant: &KernelVariant,
    plans: &str,
) -> Result<Option<Recipe>> {
    let abi = Abi::usual(variant.target);
    if plans != GENERIC && store.load(variant, abi, plans)?.is_none() {
        return Ok(None);
    }
    recipe(store, variant, abi, plans).map(Some)
}

/// As [`Recipe::find`].
///
/// # Errors
/// A failure if there is a tuned file that cannot be used, or loom makes a wrong kernel.
pub(crate) fn recipe(
    store: &Store,
    variant: &KernelVariant,
    abi: &'static Abi,
    processor: &str,
) -> Result<Recipe> {
    Recipe::find(store, variant, abi, processor)
}

/// What is no longer true of a tuned file, if anything.
///
/// # Errors
/// As [`KernelVariant::make`].
pub(crate) fn stale(
    variant: &KernelVariant,
    abi: &'static Abi,
    tuned: &Tuned,
) -> Result<Option<&'static str>> {
    let made = variant.make(abi, &tuned.plan)?;
    Ok(if made.record().description != tuned.description {
        Some("the kernel's description has changed since it was tuned")
    } else if loom::tune::code_hash(&*made) != tuned.code {
        Some("its plan makes other code than was measured")
    } else {
        None
    })
}
