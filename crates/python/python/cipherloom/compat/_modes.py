"""Cipher objects as pycryptodome's users know them: a class for each mode, on the library's modes."""

from collections.abc import Callable
from typing import TypeAlias, overload

from .._cipherloom import BlockKey, Mode

Buffer: TypeAlias = bytes | bytearray | memoryview
Output: TypeAlias = bytearray | memoryview

BLOCK = 8


class MessageTooLongError(ValueError, OverflowError):
    """The counter would come to a value that it had before."""


class Cipher:
    """What all modes have: pieces of a message, in one direction once it has begun."""

    block_size: int = BLOCK
    _name: str
    _is_free: bool = False

    def __init__(self, encrypt: Callable[[Buffer], bytes], decrypt: Callable[[Buffer], bytes]) -> None:
        self._encrypt, self._decrypt = encrypt, decrypt
        self._begun: str | None = None

    @overload
    def encrypt(self, plaintext: Buffer) -> bytes: ...
    @overload
    def encrypt(self, plaintext: Buffer, output: Output) -> None: ...
    @overload
    def encrypt(self, plaintext: Buffer, output: Output | None = None) -> bytes | None: ...
    def encrypt(self, plaintext: Buffer, output: Output | None = None) -> bytes | None:
        """The next piece, encrypted, or written to `output`, which is as long."""
        return self._run("encrypt", "decrypt", self._encrypt, plaintext, output)

    @overload
    def decrypt(self, ciphertext: Buffer) -> bytes: ...
    @overload
    def decrypt(self, ciphertext: Buffer, output: Output) -> None: ...
    @overload
    def decrypt(self, ciphertext: Buffer, output: Output | None = None) -> bytes | None: ...
    def decrypt(self, ciphertext: Buffer, output: Output | None = None) -> bytes | None:
        """The next piece, decrypted, or written to `output`, which is as long."""
        return self._run("decrypt", "encrypt", self._decrypt, ciphertext, output)

    def _run(
        self,
        name: str,
        other: str,
        crypt: Callable[[Buffer], bytes],
        data: Buffer,
        output: Output | None,
    ) -> bytes | None:
        if self._begun == other:
            raise TypeError(f"{name}() cannot be called after {other}()")
        if not self._is_free:
            self._begun = name
        if output is None:
            return crypt(data)
        place = memoryview(output)
        if place.readonly:
            raise TypeError("output must be a bytearray or a writeable memoryview")
        if len(place) != len(data):
            raise ValueError(f"output must have the same length as the input  ({len(data)} bytes)")
        place[:] = crypt(data)
        return None


def _whole(name: str, crypt: Callable[[Buffer], bytes]) -> Callable[[Buffer], bytes]:
    """The same for whole blocks alone."""

    def checked(data: Buffer) -> bytes:
        if len(data) % BLOCK != 0:
            raise ValueError(f"Data must be padded to {BLOCK} byte boundary in {name} mode")
        return crypt(data)

    return checked


class EcbMode(Cipher):
    """Electronic codebook."""

    _is_free = True

    def __init__(self, key: BlockKey) -> None:
        mode = Mode.ecb(padding="none")
        super().__init__(
            _whole("ECB", lambda data: mode.encrypt(key, data)),
            _whole("ECB", lambda data: mode.decrypt(key, data)),
        )


class _WithIv(Cipher):
    """A mode with an IV, on one of the library's."""

    def __init__(self, key: BlockKey, iv: Buffer, mode: Mode, name: str | None = None) -> None:
        encrypt: Callable[[Buffer], bytes] = mode.encryptor(key).update
        decrypt: Callable[[Buffer], bytes] = mode.decryptor(key).update
        if name is not None:
            encrypt, decrypt = _whole(name, encrypt), _whole(name, decrypt)
        super().__init__(encrypt, decrypt)
        self.iv = self.IV = bytes(iv)


class CbcMode(_WithIv):
    """Cipher block chaining."""

    def __init__(self, key: BlockKey, iv: Buffer) -> None:
        super().__init__(key, iv, Mode.cbc(iv, padding="none"), "CBC")


class OfbMode(_WithIv):
    """Output feedback."""

    def __init__(self, key: BlockKey, iv: Buffer) -> None:
        super().__init__(key, iv, Mode.ofb(iv))


class CfbMode(_WithIv):
    """Cipher feedback; segments of 8 and 64 bits are the library's, others are put together here."""

    def __init__(self, key: BlockKey, iv: Buffer, segment: int = 1) -> None:
        super().__init__(key, iv, Mode.cfb8(iv) if segment == 1 else Mode.cfb64(iv))
        if segment not in (1, BLOCK):
            feedback = _Feedback(key, bytes(iv), segment)
            self._encrypt = lambda data: feedback.crypt(data, is_encryption=True)
            self._decrypt = lambda data: feedback.crypt(data, is_encryption=False)


