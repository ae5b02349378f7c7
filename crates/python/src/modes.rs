//! Modes of operation, for messages whole and in pieces.

use cipherloom::{self as library, Padding};
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use zeroize::Zeroizing;

use crate::buffer::{self, Input, detached, filled};
use crate::fault;
use crate::keys::BlockKey;
use crate::names;

/// A mode of operation with its IV or first counter and its padding.
#[pyclass(frozen, module = "cipherloom")]
pub(crate) struct Mode {
    mode: library::Mode,
    name: &'static str,
    /// What the mode fills messages up with.
    padding: Padding,
}

fn iv(bytes: &[u8]) -> PyResult<[u8; 8]> {
    let wrong = library::Error::IvLength { got: bytes.len(), want: 8 };
    bytes.try_into().map_err(|_| fault::library(wrong))
}

/// The modes that have nothing but an IV.
macro_rules! modes_of_iv {
    ($mode:ident: $($name:ident, $doc:literal;)*) => {
        #[pymethods]
        impl $mode {
            $(
                #[doc = $doc]
                #[staticmethod]
                fn $name(iv: Input) -> PyResult<Self> {
                    let mode = library::Mode::$name(self::iv(&iv)?);
                    Ok(Self { mode, name: stringify!($name), padding: Padding::None })
                }
            )*

            /// Electronic codebook.
            #[staticmethod]
            #[pyo3(signature = (padding = "pkcs7"))]
            fn ecb(padding: &str) -> PyResult<Self> {
                let padding = names::padding(padding)?;
                Ok(Self { mode: library::Mode::ecb(padding), name: "ecb", padding })
            }

            /// Cipher block chaining.
            #[staticmethod]
            #[pyo3(signature = (iv, padding = "pkcs7"))]
            fn cbc(iv: Input, padding: &str) -> PyResult<Self> {
                let padding = names::padding(padding)?;
                let mode = library::Mode::cbc(self::iv(&iv)?, padding);
                Ok(Self { mode, name: "cbc", padding })
            }

            /// The ciphertext of a message.
            fn encrypt<'py>(
                &self,
                py: Python<'py>,
                key: &Bound<'_, BlockKey>,
                data: Input,
            ) -> PyResult<Bound<'py, PyBytes>> {
                let key = &key.get().0;
                let len = self.mode.encrypted_len(data.len()).map_err(fault::library)?;
                filled(py, len, |out| self.mode.encrypt(key, &data, out).map(drop))
            }

            /// The plaintext of a message, without its padding.
            fn decrypt<'py>(
                &self,
                py: Python<'py>,
                key: &Bound<'_, BlockKey>,
                data: Input,
            ) -> PyResult<Bound<'py, PyBytes>> {
                let key = &key.get().0;
                if self.padding == Padding::None {
                    return filled(py, data.len(), |out| {
                        self.mode.decrypt(key, &data, out).map(drop)
                    });
                }
                // How long it is, only its end says.
                let mut message = Zeroizing::new(data.to_vec());
                let len = detached(py, message.len(), || {
                    self.mode.decrypt_in_place(key, &mut message).map(|plaintext| plaintext.len())
                });
                Ok(PyBytes::new(py, &message[..len.map_err(fault::library)?]))
            }

            /// Begins the encryption of a message that comes in pieces.
            fn encryptor(&self, key: &Bound<'_, BlockKey>) -> Encryptor {
                Encryptor(Some(self.mode.encryptor(&key.get().0)))
            }

            /// Begins the decryption of a message that comes in pieces.
            fn decryptor(&self, key: &Bound<'_, BlockKey>) -> Decryptor {
                Decryptor(Some(self.mode.decryptor(&key.get().0)))
            }

            fn __repr__(&self) -> String {
                format!("<cipherloom.Mode {}>", self.name)
            }
        }
    };
}

modes_of_iv! { Mode:
    cbc_cs1, "CBC with ciphertext stealing, variant CS1.";
    cbc_cs2, "CBC with ciphertext stealing, variant CS2.";
    cbc_cs3, "CBC with ciphertext stealing, variant CS3, as Kerberos has it.";
    cfb1, "Cipher feedback with segments of 1 bit.";
    cfb8, "Cipher feedback with segments of 8 bits.";
    cfb64, "Cipher feedback with segments of 64 bits.";
    ofb, "Output feedback.";
    ctr, "Counter mode; the IV is the first counter, 64 bits, high byte first.";
}

/// Defines the two faces of a message in pieces.
macro_rules! faces {
    ($($name:ident, $doc:literal;)*) => {$(
        #[doc = $doc]
        #[pyclass(module = "cipherloom")]
        pub(crate) struct $name(Option<library::$name>);

        impl $name {
            fn message(&mut self) -> PyResult<&mut library::$name> {
                self.0.as_mut().ok_or_else(|| fault::usage("the message has ended"))
            }
        }

        #[pymethods]
        impl $name {
            /// Takes the next piece, and returns what can be said of the result already.
            fn update<'py>(&mut self, py: Python<'py>, data: Input) -> PyResult<Bound<'py, PyBytes>> {
                let message = self.message()?;
                filled(py, message.update_len(data.len()), |out| message.update(&data, out).map(drop))
            }

            /// The same into an object with a buffer; returns the number of bytes.
            fn update_into(
                &mut self,
                py: Python<'_>,
                data: Input,
                output: &Bound<'_, PyAny>,
            ) -> PyResult<usize> {
                let message = self.message()?;
                let mut out = Zeroizing::new(vec![0; message.update_len(data.len())]);
                detached(py, out.len(), || message.update(&data, &mut out).map(drop))
                    .map_err(fault::library)?;
                buffer::write(&out, output)
            }

            /// Ends the message, and returns the rest of the result.
            fn finish<'py>(&mut self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
                self.message()?;
                let Some(message) = self.0.take() else { return Ok(PyBytes::new(py, &[])) };
                let mut out = Zeroizing::new([0; 16]);
                let len = message.finish(&mut out[..]).map_err(fault::library)?;
                Ok(PyBytes::new(py, &out[..len]))
            }
        }
    )*};
}

faces! {
    Encryptor, "Encrypts a message that comes in pieces.";
    Decryptor, "Decrypts a message that comes in pieces.";
}
