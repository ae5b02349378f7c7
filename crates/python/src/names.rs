//! Words that callers choose by.

use cipherloom::Padding;
use cipherloom_formats::encoding::Encoding;
use cipherloom_formats::preset::Charset;
use pyo3::prelude::*;

use crate::fault;

/// Defines a function from a word to what it stands for.
macro_rules! words {
    ($($name:ident -> $of:ty: $($word:literal => $value:expr),*;)*) => {$(
        /// # Errors
        /// The word is none of those that are listed.
        pub(crate) fn $name(word: &str) -> PyResult<$of> {
            match word {
                $($word => Ok($value),)*
                other => Err(fault::usage(format!(
                    concat!("unknown ", stringify!($name), " {}; there are {}"),
                    other,
                    [$($word),*].join(", ")
                ))),
            }
        }
    )*};
}

words! {
    padding -> Padding:
        "pkcs7" => Padding::Pkcs7, "iso7816" => Padding::Iso7816, "zero" => Padding::Zero,
        "none" => Padding::None;
    encoding -> Encoding:
        "hex" => Encoding::Hex, "base64" => Encoding::Base64, "bytes" => Encoding::Text;
    charset -> Charset:
        "bytes" => Charset::Bytes, "utf-8" => Charset::Utf8, "utf-16" => Charset::Utf16Le;
}
