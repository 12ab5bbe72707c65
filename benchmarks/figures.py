"""Prints the tables of the results for modules; see ``measuring.rows``."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

Row = dict[str, Any]


def table(rows: Sequence[Row]) -> Iterator[str]:
    """Yield the figures, one per line."""
    count = Counter(_words(rows))
    rejected = count["rejected"]
    yield f"rejected at a line of the code    {rejected}"
    yield f"  fixed                           {_share(count['fixed'], rejected)}   (compiles, runs, equals Python)"
    yield f"  compile, Python does not run    {count['unrun']}"
    yield f"  compile, and give something else {count['differs']}, announced {count['differs announced']}"
    yield f"  compile, and raise              {count['raises']}, announced {count['raises announced']}"
    yield f"  still refused                   {count['refused']}"
    yield f"rejected elsewhere                {count['unlocated']}"
    yield f"  fixed                           {count['unlocated fixed']}"
    yield f"  compile, and differ or raise    {count['unlocated other']}, announced {count['unlocated announced']}"
    yield f"compiled before                   {count['accepted']}"
    yield f"  no longer compile               {count['uncompiled']}"
    yield f"  ran, and raise now              {count['broken raises']}"
    yield f"  ran, and give something else    {count['broken differs']}   (not counted: {count['mended']} give what "
    yield "                                      Python gives, and did not)"
    yield f"compared in Python                {count['compared']}"
    yield f"  changed                         {_share(count['changed'], count['compared'])}"
    yield f"  crashed or ran out of time      {count['crashed']}"
    yield f"left out: two runs differ         {count['flaky']}"


def _words(rows: Iterable[Row]) -> Iterator[str]:
    for row in rows:
        before, after = row["before"], row["after"]
        if row["eager"] in ("flaky", "crashed"):
            yield row["eager"]
            continue
        if row["eager"] == "unknown":
            continue
        yield "compared"
        if row["eager"] == "changed":
            yield "changed"
        if after == "unknown" and row["eager"] == "same" and before == "unknown":
            continue
        yield before
        if row["eager"] == "changed":
            continue
        if before == "rejected":
            yield after
            if row["announced"]:
                yield f"{after} announced"
        elif before == "unlocated":
            if after == "fixed":
                yield "unlocated fixed"
            elif after in ("raises", "differs"):
                yield "unlocated other"
                if row["announced"]:
                    yield "unlocated announced"
        elif before == "accepted":
            yield f"broken {after}" if after in ("raises", "differs") else after


def _share(part: int, whole: int) -> str:
    return f"{part} = {part / max(whole, 1):.2%}"


def kinds(rows: Sequence[Row], applied: Counter[str]) -> Iterator[str]:
    """Yield a line for each rule, the most frequent first: how many fixes were applied, how many rejected modules had
    one, and how many of these are fixed.

    Args:
        rows: the results of all modules.
        applied: how many fixes of each rule were applied.
    """
    modules: Counter[str] = Counter()
    fixed: Counter[str] = Counter()
    for row in rows:
        if row["before"] == "rejected":
            modules.update(set(row["codes"]))
            fixed.update(set(row["codes"]) if row["after"] == "fixed" and row["eager"] == "same" else ())
    yield "rule   fixes  rejected modules with one  of these fixed"
    for code, number in applied.most_common():
        yield f"{code}  {number:5}  {modules[code]:25}  {fixed[code]:14}"


def left(rows: Sequence[Row], *, most: int = 40) -> Iterator[str]:
    """Yield the compiler's messages for rejected modules that are not fixed, the most frequent first."""
    count: Counter[str] = Counter()
    example: dict[str, str] = {}
    for row in rows:
        if row["before"] == "rejected" and row["after"] == "refused" and row["eager"] == "same":
            message = _general(row["reason"])
            count[message] += 1
            example.setdefault(message, f"{row['module']} {row['cls']}")
    for message, number in count.most_common(most):
        yield f"{number:5}  {message}   ({example[message]})"


def stopped(rows: Sequence[Row]) -> Iterator[str]:
    """Yield the findings at which the compiler finally stops, with the kind of fix that they offer and the number of
    modules.

    The most frequent come first.
    """
    count: Counter[str] = Counter()
    for row in rows:
        if row["before"] == "rejected" and row["after"] == "refused" and row["eager"] == "same":
            count.update(row.get("stopped") or ["none"])
    for what, number in count.most_common():
        yield f"{number:5}  {what}"


def _general(message: str) -> str:
    message = re.sub(r"__torch__\.[\w.]+", "C", message)
    # Types are kept.
    message = re.sub(r"(?<!type )('[^']*'|\"[^\"]*\"|`[^`]*`)", "'…'", message)
    return re.sub(r"\d+", "N", message)[:110]


def listed(rows: Iterable[Row], *, everything: bool) -> Iterator[str]:
    """Yield the wrong results, one module per line; with ``everything`` also the modules that are still rejected, or
    whose difference is announced.
    """
    for row in sorted(rows, key=lambda row: row["module"]):
        what = title(row)
        if what and (everything or row["bad"] or row["eager"] == "crashed"):
            yield f"{what:22} {row['module']} {row['cls']}: {row['reason']}"


def title(row: Row) -> str:
    """Return the heading for a module; in capitals if its fixes break their promise."""
    if row["eager"] in ("changed", "crashed"):
        return str(row["eager"]).upper()
    if row["before"] == "accepted" and row["after"] in ("uncompiled", "raises", "differs"):
        return f"BROKEN {row['after']}"
    if row["after"] in ("raises", "differs"):
        return f"announced {row['after']}" if row["announced"] else f"UNANNOUNCED {row['after']}"
    return "refused" if row["before"] == "rejected" and row["after"] == "refused" else ""


def causes(rows: Iterable[Row]) -> Iterator[str]:
    """Yield Markdown about the wrong results, with the changes that cause them."""
    for row in sorted(rows, key=lambda row: (title(row), row["module"])):
        if row["bad"] or row["eager"] == "crashed":
            yield f"### {title(row)}: {row['module']} {row['cls']}\n"
            yield f"{row['reason']}\n"
            yield from (f"- {fix}" for fix in row.get("fixes", ()))
            yield f"\n```diff\n{row.get('diff', '')}\n```\n"
