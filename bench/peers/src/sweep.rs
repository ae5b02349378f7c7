//! Sweeps: the same work on messages of every size.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::check::Expected;
use crate::pace::Pace;
use crate::participants::{IPSEC_MB, Kind, ONE_JOB, OPENSSL, Participant, SLICES};
use crate::rows::{BULK, Cipher, Group, Operation, Row, Unit};
use crate::sample::{Buffer, Entrant, Figure, Ghz, MOST_TURNS, ROUGH, take_samples};

/// One message under a key that is ready.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Sweep {
    /// Its name on the command line.
    pub(crate) id: &'static str,
    pub(crate) cipher: Cipher,
    pub(crate) operation: Operation,
    pub(crate) beside: Beside,
}

/// Whom the library is measured beside.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Beside {
    Peers,
    /// Its own backends by force: one of them may be faster than what it chooses.
    Backends,
}

/// Every sweep.
pub(crate) const SWEEPS: [Sweep; 12] = {
    use Cipher::{Des, Des3};
    use Operation::{CbcDecrypt, CbcEncrypt, Ctr, EcbEncrypt};
    [
        peers("des-cbc-decrypt-sizes", Des, CbcDecrypt),
        peers("des-cbc-encrypt-sizes", Des, CbcEncrypt),
        peers("des3-cbc-decrypt-sizes", Des3, CbcDecrypt),
        peers("des3-cbc-encrypt-sizes", Des3, CbcEncrypt),
        backends("des-ecb-choice", Des, EcbEncrypt),
        backends("des-cbc-decrypt-choice", Des, CbcDecrypt),
        backends("des-cbc-encrypt-choice", Des, CbcEncrypt),
        backends("des-ctr-choice", Des, Ctr),
        backends("des3-ecb-choice", Des3, EcbEncrypt),
        backends("des3-cbc-decrypt-choice", Des3, CbcDecrypt),
        backends("des3-cbc-encrypt-choice", Des3, CbcEncrypt),
        backends("des3-ctr-choice", Des3, Ctr),
    ]
};

const fn peers(id: &'static str, cipher: Cipher, operation: Operation) -> Sweep {
    Sweep { id, cipher, operation, beside: Beside::Peers }
}

const fn backends(id: &'static str, cipher: Cipher, operation: Operation) -> Sweep {
    Sweep { beside: Beside::Backends, ..peers(id, cipher, operation) }
}

/// Who takes so many times as long as the fastest of its size is not the best, whatever disturbs the machine: the time is
/// for those of whom one may be.
const REACH: f64 = 1.5;

/// Its time: in budgets of a row, and at least. Its sizes are judged beside each other.
const BUDGETS: u32 = 4;
const LEAST: Duration = Duration::from_secs(1);

/// What one process found in one sweep.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct SweepFigures {
    pub(crate) sweep: String,
    pub(crate) ghz: Ghz,
    pub(crate) sizes: Vec<SizeFigures>,
}

/// What one process found of one size.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct SizeFigures {
    pub(crate) blocks: usize,
    pub(crate) figures: Vec<Figure>,
}

/// Blocks of the messages: powers of two, and one more and one less where lanes fill up.
pub(crate) fn sizes() -> Vec<usize> {
    let powers = (0..).map(|n| 1 << n).take_while(|blocks| blocks * 8 <= BULK);
    let around = |blocks: usize| match blocks {
        16..=1024 => vec![blocks - 1, blocks, blocks + 1],
        _ => vec![blocks],
    };
    powers.flat_map(around).collect()
}

impl Sweep {
    /// Cipher and operation, for people.
    pub(crate) fn title(&self) -> String {
        format!("{} {}", self.cipher.name(), self.row(1).heading()[0])
    }

    /// The row of one size.
    pub(crate) fn row(&self, blocks: usize) -> Row {
        Row {
            id: self.id,
            cipher: self.cipher,
            operation: self.operation,
            messages: 1,
            bytes: blocks * 8,
            unit: Unit::Block,
            group: Group::Bulk,
        }
    }

    /// Whether a participant is in it; all would take too long.
    pub(crate) fn has(&self, participant: &Participant) -> bool {
        let is_chain = self.operation == Operation::CbcEncrypt;
        match (self.beside, participant.kind) {
            (_, Kind::Ours) => true,
            (Beside::Peers, Kind::Peer) if participant.name == ONE_JOB => false,
            (Beside::Peers, Kind::Peer) => {
                [OPENSSL, "libgcrypt", "Botan", IPSEC_MB].contains(&participant.library)
            }
            // Slices have one lane for a chain.
            (Beside::Backends, Kind::Backend) => !(is_chain && participant.name.ends_with(SLICES)),
            _ => false,
        }
    }
}

