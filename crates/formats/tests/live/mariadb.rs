//! MariaDB's `DES_ENCRYPT`. The server runs without a network and without users, on statements that it reads
//! from its input (`--bootstrap`), so that nothing is left to stop.

use std::path::Path;
use std::process::Command;

use cipherloom_formats::key_file::KeyFile;
use cipherloom_testkit::peers::left_out;

use crate::drive::{Folder, Kind, Question, WAY, Way, compare, hex, run, unhex};

const SERVER: &str = "/usr/sbin/mariadbd";

const KEYS: &str = "# MySQL's example\n3 third key\n0 default_password\n9\tgr\u{fc}n \n";

#[test]
fn rare_mariadb() {
    if left_out("mariadb") {
        return;
    }
    let folder = Folder::new("mariadb");
    std::fs::write(folder.0.join("keys"), KEYS).unwrap();
    let file = KeyFile::parse(KEYS.as_bytes()).unwrap();
    let way = Way { preset: "mysql", ..WAY };
    let ways =
        [Way { what: "password", ..way }, Way { what: "file", secret: Kind::File(&file), ..way }];
    compare(&ways, |questions| answers(&folder.0, questions));
}

fn answers(folder: &Path, questions: &[Question]) -> Vec<Vec<u8>> {
    let output = folder.join("answers");
    let _ = std::fs::remove_file(&output);
    let rows: Vec<_> = questions
        .iter()
        .enumerate()
        .map(|(at, question)| {
            let function = if question.encrypts { "DES_ENCRYPT" } else { "DES_DECRYPT" };
            // Without a key of its own, a value is encrypted with the file's first.
            let key = match question.what {
                "file" => String::new(),
                _ => format!(", x'{}'", hex(&question.secret)),
            };
            format!("SELECT {at} AS n, HEX({function}(x'{}'{key})) AS h", hex(&question.text))
        })
        .collect();
    let rows = rows.join(" UNION ALL ");
    let output_name = output.display();
    let statement = format!("SELECT h FROM ({rows}) t ORDER BY n INTO OUTFILE '{output_name}';\n");
    let mut server = Command::new(SERVER);
    server.args(["--no-defaults", "--bootstrap", "--skip-innodb", "--default-storage-engine=Aria"]);
    server.args(["--secure-file-priv=", "--user=root", "--max-allowed-packet=64M"]);
    server.arg(format!("--datadir={}", folder.display()));
    server.arg(format!("--des-key-file={}", folder.join("keys").display()));
    run(&mut server, statement.as_bytes());
    let text = std::fs::read(&output).expect("the server's answers");
    text.strip_suffix(b"\n").unwrap().split(|&byte| byte == b'\n').map(unhex).collect()
}
