"""Tests that a diff shows what was changed, and can be applied."""

from __future__ import annotations

import subprocess
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from tslint.util.line_diff import LineMatcher, unified

TWICE = """\
def forward(self):
    z = self.loc

    eps = z - self.loc
{0}    log_p = {1}
    log_p = log_p - self.norm
    log_p = log_p.sum(1)
    return z, log_p

def log_prob(self, z):

    eps = z - self.loc
    log_p = eps ** 2 - log(pi)
    log_p = log_p - self.norm
    log_p = log_p.sum(1)
    return log_p
"""
OLD = TWICE.format("", "eps ** 2 - log(pi)").splitlines(keepends=True)
NEW = TWICE.format("    n = log(pi)\n", "eps ** 2 - n").splitlines(keepends=True)


def test_a_method_that_repeats_another_one_is_not_moved() -> None:
    assert [line for line in unified(OLD, NEW, "net.py") if line[0] in "+-"] == [
        "--- net.py\n",
        "+++ net.py\n",
        "-    log_p = eps ** 2 - log(pi)\n",
        "+    n = log(pi)\n",
        "+    log_p = eps ** 2 - n\n",
    ]


LINES = st.lists(st.sampled_from("abcdefgh").map(lambda each: f"{each}\n"), max_size=25)


@given(LINES, LINES)
def test_the_blocks_make_up_both_texts(old: list[str], new: list[str]) -> None:
    blocks = LineMatcher(old, new).get_opcodes()
    assert [line for _, start, end, _, _ in blocks for line in old[start:end]] == old
    assert [line for _, _, _, start, end in blocks for line in new[start:end]] == new
    assert all(old[a:b] == new[c:d] for kind, a, b, c, d in blocks if kind == "equal")


def test_git_applies_it(tmp_path: Path) -> None:
    (tmp_path / "net.py").write_text("".join(OLD))
    subprocess.run(
        ["git", "apply", "-p0"], cwd=tmp_path, input="".join(unified(OLD, NEW, "net.py")).encode(), check=True
    )
    assert (tmp_path / "net.py").read_text() == "".join(NEW)
