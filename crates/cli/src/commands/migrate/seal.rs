//! The new file while it is written, and its verification.

use std::fs::File;
use std::io::{self, BufReader, Read, Write};

use age::stream::StreamWriter;
use sha2::{Digest, Sha256};

use super::holder::Holder;
use crate::errors::{Error, Result};
use crate::io::notes::Notes;
use crate::io::output::Output;
use crate::pipeline::Sink;

/// Bytes of the plaintext's start that are kept, to tell what it looks like.
const HEAD: usize = 4096;
/// Bytes read at a time.
const PIECE: usize = 256 * 1024;

/// Length and SHA-256 of bytes that went by.
#[derive(Clone, Debug, Default)]
pub(super) struct Account {
    pub(super) len: u64,
    digest: Sha256,
}

impl Account {
    fn add(&mut self, bytes: &[u8]) {
        self.len += bytes.len() as u64;
        self.digest.update(bytes);
    }

    /// All that a reader gives.
    fn of(reader: &mut dyn Read) -> io::Result<Self> {
        let mut account = Self::default();
        let mut piece = vec![0; PIECE];
        loop {
            match reader.read(&mut piece) {
                Ok(0) => return Ok(account),
                Ok(count) => account.add(&piece[..count]),
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
    }

    fn is_same(&self, other: &Self) -> bool {
        self.len == other.len && self.digest.clone().finalize() == other.digest.clone().finalize()
    }
}

/// The age file in progress: takes plaintext, keeps accounts of both sides.
pub(super) struct Seal {
    stream: StreamWriter<Written>,
    plaintext: Account,
    head: Vec<u8>,
}

/// The age file, whole, without its final name.
pub(super) struct Sealed {
    output: Output,
    pub(super) plaintext: Account,
    pub(super) written: Account,
    /// The first bytes of the plaintext.
    pub(super) head: Vec<u8>,
}

/// The output, and what went into it.
struct Written {
    output: Output,
    account: Account,
}

impl Write for Written {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.output.write(bytes).map_err(|error| io::Error::other(error.to_string()))?;
        self.account.add(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Seal {
    /// Writes the header.
    ///
    /// # Errors
    /// Of the recipients, and of writing.
    pub(super) fn new(output: Output, holder: &Holder) -> Result<Self> {
        let written = Written { output, account: Account::default() };
        let stream = holder.encryptor()?.wrap_output(written).map_err(|error| failure(&error))?;
        Ok(Self { stream, plaintext: Account::default(), head: Vec::with_capacity(HEAD) })
    }

    /// Writes what is left.
    ///
    /// # Errors
    /// Of writing.
    pub(super) fn finish(self) -> Result<Sealed> {
        let Written { output, account } = self.stream.finish().map_err(|error| failure(&error))?;
        Ok(Sealed { output, plaintext: self.plaintext, written: account, head: self.head })
    }
}

impl Sink for Seal {
    fn write(&mut self, bytes: &[u8]) -> Result<()> {
        self.plaintext.add(bytes);
        let missing = HEAD.saturating_sub(self.head.len()).min(bytes.len());
        self.head.extend_from_slice(&bytes[..missing]);
        self.stream.write_all(bytes).map_err(|error| failure(&error))
    }
}

impl Sealed {
    /// Reads the file back from the disk and compares: its plaintext where it can be opened, its
    /// bytes where not.
    ///
    /// # Errors
    /// It differs, or cannot be read.
    pub(super) fn verify(&mut self, holder: &Holder) -> Result<()> {
        let file = self.output.reread()?;
        forget_cached(&file);
        let is_same = if holder.can_open() {
            let opened = open(file, holder);
            opened.is_ok_and(|plaintext| plaintext.is_same(&self.plaintext))
        } else {
            let bytes = Account::of(&mut &file).map_err(|error| failure(&error))?;
            bytes.is_same(&self.written)
        };
        if is_same {
            return Ok(());
        }
        Err(Error::failure(
            "verification failed: the new file does not read back as it was written; it was \
             removed, and the old file is as it was. Check the disk and the memory of this machine",
        ))
    }

    /// Gives the file its name.
    ///
    /// # Errors
    /// The system's.
    pub(super) fn commit(self, notes: &Notes) -> Result<()> {
        self.output.commit(notes).map(drop)
    }
}

/// The account of the file's plaintext; none if it does not decrypt.
fn open(file: File, holder: &Holder) -> std::result::Result<Account, ()> {
    let input = BufReader::with_capacity(PIECE, file);
    let decryptor = age::Decryptor::new_buffered(input).map_err(drop)?;
    let mut reader = decryptor.decrypt(holder.identities()).map_err(drop)?;
    Account::of(&mut reader).map_err(drop)
}

/// Asks the system to read from the disk in place of what it still has in memory. It is a hint.
fn forget_cached(file: &File) {
    #[cfg(target_os = "linux")]
    let _ = rustix::fs::fadvise(file, 0, None, rustix::fs::Advice::DontNeed);
    #[cfg(not(target_os = "linux"))]
    let _ = file;
}

fn failure(error: &io::Error) -> Error {
    Error::failure(error.to_string())
}

#[cfg(test)]
mod tests {
    use age::secrecy::ExposeSecret;

    use super::super::args::ToArgs;
    use super::*;
    use crate::io::destination::Destination;
    use crate::io::output::Style;

    /// What verification says if one byte of the file changes before it, at `place`.
    fn verify_after_damage(to: &ToArgs, place: Option<usize>) -> bool {
        let dir = tempfile::tempdir().unwrap();
        let holder = Holder::of_keys(to).unwrap().unwrap();
        let output = Destination::free(&dir.path().join("new"), false).unwrap();
        let mut seal = Seal::new(output.open(Style::default()).unwrap(), &holder).unwrap();
        seal.write(&[0x5a; 100_000]).unwrap();
        let mut sealed = seal.finish().unwrap();
        if let Some(place) = place {
            let partial = std::fs::read_dir(dir.path()).unwrap().next().unwrap().unwrap().path();
            let mut bytes = std::fs::read(&partial).unwrap();
            let place = place.min(bytes.len() - 1);
            bytes[place] ^= 1;
            std::fs::write(&partial, bytes).unwrap();
        }
        let verified = sealed.verify(&holder);
        if let Err(error) = &verified {
            assert!(error.to_string().contains("verification failed"));
        }
        drop(sealed);
        assert_eq!(std::fs::read_dir(dir.path()).unwrap().count(), 0, "something was left behind");
        verified.is_ok()
    }

    #[test]
    fn a_file_that_changed_on_the_disk_is_not_verified() {
        let identity = age::x25519::Identity::generate();
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("me.txt");
        std::fs::write(&path, identity.to_string().expose_secret()).unwrap();
        let args = |recipient, identity| ToArgs {
            recipient,
            identity,
            passphrase: false,
            passphrase_file: None,
            passphrase_env: None,
        };
        let to_public = args(vec![identity.to_public().to_string()], None);
        let to_own = args(Vec::new(), Some(path));
        for to in [&to_public, &to_own] {
            assert!(verify_after_damage(to, None));
            for place in [0, 100, 50_000, usize::MAX] {
                assert!(!verify_after_damage(to, Some(place)), "{place}");
            }
        }
    }
}
