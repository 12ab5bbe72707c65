"""Compares two sets of digests, by rule."""

from __future__ import annotations

import difflib
import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from digesting.store import STEPS, Digests, Key, Line

Value = Mapping[str, Any]
KINDS = {"findings": "findings", "safe": "safe fixes", "unsafe": "unsafe fixes"}
HOW = ("gained", "lost", "changed")
FIX = "other fix"
_NO_RULE = "no rule"


@dataclass(frozen=True)
class Difference:
    """A difference between two records of a file.

    Args:
        key: the corpus and the file.
        kind: one of KINDS, or ``text`` (the file itself), ``error``, ``only before`` or ``only after``.
        said: for an error, the old and the new message.
        rules: how often each change happened: by code, and by one of HOW or FIX.
        diff: creates the lines of a unified diff.
    """

    key: Key
    kind: str
    said: str = ""
    rules: Counter[tuple[str, str]] = field(default_factory=Counter)
    diff: Callable[[], Iterable[str]] = tuple

    @property
    def words(self) -> str:
        """Return one line about the difference."""
        rules = ", ".join(f"{code} {how} {count}" for (code, how), count in sorted(self.rules.items()))
        return f"{'/'.join(self.key)}: {KINDS.get(self.kind, self.kind)}: {rules or self.said or 'differs'}"

    def about(self, prefix: str) -> bool:
        """Return whether the difference concerns rules whose codes begin with a prefix."""
        return not prefix or any(code.startswith(prefix) for code, _ in self.rules)


def compared(before: Digests, after: Digests, *, common: bool) -> Iterator[Difference]:
    """Yield all differences.

    Args:
        before, after: the two sets of digests.
        common: whether to leave out the files that only one of them has.
    """
    for key in sorted({*before.lines, *after.lines}):
        old, new = before.lines.get(key), after.lines.get(key)
        if old is not None and new is not None:
            yield from _of_file(key, old, new, before, after)
        elif not common:
            yield Difference(key, "only before" if new is None else "only after", "the other has no such file")


def _of_file(key: Key, old: Line, new: Line, before: Digests, after: Digests) -> Iterator[Difference]:
    if old["text"] != new["text"]:
        # All other differences follow from that.
        yield Difference(key, "text", "the file itself has changed")
        return
    if old.get("error") != new.get("error"):
        said = f"{old.get('error', 'none')} -> {new.get('error', 'none')}"
        yield Difference(key, "error", said)
    for step in STEPS:
        names = (step, f"{step}_done")
        # A step that one of them skipped, or could not do, cannot be compared.
        if step in old and step in new and any(old.get(name) != new.get(name) for name in names):
            make = _of_findings if step == "findings" else _of_fixes
            yield make(key, step, old, new, before, after)


def _of_findings(key: Key, step: str, old: Line, new: Line, before: Digests, after: Digests) -> Difference:
    olds, news = before.store.values(old[step]), after.store.values(new[step])
    rules = _changes(olds, news, lambda value: (value["code"], str(value["location"]), value.get("cell")), "fix")
    name = "/".join(key)
    return Difference(key, step, "", rules, lambda: _unified(_lines(olds), _lines(news), f"{name} {KINDS[step]}"))


def _of_fixes(key: Key, step: str, old: Line, new: Line, before: Digests, after: Digests) -> Difference:
    done = f"{step}_done"
    olds, news = before.store.values(old[done]), after.store.values(new[done])
    rules = _changes(olds, news, lambda value: (value["code"], str(value["at"]), "note" in value))
    rules = rules or Counter({(_NO_RULE, "changed"): 1})
    name = f"{'/'.join(key)} {KINDS[step]}"

    def diff() -> Iterator[str]:
        texts = [each.store.get(line[step]).decode("utf-8", "replace") for each, line in ((before, old), (after, new))]
        yield from _unified(texts[0].splitlines(), texts[1].splitlines(), name)
        if old[step] == new[step]:
            yield from _unified(_listed(olds), _listed(news), f"{name}, what was done and not done")

    return Difference(key, step, "", rules, diff)


