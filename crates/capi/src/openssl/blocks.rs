//! Single blocks.

use super::cipher::{Cipher, be_ready};
use super::{Block, Schedule, need, read, write};
use core::ffi::c_int;
use library::libdes::{self, Words};

#[unsafe(no_mangle)]
extern "C" fn cl_DES_encrypt1(data: Option<&mut Words>, ks: Option<&Schedule>, enc: c_int) {
    be_ready();
    libdes::encrypt1(need(data), need(ks), enc != 0);
}

#[unsafe(no_mangle)]
extern "C" fn cl_DES_encrypt2(data: Option<&mut Words>, ks: Option<&Schedule>, enc: c_int) {
    be_ready();
    libdes::encrypt2(need(data), need(ks), enc != 0);
}

#[unsafe(no_mangle)]
extern "C" fn cl_DES_encrypt3(
    data: Option<&mut Words>,
    ks1: Option<&Schedule>,
    ks2: Option<&Schedule>,
    ks3: Option<&Schedule>,
) {
    be_ready();
    libdes::encrypt3(need(data), [need(ks1), need(ks2), need(ks3)]);
}

#[unsafe(no_mangle)]
extern "C" fn cl_DES_decrypt3(
    data: Option<&mut Words>,
    ks1: Option<&Schedule>,
    ks2: Option<&Schedule>,
    ks3: Option<&Schedule>,
) {
    be_ready();
    libdes::decrypt3(need(data), [need(ks1), need(ks2), need(ks3)]);
}

/// # Safety
/// As the header says of `cl_DES_ecb_encrypt`.
unsafe fn ecb(cipher: Cipher<'_>, input: *const Block, output: *mut Block, enc: c_int) {
    // SAFETY: as the caller says.
    unsafe {
        let block = read(input);
        write(output, if enc != 0 { cipher.encrypt(block) } else { cipher.decrypt(block) });
    }
}

#[unsafe(no_mangle)]
unsafe extern "C" fn cl_DES_ecb_encrypt(
    input: *const Block,
    output: *mut Block,
    ks: Option<&Schedule>,
    enc: c_int,
) {
    // SAFETY: as the header says.
    unsafe { ecb(Cipher::one(ks), input, output, enc) }
}

#[unsafe(no_mangle)]
unsafe extern "C" fn cl_DES_ecb3_encrypt(
    input: *const Block,
    output: *mut Block,
    ks1: Option<&Schedule>,
    ks2: Option<&Schedule>,
    ks3: Option<&Schedule>,
    enc: c_int,
) {
    // SAFETY: as the header says.
    unsafe { ecb(Cipher::three([ks1, ks2, ks3]), input, output, enc) }
}
