"""Values that programs wrote: every known answer of the formats, and what becomes of others."""

import pathlib

import cipherloom as cl
import pytest

ROOT = pathlib.Path(__file__).parents[3]


def test_one_value():
    assert cl.decrypt("FF8F7777B28C7A459A", preset="mysql", password="sabakala") == b"dog"
    assert cl.decrypt("ENC(VIYeyCyD9/55Hhd1IajXmA==)", preset="jasypt", password="password", text=True) == "test"
    old = "01000000AA959FFB3A8E4B06B734051437E198C8B72000A058ACE91D617123DA102287EB"
    guess = cl.what(old)[0]
    assert guess.preset == "sqlserver" and "SQL Server" in guess.written_by
    assert cl.decrypt(old, preset=guess.preset, password="hello", text=True) == "world"
    assert cl.decrypt("plain", preset="jasypt", password="x") == b"plain"


def test_a_file(tmp_path):
    key_file = tmp_path / "keys"
    key_file.write_text("0 sabakala\n1 other\n")
    with pytest.raises(cl.WrongKeyError):
        cl.decrypt("FF8F7777B28C7A459A", preset="mysql", key_file=key_file)


def test_what_is_wrong_is_an_error_of_its_own():
    for value, options, kind in [
        ("FF8F7777B28C7A459B", {"preset": "mysql", "password": "sabakala"}, cl.WrongKeyError),
        ("none", {"preset": "mysql", "password": "sabakala"}, cl.DamagedError),
        ("02000000" + "00" * 32, {"preset": "sqlserver", "password": "x"}, cl.OtherFormatError),
        ("00", {"preset": "oracle-des", "key": "short"}, cl.Error),
    ]:
        with pytest.raises(kind):
            cl.decrypt(value, **options)


def test_presets_are_those_of_the_document():
    text = (ROOT / "docs/FORMATS.md").read_text()
    names = {preset.name for preset in cl.presets()}
    assert len(names) > 40
    for preset in cl.presets():
        assert f"| `{preset.name}` | " in text
        assert preset.secret in ("password", "key", None) and preset.shown_by


def test_guesses_without_a_preset():
    guesses = cl.what(b"\x1f\x8b\x08\x00" + bytes(20))
    assert guesses[0].preset is None and "gzip" in guesses[0].why
    assert cl.what("") == []
