//! PostgreSQL's pgcrypto. The server runs alone (`--single`), on statements that it reads from its input, so that
//! nothing is left to stop.

use std::os::unix::fs::chown;
use std::path::{Path, PathBuf};
use std::process::Command;

use cipherloom_testkit::peers::left_out;

use crate::drive::{Folder, Kind, Question, WAY, Way, compare, hex, legacy_provider, run, unhex};

/// Where Debian has the programs of each version.
const PROGRAMS: &str = "/usr/lib/postgresql";

/// Of the user that Debian makes for it. PostgreSQL does not run as root.
const USER: &str = "postgres";

/// Keys and IVs of any length: zeros fill up.
const TDES: Kind<'_> = Kind::Key(&[1, 7, 8, 16, 23, 24, 40]);
const DES: Kind<'_> = Kind::Key(&[1, 7, 8, 9, 24]);
const IVS: &[usize] = &[0, 1, 5, 8, 9];

#[test]
fn rare_pgcrypto() {
    if left_out("postgresql") {
        return;
    }
    let folder = Folder::new("postgresql");
    let server = Server::new(&folder);
    let tdes = |cipher, what, iv| Way { preset: "pgcrypto", cipher, what, secret: TDES, iv, ..WAY };
    let des =
        |cipher, what, iv| Way { preset: "pgcrypto-des", cipher, what, secret: DES, iv, ..WAY };
    let ways = [
        tdes("des-ede3-cbc", "3des", IVS),
        tdes("des-ede3-ecb", "3des-ecb", &[0]),
        des("des-cbc", "des", IVS),
        des("des-ecb", "des-ecb", &[0]),
    ];
    compare(&ways, |questions| server.answers(questions));
}

struct Server {
    programs: PathBuf,
    folder: PathBuf,
    provider: PathBuf,
}

impl Server {
    fn new(folder: &Folder) -> Self {
        let versions = std::fs::read_dir(PROGRAMS).unwrap_or_else(|error| {
            panic!("{PROGRAMS}: {error}; `cargo xtask setup` installs what is missing")
        });
        let newest = versions.map(|entry| entry.unwrap().path()).max().expect("a version");
        let provider = legacy_provider(folder);
        let server = Self { programs: newest.join("bin"), folder: folder.0.clone(), provider };
        if is_root() {
            let ids =
                |what| String::from_utf8(run(Command::new("id").args([what, USER]), b"")).unwrap();
            let [user, group] = ["-u", "-g"].map(|what| ids(what).trim().parse().unwrap());
            chown(&server.folder, Some(user), Some(group)).unwrap();
        }
        let data = server.data();
        let mut first = server.program("initdb");
        run(
            first.args(["--no-sync", "--auth=trust", "--encoding=UTF8", "--pgdata"]).arg(&data),
            b"",
        );
        server.run("CREATE EXTENSION pgcrypto");
        server
    }

    fn data(&self) -> PathBuf {
        self.folder.join("data")
    }

    fn program(&self, name: &str) -> Command {
        let path = self.programs.join(name);
        let mut command = if is_root() {
            let mut command = Command::new("setpriv");
            let user = |what: &str| format!("--{what}={USER}");
            command.args([&user("reuid"), &user("regid"), "--clear-groups"]).arg(path);
            command
        } else {
            Command::new(path)
        };
        command.current_dir(&self.folder).env("OPENSSL_CONF", &self.provider);
        command
    }

    /// Runs a statement, which is one line.
    fn run(&self, statement: &str) {
        let mut server = self.program("postgres");
        server.args(["--single", "-D"]).arg(self.data()).arg("-F").arg("postgres");
        run(&mut server, format!("{statement}\n").as_bytes());
    }

    fn answers(&self, questions: &[Question]) -> Vec<Vec<u8>> {
        let output = self.folder.join("answers");
        let _ = std::fs::remove_file(&output);
        let rows: Vec<_> = questions
            .iter()
            .enumerate()
            .map(|(at, question)| {
                let function = if question.encrypts { "encrypt" } else { "decrypt" };
                let bytes = |bytes: &[u8]| format!("'\\x{}'::bytea", hex(bytes));
                let (text, key, iv) =
                    (bytes(&question.text), bytes(&question.secret), bytes(&question.iv));
                let what = question.what;
                let call = match question.iv.len() {
                    0 => format!("{function}({text}, {key}, '{what}')"),
                    _ => format!("{function}_iv({text}, {key}, {iv}, '{what}')"),
                };
                format!("({at}, encode({call}, 'hex'))")
            })
            .collect();
        let (rows, name) = (rows.join(", "), output.display());
        self.run(&format!(
            "COPY (SELECT h FROM (VALUES {rows}) AS t(n, h) ORDER BY n) TO '{name}'"
        ));
        let text = std::fs::read(&output).expect("the server's answers");
        text.strip_suffix(b"\n").unwrap().split(|&byte| byte == b'\n').map(unhex).collect()
    }
}

fn is_root() -> bool {
    std::os::unix::fs::MetadataExt::uid(&std::fs::metadata(Path::new("/proc/self")).unwrap()) == 0
}
