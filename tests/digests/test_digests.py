"""Tests digests of corpora: they are reproducible, each change is classified correctly, and no file stops the run."""

from __future__ import annotations

import json
import os
import signal
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import tslint.rewrite.reversal as rule
from scripts import digests
from tslint import check
from tslint.fixing import rounds, run
from tslint.lint import engine
from tslint.lint.engine import Loaded, Report
from tslint.reporters.json import finding
from tslint.rulekit.rule import safe

DOWN = """\
import torch


@torch.jit.script
def down(n: int):
    total = 0
    for i in reversed(range(n)):
        total += i
    return total
"""
PLAIN = "import torch\n\n\n@torch.jit.script\ndef plain(x):\n    return x + 1\n"
INNER = "from .plain import plain\n\n__all__ = ['plain']\n"


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    folder = tmp_path / "corpus"
    (folder / "pack").mkdir(parents=True)
    (folder / "down.py").write_text(DOWN)
    (folder / "pack" / "plain.py").write_text(PLAIN)
    (folder / "pack" / "__init__.py").write_text(INNER)
    return folder


def made(corpus: Path, name: str, *more: str) -> Path:
    out = corpus.parent / name
    assert digests.main(["make", str(out), f"some={corpus}", *more]) == 0
    return out


def lines(path: Path) -> dict[str, dict[str, Any]]:
    values = [json.loads(line) for line in path.read_text().splitlines()]
    return {value["file"]: value for value in values if "file" in value}


@pytest.fixture
def compared(corpus: Path, capsys: pytest.CaptureFixture[str]) -> Callable[..., tuple[int, str]]:
    """Return a function that makes digests again, and compares them with the earlier ones."""

    def compare(*more: str) -> tuple[int, str]:
        after = made(corpus, "after.jsonl")
        capsys.readouterr()
        status = digests.main(["compare", str(corpus.parent / "before.jsonl"), str(after), *more])
        return status, capsys.readouterr().out

    made(corpus, "before.jsonl")
    return compare


def test_the_same_twice_wherever_the_folder_is(compared: Callable[..., tuple[int, str]], corpus: Path) -> None:
    assert compared() == (0, "3 files in both: 3 are the same, 0 differ\n")
    moved = corpus.rename(corpus.parent / "elsewhere")
    again = lines(made(moved, "again.jsonl", "--jobs", "2"))
    before = lines(corpus.parent / "before.jsonl")
    assert sorted(again) == ["down.py", "pack/__init__.py", "pack/plain.py"]
    assert [{**again[name], "seconds": 0} for name in sorted(again)] == [
        {**before[name], "seconds": 0} for name in sorted(before)
    ]


def test_findings_are_those_of_a_check(corpus: Path) -> None:
    out = made(corpus, "out.jsonl", "--no-fixes")
    file = corpus / "down.py"
    found = check(file, isolated=True)
    kept = digests.Digests(out).store.values(lines(out)["down.py"]["findings"])
    left_out = {"filename": str(file), "url": finding(found[0])["url"]}
    for value in kept:
        for step in value["compiled_via"]:
            step["filename"] = str(corpus / step["filename"])
    assert [{**value, **left_out} for value in kept] == [finding(each) for each in found]
    assert "safe" not in lines(out)["down.py"]


def other_message(monkeypatch: pytest.MonkeyPatch, corpus: Path) -> None:
    judge = engine.judge

    def louder(*arguments: Any) -> Report:
        report = judge(*arguments)
        found = tuple(replace(each, message=f"{each.message}!") for each in report.diagnostics)
        return replace(report, diagnostics=found)

    monkeypatch.setattr(engine, "judge", louder)


def no_finding(monkeypatch: pytest.MonkeyPatch, corpus: Path) -> None:
    judge = engine.judge
    monkeypatch.setattr(engine, "judge", lambda *arguments: replace(judge(*arguments), diagnostics=()))


def other_fix(monkeypatch: pytest.MonkeyPatch, corpus: Path) -> None:
    def wrong(message: str, *edits: Any) -> Any:
        made = safe(message, *edits)
        return replace(
            made, edits=tuple(replace(each, content=each.content.replace("- 1, ", ", ")) for each in made.edits)
        )

    monkeypatch.setattr(rule, "safe", wrong)


def no_fix(monkeypatch: pytest.MonkeyPatch, corpus: Path) -> None:
    fixable = run.fixable
    monkeypatch.setattr(run, "fixable", lambda each, unsafe: unsafe and fixable(each, unsafe))


def given_up(monkeypatch: pytest.MonkeyPatch, corpus: Path) -> None:
    monkeypatch.setattr(rounds, "ROUNDS", 0)


def other_file(monkeypatch: pytest.MonkeyPatch, corpus: Path) -> None:
    (corpus / "down.py").write_text(DOWN.replace("total", "sum_"))


def no_file(monkeypatch: pytest.MonkeyPatch, corpus: Path) -> None:
    (corpus / "down.py").unlink()


def raises(monkeypatch: pytest.MonkeyPatch, corpus: Path) -> None:
    def broken(loaded: Loaded, *arguments: Any) -> Report:
        raise RuntimeError(f"no way in {corpus}/pack")

    monkeypatch.setattr(engine, "judge", _only_down(engine.judge, broken))


