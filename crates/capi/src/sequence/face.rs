//! The functions as the headers declare them.

use core::ffi::{c_char, c_int, c_long};

/// `cl_mode`.
#[repr(C)]
pub(super) struct CMode {
    pub(super) mode: c_int,
    pub(super) padding: c_int,
    pub(super) iv: [u8; 8],
}

/// `cl_batch`.
#[repr(C)]
pub(super) struct CBatch {
    pub(super) cipher: c_int,
    pub(super) mode: c_int,
    pub(super) padding: c_int,
    pub(super) policy: c_int,
    pub(super) backend: *const c_char,
}

/// `cl_record`.
#[repr(C)]
pub(super) struct CRecord {
    pub(super) key: *const u8,
    pub(super) key_len: usize,
    pub(super) iv: *const u8,
    pub(super) iv_len: usize,
    pub(super) data: *mut u8,
    pub(super) len: usize,
    pub(super) room: usize,
    pub(super) result_len: usize,
    pub(super) error: c_int,
}

/// `cl_span`.
#[repr(C)]
pub(super) struct CSpan {
    pub(super) offset: usize,
    pub(super) len: usize,
    pub(super) room: usize,
    pub(super) result_len: usize,
    pub(super) error: c_int,
}

/// `cl_flat`.
#[repr(C)]
pub(super) struct CFlat {
    pub(super) keys: *const u8,
    pub(super) key_len: usize,
    pub(super) key_count: usize,
    pub(super) ivs: *const u8,
    pub(super) ivs_len: usize,
    pub(super) data: *mut u8,
    pub(super) data_len: usize,
    pub(super) spans: *mut CSpan,
    pub(super) count: usize,
}

/// What a handle leads to is the library's.
#[repr(C)]
pub(super) struct Opaque([u8; 0]);

/// A handle, or null.
pub(super) type Handle = *mut Opaque;

/// What `cl_encrypt` and `cl_decrypt` are.
pub(super) type Crypt = unsafe extern "C" fn(
    Handle,
    *const CMode,
    *const u8,
    usize,
    *mut u8,
    usize,
    *mut usize,
) -> c_int;

