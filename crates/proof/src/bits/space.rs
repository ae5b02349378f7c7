//! The space that some bits are functions of: at most 6 sums, independent of each other.

use super::truth::{VARIABLES, compose, ones};
use super::{Bit, Bits};
use std::cmp::Reverse;

pub(super) const DIMENSIONS: usize = 6;

/// Independent sums in reduced row echelon form, the one with the youngest leading atom first.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct Basis {
    pub(super) rank: usize,
    pub(super) forms: [u32; DIMENSIONS],
    pub(super) leaders: [u32; DIMENSIONS],
}

impl Basis {
    /// How many of its leading atoms another has not.
    pub(super) fn leaders_beside(&self, other: &Self) -> usize {
        let others = &other.leaders[..other.rank];
        self.leaders[..self.rank].iter().filter(|leader| !others.contains(leader)).count()
    }

    /// Its sums with their leading atoms.
    pub(super) fn members(&self) -> impl Iterator<Item = (&u32, &u32)> {
        self.forms.iter().zip(&self.leaders).take(self.rank)
    }

    /// Takes in a sum with its leading atom, and says whether there was room; none if another sum leads with that.
    fn take_in(&mut self, form: u32, leader: u32) -> Option<bool> {
        let place = self.leaders[..self.rank].partition_point(|&other| other > leader);
        if place < self.rank && self.leaders[place] == leader {
            return (self.forms[place] == form).then_some(true);
        }
        if self.rank == DIMENSIONS {
            return Some(false);
        }
        self.forms.copy_within(place..self.rank, place + 1);
        self.leaders.copy_within(place..self.rank, place + 1);
        (self.forms[place], self.leaders[place]) = (form, leader);
        self.rank += 1;
        Some(true)
    }
}

/// A basis, and the truth table of each of some bits over it.
pub(super) struct Space {
    pub(super) basis: Basis,
    pub(super) tables: Vec<u64>,
}

/// A row of `W` words, a bit for each atom of an elimination.
#[derive(Clone, Copy)]
struct Row<const W: usize>([u64; W]);

impl<const W: usize> Row<W> {
    fn has(&self, n: usize) -> bool {
        self.0[n / 64] >> (n % 64) & 1 == 1
    }

    fn add(&mut self, other: &Self) {
        self.0.iter_mut().zip(other.0).for_each(|(x, y)| *x ^= y);
    }

    fn first(&self) -> Option<usize> {
        let word = self.0.iter().position(|&word| word != 0)?;
        Some(64 * word + self.0[word].trailing_zeros() as usize)
    }
}

/// Rows in reduced echelon form, by their first atom.
struct Echelon<const W: usize>(Vec<(usize, Row<W>)>);

impl<const W: usize> Echelon<W> {
    /// Takes in one more row, unless there are too many.
    fn insert(&mut self, mut row: Row<W>) -> Option<()> {
        for (first, other) in &self.0 {
            if row.has(*first) {
                row.add(other);
            }
        }
        if let Some(first) = row.first() {
            if self.0.len() == DIMENSIONS {
                return None;
            }
            for (_, other) in self.0.iter_mut().filter(|(_, other)| other.has(first)) {
                other.add(&row);
            }
            self.0.push((first, row));
        }
        Some(())
    }

    /// The table of a row that is a sum of these.
    fn table(&self, row: &Row<W>) -> u64 {
        let members = self.0.iter().zip(VARIABLES).filter(|((first, _), _)| row.has(*first));
        members.fold(0, |table, (_, variable)| table ^ variable) & ones(self.0.len())
    }
}

