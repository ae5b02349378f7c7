//! The RustCrypto `cipher` 0.5 traits: our types inside the public mode crates give what our own
//! modes give, and what RustCrypto's own `des` and `rc4` give in the same crates.

use cipher::block_padding::{Iso7816, NoPadding, Pkcs7};
use cipher::consts::{U8, U16, U24};
use cipher::{
    AlgorithmName, BlockCipherDecrypt, BlockCipherEncrypt, BlockModeDecrypt, BlockModeEncrypt,
    BlockSizeUser, InvalidLength, KeyInit, KeyIvInit, KeySizeUser, StreamCipher, array::Array,
};
use cipherloom::{
    Algorithm, BlockCipher, Des, Desx, Mac, Padding, Rc4, TdesEde2, TdesEde3, TdesEee2, TdesEee3,
};
use cipherloom_testkit::oracle::{Case, Kind};
use cipherloom_testkit::rng::Rng;
use cipherloom_testkit::ways::Way;
use zeroize::ZeroizeOnDrop;

/// Lengths around the parallel calls of 128 blocks.
const BLOCKS: [usize; 10] = [0, 1, 2, 15, 64, 127, 128, 129, 255, 400];

/// The modes of which there are public crates.
const KINDS: [Kind; 5] = [Kind::Ecb, Kind::Cbc, Kind::Cfb64, Kind::Ofb, Kind::Ctr];

/// What generic code asks of a block cipher; RustCrypto's types and ours have it.
trait Generic:
    KeyInit + BlockCipherEncrypt + BlockCipherDecrypt + BlockSizeUser<BlockSize = U8> + Clone
{
}

impl<C> Generic for C where
    C: KeyInit + BlockCipherEncrypt + BlockCipherDecrypt + BlockSizeUser<BlockSize = U8> + Clone
{
}

/// A message of whole blocks in a public mode crate, generic as a program would write it.
fn public<C: Generic>(
    kind: Kind,
    encrypts: bool,
    key: &[u8],
    iv: [u8; 8],
    message: &[u8],
) -> Vec<u8> {
    let (mut buf, len) = (message.to_vec(), message.len());
    match (kind, encrypts) {
        (Kind::Ecb, true) => {
            let mode = ecb::Encryptor::<C>::new_from_slice(key).unwrap();
            mode.encrypt_padded::<NoPadding>(&mut buf, len).unwrap();
        }
        (Kind::Ecb, false) => {
            let mode = ecb::Decryptor::<C>::new_from_slice(key).unwrap();
            mode.decrypt_padded::<NoPadding>(&mut buf).unwrap();
        }
        (Kind::Cbc, true) => {
            let mode = cbc::Encryptor::<C>::new_from_slices(key, &iv).unwrap();
            mode.encrypt_padded::<NoPadding>(&mut buf, len).unwrap();
        }
        (Kind::Cbc, false) => {
            let mode = cbc::Decryptor::<C>::new_from_slices(key, &iv).unwrap();
            mode.decrypt_padded::<NoPadding>(&mut buf).unwrap();
        }
        (Kind::Cfb64, true) => {
            cfb_mode::Encryptor::<C>::new_from_slices(key, &iv).unwrap().encrypt(&mut buf);
        }
        (Kind::Cfb64, false) => {
            cfb_mode::Decryptor::<C>::new_from_slices(key, &iv).unwrap().decrypt(&mut buf);
        }
        (Kind::Ofb, _) => {
            ofb::Ofb::<C>::new_from_slices(key, &iv).unwrap().apply_keystream(&mut buf);
        }
        (Kind::Ctr, _) => {
            ctr::Ctr64BE::<C>::new_from_slices(key, &iv).unwrap().apply_keystream(&mut buf);
        }
        other => panic!("no public crate for {other:?}"),
    }
    buf
}

