//! Kernels of some width, made of the assembly's functions.

/// Slices in memory.
macro_rules! vectors {
    ($($name:ident, $words:literal;)*) => {$(
        impl Vector for $name {
            const ZERO: Self = Self([0; $words]);

            #[inline(always)]
            fn words(&self) -> &[u64] {
                &self.0
            }

            #[inline(always)]
            fn words_mut(&mut self) -> &mut [u64] {
                &mut self.0
            }
        }
    )*};
}

/// The lanes' numbers, bit by bit: lane v of 64-bit part c is v times the parts, and c.
macro_rules! low {
    ($vector:ident, $words:literal) => {
        const {
            let mut slices = [$vector([0; $words]); ($words as usize * 64).ilog2() as usize];
            let mut lane = 0;
            while lane < 64 * $words {
                let mut bit = 0;
                while bit < slices.len() {
                    slices[bit].0[lane % $words] |= (lane as u64 >> bit & 1) << (lane / $words);
                    bit += 1;
                }
                lane += 1;
            }
            slices
        }
    };
}

/// A kernel of some width, from its functions; those of the assembly begin with witnesses.
macro_rules! widths {
    ($(
        $(#[$doc:meta])*
        $name:ident($witness:ty), $vector:ident of $words:literal,
        |$this:ident| [$($proof:tt)*],
        $piece_in:ident, $rows_in:ident, $rows_out:ident, $piece_out:ident, $piece_out_xor:ident,
        $keys:ident,
        [$($round_proof:tt)*] $des:ident, $tdes:ident,
        [$($counter_proof:tt)*] $counters:ident of $mask:ty,
        $one:ty, $three:ty;
    )*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug)]
        pub(super) struct $name(pub(super) $witness);

        #[allow(unused_variables, reason = "not every function wants a witness")]
        impl $name {
            /// Takes blocks apart, with masks for Y.
            #[inline]
            fn enter_by(self, blocks: &[[u8; 8]], y: &[$mask; HALF], state: &mut State<Self>) {
                let $this = self;
                partial::to_rows(self.0, blocks, state, |blocks: &[_; Self::LANES / 8], rows| {
                    generated::$piece_in($($proof)* bytes(blocks), rows);
                });
                generated::$rows_in($($proof)* y, state);
            }

            /// Puts blocks together, with masks for X.
            #[inline]
            fn leave_by(self, state: &mut State<Self>, x: &[$mask; HALF], blocks: &mut [[u8; 8]]) {
                let $this = self;
                generated::$rows_out($($proof)* state, x);
                partial::to_blocks(self.0, state, blocks, |rows, blocks: &mut [_; Self::LANES / 8]| {
                    generated::$piece_out($($proof)* rows, bytes_mut(blocks));
                });
            }

            /// The same, XORed into blocks.
            #[inline]
            fn leave_xor_by(
                self,
                state: &mut State<Self>,
                x: &[$mask; HALF],
                blocks: &mut [[u8; 8]],
            ) {
                let $this = self;
                generated::$rows_out($($proof)* state, x);
                partial::to_blocks(self.0, state, blocks, |rows, blocks: &mut [_; Self::LANES / 8]| {
                    generated::$piece_out_xor($($proof)* rows, bytes_mut(blocks));
                });
            }
        }

        #[allow(unused_variables, reason = "as above")]
        impl Kernel for $name {
            type Vector = $vector;
            type Blocks = Blocks<{ 64 * $words }>;
            type Des = $one;
            type Tdes = $three;

            const LANES: usize = 64 * $words;
            // A piece, words of a key, and what calls and the assembly keep.
            const BESIDE: usize = 1024 + 64 * $words;
            const NO_BLOCKS: Self::Blocks = Blocks::new();

            fn low() -> &'static [$vector] {
                static LOW: [$vector; (64 * $words as usize).ilog2() as usize] =
                    low!($vector, $words);
                &LOW
            }

            #[inline]
            fn begin<'b>(self, scratch: &'b mut Self::Blocks, first: &[[u8; 8]]) -> &'b mut [[u8; 8]] {
                scratch.begin(self.0, first)
            }

            #[inline]
            fn enter(self, blocks: &[[u8; 8]], state: &mut State<Self>) {
                self.enter_by(blocks, &<$mask>::NOTHING, state);
            }

            #[inline]
            fn leave(self, state: &mut State<Self>, blocks: &mut [[u8; 8]]) {
                self.leave_by(state, &<$mask>::NOTHING, blocks);
            }

            #[inline]
            fn leave_xor(self, state: &mut State<Self>, blocks: &mut [[u8; 8]]) {
                self.leave_xor_by(state, &<$mask>::NOTHING, blocks);
            }

            #[inline]
            fn keys(self, keys: &[[u8; 8]], slices: &mut [$vector; KEY]) {
                let $this = self;
                generated::$keys($($proof)* bytes(keys), slices);
            }

            #[inline]
            fn counters(self, low: &[$vector], high: u64, state: &mut State<Self>) {
                let $this = self;
                let low = low.first_chunk().expect("a slice for each bit of a lane's number");
                generated::$counters($($counter_proof)* low, &<$mask>::of_bits(high), state);
            }

            #[inline]
            fn des(self, state: &mut State<Self>, keys: &[$vector; KEY], windows: &[u64; 16]) {
                let $this = self;
                let (x, y) = halves(state);
                generated::$des($($round_proof)* x, y, keys, &Windows::new(*windows));
            }

            #[inline]
            fn tdes(self, state: &mut State<Self>, keys: &[$vector; 3 * KEY], windows: &[u64; 48]) {
                let $this = self;
                let (x, y) = halves(state);
                generated::$tdes($($round_proof)* x, y, keys, &Windows::new(*windows));
            }
        }
    )*};
}

