//! Many values at work, for faces that serve columns: the command and Python.
//!
//! * [`Task`] is what is to be done with every record, and a [`Group`] of them goes through it together.
//! * [`Work`] is a cipher with its mode at work on many records, each with a key and an IV.
//! * [`Status`] is what became of a record, in two words; [`explain`] says why the library refused one.
//! * [`Wiped`] is a vector of bytes that leaves none behind.
//! * `Values` (feature `arrow`) is a column of text or bytes, whatever its layout in memory.
//!
//! The crate opens no files, starts no threads and prints nothing.

#[cfg(feature = "arrow")]
mod column;
mod group;
mod status;
mod task;
mod wiped;
mod work;

#[cfg(feature = "arrow")]
pub use column::{OtherKind, Values, is_binary};
pub use group::{Field, Group, GroupError, Marks};
pub use status::{Status, explain};
pub use task::{IvFrom, KeyFrom, Task, WeakKeys};
pub use wiped::Wiped;
pub use work::{Work, check_key_len};