def _only_down(usual: Callable[..., Any], then: Callable[..., Any]) -> Callable[..., Any]:
    """Return a function that replaces the checking of a file."""

    def judge(loaded: Loaded, *arguments: Any) -> Any:
        named = any(source.path.name == "down.py" for source in loaded.sources)
        return (then if named else usual)(loaded, *arguments)

    return judge


CHANGES = [
    (other_message, ["down.py: findings: TS211 changed 1"]),
    (no_finding, ["down.py: findings: TS211 lost 1"]),
    (other_fix, [
        "down.py: findings: TS211 other fix 1",
        "down.py: safe fixes: TS211 changed 1",
        "down.py: unsafe fixes: TS211 changed 1",
    ]),
    (no_fix, ["down.py: safe fixes: TS211 lost 1"]),
    (given_up, [
        "down.py: safe fixes: TS211 lost 1, TS211 note gained 1",
        "down.py: unsafe fixes: TS211 lost 1, TS211 note gained 1",
    ]),
    (other_file, ["down.py: text: the file itself has changed"]),
    (raises, ["down.py: error: none -> failed when it was judged: RuntimeError: no way in pack"]),
]  # fmt: skip


@pytest.mark.parametrize(("change", "expected"), CHANGES)
def test_each_kind_of_change_is_named(
    change: Callable[..., None],
    expected: list[str],
    corpus: Path,
    compared: Callable[..., tuple[int, str]],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    change(monkeypatch, corpus)
    status, said = compared("--list")
    assert status == 1
    assert [line.removeprefix("some/") for line in said.splitlines() if line.startswith("some/")] == expected
    assert said.startswith("3 files in both: 2 are the same, 1 differ\n")


def test_diffs_and_one_rule_alone(
    corpus: Path, compared: Callable[..., tuple[int, str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    other_fix(monkeypatch, corpus)
    status, said = compared("--show", "3", "--code", "TS2")
    assert status == 1
    assert "--- some/down.py findings (before)" in said
    assert "--- some/down.py safe fixes (before)" in said
    assert "-    for i in range(n - 1, -1, -1):\n+    for i in range(n , -1, -1):\n" in said
    paths = [str(corpus.parent / name) for name in ("before.jsonl", "after.jsonl")]
    assert digests.main(["compare", *paths, "--code", "TS4"]) == 0


def test_files_in_only_one_of_the_two(
    corpus: Path, compared: Callable[..., tuple[int, str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    no_file(monkeypatch, corpus)
    status, said = compared("--list")
    assert status == 1
    assert "some/down.py: only before: the other has no such file" in said
    paths = [str(corpus.parent / name) for name in ("before.jsonl", "after.jsonl")]
    assert digests.main(["compare", *paths, "--common"]) == 0


@pytest.mark.parametrize(
    ("then", "expected"),
    [
        (lambda *_: os.kill(os.getpid(), signal.SIGKILL), "the process was ended by SIGKILL when it was judged"),
        (lambda *_: os._exit(3), "the process ended when it was judged"),
        (lambda *_: sum(iter(int, 1)), "took more than 2 s when it was judged"),
    ],
)
def test_a_crash_is_a_line_of_its_own(
    then: Callable[..., Any], expected: str, corpus: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(engine, "judge", _only_down(engine.judge, then))
    found = lines(made(corpus, "out.jsonl", "--no-fixes", "--seconds", "2"))
    assert found["down.py"]["error"] == expected
    assert "findings" not in found["down.py"]
    assert "error" not in found["pack/plain.py"]


def test_an_interrupted_run_is_resumed(
    corpus: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    out = made(corpus, "out.jsonl", "--no-fixes")
    whole = out.read_text()
    # A run that was interrupted in the middle of a line.
    out.write_text(whole[: whole.rindex('"text"')])
    assert len(digests.Digests(out).lines) == 2
    capsys.readouterr()
    made(corpus, "out.jsonl", "--no-fixes", "--resume")
    # All files of a package are checked in one run.
    assert capsys.readouterr().out.startswith("2 files")
    assert len(digests.Digests(out).lines) == 3
    capsys.readouterr()
    made(corpus, "out.jsonl", "--no-fixes", "--resume")
    assert capsys.readouterr().out.startswith("0 files")
    with pytest.raises(SystemExit, match="made in another way"):
        made(corpus, "out.jsonl", "--resume")
    with pytest.raises(SystemExit, match="--resume goes on"):
        made(corpus, "out.jsonl")


@pytest.mark.parametrize(
    ("label", "expected"),
    [
        ({"file": "pack/plain.py"}, ["pack/plain.py"]),
        ({"file": "pack/plain.py", "kind": "pack"}, ["pack/__init__.py", "pack/plain.py"]),
        ({"file": "gone.py"}, []),
    ],
)
def test_only_labelled_files_are_digested(
    label: dict[str, str], expected: list[str], corpus: Path, tmp_path: Path
) -> None:
    labels = tmp_path / "labels.jsonl"
    labels.write_text(json.dumps(label) + "\n")
    assert sorted(lines(made(corpus, "out.jsonl", "--no-fixes", "--only", f"some={labels}"))) == expected