impl Bits {
    /// The space of some bits, with as many levels of atoms expanded as fit, the highest first. What one
    /// S-box has made is one level, so it is expanded as a whole or not at all.
    pub(super) fn space(&mut self, bits: &[Bit]) -> Option<Space> {
        if bits.contains(&Bit::UNKNOWN) {
            return None;
        }
        let atoms = bits.iter().flat_map(|bit| self.forms.atoms(bit.form()));
        let mut candidates: Vec<u32> =
            atoms.copied().filter(|&atom| self.functions[atom as usize].is_some()).collect();
        let level = |atom: &u32| self.levels[*atom as usize];
        candidates.sort_unstable_by_key(|atom| Reverse((level(atom), *atom)));
        candidates.dedup();
        let ends = (1..=candidates.len()).filter(|&n| {
            n == candidates.len() || level(&candidates[n]) != level(&candidates[n - 1])
        });
        let ends: Vec<usize> = ends.collect();
        let mut best = None;
        for end in ends {
            let expanded = &candidates[..end];
            if self.lower_bound(bits, expanded) > DIMENSIONS {
                break;
            }
            let Some(space) = self.space_expanding(bits, expanded) else { break };
            best = Some(space);
        }
        best.or_else(|| self.space_expanding(bits, &[]))
    }

    /// A number of dimensions that is quickly found, and never too large: leading atoms that differ.
    fn lower_bound(&self, bits: &[Bit], expanded: &[u32]) -> usize {
        let mut leaders = Vec::with_capacity(16);
        if let Some(function) = expanded.last().and_then(|&last| self.functions[last as usize]) {
            leaders.extend_from_slice(&function.basis.leaders[..function.basis.rank]);
        }
        for bit in bits {
            let mut atoms = self.forms.atoms(bit.form()).iter();
            if let Some(leader) = atoms.find(|atom| !expanded.contains(atom))
                && !leaders.contains(leader)
            {
                leaders.push(*leader);
            }
        }
        leaders.len()
    }

    /// The space of some bits with exactly these atoms expanded, if it has at most 6 dimensions.
    pub(super) fn space_expanding(&mut self, bits: &[Bit], expanded: &[u32]) -> Option<Space> {
        self.space_of_bases(bits, expanded)
            .unwrap_or_else(|| self.space_by_elimination(bits, expanded))
    }

    /// The same, whatever the bits are.
    pub(super) fn space_by_elimination(&mut self, bits: &[Bit], expanded: &[u32]) -> Option<Space> {
        let mut atoms: Vec<u32> = Vec::new();
        for bit in bits {
            let own = self.forms.atoms(bit.form()).iter();
            atoms.extend(own.filter(|atom| !expanded.contains(atom)));
        }
        for function in expanded.iter().filter_map(|&atom| self.functions[atom as usize]) {
            for &form in &function.basis.forms[..function.basis.rank] {
                atoms.extend_from_slice(self.forms.atoms(form));
            }
        }
        atoms.sort_unstable_by_key(|&atom| Reverse(atom));
        atoms.dedup();
        match atoms.len() {
            0..=64 => self.eliminate::<1>(bits, expanded, &atoms),
            65..=256 => self.eliminate::<4>(bits, expanded, &atoms),
            257..=1024 => self.eliminate::<16>(bits, expanded, &atoms),
            1025..=16384 => self.eliminate::<256>(bits, expanded, &atoms),
            _ => None,
        }
    }

