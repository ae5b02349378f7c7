//! Where passwords come from: options, files, a terminal.

mod descriptor;
pub(crate) mod password;
pub(crate) mod terminal;
