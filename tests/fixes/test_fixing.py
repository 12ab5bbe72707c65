"""Tests ``tslint check --fix``, ``--unsafe-fixes`` and ``--diff`` from the user's side."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from tslint.cli import cli
from tslint.diagnostics import Diagnostic, Position, Severity, Stage
from tslint.fixing.circles import Spot
from tslint.fixing.history import History
from tslint.fixing.outcome import AppliedFix
from tslint.fixing.run import Run
from tslint.script.refusals import Refusal, Scope
from tslint.sources.file import SourceFile

pytestmark = pytest.mark.usefixtures("toy_rules")


def check(*arguments: str, stdin: bytes | None = None) -> Result:
    return CliRunner().invoke(cli, ["check", "--output-format", "concise", *arguments], input=stdin)


def test_safe_fixes_only(folder: Callable[..., Path]) -> None:
    root = folder({"net.py": "x = bad, ugly, todo\n"})
    result = check("--fix")
    assert (root / "net.py").read_text() == "x = good, ugly, todo\n"
    assert "Fixed 1 finding.\n" in result.stdout
    assert "`bad`" not in result.stdout
    assert result.exit_code == 1


def test_unsafe_fixes_where_asked_for_and_placeholders_never(folder: Callable[..., Path]) -> None:
    root = folder({"net.py": "x = bad, ugly\n", "other.py": "x = bad, todo\n"})
    result = check("--fix", "--unsafe-fixes")
    assert (root / "net.py").read_text() == "x = good, pretty\n"
    assert (root / "other.py").read_text() == "x = bad, todo\n"  # it would still not compile
    assert "Fixed 2 findings.\n" in result.stdout


def test_unsafe_fixes_wait_if_the_code_is_refused_even_with_them(folder: Callable[..., Path]) -> None:
    root = folder({"net.py": "x = bad, ugly, todo\n"})
    result = check("--fix", "--unsafe-fixes", "--output-format", "full")
    assert (root / "net.py").read_text() == "x = bad, ugly, todo\n"
    assert "Its fix waits: `helper` would not compile with it either (TS191 at line 1)." in result.stdout


@pytest.mark.parametrize(
    ("line", "options", "offers"),
    [
        ("x = bad, ugly", [], "; 1 fixable with `--fix`, 1 more with `--fix --unsafe-fixes`."),
        ("x = bad, ugly", ["--unsafe-fixes"], "; 2 fixable with `--fix --unsafe-fixes`."),
        ("x = ugly, todo", [], "in 1 file."),
        ("x = ugly, todo", ["--unsafe-fixes"], "in 1 file."),
        ("x = bad, ugly, todo", [], "; up to 1 fixable with `--fix`."),
        ("x = bad, ugly, todo", ["--fix"], "Remaining: 1 error and 1 warning in 1 file."),
    ],
)
def test_the_summary_offers_no_fix_that_waits(
    folder: Callable[..., Path], line: str, options: list[str], offers: str
) -> None:
    folder({"net.py": f"{line}\n"})
    assert check(*options).stdout.endswith(f"{offers}\n")


def test_a_fix_that_waits_says_what_for(folder: Callable[..., Path]) -> None:
    folder({"net.py": "x = ugly, todo\n"})
    shown = check("--output-format", "full").stdout
    assert "(waits for TS191 at line 1; then --fix --unsafe-fixes; " in shown


def test_nothing_left_is_success(folder: Callable[..., Path]) -> None:
    folder({"net.py": "x = bad\n"})
    result = check("--fix")
    assert (result.exit_code, result.stdout) == (0, "Fixed 1 finding.\nAll checks passed!\n")


def test_unsafe_fixes_alone_changes_nothing(folder: Callable[..., Path]) -> None:
    root = folder({"net.py": "x = bad, ugly\n"})
    result = check("--unsafe-fixes")
    assert (root / "net.py").read_text() == "x = bad, ugly\n"
    assert "2 fixable with `--fix --unsafe-fixes`" in result.stdout


@pytest.mark.parametrize("end", [b"\n", b"\r\n", b"\r"])
@pytest.mark.parametrize("bom", [b"", b"\xef\xbb\xbf"])
@pytest.mark.parametrize("last", [True, False])
def test_every_other_byte_is_kept(folder: Callable[..., Path], end: bytes, bom: bytes, last: bool) -> None:
    lines = [b"# \xe6\xbc\xa2 trailing blanks  ", b"\x0c", b"x = '\xc3\xa9', bad\t", b"y = [lists, lists]"]
    mended = [b"from typing import List", *lines[:2], b"x = '\xc3\xa9', good\t", b"y = [List, List]"]
    tail = end if last else b""
    root = folder({"net.py": bom + end.join(lines) + tail})
    check("--fix")
    assert (root / "net.py").read_bytes() == bom + end.join(mended) + tail


def test_the_declared_encoding_is_kept(folder: Callable[..., Path]) -> None:
    root = folder({"net.py": "# coding: latin-1\nx = 'é', bad\n".encode("latin-1")})
    check("--fix")
    assert (root / "net.py").read_bytes() == "# coding: latin-1\nx = 'é', good\n".encode("latin-1")


def test_a_fix_that_would_break_the_file_is_left_out(folder: Callable[..., Path]) -> None:
    root = folder({"net.py": "x = bad, breaks\n"})
    result = check("--fix")
    assert (root / "net.py").read_text() == "x = good, breaks\n"
    assert result.stderr.count("a fix of TS296 was left out: the result could not be parsed") == 1


def test_fixes_that_undo_each_other_are_taken_back(folder: Callable[..., Path]) -> None:
    root = folder({"net.py": "x = ping\n"})
    result = check("--fix")
    assert (root / "net.py").read_text() == "x = ping\n"
    assert result.stderr.count("net.py:1: TS297 was not fixed: its fix leads to the same finding again") == 1


def test_fixes_that_are_followed_by_more_and_more_are_taken_back(folder: Callable[..., Path]) -> None:
    root = folder({"net.py": "x = bad\ny = rabbit, bad\n"})
    result = check("--fix")
    assert (root / "net.py").read_text() == "x = good\ny = rabbit, good\n"
    assert result.stderr.count("net.py:2: TS297 was not fixed: its fix leads to the same finding again") == 1
    assert "Fixed 2 findings." in result.stdout
    assert result.exit_code == 1


def test_suppressed_and_deselected_findings_are_not_fixed(folder: Callable[..., Path]) -> None:
    text = "x = bad  # tslint: ignore[TS291]\ny = lists\n"
    root = folder({"net.py": text})
    assert check("--fix", "--ignore", "TS295").exit_code == 0
    assert (root / "net.py").read_text() == text


def test_files_without_fixes_are_not_touched(folder: Callable[..., Path]) -> None:
    root = folder({"net.py": "x = bad\n", "other.py": "y = shy\n"})
    before = (root / "other.py").stat()
    check("--fix")
    after = (root / "other.py").stat()
    assert (after.st_ino, after.st_mtime_ns) == (before.st_ino, before.st_mtime_ns)


def test_a_file_that_cannot_be_written_is_an_error_and_its_findings_stay(
    folder: Callable[..., Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    root = folder({"a.py": "x = bad\n", "b.py": "x = bad\n"})
    monkeypatch.setattr("os.access", lambda path, mode: Path(path).name != "a.py")
    result = check("--fix")
    assert result.stderr == "error: a.py: not fixed: the file is read-only\n"
    assert "a.py:1:5: TS291" in result.stdout
    assert "Fixed 1 finding." in result.stdout
    assert (root / "b.py").read_text() == "x = good\n"
    assert result.exit_code == 2


def test_diff_shows_and_writes_nothing(folder: Callable[..., Path]) -> None:
    root = folder({"pkg/net.py": "a\nx = bad\nb"})
    result = check("--diff")
    expected = (
        "--- pkg/net.py\n+++ pkg/net.py\n@@ -1,3 +1,3 @@\n a\n-x = bad\n+x = good\n b\n\\ No newline at end of file\n"
    )
    assert (result.exit_code, result.stdout) == (1, expected)
    assert "Would fix 1 finding in 1 file." in result.stderr
    assert (root / "pkg" / "net.py").read_text() == "a\nx = bad\nb"


@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_diff_can_be_applied(folder: Callable[..., Path], end: str) -> None:
    root = folder({"net.py": f"a{end}x = bad{end}b"})
    patch = check("--diff").stdout_bytes
    check("--fix")
    fixed = (root / "net.py").read_bytes()
    (root / "net.py").write_bytes(f"a{end}x = bad{end}b".encode())
    subprocess.run(["git", "apply", "-p0", "-"], input=patch, check=True, cwd=root)
    assert (root / "net.py").read_bytes() == fixed


def test_diff_without_changes(folder: Callable[..., Path]) -> None:
    folder({"net.py": "x = 1\n"})
    assert (check("--diff").exit_code, check("--diff").stdout) == (0, "")


def test_fix_and_diff_exclude_each_other(folder: Callable[..., Path]) -> None:
    folder({})
    result = check("--fix", "--diff")
    assert result.exit_code == 2
    assert result.stderr.startswith("error: --fix and --diff cannot be used together")


def test_standard_input_is_fixed_to_standard_output(folder: Callable[..., Path]) -> None:
    folder({})
    result = check("--fix", "--stdin-filename", "net.py", "-", stdin=b"\xef\xbb\xbfx = bad, ugly\r\n")
    assert result.stdout_bytes == b"\xef\xbb\xbfx = good, ugly\r\n"
    assert "net.py:1:11: TS292" in result.stderr
    assert "Fixed 1 finding." in result.stderr
    assert result.exit_code == 0


@pytest.mark.parametrize("data", [b"\0\xff", b"def f(:\n", b"", b"x = 1\n"])
def test_what_needs_no_fix_or_cannot_be_read_passes_through(folder: Callable[..., Path], data: bytes) -> None:
    folder({})
    assert check("--fix", "-", stdin=data).stdout_bytes == data


def test_a_fix_that_was_harmful_in_an_earlier_round_is_tried_again(
    folder: Callable[..., Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    """If it were not tried again, another run would find that the fix is no longer harmful, and change the
    file again.
    """
    root = folder({"net.py": "def f():\n    return bad\n"})
    asked: list[int] = []

    def worse(before: object, after: object) -> dict[Scope, Refusal]:
        asked.append(1)
        scopes = frozenset([(root / "net.py", "f"), (Path("net.py"), "f")])
        return {scope: Refusal(sure=True, used=True, through=scopes) for scope in scopes if len(asked) == 1}

    monkeypatch.setattr("tslint.fixing.rounds.worse", worse)
    check("--fix")
    assert len(asked) == 2
    assert (root / "net.py").read_text() == "def f():\n    return good\n"


def test_two_fixes_that_need_each_other_are_left_out() -> None:
    """Neither half can be applied without the other: each is tried alone, and then both are left out."""
    scope: Scope = (Path("net.py"), "f")
    source = SourceFile(Path("net.py"), "def f():\n    return bad, bad\n")
    run = Run(History({"net.py": source}), True, lambda spot: True)
    place = Position(2, 12)
    finding = Diagnostic("TS999", "bad", Severity.ERROR, Stage.SCRIPT, "bad", "net.py", place, place)
    first, second = (
        AppliedFix(Spot("net.py", offset, "TS999"), finding, within=frozenset([scope])) for offset in (20, 25)
    )
    harmed = {scope: Refusal(sure=True, used=True, through=frozenset([scope]))}
    for waiting in ({second.spot}, {first.spot}):
        assert run.without([first, second], harmed)
        assert run.waiting == waiting and not run.harmful
        run.waiting.clear()  # without the suspects, the round has no other fix to apply
    assert run.without([first, second], harmed)
    assert run.harmful.keys() == {first.spot, second.spot}


def test_a_fix_that_was_harmful_twice_is_not_tried_in_the_next_run() -> None:
    """A run that begins again knows which fixes were harmful. At its end, it does not try these once more."""
    first = Run(History({"net.py": SourceFile(Path("net.py"), "bad, bad\n")}), True, lambda spot: True)
    always, once = (Spot("net.py", offset, "TS999") for offset in (0, 5))
    run = first.copy()
    run.harmful = {always: "harmful", once: "harmful"}
    assert run.tries_again(first)
    assert not run.harmful
    run.harmful = {always: "harmful"}  # the retry of the other one worked
    again = first.again_after(run)
    assert again.harmful.keys() == {always}
    assert not again.tries_again(first)
    again.harmful[once] = "harmful"
    assert again.tries_again(first)
    assert again.harmful.keys() == {always}
