//! `speed`, `selftest` and `info`: what they print and how they end. No test depends on a time.

use crate::common::Folder;
use serde_json::Value;

/// Runs a line that must succeed, and gives its standard output.
fn stdout(folder: &Folder, line: &str) -> String {
    let output = folder.run(line);
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{line}: {errors}");
    assert_eq!(errors, "", "{line}");
    String::from_utf8(output.stdout).unwrap()
}

fn json(folder: &Folder, line: &str) -> Value {
    serde_json::from_str(&stdout(folder, line)).unwrap()
}

/// Runs a line that must fail, and gives its exit code and what it says.
fn refused(folder: &Folder, line: &str) -> (i32, String) {
    let output = folder.run(line);
    assert_eq!(output.stdout, b"", "{line}");
    (output.status.code().unwrap(), String::from_utf8(output.stderr).unwrap())
}

#[test]
fn slow_speed_gives_a_figure_for_every_backend_and_amount_of_work() {
    let report = json(&Folder::new(), "speed des-ede3-cbc rc4 --quick --json");
    assert!(report["program"].as_str().unwrap().starts_with("cipherloom "));
    assert!(report["unix_time"].as_u64().unwrap() > 1_700_000_000);
    let rows = report["rows"].as_array().unwrap();
    let named: Vec<String> = rows
        .iter()
        .map(|row| {
            let part = |name: &str| row[name].as_str().unwrap();
            format!("{} {} {}", part("cipher"), part("direction"), part("backend"))
        })
        .collect();
    let expected = [
        "des-ede3-cbc encrypt chosen",
        "des-ede3-cbc encrypt portable-table",
        "des-ede3-cbc encrypt portable-bitslice",
        "des-ede3-cbc decrypt chosen",
        "des-ede3-cbc decrypt portable-table",
        "des-ede3-cbc decrypt portable-bitslice",
        "rc4 either chosen",
        "rc4 either portable-rc4-loop",
        "rc4 either portable-rc4-scan",
    ];
    for row in expected {
        assert!(named.iter().any(|name| name == row), "{row} is not in {named:?}");
    }
    for row in rows {
        let cells = row["cells"].as_array().unwrap();
        let loads: Vec<_> =
            cells.iter().map(|cell| (&cell["bytes"], cell["records"].as_u64())).collect();
        let sizes = [8, 64, 1024, 16384, 1_048_576, 32];
        assert!(loads.iter().map(|(bytes, _)| bytes.as_u64().unwrap()).eq(sizes), "{loads:?}");
        assert!(loads[..5].iter().all(|(_, records)| records.is_none()));
        assert!(loads[5].1.unwrap() >= 512, "records fill the lanes");
        for cell in cells {
            // A chain through a kernel for many blocks may take seconds where the machine is busy.
            if cell["left_out"].is_string() {
                assert_eq!(cell["bytes"], 1_048_576, "{row}");
                continue;
            }
            let positive = |name: &str| cell[name].as_f64().is_some_and(|value| value > 0.0);
            assert!(positive("mb_per_s") && positive("samples"), "{row}");
            assert!(cell["spread_percent"].as_f64().unwrap() >= 0.0);
            let has_cycles = report["cycles_unknown_because"].is_null();
            assert_eq!(positive("cycles_per_byte") && positive("ghz"), has_cycles, "{row}");
        }
    }
}

#[test]
fn speed_prints_a_table_that_names_what_it_leaves_open() {
    let table = stdout(&Folder::new(), "speed des3 des-ede3-ofb --quick --bytes 64,8");
    let find = |start: &str| {
        let mut lines = table.lines().map(|line| line.split_whitespace().collect::<Vec<_>>());
        lines.find(|words| words.join(" ").starts_with(start)).unwrap_or_else(|| panic!("{table}"))
    };
    let heading = find("cipher direction backend");
    assert_eq!(heading, ["cipher", "direction", "backend", "8B", "64B", "32B*keys", "±"]);
    assert_eq!(find("des-ede3-cbc decrypt portable-bitslice").len(), heading.len());
    let ofb = find("des-ede3-ofb either chosen");
    assert_eq!(ofb[5], "-", "there is no batch in OFB");
    let has_cycles = table.contains("Core cycles per byte");
    assert!(has_cycles != table.contains("No cycles per byte: "), "{table}");
}

