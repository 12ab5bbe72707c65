"""Attributes that hold a ``functools.partial``: the function itself is called, with what the partial binds."""

from __future__ import annotations

import ast

from tslint import walking
from tslint.diagnostics import Edit, Fix, Position, Risk
from tslint.rewrite.loop_parts import compiled_function, parent, place, replace
from tslint.rulekit.match import Match
from tslint.rulekit.rule import safe, unsafe
from tslint.script.dataflow.bool_attributes import file_facts, instance_stores
from tslint.script.dataflow.bounds import surely


def called_directly(match: Match, made: ast.Assign, name: str) -> Fix | None:
    """Call the function with the arguments of the partial.

    Args:
        match: its event's node is the attribute.
        made: ``self.name = partial(function, ...)`` in ``__init__``.
        name: the attribute.
    """
    bound, call = made.value, match.event.node
    if not isinstance(call, ast.Call):
        around = parent(match, call)
        call = around if isinstance(around, ast.Call) and around.func is call else call
    if not (isinstance(bound, ast.Call) and isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute)):
        return None
    if ast.unparse(bound.func) not in ("partial", "functools.partial") or not bound.args:
        return None
    values = [*bound.args, *(keyword.value for keyword in bound.keywords)]
    stars = any(isinstance(each, ast.Starred) for each in (*bound.args, *call.args))
    if stars or any(keyword.arg is None for keyword in (*bound.keywords, *call.keywords)):
        return None
    constructor, owner = compiled_function(match, made), match.text(call.func.value)
    given = {keyword.arg for keyword in call.keywords}
    if constructor is None or not _global(constructor, bound.args[0]) or "\n" in match.text(call):
        return None
    kept: dict[str, str] = {}
    texts: list[str] = []
    for position, value in enumerate(values[1:], 1):
        keyword = bound.keywords[position - len(bound.args)].arg if position >= len(bound.args) else None
        if keyword in given:
            continue
        text = _kept(match, constructor, value, f"{name}_{keyword or position}", kept, owner)
        if text is None:
            return None
        texts.append(f"{keyword}={text}" if keyword else text)
    positional, named = texts[: len(bound.args) - 1], texts[len(bound.args) - 1 :]
    arguments = [*positional, *(match.text(a) for a in call.args)]
    arguments += [*(match.text(k) for k in call.keywords), *named]
    written = f"{match.text(bound.args[0])}({', '.join(arguments)})"
    fixed = all(isinstance(value, ast.Constant) for value in values[1:]) and _stays(match, made, name)
    more: tuple[Edit, ...] = ()
    if not fixed:
        torch, more = match.imported("torch")
        written = f"({written} if {torch}.jit.is_scripting() else {match.text(call)})"
        if isinstance(parent(match, call), (ast.Assign, ast.AnnAssign, ast.Return)):
            written = written[1:-1]
    edits = [replace(match, call, written), *more]
    if kept:
        line = _after(match, made, kept)
        if line is None:
            return None
        edits.append(line)
    if fixed:
        return safe(f"Call `{match.text(bound.args[0])}` itself", *edits)
    message = f"Call `{match.text(bound.args[0])}` itself in compiled code"
    return unsafe(message, *edits, risks=(Risk.DIFFERS,))


def _stays(match: Match, made: ast.Assign, name: str) -> bool:
    """Whether nothing else of the file stores the attribute, and its function is one definition."""
    owner = next((a for a in walking.around(match.file.tree, made) if isinstance(a, ast.ClassDef)), None)
    stores = instance_stores(file_facts(match.file.tree), owner, name) if owner is not None else None
    function = made.value.args[0] if isinstance(made.value, ast.Call) else None
    if stores is None or len(stores) != 1 or not surely(stores[0]) or not isinstance(function, ast.Name):
        return False
    bound = [n for n in walking.walk(match.file.tree) if getattr(n, "name", None) == function.id]
    stored = any(
        isinstance(n, ast.Name) and n.id == function.id and not isinstance(n.ctx, ast.Load)
        for n in walking.walk(match.file.tree)
    )
    return not stored and len(bound) == 1 and bound[0] in match.file.tree.body


def _global(constructor: ast.FunctionDef, function: ast.expr) -> bool:
    """Whether a function is no variable of the constructor."""
    root = function
    while isinstance(root, ast.Attribute):
        root = root.value
    names = {argument.arg for argument in (*constructor.args.args, *constructor.args.kwonlyargs)}
    names |= {n.id for n in walking.walk(constructor) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}
    return isinstance(root, ast.Name) and root.id not in names


def _kept(
    match: Match, constructor: ast.FunctionDef, value: ast.expr, attribute: str, kept: dict[str, str], owner: str
) -> str | None:
    """How compiled code says a value of the constructor; parameters are kept in attributes of their own."""
    if isinstance(value, ast.Constant):
        return match.text(value)
    first = constructor.args.args[0].arg
    if isinstance(value, ast.Attribute) and isinstance(value.value, ast.Name) and value.value.id == first:
        return f"{owner}.{value.attr}"
    parameters = {argument.arg for argument in (*constructor.args.args[1:], *constructor.args.kwonlyargs)}
    if not isinstance(value, ast.Name) or value.id not in parameters or not _is_plain(constructor, value.id):
        return None
    used = {n.attr for n in walking.walk(match.file.tree) if isinstance(n, ast.Attribute)}
    if attribute in used:
        line = f"{first}.{attribute} = {value.id}"
        return f"{owner}.{attribute}" if any(ast.unparse(each) == line for each in constructor.body) else None
    kept[attribute] = f"{first}.{attribute} = {value.id}"
    return f"{owner}.{attribute}"


def _is_plain(constructor: ast.FunctionDef, name: str) -> bool:
    """Whether a parameter is annotated as a number or text: a module or parameter of torch would bring new keys."""
    spec = constructor.args
    if any(
        isinstance(n, ast.Name) and n.id == name and not isinstance(n.ctx, ast.Load) for n in walking.walk(constructor)
    ):
        return False
    annotation = next((a.annotation for a in (*spec.args, *spec.kwonlyargs) if a.arg == name), None)
    return annotation is not None and ast.unparse(annotation) in ("int", "float", "bool", "str")


def _after(match: Match, made: ast.Assign, kept: dict[str, str]) -> Edit | None:
    start, end = place(match, made)
    margin = match.source.lines[start.row - 1][: start.column - 1]
    if margin.strip() or not match.source.lines[end.row - 1].endswith(("\n", "\r")):
        return None
    where = Position(end.row + 1, 1)
    return Edit(where, where, "".join(f"{margin}{line}{match.source.newline}" for line in kept.values()))
