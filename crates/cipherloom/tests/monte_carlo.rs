//! NIST's Monte Carlo tests (SP 800-20): chains of 400 outer rounds of 10,000 calls, one block or
//! segment each, where every round's keys, IV and text follow from the round before.
//!
//! The table backend runs all rounds, and the first 20 in a quick run (`CIPHERLOOM_QUICK=1`). A
//! call of the bitslice backend costs as much for one block as for 64: it runs the first round,
//! 10,000 calls, of the chains with three keys.

use cipherloom::{Algorithm, Backend, BlockCipher, BlockKey, Direction, Mode, fix_parity};
use cipherloom_testkit::rsp::{self, Vector};
use cipherloom_testkit::ways::Way;

/// Calls of an outer round.
const CALLS: usize = 10_000;
/// Outer rounds of a chain of the files.
const ROUNDS: usize = 400;
/// Outer rounds where all would take too long.
const FEW_ROUNDS: usize = 20;

/// What a round starts from.
#[derive(Clone, Debug, PartialEq)]
struct Round {
    keys: [[u8; 8]; 3],
    /// ECB: zero.
    iv: [u8; 8],
    /// The text that goes in; bits are the top bits of the first byte.
    text: [u8; 8],
}

/// One mode and direction.
struct Rules {
    mode: rsp::Mode,
    direction: Direction,
    /// Bits of a text.
    bits: usize,
}

impl Rules {
    /// One call: the chaining value and the text that go in, to the text that comes out.
    fn call(&self, key: &BlockKey, iv: u64, text: u64) -> u64 {
        let mut bytes = text.to_be_bytes();
        let data = &mut bytes[..self.bits.div_ceil(8)];
        let register = iv.to_be_bytes();
        let encrypts = self.direction == Direction::Encrypt;
        let mode = match self.mode {
            rsp::Mode::Ecb if encrypts => return block(key.encrypt_block(&mut bytes), bytes),
            rsp::Mode::Ecb => return block(key.decrypt_block(&mut bytes), bytes),
            rsp::Mode::Cfb1 if encrypts => {
                return block(Mode::cfb1(register).encrypt_bits(key, &mut bytes, 1), bytes);
            }
            rsp::Mode::Cfb1 => {
                return block(Mode::cfb1(register).decrypt_bits(key, &mut bytes, 1), bytes);
            }
            rsp::Mode::Cbc => Mode::cbc(register, cipherloom::Padding::None),
            rsp::Mode::Cfb8 => Mode::cfb8(register),
            rsp::Mode::Cfb64 => Mode::cfb64(register),
            rsp::Mode::Ofb => Mode::ofb(register),
        };
        let result = if encrypts {
            mode.encrypt_in_place(key, data, data.len()).map(|_| ())
        } else {
            mode.decrypt_in_place(key, data).map(|_| ())
        };
        block(result, bytes)
    }

    /// The leading bits of a block that a text has.
    fn leading(&self, block: u64) -> u64 {
        block >> (64 - self.bits) << (64 - self.bits)
    }

    /// The inner loop: the last outputs, newest first, at least 192 bits of them in all, and what
    /// the next round starts from but for its keys.
    fn round(&self, key: &BlockKey, round: &Round) -> ([u64; 3], Round) {
        let mut iv = u64::from_be_bytes(round.iv);
        let mut text = u64::from_be_bytes(round.text);
        // The last 192 output bits as one number, oldest first.
        let mut outputs = [0u64; 3];
        let first_text = text;
        for call in 0..CALLS {
            let output = self.call(key, iv, text);
            push(&mut outputs, output, self.bits);
            let ciphertext = match self.direction {
                Direction::Encrypt => output,
                Direction::Decrypt => text,
            };
            (iv, text) = match (self.mode, self.direction) {
                (rsp::Mode::Ecb, _) => (0, output),
                // The next text is the chaining value before, in the first call the IV.
                (rsp::Mode::Cbc, Direction::Encrypt) => (ciphertext, iv),
                (rsp::Mode::Cbc, Direction::Decrypt) => (ciphertext, output),
                // O, the cipher's output, is what was XORed in; the next text is I.
                (rsp::Mode::Ofb, _) => (output ^ text, iv),
                (_, direction) => {
                    let shifted = iv.unbounded_shl(self.bits as u32);
                    let register = shifted | ciphertext >> (64 - self.bits);
                    let text = match direction {
                        Direction::Encrypt => self.leading(iv),
                        // The leading bits of O.
                        Direction::Decrypt => output ^ text,
                    };
                    (register, text)
                }
            };
            if call + 1 == CALLS && self.mode == rsp::Mode::Ofb {
                // Here that is the last I.
                text ^= first_text;
            }
        }
        let next = Round { keys: round.keys, iv: iv.to_be_bytes(), text: text.to_be_bytes() };
        (outputs, next)
    }
}

