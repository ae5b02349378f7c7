//! Shell completions and manual pages: there is one of each for everything.

use crate::common::Folder;

const COMMANDS: &[&str] = &[
    "enc",
    "dec",
    #[cfg(feature = "migrate")]
    "migrate",
    "what",
    "records",
    "speed",
    "selftest",
    "info",
    "completions",
    "man",
];

/// What a build lacks is nowhere offered, and asked for it, it says so.
#[test]
fn migrate_is_in_all_texts_or_in_none() {
    let folder = Folder::new();
    let is_there = cfg!(feature = "migrate");
    for line in ["--help", "man", "completions bash"] {
        let text = String::from_utf8(folder.run(line).stdout).unwrap();
        assert_eq!(text.contains("migrate"), is_there, "{line}");
    }
    let help = folder.run("migrate --help");
    assert_eq!(help.status.code(), Some(if is_there { 0 } else { 2 }));
    let said = String::from_utf8(if is_there { help.stdout } else { help.stderr }).unwrap();
    assert!(said.contains(if is_there { "age file" } else { "built without `migrate`" }), "{said}");
}

#[test]
fn completions_know_every_command_in_every_shell() {
    let folder = Folder::new();
    for shell in ["bash", "elvish", "fish", "powershell", "zsh"] {
        let output = folder.run(&format!("completions {shell}"));
        assert!(output.status.success());
        let script = String::from_utf8(output.stdout).unwrap();
        for command in COMMANDS {
            assert!(script.contains(command), "{shell}: {command}");
        }
    }
    assert_eq!(folder.run("completions csh").status.code(), Some(2));
}

#[cfg(unix)]
#[test]
fn bash_takes_the_completions() {
    let folder = Folder::new();
    let script = folder.file("complete.bash", folder.run("completions bash").stdout);
    let mut bash = std::process::Command::new("bash");
    bash.arg("-c").arg(format!(
        "source {} && COMP_WORDS=(cipherloom sel) COMP_CWORD=1 && _cipherloom cipherloom sel '' \
         && echo ${{COMPREPLY[@]}}",
        script.display()
    ));
    let output = crate::common::feed(bash, b"");
    assert_eq!(String::from_utf8_lossy(&output.stdout), "selftest\n");
}

#[test]
fn there_is_a_manual_page_for_every_command() {
    let folder = Folder::new();
    let top = folder.run("man").stdout;
    assert!(String::from_utf8(top.clone()).unwrap().contains(".TH cipherloom 1"));
    assert!(folder.run("man --dir .").status.success());
    let mut expected: Vec<String> =
        COMMANDS.iter().map(|command| format!("cipherloom-{command}.1")).collect();
    expected.push("cipherloom.1".into());
    expected.sort();
    assert_eq!(folder.names(), expected);
    assert_eq!(folder.read("cipherloom.1"), top);
    for command in COMMANDS {
        let page = folder.run(&format!("man {command}")).stdout;
        assert_eq!(page, folder.read(&format!("cipherloom-{command}.1")));
        let page = String::from_utf8(page).unwrap();
        assert!(page.contains(&format!(".TH cipherloom-{command} 1")), "{page}");
        assert!(page.contains(&format!("cipherloom {command}")), "{command}");
        assert!(!page.contains("crossover"), "{command}: a hidden option");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn manual_pages_render() {
    let folder = Folder::new();
    let man = std::process::Command::new("man").arg("--version").output();
    let is_there = man.is_ok_and(|output| output.status.success());
    assert!(is_there, "there is no `man` to render pages with: `cargo xtask setup` installs it");
    assert!(folder.run("man --dir .").status.success());
    for name in folder.names() {
        let mut man = std::process::Command::new("man");
        man.current_dir(folder.path()).args(["--warnings", "-l", &name]).env("MANWIDTH", "100");
        let output = crate::common::feed(man, b"");
        assert!(output.status.success(), "{name}");
        assert_eq!(String::from_utf8_lossy(&output.stderr), "", "{name}");
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        assert!(text.contains("SYNOPSIS") && text.contains("OPTIONS"), "{name}: {text}");
    }
}

#[test]
fn manual_pages_refuse_what_is_not_there_and_overwrite_nothing() {
    let folder = Folder::new();
    let unknown = folder.run("man enq");
    assert_eq!(unknown.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&unknown.stderr).contains("there are dec, enc"));
    folder.file("cipherloom.1", "mine");
    let taken = folder.run("man --dir .");
    assert_eq!(taken.status.code(), Some(1));
    assert_eq!(folder.read("cipherloom.1"), b"mine");
    assert!(folder.run("man --dir . --force").status.success());
    assert_ne!(folder.read("cipherloom.1"), b"mine");
}
