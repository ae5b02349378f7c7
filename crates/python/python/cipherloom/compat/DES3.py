"""Triple-DES, in place of `Crypto.Cipher.DES3`."""

from typing import Any

from .._cipherloom import TdesEde2, TdesEde3
from ._modes import Buffer, Cipher
from ._new import create

MODE_ECB = 1
MODE_CBC = 2
MODE_CFB = 3
MODE_OFB = 5
MODE_CTR = 6
MODE_OPENPGP = 7
MODE_EAX = 9

block_size = 8
key_size = (16, 24)

#: Every byte with its lowest bit made so that the number of ones is odd.
_ODD = bytes(byte & 0xFE | (~(byte >> 1).bit_count() & 1) for byte in range(256))


def adjust_key_parity(key_in: Buffer) -> bytes:
    """The key with odd parity; ValueError for a length that no key has, or a key that is but a DES key."""
    key = bytes(key_in)
    if len(key) not in key_size:
        raise ValueError("Not a valid TDES key")
    key = key.translate(_ODD)
    if key[:8] == key[8:16] or key[-16:-8] == key[-8:]:
        raise ValueError("Triple DES key degenerates to single DES")
    return key


def new(key: Buffer, mode: int, *args: Any, **kwargs: Any) -> Cipher:
    """A cipher object in a mode: one of `MODE_*`. The key has 16 or 24 bytes."""
    odd = adjust_key_parity(key)
    return create(TdesEde2(odd) if len(odd) == 16 else TdesEde3(odd), mode, *args, **kwargs)
