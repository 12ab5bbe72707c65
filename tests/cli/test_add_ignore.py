"""Tests ``--add-ignore``: comments are added in rows where they take effect, and nothing else changes."""

from __future__ import annotations

import ast
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tslint.cli import cli

pytestmark = pytest.mark.usefixtures("toy_rules")


def check(*arguments: str, stdin: bytes | None = None) -> Result:
    return CliRunner().invoke(cli, ["check", "--output-format", "concise", *arguments], input=stdin)


CASES = {
    "a line": ("x = bad\n", "x = bad  # tslint: ignore[TS291]\n"),
    "several on one": ("x = ugly, bad, bad\n", "x = ugly, bad, bad  # tslint: ignore[TS291, TS292]\n"),
    "no line end": ("bad", "bad  # tslint: ignore[TS291]"),
    "windows": (b"bad\r\nbad\r\n", b"bad  # tslint: ignore[TS291]\r\nbad  # tslint: ignore[TS291]\r\n"),
    "old mac": (b"x = 1\rbad\r", b"x = 1\rbad  # tslint: ignore[TS291]\r"),
    "mark and umlauts": (b"\xef\xbb\xbf'\xc3\xa4', bad\n", b"\xef\xbb\xbf'\xc3\xa4', bad  # tslint: ignore[TS291]\n"),
    "latin": (b"# coding: latin-1\n'\xe4', bad\n", b"# coding: latin-1\n'\xe4', bad  # tslint: ignore[TS291]\n"),
    "a comment": ("bad  # why\n", "bad  # why  # tslint: ignore[TS291]\n"),
    "blanks at the end": ("bad    \n", "bad    # tslint: ignore[TS291]\n"),
    "merged": ("bad, ugly  # tslint: ignore[TS291]\n", "bad, ugly  # tslint: ignore[TS291, TS292]\n"),
    "merged before a reason": (
        "bad, ugly  # tslint: ignore[ toy-bad, ] old # x\n",
        "bad, ugly  # tslint: ignore[ toy-bad, TS292] old # x\n",
    ),
    "merged into none": ("bad  # tslint: ignore[]\n", "bad  # tslint: ignore[TS291]\n"),
    "inside brackets": ("f(\n    bad,\n    ugly)\n",
                        "f(\n    bad,  # tslint: ignore[TS291]\n    ugly)  # tslint: ignore[TS292]\n"),
    "after a backslash": ("x = bad + \\\n    1\n", "x = bad + \\\n    1  # tslint: ignore[TS291]\n"),
    "before a long string": ('f(bad, """a\nb""",\n  2)\n', 'f(bad, """a\nb""",\n  2)  # tslint: ignore[TS291]\n'),
    "after a long string": ('f("""a\nb""", bad,\n  2)\n', 'f("""a\nb""", bad,  # tslint: ignore[TS291]\n  2)\n'),
    "a comment that ends in a backslash": ("(bad,  # \\\n 1)\n", "(bad,  # \\  # tslint: ignore[TS291]\n 1)\n"),
    "a block": ("try:\n    pass\nfinally:\n    bad\n",
                "try:  # tslint: ignore[TS191]\n    pass\nfinally:\n    bad  # tslint: ignore[TS291]\n"),
    "semicolons": ("bad; x = 1; ugly\n", "bad; x = 1; ugly  # tslint: ignore[TS291, TS292]\n"),
}  # fmt: skip


@pytest.mark.parametrize(("before", "after"), CASES.values(), ids=CASES)
def test_where_the_comment_is_inserted(folder: Callable[..., Path], before: str | bytes, after: str | bytes) -> None:
    root = folder({"net.py": before})
    result = check("--add-ignore")
    expected = after if isinstance(after, bytes) else after.encode()
    assert (root / "net.py").read_bytes() == expected
    assert (result.exit_code, result.stdout) == (0, "All checks passed!\n")
    again = check("--add-ignore")
    assert (again.exit_code, again.stderr) == (0, "")
    assert (root / "net.py").read_bytes() == expected


def test_an_f_string_over_several_lines(folder: Callable[..., Path]) -> None:
    root = folder({"net.py": 'x = f"""\n{bad}\n"""\n'})
    check("--add-ignore")
    # Since Python 3.12, the row of an expression in an f-string is known; before, it is that of the string. Both work.
    assert (root / "net.py").read_text() == 'x = f"""\n{bad}\n"""  # tslint: ignore[TS291]\n'
    assert check().exit_code == 0


