//! The parsers read all that the files hold: counts are those of the files' own lines.

use cipherloom_testkit::nist::modes::{self, Mode};
use cipherloom_testkit::{extra, nist, rfc6229, rsp, vectors};
use std::path::Path;

/// How often lines that begin so stand in the files of a folder.
fn lines_that_begin(folder: &str, with: &str) -> usize {
    let mut count = 0;
    for entry in std::fs::read_dir(vectors(folder)).expect("the folder") {
        let text = read(&entry.expect("an entry").path());
        count += text.lines().filter(|line| line.starts_with(with)).count();
    }
    count
}

fn read(path: &Path) -> String {
    std::fs::read_to_string(path).expect("a text")
}

#[test]
fn rsp_files_are_read_whole() {
    for (folder, vectors, count) in [
        ("cavp-tdes/KAT_TDES", rsp::known_answers(), 2820),
        ("cavp-tdes/tdesmmt", rsp::multi_block_messages(), 240),
        ("cavp-tdes/tdesmct", rsp::monte_carlo(), 9600),
    ] {
        assert_eq!(vectors.len(), lines_that_begin(folder, "COUNT = "), "{folder}");
        assert_eq!(vectors.len(), count, "{folder}");
    }
}

#[test]
fn nist_examples_are_read_whole() {
    let examples = modes::read();
    assert_eq!(examples.len(), 60);
    let steps: usize = examples.iter().map(|example| example.steps.len()).sum();
    let folder = "nist-examples";
    let cmac_blocks = 18 + 2;
    let printed = lines_that_begin(folder, "Block #") + lines_that_begin(folder, "Segment #");
    assert_eq!(steps, printed - cmac_blocks);

    let of = |mode| examples.iter().filter(|example| example.mode == mode).count();
    assert_eq!([1, 8, 64].map(|s| of(Mode::Cfb(s))), [8, 8, 8]);
    assert_eq!(nist::cmac::read().len(), 8);
}

#[test]
fn other_files_are_read_whole() {
    let places: usize = rfc6229::read().iter().map(|vector| vector.keystream.len()).sum();
    assert_eq!((rfc6229::read().len(), places), (14, 14 * 18));
    assert_eq!(extra::published_macs().len(), 16);
    assert_eq!(extra::two_peer_macs().len(), 120);
    assert_eq!(extra::cipher_vectors().len(), 261);
    let printed = lines_that_begin("two-peers", "CIPHER = ");
    assert_eq!(printed, 120 + 261);
}
