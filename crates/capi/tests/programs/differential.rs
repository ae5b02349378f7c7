//! Every function of OpenSSL's `des.h` and `rc4.h` beside libcrypto's, linked into one program.

use crate::support::{Library, Program};

#[test]
fn slow_every_function_does_what_libcrypto_s_does() {
    for library in [Library::Static, Library::Shared] {
        let program = Program::new("tests/c/differential.c").library(library).libcrypto().build();
        for seed in ["1", "2"] {
            let said = program.run(&["1500", seed]);
            assert!(said.contains("comparisons agree"), "{said}");
            println!("{said}");
        }
    }
}
