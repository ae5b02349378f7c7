//! The programs of `examples/`.

use crate::support::{Library, Program};

#[test]
fn a_program_for_openssl_prints_the_same_with_ours() {
    let source = "examples/libdes.c";
    let theirs = Program::new(source).library(Library::None).libcrypto();
    let theirs = theirs.option("-Wno-deprecated-declarations").build().run(&[]);
    assert!(theirs.contains("ncbc back: the same"), "{theirs}");
    for library in [Library::Static, Library::Shared] {
        let ours = Program::new(source).compat().library(library).build().run(&[]);
        assert_eq!(ours, theirs, "{library:?}");
    }
}
