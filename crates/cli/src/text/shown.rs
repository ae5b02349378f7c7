//! What people read must not drive their terminal.
//!
//! File names, column names and what else comes from outside may hold control characters (a window's
//! title, a cleared screen, a line that looks like one of ours) and characters that turn the
//! direction of writing. Everything that this command says goes through here.

use std::borrow::Cow;
use std::ops::RangeInclusive;

/// Format characters (Unicode's category Cf, but for those of scripts), and the separators of lines
/// and paragraphs: what is not seen itself, and changes how the rest is seen.
const UNSEEN: [RangeInclusive<char>; 9] = [
    '\u{ad}'..='\u{ad}',
    '\u{61c}'..='\u{61c}',
    '\u{180e}'..='\u{180e}',
    '\u{200b}'..='\u{200f}',
    '\u{2028}'..='\u{202e}',
    '\u{2060}'..='\u{206f}',
    '\u{feff}'..='\u{feff}',
    '\u{fff9}'..='\u{fffb}',
    '\u{e0000}'..='\u{e007f}',
];

/// One line: control and format characters are written as Rust writes them, `\n` and `\u{1b}`.
pub(crate) fn line(text: &str) -> Cow<'_, str> {
    if !text.contains(is_active) {
        return Cow::Borrowed(text);
    }
    let mut shown = String::with_capacity(text.len() + 16);
    for character in text.chars() {
        match is_active(character) {
            true => shown.extend(character.escape_default()),
            false => shown.push(character),
        }
    }
    Cow::Owned(shown)
}

/// Several lines: each as [`line()`] has it.
pub(crate) fn lines(text: &str) -> Cow<'_, str> {
    if !text.contains(|character| character != '\n' && is_active(character)) {
        return Cow::Borrowed(text);
    }
    Cow::Owned(text.split('\n').map(line).collect::<Vec<_>>().join("\n"))
}

fn is_active(character: char) -> bool {
    // C0, DEL and C1.
    character.is_control() || UNSEEN.iter().any(|range| range.contains(&character))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_can_be_seen_stays() {
        for text in
            ["", "plain", "K\u{e4}se \\ \"5 \u{20ac}\"", "a\u{308}", "\u{5d0}\u{4e2d}\u{1f600}"]
        {
            assert!(matches!(line(text), Cow::Borrowed(same) if same == text), "{text}");
        }
        assert_eq!(lines("one\ntwo\n"), "one\ntwo\n");
    }

    #[test]
    fn what_drives_a_terminal_is_written_out() {
        assert_eq!(line("\x1b]0;owned\x07"), "\\u{1b}]0;owned\\u{7}");
        assert_eq!(line("a\r\nb\tc"), "a\\r\\nb\\tc");
        assert_eq!(lines("a\rb\nc\x7f"), "a\\rb\nc\\u{7f}");
        for code in (0..0x20).chain(0x7f..0xa0) {
            let character = char::from(code);
            assert!(!line(&format!("x{character}y")).contains(character), "{code:#x}");
        }
        // All that have the property Bidi_Control (Unicode 16, PropList.txt).
        let bidi = ['\u{61c}', '\u{200e}', '\u{200f}'].into_iter();
        for character in bidi.chain('\u{202a}'..='\u{202e}').chain('\u{2066}'..='\u{2069}') {
            assert!(line(&format!("x{character}y")).starts_with("x\\u{"), "{character:?}");
        }
    }
}
