"""Shows the author's code beside the TorchScript code, with the graph below."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from tslint.reporters.view import View
from tslint.sources import reading
from tslint.sources.file import UnreadableSource
from tslint.verify.report.graph import picture
from tslint.verify.report.markup import Markup, join, tag


def compiled_code(mode: str, model_snapshot: Mapping[str, Any], view: View) -> Markup | None:
    """Show every compiled type of a mode, the outermost first and expanded; None if nothing was compiled."""
    compiled = model_snapshot.get(mode)
    if not compiled or not compiled["types"]:
        return None
    modules = {module["path"]: module for module in model_snapshot.get("modules", ())}
    used: dict[str, list[str]] = {}
    for path, name in compiled["paths"].items():
        used.setdefault(name, []).append(path)
    parts = []
    for number, (name, kind) in enumerate(compiled["types"].items()):
        paths = used.get(name, [""])
        where = ", ".join(path or "the whole module" for path in paths[:4])
        where += f" and {len(paths) - 4} more" if len(paths) > 4 else ""
        body = [
            _method(method, f"{mode} {kind['title']}.{method['name']}", modules.get(paths[0]), view)
            for method in kind["methods"]
        ]
        summary = tag("summary", tag("b", kind["title"]), tag("small", f" {where}"))
        parts.append(tag("details", summary, *body, open=number == 0, class_="compiled-type"))
    left_out = len(used) - len(compiled["types"])
    more = tag("p", f"{left_out} more compiled types are not shown.", class_="note") if left_out > 0 else None
    return join([*parts, more])


def _method(method: Mapping[str, Any], name: str, module: Mapping[str, Any] | None, view: View) -> Markup:
    source = _source(module, method["name"]) if module else None
    sides = []
    if source:
        row, text = source
        place = f"{view.path(module['filename'])}:{row}" if module else ""
        sides.append(_side(f"Python ({place})", text))
    sides.append(_side(f"TorchScript ({name.partition(' ')[0]})", method["code"]))
    # Without the author's code next to it, the TorchScript code gets the whole width.
    return join([tag("div", *sides, class_="beside" if len(sides) > 1 else None), picture(method["graph"], name)])


def _side(title: str, text: str) -> Markup:
    return tag("figure", tag("figcaption", title), tag("pre", tag("code", text), tabindex="0"))


def _source(module: Mapping[str, Any], method: str) -> tuple[int, str] | None:
    """Return the first row and the source of a method; of the whole class if the method is not defined in it.

    Return None if the source cannot be read.
    """
    import ast
    import textwrap

    if "filename" not in module:
        return None
    try:
        lines = reading.read(Path(module["filename"])).lines
    except UnreadableSource:
        return None
    first, last = module["row"], module["end_row"]
    whole = textwrap.dedent("".join(line.rstrip("\r\n") + "\n" for line in lines[first - 1 : last]))
    try:
        tree = ast.parse(whole)
    except (SyntaxError, ValueError, RecursionError):
        return first, whole
    for node in tree.body[0].body if tree.body and isinstance(tree.body[0], ast.ClassDef) else ():
        if isinstance(node, ast.FunctionDef) and node.name == method and node.end_lineno:
            start = min([node.lineno, *(decorator.lineno for decorator in node.decorator_list)])
            return first + start - 1, textwrap.dedent("".join(whole.splitlines(True)[start - 1 : node.end_lineno]))
    return first, whole
