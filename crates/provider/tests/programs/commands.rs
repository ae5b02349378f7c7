//! OpenSSL's own commands: what they wrote with its providers they read with ours, and the other way round.

use crate::support::{System, debian_13_s, here_s, scratch, succeed};
use std::fs;
use std::path::{Path, PathBuf};

/// A folder of its own, empty.
fn folder(name: &str) -> PathBuf {
    let folder = scratch().join(name);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).expect("a place to write");
    folder
}

/// Runs `openssl` with OpenSSL's own providers in a folder.
fn theirs(system: &System, folder: &Path, words: &str) {
    const OWN: &str = "-provider default -provider legacy";
    let (command, rest) = words.split_once(' ').expect("a command with options");
    let mut openssl = system.theirs();
    openssl.arg(command).args(OWN.split(' ')).args(rest.split(' '));
    succeed(openssl.current_dir(folder));
}

/// The same with ours.
fn ours(system: &System, folder: &Path, words: &str) {
    succeed(system.ours().args(words.split(' ')).current_dir(folder));
}

/// Fails unless two files of a folder are the same.
fn same(folder: &Path, one: &str, other: &str) {
    let read = |name: &str| fs::read(folder.join(name)).expect("a file that a command wrote");
    assert!(read(one) == read(other), "{one} is not {other} in {}", folder.display());
}

fn enc(system: &System, name: &str) {
    let folder = folder(name);
    let text: Vec<u8> = (0..50_003_u32).map(|n| ((n * n) >> 9) as u8).collect();
    fs::write(folder.join("text"), text).expect("a new file");
    for cipher in [
        "des-ede3-cbc",
        "des-ede3-ecb",
        "des-ede3-ofb",
        "des-ede3-cfb",
        "des-ede3-cfb8",
        "des-ede-cbc",
        "des-ede-ecb",
        "des-ede-ofb",
        "des-ede-cfb",
        "des-cbc",
        "des-ecb",
        "des-ofb",
        "des-cfb",
        "des-cfb8",
        "desx-cbc",
        "rc4",
        "rc4-40",
    ] {
        let options = format!("enc -{cipher} -pass pass:word -pbkdf2 -iter 7 -S 0123456789abcdef");
        theirs(system, &folder, &format!("{options} -in text -out theirs"));
        ours(system, &folder, &format!("{options} -in text -out ours"));
        same(&folder, "theirs", "ours");
        ours(system, &folder, &format!("{options} -d -in theirs -out plain"));
        same(&folder, "plain", "text");
    }
    // A wrong password, and a file that is cut off.
    let options =
        "enc -d -des3 -pass pass:wrong -pbkdf2 -iter 7 -S 0123456789abcdef -in ours -out wrong";
    ours(
        system,
        &folder,
        "enc -des3 -pass pass:right -pbkdf2 -iter 7 -S 0123456789abcdef -in text -out ours",
    );
    let output = system.ours().args(options.split(' ')).current_dir(&folder).output();
    let output = output.expect("openssl runs");
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(!output.status.success() && said.contains("bad decrypt"), "{said}");
}

/// A key and a certificate in a folder.
fn certificate(system: &System, folder: &Path) {
    let config = "[req]\ndistinguished_name = name\nprompt = no\n[name]\nCN = test\n";
    fs::write(folder.join("req.cnf"), config).expect("a new file");
    let words = "req -x509 -newkey rsa:2048 -nodes -config req.cnf -keyout key.pem -out cert.pem";
    theirs(system, folder, words);
}

fn cms(system: &System, name: &str) {
    let folder = folder(name);
    certificate(system, &folder);
    fs::write(folder.join("text"), "What was encrypted.\n".repeat(5000)).expect("a new file");
    for cipher in ["des3", "des"] {
        let encrypt = format!("cms -encrypt -binary -{cipher} -in text -outform DER");
        let decrypt = "cms -decrypt -binary -inform DER -inkey key.pem";
        theirs(system, &folder, &format!("{encrypt} -out theirs cert.pem"));
        ours(system, &folder, &format!("{decrypt} -in theirs -out plain"));
        same(&folder, "plain", "text");
        ours(system, &folder, &format!("{encrypt} -out ours cert.pem"));
        theirs(system, &folder, &format!("{decrypt} -in ours -out plain"));
        same(&folder, "plain", "text");
    }
}

