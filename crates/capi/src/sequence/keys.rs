//! Keys: handles, and what the model knows of them.

use super::face::*;
use super::memory::{Memory, judge};
use cipherloom_testkit::fuzz::Input;
use cipherloom_testkit::oracle::SpecKey;
use core::ffi::c_int;
use library::{Algorithm, Backend, BlockCipher as _, BlockKey, Error, Parity};

/// A key of C, and what it must be.
pub(super) struct Known {
    pub(super) handle: Handle,
    pub(super) algorithm: Algorithm,
    bytes: Vec<u8>,
    /// Knows which backends are taken.
    choice: BlockKey,
}

impl Known {
    pub(super) fn spec(&self) -> SpecKey {
        SpecKey::new(self.algorithm, &self.bytes)
    }

    pub(super) fn bytes(&self) -> &[u8] {
        &self.bytes
    }
}

impl Drop for Known {
    fn drop(&mut self) {
        // SAFETY: a handle that was made and not yet freed.
        unsafe { cl_key_free(self.handle) }
    }
}

/// Several of them, of which one is always there.
pub(super) struct Keys(Vec<Known>);

/// The header's number of a cipher.
pub(super) fn number(algorithm: Algorithm) -> c_int {
    let place = Algorithm::ALL.iter().position(|other| *other == algorithm);
    [1, 2, 3, 4, 5, 6][place.expect("one of all")]
}

impl Keys {
    pub(super) fn new() -> Self {
        let mut handle = core::ptr::null_mut();
        let bytes = b"an key16".to_vec();
        // SAFETY: eight bytes and a place.
        assert_eq!(unsafe { cl_key_new(&raw mut handle, 1, bytes.as_ptr(), 8) }, 0);
        let choice = BlockKey::new(Algorithm::Des, &bytes).expect("8 bytes");
        Self(vec![Known { handle, algorithm: Algorithm::Des, bytes, choice }])
    }

    pub(super) fn pick(&self, input: &mut Input<'_>) -> &Known {
        &self.0[usize::from(input.byte()) % self.0.len()]
    }

    pub(super) fn step(&mut self, input: &mut Input<'_>, memory: &mut Memory) {
        let n = usize::from(input.byte()) % self.0.len();
        match input.byte() % 6 {
            0 | 1 => self.make(input, memory),
            2 => {
                let from = &self.0[n];
                let mut handle = core::ptr::null_mut();
                // SAFETY: a key and a place.
                assert_eq!(unsafe { cl_key_copy(&raw mut handle, from.handle) }, 0);
                let (algorithm, bytes) = (from.algorithm, from.bytes.clone());
                let choice = from.choice.clone();
                self.add(Known { handle, algorithm, bytes, choice });
            }
            3 if self.0.len() > 1 => drop(self.0.remove(n)),
            4 => {
                let policy =
                    input.choose(&[library::Policy::Fastest, library::Policy::ConstantTime]);
                // SAFETY: a key.
                assert_eq!(unsafe { cl_key_set_policy(self.0[n].handle, policy as c_int) }, 0);
                self.0[n].choice.set_policy(policy);
            }
            _ => {
                let which = usize::from(input.byte()) % Backend::all().len();
                let expected = self.0[n].choice.set_backend(Backend::all()[which]);
                // SAFETY: a key, and a name of the library.
                let got = unsafe { cl_key_set_backend(self.0[n].handle, cl_backend_name(which)) };
                judge(got, &expected.map_err(Into::into), &Backend::all()[which]);
            }
        }
    }

    fn make(&mut self, input: &mut Input<'_>, memory: &mut Memory) {
        let algorithm = input.choose(&Algorithm::ALL);
        let shape = input.byte();
        let len = if shape & 7 == 0 { usize::from(input.byte() % 40) } else { algorithm.key_len() };
        let part = memory.part_of(input, len);
        if shape & 8 != 0 {
            // Bytes of the input's own choice, which may be weak.
            let bytes = input.bytes(part.len);
            memory.set(part, &bytes);
        }
        let bytes = memory.get(part).to_vec();
        let checks = shape & 0x10 != 0;
        let parity = if shape & 0x20 != 0 { Parity::Odd } else { Parity::Ignore };
        let expected = match BlockKey::fault(algorithm, &bytes, parity) {
            Err(error) => Err(error),
            Ok(Some(fault)) if checks => Err(Error::Key(fault)),
            Ok(_) => Ok(()),
        };
        let mut handle = self.0[0].handle;
        let (cipher, place) = (number(algorithm), memory.place(part));
        // SAFETY: `part` is memory, and there is a place.
        let got = unsafe {
            if checks {
                cl_key_new_checked(&raw mut handle, cipher, place, part.len, parity as c_int)
            } else {
                cl_key_new(&raw mut handle, cipher, place, part.len)
            }
        };
        judge(got, &expected.map_err(Into::into), &(algorithm, &bytes, checks));
        assert_eq!(handle.is_null(), got != 0);
        if got == 0 {
            let choice = BlockKey::new(algorithm, &bytes).expect("its length is right");
            self.add(Known { handle, algorithm, bytes, choice });
        }
    }

    fn add(&mut self, key: Known) {
        self.0.push(key);
        if self.0.len() > 4 {
            self.0.remove(0);
        }
    }
}
