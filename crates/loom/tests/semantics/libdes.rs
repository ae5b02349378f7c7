//! libdes' functions, as the interpreter runs them, against libcrypto's; and the layout of their
//! schedules.
#![allow(unsafe_code, reason = "calls libcrypto")]

use std::ffi::{CStr, c_int, c_void};

use loom::ciphers::des::libdes::{Config, Function};
use loom::ciphers::des::{Layout, schedule};
use loom::ir::{Memory, Scalar, interpret, verify};

/// libcrypto, which is in every process for good once it is loaded.
struct Libcrypto(*mut c_void);

type SetKey = unsafe extern "C" fn(*const u8, *mut u32);
type One = unsafe extern "C" fn(*mut u32, *mut u32, c_int);
type Three = unsafe extern "C" fn(*mut u32, *mut u32, *mut u32, *mut u32);

impl Libcrypto {
    fn new() -> Self {
        let names = [c"libcrypto.so.3", c"libcrypto.3.dylib"];
        // SAFETY: the names are C strings; loading libcrypto asks for nothing.
        let open = |name: &CStr| unsafe { libc::dlopen(name.as_ptr(), libc::RTLD_NOW) };
        let handle = names.into_iter().map(open).find(|handle| !handle.is_null());
        Self(handle.expect("libcrypto 3 is not here: install openssl (cargo xtask setup does)"))
    }

    fn function(&self, name: &CStr) -> *mut c_void {
        // SAFETY: the handle is libcrypto's.
        let function = unsafe { libc::dlsym(self.0, name.as_ptr()) };
        assert!(!function.is_null(), "libcrypto has no {name:?}");
        function
    }

    fn schedule(&self, key: [u8; 8]) -> [u32; 32] {
        let mut schedule = [0; 32];
        // SAFETY: `des.h` declares it so.
        unsafe {
            let set: SetKey = std::mem::transmute(self.function(c"DES_set_key_unchecked"));
            set(key.as_ptr(), schedule.as_mut_ptr());
        }
        schedule
    }

    fn call(
        &self,
        function: Function,
        mut data: [u32; 2],
        mut ks: [[u32; 32]; 3],
        enc: c_int,
    ) -> [u32; 2] {
        let name = match function {
            Function::Encrypt1 => c"DES_encrypt1",
            Function::Encrypt2 => c"DES_encrypt2",
            Function::Encrypt3 => c"DES_encrypt3",
            Function::Decrypt3 => c"DES_decrypt3",
        };
        let [a, b, c] = ks.each_mut().map(|ks| ks.as_mut_ptr());
        let (at, data_at) = (self.function(name), data.as_mut_ptr());
        // SAFETY: `des.h` declares them so.
        unsafe {
            match function {
                Function::Encrypt1 | Function::Encrypt2 => {
                    std::mem::transmute::<*mut c_void, One>(at)(data_at, a, enc);
                }
                Function::Encrypt3 | Function::Decrypt3 => {
                    std::mem::transmute::<*mut c_void, Three>(at)(data_at, a, b, c);
                }
            }
        }
        data
    }
}

fn bytes(words: &[u32]) -> Memory {
    Memory { bytes: words.iter().flat_map(|word| word.to_le_bytes()).collect() }
}

/// The interpreter's answer.
fn ours(variant: Config, data: [u32; 2], ks: [[u32; 32]; 3], enc: c_int) -> [u32; 2] {
    let kernel = variant.kernel();
    assert_eq!(verify(&kernel), Ok(()), "{}", kernel.name);
    let mut memory = vec![bytes(&data)];
    let mut arguments = vec![Scalar::Region(0)];
    for param in &kernel.params[1..] {
        arguments.push(match param.memory {
            Some(_) => {
                memory.push(bytes(&ks[memory.len() - 1]));
                Scalar::Region(memory.len() - 1)
            }
            None => Scalar::Word(enc as u32 as u64),
        });
    }
    interpret(&kernel, &arguments, &mut memory).unwrap();
    let word = |n: usize| u32::from_le_bytes(memory[0].bytes[4 * n..4 * n + 4].try_into().unwrap());
    [word(0), word(1)]
}

/// Numbers that repeat at every run (xorshift, Marsaglia 2003).
fn numbers() -> impl Iterator<Item = u64> {
    let next = |x: &u64| {
        let x = x ^ x << 13;
        let x = x ^ x >> 7;
        Some(x ^ x << 17)
    };
    std::iter::successors(Some(0x0123_4567_89ab_cdef), next)
}

#[test]
fn functions_are_libcrypto_s() {
    let libcrypto = Libcrypto::new();
    let mut numbers = numbers();
    for round in 0..50 {
        let mut next = || numbers.next().unwrap();
        let block = next();
        let data = [block as u32, (block >> 32) as u32];
        let ks = [(); 3].map(|()| libcrypto.schedule(next().to_ne_bytes()));
        for variant in Config::all() {
            let function = variant.function;
            for enc in [0, 1, -1, 256] {
                let theirs = libcrypto.call(function, data, ks, enc);
                assert_eq!(ours(variant, data, ks, enc), theirs, "{variant:?}, {enc}, {round}");
            }
        }
    }
}

#[test]
fn schedules_are_libcrypto_s() {
    let libcrypto = Libcrypto::new();
    for key in numbers().take(100).map(u64::to_ne_bytes) {
        let words = schedule(Layout::Reversed, &[(key, false)]);
        let words: Vec<u32> = words.iter().flat_map(|w| [*w as u32, (w >> 32) as u32]).collect();
        assert_eq!(words, libcrypto.schedule(key), "{key:02x?}");
    }
}
