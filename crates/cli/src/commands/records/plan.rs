//! What is to be done with every record: the options, checked and put together.

use std::path::Path;

use cipherloom::Padding;
use cipherloom::batch::Batch;
use cipherloom_formats::encoding::Encoding;
use cipherloom_formats::{Cipher, Kind, ModeName};
use zeroize::Zeroizing;

use super::args::{Arguments, EncodingName};
use crate::ciphers::explain_unknown;
use crate::errors::{Error, Result};

/// Most bytes of a key file that are read: far more than any key has.
const KEY_FILE_LIMIT: u64 = 4096;

/// What is to be done with every record.
pub(super) struct Plan {
    pub(super) cipher: Cipher,
    pub(super) batch: Batch,
    pub(super) decrypt: bool,
    pub(super) key: KeyFrom,
    pub(super) key_encoding: Encoding,
    /// Keys of files and columns are filled up or cut to so many bytes.
    pub(super) key_len: Option<usize>,
    pub(super) iv: IvFrom,
    pub(super) iv_encoding: Encoding,
    pub(super) data_encoding: Encoding,
    pub(super) result_encoding: Encoding,
    pub(super) strict_keys: bool,
    /// Whether a `Salted__` header before a record's data is left out.
    pub(super) may_have_header: bool,
}

/// Where a record's key comes from.
pub(super) enum KeyFrom {
    /// The same for all.
    Option(Zeroizing<Vec<u8>>),
    Column,
}

/// Where a record's IV or first counter comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum IvFrom {
    /// ECB and RC4 have none.
    Nowhere,
    /// The same for all.
    Option([u8; 8]),
    Column,
    /// The first 8 bytes of the encrypted data; random when encrypting.
    Prefix,
}

/// The names of the columns.
#[derive(Clone, Debug)]
pub(super) struct Columns {
    pub(super) data: String,
    pub(super) key: Option<String>,
    pub(super) iv: Option<String>,
    pub(super) result: String,
    pub(super) error: String,
}

impl Plan {
    /// Checks the options against each other.
    ///
    /// # Errors
    /// Bad usage, and a key file that cannot be read.
    pub(super) fn new(args: &Arguments) -> Result<Self> {
        let cipher = Cipher::find(&args.cipher)
            .ok_or_else(|| Error::usage(explain_unknown(&args.cipher)))?;
        let padding = args.padding.into();
        let batch = batch(&cipher, padding)?;
        if padding != Padding::Pkcs7 && !cipher.is_padded() {
            return Err(Error::usage(format!(
                "--padding is for ECB and CBC; {} keeps the length of the data",
                cipher.name
            )));
        }
        let plaintext = Encoding::Text;
        let (data, result) =
            if args.decrypt { (Encoding::Hex, plaintext) } else { (plaintext, Encoding::Hex) };
        let result_encoding = args.result_encoding.map_or(result, Encoding::from);
        if args.escape_formulas && result_encoding != Encoding::Text {
            return Err(Error::usage(
                "--escape-formulas is for results that are text; it would spoil base64, and hex \
                 is no formula",
            ));
        }
        for (option, encoding) in
            [("--key-encoding", args.key_encoding), ("--iv-encoding", args.iv_encoding)]
        {
            if encoding == EncodingName::Text {
                return Err(Error::usage(format!("{option} takes hex or base64")));
            }
        }
        Ok(Self {
            key: key(args, &cipher)?,
            key_encoding: args.key_encoding.into(),
            key_len: padded_key_len(args, &cipher),
            iv: iv(args, &cipher)?,
            iv_encoding: args.iv_encoding.into(),
            data_encoding: args.data_encoding.map_or(data, Encoding::from),
            result_encoding,
            decrypt: args.decrypt,
            strict_keys: args.strict_keys,
            may_have_header: args.decrypt && !args.header_is_data,
            cipher,
            batch,
        })
    }
}

impl Plan {
    /// Whether every record is combined with the same bytes.
    pub(super) fn has_one_keystream(&self) -> bool {
        let is_stream = matches!(self.cipher.kind, Kind::Rc4(_) | Kind::Block(_, ModeName::Ctr));
        let has_one_iv = matches!(self.iv, IvFrom::Nowhere | IvFrom::Option(_));
        is_stream && has_one_iv && matches!(self.key, KeyFrom::Option(_))
    }
}