def _changes(
    olds: Sequence[Value], news: Sequence[Value], place: Callable[[Value], object], aside: str = ""
) -> Counter[tuple[str, str]]:
    """Count how items with a code have changed.

    Args:
        olds, news: the items.
        place: returns what identifies an item after a change.
        aside: the name of the part of an item whose change counts as FIX if nothing else has changed; empty for none.
    """
    rules: Counter[tuple[str, str]] = Counter()
    left = Counter(map(_text, olds)) - Counter(map(_text, news))
    right = Counter(map(_text, news)) - Counter(map(_text, olds))
    waiting: dict[object, list[Value]] = {}
    for value in map(json.loads, right.elements()):
        waiting.setdefault(place(value), []).append(value)
    for value in map(json.loads, left.elements()):
        others = waiting.get(place(value))
        if others:
            other = others.pop(0)
            alike = aside and _text({**value, aside: None}) == _text({**other, aside: None})
            rules[_rule(value), FIX if alike else "changed"] += 1
        else:
            rules[_rule(value), "lost"] += 1
    rules.update((_rule(value), "gained") for others in waiting.values() for value in others)
    return rules


def _rule(value: Value) -> str:
    """Return the rule of an item; for a note, the rule that was not fixed."""
    return f"{value['code']} note" if "note" in value else str(value["code"])


def _text(value: Value) -> str:
    return json.dumps(value, sort_keys=True)


def _listed(values: Iterable[Value]) -> list[str]:
    return [json.dumps(value, sort_keys=True, ensure_ascii=False) for value in values]


def _lines(values: Iterable[Value]) -> list[str]:
    """Return findings as readable lines."""
    lines: list[str] = []
    for value in values:
        start, end = value["location"], value["end_location"]
        place = f"{start['row']}:{start['column']}-{end['row']}:{end['column']}"
        lines.append(f"{place} {value['code']} {value['severity']} {value['stage']}: {value['message']}")
        shown = {"location", "end_location", "code", "severity", "stage", "message", "fix", "name"}
        lines += [f"    {part}: {_listed([each])[0]}" for part, each in value.items() if part not in shown and each]
        fix = value["fix"] or {}
        lines += [f"    fix: {fix['applicability']}: {fix['message']} {' '.join(fix['risks'])}".rstrip()] if fix else []
        lines += [f"        {_listed([edit])[0]}" for edit in fix.get("edits", ())]
    return lines


def _unified(old: Sequence[str], new: Sequence[str], name: str) -> Iterator[str]:
    yield from difflib.unified_diff(old, new, f"{name} (before)", f"{name} (after)", lineterm="")


def varied(differences: Iterable[Difference]) -> list[Difference]:
    """Return the first difference of each kind, then the second ones, and so on."""
    seen: Counter[tuple[object, ...]] = Counter()
    ranked = []
    for each in differences:
        signature = (each.kind, *sorted(each.rules))
        ranked.append((seen[signature], each))
        seen[signature] += 1
    return [each for _, each in sorted(ranked, key=lambda pair: pair[0])]


def table(differences: Sequence[Difference], prefix: str = "") -> list[str]:
    """Return a row for each rule and kind of difference."""
    counts: Counter[tuple[str, str, str]] = Counter()
    files: dict[tuple[str, str], set[Key]] = {}
    for each in differences:
        for (code, how), count in each.rules.items():
            if code.startswith(prefix):
                counts[code, each.kind, how] += count
                files.setdefault((code, each.kind), set()).add(each.key)
    if not files:
        return []
    rows = [["rule", "what", "files", *HOW, FIX]]
    for code, kind in sorted(files, key=lambda pair: (pair[0], STEPS.index(pair[1]))):
        numbers = [len(files[code, kind]), *(counts[code, kind, how] for how in (*HOW, FIX))]
        rows.append([code, KINDS[kind], *map(str, numbers)])
    return [f"{row[0]:10s} {row[1]:12s} " + " ".join(f"{cell:>9s}" for cell in row[2:]) for row in rows]
