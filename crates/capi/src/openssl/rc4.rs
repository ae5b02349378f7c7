//! RC4 on a state that the program holds.

use super::{moved, need, stop};
use core::ffi::c_int;
use library::Rc4;
use zeroize::Zeroizing;

/// `RC4_KEY`, with the words that RC4 is printed with: i, j and S.
#[repr(C)]
pub(crate) struct Rc4Key {
    x: u32,
    y: u32,
    data: [u32; 256],
}

/// From so many bytes on a kernel pays for taking S apart and putting it back (measured on Zen 5).
const KERNEL: usize = 384;

const FAILED: &str = "no kernel of RC4 passed its self-test";

impl Rc4Key {
    /// Byte by byte.
    fn apply(&mut self, data: &mut [u8]) {
        let (mut i, mut j) = (self.x as u8, self.y as u8);
        if Rc4::apply_words(&mut self.data, &mut i, &mut j, data).is_err() {
            stop(FAILED);
        }
        (self.x, self.y) = (i.into(), j.into());
    }

    /// Whole groups of eight bytes by a kernel; `None` if none works, and nothing has changed.
    fn apply_groups(&mut self, data: &mut [u8]) -> Option<()> {
        let s = Zeroizing::new(self.data.map(|entry| entry as u8));
        let mut stream = Rc4::resume(&s, self.x as u8, self.y as u8).ok()?;
        stream.apply(data).ok()?;
        let (s, i, j) = stream.pause().unwrap_or_else(|| stop("RC4 lost its place"));
        (self.x, self.y, self.data) = (i.into(), j.into(), Zeroizing::new(s).map(u32::from));
        Some(())
    }
}

#[unsafe(no_mangle)]
unsafe extern "C" fn cl_RC4_set_key(key: Option<&mut Rc4Key>, len: c_int, data: *const u8) {
    let len = usize::try_from(len).unwrap_or(0).min(Rc4::MAX_KEY_LEN);
    if len == 0 {
        stop("RC4_set_key needs a key of 1 byte or more");
    }
    need((!data.is_null()).then_some(()));
    // SAFETY: the header asks for `len` bytes.
    let data = unsafe { core::slice::from_raw_parts(data, len) };
    let key = need(key);
    (key.x, key.y) = (0, 0);
    if Rc4::set_up_words(data, &mut key.data).is_err() {
        stop(FAILED);
    }
}

#[unsafe(no_mangle)]
unsafe extern "C" fn cl_RC4(
    key: Option<&mut Rc4Key>,
    len: usize,
    input: *const u8,
    output: *mut u8,
) {
    // SAFETY: the header asks for `len` bytes in both places.
    let (key, data) = unsafe { (need(key), moved(input, output, len, len)) };
    // Groups begin where i is a multiple of 8.
    let first = if len >= KERNEL { usize::from((key.x as u8).wrapping_neg() % 8) } else { len };
    let (first, data) = data.split_at_mut(first);
    key.apply(first);
    let (groups, rest) = data.split_at_mut(data.len() / 8 * 8);
    if !groups.is_empty() && key.apply_groups(groups).is_none() {
        key.apply(groups);
    }
    key.apply(rest);
}