/// Our type in the public crates, our own mode, and RustCrypto's type: the same bytes.
fn agree<Ours: Generic, Theirs: Generic>(algorithm: Algorithm, seed: u64) {
    agree_with_own_mode::<Ours>(algorithm, seed, |kind, encrypts, key, iv, message| {
        Some(public::<Theirs>(kind, encrypts, key, iv, message))
    });
}

fn agree_with_own_mode<Ours: Generic>(
    algorithm: Algorithm,
    seed: u64,
    theirs: impl Fn(Kind, bool, &[u8], [u8; 8], &[u8]) -> Option<Vec<u8>>,
) {
    let mut rng = Rng::new(seed);
    for kind in KINDS {
        for blocks in BLOCKS {
            let (key, iv) = (rng.bytes(algorithm.key_len()), rng.array());
            let message = rng.bytes(8 * blocks);
            let mode = Case { kind, iv, padding: Padding::None }.mode();
            let own_key = Way::Fastest.key(algorithm, &key);
            let mut own = message.clone();
            for encrypts in [true, false] {
                own.copy_from_slice(&message);
                if encrypts {
                    mode.encrypt_in_place(&own_key, &mut own, message.len()).unwrap();
                } else {
                    mode.decrypt_in_place(&own_key, &mut own).unwrap();
                }
                let what = format!("{algorithm:?} {kind:?}, encrypts {encrypts}, {blocks} blocks");
                assert_eq!(public::<Ours>(kind, encrypts, &key, iv, &message), own, "{what}");
                if let Some(theirs) = theirs(kind, encrypts, &key, iv, &message) {
                    assert_eq!(theirs, own, "{what}");
                }
            }
        }
    }
}

#[test]
fn block_ciphers_in_the_public_mode_crates() {
    agree::<Des, des::Des>(Algorithm::Des, 1);
    agree::<TdesEde2, des::TdesEde2>(Algorithm::TdesEde2, 2);
    agree::<TdesEde3, des::TdesEde3>(Algorithm::TdesEde3, 3);
    agree::<TdesEee2, des::TdesEee2>(Algorithm::TdesEee2, 4);
    agree::<TdesEee3, des::TdesEee3>(Algorithm::TdesEee3, 5);
    agree_with_own_mode::<Desx>(Algorithm::Desx, 6, |_, _, _, _, _| None);
}

#[test]
fn stream_modes_take_any_length_and_chunking() {
    let mut rng = Rng::new(7);
    for len in [0, 1, 7, 9, 100, 519, 1500] {
        let (key, iv) = (rng.array::<24>(), rng.array::<8>());
        let (message, chunks) = (rng.bytes(len), rng.chunks(len));
        for kind in [Kind::Cfb64, Kind::Ofb, Kind::Ctr] {
            let mode = Case { kind, iv, padding: Padding::None }.mode();
            let mut own = message.clone();
            mode.encrypt_in_place(&TdesEde3::new(&key), &mut own, len).unwrap();
            assert_eq!(public::<TdesEde3>(kind, true, &key, iv, &message), own, "{kind:?} {len}");
            if kind != Kind::Cfb64 {
                let mut pieces = message.clone();
                let mut ofb = ofb::Ofb::<TdesEde3>::new(&key.into(), &iv.into());
                let mut ctr = ctr::Ctr64BE::<TdesEde3>::new(&key.into(), &iv.into());
                let mut rest = &mut pieces[..];
                for &chunk in &chunks {
                    let (piece, behind) = rest.split_at_mut(chunk);
                    match kind {
                        Kind::Ofb => ofb.apply_keystream(piece),
                        _ => ctr.apply_keystream(piece),
                    }
                    rest = behind;
                }
                assert_eq!(pieces, own, "{kind:?} in pieces of {chunks:?}");
            }
        }
    }
}

