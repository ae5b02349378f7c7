"""Cipher objects as pycryptodome's users know them: a class for each mode, on the library's modes."""

import os
from collections.abc import Callable, Mapping
from hmac import compare_digest
from typing import Any, TypeAlias, overload

from .._cipherloom import BlockKey, Mac, Mode

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
            crypted = _xor(piece, self._stream[: len(piece)])
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
        return _xor(bytes(data), used)

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


class EaxMode(Cipher):
    """EAX (Bellare, Rogaway, Wagner 2004): counter mode, and a tag of all."""

    def __init__(self, key: BlockKey, nonce: Buffer, mac_len: int) -> None:
        if not 2 <= mac_len <= BLOCK:
            raise ValueError(f"'mac_len' must be at least 2 and not larger than {BLOCK}")
        if not isinstance(nonce, (bytes, bytearray, memoryview)):
            raise TypeError("nonce must be bytes, bytearray or memoryview")
        self.nonce = bytes(nonce)
        if not self.nonce:
            raise ValueError("Nonce cannot be empty in EAX mode")
        self._mac_len = mac_len
        of_nonce, self._header, self._of_ciphertext = (_omac(key, number) for number in range(3))
        of_nonce.update(self.nonce)
        self._nonce_tag = of_nonce.finish()
        self._tag: bytes | None = None
        self._next = {"update", "encrypt", "decrypt", "digest", "verify"}
        stream = Mode.ctr(self._nonce_tag).encryptor(key).update
        super().__init__(lambda data: self._taken(stream(data)), lambda data: self._taken(data, stream))

    def _taken(self, ciphertext: Buffer, stream: Callable[[Buffer], bytes] | None = None) -> bytes:
        self._of_ciphertext.update(ciphertext)
        return bytes(ciphertext) if stream is None else stream(ciphertext)

    def update(self, assoc_data: Buffer) -> "EaxMode":
        """Takes more of the data that is authenticated and not encrypted."""
        self._step("update", "update() can only be called immediately after initialization")
        self._header.update(assoc_data)
        return self

    def _run(
        self,
        name: str,
        other: str,
        crypt: Callable[[Buffer], bytes],
        data: Buffer,
        output: Output | None,
    ) -> bytes | None:
        self._step(name, f"{name}() can only be called after initialization or an update()")
        return super()._run(name, other, crypt, data, output)

    def _step(self, name: str, refusal: str) -> None:
        if name not in self._next:
            raise TypeError(refusal)
        self._next = {
            "update": {"update", "encrypt", "decrypt", "digest", "verify"},
            "encrypt": {"encrypt", "digest"},
            "decrypt": {"decrypt", "verify"},
            "digest": {"digest"},
            "verify": {"verify"},
        }[name]

    def _whole_tag(self) -> bytes:
        if self._tag is None:
            parts = self._header.finish(), self._of_ciphertext.finish()
            self._tag = _xor(_xor(self._nonce_tag, parts[0]), parts[1])[: self._mac_len]
        return self._tag

    def digest(self) -> bytes:
        """The tag."""
        self._step("digest", "digest() cannot be called when decrypting or validating a message")
        return self._whole_tag()

    def hexdigest(self) -> str:
        """The tag in hex."""
        return self.digest().hex()

    def verify(self, received_mac_tag: Buffer) -> None:
        """ValueError if the tag is another."""
        self._step("verify", "verify() cannot be called when encrypting a message")
        if not compare_digest(self._whole_tag(), received_mac_tag):
            raise ValueError("MAC check failed")

    def hexverify(self, hex_mac_tag: str) -> None:
        """ValueError if the tag, in hex, is another."""
        self.verify(bytes.fromhex(hex_mac_tag))

    def encrypt_and_digest(
        self, plaintext: Buffer, output: Output | None = None
    ) -> tuple[bytes | None, bytes]:
        """The ciphertext and the tag."""
        return self.encrypt(plaintext, output), self.digest()

    def decrypt_and_verify(
        self, ciphertext: Buffer, received_mac_tag: Buffer, output: Output | None = None
    ) -> bytes | None:
        """The plaintext; ValueError if the tag is another."""
        plaintext = self.decrypt(ciphertext, output)
        self.verify(received_mac_tag)
        return plaintext


