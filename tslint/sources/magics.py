"""Hides IPython syntax (magics, shell commands and questions) from Python, and restores it."""

from __future__ import annotations

import ast
import re
import warnings

# Cell magics whose cell is Python code that runs in the notebook's own namespace.
_TRANSPARENT = ("capture", "debug", "ipytest", "prun", "time")
_STATEMENT = re.compile(r"\s*(?:%|!|\?|[%\w.*\[\]\"']+\s*\?{1,2}\s*$)")
_ASSIGNMENT = re.compile(r"(\s*[\w.,*\[\] \t]+=\s*)((?:!|%)[^=].*)$", re.DOTALL)
_CELL = re.compile(r"\s*%%(\w+)")
_TOKEN = re.compile(r"'''|\"\"\"|['\"#\\\[\](){}]")


def is_python(cell: str) -> bool:
    """Return whether a cell contains Python code, and has no ``%%`` line that passes it to another program or
    namespace.
    """
    found = _CELL.match(cell.lstrip("\r\n"))
    return found is None or found[1] in _TRANSPARENT


def hidden(cell: str, tag: str) -> str:
    """Return a cell in which magics are comments, each after a statement without effect.

    Args:
        cell: the author's text.
        tag: marks what :func:`shown` has to restore; it does not occur in the cell.
    """
    if parses(cell):
        return cell
    lines: list[str] = []
    state = _Python()
    magic = False
    for line in re.findall(r"[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+\Z", cell):
        text = line.rstrip("\r\n")
        end = line[len(text) :]
        indent = text[: len(text) - len(text.lstrip())]
        assigned = _ASSIGNMENT.match(text) if state.fresh else None
        if magic:
            # The continuation of a shell command whose line ends in a backslash.
            lines.append(f"{indent}# {tag} {text[len(indent) :]}{end}")
        elif state.fresh and _CELL.match(text):
            lines.append(f"{indent}# {tag} {text[len(indent) :]}{end}")
            magic = True
        elif state.fresh and _STATEMENT.match(text) and text.strip():
            lines.append(f"{indent}pass  # {tag} {text[len(indent) :]}{end}")
            magic = True
        elif assigned:
            lines.append(f"{assigned[1]}get_ipython()  # {tag} {assigned[2]}{end}")
            magic = True
        else:
            lines.append(line)
            state.read(text)
        magic = magic and text.endswith("\\")
    return "".join(lines)


def shown(cell: str, tag: str) -> str:
    """Return a cell as its author wrote it, from the result of :func:`hidden`."""
    return re.sub(rf"(?:(?:pass|get_ipython\(\))  )?# {re.escape(tag)} ", "", cell)


def parses(text: str) -> bool:
    """Return whether Python can parse a text."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    return True


class _Python:
    """The state of Python's tokenizer, as far as it decides whether a line begins a statement."""

    def __init__(self) -> None:
        self._depth = 0
        self._string = ""
        self._continued = False

    @property
    def fresh(self) -> bool:
        """Return whether the next line begins a statement."""
        return not (self._depth or self._string or self._continued)

    def read(self, line: str) -> None:
        """Advance to the end of a line, without its line end."""
        self._continued = False
        at = 0
        while match := _TOKEN.search(line, at):
            token, at = match[0], match.end()
            if token == "\\":
                self._continued = at == len(line)
                at += 1
            elif self._string:
                # If the search finds three quotes, but the first one closes the string, it goes on after the first.
                if token.startswith(self._string):
                    at = match.start() + len(self._string)
                    self._string = ""
            elif token == "#":
                break
            elif token in "([{":
                self._depth += 1
            elif token in ")]}":
                self._depth = max(0, self._depth - 1)
            else:
                self._string = token
        if len(self._string) == 1 and not self._continued:
            self._string = ""