#[test]
fn public_paddings_are_ours() {
    let mut rng = Rng::new(8);
    let (key, iv) = (rng.array::<24>(), rng.array::<8>());
    for len in 0..40 {
        let message = rng.bytes(len);
        for padding in [Padding::Pkcs7, Padding::Iso7816] {
            let mut buffer = [0; 48];
            let mode = cipherloom::Mode::cbc(iv, padding);
            let own = mode.encrypt(&TdesEde3::new(&key), &message, &mut buffer).unwrap();
            let public = cbc::Encryptor::<TdesEde3>::new(&key.into(), &iv.into());
            let back = cbc::Decryptor::<TdesEde3>::new(&key.into(), &iv.into());
            let (there, back) = if padding == Padding::Pkcs7 {
                let there = public.encrypt_padded_vec::<Pkcs7>(&message);
                (there, back.decrypt_padded_vec::<Pkcs7>(own).unwrap())
            } else {
                let there = public.encrypt_padded_vec::<Iso7816>(&message);
                (there, back.decrypt_padded_vec::<Iso7816>(own).unwrap())
            };
            assert_eq!((there.as_slice(), back), (&*own, message.clone()), "{padding:?} {len}");
        }
    }
}

/// CMAC of ours in the public crate, of theirs there, and our own.
#[test]
fn cmac() {
    use cmac::{Cmac, Mac as _};
    let mut rng = Rng::new(9);
    for len in [0, 1, 7, 8, 9, 16, 17, 64, 511, 1024] {
        let (key, message) = (rng.array::<24>(), rng.bytes(len));
        let ours = Cmac::<TdesEde3>::new(&key.into()).chain_update(&message).finalize();
        let theirs = Cmac::<des::TdesEde3>::new(&key.into()).chain_update(&message).finalize();
        let mut own = Mac::cmac(&TdesEde3::new(&key));
        own.update(&message).unwrap();
        let own = own.finish().unwrap();
        assert_eq!((ours.into_bytes().0, theirs.into_bytes().0), (own, own), "{len} bytes");
    }
}

/// Single blocks and lists of blocks, in place and from buffer to buffer, by the traits alone.
#[test]
fn blocks_by_the_traits() {
    let mut rng = Rng::new(10);
    for count in BLOCKS {
        let key = rng.array::<24>();
        let (ours, theirs) =
            (<TdesEde3 as KeyInit>::new(&key.into()), <des::TdesEde3 as KeyInit>::new(&key.into()));
        let plain: Vec<Array<u8, U8>> = (0..count).map(|_| rng.array::<8>().into()).collect();
        let mut expected = plain.clone();
        theirs.encrypt_blocks(&mut expected);
        let mut in_place = plain.clone();
        BlockCipherEncrypt::encrypt_blocks(&ours, &mut in_place);
        let mut output = vec![Array::default(); count];
        ours.encrypt_blocks_b2b(&plain, &mut output).unwrap();
        assert_eq!((&in_place, &output), (&expected, &expected), "{count} blocks");
        BlockCipherDecrypt::decrypt_blocks(&ours, &mut in_place);
        ours.decrypt_blocks_b2b(&expected, &mut output).unwrap();
        assert_eq!((&in_place, &output), (&plain, &plain), "{count} blocks");
        for (plain, expected) in plain.iter().zip(&expected) {
            let mut block = *plain;
            BlockCipherEncrypt::encrypt_block(&ours, &mut block);
            assert_eq!(block, *expected);
            BlockCipherDecrypt::decrypt_block(&ours, &mut block);
            assert_eq!(block, *plain);
        }
    }
}

/// A key keeps its policy and its forced backend inside a mode crate.
#[test]
fn every_backend_under_the_traits() {
    use cipher::InnerIvInit as _;
    let mut rng = Rng::new(11);
    let (key, iv, message) = (rng.array::<24>(), rng.array::<8>(), rng.bytes(8 * 200));
    let expected = public::<des::TdesEde3>(Kind::Cbc, false, &key, iv, &message);
    for &backend in cipherloom::Backend::all() {
        if backend.family() != cipherloom::Family::Des {
            continue;
        }
        let forced = TdesEde3::new(&key).with_backend(backend).unwrap();
        let mode = cbc::Decryptor::inner_iv_init(forced, &iv.into());
        let mut buf = message.clone();
        mode.decrypt_padded::<NoPadding>(&mut buf).unwrap();
        assert_eq!(buf, expected, "{backend:?}");
    }
}