/// A recipient with a key on a curve: the message's key is wrapped by a key that both agree on.
fn key_agreement(system: &System, name: &str) {
    let folder = folder(name);
    let config = "[req]\ndistinguished_name = name\nprompt = no\n[name]\nCN = test\n";
    fs::write(folder.join("req.cnf"), config).expect("a new file");
    let words = "req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -config req.cnf \
                 -keyout key.pem -out cert.pem";
    theirs(system, &folder, words);
    fs::write(folder.join("text"), "What was encrypted.\n".repeat(50)).expect("a new file");
    let encrypt = "cms -encrypt -binary -des3 -in text -outform DER";
    let decrypt = "cms -decrypt -binary -inform DER -inkey key.pem -recip cert.pem";
    for wrap in ["", "-des3-wrap "] {
        for (one, other) in [(theirs as fn(&_, &_, &_), ours as fn(&_, &_, &_)), (ours, theirs)] {
            one(
                system,
                &folder,
                &format!("{encrypt} {wrap}-out sealed cert.pem").replace("  ", " "),
            );
            // id-smime-alg-CMS3DESwrap, as DER has it.
            let sealed = fs::read(folder.join("sealed")).expect("a file that a command wrote");
            let id = [0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 1, 9, 16, 3, 6];
            assert!(sealed.windows(id.len()).any(|part| part == id), "no key is wrapped by 3DES");
            other(system, &folder, &format!("{decrypt} -in sealed -out plain"));
            same(&folder, "plain", "text");
        }
    }
}

fn pkcs12(system: &System, name: &str) {
    let folder = folder(name);
    certificate(system, &folder);
    theirs(system, &folder, "pkcs8 -topk8 -nocrypt -in key.pem -out plain.pem");
    for pbe in ["PBE-SHA1-3DES", "PBE-SHA1-2DES", "PBE-SHA1-RC4-128", "PBE-SHA1-RC4-40"] {
        let export =
            format!("pkcs12 -export -inkey key.pem -in cert.pem -keypbe {pbe} -certpbe {pbe}");
        let import = "pkcs12 -nocerts -noenc -passin pass:word";
        for (one, other) in [(theirs as fn(&_, &_, &_), ours as fn(&_, &_, &_)), (ours, theirs)] {
            one(system, &folder, &format!("{export} -passout pass:word -out store"));
            other(system, &folder, &format!("{import} -in store -out again"));
            theirs(system, &folder, "pkcs8 -topk8 -nocrypt -in again -out again.pem");
            same(&folder, "again.pem", "plain.pem");
        }
    }
    for way in ["-v2 des3", "-v2 des", "-v1 PBE-SHA1-3DES", "-v1 PBE-SHA1-RC4-128"] {
        for (one, other) in [(theirs as fn(&_, &_, &_), ours as fn(&_, &_, &_)), (ours, theirs)] {
            one(
                system,
                &folder,
                &format!("pkcs8 -topk8 {way} -in key.pem -passout pass:word -out locked"),
            );
            other(
                system,
                &folder,
                "pkcs8 -topk8 -nocrypt -in locked -passin pass:word -out again.pem",
            );
            same(&folder, "again.pem", "plain.pem");
        }
    }
}

#[test]
fn enc_with_every_cipher() {
    enc(here_s(), "enc");
}

#[test]
fn cms_both_ways() {
    cms(here_s(), "cms");
}

#[test]
fn cms_with_wrapped_keys() {
    key_agreement(here_s(), "wrapped");
}

#[test]
fn pkcs12_and_pkcs8_both_ways() {
    pkcs12(here_s(), "pkcs12");
}

#[test]
fn speed_finds_it() {
    let words = "speed -evp des-ede3-cbc -decrypt -bytes 16384 -seconds 1";
    let said = succeed(here_s().ours().args(words.split(' ')));
    assert!(said.contains("DES-EDE3-CBC"), "{said}");
}

#[test]
#[cfg(target_arch = "x86_64")]
fn rare_openssl_3_5_s_commands() {
    let Some(system) = debian_13_s() else { return };
    enc(system, "enc-3.5");
    cms(system, "cms-3.5");
    key_agreement(system, "wrapped-3.5");
    pkcs12(system, "pkcs12-3.5");
}
