//! MACs, judged by the specification.

use super::super::code::Code;
use super::face::*;
use super::keys::Keys;
use super::memory::{Expected, Memory, code, judge};
use super::messages::padding;
use cipherloom_spec::mac::{PaddingMethod, algorithm_1, algorithm_3, cmac};
use cipherloom_spec::padding::pad_pkcs7;
use cipherloom_testkit::fuzz::Input;
use cipherloom_testkit::oracle::{PADDINGS, SpecKey};
use library::{Algorithm, Error, Padding};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Scheme {
    Cbc(Padding),
    CbcOfLength(u64),
    Retail(Padding),
    RetailOfLength(u64),
    Cmac,
}

/// A MAC, and all that came.
struct Mac {
    handle: Handle,
    scheme: Scheme,
    algorithm: Algorithm,
    key: Vec<u8>,
    taken: Vec<u8>,
    is_finished: bool,
}

impl Drop for Mac {
    fn drop(&mut self) {
        // SAFETY: a handle that was made and not yet freed.
        unsafe { cl_mac_free(self.handle) }
    }
}

/// Those in progress.
#[derive(Default)]
pub(super) struct Macs(Vec<Mac>);

impl Macs {
    pub(super) fn step(&mut self, keys: &Keys, input: &mut Input<'_>, memory: &mut Memory) {
        let shape = input.byte();
        let n = usize::from(shape >> 4) % self.0.len().max(1);
        match (shape % 8, self.0.get_mut(n)) {
            (0, _) | (_, None) => self.begin(keys, input),
            (1, Some(_)) => drop(self.0.remove(n)),
            (2, Some(mac)) => mac.finish(input, memory),
            (3, Some(mac)) => mac.verify(input, memory),
            (_, Some(mac)) => mac.update(input, memory),
        }
    }

    fn begin(&mut self, keys: &Keys, input: &mut Input<'_>) {
        let (key, pads, len) = (keys.pick(input), input.choose(&PADDINGS), input.byte() % 40);
        let len = u64::from(len);
        let scheme = input.choose(&[
            Scheme::Cbc(pads),
            Scheme::CbcOfLength(len),
            Scheme::Retail(pads),
            Scheme::RetailOfLength(len),
            Scheme::Cmac,
        ]);
        let mut handle = key.handle;
        let place = &raw mut handle;
        // SAFETY: a place and a key.
        let got = unsafe {
            match scheme {
                Scheme::Cbc(pads) => cl_mac_new_cbc(place, key.handle, padding(pads)),
                Scheme::CbcOfLength(len) => cl_mac_new_cbc_of_length(place, key.handle, len),
                Scheme::Retail(pads) => cl_mac_new_retail(place, key.handle, padding(pads)),
                Scheme::RetailOfLength(len) => cl_mac_new_retail_of_length(place, key.handle, len),
                Scheme::Cmac => cl_mac_new_cmac(place, key.handle),
            }
        };
        let is_retail = matches!(scheme, Scheme::Retail(_) | Scheme::RetailOfLength(_));
        let fits = !is_retail || key.algorithm == Algorithm::TdesEde2;
        judge(got, &if fits { Ok(()) } else { Err(Code::Cipher) }, &(scheme, key.algorithm));
        assert_eq!(handle.is_null(), got != 0);
        if got == 0 {
            let (algorithm, key, taken) = (key.algorithm, key.bytes().to_vec(), Vec::new());
            self.0.push(Mac { handle, scheme, algorithm, key, taken, is_finished: false });
            if self.0.len() > 3 {
                self.0.remove(0);
            }
        }
    }
}

impl Mac {
    fn announced(&self) -> Option<u64> {
        match self.scheme {
            Scheme::CbcOfLength(len) | Scheme::RetailOfLength(len) => Some(len),
            _ => None,
        }
    }

