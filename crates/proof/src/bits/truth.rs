//! Functions of at most 6 bits as words: truth tables, and algebraic normal forms.

/// Truth tables of the variables: bit a of `VARIABLES[n]` is bit n of a.
pub(super) const VARIABLES: [u64; 6] = [
    0xaaaa_aaaa_aaaa_aaaa,
    0xcccc_cccc_cccc_cccc,
    0xf0f0_f0f0_f0f0_f0f0,
    0xff00_ff00_ff00_ff00,
    0xffff_0000_ffff_0000,
    0xffff_ffff_0000_0000,
];

/// All entries of a table of `rank` variables.
pub(super) fn ones(rank: usize) -> u64 {
    if rank == 6 { u64::MAX } else { (1 << (1 << rank)) - 1 }
}

/// From a truth table to the algebraic normal form (bit m is the coefficient of the product of m's
/// variables), and back: the Möbius transform.
pub(super) fn moebius(mut table: u64, rank: usize) -> u64 {
    for (n, variable) in VARIABLES.iter().enumerate().take(rank) {
        table ^= (table & !variable) << (1 << n);
    }
    table & ones(rank)
}

/// The table of f(x + a).
pub(super) fn shifted(mut table: u64, a: u32, rank: usize) -> u64 {
    for (n, variable) in VARIABLES.iter().enumerate().take(rank) {
        if a >> n & 1 == 1 {
            table = (table & variable) >> (1 << n) | (table & !variable) << (1 << n);
        }
    }
    table
}

/// The table of a function of bits whose tables are given; bit n of its argument is the n-th.
pub(super) fn compose(table: u64, inner: &[u64], rank: usize) -> u64 {
    sampled(table, inner) & ones(rank)
}

/// A function of samples, by its truth table: by Shannon's expansion, variable by variable.
pub(super) fn sampled(table: u64, inputs: &[u64]) -> u64 {
    let Some((&last, rest)) = inputs.split_last() else {
        return if table & 1 == 1 { u64::MAX } else { 0 };
    };
    let half = 1 << rest.len();
    let low = table & !VARIABLES[rest.len()];
    let high = (table & VARIABLES[rest.len()]) >> half;
    (sampled(low, rest) & !last) | (sampled(high, rest) & last)
}

/// The number that tables have as bits at entry `a`.
pub(super) fn index(tables: &[u64], a: u32) -> u64 {
    tables.iter().enumerate().fold(0, |index, (n, table)| index | (table >> a & 1) << n)
}
