//! DES, Triple-DES and RC4.
