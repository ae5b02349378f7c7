//! Every backend, called from C, gives the specification's results. `cargo xtask windows` runs the same
//! program as one for Windows, and compares the lines.

use crate::support::Program;
use cipherloom_spec::BlockCipher;
use cipherloom_spec::rc4::Rc4;
use cipherloom_spec::tdea::Tdea;

/// What the program does, by the specification.
struct Work {
    state: u64,
    sum: u64,
    key: Vec<u8>,
}

impl Work {
    const COUNTS: [usize; 10] = [1, 2, 3, 4, 7, 33, 130, 300, 600, 1100];

    fn new() -> Self {
        let mut work = Self { state: 1, sum: 0xcbf2_9ce4_8422_2325, key: Vec::new() };
        work.key = work.fill(24);
        work
    }

    fn fill(&mut self, len: usize) -> Vec<u8> {
        let byte = |_| {
            self.state = self.state.wrapping_mul(6_364_136_223_846_793_005);
            self.state = self.state.wrapping_add(1_442_695_040_888_963_407);
            (self.state >> 33) as u8
        };
        (0..len).map(byte).collect()
    }

    fn add(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.sum = (self.sum ^ u64::from(*byte)).wrapping_mul(0x100_0000_01b3);
        }
    }

    fn blocks(mut self) -> u64 {
        let [key1, key2, key3] = [0, 8, 16].map(|at| self.key[at..at + 8].try_into().unwrap());
        let cipher = Tdea::option1(key1, key2, key3);
        let all = |blocks: Vec<u8>, one: &dyn Fn([u8; 8]) -> [u8; 8]| {
            blocks.as_chunks().0.iter().flat_map(|block| one(*block)).collect::<Vec<u8>>()
        };
        for count in Self::COUNTS {
            let encrypted = all(self.fill(8 * count), &|block| cipher.encrypt(block));
            self.add(&encrypted);
            let decrypted = all(self.fill(8 * count), &|block| cipher.decrypt(block));
            self.add(&decrypted);
        }
        self.sum
    }

    fn streams(mut self) -> u64 {
        for count in Self::COUNTS {
            let data = self.fill(8 * count);
            let encrypted = Rc4::new(&self.key[..16]).crypt(&data);
            self.add(&encrypted);
        }
        self.sum
    }
}

#[test]
fn every_backend_gives_the_specification_s_results() {
    let said = Program::new("tests/c/backends.c").build().run(&[]);
    let [blocks, streams] = [Work::new().blocks(), Work::new().streams()];
    for line in said.lines() {
        let (name, sum) = line.split_once(' ').expect("a name and a sum");
        let expected = if name.contains("rc4") { streams } else { blocks };
        assert_eq!(sum, format!("{expected:016x}"), "{name}");
    }
    assert!(said.lines().count() >= 4, "{said}");
}