#[test]
fn speed_draws_a_picture_and_overwrites_none() {
    let folder = Folder::new();
    stdout(&folder, "speed des-cbc --quick --bytes 8,1024 --plot a.svg");
    let svg = String::from_utf8(folder.read("a.svg")).unwrap();
    assert!(svg.starts_with("<svg xmlns=") && svg.ends_with("</svg>\n"));
    assert!(!svg.contains("NaN") && !svg.contains("inf"), "{svg}");
    for part in ["des-cbc, encrypt", "des-cbc, decrypt", "portable-bitslice", "1KiB"] {
        assert!(svg.contains(part), "{part}");
    }
    // A line and its points for each of the chosen and the forced backends, in both directions.
    let backends = svg.matches("<polyline").count() / 2;
    assert!(backends >= 3);
    assert_eq!(svg.matches("<circle").count(), backends * 2 * 2);

    let (code, message) = refused(&folder, "speed des-cbc --quick --bytes 8 --plot a.svg");
    assert_eq!(code, 1, "{message}");
    assert!(message.contains("a.svg exists already"), "{message}");
    assert_eq!(folder.read("a.svg"), svg.as_bytes());
    stdout(&folder, "speed rc4 --quick --bytes 8 --plot a.svg --force");
    assert!(String::from_utf8(folder.read("a.svg")).unwrap().contains("rc4"));
    assert_eq!(folder.names(), ["a.svg"]);
}

#[test]
fn slow_speed_compares_with_openssl_and_leaves_out_what_it_lacks() {
    let folder = Folder::new();
    let report = json(&folder, "speed des-ede3-cbc des-ctr --quick --bytes 1024 --compare --json");
    let comparison = &report["comparison"];
    assert!(comparison["openssl"].as_str().unwrap().starts_with("OpenSSL"));
    let pairs = comparison["pairs"].as_array().unwrap();
    let named: Vec<_> =
        pairs.iter().map(|pair| [&pair["cipher"], &pair["direction"]].map(Value::as_str)).collect();
    let pair = |direction| [Some("des-ede3-cbc"), Some(direction)];
    assert_eq!(named, [pair("encrypt"), pair("decrypt")], "no CTR in openssl");
    for pair in pairs {
        let number = |name: &str| pair[name].as_f64().unwrap();
        let ratio = number("cipherloom_mb_per_s") / number("openssl_mb_per_s");
        assert!((number("ratio") - ratio).abs() < 1e-9 && ratio > 0.0);
        assert_eq!(number("rounds"), 1.0);
    }
}

#[test]
fn speed_says_in_one_line_that_there_is_no_openssl() {
    let folder = Folder::new();
    let mut command = folder.command("speed des-cbc --quick --bytes 8 --compare");
    command.env("PATH", folder.path());
    let output = crate::common::feed(command, b"");
    let table = String::from_utf8(output.stdout).unwrap();
    assert!(output.status.success(), "{table}");
    let lines: Vec<&str> = table.lines().filter(|line| line.contains("openssl")).collect();
    assert_eq!(lines.len(), 1, "{table}");
    assert!(lines[0].starts_with("No comparison: the openssl command cannot be run"), "{lines:?}");
}

