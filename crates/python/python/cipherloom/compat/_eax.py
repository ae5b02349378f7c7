"""EAX, as pycryptodome's users know it."""

from collections.abc import Callable
from hmac import compare_digest

from .._cipherloom import BlockKey, Mac, Mode
from ._modes import BLOCK, Buffer, Cipher, Output, xor


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
            self._tag = xor(xor(self._nonce_tag, parts[0]), parts[1])[: self._mac_len]
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


def _omac(key: BlockKey, number: int) -> Mac:
    mac = Mac.cmac(key)
    mac.update(number.to_bytes(BLOCK, "big"))
    return mac