/// What kernels with one key merged into the halves have more.
macro_rules! merged {
    ($(
        $name:ident, $mask:ty, $inverted:ident, $expand:ident, $des:ident, $tdes:ident;
    )*) => {$(
        impl MergedKeys for $name {
            type Mask = $mask;

            const INVERTED: (u32, u64) = generated::$inverted;

            #[inline]
            fn expand<const N: usize>(self, words: &[u64], masks: &mut Masks<$mask, N>) {
                $expand(self.0, words, masks);
            }

            #[inline]
            fn enter_with(self, blocks: &[[u8; 8]], y: &[$mask; HALF], state: &mut State<Self>) {
                self.enter_by(blocks, y, state);
            }

            #[inline]
            fn des_merged(self, state: &mut State<Self>, masks: &[$mask; ONE_PASS]) {
                let (x, y) = halves(state);
                generated::$des(self.0, x, y, masks);
            }

            #[inline]
            fn tdes_merged(self, state: &mut State<Self>, masks: &[$mask; THREE_PASSES]) {
                let (x, y) = halves(state);
                generated::$tdes(self.0, x, y, masks);
            }

            #[inline]
            fn leave_with(self, state: &mut State<Self>, x: &[$mask; HALF], blocks: &mut [[u8; 8]]) {
                self.leave_by(state, x, blocks);
            }

            #[inline]
            fn leave_xor_with(
                self,
                state: &mut State<Self>,
                x: &[$mask; HALF],
                blocks: &mut [[u8; 8]],
            ) {
                self.leave_xor_by(state, x, blocks);
            }
        }
    )*};
}

/// The halves of a state.
#[inline(always)]
pub(super) fn halves<V>(state: &mut [V; 64]) -> (&mut [V; 32], &mut [V; 32]) {
    let (x, y) = state.split_at_mut(32);
    (x.first_chunk_mut().expect("32 slices before"), y.first_chunk_mut().expect("32 slices behind"))
}

/// So many blocks as bytes.
#[inline(always)]
pub(super) fn bytes<const N: usize>(blocks: &[[u8; 8]]) -> &[u8; N] {
    blocks.as_flattened().first_chunk().expect("so many blocks")
}

#[inline(always)]
pub(super) fn bytes_mut<const N: usize>(blocks: &mut [[u8; 8]]) -> &mut [u8; N] {
    blocks.as_flattened_mut().first_chunk_mut().expect("so many blocks")
}
