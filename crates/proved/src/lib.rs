//! What was proved of kernels in assembly, as hashes, and whether kernels in memory are these.
//!
//! The prover (`crates/proof`) writes a manifest, here it is read. Nothing is allocated.
//!
//! A kernel in memory differs from the one in a file by the distances to its tables, and in nothing else.
//! So its hash is that of its bytes with each distance counted from the beginning of the table, and not from
//! where the kernel lies: it says where in the table an access goes, and the tables have a hash, too. On AArch64 two
//! instructions have a distance between them, `adrp` that of a page and `add` the rest.

#![no_std]
#![forbid(unsafe_code)]

use sha2::{Digest, Sha256};

/// What was proved for x86-64.
const X86_64: &str = include_str!("../x86_64.toml");

/// The same for AArch64.
const AARCH64: &str = include_str!("../aarch64.toml");

/// The manifest for the processor that this program is for, if there are proofs.
#[must_use]
pub const fn manifest() -> Option<&'static str> {
    if cfg!(target_arch = "x86_64") {
        Some(X86_64)
    } else if cfg!(target_arch = "aarch64") {
        Some(AARCH64)
    } else {
        None
    }
}

/// A SHA-256 in hex.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Hash([u8; 64]);

impl Hash {
    /// That of some bytes.
    #[must_use]
    pub fn of(bytes: &[u8]) -> Self {
        Self::finish(Sha256::new().chain_update(bytes))
    }

    /// That of a kernel which lies at `start`, and of which the four bytes at each of `places` are a distance to
    /// something in a table that lies at `table`. None if a place is behind its end, or they are not in order.
    pub fn of_kernel(
        code: &[u8],
        start: u64,
        places: impl Iterator<Item = usize>,
        table: u64,
    ) -> Option<Self> {
        let mut hash = Sha256::new();
        let mut done = 0;
        for place in places {
            hash.update(code.get(done..place)?);
            let distance = u32::from_le_bytes(*code.get(place..)?.first_chunk()?);
            let from_table = start.wrapping_add(place as u64).wrapping_sub(table) as u32;
            hash.update(distance.wrapping_add(from_table).to_le_bytes());
            done = place + 4;
        }
        Some(Self::finish(hash.chain_update(code.get(done..)?)))
    }

    /// That of a kernel for AArch64 which lies at `start`, and in which the words at each of `pairs`, an `adrp` and an
    /// `add` of what lies behind the beginning of its page, are an address in a table that lies at `table`. None if
    /// there is no such word at a place.
    pub fn of_words(
        code: &[u8],
        start: u64,
        pairs: impl Iterator<Item = (usize, usize)> + Clone,
        table: u64,
    ) -> Option<Self> {
        let mut hash = Sha256::new();
        let word_at =
            |place: usize| Some(u32::from_le_bytes(*code.get(place..)?.first_chunk::<4>()?));
        let mut found = 0;
        for place in (0..code.len()).step_by(4) {
            let word = word_at(place)?;
            if pairs.clone().any(|(page, _)| page == place) {
                // Its register; the distance counts with the rest of it.
                if word & 0x9f00_0000 != 0x9000_0000 {
                    return None;
                }
                hash.update((word & 0x9f00_001f).to_le_bytes());
            } else if let Some((page, _)) = pairs.clone().find(|(_, rest)| *rest == place) {
                if word & 0xffc0_0000 != 0x9100_0000 {
                    return None;
                }
                let of_page = word_at(page)?;
                let pages = (of_page >> 5 & 0x7_ffff) << 2 | of_page >> 29 & 3;
                let distance = i64::from((pages << 11) as i32) >> 11 << 12;
                let page = (start.wrapping_add(page as u64) & !0xfff).wrapping_add_signed(distance);
                let address = page.wrapping_add(u64::from(word >> 10 & 0xfff));
                hash.update((word & 0xffc0_03ff).to_le_bytes());
                hash.update(address.wrapping_sub(table).to_le_bytes());
                found += 1;
            } else {
                hash.update(word.to_le_bytes());
            }
        }
        (found == pairs.count()).then(|| Self::finish(hash))
    }