def create(key: BlockKey, mode: int, *args: Any, **options: Any) -> Cipher:
    """A cipher object in a mode, from the arguments of `new`."""
    takes_iv, takes_nonce = mode in (2, 3, 5, 7), mode == 9
    if args and mode == 1:
        raise TypeError("IV is not meaningful for the ECB mode")
    if len(args) > int(takes_iv or takes_nonce):
        raise TypeError("Too many arguments for this mode")
    if args:
        options["IV" if takes_iv else "nonce"] = args[0]
    made: Cipher
    if mode == 1:
        made = EcbMode(key)
    elif mode == 2:
        made = CbcMode(key, _iv(options))
    elif mode == 3:
        segment, rest = divmod(options.pop("segment_size", 8), 8)
        iv = _iv(options)
        if rest != 0 or not 1 <= segment <= BLOCK:
            raise ValueError("'segment_size' must be positive and multiple of 8 bits")
        made = CfbMode(key, iv, segment)
    elif mode == 5:
        made = OfbMode(key, _iv(options))
    elif mode == 6:
        made = _ctr(key, options)
    elif mode == 7:
        made = OpenPgpMode(key, _iv(options, is_any=True))
    elif mode == 9:
        nonce = options.pop("nonce", None)
        made = EaxMode(key, os.urandom(16) if nonce is None else nonce, options.pop("mac_len", BLOCK))
    else:
        raise ValueError("Mode not supported")
    if options:
        raise TypeError(f"Unknown parameters: {', '.join(options)}")
    return made


def _iv(options: dict[str, Any], is_any: bool = False) -> bytes:
    given = [options.pop(name) for name in ("iv", "IV") if options.get(name) is not None]
    for name in ("iv", "IV"):
        options.pop(name, None)
    if len(given) > 1:
        raise TypeError("You must either use 'iv' or 'IV', not both")
    iv = given[0] if given else os.urandom(BLOCK)
    if not isinstance(iv, (bytes, bytearray, memoryview)):
        raise TypeError("IV must be bytes, bytearray or memoryview")
    if len(iv) != BLOCK and not is_any:
        raise ValueError(f"Incorrect IV length (it must be {BLOCK} bytes long)")
    return bytes(iv)


def _ctr(key: BlockKey, options: dict[str, Any]) -> CtrMode:
    threads = options.pop("threads", 1)
    if not isinstance(threads, int) or isinstance(threads, bool):
        raise TypeError("'threads' must be an integer")
    if threads < 0:
        raise ValueError("'threads' must be a non-negative integer")
    counter = options.pop("counter", None)
    nonce, start = options.pop("nonce", None), options.pop("initial_value", None)
    if counter is not None:
        if nonce is not None or start is not None:
            raise TypeError("'counter' and 'nonce'/'initial_value' are mutually exclusive")
        return _ctr_of_counter(key, counter)
    if nonce is None:
        raise TypeError("Impossible to create a safe nonce for short block sizes")
    if len(nonce) >= BLOCK:
        raise ValueError("Nonce is too long")
    length = BLOCK - len(nonce)
    if start is None:
        start = 0
    if not isinstance(start, int):
        if len(start) != length:
            raise ValueError(f"Incorrect length for counter byte string ({len(start)} bytes, expected {length})")
        start = int.from_bytes(start, "big")
    if start >= 1 << (8 * length):
        raise ValueError("Initial counter value is too large")
    return CtrMode(key, bytes(nonce), b"", length, start, False)


def _ctr_of_counter(key: BlockKey, counter: Mapping[str, Any]) -> CtrMode:
    try:
        length, prefix, suffix = counter["counter_len"], counter["prefix"], counter["suffix"]
        start, is_little = counter["initial_value"], counter["little_endian"]
    except (KeyError, TypeError):
        raise TypeError("Incorrect counter object (use Counter.new)") from None
    size = len(prefix) + length + len(suffix)
    if size != BLOCK:
        raise ValueError(f"Size of the counter block ({size} bytes) must match block size ({BLOCK})")
    return CtrMode(key, bytes(prefix), bytes(suffix), length, start, is_little)


def _omac(key: BlockKey, number: int) -> Mac:
    mac = Mac.cmac(key)
    mac.update(number.to_bytes(BLOCK, "big"))
    return mac


def _xor(a: bytes, b: bytes) -> bytes:
    return (int.from_bytes(a, "big") ^ int.from_bytes(b, "big")).to_bytes(len(a), "big")