impl Columns {
    /// # Errors
    /// Two of them are the same.
    pub(super) fn new(args: &Arguments) -> Result<Self> {
        let columns = [
            ("--data-column", Some(&args.data_column)),
            ("--key-column", args.key_column.as_ref()),
            ("--iv-column", args.iv_column.as_ref()),
            ("--result-column", Some(&args.result_column)),
            ("--error-column", Some(&args.error_column)),
        ];
        for (n, (option, name)) in columns.iter().enumerate() {
            let same = columns[..n].iter().find(|(_, other)| name.is_some() && other == name);
            if let Some((other, _)) = same {
                return Err(Error::usage(format!(
                    "{other} and {option} name the same column; each has its own"
                )));
            }
        }
        Ok(Self {
            data: args.data_column.clone(),
            key: args.key_column.clone(),
            iv: args.iv_column.clone(),
            result: args.result_column.clone(),
            error: args.error_column.clone(),
        })
    }
}

fn batch(cipher: &Cipher, padding: Padding) -> Result<Batch> {
    match cipher.kind {
        Kind::Rc4(_) => Ok(Batch::rc4()),
        Kind::Block(algorithm, ModeName::Ecb) => Ok(Batch::ecb(algorithm, padding)),
        Kind::Block(algorithm, ModeName::Cbc) => Ok(Batch::cbc(algorithm, padding)),
        Kind::Block(algorithm, ModeName::Ctr) => Ok(Batch::ctr(algorithm)),
        Kind::Block(..) => Err(Error::usage(format!(
            "records serves ECB, CBC, CTR and RC4, and {} is none of them; decrypt such records \
             one by one with dec",
            cipher.name
        ))),
    }
}

fn key(args: &Arguments, cipher: &Cipher) -> Result<KeyFrom> {
    let key = match (&args.key, &args.key_file, &args.key_column) {
        (Some(text), ..) => args.raw.key(cipher, text.as_bytes())?,
        (_, Some(path), _) => key_file(path, args, cipher)?,
        (_, _, Some(_)) => return Ok(KeyFrom::Column),
        _ => {
            return Err(Error::usage(
                "no key: give -K HEX, --key-file FILE, or --key-column COLUMN",
            ));
        }
    };
    Ok(KeyFrom::Option(key))
}

/// What `--pad-like-openssl` makes of a key. Without it a key of a file or a column is taken as it
/// is: it was not written for OpenSSL's command.
fn padded_key_len(args: &Arguments, cipher: &Cipher) -> Option<usize> {
    args.raw.pad_like_openssl.then(|| cipher.derived_key_len())
}

fn key_file(path: &Path, args: &Arguments, cipher: &Cipher) -> Result<Zeroizing<Vec<u8>>> {
    use std::io::Read;
    let wrong = |what: String| Error::failure(format!("key file {}: {what}", path.display()));
    let mut text = Vec::new();
    std::fs::File::open(path)
        .and_then(|file| file.take(KEY_FILE_LIMIT).read_to_end(&mut text))
        .map_err(|error| Error::file("cannot read the key file", path, &error))?;
    let mut key = Zeroizing::new(Vec::new());
    let encoding = Encoding::from(args.key_encoding);
    encoding.decode(text.trim_ascii(), &mut key).map_err(|error| wrong(error.to_string()))?;
    let len = padded_key_len(args, cipher).unwrap_or(key.len());
    key.resize(len, 0);
    check_key_len(cipher, key.len()).map_err(wrong)?;
    Ok(key)
}

/// Whether a key has the length that the cipher takes.
///
/// # Errors
/// The length, and the right ones.
pub(super) fn check_key_len(cipher: &Cipher, got: usize) -> std::result::Result<(), String> {
    let (min, max) = cipher.raw_key_len();
    if (min..=max).contains(&got) {
        return Ok(());
    }
    let want = if min == max { format!("{min}") } else { format!("{min} to {max}") };
    Err(format!("the key has {got} bytes, and {} takes {want}", cipher.name))
}

fn iv(args: &Arguments, cipher: &Cipher) -> Result<IvFrom> {
    let iv = match (&args.iv, &args.iv_column, args.iv_prefix) {
        (Some(text), ..) => {
            let bytes = args.raw.bytes("--iv", text.as_bytes(), 8)?;
            let iv = bytes.first_chunk().ok_or_else(|| Error::usage("--iv takes 8 bytes"))?;
            IvFrom::Option(*iv)
        }
        (_, Some(_), _) => IvFrom::Column,
        (_, _, true) => IvFrom::Prefix,
        _ => IvFrom::Nowhere,
    };
    match (iv, cipher.iv_len()) {
        (IvFrom::Nowhere, 8) => Err(Error::usage(format!(
            "{} takes an IV: give --iv-column COLUMN, --iv-prefix if it stands before the data, or \
             --iv HEX for one that all records share (--iv 0000000000000000 is common)",
            cipher.name
        ))),
        (IvFrom::Nowhere, _) => Ok(iv),
        (_, 0) => Err(Error::usage(format!(
            "{} has no IV; leave out --iv, --iv-column and --iv-prefix",
            cipher.name
        ))),
        _ => Ok(iv),
    }
}
