//! Who can read the new file, and what we know to check it with.

use std::path::Path;

use age::secrecy::SecretString;
use age::{IdentityFile, scrypt, tag, tagpq, x25519};

use super::args::ToArgs;
use crate::errors::{Error, Result};
use crate::io::notes::Notes;
use crate::keying::password::{self, Password};

/// Most bytes of an identity file.
const IDENTITY_LIMIT: u64 = 1 << 20;

/// The binary logarithm of scrypt's N for a passphrase: that of the program `age`. The crate would choose one
/// by how long scrypt takes just now, and so a weaker one on a busy machine, or refuse its own file.
const WORK_FACTOR: u8 = 18;

/// Who will be able to read the new file.
pub(super) struct Holder {
    recipients: Vec<Box<dyn age::Recipient + Send>>,
    /// What opens the new file, if we have it.
    identities: Vec<Box<dyn age::Identity + Send + Sync>>,
    is_passphrase: bool,
}

impl Holder {
    /// Holders of public keys, where the options name some; a passphrase is asked for later, by
    /// [`passphrase`](Self::passphrase).
    ///
    /// # Errors
    /// Bad usage: neither keys nor passphrase, a key of no known form, an identity that opens
    /// none of the recipients' files. A file that cannot be read.
    pub(super) fn of_keys(args: &ToArgs) -> Result<Option<Self>> {
        let mut recipients = Vec::new();
        for text in &args.recipient {
            recipients.push(recipient(text.trim())?);
        }
        let Some(path) = &args.identity else {
            let wants_passphrase =
                args.passphrase || args.passphrase_file.is_some() || args.passphrase_env.is_some();
            return match (recipients.is_empty(), wants_passphrase) {
                (true, false) => Err(Error::usage(
                    "who is to read the new file? Give --recipient age1..., --identity FILE, or \
                     --passphrase",
                )),
                (true, true) => Ok(None),
                (false, _) => {
                    Ok(Some(Self { recipients, identities: Vec::new(), is_passphrase: false }))
                }
            };
        };
        let file = identities(path)?;
        let public = public_keys(&file, path)?;
        if recipients.is_empty() {
            for key in &public {
                recipients.push(recipient(key)?);
            }
        } else if !args.recipient.iter().any(|text| public.contains(&text.trim().to_owned())) {
            return Err(Error::usage(format!(
                "no identity in {} belongs to a --recipient, so the new file could not be verified \
                 with it",
                path.display()
            )));
        }
        let identities = file.into_identities().map_err(|error| unusable(path, &error))?;
        Ok(Some(Self { recipients, identities, is_passphrase: false }))
    }

    /// The holder of a passphrase.
    ///
    /// # Errors
    /// The passphrase cannot be had, is empty, or no UTF-8.
    pub(super) fn of_passphrase(args: &ToArgs, notes: &Notes) -> Result<Self> {
        let bytes = passphrase(args, notes)?;
        if bytes.is_empty() {
            return Err(Error::usage("the passphrase is empty; age files need one"));
        }
        let text = std::str::from_utf8(&bytes)
            .map_err(|_| Error::usage("the passphrase is no UTF-8, and age needs that"))?;
        let secret = SecretString::from(text.to_owned());
        let mut recipient = scrypt::Recipient::new(secret.clone());
        let mut identity = scrypt::Identity::new(secret);
        recipient.set_work_factor(WORK_FACTOR);
        identity.set_max_work_factor(WORK_FACTOR);
        Ok(Self {
            recipients: vec![Box::new(recipient)],
            identities: vec![Box::new(identity)],
            is_passphrase: true,
        })
    }

    /// An encryptor for the new file.
    ///
    /// # Errors
    /// age's, for recipients that do not go together.
    pub(super) fn encryptor(&self) -> Result<age::Encryptor> {
        let recipients =
            self.recipients.iter().map(|recipient| &**recipient as &dyn age::Recipient);
        age::Encryptor::with_recipients(recipients)
            .map_err(|error| Error::failure(format!("cannot encrypt to these recipients: {error}")))
    }

