//! Buffers of secrets, wiped by wide stores.

use zeroize::optimization_barrier;

/// Bytes written or copied at a time: for more, some systems' `memset` and `memcpy` turn to string
/// instructions, which take a hundred cycles to begin.
pub(crate) const AT_A_TIME: usize = 1024;

/// Wipes blocks by wide stores: bulk work would feel [`Zeroize`]'s store per byte.
pub(crate) fn wipe<T: Copy + Default>(blocks: &mut [T]) {
    for some in blocks.chunks_mut(AT_A_TIME / size_of::<T>()) {
        some.fill(T::default());
        optimization_barrier(some);
    }
}
