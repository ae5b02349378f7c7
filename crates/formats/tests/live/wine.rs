//! CryptoAPI as Wine has it: Microsoft's functions, written again by others.

use std::path::Path;
use std::process::Command;

use cipherloom_formats::encoding::Encoding;
use cipherloom_testkit::peers::left_out;

use crate::drive::{Folder, Question, WAY, Way, ask, compare, run, script};

/// Where Debian has its programs, and their names elsewhere.
const WINE: [&str; 3] = ["/usr/lib/wine/wine64", "wine64", "wine"];
const SERVER: [&str; 3] = ["/usr/lib/wine/wineserver64", "/usr/lib/wine/wineserver", "wineserver"];

#[test]
fn rare_wine_cryptoapi() {
    if left_out("wine") {
        return;
    }
    let folder = Folder::new("wine");
    let program = folder.0.join("cryptoapi.exe");
    let mut compiler = Command::new("x86_64-w64-mingw32-gcc");
    compiler.args(["-O1", "-Wall", "-Werror", "-o"]).arg(&program).arg(script("cryptoapi.c"));
    run(compiler.arg("-ladvapi32"), b"");
    let way = |preset, cipher, what| Way { preset, cipher, what, ..WAY };
    let ways = [
        way("cryptoapi-sha1", "des-ede3-cbc", "sha1/3des"),
        way("cryptoapi-sha1", "des-cbc", "sha1/des"),
        way("cryptoapi-sha1", "rc4", "sha1/rc4"),
        way("cryptoapi-md5", "des-ede3-cbc", "md5/3des"),
        way("cryptoapi-md5", "des-cbc", "md5/des"),
        way("cryptoapi-md5", "rc4", "md5/rc4"),
    ];
    let prefix = Prefix(&folder.0);
    compare(&ways, |questions| {
        ask(prefix.command(&WINE).arg(&program), &bytes(questions))
            .into_iter()
            .zip(questions)
            .map(|(answer, question)| if question.encrypts { base64(&answer) } else { answer })
            .collect()
    });
}

/// CryptoAPI makes bytes, and programs around it base64.
fn bytes(questions: &[Question]) -> Vec<Question> {
    let mut questions = questions.to_vec();
    for question in questions.iter_mut().filter(|question| !question.encrypts) {
        let mut bytes = Vec::new();
        Encoding::Base64.decode(&question.text, &mut bytes).unwrap();
        question.text = bytes;
    }
    questions
}

fn base64(bytes: &[u8]) -> Vec<u8> {
    let mut text = Vec::new();
    Encoding::Base64.encode(bytes, &mut text).unwrap();
    text
}

/// Wine's files; its server is stopped when this is dropped.
struct Prefix<'a>(&'a Path);

impl Prefix<'_> {
    fn command(&self, names: &[&str]) -> Command {
        let works = |name: &&&str| Command::new(name).arg("--version").output().is_ok();
        let name = names.iter().find(works).unwrap_or(&names[0]);
        let mut command = Command::new(name);
        command.env("WINEPREFIX", self.0.join("prefix"));
        command.envs([("WINEDEBUG", "-all"), ("WINEDLLOVERRIDES", "mscoree,mshtml=")]);
        command
    }
}

impl Drop for Prefix<'_> {
    fn drop(&mut self) {
        let _ = self.command(&SERVER).arg("-k").status();
    }
}
