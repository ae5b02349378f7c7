//! What published vectors say of single blocks: kernels are of blocks, modes are a program's business.

use cipherloom_testkit::rsp::{Mode, Vector};
use cipherloom_testkit::{extra, nist, rsp};

pub(crate) type Block = [u8; 8];

/// An encryption of one block by three passes of DES.
#[derive(Clone)]
pub(crate) struct Known {
    /// Where it stands.
    pub(crate) place: String,
    pub(crate) keys: [Block; 3],
    pub(crate) input: Block,
    pub(crate) output: Block,
    /// How many of the output's first bits are known: of the others a mode says nothing.
    pub(crate) bits: u32,
}

impl Known {
    /// Whether an output agrees.
    pub(crate) fn is(&self, output: Block) -> bool {
        let differ = u64::from_be_bytes(output) ^ u64::from_be_bytes(self.output);
        differ.leading_zeros() >= self.bits
    }
}

fn xor(a: Block, b: Block) -> Block {
    std::array::from_fn(|n| a[n] ^ b[n])
}

/// The same message, seen by whoever makes its keystream or chains its blocks.
struct Message<'a> {
    place: &'a str,
    keys: [Block; 3],
    iv: Block,
    plaintext: &'a [u8],
    ciphertext: &'a [u8],
}

impl Message<'_> {
    /// Whole blocks of the two texts.
    fn blocks(&self) -> impl Iterator<Item = (Block, Block)> {
        let block = |bytes: &[u8]| Block::try_from(bytes).expect("eight bytes");
        let pair = move |(p, c)| (block(p), block(c));
        self.plaintext.chunks_exact(8).zip(self.ciphertext.chunks_exact(8)).map(pair)
    }

    fn known(&self, input: Block, output: Block, bits: u32) -> Known {
        Known { place: self.place.to_owned(), keys: self.keys, input, output, bits }
    }

    fn ecb(&self) -> Vec<Known> {
        self.blocks().map(|(p, c)| self.known(p, c, 64)).collect()
    }

    fn cbc(&self) -> Vec<Known> {
        let mut before = self.iv;
        let link = |(p, c)| self.known(xor(p, std::mem::replace(&mut before, c)), c, 64);
        self.blocks().map(link).collect()
    }

    fn ofb(&self) -> Vec<Known> {
        let mut before = self.iv;
        let link = |(p, c)| {
            let output = xor(p, c);
            self.known(std::mem::replace(&mut before, output), output, 64)
        };
        self.blocks().map(link).collect()
    }

    fn ctr(&self) -> Vec<Known> {
        let first = u64::from_be_bytes(self.iv);
        let counters = (0..).map(|n| first.wrapping_add(n).to_be_bytes());
        counters
            .zip(self.blocks())
            .map(|(input, (p, c))| self.known(input, xor(p, c), 64))
            .collect()
    }

    /// Segments of so many bits, of which there are `length` in all.
    fn cfb(&self, segment: u32, length: usize) -> Vec<Known> {
        let mut register = u64::from_be_bytes(self.iv);
        let part = |text: &[u8], n: usize| {
            let bit = |at: usize| u64::from(text[at / 8] >> (7 - at % 8) & 1);
            let first = n * segment as usize;
            (first..first + segment as usize).fold(0, |bits, at| bits << 1 | bit(at))
        };
        let step = |n| {
            let (p, c) = (part(self.plaintext, n), part(self.ciphertext, n));
            let output = (p ^ c) << (64 - segment);
            let known = self.known(register.to_be_bytes(), output.to_be_bytes(), segment);
            register = register.checked_shl(segment).unwrap_or(0) | c;
            known
        };
        (0..length / segment as usize).map(step).collect()
    }
}

fn of_cavp(vector: &Vector) -> Vec<Known> {
    let message = Message {
        place: &vector.place,
        keys: vector.keys,
        iv: vector.iv.unwrap_or_default(),
        plaintext: &vector.plaintext,
        ciphertext: &vector.ciphertext,
    };
    match vector.mode {
        Mode::Ecb => message.ecb(),
        Mode::Cbc => message.cbc(),
        Mode::Cfb1 => message.cfb(1, vector.bit_len),
        Mode::Cfb8 => message.cfb(8, vector.bit_len),
        Mode::Cfb64 => message.cfb(64, vector.bit_len),
        Mode::Ofb => message.ofb(),
    }
}

fn of_nist(example: &nist::modes::Example) -> Vec<Known> {
    use nist::modes::Mode;
    let message = Message {
        place: &example.place,
        keys: example.keys,
        iv: example.iv.unwrap_or_default(),
        plaintext: &example.plaintext,
        ciphertext: &example.ciphertext,
    };
    match example.mode {
        Mode::Ecb => message.ecb(),
        Mode::Cbc => message.cbc(),
        Mode::Ctr => message.ctr(),
        Mode::Ofb => message.ofb(),
        Mode::Cfb(segment) => message.cfb(segment as u32, example.steps.len() * segment),
    }
}

/// Ciphertexts of two programs that agree, in counter mode, of which whole blocks are taken.
fn of_two_peers(vector: &extra::CipherVector) -> Vec<Known> {
    let key = |n: usize| Block::try_from(&vector.key[8 * n..8 * n + 8]).expect("eight bytes");
    let keys = match vector.cipher {
        extra::Cipher::Des => [key(0); 3],
        extra::Cipher::Tdea2 => [key(0), key(1), key(0)],
        extra::Cipher::Tdea3 => [key(0), key(1), key(2)],
        _ => return Vec::new(),
    };
    let message = Message {
        place: &vector.place,
        keys,
        iv: vector.iv.unwrap_or_default(),
        plaintext: &vector.plaintext,
        ciphertext: &vector.ciphertext,
    };
    match vector.mode {
        extra::Mode::Ctr => message.ctr(),
        _ => Vec::new(),
    }
}

/// All that there is, but the Monte Carlo chains, by keys.
pub(crate) fn all() -> Vec<Known> {
    let cavp = rsp::known_answers().into_iter().chain(rsp::multi_block_messages());
    let cavp = cavp.flat_map(|vector| of_cavp(&vector));
    let nist = nist::modes::read().into_iter().flat_map(|example| of_nist(&example));
    let peers = extra::cipher_vectors().into_iter().flat_map(|vector| of_two_peers(&vector));
    let mut all: Vec<_> = cavp.chain(nist).chain(peers).collect();
    all.sort_by_key(|known| known.keys);
    all
}

#[test]
fn vectors_become_blocks_that_the_specification_agrees_with() {
    use cipherloom_spec::BlockCipher;
    use cipherloom_spec::tdea::Tdea;
    let all = all();
    for known in &all {
        let [a, b, c] = known.keys;
        assert!(known.is(Tdea::option1(a, b, c).encrypt(known.input)), "{}", known.place);
    }
    assert!(all.len() > 4500, "{} blocks are not all", all.len());
}
