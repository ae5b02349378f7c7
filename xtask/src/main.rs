//! The commands of the README and of CI.
fn main() {}
