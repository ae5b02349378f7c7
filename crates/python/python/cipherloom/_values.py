"""Values and columns of them: keywords in, a plan of the native part at work."""

import os
from typing import Any

from ._cipherloom import Error, Plan, Records


def decrypt(
    value: Any,
    *,
    preset: str,
    password: Any = None,
    key: Any = None,
    key_file: str | os.PathLike[str] | None = None,
    iv: Any = None,
    salt: Any = None,
    text: bool = False,
    **options: Any,
) -> Any:
    """The plaintext of one value that a program wrote in its own way (`preset`), as bytes.

    A value that is text is read as that program writes it. Keys that are text are read as its users write
    them, IVs and salts that are text in hex; bytes are taken as they are. With `text`, the plaintext is `str`.

    `options`: `cipher`, `encoding` ("hex", "base64" or "bytes": how the value is written), `padding`, `digest`,
    `count`, `charset` ("bytes", "utf-8" or "utf-16"), where the program's users could choose them.

    Raises `WrongKeyError`, `DamagedError`, `OtherFormatError`, or `Error` for what cannot be used: all are
    `ValueError`.
    """
    plan = Plan(False, preset=preset, key_file=_read(key_file), text=text, **options)
    return plan.open(value, key=_secret(password, key), iv=iv, salt=salt)


def decrypt_records(
    data: Any,
    *,
    cipher: str | None = None,
    preset: str | None = None,
    password: Any = None,
    key: Any = None,
    key_file: str | os.PathLike[str] | None = None,
    iv: Any = None,
    salt: Any = None,
    threads: int = 1,
    **options: Any,
) -> Records:
    """Decrypts a column: a list, an array of NumPy's with two dimensions, or a column of Arrow's.

    `key`, `password`, `iv` and `salt` are one value for all records, or a column of the same length. What is
    text is read as `decrypt` says; data of a `cipher` and its keys in hex. `options` are those of `decrypt`, and
    `text`: whether results are text; a cipher's are bytes unless that is said.

    A record that cannot be decrypted has a status and an error, and no result; nothing is raised for it.
    """
    plan = Plan(False, cipher=cipher, preset=preset, key_file=_read(key_file), **options)
    return plan.run(data, key=_secret(password, key), iv=iv, salt=salt, threads=threads)


def encrypt_records(
    data: Any,
    *,
    cipher: str,
    key: Any,
    iv: Any = None,
    padding: str | None = None,
    encoding: str | None = None,
    text: bool | None = None,
    threads: int = 1,
) -> Records:
    """Encrypts a column, as `decrypt_records` decrypts one; data that is text is encrypted in UTF-8.

    With `text`, results are text, in hex or as `encoding` says.
    """
    plan = Plan(True, cipher=cipher, padding=padding, encoding=encoding, text=text)
    return plan.run(data, key=key, iv=iv, threads=threads)


def _secret(password: Any, key: Any) -> Any:
    if password is not None and key is not None:
        raise Error("give a password or a key, not both")
    return key if password is None else password


def _read(path: str | os.PathLike[str] | None) -> bytes | None:
    if path is None:
        return None
    with open(path, "rb") as file:
        return file.read()
