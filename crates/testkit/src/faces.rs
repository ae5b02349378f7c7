//! One message through every face of the library: buffer to buffer, in place, in pieces.
//!
//! The faces must agree, must write nothing outside the result, and must leave on error what
//! their documentation says. All of that is asserted here, once for all tests.

use cipherloom::Direction::{self, Decrypt, Encrypt};
use cipherloom::{BlockKey, Error, Mode};

/// How the faces are called.
#[derive(Clone, Debug)]
pub struct Call<'a> {
    /// The direction.
    pub direction: Direction,
    /// The mode with its parameters.
    pub mode: Mode,
    /// The key.
    pub key: &'a BlockKey,
    /// Bytes before the message in the buffers, so that slices are not aligned.
    pub shift: usize,
    /// Lengths of the pieces, in turn; what is left is one more piece.
    pub chunks: &'a [usize],
}

/// Stands wherever nothing may be written.
const CANARY: u8 = 0xa5;
/// Canaries behind a result.
const BEHIND: usize = 19;

impl Call<'_> {
    /// The result of all faces.
    ///
    /// # Errors
    /// The error of all faces.
    ///
    /// # Panics
    /// If the faces differ, or one breaks a promise of its documentation.
    pub fn run(&self, input: &[u8]) -> Result<Vec<u8>, Error> {
        let result = self.buffer_to_buffer(input);
        self.output_too_small(input);
        assert_eq!(self.in_place(input), result, "in place, {self:?}, {} bytes", input.len());
        assert_eq!(self.in_pieces(input), result, "in pieces, {self:?}, {} bytes", input.len());
        result
    }

    /// Bytes of output that the library asks for.
    fn need(&self, input_len: usize) -> Result<usize, Error> {
        match self.direction {
            Encrypt => self.mode.encrypted_len(input_len),
            Decrypt => Ok(input_len),
        }
    }

    fn one_shot<'o>(&self, input: &[u8], output: &'o mut [u8]) -> Result<&'o mut [u8], Error> {
        match self.direction {
            Encrypt => self.mode.encrypt(self.key, input, output),
            Decrypt => self.mode.decrypt(self.key, input, output),
        }
    }

    fn buffer_to_buffer(&self, input: &[u8]) -> Result<Vec<u8>, Error> {
        let need = self.need(input.len());
        let mut buf = vec![CANARY; self.shift + need.unwrap_or(input.len()) + BEHIND];
        let result = self.one_shot(input, &mut buf[self.shift..]).map(|written| written.to_vec());
        let untouched = |part: &[u8]| part.iter().all(|&byte| byte == CANARY);
        let output_end = self.shift + need.unwrap_or(0);
        assert!(untouched(&buf[..self.shift]), "written before the output, {self:?}");
        assert!(untouched(&buf[output_end..]), "written behind the output, {self:?}");
        let output = &buf[self.shift..output_end];
        match &result {
            Ok(written) => assert_eq!(&output[..written.len()], written, "not at the start"),
            Err(Error::Padding) => assert!(output.iter().all(|&byte| byte == 0), "not wiped"),
            Err(_) => assert!(untouched(output), "changed on error, {self:?}"),
        }
        if let Err(error) = need {
            assert_eq!(result, Err(error), "encrypted_len and encrypt differ");
        }
        result
    }

    /// A buffer that lacks one byte.
    fn output_too_small(&self, input: &[u8]) {
        let Ok(need @ 1..) = self.need(input.len()) else { return };
        let got = need - 1;
        let mut output = vec![CANARY; got];
        let result = self.one_shot(input, &mut output).map(|written| written.len());
        let expected = match self.one_shot(input, &mut vec![0; need]) {
            // What is wrong with the input's length comes first.
            Err(error) if error != Error::Padding => error,
            _ => Error::OutputTooSmall { need, got },
        };
        assert_eq!(result, Err(expected), "one byte short, {self:?}");
        assert!(output.iter().all(|&byte| byte == CANARY), "changed on error, {self:?}");
        if self.direction == Encrypt {
            let mut buf = input.to_vec();
            buf.resize(need.max(input.len()), CANARY);
            let before = buf[..got].to_vec();
            let result = self.mode.encrypt_in_place(self.key, &mut buf[..got], input.len());
            assert_eq!(result.map(|written| written.len()), Err(expected), "in place");
            assert_eq!(buf[..got], before, "changed on error, {self:?}");
        }
    }

    fn in_place(&self, input: &[u8]) -> Result<Vec<u8>, Error> {
        let room = self.need(input.len()).unwrap_or(input.len());
        let mut buf = vec![CANARY; self.shift + room + BEHIND];
        let message_end = self.shift + input.len();
        buf[self.shift..message_end].copy_from_slice(input);
        let before = buf.clone();
        let result = match self.direction {
            Encrypt => self.mode.encrypt_in_place(self.key, &mut buf[self.shift..], input.len()),
            Decrypt => self.mode.decrypt_in_place(self.key, &mut buf[self.shift..message_end]),
        };
        let result = result.map(|written| written.to_vec());
        match &result {
            Ok(written) => assert_eq!(&buf[self.shift..][..written.len()], written),
            Err(Error::Padding) => {
                let message = &buf[self.shift..message_end];
                assert!(message.iter().all(|&byte| byte == 0), "not wiped, {self:?}");
            }
            Err(_) => assert_eq!(buf, before, "changed on error, {self:?}"),
        }
        let end = self.shift + room;
        assert_eq!(buf[..self.shift], before[..self.shift], "written before, {self:?}");
        assert_eq!(buf[end..], before[end..], "written behind, {self:?}");
        result
    }

    fn in_pieces(&self, input: &[u8]) -> Result<Vec<u8>, Error> {
        match self.direction {
            Encrypt => pieces!(self, input, self.mode.encryptor(self.key)),
            Decrypt => pieces!(self, input, self.mode.decryptor(self.key)),
        }
    }
}

