//! Every call that has to do with secrets.
//!
//! Ciphertexts are public and the same in all runs; keys and plaintexts are secret.

use std::fmt::Debug;
use std::hint::black_box;

use cipherloom::{
    Algorithm, BlockCipher as _, BlockKey, Des, Direction, Error, Mac, Mode, Padding, Policy,
    TdesEde2, TdesEde3,
};
use cipherloom_testkit::oracle::{Case, Kind};
use cipherloom_testkit::rng::Rng;
use cipherloom_testkit::stack::look_below;
use cipherloom_testkit::ways::Way;

use crate::batches::{MOST, batches};
use crate::watch::{RUNS, Run, Watch};

/// Bytes of messages: a block, a few, and so many that wide kernels, narrow ones and look-ups all
/// have some.
const LENGTHS: [usize; 4] = [8, 29, 584, 8 * (512 + 256 + 30) + 3];

pub(crate) const BOTH: [Direction; 2] = [Direction::Encrypt, Direction::Decrypt];

/// How a message is handed over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Face {
    Buffers,
    InPlace,
    Pieces,
}

const FACES: [Face; 3] = [Face::Buffers, Face::InPlace, Face::Pieces];

/// What one run knows and others do not.
struct Secret {
    bytes: Vec<u8>,
    key: BlockKey,
    plain: Vec<u8>,
    /// Blocks of the ciphertext that are not the same in all runs.
    public: Vec<[u8; 8]>,
}

impl Secret {
    fn run(&self) -> Run {
        let secret = vec![("key", self.bytes.clone()), ("plaintext", self.plain.clone())];
        Run { public: self.public.clone(), secret }
    }
}

/// Everything there is for a block cipher.
pub(crate) fn block_cipher(watch: &mut Watch, way: Way, algorithm: Algorithm) {
    let mut rng = Rng::new(12);
    keys(watch, way, algorithm, &mut rng);
    blocks(watch, way, algorithm, &mut rng);
    for kind in Kind::ALL {
        for len in LENGTHS {
            let len = if kind.pads() { len / 8 * 8 } else { len };
            // A block for each bit or byte.
            if matches!(kind, Kind::Cfb1 | Kind::Cfb8) && len > 600 {
                continue;
            }
            messages(watch, way, algorithm, kind, len, &mut rng);
        }
    }
    for padding in [Padding::Pkcs7, Padding::Iso7816, Padding::Zero] {
        for kind in [Kind::Ecb, Kind::Cbc] {
            for len in [5, 8 * 70 + 3] {
                padded(watch, way, algorithm, Case { kind, iv: rng.array(), padding }, len);
            }
        }
    }
    macs(watch, way, algorithm, &mut rng);
    for kind in [Kind::Ecb, Kind::Cbc, Kind::Ctr] {
        for (count, one_key) in [(1, false), (12, true), (12, false), (300, true), (MOST, false)] {
            batches(watch, way, algorithm, kind, count, one_key, &mut rng);
        }
    }
}

/// Keys that are made, used and given up.
fn keys(watch: &mut Watch, way: Way, algorithm: Algorithm, rng: &mut Rng) {
    let secrets: [Vec<u8>; RUNS] = std::array::from_fn(|_| rng.bytes(algorithm.key_len()));
    let mut bytes = secrets[0].clone();
    type Life = fn(Policy, Algorithm, &[u8]);
    let lives: [(&str, Life); 4] = [
        ("new", |_, algorithm, bytes| {
            look_below();
            drop(black_box(BlockKey::new(algorithm, bytes)));
        }),
        ("with a policy", |policy, algorithm, bytes| {
            look_below();
            drop(black_box(BlockKey::new(algorithm, bytes).unwrap().with_policy(policy)));
        }),
        ("with a type", |_, _, bytes| {
            look_below();
            if let Some(bytes) = bytes.first_chunk() {
                drop(black_box(TdesEde3::new(bytes)));
            } else if let Some(bytes) = bytes.first_chunk() {
                drop(black_box(Des::new(bytes)));
            }
        }),
        ("clone", |policy, algorithm, bytes| {
            look_below();
            let key = BlockKey::new(algorithm, bytes).unwrap().with_policy(policy);
            drop(black_box(key.clone()));
        }),
    ];
    let policy = if way == Way::ConstantTime { Policy::ConstantTime } else { Policy::Fastest };
    for (name, life) in lives {
        watch.watch(&(way, algorithm, "key", name), |stack, n| {
            bytes.copy_from_slice(&secrets[n]);
            let residue = stack.run(|| life(policy, algorithm, &bytes));
            (residue, Run { public: Vec::new(), secret: vec![("key", bytes.clone())] })
        });
    }
}

