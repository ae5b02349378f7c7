//! Kernels that ship together: which, and what the library relies on.

use crate::ciphers::Strategy;
use crate::isa::{Features, Target};
use crate::record::Record;
use crate::variant::KernelVariant;

/// Kernels that ship together, and what the library relies on in all of them. (What they touch is in
/// the types of their functions: there the compiler sees to it.)
pub(in crate::library) struct Group {
    pub(in crate::library) variants: Vec<KernelVariant>,
    /// Vendors whose processors have kernels of their own, and what these take for granted beyond the others.
    pub(in crate::library) vendors: &'static [(&'static str, Features)],
    /// Whether no address and no branch depends on a secret: what their backend says.
    pub(super) constant_time: bool,
    /// Fewest and most bytes of tables.
    pub(super) table_bytes: [usize; 2],
}

/// Most bytes of the stack that a kernel may take: the library wipes what is below a call.
const MOST_STACK: u32 = 4096;

impl Group {
    /// Kernels that every vendor's processors run alike.
    pub(super) fn new(
        variants: Vec<KernelVariant>,
        constant_time: bool,
        table_bytes: [usize; 2],
    ) -> Self {
        Self { variants, vendors: &[], constant_time, table_bytes }
    }

    /// Those that a vendor's processors have of a kernel, by their names.
    pub(in crate::library) fn own(
        &self,
        variant: KernelVariant,
    ) -> impl Iterator<Item = (&'static str, KernelVariant)> {
        self.vendors.iter().map(move |&(vendor, more)| {
            (vendor, KernelVariant { features: variant.features.or(more), ..variant })
        })
    }

    /// All of these: what each is called in the library, and how it is made.
    pub(super) fn of_vendors(&self) -> Vec<(String, KernelVariant)> {
        let each = self.variants.iter().flat_map(|variant| {
            self.own(*variant).map(|(vendor, own)| (format!("{}_{vendor}", variant.name()), own))
        });
        each.collect()
    }

    /// # Panics
    /// If a kernel is not what the library relies on.
    pub(in crate::library) fn check(&self, record: &Record) {
        let Record { name, constant_time, table_bytes, stack_bytes, .. } = record;
        let [fewest, most] = &self.table_bytes;
        let asked = self.constant_time;
        assert_eq!(
            *constant_time, asked,
            "{name}: constant time is not what its group in `groups` has"
        );
        assert!(
            (fewest..=most).contains(&table_bytes),
            "{name}: {table_bytes} bytes of tables are not what its group in `groups` has"
        );
        assert!(*stack_bytes <= MOST_STACK, "{name}: {stack_bytes} bytes of the stack");
    }
}

/// The variants of strategies, by their names, for the sets of features that `sets` gives.
///
/// # Panics
/// If a name is no strategy's.
pub(super) fn all(
    target: &'static Target,
    names: &[&str],
    sets: &dyn Fn(&Strategy) -> Vec<Features>,
) -> Vec<KernelVariant> {
    let strategies = names.iter().map(|name| {
        Strategy::by_name(name)
            .unwrap_or_else(|| panic!("no strategy {name}: does `Strategy::all` have it?"))
    });
    let variants = strategies.flat_map(|strategy| {
        let sets = sets(&strategy).into_iter();
        sets.map(move |features| KernelVariant::on(target, strategy, features))
    });
    variants.collect()
}