    /// The same where bases of the atoms and what is a sum alone together are a basis, or are too many sums: most often
    /// it is so, and nothing need be eliminated.
    pub(super) fn space_of_bases(&self, bits: &[Bit], expanded: &[u32]) -> Option<Option<Space>> {
        let mut basis = Basis { rank: 0, forms: [0; DIMENSIONS], leaders: [0; DIMENSIONS] };
        let function = |atom: u32| self.functions[atom as usize].as_ref();
        for function in expanded.iter().filter_map(|&atom| function(atom)) {
            for (&form, &leader) in function.basis.members() {
                // Sums with other leading atoms than all others are independent.
                if !basis.take_in(form, leader)? {
                    return Some(None);
                }
            }
        }
        // What is no part of an atom that is expanded.
        let rest = |bit: &Bit| {
            let atoms = self.forms.atoms(bit.form()).iter().copied();
            atoms.filter(|atom| !expanded.contains(atom))
        };
        for bit in bits {
            let atoms = self.forms.atoms(bit.form());
            if let Some(&leader) = atoms.first()
                && rest(bit).count() == atoms.len()
                && !basis.take_in(bit.form(), leader)?
            {
                return Some(None);
            }
        }
        let is_reduced = |(&form, &leader): (&u32, &u32)| {
            basis.members().all(|(&other, _)| other == form || !self.forms.has(other, leader))
        };
        if !basis.members().all(is_reduced) {
            return None;
        }
        let all = ones(basis.rank);
        let place = |is: &dyn Fn(u32) -> bool| {
            let place = basis.members().position(|(&form, _)| is(form))?;
            Some(VARIABLES[place] & all)
        };
        let table = |bit: &Bit| {
            let mut table = if bit.added() == 1 { all } else { 0 };
            if rest(bit).next().is_some() {
                table ^= place(&|form| rest(bit).eq(self.forms.atoms(form).iter().copied()))?;
            }
            for &atom in expanded.iter().filter(|&&atom| self.forms.has(bit.form(), atom)) {
                let function = function(atom)?;
                let mut inner = [0; DIMENSIONS];
                for (inner, (&form, _)) in inner.iter_mut().zip(function.basis.members()) {
                    *inner = place(&|own| own == form)?;
                }
                table ^= compose(function.table, &inner[..function.basis.rank], basis.rank);
            }
            Some(table)
        };
        let tables = bits.iter().map(table).collect::<Option<_>>()?;
        Some(Some(Space { basis, tables }))
    }

    fn eliminate<const W: usize>(
        &mut self,
        bits: &[Bit],
        expanded: &[u32],
        atoms: &[u32],
    ) -> Option<Space> {
        let row = |form: u32, without: &[u32]| {
            let mut row = Row([0; W]);
            for atom in self.forms.atoms(form).iter().filter(|atom| !without.contains(atom)) {
                let n = atoms.binary_search_by(|other| atom.cmp(other)).expect("an atom of these");
                row.0[n / 64] |= 1 << (n % 64);
            }
            row
        };
        let mut echelon = Echelon(Vec::with_capacity(DIMENSIONS));
        let rows: Vec<Row<W>> = bits.iter().map(|bit| row(bit.form(), expanded)).collect();
        for row in &rows {
            echelon.insert(*row)?;
        }
        let mut inner = Vec::with_capacity(expanded.len());
        for &atom in expanded {
            let function = self.functions[atom as usize]?;
            let basis = &function.basis.forms[..function.basis.rank];
            let rows: Vec<Row<W>> = basis.iter().map(|&form| row(form, &[])).collect();
            for row in &rows {
                echelon.insert(*row)?;
            }
            inner.push((function.table, rows));
        }
        echelon.0.sort_unstable_by_key(|(first, _)| *first);
        let rank = echelon.0.len();
        let inner = inner.iter().map(|(table, rows)| {
            let rows: Vec<u64> = rows.iter().map(|row| echelon.table(row)).collect();
            compose(*table, &rows, rank)
        });
        let inner: Vec<u64> = inner.collect();
        let tables = bits.iter().zip(&rows).map(|(bit, row)| {
            let all = expanded.iter().zip(&inner);
            let own = all.filter(|(atom, _)| self.forms.has(bit.form(), **atom));
            let table = own.fold(echelon.table(row), |sum, (_, table)| sum ^ table);
            if bit.added() == 1 { table ^ ones(rank) } else { table }
        });
        let tables = tables.collect();
        let mut basis = Basis { rank, forms: [0; DIMENSIONS], leaders: [0; DIMENSIONS] };
        for (n, (first, row)) in echelon.0.iter().enumerate() {
            let members = atoms.iter().enumerate().filter(|(place, _)| row.has(*place));
            let members: Vec<u32> = members.map(|(_, &atom)| atom).collect();
            basis.forms[n] = self.forms.of_atoms(&members);
            basis.leaders[n] = atoms[*first];
        }
        Some(Space { basis, tables })
    }
}
