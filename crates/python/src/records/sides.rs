//! What stands beside the data: keys, IVs and salts, checked against the plan and read.

use cipherloom::Direction;
use cipherloom_formats::encoding::Encoding;
use cipherloom_formats::preset::SecretKind;
use pyo3::prelude::*;
use zeroize::Zeroizing;

use super::column::{Column, Side};
use super::plan::{CipherPlan, PresetPlan, secret_name};
use crate::fault;

pub(super) type Bytes = Zeroizing<Vec<u8>>;

/// The columns of a call.
pub(super) struct Columns<'a> {
    pub(super) data: &'a Column,
    pub(super) key: &'a Option<Side>,
    pub(super) iv: &'a Option<Side>,
    pub(super) salt: &'a Option<Side>,
}

/// What was given, for all values or for each.
pub(super) struct Given {
    pub(super) key: bool,
    pub(super) iv: bool,
    pub(super) salt: bool,
}

impl Columns<'_> {
    pub(super) fn given(&self) -> Given {
        Given { key: self.key.is_some(), iv: self.iv.is_some(), salt: self.salt.is_some() }
    }
}

/// # Errors
/// A key or an IV is missing, or is not taken.
pub(super) fn check_cipher(plan: &CipherPlan, columns: &Columns<'_>) -> PyResult<()> {
    let name = &plan.cipher.name;
    match (columns.iv.is_some(), plan.iv_prefix, plan.cipher.iv_len()) {
        _ if columns.key.is_none() => Err(fault::usage("give a key, or a column of keys")),
        _ if columns.salt.is_some() => Err(fault::usage("a salt is for presets")),
        (true, true, 8) => {
            Err(fault::usage("give IVs, or say that they stand before the data: not both"))
        }
        (true, _, 0) | (_, true, 0) => Err(fault::usage(format!("{name} has no IV"))),
        (false, false, 8) => Err(fault::usage(format!(
            "{name} takes an IV, or a column of them, or iv_prefix=True if they stand before the data"
        ))),
        _ => Ok(()),
    }
}

/// # Errors
/// As above, of a preset.
pub(super) fn check_preset(plan: &PresetPlan, given: &Given) -> PyResult<()> {
    let name = plan.preset.name;
    if given.key == (plan.preset.secret == SecretKind::None) && !plan.has_key_file() {
        return Err(fault::usage(format!("preset {name} takes {}", secret_name(plan.preset))));
    }
    let (salt_len, iv_len) = match plan.direction {
        Direction::Encrypt => plan.preset.own_lens(),
        Direction::Decrypt => (0, 0),
    };
    for (is_given, is_taken, what) in [
        (given.iv, plan.preset.takes_iv(None) || iv_len > 0, "IV"),
        (given.salt, plan.preset.takes_salt() || salt_len > 0, "salt"),
    ] {
        if is_given && !is_taken {
            return Err(fault::usage(format!("preset {name} takes no {what}")));
        }
    }
    Ok(())
}

/// The secret of one value.
///
/// # Errors
/// It cannot be read.
pub(super) fn secret(plan: &PresetPlan, side: Option<Side>) -> PyResult<Option<Bytes>> {
    match side {
        Some(Side::One(bytes, is_text)) => {
            secret_bytes(plan, &bytes, is_text).map(Some).map_err(fault::usage)
        }
        Some(Side::Each(_)) => Err(fault::usage("one value has one key")),
        None => Ok(None),
    }
}

/// The IV or salt of one value.
///
/// # Errors
/// It cannot be read.
pub(super) fn fixed(what: &str, side: Option<Side>) -> PyResult<Option<Bytes>> {
    match side {
        None => Ok(None),
        Some(Side::One(bytes, is_text)) => {
            hex(&bytes, is_text).map(Some).map_err(|error| wrong(what, error))
        }
        Some(Side::Each(_)) => Err(fault::usage(format!("one value has one {what}"))),
    }
}

/// A password as it is; a key as people write it for this preset, if it is text.
///
/// # Errors
/// It cannot be read.
pub(super) fn secret_bytes(
    plan: &PresetPlan,
    value: &[u8],
    is_text: bool,
) -> Result<Bytes, String> {
    match plan.preset.secret {
        SecretKind::Key(..) if is_text => plan.read_secret(value),
        _ => Ok(Zeroizing::new(value.to_vec())),
    }
}

/// Bytes, which text has in hex.
///
/// # Errors
/// They cannot be read.
pub(super) fn hex(value: &[u8], is_text: bool) -> Result<Bytes, String> {
    let mut bytes = Zeroizing::new(Vec::with_capacity(value.len()));
    let encoding = if is_text { Encoding::Hex } else { Encoding::Text };
    encoding.decode(value, &mut bytes).map_err(|error| error.to_string())?;
    Ok(bytes)
}

/// What is wrong with one of them.
pub(super) fn wrong(what: &str, error: impl std::fmt::Display) -> PyErr {
    fault::usage(format!("{what}: {error}"))
}
