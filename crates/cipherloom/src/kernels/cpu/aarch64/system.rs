//! A system that is not asked: what the program was built for is all that is known.

pub(super) fn has_sha3() -> bool {
    false
}

pub(super) fn has_dit() -> bool {
    false
}
