//! Messages of many lengths through pipelines of many kinds, and what goes wrong in the middle.

use std::fs::File;
use std::path::Path;

use cipherloom::{Direction, Padding};
use cipherloom_formats::{Cipher, Engine, Setup};

use super::feed::CHUNK;
use super::{Manner, Report, Sink, run};
use crate::errors::{Error, Result};
use crate::io::input::Input;
use crate::io::progress::Progress;
use crate::io::source::Source;

/// A sink that keeps what it gets, and does something before each write.
struct Kept<F> {
    bytes: Vec<u8>,
    before: F,
}

impl<F: FnMut(usize) -> Result<()> + Send> Sink for Kept<F> {
    fn write(&mut self, bytes: &[u8]) -> Result<()> {
        (self.before)(self.bytes.len())?;
        self.bytes.extend_from_slice(bytes);
        Ok(())
    }
}

fn engine(name: &str, direction: Direction) -> Engine {
    let cipher = Cipher::find(name).unwrap();
    let (key, iv) = (&[7; 24][..cipher.derived_key_len()], &[1; 8][..cipher.iv_len()]);
    Engine::new(&Setup { cipher: &cipher, direction, padding: Padding::Pkcs7, key, iv }).unwrap()
}

/// What comes of a message in one piece on one thread.
fn at_once(mut engine: Engine, message: &[u8]) -> Vec<u8> {
    let mut out = Vec::new();
    engine.update(message, &mut out).unwrap();
    engine.finish(&mut out).unwrap();
    out
}

/// Sends what is at `path` through a pipeline; `before` is called with the length of what was written.
fn send(
    path: &Path,
    engine: Engine,
    threads: usize,
    before: impl FnMut(usize) -> Result<()> + Send,
) -> (Vec<u8>, Result<Report>) {
    let source = Source::new(Input::open(Some(path)).unwrap(), None);
    let mut kept = Kept { bytes: Vec::new(), before };
    let manner = Manner { threads, salvage: false };
    let result = run(source, engine, &mut kept, Progress::new(None, true), manner);
    (kept.bytes, result)
}

fn noise(len: usize) -> Vec<u8> {
    (0..len as u32).map(|n| (n.wrapping_mul(n | 1) >> 11) as u8).collect()
}

/// A file with these bytes, and the folder that keeps it.
fn file(bytes: &[u8]) -> (tempfile::TempDir, std::path::PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("in");
    std::fs::write(&path, bytes).unwrap();
    (folder, path)
}

#[test]
fn every_length_by_any_number_of_workers_is_the_same_message() {
    let (enc, dec) = (Direction::Encrypt, Direction::Decrypt);
    for len in [0, 1, 8, CHUNK - 8, CHUNK - 1, CHUNK, CHUNK + 1, 3 * CHUNK + 5] {
        let plain = noise(len);
        for name in ["des-cbc", "des-ecb", "des-ctr", "des-cfb", "des-ofb", "rc4"] {
            let encrypted = at_once(engine(name, enc), &plain);
            for (direction, from, to) in [(enc, &plain, &encrypted), (dec, &encrypted, &plain)] {
                let (_folder, path) = file(from);
                for threads in [1, 2, 1024] {
                    let (bytes, result) = send(&path, engine(name, direction), threads, |_| Ok(()));
                    assert!(bytes == *to, "{name} {direction:?} {len} by {threads}");
                    let report = result.unwrap();
                    assert_eq!([report.read, report.read_in_all], [from.len() as u64; 2]);
                }
            }
        }
    }
}

#[test]
fn nothing_is_written_behind_what_could_not_be() {
    let plain = noise(9 * CHUNK);
    let encrypted = at_once(engine("des-cbc", Direction::Encrypt), &plain);
    let (_folder, path) = file(&encrypted);
    for threads in [1, 2, 5] {
        for limit in [0, 1, 3 * CHUNK, 9 * CHUNK - 8] {
            let mut failed = false;
            let (bytes, result) =
                send(&path, engine("des-cbc", Direction::Decrypt), threads, |len| {
                    assert!(!failed, "a write behind an error");
                    failed = len >= limit;
                    if failed { Err(Error::failure("no room")) } else { Ok(()) }
                });
            assert_eq!(result.unwrap_err().to_string(), "no room");
            assert!(bytes.len() >= limit && bytes == plain[..bytes.len()], "{threads} {limit}");
        }
    }
}

