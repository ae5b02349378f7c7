//! Peers: other programs that the tests compare with.
//!
//! A peer that is missing fails the test, with one line that says what to install. Only who sets
//! `CIPHERLOOM_WITHOUT_PEERS` to the peers' names (`openssl`, `python`; commas between) gets
//! `None`, and a line on stderr for each test that went without (valgrind obeys it, too):
//!
//! ```no_run
//! let Some(openssl) = cipherloom_testkit::peers::openssl() else { return };
//! let ciphertext = openssl.enc(&["-des-cbc", "-K", "0123456789abcdef", "-iv", "00"], b"text");
//! ```

mod openssl;
mod program;
mod python;

pub use openssl::{Openssl, openssl};
pub use program::{WITHOUT, left_out};
pub use python::{Python, python};
