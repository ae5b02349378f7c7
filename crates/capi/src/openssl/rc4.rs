//! RC4 on a state that the program holds.

use super::{moved, need, stop};
use core::ffi::c_int;
use library::Rc4;

/// `RC4_KEY`, with the words that RC4 is printed with: i, j and S.
#[repr(C)]
pub(crate) struct Rc4Key {
    x: u32,
    y: u32,
    data: [u32; 256],
}

/// From so many bytes on a kernel pays for taking S apart and putting it back.
const KERNEL: usize = 256;

impl Rc4Key {
    fn swap(&mut self, k: u32) -> u32 {
        let i = self.x as usize & 255;
        let j = self.y.wrapping_add(self.data[i]).wrapping_add(k) & 255;
        self.data.swap(i, j as usize);
        self.y = j;
        self.data[i].wrapping_add(self.data[j as usize])
    }

    fn set(&mut self, key: &[u8]) {
        for (n, entry) in (0..).zip(&mut self.data) {
            *entry = n;
        }
        (self.x, self.y) = (0, 0);
        for (n, k) in (0..256).zip(key.iter().cycle()) {
            self.x = n;
            self.swap((*k).into());
        }
        (self.x, self.y) = (0, 0);
    }

    /// Byte by byte.
    fn apply(&mut self, data: &mut [u8]) {
        for byte in data {
            self.x = self.x.wrapping_add(1) & 255;
            let sum = self.swap(0);
            *byte ^= self.data[sum as usize & 255] as u8;
        }
    }

    /// Whole groups of eight bytes by a kernel; `None` if none works, and nothing has changed.
    fn apply_groups(&mut self, data: &mut [u8]) -> Option<()> {
        let s = self.data.map(|entry| entry as u8);
        let mut stream = Rc4::resume(&s, self.x as u8, self.y as u8).ok()?;
        stream.apply(data).ok()?;
        let pause = stream.pause();
        let (s, i, j) = pause.unwrap_or_else(|| stop("RC4 lost its place"));
        (self.x, self.y, self.data) = (i.into(), j.into(), s.map(u32::from));
        Some(())
    }
}

#[unsafe(no_mangle)]
unsafe extern "C" fn cl_RC4_set_key(key: Option<&mut Rc4Key>, len: c_int, data: *const u8) {
    let len = usize::try_from(len).unwrap_or(0).min(Rc4::MAX_KEY_LEN);
    need((len > 0 && !data.is_null()).then_some(()));
    // SAFETY: the header asks for `len` bytes.
    need(key).set(unsafe { core::slice::from_raw_parts(data, len) });
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
    let groups = if len >= KERNEL { len / 8 * 8 } else { 0 };
    let (groups, rest) = data.split_at_mut(groups);
    if !groups.is_empty() && key.apply_groups(groups).is_none() {
        key.apply(groups);
    }
    key.apply(rest);
}
