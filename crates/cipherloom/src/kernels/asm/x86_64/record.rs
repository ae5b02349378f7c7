//! What loom says of a kernel.
#![cfg_attr(not(test), allow(dead_code, reason = "records are for tests"))]

/// A kernel's record.
pub(super) struct Record {
    /// Its name.
    pub(super) name: &'static str,
    /// Where it begins.
    pub(super) entry: *const (),
    /// Processor features beyond the baseline.
    pub(super) features: &'static [&'static str],
    /// Whether no address and no branch depends on a secret.
    pub(super) constant_time: bool,
    /// Bytes of constant tables.
    pub(super) table_bytes: usize,
    /// Bytes of stack below the return address, red zone included.
    pub(super) stack_bytes: usize,
    /// Its parameters, in order.
    pub(super) params: &'static [Param],
}

/// A parameter.
pub(super) struct Param {
    /// Its name.
    pub(super) name: &'static str,
    /// What a pointer leads to; none: a count of units of work.
    pub(super) memory: Option<(Access, Extent)>,
}

/// What may be done through a pointer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Access {
    Read,
    Write,
    ReadWrite,
}

/// How far a pointer reaches, in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Extent {
    Fixed(usize),
    /// For each unit of work.
    PerCount(usize),
}

#[cfg(test)]
mod tests {
    extern crate std;
    use std::collections::BTreeSet;

    use super::super::generated::RECORDS;
    use super::*;

    /// What this folder relies on, and what may be said of a kernel outside.
    #[test]
    fn records_are_what_backends_say() {
        let names: BTreeSet<_> = RECORDS.iter().map(|record| record.name).collect();
        let entries: BTreeSet<_> = RECORDS.iter().map(|record| record.entry.addr()).collect();
        assert_eq!((names.len(), entries.len()), (RECORDS.len(), RECORDS.len()));
        for Record { name, entry, features, constant_time, table_bytes, stack_bytes, params } in
            RECORDS
        {
            assert_eq!(entry.addr() % 64, 0, "{name}");
            let witnessed = |feature: &&str| ["bmi2", "avx2", "avx512", "vbmi"].contains(feature);
            assert!(features.iter().all(witnessed), "{name}: no witness");
            let suffix = features.iter().all(|feature| name.ends_with(&std::format!("_{feature}")));
            assert!(suffix, "{name}");
            let [sliced, in_tables] = ["bitslice", "_table"].map(|form| name.contains(form));
            let in_registers = name.contains("_reg");
            // Of libdes: a block of two words, schedules as programs have them.
            let of_libdes = name.ends_with(['1', '2', '3']) && name.len() == "des_encrypt1".len();
            assert_eq!(*constant_time, sliced || in_registers, "{name}: what its backend says");
            assert_eq!(*table_bytes >= 4096, in_tables, "{name}");
            assert_eq!(*table_bytes > 0, in_tables || in_registers || of_libdes, "{name}");
            assert!(*stack_bytes <= 4096, "{name}");
            let mut read = std::vec!["schedule", "key", "keys", "windows", "low", "high"];
            read.extend(["masks", "enter", "leave", "ks", "ks1", "ks2", "ks3"]);
            read.extend(name.contains("_piece_in").then_some("blocks"));
            read.extend(name.contains("_piece_out").then_some("rows"));
            for Param { name: param, memory } in *params {
                let access = memory.map(|(access, _)| access);
                assert_eq!(memory.is_none(), ["count", "enc"].contains(param), "{name}, {param}");
                assert_eq!(access == Some(Access::Read), read.contains(param), "{name}, {param}");
                let groups = matches!(memory, Some((_, Extent::PerCount(_))));
                let many = ["data", "out"].contains(param) && !of_libdes;
                assert_eq!(groups, many, "{name}, {param}");
            }
        }
    }
}
