//! Many values at work, for faces that serve columns: the command and Python.
//!
//! * [`Work`] is a cipher with its mode at work on many records, each with a key and an IV.
//! * [`Status`] is what became of a record, in two words; [`explain`] says why the library refused one.
//! * `Values` (feature `arrow`) is a column of text or bytes, whatever its layout in memory.
//!
//! The crate opens no files, starts no threads and prints nothing.

#[cfg(feature = "arrow")]
mod column;
mod status;
mod work;

#[cfg(feature = "arrow")]
pub use column::{OtherKind, Values, is_binary};
pub use status::{Status, explain};
pub use work::{Work, check_key_len};
