//! Options that would change nothing: refused, or told where OpenSSL passes over them.

use crate::common::{Folder, ok, says};

#[test]
fn options_that_a_preset_does_not_take_are_refused() {
    let folder = Folder::new();
    for (line, part) in [
        ("dec --preset sqlserve -k x", "the nearest names are sqlserver"),
        ("dec --preset sqlserver -K 00", "takes one password"),
        ("dec --preset redsys -k x", "takes a key"),
        ("dec --preset redsys -K zz!", "read as base64"),
        ("dec --preset redsys -K AAAA --iv 00", "--iv does nothing with preset redsys"),
        ("dec --preset jasypt -k x -S 00", "-S does nothing with preset jasypt"),
        ("dec --preset mysql -k x -md sha1", "--md does nothing with preset mysql"),
        ("dec --preset mysql -k x -des3 -iter 5", "--iter does nothing with preset mysql"),
        ("dec --preset dotnet-md5 -k x -des", "is in des-ede-ecb, des-ede-cbc"),
        ("dec --preset jasypt -k x -rc4", "says which cipher it is"),
        ("dec --preset openssl-1.0 -k x", "may be in any cipher"),
        ("dec --preset vnc -k x", "needs no key"),
        (
            "dec --preset jasypt -k x --key-encoding hex",
            "--key-encoding does nothing with preset jasypt: it takes one password",
        ),
        ("dec --preset dukpt -K 0123456789ABCDEFFEDCBA9876543210", "needs the KSN"),
        ("records -d --preset dukpt -K 00 --data-column v", "give --salt or --salt-column"),
        ("dec --preset jasypt -k x -pbkdf2", "it is for ciphers without a preset"),
        ("enc --preset jasypt -k x", "--preset is for dec"),
        ("dec -des3 -k x --charset utf-8", "--charset is for --preset"),
        (
            "records -d --preset mysql -k x --data-column v --iv-column i",
            "--iv-column does nothing",
        ),
        ("records -e --preset mysql -k x --data-column v", "presets open values and make none"),
        // What would be passed over is told.
        (
            "dec --preset sqlserver -k x --padding none",
            "--padding does nothing with preset sqlserver",
        ),
        ("dec --preset sqlserver -k x -nopad", "--nopad does nothing with preset sqlserver"),
        ("dec --preset mysql -k x --padding zero", "--padding does nothing"),
        ("dec --preset php-mcrypt -K x -des-ede3-ecb --iv 00", "--iv does nothing"),
        ("dec --preset php-mcrypt -K x -des-ede3-cfb --padding pkcs7", "--padding does nothing"),
        ("dec --preset cryptojs-rc4 -k x --padding pkcs7", "--padding does nothing"),
        ("dec --preset pkcs8 -k x --charset utf-8", "--charset does nothing"),
        ("dec --preset jasypt -k x -A", "-A does nothing"),
        ("dec --preset mysql -k x -T 2", "--threads does nothing"),
        ("dec --preset jasypt -k x -k y", "another option behind -k takes its place"),
        ("dec --preset jasypt -k x -kfile y", "another option behind -k takes its place"),
        (
            "dec --preset jasypt -k x -pass pass:y",
            "--pass does nothing with preset jasypt: it takes one password",
        ),
        ("dec --preset mysql -k x --key-file y", "takes a password or a key file"),
        (
            "records -d --preset jasypt -k x --data-column v --iv-encoding hex",
            "--iv-encoding does nothing",
        ),
        (
            "records -d --preset jasypt -k x --data-column v --data-column w",
            "another option behind",
        ),
        ("records -d -des3 -K 00 --iv 00 --data-column v --iv-encoding hex", "is for --iv-column"),
        ("records -d -des3 -K 00 --iv 00 --data-column v --key-encoding hex", "-K is in hex"),
        ("records -d -rc4 --key-column k --data-column v --key-as-given", "is for -K"),
        ("records -d -rc4 -K 00 --iv 00 --data-column v", "rc4 has no IV"),
        ("dec -rc4 -k x --padding zero", "--padding is for ECB and CBC"),
        ("dec -rc4 -k x --key-as-given", "--key-as-given is for what is given in hex"),
        ("records -d -des3 -k x --data-column v", "is for --preset"),
    ] {
        let output = folder.run(line);
        assert_eq!(output.status.code(), Some(2), "{line}: {}", says(&output));
        assert!(says(&output).contains(part), "{line}: {}", says(&output));
        assert_eq!(says(&output).lines().count(), 1, "{line}: {}", says(&output));
    }
    assert!(folder.names().is_empty());
}

/// OpenSSL passes over them, and so are bytes the same; but it is told.
#[test]
fn options_that_change_nothing_are_told() {
    let folder = Folder::new();
    folder.file("in", ok(folder.openssl("-rc4 -nosalt -md md5 -k pw", b"Some text.")));
    let line = "enc -d -rc4 -nosalt -md md5 -in in";
    for (options, told) in [
        ("-k pw -A", "--A is for -a"),
        ("-k pw -nopad", "--nopad is for ECB and CBC"),
        ("-k x -k pw", "another option behind -k takes its place"),
        ("-kfile in -k pw", "another option behind --kfile takes its place"),
        ("-k pw -pass pass:x", "--pass gives way to -k"),
    ] {
        let output = folder.run(&format!("{line} {options}"));
        let said = says(&output);
        assert!(said.contains(told.trim_start_matches("-")), "{options}: {said}");
        assert_eq!(ok(output), b"Some text.", "{options}");
    }
    let key = "enc -rc4 -K 00112233445566778899aabbccddeeff -md md5";
    let output = folder.run_with(key, b"text");
    assert!(says(&output).contains("--md is for keys that are derived"), "{}", says(&output));
}
