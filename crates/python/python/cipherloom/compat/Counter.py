"""Counter blocks for MODE_CTR, in place of `Crypto.Util.Counter`."""

from typing import TypedDict


class CounterParams(TypedDict):
    """A counter block: a prefix, the counter, a suffix."""

    counter_len: int
    prefix: bytes
    suffix: bytes
    initial_value: int
    little_endian: bool


def new(
    nbits: int,
    prefix: bytes = b"",
    suffix: bytes = b"",
    initial_value: int = 1,
    little_endian: bool = False,
    allow_wraparound: bool = False,
) -> CounterParams:
    """A counter of `nbits` bits between prefix and suffix. `allow_wraparound` has no effect."""
    if nbits % 8 != 0:
        raise ValueError("the counter's bits must be a multiple of 8")
    if initial_value.bit_length() > nbits:
        raise ValueError(f"the initial value does not fit into {nbits} bits")
    return {
        "counter_len": nbits // 8,
        "prefix": bytes(prefix),
        "suffix": bytes(suffix),
        "initial_value": initial_value,
        "little_endian": little_endian,
    }