/// `Encryptor` and `Decryptor` have the same methods and no common trait.
macro_rules! pieces {
    ($call:expr, $input:expr, $message:expr) => {{
        let (call, mut rest, mut message) = ($call, $input, $message);
        let mut result = Vec::new();
        let ends = call.chunks.iter().copied().chain([usize::MAX]);
        for size in ends {
            let (piece, behind) = rest.split_at(size.min(rest.len()));
            rest = behind;
            let need = message.update_len(piece.len());
            assert!(need <= piece.len() + 8, "update_len is more than promised, {call:?}");
            if need > 0 {
                let mut short = vec![CANARY; need - 1];
                let expected = Err(Error::OutputTooSmall { need, got: need - 1 });
                assert_eq!(message.update(piece, &mut short), expected);
                assert!(short.iter().all(|&byte| byte == CANARY), "changed on error");
            }
            let mut output = vec![CANARY; call.shift + need + BEHIND];
            assert_eq!(message.update(piece, &mut output[call.shift..]), Ok(need));
            let (before, behind) = (&output[..call.shift], &output[call.shift + need..]);
            assert!(before.iter().chain(behind).all(|&byte| byte == CANARY), "written outside");
            result.extend_from_slice(&output[call.shift..][..need]);
        }
        let again = message.clone();
        let mut end = [CANARY; 16];
        let outcome = message.finish(&mut end);
        let len = outcome.unwrap_or(0);
        assert!(end[len..].iter().all(|&byte| byte == CANARY), "finish wrote too much, {call:?}");
        if len > 0 {
            let mut short = vec![CANARY; len - 1];
            let expected = Err(Error::OutputTooSmall { need: len, got: len - 1 });
            assert_eq!(again.finish(&mut short), expected, "{call:?}");
            assert!(short.iter().all(|&byte| byte == CANARY), "changed on error");
        }
        result.extend_from_slice(&end[..len]);
        outcome.map(|_| result)
    }};
}
use pieces;
