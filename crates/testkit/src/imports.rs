//! What the files of a crate use of each other, read from their text.
//!
//! For tests that hold a crate to its architecture: who imports whom cannot be said wrongly in a
//! document if a test reads it. A name that a file hands on (`pub use`) is followed to the file that
//! defines it. A file that others take in by `#[path]` is read as a module of each of them.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// A place in the tree of modules; the crate's root is empty.
type Module = Vec<String>;

/// The files of a crate by their modules, and what each uses.
#[derive(Debug)]
pub struct Imports {
    files: BTreeMap<Module, File>,
    uses: BTreeMap<Module, BTreeSet<Module>>,
}

/// What the text of a file says.
#[derive(Debug, Default)]
struct File {
    /// Its path below the crate's sources.
    path: String,
    /// All that it names, from the root on.
    names: Vec<Module>,
    /// What it hands on: the name, what that is, and whether the file itself speaks of it.
    hands_on: Vec<(String, Module, bool)>,
}

impl Imports {
    /// Reads all files below the folder of a crate's sources.
    ///
    /// # Panics
    /// If a file cannot be read.
    pub fn read(sources: &Path) -> Self {
        Self::read_as(sources, "crate")
    }

    /// The same where files of the folder, those of a program, also know the crate by its name.
    ///
    /// # Panics
    /// If a file cannot be read.
    pub fn read_as(sources: &Path, name: &str) -> Self {
        let mut paths = Vec::new();
        walk(sources, "", &mut paths);
        let has_lib = paths.iter().any(|path| path == "lib.rs");
        let mut texts = BTreeMap::new();
        for path in paths {
            let text = std::fs::read_to_string(sources.join(&path))
                .unwrap_or_else(|error| panic!("cannot read {path}: {error}"));
            texts.insert(module(&path, has_lib), (path, text));
        }
        take_in(&mut texts, has_lib);
        let modules: BTreeSet<Module> = texts.keys().cloned().collect();
        let files: BTreeMap<Module, File> = texts
            .into_iter()
            .map(|(module, (path, text))| {
                let file = parse(path, &text, &module, &modules, name);
                (module, file)
            })
            .collect();
        let mut imports = Self { files, uses: BTreeMap::new() };
        for (module, file) in &imports.files {
            let spoken = file.hands_on.iter().filter(|(.., is_used)| *is_used);
            let names = file.names.iter().chain(spoken.map(|(_, target, _)| target));
            let mut used: BTreeSet<Module> = names.map(|name| imports.file_of(name)).collect();
            used.remove(module);
            imports.uses.insert(module.clone(), used);
        }
        imports
    }

    /// The files, by their paths below the crate's sources.
    pub fn files(&self) -> impl Iterator<Item = &str> {
        self.files.values().map(|file| file.path.as_str())
    }

    /// Every use of another file: who uses, and what.
    pub fn uses(&self) -> impl Iterator<Item = (&str, &str)> {
        self.uses.iter().flat_map(|(from, to)| to.iter().map(|to| (self.path(from), self.path(to))))
    }

    /// The files and folders of a folder that use each other in a circle, folder by folder; for each
    /// circle the uses that make it.
    pub fn circles(&self) -> Vec<Vec<String>> {
        let folders: BTreeSet<&[String]> =
            self.files.keys().flat_map(|module| (0..module.len()).map(|n| &module[..n])).collect();
        folders.into_iter().flat_map(|folder| self.circles_in(folder)).collect()
    }

    fn circles_in(&self, folder: &[String]) -> Vec<Vec<String>> {
        // A child of the folder, or the folder's own file: an empty name.
        let child = |module: &Module| {
            module
                .starts_with(folder)
                .then(|| module.get(folder.len()).cloned().unwrap_or_default())
        };
        let mut edges: BTreeMap<(String, String), String> = BTreeMap::new();
        for (from, to) in
            self.uses.iter().flat_map(|(from, to)| to.iter().map(move |to| (from, to)))
        {
            if let (Some(a), Some(b)) = (child(from), child(to))
                && a != b
            {
                let words = format!("{} uses {}", self.path(from), self.path(to));
                edges.entry((a, b)).or_insert(words);
            }
        }
        let reaches = |start: &String| {
            let (mut seen, mut next) = (BTreeSet::new(), vec![start]);
            while let Some(at) = next.pop() {
                for (_, to) in edges.keys().filter(|(from, _)| from == at) {
                    if seen.insert(to) {
                        next.push(to);
                    }
                }
            }
            seen
        };
        let nodes: BTreeSet<&String> = edges.keys().flat_map(|(a, b)| [a, b]).collect();
        let reached: BTreeMap<_, _> = nodes.iter().map(|node| (*node, reaches(node))).collect();
        let same = |a: &String, b: &String| reached[a].contains(b) && reached[b].contains(a);
        let mut circles: BTreeMap<Vec<&String>, Vec<String>> = BTreeMap::new();
        for ((a, b), words) in &edges {
            if same(a, b) {
                let members = nodes.iter().copied().filter(|node| same(node, a)).collect();
                circles.entry(members).or_default().push(words.clone());
            }
        }
        circles.into_values().collect()
    }

