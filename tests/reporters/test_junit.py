"""Tests JUnit's XML against the common rules of Ant's and Jenkins' schemas."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from xml.etree import ElementTree

import pytest
from click.testing import CliRunner

from tests.reporters.test_formats import TEXT
from tslint.cli import cli

pytestmark = pytest.mark.usefixtures("toy_rules")
# By element: the attributes that it must have, those that it may have, and the elements that it may contain, in order.
RULES: dict[str, tuple[set[str], set[str], list[str]]] = {
    "testsuites": (set(), {"name", "time", "tests", "failures", "errors"}, ["testsuite"]),
    "testsuite": (
        {"name", "tests"},
        {"failures", "errors", "skipped", "time"},
        ["properties", "testcase", "system-out", "system-err"],
    ),
    "testcase": ({"name", "classname"}, {"time"}, ["skipped", "error", "failure", "system-out", "system-err"]),
    "failure": (set(), {"type", "message"}, []),
    "error": (set(), {"type", "message"}, []),
    "system-out": (set(), set(), []),
}


def conforms(element: ElementTree.Element) -> None:
    must, may, below = RULES[element.tag]
    assert must <= set(element.attrib) <= must | may, element.tag
    order = [below.index(child.tag) for child in element]
    assert order == sorted(order)
    for attribute in ("tests", "failures", "errors", "skipped"):
        assert element.get(attribute, "0").isdecimal()
    assert re.fullmatch(r"\d+\.\d{3}", element.get("time", "0.000"))
    if element.tag in ("testsuite", "testsuites"):
        cases = list(element.iter("testcase"))
        assert int(element.attrib["tests"]) == len(cases) > 0
        for attribute, kind in (("failures", "failure"), ("errors", "error")):
            assert int(element.get(attribute, "0")) == sum(case.find(kind) is not None for case in cases)
    if element.tag == "testsuite":
        names = [(case.get("classname"), case.get("name")) for case in element]
        assert len(set(names)) == len(names)
    for child in element:
        conforms(child)


@pytest.fixture
def run(folder: Callable[..., Path], monkeypatch: pytest.MonkeyPatch) -> Callable[..., ElementTree.Element]:
    for variable in ("GITHUB_WORKSPACE", "CI_PROJECT_DIR"):
        monkeypatch.delenv(variable, raising=False)

    def check(files: dict[str, str | bytes], *arguments: str) -> ElementTree.Element:
        folder(files)
        data = CliRunner().invoke(cli, ["check", "--output-format", "junit", *arguments]).stdout_bytes
        root = ElementTree.fromstring(data)
        assert root.tag == "testsuites"
        conforms(root)
        return root

    return check


def test_a_suite_for_each_file_and_a_case_for_each_finding(run: Callable[..., ElementTree.Element]) -> None:
    root = run({"pkg/net.py": TEXT, "pkg/clean.py": "x = 1\n"})
    clean, net = root
    assert [suite.attrib["name"] for suite in root] == ["pkg/clean.py", "pkg/net.py"]
    assert [(case.get("classname"), case.get("name"), len(case)) for case in clean] == [("pkg.clean", "tslint", 0)]
    assert [case.attrib["name"] for case in net] == [
        "TS291 toy-bad (2:17)",
        "TS191 toy-try (5:9)",
        "TS292 toy-ugly (6:13)",
        "TS191 toy-try (8:13)",
    ]
    (failure,) = net[0]
    assert failure.attrib == {"type": "error", "message": "`bad` is a toy"}
    assert failure.text == (
        "pkg/net.py:2:17: TS291 toy-bad: `bad` is a toy\n"
        "compiled via: Net.forward → helper\n"
        'TorchScript says: "Toys are not supported"\n'
        "help: Do it otherwise."
    )


def test_what_does_not_fail_the_run_fails_no_test(run: Callable[..., ElementTree.Element]) -> None:
    def tags(*arguments: str) -> list[str]:
        return [case[0].tag for case in run({"net.py": "bad, ugly\n"}, *arguments)[0]]

    assert tags() == ["failure", "system-out"]
    assert tags("--fail-on", "warning") == ["failure", "failure"]


def test_a_file_that_was_not_judged_is_an_error(run: Callable[..., ElementTree.Element]) -> None:
    root = run({"a.py": "def f(:", "b.py": b"\0", "c.py": "x = 1"}, ".", "elsewhere.py")
    assert [suite[0][0].tag if len(suite[0]) else "" for suite in root] == ["error", "error", "", "error"]
    assert root[3].attrib["name"] == "elsewhere.py"


def test_no_files_are_one_passed_test(run: Callable[..., ElementTree.Element]) -> None:
    ((case,),) = run({})
    assert (case.get("classname"), case.get("name"), len(case)) == ("tslint", "tslint", 0)


def test_special_characters_in_names_and_messages(run: Callable[..., ElementTree.Element]) -> None:
    root = run({"a<&>\"'\n\x1b\x01é漢.py": "'\x1b'; bad\n]]>", "b.py": "x = ]]> <!-- &amp;"})
    assert root[0].attrib["name"] == "a<&>\"'\n��é漢.py"
