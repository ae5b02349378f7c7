//! What OpenSSL holds of us.

use super::upcalls::Core;
use crate::ciphers::Cipher;
use crate::context::Context;
use crate::pipes::Pipes;

/// What OpenSSL has of a cipher at work.
pub(super) struct Handle {
    pub(super) core: *const Core,
    pub(super) context: Context,
    /// Messages side by side, from OpenSSL 3.5 on.
    pub(super) pipes: Pipes,
}

impl Handle {
    /// Without a key.
    pub(super) fn new(core: *const Core, cipher: &'static Cipher) -> Box<Self> {
        Box::new(Self { core, context: Context::new(cipher), pipes: Pipes::default() })
    }

    /// # Safety
    /// Whoever made it has OpenSSL's word that the provider stays as long as its ciphers.
    pub(super) unsafe fn core<'a>(&self) -> &'a Core {
        // SAFETY: as the caller says.
        unsafe { &*self.core }
    }

    /// # Safety
    /// As [`core`](Self::core).
    pub(super) unsafe fn parts<'a>(&mut self) -> (&'a Core, &mut Context) {
        // SAFETY: as the caller says.
        (unsafe { self.core() }, &mut self.context)
    }
}
