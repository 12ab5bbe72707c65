"""The module tree, with modules coloured by their result."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tslint.diagnostics import Diagnostic, Severity
from tslint.reporters.view import count
from tslint.verify.report.markup import Markup, join, tag
from tslint.verify.results import TargetVerdict

# What each state means, in the order of the legend.
STATES = {
    "compiled": "compiled",
    "alone": "compiles on its own",
    "warned": "with a warning",
    "failed": "something fails here",
    "unknown": "not reached",
}
_OPEN_LEVELS = 3


def module_tree(target: TargetVerdict) -> Markup | None:
    """Return the tree; None if no module was built."""
    model_snapshot = target.model_snapshot or {}
    modules = model_snapshot.get("modules")
    if not modules:
        return None
    states = {module["path"]: _state(module, target, model_snapshot) for module in modules}
    children: dict[str, list[Mapping[str, Any]]] = {}
    for module in modules[1:]:
        children.setdefault(module["path"].rpartition(".")[0], []).append(module)
    seen = {state for state, _ in states.values()}
    legend = [tag("li", words, class_=f"state {state}") for state, words in STATES.items() if state in seen]
    tree = tag("ul", _entry(modules[0], children, states, 0), class_="tree")
    return join([tag("ul", *legend, class_="legend"), tree])


def _entry(
    module: Mapping[str, Any],
    children: Mapping[str, list[Mapping[str, Any]]],
    states: Mapping[str, tuple[str, str]],
    level: int,
) -> Markup:
    state, why = states[module["path"]]
    name = module["path"].rpartition(".")[2]
    label = tag(
        "span",
        tag("b", name) if name else None,
        " " if name else None,
        tag("span", module["type"], class_="type"),
        tag("small", f" {count(module['parameters'], 'parameter')}") if module["parameters"] else None,
        tag("span", f" – {why}", class_="why") if why else None,
        tag("span", f" ({STATES[state]})", class_="aloud"),
        class_=f"state {state}",
    )
    below = children.get(module["path"], [])
    if not below:
        return tag("li", label)
    inner = tag("ul", *[_entry(child, children, states, level + 1) for child in below])
    bad = any(
        states[path][0] in ("failed", "warned") for path in states if path.startswith(f"{module['path']}.")
    )  # fmt: skip
    return tag("li", tag("details", tag("summary", label), inner, open=level < _OPEN_LEVELS or bad))


def _state(module: Mapping[str, Any], target: TargetVerdict, model_snapshot: Mapping[str, Any]) -> tuple[str, str]:
    path = module["path"]
    found = [finding for stage in target.stages for finding in stage.findings if _inside(finding, module)]
    errors = [finding for finding in found if finding.severity is Severity.ERROR]
    alone = model_snapshot.get("alone", {})
    if errors:
        return "failed", f"{errors[0].code} {errors[0].name}"
    if alone.get(path):
        return "failed", alone[path]
    if found:
        return "warned", f"{found[0].code} {found[0].name}"
    if any(path in model_snapshot.get(mode, {}).get("paths", {}) for mode in ("script", "trace")):
        return "compiled", ""
    above = path
    while above:
        if alone.get(above) == "":
            return "alone", ""
        above = above.rpartition(".")[0]
    return "unknown", ""


def _inside(finding: Diagnostic, module: Mapping[str, Any]) -> bool:
    if module.get("filename") != finding.filename:
        return False
    row: int = finding.start.row
    return bool(module["row"] <= row <= module["end_row"])
