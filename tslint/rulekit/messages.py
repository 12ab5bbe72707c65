"""Finds rules by the compiler's messages, from the rules' pages and from recorded messages."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path

from tslint.rulekit.registry import RegisteredRule, all_rules

RECORDED = Path(__file__).with_name("messages.json")
"""Messages that the pages do not quote, by the name of the rule; written by ``python -m scripts.site.messages``."""
_QUOTED = re.compile(r"^```text\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_GENERAL = ("Arguments for call are not valid. The", 'File "', "aten::", "prim::")
_LONGEST = 300
# The words, numbers and types that differ from message to message.
_VARIES = re.compile(r"'[^']*'|\"[^\"]*\"|`[^`]*`|\b\d+\b|(?<=type )\S+")
_SHORTEST = 12
_PART = 500


def says(registered: RegisteredRule) -> list[str]:
    """Return the compiler's messages on the page of a rule, one line each."""
    lines = [line for block in _QUOTED.findall(registered.page) for line in block.splitlines()]
    found = [message for message in map(message_of, lines) if message]
    # A message that is the beginning of another one would match too much.
    return [one for one in dict.fromkeys(found) if not any(other != one and other.startswith(one) for other in found)]


def message_of(line: str) -> str:
    """Return the searchable part of a line from the compiler; empty if it is not specific enough.

    The overloads that the compiler tried, underlined code, addresses and the names of test modules are left out.
    """
    text = " ".join(line.split())
    text = re.sub(r"^(?:aten|prim)::.*? -> .*?:\s*(?=[A-Z])", "", text)
    text = re.sub(r" \(of Python compilation unit at: 0x\w+\)| at 0x\w+|__torch__\.(?:s_\w+\.)?", "", text)
    text = re.sub(r"^(?:\w+\.)*\w*(?:Error|Warning): ", "", text).rstrip(":… ")
    # Code and signatures are not messages; neither is a line that is the beginning of another message.
    code = re.match(r"(class|def) \w+[(:]|\w+ = |\w+\(.*\) -> |type: |The following", text)
    silent = len(text) < 8 or len(text) > _LONGEST or "<--- HERE" in text or code is not None
    text = text.removesuffix(": SourceRange at")
    return "" if silent or text.startswith(_GENERAL) else text


@cache
def recorded() -> Mapping[str, tuple[str, ...]]:
    """Return messages that no page quotes, by the name of the rule."""
    return {name: tuple(found) for name, found in json.loads(RECORDED.read_text(encoding="utf-8")).items()}


@cache
def table() -> tuple[tuple[str, RegisteredRule], ...]:
    """Return every message with its rule."""
    return tuple(
        (message, registered)
        for registered in all_rules()
        if registered.family != "tool"
        for message in (*says(registered), *recorded().get(registered.rule.name, ()))
    )


def of_words(words: str, *, whole: bool = False) -> list[RegisteredRule]:
    """Return the rules that explain a message: only those with the best match.

    Args:
        words: a message of the compiler, or part of one.
        whole: whether the words are a whole line of the compiler's output, not a part of a message.
    """
    text = " ".join(words.split())
    found: dict[int, dict[str, RegisteredRule]] = {}
    for message, registered in table():
        grade = _grade(text.lower(), message.lower())
        if grade and not (whole and grade == _PART):
            found.setdefault(grade, {})[registered.rule.code] = registered
    return list(found[max(found)].values()) if found else []


def _grade(text: str, message: str) -> int:
    """Return how well a text matches a message; 0 if it does not.

    From the best match to the worst: the text contains the message; the text is the beginning of the message; the text
    is another part of the message; or the two only differ in names, numbers and types.
    """
    if message in text and len(message) >= _SHORTEST:
        return _PART + len(message)
    if text in message:
        return _PART + (message.startswith(text) and len(text) >= _SHORTEST)
    pattern = ".+?".join(re.escape(part) for part in _VARIES.split(message))
    plain = len(_VARIES.sub("", message).replace(" ", ""))
    return min(plain, _PART - 1) if plain >= _SHORTEST and re.search(pattern, text) else 0


def explained(log: str) -> Iterator[tuple[str, list[RegisteredRule]]]:
    """Yield each compiler message in a log that a rule explains, with its rules; each rule only once, with its first
    message.
    """
    known: set[str] = set()
    for line in log.splitlines():
        message = message_of(line)
        rules = of_words(message, whole=True) if len(message) >= _SHORTEST else []
        new = [registered for registered in rules if registered.rule.code not in known]
        if new:
            known |= {registered.rule.code for registered in new}
            yield message, new
