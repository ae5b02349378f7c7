//! Messages side by side under one key: in CBC encryption, where one message alone is a chain that waits for
//! itself, they fill a kernel's lanes together.

use crate::context::Context;
use crate::fault::Fault;
use cipherloom::Padding;
use cipherloom::batch::{Batch, Record};
use zeroize::Zeroizing;

/// From so many messages, and so many bytes of each on average, lanes pay: they make the key anew each
/// time (measured on a Xeon with AVX-512, `bench/record/2026-11-22-xeon-provider.md`).
const WORTH_LANES: (usize, usize) = (16, 64);

/// Messages, each with an IV of its own.
#[derive(Default)]
pub(crate) struct Pipes {
    key: Zeroizing<Vec<u8>>,
    /// Made anew where their number changes: what moves leaves copies.
    pipes: Vec<Context>,
}

impl Pipes {
    /// Begins messages as `first` is about to begin one, with another key or the last one.
    ///
    /// # Errors
    /// As [`Context::begin`].
    pub(crate) fn begin(
        &mut self,
        first: &Context,
        key: Option<&[u8]>,
        ivs: &[Option<&[u8]>],
    ) -> Result<(), Fault> {
        if let Some(key) = key {
            self.key = Zeroizing::new(key.to_vec());
        }
        if self.pipes.len() != ivs.len() {
            self.pipes = ivs.iter().map(|_| Context::new(first.cipher)).collect();
        }
        self.pipes.iter_mut().zip(ivs).try_for_each(|(pipe, iv)| {
            pipe.copy_from(first);
            pipe.begin(first.direction, None, *iv)
        })
    }

    /// Becomes a copy.
    pub(crate) fn copy_from(&mut self, other: &Self) {
        self.key.clone_from(&other.key);
        self.pipes = other.pipes.iter().map(|other| Context::new(other.cipher)).collect();
        self.pipes.iter_mut().zip(&other.pipes).for_each(|(pipe, other)| pipe.copy_from(other));
    }

    /// All of them, padded as `first` is.
    ///
    /// # Errors
    /// They are not so many; records of TLS, or lengths in bits.
    pub(crate) fn all(&mut self, first: &Context, count: usize) -> Result<&mut [Context], Fault> {
        if self.pipes.len() != count || first.counts_bits || first.tls.version > 0 {
            return Err(Fault::Operation);
        }
        self.pipes.iter_mut().for_each(|pipe| pipe.pads = first.pads);
        Ok(&mut self.pipes)
    }

    /// Transforms what was placed in the output of each.
    ///
    /// # Errors
    /// The library's self-test. All outputs are zeros then.
    pub(crate) fn crypt(&mut self, outputs: &mut [&mut [u8]]) -> Result<(), Fault> {
        let done = self.crypt_all(outputs);
        if done.is_err() {
            outputs.iter_mut().for_each(|output| output.fill(0));
        }
        done
    }

    fn crypt_all(&mut self, outputs: &mut [&mut [u8]]) -> Result<(), Fault> {
        let (count, total) =
            (outputs.len(), outputs.iter().map(|output| output.len()).sum::<usize>());
        let pays = count >= WORTH_LANES.0 && total >= count * WORTH_LANES.1;
        let chain = self.pipes.first().and_then(|pipe| pipe.encrypts_by_cbc());
        let Some(algorithm) = chain.filter(|_| pays) else {
            let mut each = self.pipes.iter_mut().zip(outputs);
            return each.try_for_each(|(pipe, output)| pipe.crypt(output));
        };
        let ivs: Vec<_> = self.pipes.iter().map(|pipe| pipe.chain.iv).collect();
        let records = outputs.iter_mut().zip(&ivs);
        let mut records: Vec<_> =
            records.map(|(output, iv)| Record::new(&self.key, iv, output)).collect();
        let mut results = vec![Ok(0); records.len()];
        Batch::cbc(algorithm, Padding::None).encrypt(&mut records, &mut results)?;
        for ((pipe, output), result) in self.pipes.iter_mut().zip(outputs).zip(results) {
            result?;
            if let Some(last) = output.last_chunk() {
                pipe.chain.iv = *last;
            }
        }
        Ok(())
    }
}
