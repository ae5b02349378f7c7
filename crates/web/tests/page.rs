//! The page that is committed is the one that its parts make. Whether its WebAssembly is that of these
//! sources, `cargo xtask web --check` says, by building it.

use std::path::{Path, PathBuf};

use cipherloom_web::page;

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../web")
}

#[test]
fn the_page_is_made_of_its_parts() {
    let committed = std::fs::read_to_string(folder().join("cipherloom.html")).unwrap();
    let wasm = page::wasm_of(&committed).expect("the page has WebAssembly");
    assert!(wasm.starts_with(b"\0asm"));
    let made = page::from_folder(&folder(), &wasm).unwrap();
    assert!(made == committed, "web/cipherloom.html is not made of these files: cargo xtask web");
}

/// The rounds in bit slices are 384 operations on vectors. The portable kernels leave vectors to the compiler: here it
/// makes them, or the page is half as fast.
#[test]
fn rounds_are_vectors_of_128_bits() {
    let committed = std::fs::read_to_string(folder().join("cipherloom.html")).unwrap();
    let wasm = page::wasm_of(&committed).expect("the page has WebAssembly");
    // `v128.andnot` and `v128.xor`, by their numbers behind the prefix of vectors.
    for (number, of_a_round) in [(0x4f, 47), (0x51, 233)] {
        let there = wasm.windows(2).filter(|two| *two == [0xfd, number]).count();
        assert!(there >= of_a_round, "{there} of {number:#x}, a round has {of_a_round}");
    }
}

#[test]
fn nothing_in_the_page_leads_elsewhere() {
    let page = std::fs::read_to_string(folder().join("cipherloom.html")).unwrap();
    for needed in ["default-src 'none'", "connect-src 'none'", "form-action 'none'"] {
        assert!(page.contains(needed), "{needed}");
    }
    for wrong in ["unsafe-inline", "unsafe-hashes", "'unsafe-eval'", "http:", "https:", "src=\""] {
        assert!(!page.contains(wrong), "{wrong}");
    }
    assert!(!page.contains("{{"), "a place of the page was left empty");
}
