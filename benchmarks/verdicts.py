"""Judges the effect of fixes on a module, from the records before and after (see ``running.judge``); does not import
torch.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import Any

Record = dict[str, Any]
# By difference: the declared risks of a fix that announce that compiled code raises, or returns another result,
# although Python does not.
ANNOUNCING = {"raises": {"raises", "refuses", "assumes"}, "differs": {"differs", "assumes"}}


@dataclass(frozen=True)
class Verdict:
    """The effect of fixes on a module.

    Args:
        before: ``accepted``, ``rejected`` (at a line), ``unlocated`` or ``unknown``.
        eager: ``same``, ``changed``, ``flaky`` (two runs of the same code differ) or ``unknown``.
        after: for a rejected module: ``fixed``, ``refused``, ``unrun`` (it compiles, but Python does not run it), or
            ``raises`` or ``differs`` (compiled code does, and Python does not). For an accepted module: ``same``,
            ``uncompiled``, ``raises``, ``differs``, or ``mended`` (it now returns the same as Python). Or ``unknown``.
        announced: whether a remaining finding or a risk of a fix announces ``raises`` and ``differs``.
        reason: the difference.
    """

    before: str = "unknown"
    eager: str = "unknown"
    after: str = "unknown"
    announced: bool = False
    reason: str = ""

    @property
    def bad(self) -> bool:
        """Return whether the fixes break their promise."""
        broken = self.before == "accepted" and self.after in ("uncompiled", "raises", "differs")
        unannounced = self.after in ("raises", "differs") and not self.announced
        return self.eager == "changed" or broken or unannounced


def judged(
    before: Record | None, after: Record | None, *, safe: bool, left: Collection[str] = (), risks: Collection[str] = ()
) -> Verdict:
    """Return the verdict on a module.

    Args:
        before, after: the records; None if they are not known, because the process crashed.
        safe: whether only safe fixes were applied: then exceptions must keep their types.
        left: the codes of the findings from TS6 to TS8 that remain in the compiled code.
        risks: the risks that the applied fixes declare.
    """
    if before is None or after is None or "timeout" in (before.get("unbuilt"), after.get("unbuilt")):
        return Verdict(eager="crashed" if before is not None and after is None else "unknown")
    state = _state(before)
    if "unbuilt" in before or "unbuilt" in after:
        one, two = before.get("unbuilt"), after.get("unbuilt")
        same = one is not None and two is not None and (one == two or not safe)
        return Verdict(state, "same" if same else "changed", reason="" if same else f"built: {one} / {two}")
    if _flaky(before) or _flaky(after):
        return Verdict(state, "flaky")
    reason = eager_reason(before, after, safe=safe)
    if reason:
        return Verdict(state, "changed", _outcome(state, before, after)[0], reason=reason)
    outcome, reason = _outcome(state, before, after)
    announced = bool(left) or bool(set(risks) & ANNOUNCING.get(outcome, set()))
    return Verdict(state, "same", outcome, announced and outcome in ANNOUNCING, reason)


def _state(record: Record) -> str:
    if record.get("script") is None:
        return "unknown"
    if record["script"]:
        return "accepted"
    return "rejected" if record["lines"] else "unlocated"


def _flaky(record: Record) -> bool:
    """Return whether another module that was built in the same way had another result, or a run took too long."""
    again = record.get("again")
    runs = record["runs"]
    if any("timeout" in run for run in runs):
        return True
    return again is not None and any(alike_runs(one, two) for one, two in zip(runs, again))


def eager_reason(before: Record, after: Record, *, safe: bool) -> str:
    """Describe the first difference in Python, or return an empty string."""
    if before["keys"] != after["keys"]:
        lost, new = set(before["keys"]) - set(after["keys"]), set(after["keys"]) - set(before["keys"])
        return f"keys: lost {sorted(lost)[:4]}, new {sorted(new)[:4]}"
    for number, (one, two) in enumerate(zip(before["runs"], after["runs"])):
        if "raised" in one and "raised" in two:
            found = safe and one["raised"] != two["raised"]
            reason = f"{one['raised']} / {two['raised']}" if found else ""
        else:
            reason = alike_runs(one, two)
        if reason:
            return f"run {number}: {reason}"
    return ""


def _outcome(state: str, before: Record, after: Record) -> tuple[str, str]:
    """Return whether the module compiles and runs now, and the difference."""
    script = after.get("script")
    if state == "unknown" or script is None:
        return "unknown", ""
    if state == "accepted":
        if not script:
            return "uncompiled", _first(after)
        return _same_results(before, after)
    if not script:
        return "refused", _first(after)
    expected = expected_runs(after)
    if all("raised" in run for run in expected):
        return "unrun", ""
    for one, two in zip(expected, after["compiled"]):
        reason = alike_runs(one, two, compiled=True)
        if reason:
            return ("raises" if "raised" in two else "differs"), reason
    return "fixed", ""


def _same_results(before: Record, after: Record) -> tuple[str, str]:
    """Return, for a module that compiled before, whether it still has the same results."""
    for number, (one, two) in enumerate(zip(before["compiled"], after["compiled"])):
        if "raised" in one or "timeout" in one:
            continue
        reason = alike_runs(one, two, compiled=True)
        if reason and before.get("used") == after.get("used"):
            runs = list(zip(expected_runs(after), after["compiled"]))
            now = not any(alike_runs(*pair, compiled=True) for pair in runs)
            if now and alike_runs(expected_runs(before)[number], one, compiled=True):
                return "mended", reason
            return ("raises" if "raised" in two else "differs"), reason
    return "same", ""


def expected_runs(record: Record) -> list[Record]:
    """Return the results of Python, for comparison with those of a compiled module."""
    runs = record["expected"] if record.get("used") else record["runs"]
    return list(runs)


def _first(record: Record) -> str:
    """Return the informative line of a message, without the call in it."""
    lines = str(record.get("message") or "").strip().splitlines() or [""]
    wrong = (line for line in lines if line.startswith(("Expected a value of type", "Argument ", "Unknown keyword")))
    is_call = (lines[0].endswith(":") and ") -> " in lines[0]) or lines[0].startswith("Arguments for call")
    return (next(wrong, lines[0]) if is_call else lines[0])[:150]


def alike_runs(one: Record, two: Record, *, compiled: bool = False) -> str:
    """Describe the difference of two runs, or return an empty string.

    With ``compiled``, the second run is of a compiled module, which may raise another exception and draw its random
    numbers differently.
    """
    for run in (one, two):
        if "timeout" in run:
            return "" if compiled else "timed out"
    if "raised" in one or "raised" in two:
        if "raised" in one and "raised" in two:
            return "" if compiled or one["raised"] == two["raised"] else f"{one['raised']} / {two['raised']}"
        which, run = ("before", one) if "raised" in one else ("after", two)
        return f"raises {which}: {run['raised']}: {run['said'][-160:]}"
    for part in ("out", "args", "state", *(() if compiled else ("drawn",))):
        reason = _unlike(one[part], two[part], compiled)
        if reason:
            return f"{part}{reason}"
    return ""


def _unlike(one: Any, two: Any, compiled: bool) -> str:
    if isinstance(one, list) and isinstance(two, list):
        if one[:1] == two[:1] == ["tensor"]:
            return _unlike_tensors(one, two)
        if len(one) != len(two):
            return f": {_short(one)} / {_short(two)}"
        found = ((place, _unlike(*pair, compiled)) for place, pair in enumerate(zip(one, two)))
        return next((f"[{place}]{reason}" for place, reason in found if reason), "")
    if isinstance(one, float) and isinstance(two, float):
        close = one == two or (one != one and two != two) or abs(one - two) <= 1e-4 * max(abs(one), abs(two)) + 1e-7
        return "" if close else f": {one} / {two}"
    return "" if type(one) is type(two) and one == two else f": {_short(one)} / {_short(two)}"


def _unlike_tensors(one: list[Any], two: list[Any]) -> str:
    if one[1:4] != two[1:4]:
        return f": {one[1:4]} / {two[1:4]}"
    scale = max(one[4][0], two[4][0])
    pairs = [*zip(one[4], two[4]), *zip(one[5], two[5])]
    close = all(abs(first - second) <= 1e-4 * max(scale, abs(first)) + 1e-7 for first, second in pairs)
    return "" if close else f": {one[4]} / {two[4]}"


def _short(value: Any) -> str:
    return str(value)[:100]