    fn path(&self, module: &Module) -> &str {
        &self.files[module].path
    }

    /// The module of the file that defines a name.
    fn file_of(&self, name: &[String]) -> Module {
        self.follow(name, &mut BTreeSet::new())
    }

    /// The same; `seen` are the names on the way here. (Two files may hand a name on to each other, where
    /// each means another crate's.)
    fn follow(&self, name: &[String], seen: &mut BTreeSet<Module>) -> Module {
        let inner = (0..=name.len()).rev().find(|n| self.files.contains_key(&name[..*n]));
        let (module, rest) = name.split_at(inner.unwrap_or(0));
        let hands_on = rest.first().and_then(|first| {
            self.files[module].hands_on.iter().find(|(name, target, _)| {
                name == first && target.as_slice() != [module, &rest[..1]].concat()
            })
        });
        match hands_on {
            Some((_, target, _)) if seen.insert(target.clone()) => self.follow(target, seen),
            _ => module.to_vec(),
        }
    }
}

fn walk(root: &Path, below: &str, paths: &mut Vec<String>) {
    let entries = std::fs::read_dir(root.join(below)).expect("a folder of sources");
    for entry in entries.map(|entry| entry.expect("an entry of a folder")) {
        let name = entry.file_name().into_string().expect("a name in Unicode");
        let path = if below.is_empty() { name } else { format!("{below}/{name}") };
        if entry.path().is_dir() {
            walk(root, &path, paths);
        } else if path.ends_with(".rs") {
            paths.push(path);
        }
    }
}

/// The module that a file is. Beside a library, `main.rs` is a crate of its own, whose root is not ours.
fn module(path: &str, has_lib: bool) -> Module {
    let mut module: Module = path.trim_end_matches(".rs").split('/').map(String::from).collect();
    let is_root = path == "lib.rs" || path == "main.rs" && !has_lib;
    if is_root || path.ends_with("/mod.rs") {
        module.pop();
    }
    module
}

/// Makes modules of files that others take in by `#[path = "FILE"] mod NAME;`, in place of what they are
/// where they lie.
fn take_in(texts: &mut BTreeMap<Module, (String, String)>, has_lib: bool) {
    let mut taken: Vec<(Module, Module)> = Vec::new();
    for (at, (path, text)) in &*texts {
        for declared in text.split("#[path = \"").skip(1) {
            let declared = declared.split_once("\"]").and_then(|(file, rest)| {
                let (_, name) = rest.split_once("mod ")?;
                Some((file, name.split_once(';')?.0))
            });
            let Some((file, name)) = declared else { continue };
            let mut parts: Vec<&str> = path.split('/').collect();
            parts.pop();
            for part in file.split('/') {
                match part {
                    ".." => _ = parts.pop(),
                    part => parts.push(part),
                }
            }
            let there = [&at[..], &[name.to_owned()]].concat();
            taken.push((there, module(&parts.join("/"), has_lib)));
        }
    }
    let copies: Vec<_> =
        taken.iter().map(|(there, own)| (there.clone(), texts.get(own).cloned())).collect();
    for (_, own) in &taken {
        texts.remove(own);
    }
    texts.extend(copies.into_iter().filter_map(|(there, file)| Some((there, file?))));
}

/// Words and signs of a file, without comments, strings and attributes.
fn tokens(text: &str) -> Vec<&str> {
    let mut tokens = Vec::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let is_word = |c: char| c.is_alphanumeric() || c == '_';
        let raw = raw_string(rest);
        let len = if let Some(len) = raw {
            len
        } else if rest.starts_with("//") {
            rest.find('\n').unwrap_or(rest.len())
        } else if first == '"' {
            let mut escaped = false;
            let end = rest[1..].find(|c| {
                let ends = c == '"' && !escaped;
                escaped = c == '\\' && !escaped;
                ends
            });
            end.map_or(rest.len(), |end| end + 2)
        } else if is_word(first) {
            rest.find(|c| !is_word(c)).unwrap_or(rest.len())
        } else if rest.starts_with("::") {
            2
        } else if let Some(end) = rest.strip_prefix('\'').and_then(|behind| {
            // A character, not a lifetime; what is escaped may be long, as in `'\u{7b}'`.
            match behind.strip_prefix('\\') {
                Some(escaped) => Some(2 + escaped.get(1..)?.find('\'')?),
                None => behind.char_indices().nth(1).filter(|(_, c)| *c == '\'').map(|(n, _)| n),
            }
        }) {
            end + 2
        } else {
            first.len_utf8()
        };
        let token = &rest[..len];
        let is_text = raw.is_some() || first == '"' || token.starts_with("//");
        if !is_text && !first.is_whitespace() {
            tokens.push(token);
        }
        rest = &rest[len..];
    }
    tokens
}