#[test]
fn rc4_as_stream_cipher() {
    let mut rng = Rng::new(12);
    for key_len in [1, 5, 16, 32, 255, 256] {
        let (key, len) = (rng.bytes(key_len), rng.number(0..=2000));
        let (message, chunks) = (rng.bytes(len), rng.chunks(len));
        let mut expected = message.clone();
        let theirs = <rc4::Rc4 as KeyInit>::new_from_slice(&key);
        theirs.expect("a key of 1 to 256 bytes").apply_keystream(&mut expected);

        let mut pieces = message.clone();
        let mut stream = <Rc4 as KeyInit>::new_from_slice(&key).unwrap();
        let mut rest = &mut pieces[..];
        for chunk in chunks {
            let (piece, behind) = rest.split_at_mut(chunk);
            stream.apply_keystream(piece);
            rest = behind;
        }
        assert_eq!(pieces, expected, "{key_len} key bytes");

        let mut output = vec![0; len];
        let mut stream = <Rc4 as KeyInit>::new_from_slice(&key).unwrap();
        stream.apply_keystream_b2b(&message, &mut output);
        assert_eq!(output, expected);

        let mut keystream = rng.bytes(len);
        let mut stream = <Rc4 as KeyInit>::new_from_slice(&key).unwrap();
        stream.write_keystream(&mut keystream);
        let by_keystream: Vec<u8> = message.iter().zip(keystream).map(|(a, b)| a ^ b).collect();
        assert_eq!(by_keystream, expected);
    }
}

#[test]
fn wrong_lengths_are_errors() {
    for len in [0, 257] {
        assert!(matches!(<Rc4 as KeyInit>::new_from_slice(&vec![1; len]), Err(InvalidLength)));
    }
    for len in [0, 7, 9, 16, 24] {
        assert!(matches!(<Des as KeyInit>::new_from_slice(&vec![1; len]), Err(InvalidLength)));
    }
}

/// What a program may ask of the types: names, key sizes, wiping.
#[test]
fn names_sizes_and_bounds() {
    struct Name<T>(std::marker::PhantomData<T>);
    impl<T: AlgorithmName> std::fmt::Display for Name<T> {
        fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
            T::write_alg_name(f)
        }
    }
    fn name<T: AlgorithmName>() -> String {
        Name::<T>(std::marker::PhantomData).to_string()
    }
    fn drop_in<Ours, Theirs>()
    where
        Ours: AlgorithmName + KeySizeUser + Generic + ZeroizeOnDrop + Send + Sync + std::fmt::Debug,
        Theirs: AlgorithmName + KeySizeUser<KeySize = Ours::KeySize> + Generic,
    {
        assert_eq!(name::<Ours>(), name::<Theirs>());
    }
    drop_in::<Des, des::Des>();
    drop_in::<TdesEde2, des::TdesEde2>();
    drop_in::<TdesEde3, des::TdesEde3>();
    drop_in::<TdesEee2, des::TdesEee2>();
    drop_in::<TdesEee3, des::TdesEee3>();
    assert_eq!(name::<Desx>(), "Desx");

    fn stream<C: AlgorithmName + KeyInit + StreamCipher>() -> String {
        name::<C>()
    }
    fn wiped<T: ZeroizeOnDrop>() {}
    assert_eq!(stream::<Rc4>(), "Rc4");
    wiped::<Rc4>();
    wiped::<Desx>();
    fn key_size<C: KeySizeUser<KeySize = S>, S>() {}
    key_size::<Des, U8>();
    key_size::<TdesEde2, U16>();
    key_size::<Desx, U24>();
}
