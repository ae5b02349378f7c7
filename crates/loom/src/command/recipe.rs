//! How a kernel is made: by its tuned file, if there is one.

use loom::edition::Edition;
use loom::isa::frame::Abi;
use loom::library::Recipe;
use loom::tune::{Store, Tuned};

use super::error::{Error, Result};

/// The plan of a kernel for a processor: the tuned one, or the plan of a kernel that nobody tuned.
///
/// # Errors
/// A failure if there is a tuned file that cannot be used.
pub(crate) fn recipe(store: &Store, edition: &Edition, processor: &str) -> Result<Recipe> {
    Ok(match store.load(edition, processor)? {
        Some(tuned) => Recipe { how: tuned.how(), plan: tuned.plan },
        None => Recipe::untuned(edition),
    })
}

/// What is no longer true of a tuned file, if anything.
///
/// # Errors
/// As [`Edition::make`].
pub(crate) fn stale(edition: &Edition, tuned: &Tuned) -> Result<Option<&'static str>> {
    let abi = Abi::usual(edition.target);
    let made = edition.make(abi, &tuned.plan).map_err(Error::from)?;
    Ok(if made.record.description != tuned.description {
        Some("the kernel's description has changed since it was tuned")
    } else if loom::tune::code_hash(&made) != tuned.code {
        Some("its plan makes other code than was measured")
    } else {
        None
    })
}