/// Blocks one by one and together.
fn blocks(watch: &mut Watch, way: Way, algorithm: Algorithm, rng: &mut Rng) {
    for count in [1, 2, 3, 7, 20, 65, 300, 800] {
        let public: Vec<[u8; 8]> = (0..count).map(|_| rng.array()).collect();
        let secrets: [Secret; RUNS] = std::array::from_fn(|_| {
            let bytes = rng.bytes(algorithm.key_len());
            let key = way.key(algorithm, &bytes);
            let mut plain = public.clone();
            key.decrypt_blocks(&mut plain).unwrap();
            Secret { bytes, key, plain: plain.concat(), public: Vec::new() }
        });
        let (mut buffer, mut key) = (public.clone(), secrets[0].key.clone());
        for direction in BOTH {
            watch.watch(&(way, algorithm, direction, "blocks", count), |stack, n| {
                let (from, to) = there(direction, &secrets[n].plain, public.as_flattened());
                key.clone_from(&secrets[n].key);
                buffer.as_flattened_mut().copy_from_slice(from);
                let residue = stack.run(|| match (&mut buffer[..], direction) {
                    ([block], Direction::Encrypt) => key.encrypt_block(block).unwrap(),
                    ([block], Direction::Decrypt) => key.decrypt_block(block).unwrap(),
                    (blocks, Direction::Encrypt) => key.encrypt_blocks(blocks).unwrap(),
                    (blocks, Direction::Decrypt) => key.decrypt_blocks(blocks).unwrap(),
                });
                assert_eq!(buffer.as_flattened(), to);
                (residue, secrets[n].run())
            });
        }
    }
}

/// From what to what.
pub(crate) fn there<'a>(
    direction: Direction,
    plain: &'a [u8],
    public: &'a [u8],
) -> (&'a [u8], &'a [u8]) {
    match direction {
        Direction::Encrypt => (plain, public),
        Direction::Decrypt => (public, plain),
    }
}

/// Messages without a padding: all of the ciphertext is the same under all keys.
fn messages(
    watch: &mut Watch,
    way: Way,
    algorithm: Algorithm,
    kind: Kind,
    len: usize,
    rng: &mut Rng,
) {
    let mode = Case { kind, iv: rng.array(), padding: Padding::None }.mode();
    let public = rng.bytes(len);
    let secrets: [Secret; RUNS] = std::array::from_fn(|_| {
        let bytes = rng.bytes(algorithm.key_len());
        let mut plain = public.clone();
        mode.decrypt_in_place(&Way::Fastest.key(algorithm, &bytes), &mut plain).unwrap();
        Secret { key: way.key(algorithm, &bytes), bytes, plain, public: Vec::new() }
    });
    let mut buffers = (public.clone(), public.clone());
    let mut key = secrets[0].key.clone();
    for (direction, face) in BOTH.into_iter().flat_map(|way| FACES.map(|face| (way, face))) {
        watch.watch(&(way, algorithm, kind, direction, face, len), |stack, n| {
            let secret = &secrets[n];
            let (from, to) = there(direction, &secret.plain, &public);
            let (input, output) = (&mut buffers.0, &mut buffers.1);
            input.copy_from_slice(from);
            key.clone_from(&secret.key);
            let residue = stack.run(|| hand_over(&mode, &key, direction, face, input, output));
            let result = if face == Face::InPlace { input } else { output };
            assert_eq!(result, to);
            (residue, secret.run())
        });
    }
}

