//! Where passwords come from.

mod descriptor;
pub(crate) mod password;