    fn tag(&self) -> Expected<[u8; 8]> {
        let len = self.taken.len();
        if self.is_finished {
            return Err(Code::Finished);
        }
        if self.announced().is_some_and(|want| want != len as u64) {
            return Err(Code::MessageLength);
        }
        let (method, data) = match self.scheme {
            Scheme::CbcOfLength(_) | Scheme::RetailOfLength(_) => {
                (PaddingMethod::Method3, self.taken.clone())
            }
            Scheme::Cmac => return Ok(cmac(&self.spec(&self.key, self.algorithm), &self.taken)),
            Scheme::Cbc(Padding::Iso7816) | Scheme::Retail(Padding::Iso7816) => {
                (PaddingMethod::Method2, self.taken.clone())
            }
            Scheme::Cbc(Padding::Zero) | Scheme::Retail(Padding::Zero) => {
                (PaddingMethod::Method1, self.taken.clone())
            }
            Scheme::Cbc(Padding::Pkcs7) | Scheme::Retail(Padding::Pkcs7) => {
                (PaddingMethod::Method1, pad_pkcs7(&self.taken))
            }
            Scheme::Cbc(Padding::None) | Scheme::Retail(Padding::None) => match len {
                0 => return code(Err(Error::TooShort { len: 0, min: 8 })),
                _ if !len.is_multiple_of(8) => return code(Err(Error::NotWholeBlocks { len })),
                _ => (PaddingMethod::Method1, self.taken.clone()),
            },
        };
        Ok(match self.scheme {
            Scheme::Retail(_) | Scheme::RetailOfLength(_) => {
                let [k, k_prime] = [0, 8].map(|n| self.spec(&self.key[n..n + 8], Algorithm::Des));
                algorithm_3(&k, &k_prime, method, &data)
            }
            _ => algorithm_1(&self.spec(&self.key, self.algorithm), method, &data),
        })
    }

    fn spec(&self, key: &[u8], algorithm: Algorithm) -> SpecKey {
        SpecKey::new(algorithm, key)
    }

    fn update(&mut self, input: &mut Input<'_>, memory: &mut Memory) {
        let mut part = memory.part(input);
        let so_far = self.taken.len() as u64;
        if let Some(want) = self.announced().filter(|_| input.byte() & 3 != 0) {
            // As a rule no more than was announced.
            part.len = part.len.min(want.saturating_sub(so_far) as usize);
        }
        let is_too_long = self.announced().is_some_and(|want| so_far + part.len as u64 > want);
        let expected = match (self.is_finished, is_too_long) {
            (true, _) => Err(Code::Finished),
            (_, true) => Err(Code::MessageLength),
            _ => Ok(()),
        };
        let data = memory.get(part).to_vec();
        let place = memory.place(part);
        // SAFETY: the part is memory.
        let got = unsafe { cl_mac_update(self.handle, place, part.len) };
        judge(got, &expected, &(self.scheme, part));
        memory.must_have(0, &[], &self.scheme);
        if expected.is_ok() {
            self.taken.extend(data);
        }
    }

    fn finish(&mut self, input: &mut Input<'_>, memory: &mut Memory) {
        let (expected, part) = (self.tag(), memory.part_of(input, 8));
        let place = memory.place(part);
        // SAFETY: the part is memory.
        let got = unsafe { cl_mac_finish(self.handle, place) };
        judge(got, &expected, &(self.scheme, self.taken.len()));
        memory.must_have(part.at, expected.as_ref().map_or(&[], |tag| &tag[..]), &self.scheme);
        self.is_finished = true;
    }

    fn verify(&mut self, input: &mut Input<'_>, memory: &mut Memory) {
        let (tag, len, change) = (self.tag(), usize::from(input.byte() % 12), input.byte());
        let mut given = tag.as_ref().map_or([0; 8], |tag| *tag).to_vec();
        given[0] ^= change & 1;
        given.resize(len, 0);
        let part = memory.part_of(input, len);
        memory.set(part, &given);
        let expected = match tag {
            Err(Code::Finished) => Err(Code::Finished),
            _ if !(4..=8).contains(&len) => Err(Code::TagLength),
            Err(error) => Err(error),
            Ok(_) if change & 1 == 1 => Err(Code::Tag),
            Ok(_) => Ok(()),
        };
        let place = memory.place(part);
        // SAFETY: the part is memory.
        let got = unsafe { cl_mac_verify(self.handle, place, len) };
        judge(got, &expected, &(self.scheme, self.taken.len(), len));
        memory.must_have(0, &[], &self.scheme);
        self.is_finished = true;
    }
}
