//! For fuzz targets: a message under one derivation, as `-md auto` sees it.

use cipherloom::Padding;

use super::auto::{HEAD, Question, candidates, doubt, find};
use super::derivation::{Derivation, Method};
use crate::ciphers::{Cipher, names};
use crate::engine::{Direction, Engine, Setup};
use crate::io::notes::Notes;
use crate::io::source::Sample;
use crate::looks::like_what;

/// Bytes of the input that say what is done with the others: cipher, padding, derivation, damage,
/// length of the password.
const CHOICES: usize = 5;

/// Encrypts the input under a password, perhaps damages the result, and has it found out how.
///
/// # Panics
/// If another derivation is found, or a doubt is cast, although nothing is damaged and the plaintext
/// looks like something.
pub(crate) fn fuzz(data: &[u8]) {
    let Some((&[cipher, padding, way, damage, len], rest)) = data.split_first_chunk::<CHOICES>()
    else {
        return;
    };
    let names = names();
    let name = &names[usize::from(cipher) % names.len()];
    let cipher = Cipher::find(name).expect("the list has known names");
    let paddings = [Padding::Pkcs7, Padding::Iso7816, Padding::Zero];
    let (password, plain) = rest.split_at(rest.len().min(usize::from(len) % 16));
    // PBKDF2's default count would leave no time for anything else.
    let mut ways = candidates(Some(2));
    ways.extend(candidates(None).iter().filter(|way| way.method == Method::BytesToKey));
    let made_by = ways[usize::from(way) % ways.len()];
    let question = Question {
        cipher: &cipher,
        padding: paddings[usize::from(padding) % paddings.len()],
        password,
        salt: if padding < 128 { b"" } else { b"saltsalt" },
        raw_key: None,
        iv: None,
        salvage: way >= 128,
    };
    let Some(mut message) = encrypt(&question, made_by, plain) else { return };
    if let Some(byte) = message.get_mut(usize::from(damage >> 1)).filter(|_| damage & 1 == 1) {
        *byte ^= 1 | damage;
    } else if damage & 3 == 2 {
        message.truncate(usize::from(damage));
    }
    let is_whole = damage & 3 == 0;
    let sample = Sample {
        head: message[..message.len().min(HEAD)].to_vec(),
        tail: message[message.len().saturating_sub(16)..].to_vec(),
        len: message.len() as u64,
    };
    // Where the padding is not looked at, the last block is not either.
    let seen = [plain.len(), plain.len().min(message.len().saturating_sub(8))];
    let looks = seen.iter().all(|&len| like_what(&plain[..len.min(HEAD)]).is_some());
    let is = |found: Derivation| found.options() == made_by.options();
    if let Ok(found) = find(&question, &sample, &ways, &Notes::new(true)) {
        assert!(is(found) || !is_whole || !looks, "{found} in place of {made_by} for {name}");
    }
    let doubted = doubt(&question, &sample, made_by).is_err();
    assert!(!doubted || !is_whole || !looks, "{made_by} is doubted for {name}");
}

/// None where the mode cannot encrypt so few bytes.
fn encrypt(question: &Question<'_>, way: Derivation, plain: &[u8]) -> Option<Vec<u8>> {
    let derived = way.derive(question.cipher, question.password, question.salt);
    let setup = Setup {
        cipher: question.cipher,
        direction: Direction::Encrypt,
        padding: question.padding,
        key: &derived.key,
        iv: &derived.iv,
        threads: 1,
    };
    let (mut engine, mut message) = (Engine::new(&setup).ok()?, Vec::new());
    engine.update(plain, &mut message).ok()?;
    engine.finish(&mut message).ok()?;
    Some(message)
}