#[test]
fn all_before_a_wrong_end_is_written_and_the_end_is_an_error() {
    let plain = noise(5 * CHUNK + 9);
    let mut encrypted = at_once(engine("des-cbc", Direction::Encrypt), &plain);
    let last = encrypted.len() - 8;
    encrypted[last - 1] ^= 0x80; // turns the padding
    let (_folder, path) = file(&encrypted);
    for threads in [1, 2, 5] {
        let decryptor = engine("des-cbc", Direction::Decrypt);
        let (bytes, result) = send(&path, decryptor, threads, |_| Ok(()));
        assert!(matches!(result, Err(Error::Cipher(cipherloom::Error::Padding))), "{result:?}");
        assert_eq!(bytes.len(), last);
        assert!(bytes[..last - 8] == plain[..last - 8], "{threads}");
    }
}

/// The input ends in the middle, as a bad disk would have it.
#[test]
fn all_before_input_that_cannot_be_read_is_written() {
    let plain = noise(40 * CHUNK);
    for threads in [1, 2, 5] {
        let (_folder, path) = file(&plain);
        let shorten = |len| {
            if len == 0 {
                File::options()
                    .write(true)
                    .open(&path)
                    .unwrap()
                    .set_len(20 * CHUNK as u64)
                    .unwrap();
            }
            Ok(())
        };
        let (bytes, result) = send(&path, engine("des-ctr", Direction::Encrypt), threads, shorten);
        assert!(result.unwrap_err().to_string().contains("became shorter while it was read"));
        let whole = at_once(engine("des-ctr", Direction::Encrypt), &plain);
        assert_eq!(bytes.len(), 20 * CHUNK);
        assert!(bytes == whole[..bytes.len()], "{threads}");
    }
}

#[cfg(unix)]
mod pipes {
    use std::io::Write;
    use std::os::fd::AsRawFd;

    use super::*;

    /// A pipe, and the name by which it can be opened.
    fn pipe() -> (std::io::PipeReader, std::path::PathBuf, std::io::PipeWriter) {
        let (reader, writer) = std::io::pipe().unwrap();
        let path = format!("/dev/fd/{}", reader.as_raw_fd()).into();
        (reader, path, writer)
    }

    #[test]
    fn a_message_comes_through_a_pipe_in_pieces_of_any_size() {
        let plain = noise(2 * CHUNK + 77_777);
        for (name, threads) in [("des-ctr", 1), ("des-ctr", 5), ("des-cbc", 2), ("rc4", 2)] {
            let (_reader, path, mut writer) = pipe();
            let (bytes, result) = std::thread::scope(|scope| {
                let plain = &plain;
                scope.spawn(move || {
                    for piece in plain.chunks(40_001) {
                        writer.write_all(piece).unwrap();
                    }
                });
                send(&path, engine(name, Direction::Encrypt), threads, |_| Ok(()))
            });
            assert_eq!(result.unwrap().read, plain.len() as u64);
            assert!(bytes == at_once(engine(name, Direction::Encrypt), &plain), "{name}");
        }
    }

    /// What was written comes out although no more comes in, and an error ends the work.
    #[test]
    fn a_silent_pipe_keeps_nobody_waiting() {
        for threads in [1, 2, 5] {
            let (_reader, path, mut writer) = pipe();
            writer.write_all(b"a block!").unwrap();
            let (bytes, result) =
                send(&path, engine("des-cbc", Direction::Encrypt), threads, |len| {
                    assert_eq!(len, 0);
                    Err(Error::failure("nobody reads"))
                });
            assert_eq!(result.unwrap_err().to_string(), "nobody reads");
            assert!(bytes.is_empty());
            drop(writer);
        }
    }
}
