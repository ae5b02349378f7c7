//! The command, run as a user runs it. One program for all of these tests, as each would link the
//! whole command again.

mod common;
#[cfg(unix)]
mod docs;
#[cfg(target_os = "linux")]
mod memory;

mod auto;
#[cfg(feature = "arrow")]
mod columnar;
#[cfg(unix)]
mod errors;
mod laws;
mod long;
mod meaning;
mod measuring;
#[cfg(feature = "migrate")]
mod migrate;
mod modes;
mod openssl;
mod options;
mod pages;
mod parsers;
#[cfg(unix)]
mod passwords;
#[cfg(unix)]
mod places;
mod presets;
#[cfg(target_os = "linux")]
mod prompt;
#[cfg(target_os = "linux")]
mod pty;
#[cfg(all(unix, feature = "migrate"))]
mod readme;
mod records;
#[cfg(unix)]
mod replace;
#[cfg(target_os = "linux")]
mod secrets;
#[cfg(unix)]
mod shown;
#[cfg(target_os = "linux")]
mod terminal;
mod traps;
#[cfg(windows)]
mod windows;