/// How long a raw string is that a text begins with, if it does.
fn raw_string(text: &str) -> Option<usize> {
    let behind = text.strip_prefix('b').unwrap_or(text).strip_prefix('r')?;
    let open = behind.trim_start_matches('#');
    let close = format!("\"{}", "#".repeat(behind.len() - open.len()));
    let content = open.strip_prefix('"')?;
    let end = content.find(&close)?;
    Some(text.len() - content.len() + end + close.len())
}

fn parse(
    path: String,
    text: &str,
    module: &Module,
    modules: &BTreeSet<Module>,
    crate_name: &str,
) -> File {
    let mut file = File { path, ..File::default() };
    let absolute = |name: &[String], inline: usize| {
        let is_named = name.first().is_some_and(|first| first == crate_name);
        match is_named {
            true => Some(name[1..].to_vec()),
            false => absolute(name, module, inline, modules),
        }
    };
    let tokens = tokens(text);
    let mut words: BTreeMap<&str, usize> = BTreeMap::new();
    // Modules in braces, and how deep they begin.
    let (mut inline, mut depth) = (Vec::<usize>::new(), 0);
    let mut at = 0;
    while at < tokens.len() {
        match tokens[at] {
            "{" => depth += 1,
            "}" => {
                depth -= 1;
                inline.pop_if(|begin| *begin > depth);
            }
            "mod" if tokens.get(at + 2) == Some(&"{") => inline.push(depth + 1),
            // A declaration is no use, nor is who may see an item: `pub(in path)`.
            "mod" if tokens.get(at + 2) == Some(&";") => at += 2,
            "in" if at > 0 && tokens[at - 1] == "(" => {
                at += tokens[at..].iter().position(|token| *token == ")").unwrap_or(0);
            }
            // Not `use<'a>`, which says what a type captures.
            "use" if tokens.get(at + 1) != Some(&"<") => {
                let end = at + tokens[at..].iter().position(|token| *token == ";").unwrap_or(0);
                let mut names = Vec::new();
                tree(&mut tokens[at + 1..end].iter().copied(), &[], &mut names);
                let before = at.checked_sub(1).map_or("", |before| tokens[before]);
                for (name, known_as) in names {
                    let Some(name) = absolute(&name, inline.len()) else {
                        continue;
                    };
                    if before == "pub" || before == ")" {
                        file.hands_on.push((known_as, name, false));
                    } else {
                        file.names.push(name);
                    }
                }
                at = end;
            }
            word => {
                *words.entry(word).or_default() += 1;
                // A path in the code, if this is where it begins.
                if tokens.get(at + 1) == Some(&"::") && tokens[at.saturating_sub(1)] != "::" {
                    let mut name = vec![word.to_owned()];
                    while tokens.get(at + 1) == Some(&"::") {
                        name.extend(tokens.get(at + 2).map(|word| (*word).to_owned()));
                        at += 2;
                    }
                    file.names.extend(absolute(&name, inline.len()));
                }
            }
        }
        at += 1;
    }
    for (known_as, _, is_used) in &mut file.hands_on {
        *is_used = words.contains_key(known_as.as_str());
    }
    file
}

/// All names of a `use`, from its tree.
fn tree<'t>(
    tokens: &mut impl Iterator<Item = &'t str>,
    before: &[String],
    names: &mut Vec<(Module, String)>,
) {
    let mut path = before.to_vec();
    let mut known_as = None;
    while let Some(token) = tokens.next() {
        match token {
            "::" => {}
            "{" => {
                tree(tokens, &path, names);
                path.truncate(before.len());
                known_as = None;
            }
            "," | "}" => {
                names.extend(known_as.take().map(|name| (path.clone(), name)));
                path.truncate(before.len());
                if token == "}" {
                    return;
                }
            }
            "as" => known_as = tokens.next().map(str::to_owned),
            "self" if !path.is_empty() => known_as = path.last().cloned(),
            name => {
                path.push(name.to_owned());
                known_as = Some(name.to_owned());
            }
        }
    }
    names.extend(known_as.map(|name| (path, name)));
}

/// A name from the crate's root on; none if it is another crate's.
fn absolute(
    name: &[String],
    module: &Module,
    inline: usize,
    modules: &BTreeSet<Module>,
) -> Option<Module> {
    let mut at = module.clone();
    let mut rest = name;
    let mut up = inline;
    match rest.first()?.as_str() {
        "crate" => (at, rest) = (Vec::new(), &rest[1..]),
        "self" => rest = &rest[1..],
        "super" => {
            while rest.first().is_some_and(|word| word == "super") {
                rest = &rest[1..];
                match up.checked_sub(1) {
                    Some(less) => up = less,
                    None => at.truncate(at.len().saturating_sub(1)),
                }
            }
        }
        first => {
            at.push(first.to_owned());
            modules.contains(&at).then_some(())?;
            rest = &rest[1..];
        }
    }
    at.extend(rest.iter().cloned());
    Some(at)
}
