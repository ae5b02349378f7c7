//! Other programs: the `openssl` command over all it has, pycryptodome for what it lacks, and
//! RustCrypto's `des`. Random keys and lengths, both directions.

use std::fmt::Write as _;

use cipherloom::{Algorithm, BlockCipher as _, BlockKey, Mac, Padding, Rc4};
use cipherloom_testkit::oracle::{Case, Kind};
use cipherloom_testkit::peers::{self, Openssl};
use cipherloom_testkit::rng::Rng;

/// OpenSSL's names, and what they are here.
const OPENSSL: [(&str, Algorithm, Kind); 19] = [
    ("des-ecb", Algorithm::Des, Kind::Ecb),
    ("des-cbc", Algorithm::Des, Kind::Cbc),
    ("des-cfb", Algorithm::Des, Kind::Cfb64),
    ("des-cfb8", Algorithm::Des, Kind::Cfb8),
    ("des-cfb1", Algorithm::Des, Kind::Cfb1),
    ("des-ofb", Algorithm::Des, Kind::Ofb),
    ("des", Algorithm::Des, Kind::Cbc),
    ("des-ede-ecb", Algorithm::TdesEde2, Kind::Ecb),
    ("des-ede-cbc", Algorithm::TdesEde2, Kind::Cbc),
    ("des-ede-cfb", Algorithm::TdesEde2, Kind::Cfb64),
    ("des-ede-ofb", Algorithm::TdesEde2, Kind::Ofb),
    ("des-ede3-ecb", Algorithm::TdesEde3, Kind::Ecb),
    ("des-ede3-cbc", Algorithm::TdesEde3, Kind::Cbc),
    ("des-ede3-cfb", Algorithm::TdesEde3, Kind::Cfb64),
    ("des-ede3-cfb8", Algorithm::TdesEde3, Kind::Cfb8),
    ("des-ede3-cfb1", Algorithm::TdesEde3, Kind::Cfb1),
    ("des-ede3-ofb", Algorithm::TdesEde3, Kind::Ofb),
    ("des3", Algorithm::TdesEde3, Kind::Cbc),
    ("desx", Algorithm::Desx, Kind::Cbc),
];

/// Messages of a cipher, each a start of OpenSSL in each direction (10 ms).
fn messages() -> usize {
    if std::env::var_os("CIPHERLOOM_QUICK").is_some() { 2 } else { 8 }
}

/// Ours, from buffer to buffer.
fn crypt(key: &BlockKey, case: &Case, encrypts: bool, input: &[u8]) -> Vec<u8> {
    let mut buffer = vec![0; input.len() + 8];
    let mode = case.mode();
    let result = if encrypts {
        mode.encrypt(key, input, &mut buffer)
    } else {
        mode.decrypt(key, input, &mut buffer)
    };
    result.unwrap_or_else(|error| panic!("{case:?}: {error}")).to_vec()
}

fn enc(
    openssl: &Openssl,
    name: &str,
    more: &[&str],
    key: &[u8],
    iv: Option<[u8; 8]>,
    input: &[u8],
) -> Vec<u8> {
    let (name, key) = (format!("-{name}"), hex::encode(key));
    let iv = iv.map(hex::encode);
    let mut options = vec![name.as_str(), "-K", &key];
    options.extend(iv.iter().flat_map(|iv| ["-iv", iv.as_str()]));
    options.extend(more);
    openssl.enc(&options, input).unwrap_or_else(|error| panic!("{name}: {error}"))
}

#[test]
fn openssl_block_ciphers() {
    let Some(openssl) = peers::openssl() else { return };
    let mut rng = Rng::new(1);
    let mut count = 0;
    for (name, algorithm, kind) in OPENSSL {
        for n in 0..messages() {
            let len = [0, 5000, rng.number(1..=100), rng.number(100..=2000)][(n + 2) % 4];
            let padding = if n % 4 == 3 { Padding::None } else { Padding::Pkcs7 };
            let len = if padding == Padding::None { len / 8 * 8 } else { len };
            let (key, iv) = (rng.bytes(algorithm.key_len()), rng.array());
            let (message, case) = (rng.bytes(len), Case { kind, iv, padding });
            let own = BlockKey::new(algorithm, &key).unwrap();
            let iv = (kind != Kind::Ecb).then_some(iv);
            let nopad: &[&str] = if padding == Padding::None { &["-nopad"] } else { &[] };

            let ciphertext = crypt(&own, &case, true, &message);
            let theirs = enc(openssl, name, nopad, &key, iv, &message);
            assert_eq!(ciphertext, theirs, "{name}, encryption of {len} bytes");
            let back = enc(openssl, name, &[nopad, &["-d"]].concat(), &key, iv, &ciphertext);
            assert_eq!(back, message, "{name}, decryption of {len} bytes by OpenSSL");
            let back = crypt(&own, &case, false, &theirs);
            assert_eq!(back, message, "{name}, decryption of {len} bytes by us");
            count += 1;
        }
    }
    assert_eq!(count, 19 * messages());
}

