//! The table of known answers, read.

use cipherloom_formats::Cipher;
use cipherloom_formats::encoding::Encoding;
use cipherloom_formats::preset::{Charset, Evidence, Given, Preset, Secret, Text};

/// A known answer.
pub(crate) struct Known {
    pub(crate) preset: &'static Preset,
    pub(crate) value: &'static str,
    pub(crate) plaintext: Vec<u8>,
    cipher: Option<Cipher>,
    text: Option<Text>,
    secret: Vec<u8>,
    salt: Option<Vec<u8>>,
    iv: Option<Vec<u8>>,
}

/// Every line of the table, and that no row without one says that it was checked.
pub(crate) fn known() -> Vec<Known> {
    let lines = include_str!("known.txt").lines();
    let known: Vec<_> = lines.filter(|l| !l.is_empty() && !l.starts_with('#')).map(read).collect();
    for preset in Preset::all() {
        let has_answer = known.iter().any(|known| known.preset.name == preset.name);
        assert_eq!(has_answer, preset.evidence == Evidence::Checked, "{}", preset.name);
    }
    known
}

fn read(line: &'static str) -> Known {
    let columns: Vec<_> = line.split(" |").map(str::trim).collect();
    let [preset, cipher, text, secret, salt, iv, value, plaintext] = columns[..] else {
        panic!("{line}");
    };
    let preset = Preset::find(preset).unwrap_or_else(|| panic!("{line}"));
    let bytes = |text: &str| (!text.is_empty()).then(|| hex(text));
    Known {
        preset,
        value,
        plaintext: match plaintext.split_once(':') {
            Some(("utf16", text)) => Charset::Utf16Le.write(text).to_vec(),
            Some(("hex", digits)) => hex(digits),
            _ => plaintext.as_bytes().to_vec(),
        },
        cipher: (!cipher.is_empty()).then(|| Cipher::find(cipher).unwrap()),
        text: match text {
            "" => None,
            "hex" => Some(Text::As(Encoding::Hex)),
            "base64" => Some(Text::As(Encoding::Base64)),
            _ => panic!("{line}"),
        },
        secret: match secret.strip_prefix("hex:") {
            Some(digits) => hex(digits),
            None => preset.read_secret(secret.as_bytes()).unwrap().to_vec(),
        },
        salt: bytes(salt),
        iv: bytes(iv),
    }
}

pub(crate) fn hex(digits: &str) -> Vec<u8> {
    let mut bytes = Vec::new();
    Encoding::Hex.decode(digits.as_bytes(), &mut bytes).unwrap();
    bytes
}

impl Known {
    pub(crate) fn given(&self) -> Given<'_> {
        Given {
            secret: Secret::Bytes(&self.secret),
            cipher: self.cipher.as_ref(),
            iv: self.iv.as_deref(),
            salt: self.salt.as_deref(),
            text: self.text,
            ..Given::default()
        }
    }

    /// How the value is written.
    pub(crate) fn encoding(&self) -> Encoding {
        match self.text.unwrap_or(self.preset.text) {
            Text::As(encoding) | Text::Wrapped(_, _, encoding) => encoding,
        }
    }

    /// The value's bytes, and the same as the preset takes raw ones.
    pub(crate) fn raw(&self) -> (Vec<u8>, Given<'_>) {
        let mut bytes = Vec::new();
        let value = self.value.trim_start_matches("ENC(").trim_end_matches(')');
        self.encoding().decode(value.as_bytes(), &mut bytes).unwrap();
        (bytes, Given { text: Some(Text::As(Encoding::Text)), ..self.given() })
    }
}
