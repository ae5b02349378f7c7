//! Numbers of blocks around the kernels' widths, and every lane with a key of its own.

use cipherloom::{Algorithm, BlockCipher as _, Direction, Padding};
use cipherloom_spec::BlockCipher as _;
use cipherloom_testkit::checks::batch::{One, Work};
use cipherloom_testkit::checks::message::Message;
use cipherloom_testkit::oracle::{Case, Kind, SpecKey};
use cipherloom_testkit::rng::Rng;
use cipherloom_testkit::ways::Way;

/// Around the cross-overs, one word of 64 lanes, wider registers, and the modes' own buffer.
const BLOCKS: [usize; 28] = [
    0, 1, 2, 7, 8, 9, 11, 12, 13, 15, 16, 17, 63, 64, 65, 127, 128, 129, 255, 256, 257, 511, 512,
    513, 575, 1023, 1024, 1025,
];

/// Independent blocks: compared with the specification block by block.
#[test]
fn blocks() {
    let mut rng = Rng::new(1);
    for algorithm in Algorithm::ALL {
        let bytes = rng.bytes(algorithm.key_len());
        let spec = SpecKey::new(algorithm, &bytes);
        let plain: Vec<[u8; 8]> = (0..1025).map(|_| rng.array()).collect();
        let encrypted: Vec<[u8; 8]> = plain.iter().map(|&block| spec.encrypt(block)).collect();
        for way in Way::des() {
            let key = way.key(algorithm, &bytes);
            // Every cross-over and every group of interleaved blocks lies in the first part.
            for count in (0..=70).chain(BLOCKS) {
                let mut work = plain[..count].to_vec();
                key.encrypt_blocks(&mut work).unwrap();
                assert_eq!(work, encrypted[..count], "{algorithm:?}, {count} blocks, {way:?}");
                key.decrypt_blocks(&mut work).unwrap();
                assert_eq!(work, plain[..count], "{algorithm:?}, {count} blocks, {way:?}");
            }
        }
    }
}

/// The modes with bulk kernels inside, a byte less and a byte more than whole blocks too.
#[test]
fn modes() {
    let mut rng = Rng::new(2);
    let quick = std::env::var_os("CIPHERLOOM_QUICK").is_some();
    for (n, blocks) in BLOCKS.into_iter().enumerate() {
        let kinds = [Kind::Ecb, Kind::Cbc, Kind::CbcCs3, Kind::Cfb64, Kind::Ofb, Kind::Ctr];
        let ends: &[isize] = if quick { &[0] } else { &[-1, 0, 1] };
        for kind in kinds.into_iter().chain((blocks <= 65).then_some(Kind::Cfb8)) {
            for &end in ends {
                let len = (8 * blocks).saturating_add_signed(end);
                let algorithm = Algorithm::ALL[(n + len) % 6];
                let padding = if end == 0 { Padding::None } else { Padding::Pkcs7 };
                let (key, iv) = (rng.bytes(algorithm.key_len()), rng.array());
                let (data, chunks) = (rng.bytes(len), vec![512, 1, 7, 520]);
                let case = Case { kind, iv, padding };
                let shift = n % 8;
                let ways: Vec<Way> =
                    Way::des().into_iter().filter(|way| *way != Way::ConstantTime).collect();
                Message { algorithm, key, case, shift, chunks, data }.check_ways(&ways);
            }
        }
    }
}

/// Chains and independent blocks from every address within a cache line's quarter on.
#[test]
fn alignments() {
    let mut rng = Rng::new(6);
    for (shift, count) in (0..=16).flat_map(|shift| (1..=9).map(move |count| (shift, count))) {
        let algorithm = Algorithm::ALL[(shift + count) % 6];
        let (bytes, iv) = (rng.bytes(algorithm.key_len()), rng.array());
        let spec = SpecKey::new(algorithm, &bytes);
        let data = rng.bytes(8 * count);
        let case = |kind| Case { kind, iv, padding: Padding::None };
        let [chain, blocks] =
            [Kind::Cbc, Kind::Ecb].map(|kind| case(kind).encrypt(&spec, &data).unwrap());
        for way in Way::des() {
            let key = way.key(algorithm, &bytes);
            let mut buffer = Aligned([0xa5; 128]);
            let mut crypt = |work: &dyn Fn(&mut [u8]), expected: &[u8]| {
                let what = format!("{count} blocks at {shift}, {way:?}");
                buffer.0[shift..][..data.len()].copy_from_slice(&data);
                work(&mut buffer.0[shift..][..data.len()]);
                assert_eq!(&buffer.0[shift..][..data.len()], expected, "{what}");
                buffer.0[shift..][..data.len()].fill(0xa5);
                assert_eq!(buffer.0, [0xa5; 128], "written outside, {what}");
            };
            let mode = case(Kind::Cbc).mode();
            crypt(
                &|work| {
                    mode.encrypt_in_place(&key, work, data.len()).unwrap();
                },
                &chain,
            );
            crypt(&|work| key.encrypt_blocks(work.as_chunks_mut().0).unwrap(), &blocks);
            crypt(
                &|work| {
                    let work = work.as_chunks_mut().0;
                    key.encrypt_blocks(work).unwrap();
                    key.decrypt_blocks(work).unwrap();
                },
                &data,
            );
        }
    }
}