/// Checks, then measures all sizes in the same rounds: they are compared with each other.
///
/// # Errors
/// A wrong result; what a library refuses.
pub(crate) fn measure(
    sweep: &Sweep,
    participants: &[Participant],
    budget: Duration,
    pace: Pace,
) -> Result<SweepFigures, String> {
    let all = sweep.row(BULK / 8);
    let expected = Expected::new(&all);
    let (mut entrants, mut blocks_of) = (Vec::new(), Vec::new());
    for blocks in sizes() {
        let row = sweep.row(blocks);
        let expected = expected.start(row.bytes);
        for participant in participants.iter().filter(|participant| sweep.has(participant)) {
            if let Some(entrant) = Entrant::new(&row, participant, &expected)? {
                entrants.push(entrant);
                blocks_of.push(blocks);
            }
        }
    }
    let data = &mut Buffer::new(BULK);
    let budget = (budget * BUDGETS).max(LEAST);
    let mut all: Vec<&mut Entrant<'_>> = entrants.iter_mut().collect();
    let mut sample = |entrants: &mut [_], budget, most_turns| {
        take_samples(entrants, &expected.keys, data.bytes(), budget, most_turns, pace)
    };
    let ghz = match sweep.beside {
        Beside::Peers => sample(&mut all, budget, MOST_TURNS),
        Beside::Backends => {
            sample(&mut all, budget.min(ROUGH / 2), 1);
            let so_far: Vec<f64> = all.iter().map(|entrant| entrant.so_far()).collect();
            let mut is_near = near(&so_far, &blocks_of).into_iter();
            all.retain(|_| is_near.next() == Some(true));
            sample(&mut all, budget, 1)
        }
    };
    let mut figures = entrants.into_iter().map(Entrant::figure).zip(blocks_of).peekable();
    let mut found = Vec::new();
    while let Some(&(_, blocks)) = figures.peek() {
        let of_size = std::iter::from_fn(|| figures.next_if(|(_, other)| *other == blocks));
        let figures = of_size.map(|(figure, _)| figure).collect();
        found.push(SizeFigures { blocks, figures });
    }
    Ok(SweepFigures { sweep: sweep.id.into(), ghz, sizes: found })
}

/// Who may be the fastest of its size, by what a pass of each has taken so far.
fn near(so_far: &[f64], sizes: &[usize]) -> Vec<bool> {
    let fastest = |size| {
        let same = so_far.iter().zip(sizes).filter(|(_, other)| **other == size);
        same.map(|(so_far, _)| *so_far).fold(f64::INFINITY, f64::min)
    };
    so_far.iter().zip(sizes).map(|(so_far, &size)| *so_far <= REACH * fastest(size)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::participants;

    #[test]
    fn who_cannot_be_the_fastest_of_its_size_is_far() {
        let so_far = [10.0, 14.9, 15.1, 100.0, 90.0];
        assert_eq!(near(&so_far, &[1, 1, 1, 2, 2]), [true, true, false, true, true]);
    }

    #[test]
    fn sizes_ascend_from_a_block_to_a_mebibyte() {
        let sizes = sizes();
        assert!(sizes.is_sorted_by(|a, b| a < b), "{sizes:?}");
        assert_eq!((sizes[0], sizes[sizes.len() - 1]), (1, 1 << 17));
        for blocks in [15, 16, 17, 63, 64, 65, 511, 512, 513, 1023, 1024, 1025] {
            assert!(sizes.contains(&blocks), "{blocks}");
        }
    }

    #[test]
    fn every_size_is_measured_for_everyone_who_is_in_a_sweep() {
        let participants = participants::all().unwrap().present;
        let (peers, backends): (Vec<Sweep>, Vec<Sweep>) =
            SWEEPS.into_iter().partition(|sweep| sweep.beside == Beside::Peers);
        // Backends take a mebibyte long: one of these.
        for sweep in peers.iter().chain(&backends[..1]) {
            let found = measure(sweep, &participants, Duration::ZERO, Pace::Hot).unwrap();
            let blocks: Vec<usize> = found.sizes.iter().map(|size| size.blocks).collect();
            assert_eq!(blocks, sizes());
            for size in &found.sizes {
                let names: Vec<&str> =
                    size.figures.iter().map(|figure| figure.participant.as_str()).collect();
                let row = sweep.row(size.blocks);
                for participant in &participants {
                    let takes_part =
                        sweep.has(participant) && participant.open(&row).unwrap().is_some();
                    assert_eq!(names.contains(&participant.name.as_str()), takes_part);
                }
                assert!(names.len() >= 5, "{names:?}");
            }
        }
    }
}
