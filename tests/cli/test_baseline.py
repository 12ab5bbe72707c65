"""Tests ``--baseline`` and ``--write-baseline``: known findings stay known when their lines move, and new findings are
new.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tslint.cli import cli

pytestmark = pytest.mark.usefixtures("toy_rules")
FILE = "tslint-baseline.json"


def check(*arguments: str, ci: str = "", stdin: bytes | None = None) -> Result:
    command = ["check", "--output-format", "concise", *arguments]
    return CliRunner(env={"CI": ci}).invoke(cli, command, input=stdin)


def write(*arguments: str) -> Result:
    return check("--baseline", FILE, "--write-baseline", *arguments)


def against(*arguments: str, ci: str = "") -> Result:
    return check("--baseline", FILE, *arguments, ci=ci)


def counts(root: Path) -> dict[tuple[str, str, str], int]:
    """Return the entries of the baseline."""
    findings = json.loads((root / FILE).read_text("utf-8"))["findings"]
    return {(path, each["code"], each["snippet"]): each["count"] for path, found in findings.items() for each in found}


def test_only_new_findings_are_reported(folder: Callable[..., Path]) -> None:
    root = folder({"pkg/net.py": "x =  bad\ny = ugly\n", "other.py": "bad\n"})
    written = write()
    assert (written.exit_code, written.stdout) == (0, "All checks passed! (3 known findings in the baseline)\n")
    assert written.stderr == f"{FILE}: 3 known findings in 2 files (3 added)\n"
    assert counts(root) == {
        ("other.py", "TS291", "bad"): 1,
        ("pkg/net.py", "TS291", "x = bad"): 1,
        ("pkg/net.py", "TS292", "y = ugly"): 1,
    }
    assert against().stdout == "All checks passed! (3 known findings in the baseline)\n"
    folder({"pkg/net.py": "# moved\n\nif 1:\n    x = bad\n    y = ugly\nz = bad\n"})
    result = against()
    assert result.stdout == (
        "pkg/net.py:6:5: TS291 [*] `bad` is a toy\n"
        "Found 1 error in 1 file (3 known findings in the baseline); 1 fixable with `--fix`.\n"
    )
    assert (result.exit_code, result.stderr) == (1, "")


def test_the_file_is_one_line_for_each_entry_and_written_alike(folder: Callable[..., Path]) -> None:
    root = folder({"b.py": "bad  # ü\nbad\nbad\n", "a.py": "ugly\n"})
    write()
    first = (root / FILE).read_bytes()
    assert first.decode() == (
        '{\n  "version": 1,\n  "paths": ["."],\n  "findings": {\n'
        '    "a.py": [\n      {"code": "TS292", "snippet": "ugly", "count": 1}\n    ],\n'
        '    "b.py": [\n      {"code": "TS291", "snippet": "bad", "count": 2},\n'
        '      {"code": "TS291", "snippet": "bad # ü", "count": 1}\n    ]\n  }\n}\n'
    )
    inode = (root / FILE).stat().st_ino
    assert write().stderr == f"{FILE}: 4 known findings in 2 files\n"
    assert (root / FILE).stat().st_ino == inode  # there is nothing to write


def test_it_shrinks_by_itself_and_says_so(folder: Callable[..., Path]) -> None:
    root = folder({"net.py": "bad\nbad\nugly\n", "gone.py": "bad\n"})
    write()
    (root / "gone.py").unlink()
    folder({"net.py": "bad\nugly\n"})
    before = (root / FILE).read_bytes()
    for arguments, ci in (((), "true"), (("--diff",), "")):
        told = against(*arguments, ci=ci).stderr
        assert f"note: {FILE}: 2 known findings gone; a run of `tslint check` outside CI" in told
        assert (root / FILE).read_bytes() == before
    assert against().stderr == f"note: {FILE}: 2 known findings gone and removed, 2 left\n"
    assert counts(root) == {("net.py", "TS291", "bad"): 1, ("net.py", "TS292", "ugly"): 1}
    assert against().stderr == ""
    folder({"net.py": "bad\nbad\nugly\n"})
    assert against().exit_code == 1  # a finding that comes back is new
    folder({"net.py": "x = 1\n"})
    assert against().stderr == f"note: {FILE}: 2 known findings gone and removed, none left: it can be deleted\n"


@pytest.mark.parametrize(
    ("arguments", "files"),
    [
        (("net.py",), {"net.py": "x = 1"}),  # the code of another file may be the reason for a finding
        (("--select", "TS292"), {}),
        (("--ignore", "TS291"), {}),
        ((".",), {"net.py": "def f(:"}),
        ((".",), {"other.py": "def f(:"}),
        ((".", "--ignore", "TS901"), {"other.py": "def f(:", "net.py": "x = 1"}),
        ((".",), {"other.py": b"\0", "net.py": "x = 1"}),
        ((".", "missing.py"), {"net.py": "x = 1"}),
    ],
)
def test_entries_of_files_that_were_not_fully_judged_are_kept(
    folder: Callable[..., Path], arguments: tuple[str, ...], files: dict[str, str | bytes]
) -> None:
    root = folder({"net.py": "bad\n", "other.py": "bad\n"})
    write()
    before = counts(root)
    folder(files)
    result = against(*arguments)
    assert counts(root) == before
    assert "gone" not in result.stderr


def test_the_standard_input_changes_no_baseline(folder: Callable[..., Path]) -> None:
    root = folder({"net.py": "bad\nugly\n"})
    write("net.py")
    before = (root / FILE).read_bytes()
    result = check("--baseline", FILE, "--stdin-filename", "net.py", "-", stdin=b"ugly\nnew = bad\n")
    assert [line.split(" ")[0] for line in result.stdout.splitlines()] == ["net.py:2:7:", "Found"]
    assert (root / FILE).read_bytes() == before


def test_writing_again_adds_and_drops_and_says_how_many(folder: Callable[..., Path]) -> None:
    root = folder({"net.py": "bad\nugly\n", "other.py": "bad\n"})
    write()
    folder({"net.py": "ugly\nugly\nx = bad\n"})
    # Only some of the files are checked: entries of the others, and entries due to their code, are kept.
    assert write("net.py").stderr == f"{FILE}: 5 known findings in 2 files (2 added)\n"
    assert write().stderr == f"{FILE}: 4 known findings in 2 files (1 gone)\n"
    assert json.loads((root / FILE).read_text())["paths"] == ["."]
    assert counts(root) == {
        ("net.py", "TS291", "x = bad"): 1,
        ("net.py", "TS292", "ugly"): 2,
        ("other.py", "TS291", "bad"): 1,
    }


def test_a_baseline_elsewhere_counts_paths_from_its_own_folder(
    folder: Callable[..., Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    root = folder({"src/net.py": "bad\n", "ci/tslint.json": "", "pyproject.toml": ""})
    (root / "ci/tslint.json").unlink()
    (root / "pyproject.toml").write_text('[tool.tslint]\nbaseline = "ci/tslint.json"\n')
    assert check("--write-baseline", "src").stderr.startswith("ci/tslint.json: 1 known finding in 1 file")
    assert json.loads((root / "ci/tslint.json").read_text())["paths"] == ["../src"]
    monkeypatch.chdir(root / "src")
    assert check().stdout == "All checks passed! (1 known finding in the baseline)\n"
    assert check("--baseline", "none.json").exit_code == 2


def test_files_that_could_not_be_judged_are_never_in_the_baseline(folder: Callable[..., Path]) -> None:
    folder({"a.py": "def f(:", "b.py": b"\0", "net.py": "bad"})
    result = write()
    assert result.exit_code == 1
    assert [line.split()[1] for line in result.stdout.splitlines()[:2]] == ["TS901", "TS901"]
    assert result.stderr == f"{FILE}: 1 known finding in 1 file (1 added)\n"


def test_suppressions_on_the_line_do_not_make_its_other_findings_new(folder: Callable[..., Path]) -> None:
    folder({"net.py": "x = ugly, 1  # why\n"})
    write()
    folder({"net.py": "x = ugly, 1  # why  # tslint: ignore[TS291]\n"})
    assert [line.split()[1] for line in against().stdout.splitlines()[:-1]] == ["TS902"]


def test_fixes_do_not_make_what_is_left_on_their_lines_new(folder: Callable[..., Path]) -> None:
    root = folder({"net.py": "x = bad, ugly\nz = ugly\n", "other.py": "", "tslint.toml": f'baseline = "{FILE}"'})
    check("--write-baseline")
    result = check("--fix", "net.py")  # not the whole project: only entries that have moved are written
    assert result.stdout == "Fixed 1 finding.\nAll checks passed! (2 known findings in the baseline)\n"
    assert ("net.py", "TS292", "x = good, ugly") in counts(root)
    assert check().stderr == f"note: {FILE}: 1 known finding gone and removed, 2 left\n"
    assert sum(counts(root).values()) == 2


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("", "the baseline is not JSON: "),
        ("<<<<<<< HEAD\n", "the baseline is not JSON: "),
        (
            b"\xff",
            "the baseline is not UTF-8 text; correct it, or delete it and write a new one with `--write-baseline`",
        ),
        ("[]", "is not a baseline of tslint; correct it, or delete it"),
        ('{"version": 1, "paths": [], "findings": {"a": [{"code": "TS1"}]}}', "is not a baseline of tslint"),
        (
            '{"version": 1, "paths": [], "findings": {"a": [{"code": "TS1", "snippet": "", "count": 0}]}}',
            "is not a basel",
        ),
        ('{"version": 2}', "written by a newer tslint (version 2 of the format); update it"),
        (None, "no such baseline; `--write-baseline` writes it"),
    ],
)
@pytest.mark.parametrize("writing", [False, True])
def test_a_file_that_is_no_baseline_is_one_line(
    folder: Callable[..., Path], content: str | bytes | None, message: str, writing: bool
) -> None:
    root = folder({"net.py": "bad"} if content is None else {"net.py": "bad", FILE: content})
    if content is None and writing:
        return
    result = write() if writing else against()
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr.startswith(f"error: {FILE}: {message}")
    assert result.stderr.count("\n") == 1
    if isinstance(content, str):
        assert (root / FILE).read_text() == content


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--write-baseline"], "--write-baseline needs a file: add --baseline tslint-baseline.json"),
        (["--write-baseline", "--diff", "--baseline", "b"], "--write-baseline and --diff cannot be used together"),
        (["--write-baseline", "--add-ignore", "--baseline", "b"], "--add-ignore and --write-baseline cannot be used"),
        (["--write-baseline", "--baseline", "b", "-"], "--write-baseline needs files"),
        (["--write-baseline", "--baseline", "no/folder/b"], "no/folder/b: cannot be written: No such file"),
    ],
)
def test_usage(folder: Callable[..., Path], arguments: list[str], message: str) -> None:
    folder({"net.py": "bad"})
    result = check(*arguments, stdin=b"")
    assert result.exit_code == 2
    assert result.stderr.startswith(f"error: {message}")
    assert result.stderr.count("\n") == 1


def test_entries_that_two_branches_added_are_one(folder: Callable[..., Path]) -> None:
    entry = '{"code": "TS291", "snippet": "bad", "count": 1}'
    text = f'{{"version": 1, "paths": ["."], "findings": {{"net.py": [{entry}, {entry}]}}}}'
    folder({"net.py": "bad\nbad\n", FILE: text})
    assert against().stdout.startswith("net.py:2:1: TS291")


LINES = st.lists(
    st.sampled_from(["bad", "ugly", "x = bad", "  x  =  bad", "x = 1", "", "# bad", "bad, bad"]), max_size=9
)


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(before=LINES, after=LINES, order=st.randoms(use_true_random=False))
def test_moved_findings_stay_known_and_every_new_one_is_found(
    folder: Callable[..., Path], before: list[str], after: list[str], order: object
) -> None:
    def text(lines: list[str]) -> str:
        return "\n".join(f"if 1:\n{line}" if line.startswith(" ") else line for line in lines) + "\n"

    def kinds(lines: list[str]) -> Counter[tuple[str, str]]:
        found: Counter[tuple[str, str]] = Counter()
        for line in lines:
            for word, code in (("bad", "TS291"), ("ugly", "TS292")):
                if not line.startswith("#"):
                    found[code, " ".join(line.split())] += line.count(word)
        return +found

    root = folder({"net.py": text(before)})
    (root / FILE).unlink(missing_ok=True)
    write()
    moved = list(before)
    order.shuffle(moved)  # type: ignore[attr-defined]
    folder({"net.py": text(["", *moved, ""])})
    assert against().exit_code == 0
    assert sum(counts(root).values()) == sum(kinds(before).values())

    folder({"net.py": text(after)})
    left = kinds(after) - kinds(before)
    result = check("--baseline", FILE, "--output-format", "json")
    assert Counter(each["code"] for each in json.loads(result.stdout)) == Counter(
        code for (code, _), number in left.items() for _ in range(number)
    )
    # The baseline keeps the entries that exist before and after: never more than before, and no missing ones.
    assert {(code, snippet): n for (_, code, snippet), n in counts(root).items()} == kinds(after) & kinds(before)
