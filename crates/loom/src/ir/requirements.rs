//! What a description asks of a processor: its strategy states it, an instruction set answers.

/// What a description computes with.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Requirements {
    /// Words of 64 bits.
    pub wide_words: bool,
    /// Words whose bits are rotated.
    pub rotation: bool,
    /// Words whose bytes are reversed.
    pub byte_reversal: bool,
    /// Vectors of so many bits; of 64 a word may take their place.
    pub vectors: Option<u16>,
    /// Vectors whose bits are chosen from two others.
    pub bit_select: bool,
    /// That such a choice costs no more than other logic.
    pub cheap_select: bool,
    /// That an exclusive or of three vectors, or of one and of what is in another and not in a third, does
    /// not either.
    pub xor_three: bool,
    /// Vectors whose parts of 64 bits are rotated, each an exclusive or of two others.
    pub xor_rotated: bool,
    /// Operations of three inputs, by their truth tables.
    pub ternary_logic: bool,
    /// Vectors whose words are taken in turns, of all sizes.
    pub interleaving: bool,
    /// Bits moved together and apart under masks.
    pub bit_deposit: bool,
    /// Products over GF(2), with matrices of bits.
    pub products: bool,
    /// Vectors into which bytes of memory are put.
    pub inserted_bytes: bool,
    /// Tables of bytes in registers.
    pub byte_tables: bool,
    /// Tables that gain where the nearest cache is large.
    pub large_tables: bool,
    /// Tables whose entries stand so far apart that an index is cut out where it stands, for processors that take no
    /// field of a word in one instruction.
    pub spaced_tables: bool,
    /// Entries stored two at once, the lowest byte first.
    pub paired_stores: bool,
    /// Words chosen by a comparison of others.
    pub selection: bool,
    /// Loads that are made where two words are equal, and only there.
    pub rare_loads: bool,
    /// Of these, from arrays of bytes.
    pub byte_entries: bool,
    /// Independent blocks interleaved.
    pub interleaved: bool,
}