#[test]
fn openssl_rc4() {
    let Some(openssl) = peers::openssl() else { return };
    let mut rng = Rng::new(2);
    // OpenSSL's command has these two key lengths only.
    for (name, key_len) in [("rc4", 16), ("rc4-40", 5)] {
        for _ in 0..messages() {
            let (key, len) = (rng.bytes(key_len), rng.number(0..=5000));
            let mut data = rng.bytes(len);
            let theirs = enc(openssl, name, &[], &key, None, &data);
            Rc4::from_slice(&key).unwrap().apply(&mut data).unwrap();
            assert_eq!(data, theirs, "{name}, {len} bytes");
        }
    }
}

/// What OpenSSL's command lacks. A line is `what key iv data`, in hexadecimal, `-` for nothing; the
/// answer is a line.
const SCRIPT: &str = r"
from Crypto.Hash import CMAC
from Crypto.Util import Counter

def ecb(key, data):
    return DES.new(key, DES.MODE_ECB).encrypt(data)

def xor(a, b):
    return bytes(x ^ y for x, y in zip(a, b))

for line in sys.stdin:
    what, key, iv, data = line.split()
    key, iv, data = (b'' if x == '-' else bytes.fromhex(x) for x in (key, iv, data))
    module = DES if len(key) == 8 else DES3
    if what == 'ctr':
        counter = Counter.new(64, initial_value=int.from_bytes(iv, 'big'))
        out = module.new(key, module.MODE_CTR, counter=counter).encrypt(data)
    elif what == 'cfb8':
        out = module.new(key, module.MODE_CFB, iv=iv, segment_size=8).encrypt(data)
    elif what == 'cfb64':
        out = module.new(key, module.MODE_CFB, iv=iv, segment_size=64).encrypt(data)
    elif what == 'ofb':
        out = module.new(key, module.MODE_OFB, iv=iv).encrypt(data)
    elif what == 'cmac':
        out = CMAC.new(key, msg=data, ciphermod=module).digest()
    elif what == 'eee3':
        out = ecb(key[16:], ecb(key[8:16], ecb(key[:8], data)))
    elif what == 'eee2':
        out = ecb(key[:8], ecb(key[8:], ecb(key[:8], data)))
    elif what == 'desx':
        out = b''
        for n in range(0, len(data), 8):
            out += xor(key[16:], ecb(key[:8], xor(key[8:16], data[n:n + 8])))
    elif what == 'retail':
        h = DES.new(key[:8], DES.MODE_CBC, iv=bytes(8)).encrypt(data)[-8:]
        out = ecb(key[:8], DES.new(key[8:], DES.MODE_ECB).decrypt(h))
    elif what == 'rc4':
        out = ARC4.new(key).encrypt(data)
    print(out.hex() or '-')
";

/// One line for the script, and what we say to it.
struct Question {
    line: String,
    answer: Vec<u8>,
}