def test_the_summary_counts_what_was_suppressed(folder: Callable[..., Path]) -> None:
    folder({"a.py": "bad, bad\n", "b.py": "ugly\n", "c.py": "def f(:"})
    shown = check("--add-ignore", "--diff")
    assert shown.stderr == "Would suppress 3 findings in 2 files.\n"
    assert "+bad, bad  # tslint: ignore[TS291]\n" in shown.stdout
    assert shown.exit_code == 1
    result = check("--add-ignore")
    assert result.stderr == "Suppressed 3 findings in 2 files.\n"
    assert result.stdout.startswith("c.py:1:")  # a file that cannot be parsed cannot get a comment
    assert result.exit_code == 1


def test_what_the_baseline_covers_needs_no_comment(folder: Callable[..., Path]) -> None:
    root = folder({"net.py": "x = bad, ugly\n", "tslint.toml": 'baseline = "b.json"'})
    check("--write-baseline", "--select", "TS292")
    assert check("--add-ignore").stdout == "All checks passed! (1 known finding in the baseline)\n"
    assert (root / "net.py").read_text() == "x = bad, ugly  # tslint: ignore[TS291]\n"


def test_a_comment_that_torch_reads_stays_the_last(folder: Callable[..., Path]) -> None:
    text = "x = bad  # type: ignore[assignment]\ny = bad  # type: int\nz = bad\n"
    root = folder({"net.py": text})
    result = check("--add-ignore")
    why = "a `# type:` comment must stay the last on its line; write `# tslint: off` above"
    assert result.stderr.splitlines()[:2] == [f"note: net.py:{row}: TS291 not suppressed: {why}" for row in (1, 2)]
    assert result.exit_code == 1
    assert (root / "net.py").read_text() == text.replace("z = bad", "z = bad  # tslint: ignore[TS291]")


def test_an_unused_suppression_is_not_suppressed(folder: Callable[..., Path]) -> None:
    root = folder({"net.py": "x = 1  # tslint: ignore[TS101]\n"})
    assert check("--add-ignore", "--select", "TS").exit_code == 0
    assert (root / "net.py").read_text() == "x = 1  # tslint: ignore[TS101]\n"


def test_a_file_that_cannot_be_written_is_an_error(
    folder: Callable[..., Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    folder({"net.py": "bad\n"})
    monkeypatch.setattr("os.access", lambda *_: False)
    result = check("--add-ignore")
    assert result.exit_code == 2
    assert result.stderr == "error: net.py: no suppressions added: the file is read-only\n"
    assert result.stdout.startswith("net.py:1:1: TS291")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--add-ignore", "--fix"], "--fix and --add-ignore cannot be used together"),
        (["--add-ignore", "-"], "--add-ignore needs files: it cannot be used with the standard input"),
    ],
)
def test_usage(folder: Callable[..., Path], arguments: list[str], message: str) -> None:
    folder({"net.py": "bad"})
    result = check(*arguments, stdin=b"")
    assert result.exit_code == 2
    assert result.stderr.startswith(f"error: {message}")


PIECES = st.sampled_from([
    "bad", "ugly", "x = bad, ugly", "f(\n bad, 1,\n ugly)", 'f(bad, """\n#\n""", ugly)', "x = bad \\\n + ugly",
    "try:\n    bad\nfinally: ugly", "bad  # c", "bad, ugly  # tslint: ignore[TS291]", "if bad:\n    ugly",
    "# tslint: off[TS291]", "# tslint: on[TS291]", 'f"""{bad}\n{ugly}"""', "[bad, # c \\\n ugly]", "bad; ugly", "\f",
    "", "class A:\n    '''\n    doc'''\n    bad",
])  # fmt: skip


@settings(max_examples=80, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(PIECES, max_size=8), st.sampled_from(["\n", "\r\n", "\r"]), st.booleans())
def test_any_file_is_silent_afterwards_and_the_same_program(
    folder: Callable[..., Path], pieces: list[str], newline: str, ended: bool
) -> None:
    before = newline.join("\n".join(pieces).split("\n")) + newline * ended
    root = folder({"net.py": before})
    result = check("--add-ignore")
    assert [line for line in result.stdout.splitlines() if ": TS" in line and ": TS902" not in line] == []
    after = (root / "net.py").read_bytes().decode()
    assert ast.dump(ast.parse(after)) == ast.dump(ast.parse(before))
    lines, new = before.split(newline), after.split(newline)
    assert len(lines) == len(new)
    for old_line, new_line in zip(lines, new):
        code, _, comment = new_line.partition("# tslint: ignore")
        assert old_line == new_line or (comment and old_line.startswith(code.rstrip()))
    check("--add-ignore")
    assert (root / "net.py").read_bytes().decode() == after
