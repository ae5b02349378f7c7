//! A kernel and a changed one on the processor at hand, beside each other.
#![allow(unsafe_code, reason = "runs machine code")]

use proof::bits::{Bit, Bits};
use proof::theorems::schedules::{Inverted, Order, Subkey, slice_masks, table_words, windows};

const BUFFER: usize = 1 << 15;
/// What of a buffer other kernels want at most: four states of RC4, or three groups of blocks, or a schedule.
const RC4: usize = 4 * (256 * 4 + 8);
const BLOCKS: usize = 512;

/// Four buffers, more than any of the kernels wants.
#[repr(C, align(64))]
#[derive(Clone, PartialEq)]
struct Buffers([[u8; BUFFER]; 4]);

/// A file's constant parts at an address of this process's.
struct Loaded {
    memory: *mut u8,
    size: usize,
    base: u64,
}

impl Loaded {
    fn new((base, bytes): &(u64, Vec<u8>)) -> Self {
        // Alignment within a page stays as it is.
        let within = (base % 4096) as usize;
        let size = bytes.len() + within;
        // SAFETY: a new mapping, large enough for what is copied into it.
        let memory = unsafe {
            let protection = libc::PROT_READ | libc::PROT_WRITE | libc::PROT_EXEC;
            let flags = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS;
            let memory = libc::mmap(std::ptr::null_mut(), size, protection, flags, -1, 0);
            assert_ne!(memory, libc::MAP_FAILED);
            let memory = memory.cast::<u8>();
            std::ptr::copy_nonoverlapping(bytes.as_ptr(), memory.add(within), bytes.len());
            memory
        };
        Self { memory, size, base: base - within as u64 }
    }

    /// Calls the kernel at an address.
    fn call(&self, entry: u64, arguments: [usize; 4]) {
        let [a, b, c, d] = arguments;
        // SAFETY: the kernel was proved to keep to its convention and to its buffers, and each argument
        // is a count, a number or a buffer larger than it wants.
        unsafe {
            let entry = self.memory.add((entry - self.base) as usize);
            let kernel: extern "sysv64" fn(usize, usize, usize, usize) = std::mem::transmute(entry);
            kernel(a, b, c, d);
        }
    }
}

impl Drop for Loaded {
    fn drop(&mut self) {
        // SAFETY: the mapping is this one's own, and nothing of it runs any more.
        unsafe {
            libc::munmap(self.memory.cast(), self.size);
        }
    }
}

/// Whether this processor has what a kernel's name asks for.
fn can_run(name: &str) -> bool {
    let has = |feature: &str, has: bool| !name.contains(feature) || has;
    has("avx2", std::arch::is_x86_feature_detected!("avx2"))
        && has("bmi2", std::arch::is_x86_feature_detected!("bmi2"))
        && has("avx512", std::arch::is_x86_feature_detected!("avx512bw"))
        && has("vbmi", std::arch::is_x86_feature_detected!("avx512vbmi"))
        && (!name.contains("vbmi") || std::arch::is_x86_feature_detected!("gfni"))
        && has("gfni", std::arch::is_x86_feature_detected!("gfni"))
}

/// So much of each buffer is random, and compared. A kernel that was proved touches no more.
fn extent(name: &str) -> usize {
    match lanes(name) {
        // No region is longer than the keys.
        Some(lanes) => 112 * passes(name) * lanes / 8,
        None if name.starts_with("rc4") => RC4,
        None => BLOCKS,
    }
}

fn lanes(name: &str) -> Option<usize> {
    let (_, lanes) = name.split_once("bitslice")?;
    Some(lanes.get(..3)?.parse().expect("128, 256 or 512"))
}

fn passes(name: &str) -> usize {
    if name.starts_with("tdes") { 3 } else { 1 }
}

/// The schedule or the masks of a random key, for kernels whose third argument that is.
fn schedule(name: &str, random: &mut fastrand::Rng) -> Vec<u8> {
    let key = |_| std::array::from_fn(|_| Bit::constant(random.bool()));
    let keys: Vec<Subkey> = (0..16 * passes(name)).map(key).collect();
    let is_bitslice = name.contains("des_bitslice");
    let mut bits = Bits::default();
    let words = if is_bitslice {
        let inverted = Inverted::by(&name.split('_').collect::<Vec<_>>());
        slice_masks(&mut bits, &inverted.keys(&keys), inverted.outputs)
    } else {
        table_words(&mut bits, &keys)
    };
    let words: Vec<bool> = words.into_iter().map(|bit| bit.known().unwrap()).collect();
    if is_bitslice {
        return words.into_iter().flat_map(|mask| [if mask { 0xff } else { 0 }; 4]).collect();
    }
    let byte = |bits: &[bool]| bits.iter().rev().fold(0, |byte, &bit| byte << 1 | u8::from(bit));
    words.chunks(8).map(byte).collect()
}

/// All lanes have one mask.
fn unite_lanes(name: &str, masks: &mut [u8]) {
    let width = if name.contains("bitslice128") { 16 } else { 4 };
    masks.chunks_mut(width).for_each(|mask| mask.fill(if mask[0] & 1 == 1 { 0xff } else { 0 }));
}

