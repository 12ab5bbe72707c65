"""Compares two runs of a target, before and after a change: their outputs and the keys of the state_dict."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tslint.verify.results import TargetVerdict


def difference(before: TargetVerdict, after: TargetVerdict) -> str:
    """Describe how the outputs or keys of two runs differ; empty if they are the same.

    Args:
        before: the verdict of a run with ``snapshot``, with outputs.
        after: the verdict of another run with ``snapshot``.
    """
    status = {stage.name: stage for stage in after.stages}
    for name in ("import", "build"):
        if status[name].status != "passed":
            return f"{name} fails: {status[name].detail}"
    old, new = before.snapshot or {}, after.snapshot or {}
    keys = _keys(old.get("keys") or {}, new.get("keys") or {})
    if keys:
        return keys
    if "outputs" not in new:
        return f"eager fails: {status['eager'].detail}"
    steady = not (old.get("unsteady") or new.get("unsteady"))
    for number, (one, other) in enumerate(zip(old["outputs"], new["outputs"])):
        where = f" on input set {number + 1}" if len(old["outputs"]) > 1 else ""
        if one["form"] != other["form"]:
            return f"the eager output changes{where}: {other['form']} instead of {one['form']}"
        if steady and one["digest"] != other["digest"]:
            return f"the eager output changes{where}: other values ({one['form']})"
    return ""


def _keys(old: Mapping[str, Any], new: Mapping[str, Any]) -> str:
    for name, form in old.items():
        if name not in new:
            return f"the keys of state_dict change: {name!r} is gone"
        if new[name] != form:
            return f"the keys of state_dict change: {name!r} is {new[name]} instead of {form}"
    added = [name for name in new if name not in old]
    if added:
        return f"the keys of state_dict change: {added[0]!r} is new"
    return ""
