//! Builds the faces of the peers that are not Rust, and C of our own with several sets of flags.
//!
//! A peer that cannot be built ends the build, with the name of the package that is missing.

#[path = "src/participants/ipsec_version.rs"]
mod ipsec_version;

use std::env;
use std::path::Path;
use std::process::Command;

/// A library's face: its files in `faces/`, what it is linked with, and whence it comes.
struct Face {
    files: &'static [&'static str],
    library: &'static str,
    /// The package on Debian and its kin.
    package: &'static str,
}

const FACES: [Face; 5] = [
    Face { files: &["openssl_evp.c", "openssl_low.c"], library: "crypto", package: "libssl-dev" },
    Face { files: &["libgcrypt.c"], library: "gcrypt", package: "libgcrypt20-dev" },
    Face { files: &["nettle.c"], library: "nettle", package: "nettle-dev" },
    Face { files: &["botan.cpp"], library: "botan-2", package: "libbotan-2-dev" },
    Face { files: &["cryptopp.cpp"], library: "cryptopp", package: "libcrypto++-dev" },
];

/// The variants of `plain.c`: the name in front of its functions, and the flags.
/// `participants/foreign.rs` lists the same.
const PLAIN: [(&str, &[&str]); 6] = [
    ("plain_o0", &["-O0"]),
    ("plain_o1", &["-O1"]),
    ("plain_o2", &["-O2"]),
    ("plain_o3", &["-O3"]),
    ("plain_o3_omit", &["-O3", "-fomit-frame-pointer"]),
    ("plain_o3_keep", &["-O3", "-fno-omit-frame-pointer"]),
];

fn main() {
    println!("cargo::rerun-if-changed=faces");
    println!("cargo::rerun-if-changed=Cargo.lock");
    for face in &FACES {
        build(face);
    }
    for (name, flags) in PLAIN {
        let mut plain = compiler(false);
        plain.file("faces/plain.c").define("VARIANT", name).flags(flags);
        compile(&plain, name, "gcc");
    }
    build_go();
    build_ipsec_mb();
    versions();
}

/// The compiler without flags of cc's own, so that the flags here are all there are.
fn compiler(is_cpp: bool) -> cc::Build {
    let mut compiler = cc::Build::new();
    let standard = if is_cpp { "-std=c++17" } else { "-std=c11" };
    compiler.cpp(is_cpp).no_default_flags(true).warnings(false).cargo_warnings(false);
    compiler.flags([standard, "-fPIE", "-Wall", "-Wextra", "-Werror"]);
    compiler
}

fn build(face: &Face) {
    for file in face.files {
        let mut compiler = compiler(file.ends_with(".cpp"));
        compiler.file(Path::new("faces").join(file)).flag("-O2").include("/usr/include/botan-2");
        compile(&compiler, file, face.package);
    }
    println!("cargo::rustc-link-lib={}", face.library);
}

fn compile(compiler: &cc::Build, name: &str, package: &str) {
    let library = format!("face_{}", name.replace('.', "_"));
    if let Err(error) = compiler.try_compile(&library) {
        fail(&format!("cannot compile {name}; its package is {package}: {error}"));
    }
}

/// Go links no C objects into an archive that is not its own, and has to be built by itself.
fn build_go() {
    let out = env::var("OUT_DIR").expect("cargo sets it");
    let archive = format!("{out}/libface_go.a");
    let mut go = Command::new("go");
    go.args(["build", "-buildvcs=false", "-trimpath", "-buildmode=c-archive", "-o", &archive, "."]);
    go.current_dir("faces/go").env("CGO_ENABLED", "1");
    match go.status() {
        Ok(status) if status.success() => {}
        Ok(status) => fail(&format!("go cannot build its face; its package is golang: {status}")),
        Err(error) => fail(&format!("cannot start go; its package is golang: {error}")),
    }
    println!("cargo::rustc-link-search=native={out}");
    println!("cargo::rustc-link-lib=static=face_go");
}

/// intel-ipsec-mb takes part where it can be had, and computes rightly; elsewhere the program says
/// in one line why it does not.
fn build_ipsec_mb() {
    println!("cargo::rustc-check-cfg=cfg(ipsec_mb)");
    if let Err(why) = find_ipsec_mb() {
        println!("cargo::rustc-env=IPSEC_MB_ABSENT={why}");
        return;
    }
    let mut compiler = compiler(false);
    compiler.file("faces/ipsec_mb.c").flag("-O2");
    compile(&compiler, "ipsec_mb.c", ipsec_version::PACKAGE);
    println!("cargo::rustc-link-lib=IPSec_MB");
    println!("cargo::rustc-cfg=ipsec_mb");
}

/// Whether it can be compiled and linked.
fn find_ipsec_mb() -> Result<(), String> {
    const HEADER: &str = "/usr/include/intel-ipsec-mb.h";
    if env::var("CARGO_CFG_TARGET_ARCH").is_ok_and(|arch| arch != "x86_64") {
        return Err("it is for x86-64 alone".into());
    }
    println!("cargo::rerun-if-changed={HEADER}");
    let missing = |_| format!("not found: its package is {}", ipsec_version::PACKAGE);
    let header = std::fs::read_to_string(HEADER).map_err(missing)?;
    ipsec_version::check(ipsec_version::of_header(&header).unwrap_or("unknown"))
}

/// Tells the program which RustCrypto and which Rust it was built with.
fn versions() {
    let lock = std::fs::read_to_string("Cargo.lock").expect("cargo has written it");
    let version = |name: &str| {
        let entry = lock
            .split("[[package]]")
            .find(|entry| entry.lines().any(|line| line == format!("name = \"{name}\"")));
        let line = entry?.lines().find_map(|line| line.strip_prefix("version = "))?;
        Some(format!("{name} {}", line.trim_matches('"')))
    };
    let rustcrypto: Vec<String> =
        ["des", "rc4", "cbc", "ctr"].into_iter().filter_map(version).collect();
    println!("cargo::rustc-env=RUSTCRYPTO_VERSIONS={}", rustcrypto.join(", "));
    let rustc = Command::new(env::var("RUSTC").expect("cargo sets it")).arg("--version").output();
    let rustc = rustc.expect("rustc runs: cargo has just used it").stdout;
    println!("cargo::rustc-env=RUSTC_VERSION={}", String::from_utf8_lossy(&rustc).trim());
}

fn fail(why: &str) -> ! {
    eprintln!("{why}");
    println!("cargo::error={}", why.replace('\n', " "));
    std::process::exit(1);
}
