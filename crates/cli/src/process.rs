//! What the process asks of the system for its secrets' sake.

/// From here on the system writes no core dump of this process, which would hold keys and plaintext,
/// and, on Linux and Android, lets no other program of the same user look into its memory.
///
/// A system that refuses, or has no such thing, is no reason not to work.
pub(crate) fn keep_memory_private() {
    #[cfg(unix)]
    {
        use rustix::process::{Resource, Rlimit, setrlimit};
        let _ = setrlimit(Resource::Core, Rlimit { current: Some(0), maximum: Some(0) });
    }
    // A core dump that is piped to a program knows no limit; this ends it, too.
    #[cfg(any(target_os = "linux", target_os = "android"))]
    {
        use rustix::process::{DumpableBehavior, set_dumpable_behavior};
        let _ = set_dumpable_behavior(DumpableBehavior::NotDumpable);
    }
}

/// Bytes of the stack that are wiped: more than any command takes.
const STACK: usize = 256 << 10;

/// Writes zeros over what calls that have ended left on the stack, copies of keys among it.
#[inline(never)]
pub(crate) fn wipe_stack() {
    std::hint::black_box(&mut [0u8; STACK]);
}