/// A buffer that begins where a cache line does.
#[repr(align(64))]
struct Aligned([u8; 128]);

/// MACs are chains through a buffer: messages around its size, whole and in two pieces.
#[test]
fn macs() {
    use cipherloom::Mac;
    use cipherloom_spec::mac;
    let mut rng = Rng::new(7);
    let lengths = BLOCKS.into_iter().flat_map(|blocks| [8 * blocks, 8 * blocks + 3]);
    for (n, len) in lengths.enumerate() {
        let algorithm = Algorithm::ALL[n % 6];
        let (bytes, data) = (rng.bytes(algorithm.key_len()), rng.bytes(len));
        let expected = mac::cmac(&SpecKey::new(algorithm, &bytes), &data);
        for way in Way::des().into_iter().filter(|way| *way != Way::ConstantTime) {
            let (first, second) = data.split_at(rng.number(0..=len));
            let mut mac = Mac::cmac(&way.key(algorithm, &bytes));
            let mut whole = mac.clone();
            whole.update(&data).unwrap();
            assert_eq!(whole.finish(), Ok(expected), "{algorithm:?}, {len} bytes, {way:?}");
            mac.update(first).unwrap();
            mac.update(second).unwrap();
            assert_eq!(mac.finish(), Ok(expected), "{algorithm:?}, {len} bytes, {way:?}");
        }
    }
}

/// CFB-1 by numbers of bits around the same widths; bits behind the message stay.
#[test]
fn bits() {
    use cipherloom_spec::{bits, modes::cfb};
    let mut rng = Rng::new(3);
    for bit_len in (0..=17usize).chain([63, 64, 65, 127, 128, 129, 511, 512, 513, 1025]) {
        let (bytes, iv) = (rng.array::<24>(), rng.array());
        let spec = SpecKey::new(Algorithm::TdesEde3, &bytes);
        let data = rng.bytes(bit_len.div_ceil(8) + 2);
        let all = bits::from_bytes(&data);
        let behind = |head: Vec<bool>| bits::to_bytes(&[&head, &all[bit_len..]].concat());
        let encrypted = behind(cfb::encrypt_1(&spec, iv, &all[..bit_len]));
        let decrypted = behind(cfb::decrypt_1(&spec, iv, &all[..bit_len]));
        let mode = cipherloom::Mode::cfb1(iv);
        for way in Way::des() {
            let key = way.key(Algorithm::TdesEde3, &bytes);
            let mut work = data.clone();
            mode.encrypt_bits(&key, &mut work, bit_len).unwrap();
            assert_eq!(work, encrypted, "{bit_len} bits, {way:?}");
            mode.decrypt_bits(&key, &mut work, bit_len).unwrap();
            assert_eq!(work, data, "{bit_len} bits, {way:?}");
            mode.decrypt_bits(&key, &mut work, bit_len).unwrap();
            assert_eq!(work, decrypted, "{bit_len} bits, {way:?}");
        }
    }
}

/// A key in every lane, one block each, for every number of lanes in use.
#[test]
fn every_lane_has_its_own_key() {
    let mut rng = Rng::new(4);
    for algorithm in Algorithm::ALL {
        let records: Vec<One> = (0..513)
            .map(|_| One {
                key: rng.bytes(algorithm.key_len()),
                iv: Vec::new(),
                data: rng.bytes(8),
                len: 8,
            })
            .collect();
        // The table backend, which the batch is compared with, against the specification first.
        for one in &records {
            let mut block: [u8; 8] = one.data[..].try_into().unwrap();
            let expected = SpecKey::new(algorithm, &one.key).encrypt(block);
            let table = Way::Forced(cipherloom::Backend::Table).key(algorithm, &one.key);
            table.encrypt_block(&mut block).unwrap();
            assert_eq!(block, expected, "{algorithm:?}");
        }
        for direction in [Direction::Encrypt, Direction::Decrypt] {
            let work = Work { kind: Kind::Ecb, algorithm, padding: Padding::None, direction };
            for count in (1..=66).chain([127, 128, 129, 255, 256, 257, 511, 512, 513]) {
                work.check(&records[..count]);
            }
        }
    }
}

/// A key and a message in every lane, of lengths that end one after the other.
#[test]
fn lanes_that_end_at_different_times() {
    let mut rng = Rng::new(5);
    for kind in [Kind::Ecb, Kind::Cbc, Kind::Ctr] {
        for direction in [Direction::Encrypt, Direction::Decrypt] {
            let algorithm = *rng.choose(&Algorithm::ALL);
            let iv_len = if kind == Kind::Ecb { 0 } else { 8 };
            let records: Vec<One> = (0..200)
                .map(|n| {
                    let len = 8 * (n % 70);
                    let (key, iv) = (rng.bytes(algorithm.key_len()), rng.bytes(iv_len));
                    One { key, iv, data: rng.bytes(len), len }
                })
                .collect();
            Work { kind, algorithm, padding: Padding::None, direction }.check(&records);
        }
    }
}
