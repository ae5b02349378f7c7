"""DES, in place of `Crypto.Cipher.DES`."""

from typing import Any

from .._cipherloom import Des
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
key_size = 8


def new(key: Buffer, mode: int, *args: Any, **kwargs: Any) -> Cipher:
    """A cipher object in a mode: one of `MODE_*`."""
    if len(key) != key_size:
        raise ValueError(f"Incorrect DES key length ({len(key)} bytes)")
    return create(Des(key), mode, *args, **kwargs)