class _Feedback:
    """Cipher feedback with segments of any number of bytes; a piece may end within one."""

    def __init__(self, key: BlockKey, iv: bytes, segment: int) -> None:
        self._key, self._mode, self._segment = key, Mode.ecb(padding="none"), segment
        self._register, self._stream, self._ciphertext = iv, b"", b""

    def crypt(self, data: Buffer, is_encryption: bool) -> bytes:
        rest, result = memoryview(data).cast("B"), bytearray()
        while len(rest) > 0:
            if not self._stream:
                block = self._mode.encrypt(self._key, self._register)
                self._stream = block[: self._segment]
            piece = bytes(rest[: len(self._stream)])
            rest = rest[len(piece) :]
            crypted = xor(piece, self._stream[: len(piece)])
            self._stream = self._stream[len(piece) :]
            result += crypted
            self._ciphertext += crypted if is_encryption else piece
            if not self._stream:
                self._register = (self._register + self._ciphertext)[-BLOCK:]
                self._ciphertext = b""
        return bytes(result)


class CtrMode(Cipher):
    """Counter mode: a counter between a prefix and a suffix."""

    def __init__(
        self, key: BlockKey, prefix: bytes, suffix: bytes, length: int, start: int, is_little: bool
    ) -> None:
        super().__init__(self._crypt, self._crypt)
        if not suffix:
            self.nonce = prefix
        self._key, self._prefix, self._suffix = key, prefix, suffix
        self._length, self._is_little = length, is_little
        self._values = 1 << (8 * length)
        #: Bytes until the counter has had every value, and until it is zero again.
        self._left = BLOCK * self._values
        self._begin(start)

    def _begin(self, value: int) -> None:
        self._until_zero = BLOCK * (self._values - value)
        if self._is_little or self._suffix:
            self._next, self._held = value, b""
            self._stream = self._keystream
        else:
            block = self._prefix + value.to_bytes(self._length, "big")
            self._stream = Mode.ctr(block).encryptor(self._key).update

    def _keystream(self, data: Buffer) -> bytes:
        blocks = -(-(len(data) - len(self._held)) // BLOCK)
        order = "little" if self._is_little else "big"
        counters = b"".join(
            self._prefix + value.to_bytes(self._length, order) + self._suffix  # type: ignore[arg-type]
            for value in range(self._next, self._next + blocks)
        )
        self._next += max(blocks, 0)
        self._held += Mode.ecb(padding="none").encrypt(self._key, counters)
        used, self._held = self._held[: len(data)], self._held[len(data) :]
        return xor(bytes(data), used)

    def _crypt(self, data: Buffer) -> bytes:
        if len(data) > self._left:
            raise MessageTooLongError("The counter has wrapped around in CTR mode")
        self._left -= len(data)
        if len(data) < self._until_zero:
            self._until_zero -= len(data)
            return self._stream(data)
        view, room = memoryview(data).cast("B"), self._until_zero
        first = self._stream(view[:room])
        self._begin(0)
        rest = view[room:]
        self._until_zero -= len(rest)
        return first + self._stream(rest)


class OpenPgpMode(Cipher):
    """OpenPGP's variant of cipher feedback (RFC 4880 section 13.9, without its last step)."""

    def __init__(self, key: BlockKey, iv: Buffer) -> None:
        first = CfbMode(key, bytes(BLOCK), BLOCK)
        if len(iv) == BLOCK:
            clear = bytes(iv)
            encrypted = first.encrypt(clear + clear[-2:])
        elif len(iv) == BLOCK + 2:
            encrypted = bytes(iv)
            clear = first.decrypt(encrypted)[:-2]
        else:
            raise ValueError(f"Length of IV must be {BLOCK} or {BLOCK + 2} bytes for MODE_OPENPGP")
        self.iv = self.IV = clear
        rest = CfbMode(key, encrypted[-BLOCK:], BLOCK)
        self._header = encrypted
        super().__init__(lambda data: self._with_header(rest.encrypt(data)), rest.decrypt)

    def _with_header(self, ciphertext: bytes) -> bytes:
        header, self._header = self._header, b""
        return header + ciphertext


def xor(a: bytes, b: bytes) -> bytes:
    return (int.from_bytes(a, "big") ^ int.from_bytes(b, "big")).to_bytes(len(a), "big")
