//! How much of the stack calls need: no more than docs/API-CONVENTIONS.md says.

use cipherloom::batch::{Batch, Flat, Keys, Span};
use cipherloom::{Algorithm, BlockCipher as _, Direction, Mac, Mode, Padding};
use cipherloom_testkit::stack::Stack;
use cipherloom_testkit::ways::Way;

/// A kind of calls, the KiB that are stated for it, and such calls.
type Kind = (&'static str, usize, fn(Way));

const KINDS: [Kind; 3] = [
    ("keys, blocks, messages, MACs", 64, messages),
    ("batches of block ciphers", 128, batches),
    ("RC4, also batches", 18, rc4),
];

/// The document that states them.
const DOCUMENT: &str = include_str!("../../../../docs/API-CONVENTIONS.md");

/// Where the library may choose, and by every backend.
fn ways(name: &str) -> Vec<Way> {
    if name.starts_with("RC4") { Way::rc4() } else { Way::des() }
}

#[test]
fn no_call_needs_more_than_is_stated() {
    for (name, kib, work) in KINDS {
        let line = format!("| {name} | {kib} KiB |");
        assert!(DOCUMENT.contains(&line), "not in docs/API-CONVENTIONS.md: {line}");
        let mut stack = Stack::new(256 << 10);
        let nothing = stack.run(|| ()).depth;
        let deepest = ways(name).into_iter().map(|way| stack.run(|| work(way)).depth).max();
        let deepest = deepest.expect("there are backends") - nothing;
        println!("{name}: {deepest} bytes");
        assert!(deepest <= kib << 10, "{name}: {deepest} bytes");
        assert!(deepest > kib << 8, "{name}: {deepest} bytes are far less than what is stated");
    }
}

/// As a program would: on a thread with so much, below which lies an inaccessible page. (The system
/// takes something for itself, and the least that some give is 16 KiB.)
#[test]
fn a_thread_with_what_is_stated_is_enough() {
    for (name, kib, work) in KINDS {
        for way in ways(name) {
            let thread = std::thread::Builder::new().stack_size((kib + 8) << 10);
            let thread = thread.spawn(move || work(way)).expect("a thread");
            thread.join().expect("no overflow");
        }
    }
}

/// What comes before the first use of a backend, whoever used it before.
fn first_use(way: Way) {
    if let Way::Forced(backend) = way {
        backend.self_test().unwrap();
    }
}

fn messages(way: Way) {
    first_use(way);
    little(way);
    bulk(way);
}

fn little(way: Way) {
    for algorithm in Algorithm::ALL {
        let key = way.key(algorithm, &[7; 24][..algorithm.key_len()]);
        let (mut block, mut data) = ([1; 8], [2; 800]);
        key.encrypt_block(&mut block).unwrap();
        key.decrypt_block(&mut block).unwrap();
        for mode in [Mode::cbc([3; 8], Padding::None), Mode::cfb64([3; 8]), Mode::ofb([3; 8])] {
            mode.encrypt_in_place(&key, &mut data, 800).unwrap();
            let mut output = [0; 64];
            let mut message = mode.encryptor(&key);
            let len = message.update(&data[..32], &mut output).unwrap();
            message.finish(&mut output[len..]).unwrap();
        }
        let mut mac = Mac::cmac(&key);
        mac.update(&data).unwrap();
        mac.finish().unwrap();
    }
}

fn bulk(way: Way) {
    static PLAIN: [u8; 8 * 800 + 3] = [2; _];
    for algorithm in Algorithm::ALL {
        let key = way.key(algorithm, &[7; 24][..algorithm.key_len()]);
        let iv = [3; 8];
        let modes = [Mode::ctr(iv), Mode::cfb64(iv), Mode::cbc_cs3(iv), Mode::cfb8(iv)];
        for (mode, len) in modes.into_iter().zip([PLAIN.len(), PLAIN.len(), PLAIN.len(), 700]) {
            let mut data = PLAIN[..len].to_vec();
            mode.decrypt_in_place(&key, &mut data).unwrap();
            mode.decrypt(&key, &PLAIN[..len], &mut data).unwrap();
        }
        let mut data = PLAIN[..8 * 800].to_vec();
        key.encrypt_blocks(data.as_chunks_mut().0).unwrap();
        Mode::cbc(iv, Padding::None).decryptor(&key).update(&PLAIN, &mut data).unwrap();
    }
}

fn batches(way: Way) {
    first_use(way);
    for algorithm in Algorithm::ALL {
        for (count, len, gap) in [1, 20, 800].into_iter().flat_map(|n| [(n, 32, 0), (n, 80, 1)]) {
            let keys = vec![7; algorithm.key_len() * count];
            // Evenly, or not.
            let spans: Vec<Span> =
                (0..count).map(|n| Span::new((len + gap) * n + gap * (n % 2), len)).collect();
            let (ivs, mut data) = (vec![3; 8 * count], vec![2; (len + 2) * count]);
            let mut results = vec![Ok(0); count];
            for batch in [Batch::cbc(algorithm, Padding::None), Batch::ctr(algorithm)] {
                let batch = way.batch(batch);
                let mut run = |keys, direction| {
                    let flat = Flat { keys, ivs: &ivs, data: &mut data, spans: &spans };
                    match direction {
                        Direction::Encrypt => batch.encrypt_flat(flat, &mut results),
                        Direction::Decrypt => batch.decrypt_flat(flat, &mut results),
                    }
                    .unwrap();
                };
                for direction in [Direction::Encrypt, Direction::Decrypt] {
                    run(Keys::Each(&keys), direction);
                    run(Keys::One(&keys[..algorithm.key_len()]), direction);
                }
            }
        }
    }
}

fn rc4(way: Way) {
    first_use(way);
    let mut stream = way.stream(&[7; 16]);
    stream.skip(300).unwrap();
    stream.apply(&mut [1; 300]).unwrap();
    let spans: [Span; 9] = std::array::from_fn(|n| Span::new(40 * n, 40));
    let (keys, mut data, mut results) = ([5; 9 * 16], [2; 9 * 40], [Ok(0); 9]);
    let flat = Flat { keys: Keys::Each(&keys), ivs: &[], data: &mut data, spans: &spans };
    way.batch(Batch::rc4()).encrypt_flat(flat, &mut results).unwrap();
}
