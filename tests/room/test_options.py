"""Every option of ``croupier room`` is verified before anything starts."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from command import croupier

from croupier.law.refused import Refused
from croupier.room.reach import is_host, names_of, read_origin
from croupier.room.settings import Settings


@pytest.mark.parametrize(
    ("text", "origin"),
    [
        ("https://tables.example", "https://tables.example"),
        ("HTTPS://Tables.Example", "https://tables.example"),
        ("https://tables.example:443", "https://tables.example"),
        ("https://tables.example:8443", "https://tables.example:8443"),
        ("http://192.168.1.5:8700", "http://192.168.1.5:8700"),
        ("http://[2001:db8::1]:8700", "http://[2001:db8::1]:8700"),
        ("http://localhost", "http://localhost"),
    ],
)
def test_an_origin_is_kept_as_browsers_write_it(text: str, origin: str) -> None:
    assert read_origin(text) == origin


@pytest.mark.parametrize(
    "text",
    [
        *("", "not-an-origin", "tables.example", "tables.example:443", "*", "null"),
        *("ftp://tables.example", "ws://tables.example", "file:///etc/passwd", "https://"),
        *("https://tables.example/", "https://tables.example/path", "https://tables.example?q"),
        *("https://tables.example#f", "https://user@tables.example", "https://:443"),
        *("https://tables.example:0", "https://tables.example:99999", "https://tables.example:"),
        *("https://*.example", "https://a b.example", "https://999.1.1.1", "http://[::1", "//x"),
    ],
)
def test_what_is_no_origin_is_refused(text: str) -> None:
    with pytest.raises(Refused, match="is no origin"):
        read_origin(text)


@pytest.mark.parametrize(
    ("origin", "names"),
    [
        ("https://tables.example", {"tables.example", "tables.example:443"}),
        ("http://127.0.0.1:8700", {"127.0.0.1:8700"}),
        ("http://[::1]", {"[::1]", "[::1]:80"}),
    ],
)
def test_the_names_of_an_origin(origin: str, names: set[str]) -> None:
    assert set(names_of(origin)) == names


def test_a_host_is_an_address_or_a_name() -> None:
    assert all(map(is_host, ("0.0.0.0", "::", "::1", "tables", "tables.example", "my-host.local")))
    assert not any(map(is_host, ("", "a b", "http://x", "1.2.3", "300.1.1.1", "x/y", "-", "a:1")))


def test_settings_that_are_well_are_kept(tmp_path: Path) -> None:
    settings = Settings(
        data=tmp_path, origins=("https://A.example", "https://a.example"), proxies=("10.0.0.5",)
    ).checked()
    assert settings.origins == ("https://a.example",)
    assert settings.proxies == ("10.0.0.5/32",)
    assert settings.checked() == settings
    assert settings.trusted == ["10.0.0.5/32", "::ffff:10.0.0.5/128"]


REFUSED = [
    (("--origin", "not-an-origin"), "is no origin"),
    (("--origin", "https://a.example/path"), "is no origin"),
    (("--host", "not a host"), "is no address"),
    (("--host", "no-such-machine.invalid"), "is not known to this machine"),
    (("--proxy", "everybody"), "is no address or network"),
    (("--proxy", "10.0.0.0/99"), "is no address or network"),
    (("--store", "mysql://x"), "is the path of a SQLite file"),
    (("--store", "."), "is a directory"),
    (("--store", "no/such/folder/x.db"), "a directory that does not exist"),
    (("--data", "file"), "is not a directory"),
    (("--port", "8701", "--metrics-port", "8701"), "are the same"),
    (("--tls-cert", "file"), "are given together"),
    (("--tls-key", "file"), "are given together"),
    (("--tls-cert", "file", "--tls-key", "file"), "cannot be used"),
    (("--tls-cert", "none", "--tls-key", "none"), "There is no file none"),
    (("--tls-local", "--tls-cert", "file", "--tls-key", "file"), "leave out"),
    (("--store", "postgresql://x/y", "--processes", "2"), "--processes is for a SQLite file"),
]


@pytest.mark.parametrize(
    ("options", "sentence"), REFUSED, ids=[" ".join(each[0]) for each in REFUSED]
)
def test_an_option_that_is_wrong_is_one_sentence_and_exit_code_2(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, options: tuple[str, ...], sentence: str
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "file").write_text("nothing")
    before = sorted(os.listdir(tmp_path))
    ended = croupier("room", "--no-browser", *options)
    assert ended.code == 2
    assert ended.err.startswith("Refused: ")
    assert sentence in ended.err
    assert ended.err.count("\n") == 1
    assert not ended.out
    assert sorted(os.listdir(tmp_path)) == before, "nothing was started"


@pytest.mark.parametrize(
    "options",
    [("--port", "0"), ("--port", "70000"), ("--metrics-port", "-1"), ("--processes", "0")],
)
def test_numbers_out_of_range_are_refused(options: tuple[str, ...]) -> None:
    assert croupier("room", "--no-browser", *options).code == 2
