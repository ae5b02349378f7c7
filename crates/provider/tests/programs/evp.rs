//! C programs that call EVP, on this machine's OpenSSL and on Debian 13's.

use crate::support::{System, compiled, debian_13_s, here, here_s, succeed};
use cipherloom_testkit::peers::left_out;

/// Runs a program to a good end, in which it says so.
fn run(system: &System, name: &'static str, arguments: &[&str], end: &str) {
    let said = succeed(system.program(&compiled(name)).args(arguments));
    assert!(said.contains(end), "{said}");
    println!("{said}");
}

/// The same under valgrind: no complaint, and no memory lost.
fn watched(system: &System, name: &'static str, arguments: &[&str]) {
    if left_out("valgrind") {
        return;
    }
    let valgrind = ["valgrind", "--quiet", "--leak-check=full", "--error-exitcode=9"];
    succeed(system.program_by(Some(&valgrind), &compiled(name)).args(arguments));
}

#[test]
fn slow_ciphers_and_provider_answer_as_openssl_s_do() {
    run(here_s(), "facts", &[], "21 ciphers are alike");
    watched(here_s(), "facts", &[]);
}

#[test]
fn random_calls_give_what_openssl_s_give() {
    run(here_s(), "differential", &["60", "1"], "comparisons agree");
    watched(here_s(), "differential", &["2", "2"]);
}

#[test]
fn slow_keys_are_wrapped_as_openssl_s_wraps_them() {
    run(here_s(), "wrap", &["2000"], "keys agree");
    watched(here_s(), "wrap", &["20"]);
}

#[test]
fn slow_records_are_sealed_as_openssl_s_seals_them() {
    run(here_s(), "records", &["300"], "connections agree");
    watched(here_s(), "records", &["10"]);
}

#[test]
fn threads_do_not_disturb_each_other() {
    run(here_s(), "threads", &[], "8 threads agree");
}

#[test]
fn freed_memory_holds_no_secret() {
    run(here_s(), "wiped", &[], "21 ciphers leave nothing");
}

#[test]
fn the_configuration_chooses_ours() {
    let mut command = here_s().program(&compiled("chosen"));
    let said = succeed(command.env("OPENSSL_CONF", here().join("openssl.cnf")));
    assert_eq!(said, "21 of 21 by cipherloom, AES-128-CBC by default\n");
}

#[test]
fn rare_many_random_calls() {
    for seed in ["3", "4", "5"] {
        run(here_s(), "differential", &["800", seed], "comparisons agree");
    }
    watched(here_s(), "differential", &["4", "6"]);
    watched(here_s(), "threads", &["1"]);
}

#[test]
#[cfg(target_arch = "x86_64")]
fn rare_openssl_3_5() {
    let Some(system) = debian_13_s() else { return };
    run(system, "facts", &[], "21 ciphers are alike");
    run(system, "differential", &["800", "7"], "comparisons agree, copies by EVP_CIPHER_CTX_dup");
    run(system, "threads", &[], "8 threads agree");
    run(system, "wrap", &["2000"], "keys agree");
    run(system, "records", &["2000"], "connections agree");
    run(system, "pipes", &[], "14 ciphers agree with themselves side by side");
}
