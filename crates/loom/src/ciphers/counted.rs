//! What the figures of a kernel count.

/// What the figures of a kernel count.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Counted {
    /// 8 bytes of DES.
    Block,
    /// A byte of a stream.
    Byte,
    /// A key set up.
    Key,
}

impl Counted {
    /// Its name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Block => "block",
            Self::Byte => "byte",
            Self::Key => "key",
        }
    }
}
