//! Sums of atoms, each stored once.

use hashbrown::HashTable;
use rustc_hash::FxHasher;
use std::hash::Hasher;

/// Sums of atoms by number. A sum is the list of its atoms, youngest first; number 0 is the empty one.
#[derive(Clone)]
pub(super) struct Forms {
    atoms: Vec<u32>,
    /// Where each form begins in `atoms`, and where the last one ends.
    starts: Vec<u32>,
    numbers: HashTable<u32>,
    /// By form: its value for 64 random values of all inputs.
    samples: Vec<u64>,
    /// By atom: the form that is this atom alone.
    of_atom: Vec<u32>,
    longest: usize,
}

/// The random values of an input: the same in each run.
pub(super) fn sample(input: usize) -> u64 {
    // SplitMix64 (Steele, Lea and Flood, 2014).
    let mut z = (input as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

fn hash(atoms: &[u32]) -> u64 {
    let mut hasher = FxHasher::default();
    atoms.iter().for_each(|&atom| hasher.write_u32(atom));
    hasher.write_usize(atoms.len());
    let hash = hasher.finish();
    hash ^ (hash >> 29)
}

impl Default for Forms {
    fn default() -> Self {
        let mut forms = Self {
            atoms: Vec::new(),
            starts: vec![0],
            numbers: HashTable::new(),
            samples: Vec::new(),
            of_atom: Vec::new(),
            longest: 0,
        };
        forms.number(&[], 0);
        forms
    }
}

impl Forms {
    /// How many atoms the longest sum has.
    pub(super) fn longest(&self) -> usize {
        self.longest
    }

    pub(super) fn atoms(&self, form: u32) -> &[u32] {
        slice(&self.atoms, &self.starts, form)
    }

    pub(super) fn has(&self, form: u32, atom: u32) -> bool {
        self.atoms(form).binary_search_by(|other| atom.cmp(other)).is_ok()
    }

    pub(super) fn samples(&self, form: u32) -> u64 {
        self.samples[form as usize]
    }

    pub(super) fn of_atom(&self, atom: u32) -> u32 {
        self.of_atom[atom as usize]
    }

    /// A new atom with these samples: its form.
    pub(super) fn new_atom(&mut self, samples: u64) -> u32 {
        let atom = self.of_atom.len() as u32;
        let form = self.number(&[atom], samples);
        self.of_atom.push(form);
        form
    }

    /// The form of atoms in order, youngest first.
    pub(super) fn of_atoms(&mut self, atoms: &[u32]) -> u32 {
        let each = atoms.iter().map(|&atom| self.samples(self.of_atom(atom)));
        let samples = each.fold(0, |sum, sample| sum ^ sample);
        self.number(atoms, samples)
    }

    /// The sum of two forms.
    pub(super) fn sum(&mut self, x: u32, y: u32) -> u32 {
        let (mut a, mut b) = (self.atoms(x), self.atoms(y));
        let mut sum = Vec::with_capacity(a.len() + b.len());
        while let (Some(&p), Some(&q)) = (a.first(), b.first()) {
            if p != q {
                sum.push(p.max(q));
            }
            a = &a[usize::from(p >= q)..];
            b = &b[usize::from(q >= p)..];
        }
        sum.extend_from_slice(a);
        sum.extend_from_slice(b);
        let samples = self.samples(x) ^ self.samples(y);
        self.number(&sum, samples)
    }

    fn number(&mut self, atoms: &[u32], samples: u64) -> u32 {
        let (all, starts) = (&self.atoms, &self.starts);
        let found = self.numbers.find(hash(atoms), |&form| slice(all, starts, form) == atoms);
        if let Some(&form) = found {
            return form;
        }
        let form = (self.starts.len() - 1) as u32;
        self.longest = self.longest.max(atoms.len());
        self.atoms.extend_from_slice(atoms);
        self.starts.push(self.atoms.len() as u32);
        self.samples.push(samples);
        let (all, starts) = (&self.atoms, &self.starts);
        self.numbers.insert_unique(hash(atoms), form, |&form| hash(slice(all, starts, form)));
        form
    }
}

fn slice<'a>(atoms: &'a [u32], starts: &[u32], form: u32) -> &'a [u32] {
    &atoms[starts[form as usize] as usize..starts[form as usize + 1] as usize]
}
