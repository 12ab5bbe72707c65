"""Asks the installed compiler and tslint's static model about a text."""

from __future__ import annotations

import linecache
import re
import sys
import types
import warnings
from functools import cache
from pathlib import Path
from typing import NamedTuple

import torch

from tslint.diagnostics import Severity, Stage
from tslint.project.index import Project
from tslint.rulekit.registry import rules_by_event
from tslint.script.model import Model
from tslint.sources.file import SourceFile

PLACE = "/generated/program_{}.py"


class Verdict(NamedTuple):
    """The compiler's verdict: whether it accepted the text, its message, and the row where it stopped (0 if it names
    none).
    """

    accepted: bool
    message: str
    row: int


class Seen(NamedTuple):
    """One event of the static model."""

    kind: str
    row: int
    end_row: int
    condition: str | None
    message: str


class Invalid(Exception):
    """Raised if the text is not a valid program: an error of the generator."""


_made = 0


def compiled(text: str) -> Verdict:
    """Ask ``torch.jit.script`` for ``target``, a function or a module class of the text.

    Raises:
        Invalid: Python itself rejects the text, or the module cannot be built.
    """
    global _made
    _made += 1
    name, place = f"program_{_made}", PLACE.format(_made)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            code = compile(text, place, "exec", dont_inherit=True)
    except (SyntaxError, ValueError) as error:
        raise Invalid(str(error)) from error
    linecache.cache[place] = (len(text), None, text.splitlines(keepends=True), place)
    module = types.ModuleType(name)
    module.__file__ = place
    sys.modules[name] = module
    try:
        try:
            exec(code, module.__dict__)
            target = module.__dict__["target"]
            if isinstance(target, type):
                target = target()
        except Exception as error:
            raise Invalid(f"{type(error).__name__}: {error}") from error
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                torch.jit.script(target)
        except Exception as error:
            return _verdict(error, place)
        return Verdict(True, "", 0)
    finally:
        del sys.modules[name]
        linecache.cache.pop(place, None)


def _verdict(error: Exception, place: str) -> Verdict:
    message = str(error) or type(error).__name__
    row = re.search(rf'File "{re.escape(place)}", line (\d+)', message)
    return Verdict(False, f"{type(error).__name__}: {message}", int(row[1]) if row else 0)


@cache
def refusals() -> frozenset[str]:
    """Return the kinds of events for which ``torch.jit.script`` itself raises."""
    return frozenset(
        kind
        for kind, rules in rules_by_event().items()
        if any(
            one.rule.stage is Stage.SCRIPT and one.rule.severity is Severity.ERROR and one.rule.code < "TS6"
            for one in rules
        )
    )


def modelled(text: str) -> list[Seen]:
    """Return the events at which the compiler would stop, according to the static model."""
    project = Project()
    made = "target()" if re.search(r"^class target\b", text, re.MULTILINE) else "target"
    whole = f"{text}\n\nimport torch\n\ntorch.jit.script({made})\n"
    module = project.add(SourceFile(Path("/generated/program.py"), whole))
    model = Model(project)
    model.analyse([module])
    return [
        Seen(one.kind, one.span.row, one.span.end_row, one.condition, one.compiler)
        for one in model.all_events()
        if one.kind in refusals()
    ]


def outcome(text: str) -> tuple[str, str, Verdict, list[Seen]]:
    """Compare the verdicts of the compiler and the static model.

    Returns:
        ``accepted`` or ``rejected`` (both agree), ``alarm``, ``miss``, or ``undecided`` (the static model has only
        conditional events); a key that groups disagreements; the compiler's verdict; and the static model's events.
    """
    verdict = compiled(text)
    seen = modelled(text)
    certain = [one for one in seen if one.condition is None]
    if verdict.accepted:
        if certain:
            return "alarm", certain[0].kind, verdict, seen
        return ("undecided" if seen else "accepted"), "", verdict, seen
    if certain:
        return "rejected", "", verdict, seen
    return ("undecided" if seen else "miss"), headline(verdict.message), verdict, seen


def same_row(verdict: Verdict, seen: list[Seen]) -> bool:
    """Return whether the static model has an event on the row where the compiler stopped."""
    return not verdict.row or any(one.row <= verdict.row <= max(one.row, min(one.end_row, one.row + 2)) for one in seen)


def headline(message: str) -> str:
    """Return a message without the parts that differ between programs."""
    lines = [line.strip() for line in message.splitlines() if line.strip()]
    text = " ".join(lines[:3])
    text = re.split(r":\s*File \"", text)[0]
    return re.sub(r"'[^']*'|\b[pv]\d+\b|\d+", "…", text)[:150]