#[test]
fn speed_refuses_bad_usage() {
    let folder = Folder::new();
    for (line, part) in [
        ("speed des-ede3-cbx", "des-ede3-cbc"),
        ("speed --bytes 12 rc4", "multiple of 8"),
        ("speed --bytes 0 rc4", "0"),
        ("speed --seconds=-1 rc4", "seconds"),
        ("speed --seconds nan rc4", "seconds from 0 to 3600"),
        ("speed --rounds 2 rc4", "--compare"),
        ("speed --quick --seconds 1 rc4", "--seconds"),
        ("speed --all rc4", "--all"),
        ("speed --force rc4", "--plot"),
    ] {
        let (code, message) = refused(&folder, line);
        assert_eq!(code, 2, "{line}: {message}");
        assert!(message.contains(part), "{line}: {message}");
        assert_eq!(message.lines().count(), 1, "{message}");
    }
}

#[test]
fn slow_crossover_measures_every_way_at_every_point() {
    let curves = json(&Folder::new(), "speed --crossover --seconds 0 --json");
    for curve in curves.as_array().unwrap() {
        let ways = curve["ways"].as_array().unwrap();
        assert!(ways.len() >= 2);
        let points = curve["points"].as_array().unwrap();
        assert!(points.len() >= 10);
        for point in points {
            assert_eq!(point["nanoseconds"].as_array().unwrap().len(), ways.len());
        }
        assert!(ways.contains(&curve["fastest"][0]["way"]));
    }
}

#[test]
fn slow_selftest_has_a_line_for_every_cipher_on_every_backend() {
    let folder = Folder::new();
    let outcome = json(&folder, "selftest --json");
    assert_eq!(outcome["passed"], true);
    assert_eq!(outcome["backends"].as_array().unwrap().len(), cipherloom::Backend::all().len());
    let ciphers = outcome["ciphers"].as_array().unwrap();
    for backend in cipherloom::Backend::all() {
        let mut lines = ciphers.iter().filter(|line| line["backend"] == backend.name());
        assert!(lines.any(|line| line["known_answers"].as_u64() > Some(0)), "{backend:?}");
    }
    assert!(ciphers.iter().all(|line| line.get("fault").is_none()));
    let table = stdout(&folder, "selftest");
    assert!(table.ends_with("\neverything passed\n"), "{table}");
}

#[test]
fn info_names_the_backends_and_where_they_take_over() {
    let folder = Folder::new();
    let info = json(&folder, "info --json");
    assert_eq!(info["version"], env!("CARGO_PKG_VERSION"));
    assert_eq!(info["processor"]["architecture"], std::env::consts::ARCH);
    assert!(info["processor"]["threads"].as_u64().unwrap() >= 1);
    let backends = info["backends"].as_array().unwrap();
    for (told, backend) in backends.iter().zip(cipherloom::Backend::all()) {
        assert_eq!(told["name"], backend.name());
        assert_eq!(told["constant_time"], backend.is_constant_time());
        assert_eq!(told["status"], "passed");
    }
    // Where there are proofs, of all kernels in this very program's memory.
    let kernels = &info["kernels"];
    assert_eq!(kernels["count"], cipherloom::kernels_in_memory().count());
    if cfg!(target_arch = "x86_64") {
        assert_eq!(kernels["proved"], kernels["count"], "{kernels}");
        assert_eq!(kernels["others"].as_array().unwrap().len(), 0, "{kernels}");
        assert!(kernels["proofs"][0].as_str().unwrap().starts_with("20"), "{kernels}");
    }
    let choices = info["choices"].as_array().unwrap();
    // Six block ciphers and RC4, under two policies; each has a backend from one block on.
    assert_eq!(choices.len(), 14);
    for choice in choices {
        assert_eq!(choice["chosen"][0]["from_blocks"], 1, "{choice}");
    }
    let table = stdout(&folder, "info");
    let first =
        cipherloom::Backend::detect(cipherloom::Algorithm::Des, 1, cipherloom::Policy::Fastest);
    let chains = format!("1: {}", first.name());
    for part in ["version", "portable-bitslice", "constant time", &chains] {
        assert!(table.contains(part), "{table}");
    }
}
