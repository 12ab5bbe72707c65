"""Parses the compiler's messages, and the positions that they underline.

It works on text alone, without torch, in the worker and in its parent. Such a text is::

    undefined value foo:
      File "net.py", line 18
        def g(self, x):
            return foo(x)
                   ~~~ <--- HERE
    'Net.g' is being compiled since it was called from 'Net.forward'
      File "net.py", line 20
    …
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from tslint.config import shown
from tslint.util.record import record
from tslint.verify.outcome import one_line
from tslint.verify.users import is_users

_FILE = re.compile(r'^\s*File "(?P<file>.+)", line (?P<row>\d+)(?:, in (?P<name>.+))?$')
_TRACED = re.compile(r"^(?P<file>\S.*)\((?P<row>\d+)\): (?P<name>\S+)$")
_SIGNATURE = re.compile(r"^(?P<name>[\w.:]+)\(.*\) -> .+:$")
_UNDERLINE = re.compile(r"^(?P<before>\s*)(?P<waves>~+)(?P<here> <--- HERE)?\s*$")
_PYTHON_CALL = re.compile(r"Could not export Python function call '[^']+'")
_DEFINED = re.compile(r"\bdef (?P<name>\w+)\(")
_CALLED = re.compile(r"^'.+' is being compiled since it was called from '.+'$")


@record
class Underlined:
    """A position that the compiler underlines: rows from 1, columns from 0 as the compiler counts them (bytes)."""

    filename: str
    row: int
    column: int
    end_row: int
    end_column: int


def underlined(text: str) -> list[Underlined]:
    """Return the positions in an error's text, in the order of the text: where the compiler stopped, then the calls
    that lead there.
    """
    found: list[Underlined] = []
    lines = text.splitlines()
    for number, line in enumerate(lines):
        match = _FILE.match(line)
        if match:
            found.append(_excerpt(match.group("file"), int(match.group("row")), lines[number + 1 :]))
    return found


def _excerpt(filename: str, row: int, lines: list[str]) -> Underlined:
    """Return the position that the excerpt below a ``File`` line underlines: each row with its own line of waves."""
    spans: list[tuple[int, int]] = []
    for line in lines:
        if _FILE.match(line) or _CALLED.match(line):
            break
        match = _UNDERLINE.match(line)
        if match:
            start = len(match.group("before"))
            spans.append((start, start + len(match.group("waves"))))
            if match.group("here"):
                break
    if not spans:
        return Underlined(filename, row, 0, row, 0)
    return Underlined(filename, row, spans[0][0], row + len(spans) - 1, spans[-1][1])


def headline(text: str) -> str:
    """Return the first informative line of a message, without torch's prefix."""
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    if not lines:
        return ""
    first = lines[0]
    if first == "Arguments for call are not valid." and len(lines) > 3:
        # A list of overloads follows; the message about the first one is the most specific that the compiler gives.
        reasons = [line for line in lines if line.startswith(("Expected ", "Could not ", "Argument ", "Unknown "))]
        first = f"{first} {reasons[0]}" if reasons else first
    signature = _SIGNATURE.match(first)
    if signature and len(lines) > 1:
        # The signature is that of the author's function, so only the line about the call is needed.
        first = f"{signature['name']}: {lines[1]}"
    if first.startswith("Tracer cannot infer type of"):
        # The value follows, printed over many lines.
        reasons = [line.lstrip(":") for line in lines if line.startswith(":")]
        first = f"Tracer cannot infer the type of an input or output: {reasons[0]}" if reasons else first
    call = _PYTHON_CALL.match(first)
    if call:
        # Advice for modules of old versions follows.
        first = call.group()
    if first.startswith("Compiled functions can't take variable number"):
        first = _with_parameter(first, text)
    first = re.sub(r" at$", "", first)
    return one_line(first.rstrip(":"))


def _with_parameter(first: str, text: str) -> str:
    """Return a message about parameters with the underlined parameter: ``…: **kwargs of scaled``."""
    lines = text.splitlines()
    for number, line in enumerate(lines):
        match = _UNDERLINE.match(line)
        if match:
            start = len(match.group("before"))
            above = lines[number - 1]
            # The waves begin below the name, below the last star, or below the default of the name.
            begin = len(re.sub(r"(\*|\w+( *:[^,=]*)? *= *)$", "", above[:start]))
            parameter = above[begin : start + len(match.group("waves"))]
            names = [found["name"] for above in lines[:number] if (found := _DEFINED.search(above))]
            return f"{first.rstrip(':')}: {parameter}{f' of {names[-1]}' if names else ''}"
    return first


def traced_stack(text: str, torch_root: str) -> list[dict[str, Any]]:
    """Return the user's calls that lead to a traced operator, as evidence, outermost first.

    Args:
        text: one call on each line, innermost first: ``net.py(12): forward``.
        torch_root: the folder of torch.
    """
    found = [match for line in text.splitlines() if (match := _TRACED.match(line))]
    found = [match for match in reversed(found) if is_users(match["file"], torch_root)]
    # The call that starts the trace is not part of the traced code.
    while found and found[0]["name"] != "forward":
        found.pop(0)
    return [{"filename": match["file"], "row": int(match["row"])} for match in found]


def runtime_error(text: str, torch_root: str) -> str | None:
    """Return the exception of a call of a compiled module, with the user's innermost line that its text names.

    Args:
        text: the text of the error.
        torch_root: the folder of torch.

    Returns:
        For instance ``RuntimeError: shape '[3, 7]' is invalid for input of size 4 (net.py:32)``; None for a text that
        is not a traceback of the TorchScript interpreter.
    """
    if "Traceback of TorchScript" not in text:
        return None
    lines = text.splitlines()
    # A script's traceback begins with the outermost call, a trace's with the innermost.
    scripted = [match for line in lines if (match := _FILE.match(line))]
    places = [(call["filename"], call["row"]) for call in reversed(traced_stack(text, torch_root))]
    places += [
        (match["file"], int(match["row"]))
        for match in reversed(scripted)
        if not match["file"].startswith("code/__torch__") and is_users(match["file"], torch_root)
    ]
    said = [line for line in lines if re.match(r"^[\w.]*(Error|Exception|Interrupt)\b", line)]
    where = f" ({shown(Path(places[0][0]))}:{places[0][1]})" if places else ""
    # An error of torch that is raised as an exception of Python contains its name twice.
    words = re.sub(r"^(\w+: )\1", r"\1", said[-1] if said else lines[-1])
    return one_line(words.removeprefix("builtins.")) + where
