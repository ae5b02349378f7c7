//! Literal, slow transcriptions of the standards for DES, Triple-DES and RC4.
