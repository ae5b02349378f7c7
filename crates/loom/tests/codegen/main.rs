//! Machine code, made in many ways and run in this very process, gives the interpreter's results; what is
//! wrong in it is found.

mod checker;
mod frames;
mod leaks;
#[cfg(target_arch = "x86_64")]
mod native;
#[cfg(target_arch = "x86_64")]
mod old;
#[cfg(target_arch = "x86_64")]
mod plans;
#[cfg(all(target_arch = "x86_64", target_os = "linux"))]
mod published;
#[cfg(target_arch = "x86_64")]
mod vectors;
mod ways;
