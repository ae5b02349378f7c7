//! A kernel and a changed one on the processor at hand, beside each other.
#![allow(unsafe_code, reason = "runs machine code")]

const BUFFER: usize = 1 << 14;

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

/// Which arguments a kernel wants: buffers by number, or a number.
fn arguments(name: &str, buffers: &mut Buffers, random: &mut fastrand::Rng) -> Option<[usize; 4]> {
    for buffer in &mut buffers.0 {
        for words in buffer.as_chunks_mut::<8>().0 {
            *words = random.u64(..).to_le_bytes();
        }
    }
    let [a, b, c, d] = &mut buffers.0;
    let count = random.usize(..4);
    if name.starts_with("rc4") {
        // i, which all states have in common, and j.
        let i = random.u8(..);
        for state in a.chunks_mut(264).filter(|state| state.len() == 264) {
            let j = state[260];
            state[256..].copy_from_slice(&[i, 0, 0, 0, j, 0, 0, 0]);
        }
        return Some([a.as_ptr() as usize, b.as_ptr() as usize, count, 0]);
    }
    if name.contains("table64") || name.contains("_reg") {
        c.iter_mut().for_each(|byte| *byte &= 0x3f);
        return Some([a.as_ptr() as usize, count, c.as_ptr() as usize, d.as_ptr() as usize]);
    }
    if name.contains("lanes") {
        // Windows must be those of a key.
        return None;
    }
    if let "des_encrypt1" | "des_encrypt2" | "des_encrypt3" | "des_decrypt3" = name {
        // Schedules of libdes have six bits in each byte, those of each second word rotated.
        for words in b
            .as_chunks_mut::<8>()
            .0
            .iter_mut()
            .chain(c.as_chunks_mut().0)
            .chain(d.as_chunks_mut().0)
        {
            let mask = u64::from(0xfcfc_fcfc_u32.rotate_left(4)) << 32 | 0xfcfc_fcfc;
            *words = (u64::from_le_bytes(*words) & mask).to_le_bytes();
        }
        let enc = random.usize(..2);
        let third = if name.ends_with('3') { c.as_ptr() as usize } else { enc };
        return Some([a.as_ptr() as usize, b.as_ptr() as usize, third, d.as_ptr() as usize]);
    }
    if name.contains("des_bitslice") {
        // All lanes have one mask.
        for mask in c.as_chunks_mut::<4>().0 {
            *mask = if random.bool() { [0xff; 4] } else { [0; 4] };
        }
    }
    Some([a, b, c, d].map(|buffer| buffer.as_ptr() as usize))
}

/// Runs a kernel of two files on the same inputs, which must give the same: what was done.
pub(crate) fn compare(
    name: &str,
    entry: u64,
    one: &(u64, Vec<u8>),
    other: &(u64, Vec<u8>),
    inputs: usize,
) -> String {
    if !can_run(name) {
        return "not run: not for this processor".into();
    }
    let (one, other) = (Loaded::new(one), Loaded::new(other));
    let mut random = fastrand::Rng::with_seed(9);
    let mut buffers = Box::new(Buffers([[0; BUFFER]; 4]));
    for _ in 0..inputs {
        let Some(arguments) = arguments(name, &mut buffers, &mut random) else {
            return "not run: its arguments are not random".into();
        };
        let before = buffers.clone();
        one.call(entry, arguments);
        let after = std::hint::black_box(&mut buffers).clone();
        std::hint::black_box(&mut buffers).clone_from(&before);
        other.call(entry, arguments);
        assert!(
            *std::hint::black_box(&mut buffers) == after,
            "{name}: a change was accepted that differs"
        );
    }
    format!("the same for {inputs} inputs")
}