    /// What opens the new file; empty if we do not have it.
    pub(super) fn identities(&self) -> impl Iterator<Item = &dyn age::Identity> {
        self.identities.iter().map(|identity| &**identity as &dyn age::Identity)
    }

    /// Whether the new file can be opened here.
    pub(super) fn can_open(&self) -> bool {
        !self.identities.is_empty()
    }

    /// Who it is, in words.
    pub(super) fn describe(&self) -> String {
        match self.recipients.len() {
            _ if self.is_passphrase => "with a passphrase".into(),
            1 => "to 1 recipient".into(),
            count => format!("to {count} recipients"),
        }
    }
}

fn recipient(text: &str) -> Result<Box<dyn age::Recipient + Send>> {
    if let Ok(recipient) = text.parse::<x25519::Recipient>() {
        return Ok(Box::new(recipient));
    }
    if let Ok(recipient) = text.parse::<tag::Recipient>() {
        return Ok(Box::new(recipient));
    }
    if let Ok(recipient) = text.parse::<tagpq::Recipient>() {
        return Ok(Box::new(recipient));
    }
    Err(Error::usage(match text.get(..15) {
        // Not to be shown or kept in a history any longer than it is already.
        Some(start) if start.eq_ignore_ascii_case("AGE-SECRET-KEY-") => {
            "--recipient was given a secret key; it takes the public key, age1... (the secret one \
             goes into a file, for --identity)"
                .to_owned()
        }
        _ => format!("--recipient {text}: no age public key; these start with age1"),
    }))
}

fn identities(path: &Path) -> Result<IdentityFile<age::NoCallbacks>> {
    use std::io::Read;
    let mut text = Vec::new();
    std::fs::File::open(path)
        .and_then(|file| file.take(IDENTITY_LIMIT).read_to_end(&mut text))
        .map_err(|error| Error::file("cannot read the identity file", path, &error))?;
    if text.starts_with(b"age-encryption.org") || text.starts_with(b"-----BEGIN AGE ENCRYPTED") {
        return Err(Error::failure(format!(
            "identity file {} is encrypted itself; decrypt it with age first",
            path.display()
        )));
    }
    IdentityFile::from_buffer(&text[..]).map_err(|error| unusable(path, &error))
}

fn public_keys(file: &IdentityFile<age::NoCallbacks>, path: &Path) -> Result<Vec<String>> {
    let mut text = Vec::new();
    file.write_recipients_file(&mut text)
        .map_err(|_| Error::failure(format!("there is no identity in {}", path.display())))?;
    Ok(String::from_utf8_lossy(&text).lines().map(str::to_owned).collect())
}

fn unusable(path: &Path, error: &dyn std::fmt::Display) -> Error {
    Error::failure(format!(
        "cannot use identity file {}: {error}; it has lines AGE-SECRET-KEY-1... as age-keygen \
         writes them",
        path.display()
    ))
}

fn passphrase(args: &ToArgs, notes: &Notes) -> Result<Password> {
    if let Some(path) = &args.passphrase_file {
        let mut source = std::ffi::OsString::from("file:");
        source.push(path);
        let mut line = password::from_source(&source, notes)?;
        if line.last() == Some(&b'\r') {
            line.pop();
        }
        return Ok(line);
    }
    if let Some(name) = &args.passphrase_env {
        return match std::env::var_os(name) {
            Some(value) => Ok(value.into_encoded_bytes()),
            None => Err(Error::usage(format!(
                "--passphrase-env: there is no environment variable {}",
                name.to_string_lossy()
            ))),
        };
    }
    password::ask(
        "Passphrase for the new file",
        true,
        "there is no terminal to ask for the passphrase on; give --passphrase-file or \
         --passphrase-env",
    )
}
