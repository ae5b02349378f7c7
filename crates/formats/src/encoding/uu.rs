//! Uuencoding without its `begin` and `end`: lines of up to 45 bytes, each with its length in front. It is
//! how ColdFusion's `Encrypt` writes a result by default.

use super::ValueError;

/// Bytes in a full line.
const LINE: usize = 45;

/// Appends the bytes of lines. A space and a backquote both stand for 0; spaces at the end of a line may
/// be missing.
pub(super) fn decode(text: &[u8], out: &mut Vec<u8>) -> Result<(), ValueError> {
    let start = out.len();
    let mut place = 0;
    // With room for all, so that no copy is left behind.
    out.reserve(text.len());
    for line in text.split(|&byte| byte == b'\n') {
        let result = decode_line(line.strip_suffix(b"\r").unwrap_or(line), out);
        if let Err((at, character)) = result {
            out.truncate(start);
            return Err(match character {
                Some(byte) => {
                    ValueError::UuCharacter { place: place + at + 1, character: char::from(byte) }
                }
                None => ValueError::UuLength { place: place + 1 },
            });
        }
        place += line.len() + 1;
    }
    Ok(())
}

/// Whether lines are as long as their first characters say, and all but the last are full: what is read may lack
/// more, and much else that begins so is no uuencoding.
pub(crate) fn is_exact(text: &[u8]) -> bool {
    let lines = text.split(|&byte| byte == b'\n').map(<[u8]>::trim_ascii_end).rev();
    let mut is_last = true;
    lines.skip_while(|line| line.is_empty()).all(|line| {
        let len = line.first().map_or(0, |first| usize::from(first.wrapping_sub(b' ') & 63));
        let is_full = std::mem::take(&mut is_last) || len == LINE;
        // Digits of zeros behind the last byte, and one more, may be spaces that are lost.
        let unused = (3 - len % 3) % 3;
        let lost = (1 + len.div_ceil(3) * 4).checked_sub(line.len());
        is_full && lost.is_some_and(|lost| lost == 0 || lost == unused || lost == unused + 1)
    })
}

/// The wrong character and where it is, or `None` where the line's length and its text disagree.
fn decode_line(line: &[u8], out: &mut Vec<u8>) -> Result<(), (usize, Option<u8>)> {
    let Some((&first, groups)) = line.split_first() else { return Ok(()) };
    if let Some(at) = line.iter().position(|byte| !(b' '..=b'`').contains(byte)) {
        return Err((at, Some(line[at])));
    }
    let bits = |byte: u8| u32::from(byte.wrapping_sub(b' ') & 63);
    let len = bits(first) as usize;
    let needed = len.div_ceil(3) * 4;
    let is_blank = |bytes: &[u8]| bytes.iter().all(|&byte| matches!(byte, b' ' | b'`'));
    if groups.len() + 3 < needed || !is_blank(groups.get(needed..).unwrap_or_default()) {
        return Err((0, None));
    }
    let end = out.len() + len;
    for group in groups[..needed.min(groups.len())].chunks(4) {
        let word = (0..4).fold(0, |word, at| word << 6 | group.get(at).map_or(0, |&b| bits(b)));
        out.extend_from_slice(&word.to_be_bytes()[1..]);
    }
    out.truncate(end);
    Ok(())
}

/// Appends the lines of `bytes`, with backquotes for 0 and a line feed between lines.
pub(super) fn encode(bytes: &[u8], out: &mut Vec<u8>) {
    let digit = |bits: u32| if bits == 0 { b'`' } else { b' ' + bits as u8 };
    for (number, line) in bytes.chunks(LINE).enumerate() {
        if number > 0 {
            out.push(b'\n');
        }
        out.push(digit(line.len() as u32));
        for group in line.chunks(3) {
            let byte = |at: usize| u32::from(group.get(at).copied().unwrap_or(0));
            let word = byte(0) << 16 | byte(1) << 8 | byte(2);
            out.extend([18, 12, 6, 0].map(|shift| digit(word >> shift & 63)));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_read_and_written() {
        // `printf Cat | uuencode x`, as every description of the format has it.
        let mut out = Vec::new();
        decode(b"#0V%T", &mut out).unwrap();
        assert_eq!(out, b"Cat");
        for len in 0..200 {
            let bytes: Vec<u8> = (0..len).map(|at: u8| at.wrapping_mul(37)).collect();
            let (mut text, mut back) = (Vec::new(), Vec::new());
            encode(&bytes, &mut text);
            decode(&text, &mut back).unwrap();
            assert_eq!(back, bytes);
            let spaces: Vec<u8> = text.iter().map(|&b| if b == b'`' { b' ' } else { b }).collect();
            back.clear();
            decode(&spaces, &mut back).unwrap();
            assert_eq!(back, bytes);
        }
    }

    #[test]
    fn what_others_write_is_told_from_it() {
        let mut text = Vec::new();
        encode(&[7; 100], &mut text);
        assert!(is_exact(&text) && is_exact(b"#0V%T\r\n"));
        assert!(is_exact(b"(2840403?J73 \n") && is_exact(b"(2840403?J7"));
        for other in [&b"#0V"[..], b"#0V%T0", b"#0V%T\n#0V%T", b"42,4111-1111,X"] {
            assert!(!is_exact(other));
        }
    }

    #[test]
    fn damage_is_named_and_nothing_is_left() {
        for (text, error) in [
            (&b"#0v%T"[..], ValueError::UuCharacter { place: 3, character: 'v' }),
            (b"#0V%T\n#", ValueError::UuLength { place: 7 }),
            (b"#0V%T0V%T", ValueError::UuLength { place: 1 }),
        ] {
            let mut out = vec![7];
            assert_eq!(decode(text, &mut out), Err(error));
            assert_eq!(out, [7]);
        }
    }
}
