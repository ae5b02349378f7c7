"""DES, Triple-DES and RC4 at the speed of the hardware, for reading and moving old data.

>>> import cipherloom
>>> cipherloom.decrypt("FF8F7777B28C7A459A", preset="mysql", password="sabakala")
b'dog'

These ciphers are withdrawn: protect nothing new with them.
"""

from ._cipherloom import (
    ArrowArray,
    BlockKey,
    DamagedError,
    Decryptor,
    Des,
    Desx,
    Encryptor,
    Error,
    Guess,
    Mac,
    Mode,
    OtherFormatError,
    PaddingError,
    Preset,
    Rc4,
    Records,
    SelfTestError,
    TagError,
    TdesEde2,
    TdesEde3,
    TdesEee2,
    TdesEee3,
    WrongKeyError,
    __version__,
    ciphers,
    presets,
    what,
)
from ._values import decrypt, decrypt_records, encrypt, encrypt_records

__all__ = [
    "ArrowArray",
    "BlockKey",
    "DamagedError",
    "Decryptor",
    "Des",
    "Desx",
    "Encryptor",
    "Error",
    "Guess",
    "Mac",
    "Mode",
    "OtherFormatError",
    "PaddingError",
    "Preset",
    "Rc4",
    "Records",
    "SelfTestError",
    "TagError",
    "TdesEde2",
    "TdesEde3",
    "TdesEee2",
    "TdesEee3",
    "WrongKeyError",
    "__version__",
    "ciphers",
    "decrypt",
    "decrypt_records",
    "encrypt",
    "encrypt_records",
    "presets",
    "what",
]
