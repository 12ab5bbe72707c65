"""Tests parsing TARGET."""

from __future__ import annotations

from pathlib import Path

import pytest

from tslint.verify.place import BadTarget, locate, slugs


def test_a_dotted_name_is_searched_from_the_base(tmp_path: Path) -> None:
    place = locate("pkg.net:Net.inner", tmp_path)
    assert (place.module, place.attribute, place.search, place.file) == ("pkg.net", "Net.inner", tmp_path, None)


def test_a_file_is_searched_from_its_folder_or_its_packages(tmp_path: Path) -> None:
    (tmp_path / "pkg").mkdir()
    (tmp_path / "pkg" / "__init__.py").touch()
    (tmp_path / "pkg" / "net.py").touch()
    (tmp_path / "my-net.py").touch()
    inside = locate("pkg/net.py:Net", tmp_path)
    assert (inside.module, inside.search) == ("pkg.net", tmp_path.resolve())
    assert locate("pkg/__init__.py:Net", tmp_path).module == "pkg"
    # The name becomes part of TorchScript's qualified names, which consist of identifiers.
    assert locate(f"{tmp_path}/my-net.py:Net", Path("elsewhere")).module == "_my_net"


@pytest.mark.parametrize(
    ("target", "words"),
    [
        ("net", "'net' is not of the form package.module:attr (nor a configured target)"),
        ("net.py", "'net.py' is not of the form path.py:attr (nor a configured target); write net.py:NAME"),
        ("net.py:", "is not of the form"),
        (":Net", "is not of the form"),
        ("a.b:not valid", "is not of the form"),
        ("a-b:Net", "'a-b' is neither a module's dotted name nor a path"),
        ("absent.py:Net", "no such file: absent.py"),
    ],
)
def test_targets_that_name_nothing_are_refused(tmp_path: Path, target: str, words: str) -> None:
    with pytest.raises(BadTarget) as raised:
        locate(target, tmp_path)
    assert words in str(raised.value)


def test_archives_have_readable_names_of_their_own() -> None:
    assert slugs(["pkg.net:Net", "a/net.py:Net", "a-net:Net", "é:x"]) == [
        "pkg.net-Net", "a-net-Net", "a-net-Net-2", "é-x",
    ]  # fmt: skip
