"""RC4, in place of `Crypto.Cipher.ARC4`."""

from collections.abc import Iterable

from .._cipherloom import Rc4
from ._modes import Buffer

block_size: int = 1
key_size: Iterable[int] = range(1, 256 + 1)


class ARC4Cipher:
    """A stream; `new` makes one."""

    def __init__(self, key: Buffer, drop: int = 0) -> None:
        if len(key) not in key_size:
            raise ValueError(f"Incorrect ARC4 key length ({len(key)} bytes)")
        self._stream = Rc4(key, drop=drop)
        self.block_size = block_size
        self.key_size = len(key)

    def encrypt(self, plaintext: Buffer) -> bytes:
        """The next piece, encrypted."""
        return self._stream.apply(plaintext)

    def decrypt(self, ciphertext: Buffer) -> bytes:
        """The next piece, decrypted: the same."""
        return self._stream.apply(ciphertext)


def new(key: Buffer, drop: int = 0) -> ARC4Cipher:
    """A stream under a key of 1 to 256 bytes; `drop` bytes of the key stream are left out first."""
    return ARC4Cipher(key, drop)
