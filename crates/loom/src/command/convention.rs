//! Calling conventions by their names on the command line.

use loom::isa::Target;
use loom::isa::frame::Abi;
use loom::variant::KernelVariant;

use super::error::{Error, Result};

/// A target's calling convention.
///
/// # Errors
/// Bad usage if it has none of that name.
pub(crate) fn named(target: &'static Target, name: &str) -> Result<&'static Abi> {
    let known: Vec<_> = Abi::of(target).collect();
    known.iter().find(|abi| abi.name == name).copied().ok_or_else(|| {
        let names = known.iter().map(|abi| abi.name).collect::<Vec<_>>().join(" or ");
        Error::usage(format!("no calling convention `{name}` for {target}; {names}"))
    })
}

/// The convention of this name, or a kernel's usual one, if its functions can be called here: they are called
/// as those of the usual one.
///
/// # Errors
/// Bad usage if there is none, or it passes arguments otherwise.
pub(crate) fn callable(variant: &KernelVariant, name: Option<&str>) -> Result<&'static Abi> {
    let usual = Abi::usual(variant.target);
    let abi = name.map_or(Ok(usual), |name| named(variant.target, name))?;
    if abi.is_called_as(usual) {
        return Ok(abi);
    }
    Err(Error::usage(format!(
        "functions of the convention {} are not called as those of {}, which is all that can be measured",
        abi.name, usual.name
    )))
}
