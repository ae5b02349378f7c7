//! Runs the examples of the README.

use std::path::Path;

use crate::common::Folder;

#[test]
fn the_examples_of_the_readme_are_true() {
    let folder = Folder::new();
    let samples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../samples");
    let read = |name: &str| std::fs::read(samples.join(name)).unwrap();
    folder.file("letter.txt.des3", read("letter.txt.des3"));
    folder.file("me.pub", age::x25519::Identity::generate().to_public().to_string());
    folder.file(
        "accounts.csv",
        "id,name,secret,iv\n\
         1,\"Doe, Jane\",bef70852a3d18fff155e7f44fec46f0a,0102030405060708\n\
         2,Roe,bef70852,0102030405060708\n",
    );
    assert_eq!(crate::docs::run(&folder, "../README.md"), 10);
    assert_eq!(folder.read("letter.txt"), read("letter.txt"));
}