fn question(rng: &mut Rng, what: &str, algorithm: Algorithm, granularity: usize) -> Question {
    let key = match what {
        "rc4" => {
            let len = rng.number(5..=256);
            rng.bytes(len)
        }
        "retail" => rng.bytes(16),
        _ => rng.bytes(algorithm.key_len()),
    };
    // The peer refuses a counter that wraps.
    let mut iv = rng.array::<8>();
    iv[0] &= 0x7f;
    let len = rng.number(0..=600) / granularity * granularity;
    let len = if what == "retail" { len.max(8) } else { len };
    let mut data = rng.bytes(len);
    let digits = |bytes: &[u8]| if bytes.is_empty() { "-".into() } else { hex::encode(bytes) };
    let line = format!("{what} {} {} {}", digits(&key), digits(&iv), digits(&data));

    let mode = |kind| {
        let own = BlockKey::new(algorithm, &key).unwrap();
        crypt(&own, &Case { kind, iv, padding: Padding::None }, true, &data)
    };
    let tag = |mut mac: Mac| {
        mac.update(&data).unwrap();
        mac.finish().unwrap().to_vec()
    };
    let answer = match what {
        "ctr" => mode(Kind::Ctr),
        "cfb8" => mode(Kind::Cfb8),
        "cfb64" => mode(Kind::Cfb64),
        "ofb" => mode(Kind::Ofb),
        "eee2" | "eee3" | "desx" => mode(Kind::Ecb),
        "cmac" => tag(Mac::cmac(&BlockKey::new(algorithm, &key).unwrap())),
        "retail" => {
            let key = cipherloom::TdesEde2::from_slice(&key).unwrap();
            tag(Mac::retail(&key, Padding::None))
        }
        "rc4" => {
            Rc4::from_slice(&key).unwrap().apply(&mut data).unwrap();
            data
        }
        other => panic!("{other}"),
    };
    Question { line, answer }
}

#[test]
fn pycryptodome() {
    use Algorithm::{Des, Desx, TdesEde2, TdesEde3, TdesEee2, TdesEee3};
    let Some(python) = peers::python() else { return };
    let mut rng = Rng::new(3);
    let mut questions = Vec::new();
    for _ in 0..5 * messages() {
        for algorithm in [Des, TdesEde2, TdesEde3] {
            for (what, granularity) in
                [("ctr", 1), ("cfb8", 1), ("cfb64", 8), ("ofb", 1), ("cmac", 1)]
            {
                questions.push(question(&mut rng, what, algorithm, granularity));
            }
        }
        for (what, algorithm) in [("eee2", TdesEee2), ("eee3", TdesEee3), ("desx", Desx)] {
            questions.push(question(&mut rng, what, algorithm, 8));
        }
        questions.push(question(&mut rng, "retail", TdesEde2, 8));
        questions.push(question(&mut rng, "rc4", Des, 1));
    }
    let mut input = String::new();
    for question in &questions {
        writeln!(input, "{}", question.line).unwrap();
    }
    let output = python.run(SCRIPT, input.as_bytes()).unwrap_or_else(|error| panic!("{error}"));
    let output = String::from_utf8(output).unwrap();
    let answers: Vec<&str> = output.lines().collect();
    assert_eq!(answers.len(), questions.len());
    for (question, answer) in questions.iter().zip(answers) {
        let answer = hex::decode(answer.trim_matches('-')).unwrap();
        assert_eq!(question.answer, answer, "{}", question.line);
    }
}

/// Thousands of keys, a few blocks each.
#[test]
fn rustcrypto_des() {
    fn check<C>(algorithm: Algorithm)
    where
        C: cipher::KeyInit
            + cipher::BlockCipherEncrypt
            + cipher::BlockCipherDecrypt
            + cipher::BlockSizeUser<BlockSize = cipher::consts::U8>,
    {
        let mut rng = Rng::new(4);
        for _ in 0..2000 {
            let key = rng.bytes(algorithm.key_len());
            let (ours, theirs) =
                (BlockKey::new(algorithm, &key).unwrap(), C::new_from_slice(&key).unwrap());
            let plain = rng.array::<8>();
            let (mut own, mut other) = (plain, plain.into());
            ours.encrypt_block(&mut own).unwrap();
            theirs.encrypt_block(&mut other);
            assert_eq!(own, other.0, "{algorithm:?} {key:02x?}");
            let (mut own, mut other) = (plain, plain.into());
            ours.decrypt_block(&mut own).unwrap();
            theirs.decrypt_block(&mut other);
            assert_eq!(own, other.0, "{algorithm:?} {key:02x?}");
        }
    }
    check::<des::Des>(Algorithm::Des);
    check::<des::TdesEde2>(Algorithm::TdesEde2);
    check::<des::TdesEde3>(Algorithm::TdesEde3);
    check::<des::TdesEee2>(Algorithm::TdesEee2);
    check::<des::TdesEee3>(Algorithm::TdesEee3);
}
