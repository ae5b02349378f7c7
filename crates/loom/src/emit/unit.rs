//! A kernel to be written to a file.

use crate::isa::Target;
use crate::isa::text::Listing;
use crate::pipeline::CompiledKernel;
use crate::record::Record;

/// A kernel to be written to a file.
#[derive(Clone, Debug)]
pub struct Unit {
    /// What callers must know.
    pub record: Record,
    /// How it was made, in lines for the header.
    pub made: Vec<String>,
    /// Its lines.
    pub listing: Listing,
}

impl Unit {
    /// A kernel to be written. `made` says in a few lines how it was made: the plan, and whether it was
    /// tuned.
    ///
    /// # Panics
    /// If its target has no formats.
    #[must_use]
    pub fn new(
        kernel: &dyn CompiledKernel,
        made: impl IntoIterator<Item = impl Into<String>>,
    ) -> Self {
        let made = made.into_iter().map(Into::into).collect();
        Self { record: kernel.record().clone(), made, listing: kernel.listing() }
    }

    /// The target.
    #[must_use]
    pub fn target(&self) -> &'static Target {
        self.record.abi.target
    }
}