/// One message, without a padding.
fn hand_over(
    mode: &Mode,
    key: &BlockKey,
    direction: Direction,
    face: Face,
    input: &mut [u8],
    output: &mut [u8],
) {
    let len = input.len();
    let (first, second) = (len / 3, 2 * len / 3);
    match (face, direction) {
        (Face::Buffers, Direction::Encrypt) => {
            mode.encrypt(key, input, output).unwrap();
        }
        (Face::Buffers, Direction::Decrypt) => {
            mode.decrypt(key, input, output).unwrap();
        }
        (Face::InPlace, Direction::Encrypt) => {
            mode.encrypt_in_place(key, input, len).unwrap();
        }
        (Face::InPlace, Direction::Decrypt) => {
            mode.decrypt_in_place(key, input).unwrap();
        }
        (Face::Pieces, Direction::Encrypt) => {
            look_below();
            let mut message = mode.encryptor(key);
            let mut at = 0;
            for piece in [&input[..first], &input[first..second], &input[second..]] {
                at += message.update(piece, &mut output[at..]).unwrap();
            }
            message.finish(&mut output[at..]).unwrap();
        }
        (Face::Pieces, Direction::Decrypt) => {
            look_below();
            let mut message = mode.decryptor(key);
            let mut at = 0;
            for piece in [&input[..first], &input[first..second], &input[second..]] {
                at += message.update(piece, &mut output[at..]).unwrap();
            }
            message.finish(&mut output[at..]).unwrap();
        }
    }
}

/// Messages with a padding, right or wrong: the last block of the ciphertext is another one under
/// each key.
fn padded(watch: &mut Watch, way: Way, algorithm: Algorithm, case: Case, len: usize) {
    let mut rng = Rng::new(len as u64);
    let mode = case.mode();
    let bare = Case { padding: Padding::None, ..case }.mode();
    let encrypted_len = mode.encrypted_len(len).unwrap();
    let before = rng.bytes(encrypted_len - 8);
    for is_right in [true, false] {
        if !is_right && case.padding == Padding::Zero {
            continue;
        }
        let mut public = Vec::new();
        let secrets: [Secret; RUNS] = std::array::from_fn(|_| {
            let bytes = rng.bytes(algorithm.key_len());
            let key = Way::Fastest.key(algorithm, &bytes);
            let mut message = before.clone();
            bare.decrypt_in_place(&key, &mut message).unwrap();
            message.extend(rng.bytes(len - message.len()));
            // No zero at the end, which might be taken for a padding.
            message[len - 1] |= 1;
            let plain = message.clone();
            let mut encrypted = message;
            encrypted.resize(encrypted_len, 0);
            if is_right {
                mode.encrypt_in_place(&key, &mut encrypted, len).unwrap();
            } else {
                encrypted[encrypted_len - 1] = 0xff;
                bare.encrypt_in_place(&key, &mut encrypted, encrypted_len).unwrap();
            }
            assert_eq!(encrypted[..before.len()], before);
            let last = *encrypted.last_chunk().unwrap();
            public.push(encrypted);
            Secret { key: way.key(algorithm, &bytes), bytes, plain, public: vec![last] }
        });
        let mut buffers = (vec![0; encrypted_len], vec![0; encrypted_len]);
        let mut key = secrets[0].key.clone();
        let mut watched = |direction, face: Face| {
            watch.watch(&(way, algorithm, case, direction, face, len, is_right), |stack, n| {
                let (secret, public) = (&secrets[n], &public[n]);
                let (input, output) = (&mut buffers.0, &mut buffers.1);
                let (from, _) = there(direction, &secret.plain, public);
                input[..from.len()].copy_from_slice(from);
                key.clone_from(&secret.key);
                let (key, mut own) = (&key, Ok(0));
                let residue = stack.run(|| {
                    own = match (face, direction) {
                        (Face::Buffers, Direction::Encrypt) => {
                            mode.encrypt(key, &input[..len], output).map(|own| own.len())
                        }
                        (Face::Buffers, Direction::Decrypt) => {
                            mode.decrypt(key, input, output).map(|own| own.len())
                        }
                        (Face::InPlace, Direction::Encrypt) => {
                            mode.encrypt_in_place(key, input, len).map(|own| own.len())
                        }
                        (Face::InPlace, Direction::Decrypt) => {
                            mode.decrypt_in_place(key, input).map(|own| own.len())
                        }
                        (Face::Pieces, Direction::Encrypt) => {
                            look_below();
                            let mut message = mode.encryptor(key);
                            let at = message.update(&input[..len], output).unwrap();
                            message.finish(&mut output[at..]).map(|own| at + own)
                        }
                        (Face::Pieces, Direction::Decrypt) => {
                            look_below();
                            let mut message = mode.decryptor(key);
                            let at = message.update(input, output).unwrap();
                            message.finish(&mut output[at..]).map(|own| at + own)
                        }
                    };
                });
                let wanted = match direction {
                    Direction::Encrypt => Ok(encrypted_len),
                    Direction::Decrypt if is_right => Ok(len),
                    Direction::Decrypt => Err(Error::Padding),
                };
                assert_eq!(own, wanted);
                (residue, secret.run())
            });
        };
        for face in FACES {
            if is_right {
                watched(Direction::Encrypt, face);
            }
            watched(Direction::Decrypt, face);
        }
    }
}

