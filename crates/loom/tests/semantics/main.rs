//! What kernels mean: the interpreter gives the specification's results.

mod bitslice;
mod des;
mod ir;
#[cfg(unix)]
mod libdes;
mod rc4;