/// Which arguments a kernel wants: buffers by number, or a number. Every 16 times a new `schedule`.
fn arguments(
    name: &str,
    buffers: &mut Buffers,
    schedule: &[u8],
    random: &mut fastrand::Rng,
) -> [usize; 4] {
    for buffer in &mut buffers.0 {
        for words in buffer[..extent(name)].as_chunks_mut::<8>().0 {
            *words = random.u64(..).to_le_bytes();
        }
    }
    let [a, b, c, d] = &mut buffers.0;
    let count = random.usize(..4);
    if name.starts_with("rc4") {
        // i, which all states have in common, and j.
        let i = random.u8(..);
        let entry = if name.contains("_s32") { 4 } else { 1 };
        for state in a[..4 * (256 * entry + 8)].chunks_mut(256 * entry + 8) {
            let (s, indices) = state.split_at_mut(256 * entry);
            // In a word of S a byte stands.
            s.chunks_mut(entry).for_each(|entry| entry[1..].fill(0));
            let j = indices[4];
            indices.copy_from_slice(&[i, 0, 0, 0, j, 0, 0, 0]);
        }
        if name.contains("_reg") {
            let j = a[260].wrapping_sub(i);
            a[256..264].fill(j);
            a[264..272].fill(i.wrapping_neg());
        }
        return [a.as_ptr() as usize, b.as_ptr() as usize, count, 0];
    }
    if ["table64", "_reg", "_pack"].iter().any(|of| name.contains(of)) {
        c[..schedule.len()].copy_from_slice(schedule);
        return [a.as_ptr() as usize, count, c.as_ptr() as usize, d.as_ptr() as usize];
    }
    if let "des_encrypt1" | "des_encrypt2" | "des_encrypt3" | "des_decrypt3" = name {
        // Schedules of libdes have six bits in each byte, those of each second word rotated.
        let buffers =
            [&mut *b, c, d].into_iter().flat_map(|buffer| buffer[..BLOCKS].as_chunks_mut().0);
        for words in buffers {
            let mask = u64::from(0xfcfc_fcfc_u32.rotate_left(4)) << 32 | 0xfcfc_fcfc;
            *words = (u64::from_le_bytes(*words) & mask).to_le_bytes();
        }
        let enc = random.usize(..2);
        let third = if name.ends_with('3') { c.as_ptr() as usize } else { enc };
        return [a.as_ptr() as usize, b.as_ptr() as usize, third, d.as_ptr() as usize];
    }
    if name.contains("_lanes") {
        // Each round has a window into the slices of keys.
        let is_ede = passes(name) == 3 && random.bool();
        let order = Order { is_ede, is_backwards: random.bool() };
        let windows = windows(passes(name), lanes(name).unwrap() / 8, order);
        for (place, window) in d.as_chunks_mut::<8>().0.iter_mut().zip(windows) {
            *place = window.to_le_bytes();
        }
    } else if name.contains("des_bitslice") {
        c[..schedule.len()].copy_from_slice(schedule);
    } else if name.contains("rows_in") {
        unite_lanes(name, &mut a[..512]);
    } else if name.contains("rows_out") || name.contains("counters") {
        unite_lanes(name, &mut b[..1024]);
    }
    [a, b, c, d].map(|buffer| buffer.as_ptr() as usize)
}

/// Runs a kernel of two files on the same inputs, which must give the same: whether this processor has what it
/// needs.
pub(crate) fn compare(
    name: &str,
    entry: u64,
    one: &(u64, Vec<u8>),
    other: &(u64, Vec<u8>),
    inputs: usize,
) -> bool {
    if !can_run(name) {
        return false;
    }
    let (one, other) = (Loaded::new(one), Loaded::new(other));
    let mut random = fastrand::Rng::with_seed(9);
    let new = || Box::new(Buffers([[0; BUFFER]; 4]));
    let (mut buffers, mut before, mut after) = (new(), new(), new());
    let copy = |to: &mut Buffers, from: &Buffers| {
        let pairs = to.0.iter_mut().zip(&from.0);
        pairs.for_each(|(to, from)| to[..extent(name)].copy_from_slice(&from[..extent(name)]));
    };
    let mut of_key = Vec::new();
    for n in 0..inputs {
        if n % 16 == 0 {
            of_key = schedule(name, &mut random);
        }
        let arguments = arguments(name, &mut buffers, &of_key, &mut random);
        copy(&mut before, &buffers);
        one.call(entry, arguments);
        let now = std::hint::black_box(&mut buffers);
        copy(&mut after, now);
        copy(now, &before);
        let _ = std::hint::black_box(&mut buffers);
        other.call(entry, arguments);
        let mut pairs = std::hint::black_box(&mut buffers).0.iter().zip(&after.0);
        assert!(
            pairs.all(|(x, y)| x[..extent(name)] == y[..extent(name)]),
            "{name}: a change was accepted that differs"
        );
    }
    true
}
