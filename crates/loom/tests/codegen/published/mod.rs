//! Published vectors through every kernel for 32-bit programs, as machine code in this very process.
//!
//! Those for 64-bit programs meet the same vectors in the library's tests.

mod blocks;
mod known;
mod machine;
mod slices;
mod streams;
