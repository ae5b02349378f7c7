"""Values and columns of them: keywords in, a plan of the native part at work."""

import os
from typing import Any

from ._cipherloom import Error, Plan, Records, presets


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


def encrypt(
    value: Any,
    *,
    preset: str,
    password: Any = None,
    key: Any = None,
    key_file: str | os.PathLike[str] | None = None,
    iv: Any = None,
    salt: Any = None,
    text: bool | None = None,
    **options: Any,
) -> Any:
    """One value as a program writes it (`preset`), for those who must answer such a program.

    It is text, or bytes where the program writes bytes or where `text` is False. A salt and an IV that stand in
    the value are random unless they are given. Secrets and `options` are those of `decrypt`.

    Raises `Error` for what cannot be used.
    """
    plan = Plan(True, preset=preset, key_file=_read(key_file), text=text, **options)
    return plan.seal(value, key=_secret(password, key), iv=iv, salt=salt)


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
    text is read as `decrypt` says; data of a `cipher` and its keys in hex. With `iv_prefix`, the IV is the first
    8 bytes of each record's data. `options` are those of `decrypt`, and `text`: whether results are text; a
    cipher's are bytes unless that is said.

    A record that cannot be decrypted has a status and an error, and no result; nothing is raised for it.
    """
    plan = Plan(False, cipher=cipher, preset=preset, key_file=_read(key_file), **options)
    return plan.run(data, key=_secret(password, key), iv=iv, salt=salt, threads=threads)


def encrypt_records(
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
    """Encrypts a column, as `decrypt_records` decrypts one.

    Data that is text is encrypted in UTF-8, or in what the preset's program uses. Results of a cipher are bytes;
    with `text`, they are text, in hex or as `encoding` says. With `iv_prefix`, each record gets a random IV, which
    stands before its result. Results of a preset are what `encrypt` gives.
    """
    plan = Plan(True, cipher=cipher, preset=preset, key_file=_read(key_file), **options)
    return plan.run(data, key=_secret(password, key), iv=iv, salt=salt, threads=threads)


def results_are_text(work: Any, options: dict[str, Any]) -> bool:
    """Whether results are text, for columns whose kind must be known before the work."""
    if options.get("text") is not None or options.get("preset") is None:
        return bool(options.get("text"))
    if work is decrypt_records:
        return True
    if options.get("encoding") is not None:
        return bool(options["encoding"] != "bytes")
    return any(preset.is_text for preset in presets() if preset.name == options["preset"])


def _secret(password: Any, key: Any) -> Any:
    if password is not None and key is not None:
        raise Error("give a password or a key, not both")
    return key if password is None else password


def _read(path: str | os.PathLike[str] | None) -> bytes | None:
    if path is None:
        return None
    with open(path, "rb") as file:
        return file.read()
