//! The command, run as a user runs it. One program for all of these tests, as each would link the
//! whole command again.

mod common;
#[cfg(unix)]
mod docs;
#[cfg(target_os = "linux")]
mod memory;

mod auto;
#[cfg(unix)]
mod errors;
mod measuring;
#[cfg(feature = "migrate")]
mod migrate;
mod modes;
mod openssl;
mod pages;
mod parsers;
#[cfg(unix)]
mod places;
#[cfg(all(unix, feature = "migrate"))]
mod readme;
mod records;
#[cfg(target_os = "linux")]
mod terminal;
