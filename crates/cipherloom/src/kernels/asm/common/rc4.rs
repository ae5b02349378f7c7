//! RC4 by assembly, whatever the layout of S: what the other layers call.

/// The types, of all layouts that a processor has kernels for.
macro_rules! by_layout {
    ($($layout:ident)*) => {
        /// The kernels for a layout of S.
        #[derive(Clone, Copy, Debug)]
        pub(crate) enum Rc4 {
            $($layout(<$layout as Layout>::Witness),)*
        }

        impl Rc4 {
            /// Those for so many bytes an entry that need a feature, if there are such and this processor has it.
            #[inline(always)]
            pub(crate) fn of(feature: Feature, entry: usize) -> Option<Self> {
                $(if (feature, entry) == ($layout::FEATURE, $layout::ENTRY) {
                    return $layout::detect().map(Self::$layout);
                })*
                None
            }

            /// Bytes of an entry of S.
            pub(crate) fn entry(self) -> usize {
                match self {
                    $(Self::$layout(_) => $layout::ENTRY,)*
                }
            }

            /// Makes a blank state that of a key (KSA). `key` has 1 to 256 bytes; callers check.
            #[inline(always)]
            pub(crate) fn set_up(self, state: &mut State, key: &[u8]) {
                match self {
                    $(Self::$layout(_) => rc4_layout::set_up::<$layout>($layout::of(state), key),)*
                }
            }

            /// XORs the next bytes of the keystream into `data`.
            #[inline(always)]
            pub(crate) fn apply(self, state: &mut State, data: &mut [u8]) {
                match self {
                    $(Self::$layout(by) => $layout::apply_to(by, state, data),)*
                }
            }
        }

        /// Up to [`INTERLEAVED`] keystreams that move together, where they lie.
        ///
        /// They share i: a stream can join only where the others have made a multiple of 256 bytes.
        pub(crate) enum Streams<'s> {
            $($layout(&'s mut rc4_layout::Streams<$layout>),)*
        }

        impl Streams<'_> {
            /// Hands out room for streams, of which there is none yet. It is wiped behind the work.
            pub(crate) fn with<R>(kernels: Rc4, work: impl FnOnce(Streams<'_>) -> R) -> R {
                match kernels {
                    $(Rc4::$layout(by) => work(Streams::$layout(&mut rc4_layout::Streams::none(by))),)*
                }
            }

            /// How many there are.
            pub(crate) fn count(&self) -> usize {
                match self {
                    $(Self::$layout(streams) => streams.count(),)*
                }
            }

            /// Adds the streams of some keys, at their start, behind those that are there.
            pub(crate) fn add(&mut self, keys: &[&[u8]]) {
                match self {
                    $(Self::$layout(streams) => streams.add(keys),)*
                }
            }

            /// Writes the next bytes of every keystream: a group of each, then the next group of each.
            pub(crate) fn keystreams(&mut self, out: &mut [u8]) {
                match self {
                    $(Self::$layout(streams) => streams.keystreams(out),)*
                }
            }

            /// Ends stream `n`; the last one takes its number.
            pub(crate) fn remove(&mut self, n: usize) {
                match self {
                    $(Self::$layout(streams) => streams.remove(n),)*
                }
            }

            /// XORs the next bytes of the first keystream into `data`; it is of no more use then.
            pub(crate) fn finish(&mut self, data: &mut [u8]) {
                match self {
                    $(Self::$layout(streams) => streams.finish(data),)*
                }
            }
        }
    };
}