fn block(result: Result<(), cipherloom::Error>, bytes: [u8; 8]) -> u64 {
    result.expect("a call that the mode takes");
    u64::from_be_bytes(bytes)
}

/// Appends the leading `bits` of `output` to a string of 192 bits, which loses its first ones.
fn push(outputs: &mut [u64; 3], output: u64, bits: usize) {
    if bits == 64 {
        *outputs = [outputs[1], outputs[2], output];
        return;
    }
    let [a, b, c] = *outputs;
    *outputs = [
        a << bits | b >> (64 - bits),
        b << bits | c >> (64 - bits),
        c << bits | output >> (64 - bits),
    ];
}

/// One file and direction: a chain of rounds.
fn run(chain: &[Vector], way: Way, rounds: usize) {
    let first = &chain[0];
    let rules = Rules { mode: first.mode, direction: first.direction, bits: first.bit_len };
    let mut round = start(first);
    for vector in &chain[..rounds] {
        assert_eq!(round, start(vector), "{}: what the round starts from, {way:?}", vector.place);
        let key = way.key(Algorithm::TdesEde3, round.keys.as_flattened());
        let (outputs, mut next) = rules.round(&key, &round);
        let (_, expected) = texts(vector);
        assert_eq!(
            rules.leading(outputs[2] << (64 - rules.bits)).to_be_bytes()[..expected.len()],
            *expected,
            "{}: the last output, {way:?}",
            vector.place
        );
        // KEY1 takes the newest 64 bits, KEY3 the oldest; equal keys stay equal.
        for (n, key) in next.keys.iter_mut().enumerate() {
            let newest = outputs[if option3(&round.keys) { 2 } else { 2 - n }];
            *key = (u64::from_be_bytes(*key) ^ newest).to_be_bytes();
            fix_parity(key);
        }
        round = next;
    }
}

/// Three equal keys.
fn option3(keys: &[[u8; 8]; 3]) -> bool {
    keys[0] == keys[1] && keys[1] == keys[2]
}

/// The text that goes in, and the one that comes out.
fn texts(vector: &Vector) -> (&[u8], &[u8]) {
    match vector.direction {
        Direction::Encrypt => (&vector.plaintext, &vector.ciphertext),
        Direction::Decrypt => (&vector.ciphertext, &vector.plaintext),
    }
}

fn start(vector: &Vector) -> Round {
    let mut text = [0; 8];
    let given = texts(vector).0;
    text[..given.len()].copy_from_slice(given);
    Round { keys: vector.keys, iv: vector.iv.unwrap_or_default(), text }
}

/// All chains of one mode: two keying options, two directions, every backend.
fn check(mode: rsp::Mode) {
    let quick = std::env::var_os("CIPHERLOOM_QUICK").is_some();
    let vectors: Vec<Vector> =
        rsp::monte_carlo().into_iter().filter(|vector| vector.mode == mode).collect();
    let chains: Vec<&[Vector]> = vectors.chunk_by(|a, b| a.count + 1 == b.count).collect();
    assert_eq!(chains.len(), 4, "two files of {mode:?}, two directions each");
    let mut total = 0;
    for chain in chains {
        assert_eq!(chain.len(), ROUNDS, "{}", chain[0].place);
        for way in Way::des() {
            let rounds = match way {
                Way::Forced(Backend::Table) if !quick => ROUNDS,
                Way::Forced(Backend::Table) => FEW_ROUNDS,
                Way::Forced(_) => usize::from(!option3(&chain[0].keys)),
                // A chain's backends by the library's own choice: two of the above.
                Way::Fastest | Way::ConstantTime => continue,
            };
            run(chain, way, rounds);
            total += rounds;
        }
    }
    println!("{mode:?}: {total} outer rounds of {CALLS} calls");
}

#[test]
fn ecb() {
    check(rsp::Mode::Ecb);
}

#[test]
fn cbc() {
    check(rsp::Mode::Cbc);
}

#[test]
fn cfb1() {
    check(rsp::Mode::Cfb1);
}

#[test]
fn cfb8() {
    check(rsp::Mode::Cfb8);
}

#[test]
fn cfb64() {
    check(rsp::Mode::Cfb64);
}

#[test]
fn ofb() {
    check(rsp::Mode::Ofb);
}
