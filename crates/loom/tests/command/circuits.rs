//! `loom circuits`: the list, and the search.

use crate::{json, loom, nowhere, refused, said};

#[test]
fn circuits_lists_what_is_committed() {
    let rows = json(&["circuits", "list", "--json"]);
    let rows = rows.as_array().unwrap();
    assert_eq!(rows.len(), 5 * 8);
    for rows in rows.chunks(8) {
        let sum = |key: &str| rows.iter().map(|row| row[key].as_u64()).sum::<Option<u64>>();
        // Of two sets nobody has published circuits.
        let (others, set) = (sum("published"), rows[0]["set"].as_str().unwrap());
        assert_eq!(others.is_none(), ["sha3", "lut3-xor"].contains(&set), "{rows:?}");
        assert!(others.is_none_or(|others| sum("gates").unwrap() < others), "{rows:?}");
    }
    let text = said(&["circuits", "list", "--set", "lut3"]);
    assert_eq!(text.lines().count(), 1 + 8 + 1, "{text}");
    let check = said(&["circuits", "check"]);
    assert_eq!(check.matches("are right for all inputs").count(), 5, "{check}");
}

#[test]
fn circuits_search_keeps_what_is_better_and_goes_on_from_it() {
    let folder = nowhere();
    let directory = folder.path().to_str().unwrap();
    let search = |moves: &str, seed: &str| {
        let options = ["--sbox", "4", "--moves", moves, "--seed", seed, "--circuits", directory];
        let output = loom(&[&["circuits", "search", "--set", "lut3"], &options[..]].concat());
        assert!(output.status.success(), "{output:?}");
        String::from_utf8(output.stdout).unwrap()
    };
    let file = folder.path().join("lut3/S4.txt");
    let gates = || -> usize {
        let text = std::fs::read_to_string(&file).unwrap();
        let line = text.lines().find_map(|line| line.strip_prefix("gates ")).unwrap();
        line.parse().unwrap()
    };
    let first = search("65536", "1");
    let one = gates();
    let text = std::fs::read_to_string(&file).unwrap();
    assert!(text.contains("\nseed 1\nfound by a search from the tables"), "{text}");
    let second = search("200000", "2");
    assert!(gates() < one, "{second}");
    assert!(second.contains(&format!("from a circuit of {one} gates of lut3")), "{second}");
    // The same search in an empty store finds the same.
    std::fs::remove_file(&file).unwrap();
    assert_eq!(search("65536", "1"), first);
    assert_eq!(gates(), one);
    assert_eq!(std::fs::read_to_string(&file).unwrap(), text);
    // Nothing is left beside it.
    assert_eq!(std::fs::read_dir(folder.path().join("lut3")).unwrap().count(), 1);

    // A file that someone changed is refused, and not written over.
    let broken = text.replacen("out ", "out ~", 1).replace("~~", "");
    std::fs::write(&file, &broken).unwrap();
    for action in
        [&["check"][..], &["list"], &["search", "--set", "lut3", "--sbox", "4", "--moves", "9"]]
    {
        let line = refused(&[&["circuits", "--circuits", directory], action].concat(), 1);
        let expected = if action[0] == "check" { "S1.txt is missing" } else { "not S4: wrong for" };
        assert!(line.contains(expected), "{line}");
    }
    assert_eq!(std::fs::read_to_string(&file).unwrap(), broken);
}
