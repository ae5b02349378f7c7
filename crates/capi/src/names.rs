//! C's numbers for ciphers, modes, paddings and policies, and names of backends.

use super::code::Code;
use core::ffi::{CStr, c_char, c_int};
use library::{Algorithm, Backend, Mode, Padding, Parity, Policy};

/// Defines a function from C's numbers, as the header has them, to our values.
macro_rules! numbers {
    ($($(#[$doc:meta])* $function:ident -> $type:ty { $($number:literal $name:literal => $value:expr,)* })*) => {
        $(
            $(#[$doc])*
            pub(crate) fn $function(number: c_int) -> Result<$type, Code> {
                match number {
                    $($number => Ok($value),)*
                    _ => Err(Code::Argument),
                }
            }
        )*

        /// Names in the header and their numbers.
        #[cfg(test)]
        pub(crate) const NUMBERS: &[(&str, c_int)] = &[$($(($name, $number),)*)*];
    };
}

/// A mode, with an IV where it has one, and a padding where it has one.
type MakeMode = fn([u8; 8], Padding) -> Mode;

numbers! {
    algorithm -> Algorithm {
        1 "CL_DES" => Algorithm::Des,
        2 "CL_TDES_EDE2" => Algorithm::TdesEde2,
        3 "CL_TDES_EDE3" => Algorithm::TdesEde3,
        4 "CL_TDES_EEE2" => Algorithm::TdesEee2,
        5 "CL_TDES_EEE3" => Algorithm::TdesEee3,
        6 "CL_DESX" => Algorithm::Desx,
    }
    padding -> Padding {
        0 "CL_NO_PADDING" => Padding::None,
        1 "CL_PKCS7" => Padding::Pkcs7,
        2 "CL_ISO7816" => Padding::Iso7816,
        3 "CL_ZERO_PADDING" => Padding::Zero,
    }
    policy -> Policy {
        0 "CL_FASTEST" => Policy::Fastest,
        1 "CL_CONSTANT_TIME" => Policy::ConstantTime,
    }
    parity -> Parity {
        0 "CL_IGNORE_PARITY" => Parity::Ignore,
        1 "CL_ODD_PARITY" => Parity::Odd,
    }
    padded_mode -> MakeMode {
        1 "CL_ECB" => |_, padding| Mode::ecb(padding),
        2 "CL_CBC" => Mode::cbc,
    }
    unpadded_mode -> fn([u8; 8]) -> Mode {
        3 "CL_CBC_CS1" => Mode::cbc_cs1,
        4 "CL_CBC_CS2" => Mode::cbc_cs2,
        5 "CL_CBC_CS3" => Mode::cbc_cs3,
        6 "CL_CFB1" => Mode::cfb1,
        7 "CL_CFB8" => Mode::cfb8,
        8 "CL_CFB64" => Mode::cfb64,
        9 "CL_OFB" => Mode::ofb,
        10 "CL_CTR" => Mode::ctr,
    }
    /// Not a block cipher: for batches only.
    rc4 -> () {
        7 "CL_RC4" => (),
    }
}

/// `CL_ECB`, `CL_CBC`, `CL_CTR`: the modes of batches.
pub(crate) const ECB: c_int = 1;
pub(crate) const CBC: c_int = 2;
pub(crate) const CTR: c_int = 10;

/// The backend of a name.
///
/// # Errors
/// [`Code::Null`]; [`Code::Backend`] if this processor has none of this name.
///
/// # Safety
/// `name` is null or a string of C.
pub(crate) unsafe fn backend(name: *const c_char) -> Result<Backend, Code> {
    if name.is_null() {
        return Err(Code::Null);
    }
    // SAFETY: as the caller says.
    let name = unsafe { CStr::from_ptr(name) };
    let is_it = |backend: &&Backend| backend.name().as_bytes() == name.to_bytes();
    Backend::all().iter().find(is_it).copied().ok_or(Code::Backend)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_header_has_these_numbers() {
        let mut theirs = super::super::header::constants(|name| {
            name != "CL_OK" && !name.starts_with("CL_ERROR_")
        });
        let mut ours = NUMBERS.to_vec();
        ours.sort_unstable();
        theirs.sort_unstable();
        assert_eq!(ours, theirs);
        for (name, number) in [("CL_ECB", ECB), ("CL_CBC", CBC), ("CL_CTR", CTR)] {
            assert!(ours.contains(&(name, number)), "{name}");
        }
    }
}
