//! Values as people copy them out of programs: what stands around them, and other ways to write the same hex or
//! base64.

use std::borrow::Cow;

use zeroize::Zeroizing;

use super::{Encoding, ValueError};

/// The byte order mark of UTF-8.
pub const BOM: &[u8] = "\u{feff}".as_bytes();

/// Fewest bytes of hex that has something between its digits: dates and times have fewer.
const SEPARATED: usize = 8;

/// What a percent sign stands for where base64 is part of an address.
const PERCENT: [(&[u8], u8); 3] = [(b"%3D", b'='), (b"%2B", b'+'), (b"%2F", b'/')];

/// What is inside a wrapper such as `ENC(...)`.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Wrapped<'t> {
    /// What stands between its ends.
    Inside(&'t [u8]),
    /// Its start is there, its end is not.
    Unclosed,
    /// There is no wrapper; the value without what stands around it.
    Bare(&'t [u8]),
}

impl Encoding {
    /// The same as [`Encoding::decode`], of a value as people copy it: in quotes, with a comma behind it, as
    /// SQL's `X'..'`; hex with spaces, colons, hyphens or in lines, base64 of addresses.
    ///
    /// # Errors
    /// What is wrong with the text, without the text; `out` has not changed then.
    pub fn decode_pasted(self, text: &[u8], out: &mut Vec<u8>) -> Result<(), ValueError> {
        self.decode(text, out).or_else(|error| {
            let bare = bare(text);
            let plain = match self {
                Self::Hex => Zeroizing::new(solid_hex(bare).ok_or(error.clone())?.into_owned()),
                Self::Base64 => Zeroizing::new(standard_base64(bare)),
                Self::Uu | Self::Text => return Err(error),
            };
            // Places are those of the text that was given.
            self.decode(&plain, out).map_err(|_| error)
        })
    }
}

/// A value without what stands around it: byte order mark, white space, quotes, and what ends it in a list.
pub(crate) fn bare(text: &[u8]) -> &[u8] {
    let mut text = text.strip_prefix(BOM).unwrap_or(text);
    loop {
        text = match text.trim_ascii() {
            [b'X' | b'x', b'\'', inside @ .., b'\'']
            | [b'\'', inside @ .., b'\'']
            | [b'"', inside @ .., b'"']
            | [inside @ .., b',' | b';'] => inside,
            bare => return bare,
        };
    }
}

/// Finds a wrapper, in any case, at the start of a value or behind what assigns one: `password=ENC(...)`.
pub(crate) fn unwrap<'t>(text: &'t [u8], prefix: &str, suffix: &str) -> Wrapped<'t> {
    let text = bare(text);
    let is_start = |&at: &usize| {
        let before = text[..at].trim_ascii_end().last();
        before.is_none_or(|byte| b"=:'\">".contains(byte))
    };
    let is_prefix = |part: &[u8]| part.eq_ignore_ascii_case(prefix.as_bytes());
    // Of several lines, each is a value.
    let line = text.split(|&byte| byte == b'\n').next().unwrap_or_default();
    let found = line.windows(prefix.len()).enumerate().filter(|(_, part)| is_prefix(part));
    let Some(at) = found.map(|(at, _)| at).find(is_start) else { return Wrapped::Bare(text) };
    let inside = &text[at + prefix.len()..];
    match inside.windows(suffix.len()).position(|part| part == suffix.as_bytes()) {
        Some(len) => Wrapped::Inside(&inside[..len]),
        None => Wrapped::Unclosed,
    }
}

/// Hex without what stands between its bytes: colons or hyphens between any two, white space anywhere.
fn solid_hex(text: &[u8]) -> Option<Cow<'_, [u8]>> {
    let is_between = |byte: &u8| byte.is_ascii_whitespace() || matches!(byte, b':' | b'-');
    if !text.iter().any(is_between) {
        return Some(Cow::Borrowed(text));
    }
    let has_marks = text.iter().any(|byte| matches!(byte, b':' | b'-'));
    let mut groups = text.split(is_between).filter(|group| !group.is_empty());
    let is_even = groups.all(|group| match has_marks {
        true => group.len() == 2,
        false => group.len().is_multiple_of(2),
    });
    let solid: Vec<u8> = text.iter().filter(|byte| !is_between(byte)).copied().collect();
    (is_even && solid.len() >= 2 * SEPARATED).then_some(Cow::Owned(solid))
}

