//! Keys of block ciphers.

use cipherloom::{self as library, Algorithm, BlockCipher, Parity, Policy};
use pyo3::prelude::*;

use crate::buffer::Input;
use crate::fault;

/// A key of a block cipher; the classes below it say which cipher.
#[pyclass(frozen, subclass, module = "cipherloom")]
pub(crate) struct BlockKey(pub(crate) library::BlockKey);

#[pymethods]
impl BlockKey {
    fn __repr__(&self) -> String {
        format!("<cipherloom.{}>", self.0.algorithm().name())
    }
}

fn made(
    algorithm: Algorithm,
    key: &[u8],
    checked: bool,
    odd_parity: bool,
    constant_time: bool,
) -> PyResult<BlockKey> {
    let parity = if odd_parity { Parity::Odd } else { Parity::Ignore };
    let key = match checked || odd_parity {
        true => library::BlockKey::new_checked(algorithm, key, parity),
        false => library::BlockKey::new(algorithm, key),
    };
    let mut key = key.map_err(fault::library)?;
    if constant_time {
        key.set_policy(Policy::ConstantTime);
    }
    Ok(BlockKey(key))
}

/// Defines a class for each cipher: its name and the first line of its documentation.
macro_rules! key_classes {
    ($($name:ident, $doc:literal;)*) => {
        $(
            #[doc = $doc]
            #[pyclass(frozen, extends = BlockKey, module = "cipherloom")]
            pub(crate) struct $name;

            #[pymethods]
            impl $name {
                /// Bytes of a key.
                #[classattr]
                const KEY_LEN: usize = Algorithm::$name.key_len();

                #[new]
                #[pyo3(signature = (key, *, checked = false, odd_parity = false, constant_time = false))]
                fn new(
                    key: Input,
                    checked: bool,
                    odd_parity: bool,
                    constant_time: bool,
                ) -> PyResult<PyClassInitializer<Self>> {
                    let key = made(Algorithm::$name, &key, checked, odd_parity, constant_time)?;
                    Ok(PyClassInitializer::from(key).add_subclass(Self))
                }
            }
        )*

        pub(crate) fn add(module: &Bound<'_, PyModule>) -> PyResult<()> {
            module.add_class::<BlockKey>()?;
            $(module.add_class::<$name>()?;)*
            Ok(())
        }
    };
}

key_classes! {
    Des, "DES (FIPS 46-3), 8 key bytes.";
    TdesEde2, "Triple-DES with two keys (SP 800-67), 16 key bytes.";
    TdesEde3, "Triple-DES with three keys (SP 800-67), 24 key bytes.";
    TdesEee2, "Triple-DES of three encryptions with two keys, 16 key bytes.";
    TdesEee3, "Triple-DES of three encryptions with three keys, 24 key bytes.";
    Desx, "DESX: a DES key, then 8 bytes of input and 8 of output whitening.";
}
