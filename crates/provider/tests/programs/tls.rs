//! Connections over the loopback in cipher suites with Triple-DES or RC4, our provider on either side or both.

use crate::support::{built, scratch, succeed};
use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, Command, Stdio};

/// Suites with their keys' exchange, by RSA alone or by Diffie-Hellman. That with MD5 is the one for which libssl takes
/// `RC4-HMAC-MD5`.
const SUITES: [&str; 5] =
    ["DES-CBC3-SHA", "ECDHE-RSA-DES-CBC3-SHA", "RC4-MD5", "RC4-SHA", "ECDHE-RSA-RC4-SHA"];
const VERSIONS: [&str; 3] = ["tls1", "tls1_1", "tls1_2"];

/// OpenSSL's own providers: RC4 is in the legacy one.
const THEIRS: &str = "\
openssl_conf = openssl_init
[openssl_init]
providers = providers
[providers]
default = active
legacy = active
[active]
activate = 1
";

/// A server, which says its port; it is ended with its owner.
struct Server(Child, String);

impl Server {
    fn new(mut openssl: Command, folder: &Path, suite: &str) -> Self {
        openssl.args([
            "s_server",
            "-accept",
            "127.0.0.1:0",
            "-cert",
            "cert.pem",
            "-key",
            "key.pem",
            "-rev",
        ]);
        openssl.args(["-min_protocol", "TLSv1", "-cipher", &format!("{suite}:@SECLEVEL=0")]);
        openssl.current_dir(folder).stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = openssl.stderr(Stdio::null()).spawn().expect("openssl runs");
        let mut said = BufReader::new(child.stdout.take().expect("piped")).lines();
        let port = said.find_map(|line| Some(line.ok()?.strip_prefix("ACCEPT ")?.to_owned()));
        // What it says later must not fill up the pipe.
        std::thread::spawn(move || said.for_each(drop));
        Self(child, port.expect("the server says where it listens"))
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// What the client got, and what it says of the connection.
fn connect(mut openssl: Command, server: &Server, words: &[&str], text: &str) -> String {
    openssl.args(["s_client", "-connect", &server.1, "-cipher", "ALL:@SECLEVEL=0", "-ign_eof"]);
    openssl.args(words).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
    let mut child = openssl.spawn().expect("openssl runs");
    let mut stdin = child.stdin.take().expect("piped");
    // The server turns lines round, and closes at one that says so.
    writeln!(stdin, "{text}\nCLOSE").expect("it reads");
    let output = child.wait_with_output().expect("it ends");
    String::from_utf8_lossy(&output.stdout).into_owned()
}

#[test]
fn rare_connections_in_suites_with_triple_des_and_rc4() {
    let Some(system) = built() else { return };
    let folder = scratch().join("tls");
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).expect("a place to write");
    let config = "[req]\ndistinguished_name = name\nprompt = no\n[name]\nCN = test\n";
    fs::write(folder.join("req.cnf"), config).expect("a new file");
    let words = "req -x509 -newkey rsa:2048 -nodes -config req.cnf -keyout key.pem -out cert.pem";
    succeed(system.theirs().args(words.split(' ')).current_dir(&folder));
    let text: String = (0..300).map(|n| char::from(b'a' + (n * n % 26) as u8)).collect();
    let turned: String = text.chars().rev().collect();
    fs::write(folder.join("theirs.cnf"), THEIRS).expect("a new file");
    let side = |is_ours: bool| {
        let mut command = if is_ours { system.ours() } else { system.theirs() };
        if !is_ours {
            command.env("OPENSSL_CONF", folder.join("theirs.cnf"));
        }
        command
    };
    let mut count = 0;
    for (server, client) in [(true, false), (false, true), (true, true)] {
        for suite in SUITES {
            let server = Server::new(side(server), &folder, suite);
            for version in VERSIONS {
                for more in [&[][..], &["-no_etm"]] {
                    let version = format!("-{version}");
                    let words = [&[&*version], more].concat();
                    let said = connect(side(client), &server, &words, &text);
                    assert!(said.contains(&turned), "{suite} {words:?}:\n{said}");
                    assert!(said.contains(&format!("Cipher is {suite}")), "{said}");
                    count += 1;
                }
            }
        }
    }
    assert_eq!(count, 90);
}