unsafe extern "C" {
    pub(super) fn cl_key_new(
        key: *mut Handle,
        cipher: c_int,
        bytes: *const u8,
        len: usize,
    ) -> c_int;
    pub(super) fn cl_key_new_checked(
        key: *mut Handle,
        cipher: c_int,
        bytes: *const u8,
        len: usize,
        parity: c_int,
    ) -> c_int;
    pub(super) fn cl_key_copy(copy: *mut Handle, key: Handle) -> c_int;
    pub(super) fn cl_key_free(key: Handle);
    pub(super) fn cl_key_set_policy(key: Handle, policy: c_int) -> c_int;
    pub(super) fn cl_key_set_backend(key: Handle, name: *const c_char) -> c_int;
    pub(super) fn cl_backend_name(n: usize) -> *const c_char;
    pub(super) fn cl_encrypt_blocks(key: Handle, blocks: *mut u8, count: usize) -> c_int;
    pub(super) fn cl_decrypt_blocks(key: Handle, blocks: *mut u8, count: usize) -> c_int;

    pub(super) fn cl_encrypt(
        key: Handle,
        mode: *const CMode,
        input: *const u8,
        len: usize,
        output: *mut u8,
        room: usize,
        written: *mut usize,
    ) -> c_int;
    pub(super) fn cl_decrypt(
        key: Handle,
        mode: *const CMode,
        input: *const u8,
        len: usize,
        output: *mut u8,
        room: usize,
        written: *mut usize,
    ) -> c_int;
    pub(super) fn cl_encrypted_len(mode: *const CMode, len: usize, result: *mut usize) -> c_int;
    pub(super) fn cl_encrypt_bits(
        key: Handle,
        mode: *const CMode,
        data: *mut u8,
        bits: usize,
    ) -> c_int;

    pub(super) fn cl_encryptor_new(message: *mut Handle, key: Handle, mode: *const CMode) -> c_int;
    pub(super) fn cl_decryptor_new(message: *mut Handle, key: Handle, mode: *const CMode) -> c_int;
    pub(super) fn cl_message_free(message: Handle);
    pub(super) fn cl_message_update_len(message: Handle, len: usize, result: *mut usize) -> c_int;
    pub(super) fn cl_message_update(
        message: Handle,
        input: *const u8,
        len: usize,
        output: *mut u8,
        room: usize,
        written: *mut usize,
    ) -> c_int;
    pub(super) fn cl_message_finish(
        message: Handle,
        output: *mut u8,
        room: usize,
        written: *mut usize,
    ) -> c_int;

    pub(super) fn cl_mac_new_cbc(mac: *mut Handle, key: Handle, padding: c_int) -> c_int;
    pub(super) fn cl_mac_new_cbc_of_length(mac: *mut Handle, key: Handle, len: u64) -> c_int;
    pub(super) fn cl_mac_new_retail(mac: *mut Handle, key: Handle, padding: c_int) -> c_int;
    pub(super) fn cl_mac_new_retail_of_length(mac: *mut Handle, key: Handle, len: u64) -> c_int;
    pub(super) fn cl_mac_new_cmac(mac: *mut Handle, key: Handle) -> c_int;
    pub(super) fn cl_mac_free(mac: Handle);
    pub(super) fn cl_mac_update(mac: Handle, data: *const u8, len: usize) -> c_int;
    pub(super) fn cl_mac_finish(mac: Handle, tag: *mut u8) -> c_int;
    pub(super) fn cl_mac_verify(mac: Handle, tag: *const u8, len: usize) -> c_int;

    pub(super) fn cl_rc4_new(
        stream: *mut Handle,
        key: *const u8,
        len: usize,
        policy: c_int,
    ) -> c_int;
    pub(super) fn cl_rc4_free(stream: Handle);
    pub(super) fn cl_rc4_apply(
        stream: Handle,
        input: *const u8,
        len: usize,
        output: *mut u8,
    ) -> c_int;
    pub(super) fn cl_rc4_skip(stream: Handle, count: u64) -> c_int;

    pub(super) fn cl_batch_encrypt(
        batch: *const CBatch,
        records: *mut CRecord,
        count: usize,
    ) -> c_int;
    pub(super) fn cl_batch_decrypt(
        batch: *const CBatch,
        records: *mut CRecord,
        count: usize,
    ) -> c_int;
    pub(super) fn cl_batch_encrypt_flat(batch: *const CBatch, flat: *const CFlat) -> c_int;
    pub(super) fn cl_batch_decrypt_flat(batch: *const CBatch, flat: *const CFlat) -> c_int;

    pub(super) fn cl_DES_set_key_checked(key: *const u8, schedule: *mut [u32; 32]) -> c_int;
    pub(super) fn cl_DES_set_key_unchecked(key: *const u8, schedule: *mut [u32; 32]);
    pub(super) fn cl_DES_is_weak_key(key: *const u8) -> c_int;
    pub(super) fn cl_DES_check_key_parity(key: *const u8) -> c_int;
    pub(super) fn cl_DES_ede3_cbc_encrypt(
        input: *const u8,
        output: *mut u8,
        len: c_long,
        ks1: *const [u32; 32],
        ks2: *const [u32; 32],
        ks3: *const [u32; 32],
        ivec: *mut u8,
        enc: c_int,
    );
    pub(super) fn cl_DES_ncbc_encrypt(
        input: *const u8,
        output: *mut u8,
        len: c_long,
        ks: *const [u32; 32],
        ivec: *mut u8,
        enc: c_int,
    );
    pub(super) fn cl_DES_cfb64_encrypt(
        input: *const u8,
        output: *mut u8,
        len: c_long,
        ks: *const [u32; 32],
        ivec: *mut u8,
        num: *mut c_int,
        enc: c_int,
    );
    pub(super) fn cl_DES_ofb64_encrypt(
        input: *const u8,
        output: *mut u8,
        len: c_long,
        ks: *const [u32; 32],
        ivec: *mut u8,
        num: *mut c_int,
    );
    pub(super) fn cl_RC4_set_key(key: *mut [u32; 258], len: c_int, data: *const u8);
    pub(super) fn cl_RC4(key: *mut [u32; 258], len: usize, input: *const u8, output: *mut u8);
}
