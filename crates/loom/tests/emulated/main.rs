//! Kernels for processors that this one is not, assembled and run under emulators.
#![cfg(all(target_os = "linux", target_arch = "x86_64"))]

mod aarch64;
mod folder;
mod hppa;
mod realmode;
mod specified;
