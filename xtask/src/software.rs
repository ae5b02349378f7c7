//! The programs whose data `cipherloom-formats` opens, for its tests against them: a row each.

use crate::process::{output, program, root, succeeds};
use crate::sources::apt;
use std::process::Command;

/// A program.
struct Software {
    /// Its name, for `setup` and for the tests.
    name: &'static str,
    /// The command that shows that it is there and works; what it prints first is its version.
    trial: fn() -> Command,
    /// Debian's packages.
    packages: &'static [&'static str],
}

/// Their names.
pub(crate) const NAMES: [&str; SOFTWARE.len()] = {
    let mut names = [""; SOFTWARE.len()];
    let mut at = 0;
    while at < names.len() {
        names[at] = SOFTWARE[at].name;
        at += 1;
    }
    names
};

const CRYPTO_JS: &str = "crypto-js";

/// The last version, and the last but few that filled keys up with zeros.
const CRYPTO_JS_VERSIONS: [&str; 2] = ["4.2.0", "3.1.9-1"];

const LUCEE: &str = "lucee";

/// Lucee, and what a servlet container would bring.
const LUCEE_JARS: [&str; 4] = [
    "org.lucee:lucee:5.4.6.9",
    "javax.servlet:javax.servlet-api:4.0.1",
    "javax.servlet.jsp:javax.servlet.jsp-api:2.3.3",
    "javax.el:javax.el-api:3.0.0",
];

const SOFTWARE: [Software; 10] = [
    Software {
        name: "mariadb",
        trial: || words("/usr/sbin/mariadbd --no-defaults --version"),
        packages: &["mariadb-server-core"],
    },
    Software {
        name: "postgresql",
        trial: || {
            shell(
                "ls /usr/share/postgresql/*/extension/pgcrypto.control > /dev/null && /usr/lib/postgresql/*/bin/postgres --version",
            )
        },
        packages: &["postgresql"],
    },
    Software {
        name: "php",
        trial: || {
            shell(
                "php -r 'echo \"PHP \", PHP_VERSION, \", \", mcrypt_list_modes() ? \"mcrypt \" : \"\", phpversion(\"mcrypt\");'",
            )
        },
        packages: &["php-cli", "php-mcrypt"],
    },
    Software {
        name: "jasypt",
        trial: || shell("test -e /usr/share/java/jasypt.jar && javac --version"),
        packages: &["default-jdk-headless", "libjasypt-java"],
    },
    Software {
        name: LUCEE,
        trial: || {
            let jars = LUCEE_JARS.map(jar);
            shell(&format!(
                "cd {} && ls {} && javac --version",
                root().join(LUCEE_FOLDER).display(),
                jars.join(" ")
            ))
        },
        packages: &["default-jdk-headless", "maven"],
    },
    Software {
        name: CRYPTO_JS,
        trial: || {
            let packages =
                CRYPTO_JS_VERSIONS.map(|version| format!("{}/package.json", package(version)));
            let print = "for (const f of process.argv.slice(1)) console.log(require(f).version)";
            let mut node = words("node -e");
            node.arg(print).args(packages.map(|path| root().join(path)));
            node
        },
        packages: &["nodejs"],
    },
    Software {
        name: "mono",
        trial: || {
            shell("mcs --version && mono --version && test -e /usr/lib/mono/4.5/System.Web.dll")
        },
        packages: &[
            "mono-mcs",
            "mono-runtime",
            "libmono-system-core4.0-cil",
            "libmono-system-web4.0-cil",
        ],
    },
    Software {
        name: "Crypt::CBC",
        trial: || {
            shell("perl -MCrypt::CBC -MCrypt::DES -MCrypt::DES_EDE3 -e 'print Crypt::CBC->VERSION'")
        },
        packages: &["libcrypt-cbc-perl", "libcrypt-des-perl", "libcrypt-des-ede3-perl"],
    },
    Software {
        name: "ruby",
        trial: || shell("ruby -ropenssl -e 'puts RUBY_VERSION'"),
        packages: &["ruby"],
    },
    Software { name: "mcrypt", trial: || shell("mcrypt --version 2>&1"), packages: &["mcrypt"] },
];

/// Says which version is there.
pub(crate) fn find(name: &str) -> Option<String> {
    let said = output(&mut (row(name)?.trial)())?;
    Some(said.lines().next()?.trim().to_owned())
}

/// Installs it.
///
/// # Errors
/// As [`apt::install`]; npm or Maven fails.
pub(crate) fn install(name: &str) -> Result<(), String> {
    let row = row(name).ok_or_else(|| format!("{name} is no row"))?;
    match name {
        CRYPTO_JS => install_crypto_js(row),
        LUCEE => install_lucee(row),
        _ => apt::install(row.packages),
    }
}

fn install_lucee(row: &Software) -> Result<(), String> {
    apt::install(row.packages)?;
    for artifact in LUCEE_JARS {
        let mut maven = words("mvn --quiet --batch-mode dependency:copy");
        maven.arg(format!("-Dartifact={artifact}"));
        maven.arg(format!("-DoutputDirectory={}", root().join(LUCEE_FOLDER).display()));
        crate::process::run(&mut maven)?;
    }
    Ok(())
}

fn install_crypto_js(row: &Software) -> Result<(), String> {
    // Node and npm are often there from elsewhere, and do not go together with Debian's.
    if !succeeds(program("node").arg("--version")) {
        apt::install(row.packages)?;
    }
    if !succeeds(program("npm").arg("--version")) {
        apt::install(&["npm"])?;
    }
    for version in CRYPTO_JS_VERSIONS {
        let folder = root().join(folder(version));
        std::fs::create_dir_all(&folder)
            .map_err(|error| format!("{}: {error}", folder.display()))?;
        let mut npm = words("npm install --silent --no-audit --no-fund --prefix");
        npm.arg(folder).arg(format!("{CRYPTO_JS}@{version}"));
        crate::process::run(npm.stdout(std::process::Stdio::null()))?;
    }
    Ok(())
}

fn row(name: &str) -> Option<&'static Software> {
    SOFTWARE.iter().find(|row| row.name == name)
}

const LUCEE_FOLDER: &str = "target/tools/lucee";

/// The file of an artifact.
fn jar(artifact: &str) -> String {
    let mut parts = artifact.split(':').skip(1);
    let [name, version] = [(); 2].map(|()| parts.next().unwrap_or_default());
    format!("{name}-{version}.jar")
}

fn folder(version: &str) -> String {
    format!("target/tools/{CRYPTO_JS}-{version}")
}

fn package(version: &str) -> String {
    format!("{}/node_modules/{CRYPTO_JS}", folder(version))
}

fn words(line: &str) -> Command {
    let mut words = line.split(' ');
    let mut command = program(words.next().unwrap_or_default());
    command.args(words);
    command
}

fn shell(line: &str) -> Command {
    let mut command = program("sh");
    command.args(["-c", line]);
    command
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::things::THINGS;

    #[test]
    fn every_program_is_a_thing_of_setup() {
        for name in NAMES {
            assert!(THINGS.iter().any(|thing| thing.name == name && thing.is_rare()), "{name}");
        }
    }
}
