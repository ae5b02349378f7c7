//! Entries of tables, line by line.

/// Entries on a line.
const LINE: usize = 4;

/// More bytes of zeros than this are a gap.
const GAP: usize = 128;

/// What a line is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Run<'a> {
    /// These.
    Entries(&'a [u64]),
    /// So many zeros.
    Gap(usize),
}

/// The lines of entries of so many bytes.
pub fn runs(bytes: u8, entries: &[u64]) -> Vec<Run<'_>> {
    let mut runs = Vec::new();
    let mut rest = entries;
    while !rest.is_empty() {
        let zeros = rest.iter().take_while(|entry| **entry == 0).count();
        // What follows a gap begins a line.
        let zeros = if zeros == rest.len() { zeros } else { zeros - zeros % LINE };
        let (run, many) = match zeros * usize::from(bytes) {
            ..=GAP => {
                let many = rest.len().min(LINE);
                (Run::Entries(&rest[..many]), many)
            }
            _ => (Run::Gap(zeros), zeros),
        };
        runs.push(run);
        rest = &rest[many..];
    }
    runs
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_gap_is_one_line() {
        let mut entries = [0; 43];
        entries[0] = 7;
        entries[37] = 8;
        let (first, then) = (Run::Entries(&entries[..4]), Run::Entries(&entries[36..40]));
        assert_eq!(runs(8, &entries), [first, Run::Gap(32), then, Run::Entries(&[0; 3])]);
        assert_eq!(runs(4, &entries).len(), 11);
        assert_eq!(runs(8, &[0; 17]), [Run::Gap(17)]);
        assert_eq!(runs(8, &[]), []);
    }
}
