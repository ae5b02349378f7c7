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


#: What one takes that no other does: the GUID of a key, which then stands in the value.
GUID = {"sqlserver-key": {"salt": bytes(range(16))}}


def test_what_is_made_by_a_preset_is_opened_by_it():
    made = 0
    for preset in cl.presets():
        options, guid = {}, GUID.get(preset.name, {})
        if preset.secret is not None:
            options[preset.secret] = "a password" if preset.secret == "password" else bytes(range(16, 40))
        for more in [{}, {"cipher": "des-ede3-cbc"}, {"iv": bytes(8)}, {"salt": bytes(8)}]:
            try:
                value = cl.encrypt("16 bytes or 32: ", preset=preset.name, **guid, **options, **more)
            except cl.Error:
                continue
            assert isinstance(value, str if preset.is_text else bytes)
            opened = cl.decrypt(value, preset=preset.name, text=True, **options, **more)
            assert opened.rstrip("\0") == "16 bytes or 32: ", preset
            column = cl.encrypt_records(["16 bytes or 32: ", None], preset=preset.name, **guid, **options, **more)
            assert column.statuses == ["encrypted", "passed through"]
            assert type(column.results[0]) is type(value)
            made += 1
            break
    assert made >= 30


def test_salts_and_ivs_are_new_for_each_value():
    options = {"preset": "jasypt", "password": "word"}
    made = cl.encrypt_records(["the same"] * 50, **options)
    assert len(set(made.results)) == 50
    assert cl.decrypt_records(made.results, **options).results == ["the same"] * 50
    fixed = cl.encrypt("the same", salt=b"8 bytes!", **options)
    assert fixed == cl.encrypt("the same", salt=b"8 bytes!".hex(), **options)
    assert cl.encrypt("the same", text=False, **options).startswith(b"ENC(") is False
    salts = [bytes([n]) * 8 for n in range(3)]
    each = cl.encrypt_records(["a", "a", "a"], salt=[*salts[:2], None], **options)
    assert each.results[0] == cl.encrypt("a", salt=salts[0], **options)
    assert each.results[2] is None and "no salt" in each.errors[2]


def test_what_cannot_be_made_is_told():
    for options, words in [
        ({"preset": "openssl-1.0", "cipher": "des3", "password": "x", "text": True}, "writes bytes"),
        ({"preset": "pkcs8", "password": "x"}, "makes none"),
        ({"preset": "oracle-des", "key": b"8 bytes!"}, "of this length"),
        ({"preset": "jasypt", "password": "x", "iv": bytes(8)}, "takes no IV"),
        ({"preset": "nothing", "password": "x"}, "unknown preset"),
        ({"cipher": "des-cbc", "password": "x"}, "preset"),
    ]:
        with pytest.raises((cl.Error, TypeError), match=words):
            cl.encrypt("text", **options)
