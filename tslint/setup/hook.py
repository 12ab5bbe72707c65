"""Writes the pre-commit hook, into a new .pre-commit-config.yaml or an existing list."""

from __future__ import annotations

import re

_HOOK = """\
- repo: local
  hooks:
    - id: tslint
      name: tslint
      entry: tslint check --force-exclude --within .
      language: system
      types_or: [python, jupyter]
      stages: [pre-commit]
      require_serial: true
"""


def with_hook(text: str | None) -> str | None:
    """Return the text of .pre-commit-config.yaml with the hook; every other byte is kept.

    Args:
        text: the current text; None if there is no file.

    Returns:
        The new text, or None if the place for the hook cannot be found without a full YAML parser.
    """
    if text is None:
        return "repos:\n" + _indented("  ", "\n")
    newline = "\r\n" if "\r\n" in text else "\n"
    lines = text.splitlines(keepends=True)
    starts = [i for i, line in enumerate(lines) if re.match(r"repos:\s*(#.*)?$", line)]
    if len(starts) != 1 or any(re.match(r"(---|\.\.\.)", line) for line in lines[starts[0] :]):
        return None
    first = re.match(r"( *)- ", next((each for each in lines[starts[0] + 1 :] if _is_content(each)), ""))
    if first is None:
        return None
    end = starts[0] + 1
    for i in range(starts[0] + 1, len(lines)):
        if re.match(r"[^\s#-]", lines[i]):
            break
        if _is_content(lines[i]):
            end = i + 1
    before = "".join(lines[:end])
    if not before.endswith(("\n", "\r")):
        before += newline
    return before + _indented(first[1], newline) + "".join(lines[end:])


def has_hook(text: str) -> bool:
    """Return whether tslint is already a hook."""
    return re.search(r"^\s*-?\s*id:\s*['\"]?tslint\b", text, re.MULTILINE) is not None


def _is_content(line: str) -> bool:
    return bool(line.strip()) and not line.lstrip().startswith("#")


def _indented(indent: str, newline: str) -> str:
    return "".join(f"{indent}{line}{newline}" for line in _HOOK.splitlines())
