//! RustCrypto's `des` and `rc4`, in its mode crates.

use cipher::consts::U8;
use cipher::{
    Array, BlockCipherDecrypt, BlockCipherEncrypt, BlockModeDecrypt, BlockModeEncrypt,
    BlockSizeUser, InnerIvInit, KeyInit, StreamCipher, StreamCipherCoreWrapper,
};
use des::{Des, TdesEde3};
use rc4::Rc4;

use super::participant::{Kind, Participant};
use crate::rows::{Cipher, Operation, Row};
use crate::work::{Work, each, iv, ready_key};

pub(super) fn participant() -> Participant {
    Participant {
        name: "RustCrypto".into(),
        kind: Kind::Peer,
        library: "RustCrypto",
        version: env!("RUSTCRYPTO_VERSIONS").into(),
        is_constant_time: false,
        open: Box::new(|row| {
            Ok(match row.cipher {
                Cipher::Des => block::<Des>(row),
                Cipher::Des3 => block::<TdesEde3>(row),
                Cipher::Rc4 => rc4(row),
            })
        }),
    }
}

const KEY: &str = "the key has the right length";

fn block<C>(row: &Row) -> Option<Work>
where
    C: KeyInit + BlockSizeUser<BlockSize = U8> + BlockCipherEncrypt + BlockCipherDecrypt + 'static,
{
    let key = C::new_from_slice(&ready_key(row.cipher)).expect(KEY);
    let iv = Array::from(iv());
    Some(match row.operation {
        Operation::CbcEncrypt => each(move |_, data| {
            cbc::Encryptor::inner_iv_init(&key, &iv).encrypt_blocks(blocks(data));
        }),
        Operation::CbcDecrypt => each(move |_, data| {
            cbc::Decryptor::inner_iv_init(&key, &iv).decrypt_blocks(blocks(data));
        }),
        Operation::Ctr => each(move |_, data| {
            let core = ctr::CtrCore::<_, ctr::flavors::Ctr64BE>::inner_iv_init(&key, &iv);
            StreamCipherCoreWrapper::from_core(core).apply_keystream(data);
        }),
        Operation::EcbEncrypt => each(move |_, data| key.encrypt_blocks(blocks(data))),
        Operation::NewKey => each(|key, data| {
            C::new_from_slice(key).expect(KEY).encrypt_blocks(blocks(data));
        }),
        _ => return None,
    })
}

fn rc4(row: &Row) -> Option<Work> {
    let new = |key: &[u8]| <Rc4 as KeyInit>::new_from_slice(key).expect(KEY);
    match row.operation {
        Operation::Stream => {
            let mut stream = new(&ready_key(row.cipher));
            Some(each(move |_, data| stream.apply_keystream(data)))
        }
        Operation::NewKey => Some(each(move |key, data| new(key).apply_keystream(data))),
        _ => None,
    }
}

fn blocks(data: &mut [u8]) -> &mut [Array<u8, U8>] {
    Array::slice_as_chunks_mut(data).0
}
