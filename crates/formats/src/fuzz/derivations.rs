//! For fuzz targets: a message under one derivation, as a search for it sees it.

use cipherloom::{Direction, Padding};

use crate::cipher::Cipher;
use crate::derivation::search::{HEAD, Message, Sample, TAIL};
use crate::derivation::{Derivation, Method};
use crate::engine::{Engine, Setup};
use crate::looks::like_what;
use crate::preset::derivations;

/// Bytes of the input that say what is done with the others: cipher, padding, derivation, damage,
/// length of the password.
const CHOICES: usize = 5;

/// Encrypts the input under a password, perhaps damages the result, and has it found out how.
///
/// # Panics
/// If another derivation is found, or a doubt is cast, although nothing is damaged and the plaintext
/// looks like something.
pub(super) fn fuzz(data: &[u8]) {
    let Some((&[cipher, padding, way, damage, len], rest)) = data.split_first_chunk::<CHOICES>()
    else {
        return;
    };
    let names = Cipher::names();
    let name = &names[usize::from(cipher) % names.len()];
    let cipher = Cipher::find(name).expect("the list has known names");
    let paddings = [Padding::Pkcs7, Padding::Iso7816, Padding::Zero];
    let (password, plain) = rest.split_at(rest.len().min(usize::from(len) % 16));
    // PBKDF2's default count would leave no time for anything else.
    let mut ways = derivations(Some(2));
    ways.extend(derivations(None).iter().filter(|way| way.method == Method::BytesToKey));
    let made_by = ways[usize::from(way) % ways.len()];
    let known = Message {
        cipher: &cipher,
        padding: paddings[usize::from(padding) % paddings.len()],
        password,
        salt: if padding < 128 { b"" } else { b"saltsalt" },
        key: None,
        iv: None,
        is_damaged: way >= 128,
    };
    let Some(mut message) = encrypt(&known, made_by, plain) else { return };
    if let Some(byte) = message.get_mut(usize::from(damage >> 1)).filter(|_| damage & 1 == 1) {
        *byte ^= 1 | damage;
    } else if damage & 3 == 2 {
        message.truncate(usize::from(damage));
    }
    let is_whole = damage & 3 == 0;
    let sample = Sample {
        head: message[..message.len().min(HEAD)].to_vec(),
        tail: message[message.len().saturating_sub(TAIL)..].to_vec(),
        len: message.len() as u64,
    };
    // Where the padding is not looked at, the last block is not either.
    let seen = [plain.len(), plain.len().min(message.len().saturating_sub(8))];
    let looks = seen.iter().all(|&len| like_what(&plain[..len.min(HEAD)]).is_some());
    if let Ok(found) = known.find(&sample, &ways) {
        let is_right = found.derivation == made_by;
        assert!(is_right || !is_whole || !looks, "{found} in place of {made_by} for {name}");
    }
    let doubted = known.doubt(&sample, made_by).is_err();
    assert!(!doubted || !is_whole || !looks, "{made_by} is doubted for {name}");
}

/// None where the mode cannot encrypt so few bytes.
fn encrypt(known: &Message<'_>, way: Derivation, plain: &[u8]) -> Option<Vec<u8>> {
    let derived = known.key_iv(way);
    let setup = Setup {
        cipher: known.cipher,
        direction: Direction::Encrypt,
        padding: known.padding,
        key: &derived.key,
        iv: &derived.iv,
    };
    let (mut engine, mut message) = (Engine::new(&setup).ok()?, Vec::new());
    engine.update(plain, &mut message).ok()?;
    engine.finish(&mut message).ok()?;
    Some(message)
}
