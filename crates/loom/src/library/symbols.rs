//! The symbols of kernels and tables.
//!
//! A linker takes things of one symbol for one thing, also if they come from two builds of the library
//! in one program, and keeps the first. So a symbol says what it stands for: it carries a hash of its
//! file, in which a kernel names its tables by their symbol. Different kernels have different symbols,
//! whatever the version of the library says, and equal ones may as well be one.

use sha2::{Digest, Sha256};
use std::collections::BTreeMap;

/// Digits of a hash in a symbol, of 4 bits each.
const DIGITS: usize = 16;

/// The hashes of names.
#[derive(Default)]
pub(super) struct Symbols(BTreeMap<String, String>);

impl Symbols {
    /// Whether something of this name was printed.
    pub(super) fn has(&self, name: &str) -> bool {
        self.0.contains_key(name)
    }

    /// Prints something of a name, first with this bare name, which gives the hash, and then with its
    /// symbol. What it refers to must have been printed before.
    pub(super) fn print(
        &mut self,
        name: &str,
        text: impl Fn(&dyn Fn(&str) -> String) -> String,
    ) -> String {
        let bare = text(&|used| if used == name { used.to_owned() } else { self.symbol(used) });
        let digest = Sha256::digest(bare.as_bytes());
        let mut hash: String = digest.iter().map(|byte| format!("{byte:02x}")).collect();
        hash.truncate(DIGITS);
        self.0.insert(name.to_owned(), hash);
        text(&|used| self.symbol(used))
    }

    /// The hash in a symbol.
    ///
    /// # Panics
    /// Nothing of this name was printed.
    pub(super) fn hash(&self, name: &str) -> &str {
        self.0.get(name).unwrap_or_else(|| panic!("{name} has no symbol yet"))
    }

    /// The symbol of a name.
    ///
    /// # Panics
    /// Nothing of this name was printed.
    pub(super) fn symbol(&self, name: &str) -> String {
        format!("cipherloom_{}_{name}", self.hash(name))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_symbol_changes_with_all_that_its_text_says_and_refers_to() {
        let symbols = |entries: &str, code: &str| {
            let mut symbols = Symbols::default();
            symbols.print("tables", |symbol| format!("{}: {entries}", symbol("tables")));
            symbols.print("kernel", |symbol| {
                format!("{}: {code} {}", symbol("kernel"), symbol("tables"))
            });
            ["tables", "kernel"].map(|name| symbols.symbol(name))
        };
        let [tables, kernel] = symbols("1, 2", "look up");
        assert_eq!(symbols("1, 2", "look up"), [tables.clone(), kernel.clone()]);
        let [same, changed] = symbols("1, 2", "look twice");
        assert!(same == tables && changed != kernel);
        let [other, follows] = symbols("1, 3", "look up");
        assert!(other != tables && follows != kernel);
    }
}