/// Tags of messages that are secret.
fn macs(watch: &mut Watch, way: Way, algorithm: Algorithm, rng: &mut Rng) {
    type Make = fn(&BlockKey) -> Mac;
    let schemes: [(&str, Make); 3] = [
        ("CMAC", |key| Mac::cmac(key)),
        ("CBC-MAC, Iso7816", |key| Mac::cbc_mac(key, Padding::Iso7816)),
        ("CBC-MAC, Zero", |key| Mac::cbc_mac(key, Padding::Zero)),
    ];
    for len in [5, 8, 40, 5003] {
        let secrets: [Secret; RUNS] = std::array::from_fn(|_| {
            let bytes = rng.bytes(algorithm.key_len());
            let key = way.key(algorithm, &bytes);
            Secret { bytes, key, plain: rng.bytes(len), public: Vec::new() }
        });
        let mut buffer = vec![0; len];
        for (name, make) in schemes {
            let what = (way, algorithm, name, len);
            let keys: [BlockKey; RUNS] = std::array::from_fn(|n| secrets[n].key.clone());
            tags(watch, &what, &secrets, &mut buffer, &keys, make);
        }
        if algorithm == Algorithm::Des {
            let own: [TdesEde2; RUNS] = std::array::from_fn(|n| {
                let bytes = secrets[n].bytes.repeat(2);
                let key = TdesEde2::new(bytes.first_chunk().unwrap());
                match way {
                    Way::Forced(backend) => backend.force(key).unwrap(),
                    Way::ConstantTime => key.with_policy(cipherloom::Policy::ConstantTime),
                    Way::Fastest => key,
                }
            });
            tags(watch, &(way, "retail", len), &secrets, &mut buffer, &own, |key| {
                Mac::retail(key, Padding::Iso7816)
            });
        }
    }
}

fn tags<K: Clone + Sync>(
    watch: &mut Watch,
    what: &dyn Debug,
    secrets: &[Secret; RUNS],
    buffer: &mut [u8],
    keys: &[K; RUNS],
    make: impl Fn(&K) -> Mac + Sync,
) {
    let mut key = keys[0].clone();
    watch.watch(what, |stack, n| {
        key.clone_from(&keys[n]);
        buffer.copy_from_slice(&secrets[n].plain);
        let (first, second) = buffer.split_at(buffer.len() / 3);
        let mut tag = [0; 8];
        let residue = stack.run(|| {
            look_below();
            let mut mac = make(&key);
            mac.update(first).unwrap();
            mac.update(second).unwrap();
            tag = mac.finish().unwrap();
        });
        (residue, Run { public: vec![tag], ..secrets[n].run() })
    });
}