/// Base64 in the standard alphabet.
fn standard_base64(text: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(text.len());
    let mut rest = text;
    while let [first, behind @ ..] = rest {
        let is_it = |mark: &[u8]| rest.get(..3).is_some_and(|at| at.eq_ignore_ascii_case(mark));
        if let Some((mark, byte)) = PERCENT.iter().find(|(mark, _)| is_it(mark)) {
            out.push(*byte);
            rest = &rest[mark.len()..];
            continue;
        }
        out.push(match first {
            b'-' => b'+',
            b'_' => b'/',
            &other => other,
        });
        rest = behind;
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn decoded(encoding: Encoding, text: &str) -> Option<Vec<u8>> {
        let mut out = Vec::new();
        encoding.decode_pasted(text.as_bytes(), &mut out).ok().map(|()| out)
    }

    #[test]
    fn hex_is_read_as_people_copy_it() {
        let bytes = Some(vec![0xff, 0x8f, 0x77, 0x77, 0xb2, 0x8c, 0x7a, 0x45, 0x9a]);
        for text in [
            "\u{feff}FF8F7777B28C7A459A",
            "'FF8F7777B28C7A459A'",
            "\"ff8f7777b28c7a459a\",",
            "X'FF8F7777B28C7A459A';",
            "x'FF8F7777B28C7A459A'",
            "'0xFF8F7777B28C7A459A'",
            "'\\xFF8F7777B28C7A459A'",
            "FF8F7777B28C7A459A;",
            "FF 8F 77 77 B2 8C 7A 45 9A",
            "ff8f 7777 b28c 7a45 9a",
            "FF:8F:77:77:B2:8C:7A:45:9A",
            "FF-8F-77-77-B2-8C-7A-45-9A",
            "ff8f7777b28c\n7a459a\n",
        ] {
            assert_eq!(decoded(Encoding::Hex, text), bytes, "{text}");
        }
        // Dates, times, addresses of networks, identifiers.
        for text in [
            "2024-01-01",
            "2024-01-01 12:00:00",
            "12:30:00",
            "00:11:22:33:44:55",
            "01234567-89ab-cdef-0123-456789abcdef",
            "F F8F7777B28C7A459A0",
            "'FF8F7777B28C7A459A",
        ] {
            assert_eq!(decoded(Encoding::Hex, text), None, "{text}");
        }
    }

    #[test]
    fn base64_is_read_as_people_copy_it() {
        let bytes = Some(vec![0xfb, 0xff, 0xfe, 0x00]);
        for text in
            ["+//+AA==", "'+//+AA=='", "-__-AA", "-__-AA==", "%2B%2f%2F%2bAA%3D%3d", "+//+AA==,"]
        {
            assert_eq!(decoded(Encoding::Base64, text), bytes, "{text}");
        }
        for text in ["%3", "'+//+AA==", "AP+l!"] {
            assert_eq!(decoded(Encoding::Base64, text), None, "{text}");
        }
    }

    #[test]
    fn places_are_those_of_the_text() {
        let error = Encoding::Hex.decode_pasted(b"'001g'", &mut Vec::new()).unwrap_err();
        assert!(error.to_string().contains("character 1 (\\')"), "{error}");
    }

    #[test]
    fn a_wrapper_is_found_where_a_value_begins() {
        let find = |text: &'static str| unwrap(text.as_bytes(), "ENC(", ")");
        for text in [
            "ENC(abc)",
            "enc(abc)",
            "jdbc.password=ENC(abc)",
            "password: 'ENC(abc)',",
            "\u{feff}ENC(abc)",
            "<property name=\"p\">Enc(abc)</property>",
        ] {
            assert_eq!(find(text), Wrapped::Inside(b"abc"), "{text}");
        }
        assert_eq!(find("p=ENC(abc"), Wrapped::Unclosed);
        assert_eq!(find(" 'abc', "), Wrapped::Bare(b"abc"));
        assert_eq!(find("see enc(abc)"), Wrapped::Bare(b"see enc(abc)"));
        assert_eq!(find("a=1\nb=ENC(abc)"), Wrapped::Bare(b"a=1\nb=ENC(abc)"));
        assert_eq!(find(""), Wrapped::Bare(b""));
    }
}
