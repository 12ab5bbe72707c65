"""Checks the promise of fixes for one text: Python computes the same before and after it, and so does compiled code."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from textwrap import dedent

from tests.rules.compiler import Verdict, the_compiler
from tests.rules.driver import HERE
from tslint.config import Settings
from tslint.fixing.outcome import Outcome
from tslint.fixing.rounds import fix
from tslint.lint.engine import Loaded
from tslint.lint.incremental import Judge
from tslint.sources.file import SourceFile

HEAD = "import math\nfrom typing import Dict, List, Optional, Tuple\n\nimport torch\nfrom torch import Tensor, nn\n\n\n"


def fixed(text: str, *, unsafe: bool = True) -> tuple[str, Outcome]:
    """Return a text after its fixes, and the outcome."""
    loaded = Loaded((SourceFile(HERE, text),))
    judge = Judge(Settings())
    assert not [each.message for each in judge(loaded).diagnostics if each.code == "TS900"]
    outcome = fix(loaded, judge, unsafe=unsafe)
    # A rule that raises has no fix: a row that expects none would pass.
    assert not [each.message for each in outcome.report.diagnostics if each.code == "TS900"]
    return (outcome.changed[0][1].text if outcome.changed else text), outcome


def asked(text: str, constructions: Sequence[str], inputs: Sequence[str]) -> Iterator[tuple[str, Verdict]]:
    """Yield the verdicts of Python and the compiler for each construction and each input."""
    for construction in constructions:
        for given in inputs:
            tail = f"\n\nscripted = torch.jit.script({construction})\ninputs = {given}\n"
            yield f"{construction} of {given}", the_compiler()(text + tail)


def check_promise(
    text: str, constructions: Sequence[str] = ("Net()",), inputs: Sequence[str] = ("(torch.rand(2, 3),)",),
    *, differs: bool = False,
) -> str:  # fmt: skip
    """Apply the safe fixes of a text, then all of them, and compare.

    Return the text after all fixes; if ``Net`` is its only class, return what follows ``class Net``.

    Args:
        text: contains a class ``Net``; the usual imports are put before it.
        constructions: expressions that build it.
        inputs: tuples of arguments.
        differs: whether a fix announces that compiled code may behave differently.
    """
    text = HEAD + dedent(text).lstrip("\n")
    before = dict(asked(text, constructions, inputs))
    for unsafe in (False, True):
        after, outcome = fixed(text, unsafe=unsafe)
        # If a finding says that compiled code differs from Python, its fix makes them equal.
        silent = any(each.finding.code.startswith("TS6") for each in outcome.applied)
        for case, now in asked(after, constructions, inputs) if after != text else ():
            then = before[case]
            assert now.eager == then.eager or (unsafe and _raises(then) and _raises(now)), (case, after)
            assert now.keys == then.keys, (case, after)
            if then.ok:
                assert now.ok, (case, now.message, after)
                mends = silent or _raises_compiled(then)
                both_raise = mends and _raises(now) and _raises_compiled(now)
                same = now.scripted in (then.scripted, now.eager if mends else then.scripted)
                assert same or both_raise, (case, after)
            elif now.ok and not differs:
                assert now.scripted == now.eager or (_raises(now) and _raises_compiled(now)), (
                    case,
                    after,
                )
    return after.partition("class Net")[2] if after.count("class ") == 1 else after


def _raises(verdict: Verdict) -> bool:
    return str(verdict.eager).startswith("raises ")


def _raises_compiled(verdict: Verdict) -> bool:
    return str(verdict.scripted).startswith("raises ")