    /// That of the tables of a kernel: their `HASH_NAME` and bytes.
    pub fn of_tables<'a>(tables: impl Iterator<Item = (&'a str, &'a [u8])>) -> Self {
        Self::finish(tables.fold(Sha256::new(), |hash, (symbol, bytes)| {
            hash.chain_update(symbol).chain_update(bytes)
        }))
    }

    fn finish(hash: Sha256) -> Self {
        let mut hex = [0; 64];
        for (digits, byte) in hex.as_chunks_mut().0.iter_mut().zip(hash.finalize()) {
            *digits = [byte >> 4, byte & 15].map(|digit| b"0123456789abcdef"[usize::from(digit)]);
        }
        Self(hex)
    }
}

impl core::fmt::Display for Hash {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        self.0.iter().try_for_each(|&digit| core::fmt::Write::write_char(f, digit.into()))
    }
}

/// What a manifest says of one kernel, or of all.
#[derive(Clone, Copy, Debug)]
pub struct Entry<'a>(&'a str);

impl<'a> Entry<'a> {
    /// What it says of all.
    #[must_use]
    pub fn head(manifest: &'a str) -> Self {
        Self(manifest.split("\n[").next().unwrap_or_default())
    }

    /// What it says of a kernel, by its `HASH_NAME`.
    ///
    /// # Errors
    /// If it says nothing of it.
    pub fn find(manifest: &'a str, symbol: &str) -> Result<Self, &'static str> {
        let mut entries = manifest.split("\n[").skip(1).map(Self);
        let found = entries.find(|entry| entry.get("symbol") == Some(symbol));
        found.ok_or("the manifest has none of that name")
    }

    /// What stands behind a key.
    #[must_use]
    pub fn get(self, key: &str) -> Option<&'a str> {
        let value =
            |line: &'a str| line.strip_prefix(key)?.strip_prefix(" = \"")?.strip_suffix('"');
        self.0.lines().find_map(value)
    }

    /// Whether a hash stands behind a key.
    #[must_use]
    pub fn has(self, key: &str, hash: Hash) -> bool {
        self.get(key).is_some_and(|hex| hex.as_bytes() == hash.0)
    }
}

/// Whether a kernel in memory, `HASH_NAME` and its bytes, is the one that was proved, with its table, which is one of
/// `tables`.
///
/// # Errors
/// Why it is not.
pub fn check<'a>(
    manifest: &str,
    (symbol, code): (&str, &[u8]),
    mut tables: impl Iterator<Item = (&'a str, &'a [u8])>,
) -> Result<(), &'static str> {
    let entry = Entry::find(manifest, symbol)?;
    let table = entry
        .get("table")
        .map(|name| tables.find(|(symbol, _)| *symbol == name).ok_or("its table is not there"));
    let table = table.transpose()?;
    let address = |bytes: &[u8]| bytes.as_ptr().addr() as u64;
    let at = table.map_or(0, |(_, bytes)| address(bytes));
    let hash = match entry.get("pairs") {
        Some(pairs) => {
            let pairs = pairs.split_whitespace().map(|pair| {
                let (page, rest) = pair.split_once('+').unwrap_or((pair, ""));
                (number(page), number(rest))
            });
            Hash::of_words(code, address(code), pairs, at)
        }
        None => {
            let places = entry.get("places").unwrap_or_default().split_whitespace();
            Hash::of_kernel(code, address(code), places.map(number), at)
        }
    };
    if !hash.is_some_and(|hash| entry.has("bytes", hash)) {
        return Err("other bytes than those that were proved");
    }
    if !entry.has("tables", Hash::of_tables(table.into_iter())) {
        return Err("another table than the one of the proof");
    }
    Ok(())
}

/// A place; nowhere, if it is none.
fn number(text: &str) -> usize {
    text.parse().unwrap_or(usize::MAX)
}

#[cfg(test)]
mod tests;
