//! The command mcrypt.

use std::process::Command;

use cipherloom_testkit::peers::left_out;

use crate::drive::{Kind, Question, WAY, Way, compare, run};

#[test]
fn rare_mcrypt() {
    if left_out("mcrypt") {
        return;
    }
    let file = |what, secret| Way { preset: "mcrypt", what, secret, ..WAY };
    let ways = [
        file("tripledes cbc mcrypt-sha1 sha1", Kind::Password),
        file("tripledes ecb mcrypt-sha1 sha1", Kind::Password),
        file("tripledes cfb mcrypt-sha1 md5", Kind::Password),
        file("tripledes ncfb mcrypt-sha1 sha1", Kind::Password),
        file("tripledes nofb mcrypt-sha1 sha256", Kind::Password),
        file("tripledes ctr mcrypt-sha1 sha1", Kind::Password),
        file("tripledes cbc mcrypt-md5 sha1", Kind::Password),
        file("des cbc mcrypt-sha1 ripemd160", Kind::Password),
        file("des ecb asis sha1", Kind::Password),
        file("des ncfb pkdes sha1", Kind::Letters(&[1, 5, 8])),
        file("arcfour stream mcrypt-sha1 sha1", Kind::Password),
        file("arcfour stream asis whirlpool", Kind::Password),
        file("tripledes cbc hex sha512", Kind::Digits(&[1, 8, 23, 24])),
        file("tripledes cbc s2k-simple-md5 sha1", Kind::Password),
        file("tripledes cbc s2k-simple-sha1 sha1", Kind::Password),
        file("tripledes cbc s2k-salted-ripemd sha1", Kind::Password),
        file("tripledes cbc s2k-salted-sha1 sha1", Kind::Password),
        file("tripledes cbc s2k-isalted-md5 sha1", Kind::Password),
        file("arcfour stream s2k-isalted-sha1 sha1", Kind::Password),
    ];
    compare(&ways, |questions| questions.iter().map(answer).collect());
}

/// mcrypt encrypts from its input to its output.
fn answer(question: &Question) -> Vec<u8> {
    let [algorithm, mode, key_mode, digest] = question.what.split(' ').collect::<Vec<_>>()[..]
    else {
        panic!("{}", question.what);
    };
    let password = std::str::from_utf8(&question.secret).unwrap();
    let mut mcrypt = Command::new("mcrypt");
    mcrypt.args(["-q", "-a", algorithm, "-m", mode, "-o", key_mode, "-h", digest, "-k", password]);
    run(&mut mcrypt, &question.text)
}
