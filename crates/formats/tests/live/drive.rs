//! Programs asked questions, and their answers compared with ours.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use cipherloom_formats::Cipher;
use cipherloom_formats::encoding::Encoding;
use cipherloom_formats::key_file::KeyFile;
use cipherloom_formats::preset::{
    Charset, Container, Error, Fill, Given, Outcome, Preset, Secret, Text, Witness,
};
use cipherloom_testkit::rng::Rng;

/// Bytes of a plaintext, or characters.
const LENS: [usize; 14] = [0, 1, 2, 7, 8, 9, 15, 16, 17, 24, 63, 64, 100, 1000];

/// A preset, and what a program calls it.
pub(crate) struct Way<'a> {
    pub(crate) preset: &'static str,
    /// Empty: the usual one.
    pub(crate) cipher: &'static str,
    pub(crate) what: &'static str,
    pub(crate) secret: Kind<'a>,
    /// Bytes of an IV that both are given: one of these.
    pub(crate) iv: &'static [usize],
    /// Bytes of a salt that both are given.
    pub(crate) salt: usize,
    /// Whether the program takes an empty plaintext.
    pub(crate) empty: bool,
    /// Whether the program opens what it wrote.
    pub(crate) opens: bool,
}

/// Which secrets a program takes.
pub(crate) enum Kind<'a> {
    /// Text.
    Password,
    /// Text of letters, digits and signs of ASCII.
    Ascii,
    /// Keys of one of these lengths.
    Key(&'static [usize]),
    /// The same, of letters.
    Letters(&'static [usize]),
    /// So many bytes, in hex.
    Digits(&'static [usize]),
    /// MySQL's; the program has it, too.
    File(&'a KeyFile),
}

/// What most ways have.
pub(crate) const WAY: Way<'_> = Way {
    preset: "",
    cipher: "",
    what: "",
    secret: Kind::Password,
    iv: &[0],
    salt: 0,
    empty: true,
    opens: true,
};

/// What a program is asked.
#[derive(Clone)]
pub(crate) struct Question {
    pub(crate) encrypts: bool,
    pub(crate) what: &'static str,
    pub(crate) secret: Vec<u8>,
    /// IV or salt.
    pub(crate) iv: Vec<u8>,
    pub(crate) text: Vec<u8>,
}

impl Question {
    /// As the scripts of this folder read it.
    fn line(&self) -> String {
        let direction = if self.encrypts { "encrypt" } else { "decrypt" };
        let [secret, iv, text] = [&self.secret, &self.iv, &self.text].map(|bytes| hex(bytes));
        format!("{direction} {} {secret} {iv} {text}\n", self.what)
    }
}

/// A case of a way.
struct Case<'w> {
    way: &'w Way<'w>,
    preset: &'static Preset,
    cipher: Option<Cipher>,
    question: Question,
}

/// Compares both directions. `ask` gives an answer for each question.
pub(crate) fn compare(ways: &[Way<'_>], ask: impl Fn(&[Question]) -> Vec<Vec<u8>>) {
    let mut rng = Rng::new(0x1e9d_a7a5);
    let cases: Vec<Case<'_>> = ways.iter().flat_map(|way| cases(way, &mut rng)).collect();
    let questions: Vec<_> = cases.iter().map(|case| case.question.clone()).collect();
    let values = ask(&questions);
    for (case, value) in cases.iter().zip(&values) {
        let opened = case.preset.open(&case.given(&case.question.secret), value).unwrap();
        let plaintext = case.question.text.as_slice();
        // MySQL leaves nothing as it is.
        if value.is_empty() && plaintext.is_empty() && matches!(opened, Outcome::PassedThrough(_)) {
            continue;
        }
        assert_eq!(opened.plaintext(), Some(plaintext), "{}: {opened}", case.told(value));
        if !matches!(case.way.secret, Kind::File(_)) {
            case.open_with_a_wrong_secret(value);
        }
    }
    let (mut made, mut expected) = (Vec::new(), Vec::new());
    for case in cases.iter().filter(|case| case.way.opens) {
        let (salt, iv) = (rng.bytes(8), rng.bytes(8));
        let mut given = case.given(&case.question.secret);
        match case.preset.container {
            Container::Salted | Container::Salt => given.salt = Some(&salt),
            Container::RandomIv => given.iv = Some(&iv),
            _ => {}
        }
        match case.preset.seal(&given, &case.question.text) {
            Ok(text) => {
                made.push(Question { encrypts: false, text, ..case.question.clone() });
                expected.push(case);
            }
            Err(error) => assert_eq!(error, Error::OnlyOpened, "{}", case.told(b"")),
        }
    }
    let answers = if made.is_empty() { Vec::new() } else { ask(&made) };
    for ((case, mut answer), question) in expected.into_iter().zip(answers).zip(made) {
        let len = case.question.text.len();
        // Whoever fills up with zeros gets them back.
        if case.preset.fill == Fill::Zeros
            && answer[len.min(answer.len())..].iter().all(|&byte| byte == 0)
        {
            answer.truncate(len);
        }
        assert_eq!(answer, case.question.text, "{}", case.told(&question.text));
    }
    println!("{} values opened in {} ways", values.len(), ways.len());
}

fn cases<'w>(way: &'w Way<'w>, rng: &mut Rng) -> Vec<Case<'w>> {
    let preset = Preset::find(way.preset).unwrap_or_else(|| panic!("{}", way.preset));
    let cipher = (!way.cipher.is_empty()).then(|| Cipher::find(way.cipher).unwrap());
    let lens = LENS.into_iter().filter(|&len| len > 0 || way.empty);
    let case = |len| {
        let secret = match way.secret {
            Kind::Password => text(rng, "aZ 7_ü€😀"),
            Kind::Ascii => text(rng, "aZ7_-+*.:!"),
            Kind::Letters(lens) => letters(rng, lens),
            Kind::Digits(lens) => hex(&letters(rng, lens)).into_bytes(),
            Kind::Key(lens) => {
                let len = *rng.choose(lens);
                rng.bytes(len)
            }
            Kind::File(_) => Vec::new(),
        };
        let iv = match way.salt {
            0 => *rng.choose(way.iv),
            len => len,
        };
        let (what, iv) = (way.what, rng.bytes(iv));
        let question =
            Question { encrypts: true, what, secret, iv, text: plaintext(preset, rng, len) };
        Case { way, preset, cipher: cipher.clone(), question }
    };
    lens.map(case).collect()
}

/// A plaintext of the kind that the preset has.
fn plaintext(preset: &Preset, rng: &mut Rng, len: usize) -> Vec<u8> {
    let chars = ['a', 'Z', ' ', '5', 'ß', '€', '😀'];
    let text: String = (0..len).map(|_| *rng.choose(&chars)).collect();
    match preset.charset {
        Charset::Bytes => {
            let mut bytes = rng.bytes(len);
            // Zeros at the end are padding for some.
            bytes.iter_mut().last().into_iter().for_each(|last| *last |= 1);
            bytes
        }
        charset => charset.write(&text).to_vec(),
    }
}

fn text(rng: &mut Rng, chars: &str) -> Vec<u8> {
    let chars: Vec<char> = chars.chars().collect();
    let len = rng.number(1..=20);
    (0..len).map(|_| *rng.choose(&chars)).collect::<String>().into_bytes()
}

fn letters(rng: &mut Rng, lens: &[usize]) -> Vec<u8> {
    let len = *rng.choose(lens);
    rng.bytes(len).into_iter().map(|byte| b'a' + byte % 26).collect()
}

impl Case<'_> {
    fn given<'g>(&'g self, secret: &'g [u8]) -> Given<'g> {
        let extra = Some(&*self.question.iv).filter(|iv| !iv.is_empty());
        let (salt, iv) = if self.way.salt > 0 { (extra, None) } else { (None, extra) };
        let secret = match self.way.secret {
            Kind::File(file) => Secret::KeyFile(file),
            _ => Secret::Bytes(secret),
        };
        // Where the usual text is hex, the programs here are asked for bytes.
        let raw = Text::As(Encoding::Text);
        let text = (self.preset.text == Text::As(Encoding::Hex)).then_some(raw);
        Given { secret, cipher: self.cipher.as_ref(), salt, iv, text, ..Given::default() }
    }

    fn open_with_a_wrong_secret(&self, value: &[u8]) {
        let mut wrong = self.question.secret.clone();
        // Not a bit of parity, and text stays text.
        wrong[0] ^= 0x10;
        match self.preset.open(&self.given(&wrong), value).unwrap() {
            Outcome::WrongKey => {}
            Outcome::Decrypted(plaintext) => {
                let told = match plaintext.witness {
                    Witness::Nothing | Witness::Text => true,
                    Witness::Padding(count) => count < 4,
                    Witness::PaddingAndLooks(..) => true,
                    _ => false,
                };
                assert!(told, "{}: {plaintext:?} with a wrong key", self.told(value));
            }
            other => panic!("{}: {other}", self.told(value)),
        }
    }

    fn told(&self, value: &[u8]) -> String {
        let line = self.question.line();
        format!("{} {}: {} {}", self.preset.name, self.way.cipher, line.trim_end(), hex(value))
    }
}

/// Asks a script of this folder: a line for each question and each answer.
pub(crate) fn ask(command: &mut Command, questions: &[Question]) -> Vec<Vec<u8>> {
    let input: String = questions.iter().map(Question::line).collect();
    let output = run(command, input.as_bytes());
    let answers: Vec<_> = output.split(|&byte| byte == b'\n').map(unhex).collect();
    assert_eq!(answers.len(), questions.len() + 1, "a line for each question");
    answers[..questions.len()].to_vec()
}

/// What a program prints, whose input is this.
pub(crate) fn run(command: &mut Command, input: &[u8]) -> Vec<u8> {
    let pipe = Stdio::piped;
    let child = command.stdin(pipe()).stdout(pipe()).stderr(pipe()).spawn();
    let mut child = child.unwrap_or_else(|error| {
        panic!("{command:?}: {error}; `cargo xtask setup` installs what is missing")
    });
    let mut stdin = child.stdin.take().expect("piped");
    let output = std::thread::scope(|scope| {
        // The program may fill its output before it has read its input.
        scope.spawn(move || stdin.write_all(input));
        child.wait_with_output().expect("it runs")
    });
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{command:?}: {}: {said}", output.status);
    output.stdout
}

/// A script of this folder.
pub(crate) fn script(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/live/scripts").join(name)
}

/// A new empty folder, removed when this is dropped.
pub(crate) struct Folder(pub(crate) PathBuf);

impl Folder {
    pub(crate) fn new(name: &str) -> Self {
        let name = format!("cipherloom-live-{name}-{}", std::process::id());
        let path = std::env::temp_dir().join(name);
        let _ = std::fs::remove_dir_all(&path);
        std::fs::create_dir(&path).unwrap();
        Self(path)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// A file that makes OpenSSL 3 load its legacy provider, where DES is, for programs that use it.
pub(crate) fn legacy_provider(folder: &Folder) -> PathBuf {
    let path = folder.0.join("openssl.cnf");
    let text = "openssl_conf = all\n[all]\nproviders = list\n[list]\ndefault = on\nlegacy = on\n\
                [on]\nactivate = 1\n";
    std::fs::write(&path, text).unwrap();
    path
}

pub(crate) fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

pub(crate) fn unhex(digits: &[u8]) -> Vec<u8> {
    let text = std::str::from_utf8(digits).expect("hex");
    (0..text.len() / 2)
        .map(|at| u8::from_str_radix(&text[2 * at..2 * at + 2], 16).expect("hex"))
        .collect()
}
