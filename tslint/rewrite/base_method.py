"""Calls of a base class's method, written so that the compiler can follow them: under a name of its own."""

from __future__ import annotations

import ast
import re

from tslint import walking
from tslint.diagnostics import Edit, Fix, Position, Risk
from tslint.rewrite.nn_forwards import FORMS
from tslint.rewrite.statements import deeper, function, functional, indentation, meant, own_class, replace, self_name
from tslint.rewrite.when_compiled import branch, is_local
from tslint.rulekit.match import Match
from tslint.rulekit.rule import safe, unsafe
from tslint.script.dataflow.method_resolution import lookup_order


def written_out(match: Match, base: str, method: str, call: ast.Call, given: list[ast.expr]) -> Fix | None:
    """The call of a torch class's ``forward`` as what that does; None for other classes and methods.

    Args:
        base: the class by its full name, or as the file says it: ``torch.nn.Linear``, ``nn.Linear``.
        call: ``super().forward(x)`` or ``nn.Linear.forward(self, x)``.
        given: what it is given beside ``self``.
    """
    kind, itself, owner = base.rpartition(".")[2], self_name(match), own_class(match)
    root, _, rest = base.partition(".")
    full = f"{meant(match.file.tree).get(root, root)}.{rest}"
    known = full == f"torch.nn.{kind}" or (full.startswith("torch.nn.modules.") and full.endswith(f".{kind}"))
    form = FORMS.get(kind) if method == "forward" and known else None
    if form is None or itself is None or owner is None or call.keywords:
        return None
    if len(given) != form.arguments or any(isinstance(each, ast.Starred) for each in given):
        return None
    prefix, imports = functional(match) if "{F}" in form.text + form.helper else ("", ())
    if is_local(match, prefix):
        return None
    text = form.text.format(*map(match.text, given), F=prefix, self=itself)
    edits = [replace(match, call, text), *imports]
    if form.helper and method_of(owner, form.method) is None:
        helper = _method_after(match, form.helper.format(F=prefix, self=itself))
        if helper is None or any(method_of(each, form.method) is not None for each in derived(match, owner)):
            return None
        edits.append(helper)
    said = f"Write out what `{kind}.forward` does"
    through = isinstance(call.func, ast.Attribute) and isinstance(call.func.value, ast.Call)
    first = next((text for text in map(ast.unparse, _outer_bases(match, owner)) if text.endswith(kind)), "")
    if not through or _always_follows(match, owner, method, first):
        return safe(said, *edits)
    kept = branch(match, call, text)
    return None if kept is None else unsafe(said, *kept, *edits[1:], risks=(Risk.DIFFERS,))


def _method_after(match: Match, text: str) -> Edit | None:
    """Lines of a method, put after the one that holds the event."""
    node = function(match)
    if node is None or node.body[0].lineno == node.lineno:
        return None
    line = match.source.lines[node.lineno - 1]
    outer = indentation(line)
    step = indentation(match.source.lines[node.body[0].lineno - 1])[len(outer) :] or deeper(line)
    lines = []
    for each in text.split("\n"):
        depth = (len(each) - len(each.lstrip())) // 4
        lines.append(outer + step * depth + each.lstrip())
    end = (node.end_lineno or node.lineno) + 1
    lead = "" if match.source.lines[-1].endswith(("\n", "\r")) or end <= len(match.source.lines) else "\n"
    at = Position(end, 1)
    return Edit(at, at, (lead + "\n".join(["", *lines, ""])).replace("\n", match.source.newline))


def classes(match: Match) -> dict[str, ast.ClassDef]:
    """The file's classes at module level."""
    return {node.name: node for node in match.file.tree.body if isinstance(node, ast.ClassDef)}


def derived(match: Match, owner: ast.ClassDef) -> list[ast.ClassDef]:
    """The file's classes that inherit from one, directly or not."""
    found: list[ast.ClassDef] = []
    names = {owner.name}
    for node in match.file.tree.body:  # a base stands above what inherits from it
        if isinstance(node, ast.ClassDef) and names & {ast.unparse(base) for base in node.bases}:
            found.append(node)
            names.add(node.name)
    return found


def method_of(node: ast.ClassDef, name: str) -> ast.FunctionDef | None:
    """A method that a class defines itself."""
    return next((item for item in node.body if isinstance(item, ast.FunctionDef) and item.name == name), None)


def defining(match: Match, start: ast.ClassDef, method: str) -> ast.ClassDef | None:
    """The class of this file that gives a class a method, along single bases; ``start`` included."""
    known, current, seen = classes(match), start, set[str]()
    while current.name not in seen:
        seen.add(current.name)
        if method_of(current, method) is not None:
            return current
        if len(current.bases) != 1 or not isinstance(current.bases[0], ast.Name):
            return None
        following = known.get(current.bases[0].id)
        if following is None:
            return None
        current = following
    return None


def base_of(match: Match) -> str | None:
    """The only base of the class that holds the event, as it is written there."""
    owner = own_class(match)
    return ast.unparse(owner.bases[0]) if owner is not None and len(owner.bases) == 1 else None


def renamed(match: Match, start: ast.ClassDef, method: str, callee: ast.Attribute, *drop: Edit) -> Fix | None:
    """Give the base's method body a name of its own, which both classes call.

    Args:
        start: the base.
        callee: what the call calls: ``super().forward`` or ``Base.forward``.
        drop: further edits of the call.
    """
    holder, itself = defining(match, start, method), self_name(match)
    if holder is None or itself is None:
        return None
    node = method_of(holder, method)
    assert node is not None
    snake = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", holder.name).lower().lstrip("_")
    name = f"_{snake}_{method.lstrip('_')}"
    owner = own_class(match)
    through = isinstance(callee.value, ast.Call)
    if owner is None or owner not in derived(match, holder):
        return None
    if through and not _always_follows(match, owner, method, holder.name):
        return None
    if any(ast.unparse(base).rpartition(".")[2] == holder.name for base in _outer_bases(match, holder)):
        return None  # its base may get a method of that name, too
    edits = [replace(match, callee, f"{itself}.{name}"), *drop]
    taken = [each for each in walking.walk(match.file.tree) if getattr(each, "name", "") == name]
    if method_of(holder, name) is None:
        split = _split(match, node, name)
        if split is None or taken or _called_with_others(match, holder, method):
            return None
        edits += split
    elif len(taken) != 1 or not _is_split(method_of(holder, name), node):
        return None
    # A class in another file may put one between the two.
    said = f"Give the body of `{holder.name}.{method}` the name `{name}`, and call that"
    return unsafe(said, *edits, risks=(Risk.ASSUMES,))


def _always_follows(match: Match, owner: ast.ClassDef, method: str, wanted: str) -> bool:
    """Whether what ``super()`` finds is the same for the class and all that inherit from it in this file."""
    known = classes(match)
    for each in [owner, *derived(match, owner)]:
        order = lookup_order(match.file.tree, each.name)
        if order is None or owner.name not in order:
            return False
        for name in order[order.index(owner.name) + 1 :]:
            node = known.get(name)
            if node is None or method_of(node, method) is not None or _assigns(node, method):
                if name != wanted:
                    return False
                break
    return True


def _outer_bases(match: Match, owner: ast.ClassDef) -> list[ast.expr]:
    """The bases of a class, and of its bases in this file, that the file does not define."""
    known, pending, found = classes(match), [owner], list[ast.expr]()
    seen: set[str] = set()
    while pending:
        for base in pending.pop().bases:
            node = known.get(ast.unparse(base))
            if node is None:
                found.append(base)
            elif node.name not in seen:
                seen.add(node.name)
                pending.append(node)
    return found


def _assigns(node: ast.ClassDef, method: str) -> bool:
    return any(method in walking.bound(each) for each in node.body if not isinstance(each, ast.FunctionDef))


def _called_with_others(match: Match, holder: ast.ClassDef, method: str) -> bool:
    """Whether the method is called through its class somewhere: with an instance that may not have the new one."""
    return any(
        isinstance(each, ast.Attribute) and each.attr == method and ast.unparse(each.value) == holder.name
        and not any(outer in derived(match, holder) for outer in walking.around(match.file.tree, each))
        for each in walking.walk(match.file.tree)
    )  # fmt: skip


def _is_split(renamed_: ast.FunctionDef | None, old: ast.FunctionDef) -> bool:
    """Whether a method does nothing but call the one that holds its body."""
    if renamed_ is None or len(old.body) != 1 or ast.dump(renamed_.args) != ast.dump(old.args):
        return False
    only = old.body[0]
    value = only.value if isinstance(only, ast.Return) else None
    return isinstance(value, ast.Call) and ast.unparse(value.func).endswith(f".{renamed_.name}")


def _split(match: Match, node: ast.FunctionDef, name: str) -> list[Edit] | None:
    """Rename a method, and put one of the old name after it that calls it."""
    spec = node.args
    if (
        node.decorator_list
        or spec.vararg
        or spec.kwarg
        or spec.posonlyargs
        or not spec.args
        or node.body[0].lineno == node.lineno
    ):
        return None
    header: list[str] = []
    for line in match.source.lines[node.lineno - 1 : node.body[0].lineno - 1]:
        header.append(line.rstrip("\r\n"))
        if line.split("#")[0].rstrip().endswith(":") and line.count("(") <= line.count(")"):
            break
    found = re.search(rf"def\s+({re.escape(node.name)})\s*\(", header[0]) if header else None
    if found is None or not header[-1].split("#")[0].rstrip().endswith(":"):
        return None
    given = [argument.arg for argument in spec.args[1:]] + [f"{a.arg}={a.arg}" for a in spec.kwonlyargs]
    body = match.source.lines[node.body[0].lineno - 1]
    indent = body[: len(body) - len(body.lstrip(" \t"))]
    call = f"{indent}return {spec.args[0].arg}.{name}({', '.join(given)})"
    end = (node.end_lineno or node.lineno) + 1
    lead = (
        "" if end <= len(match.source.lines) or match.source.lines[-1].endswith(("\n", "\r")) else match.source.newline
    )
    text = lead + match.source.newline.join(["", *header, call, ""])
    return [
        Edit(Position(node.lineno, found.start(1) + 1), Position(node.lineno, found.end(1) + 1), name),
        Edit(Position(end, 1), Position(end, 1), text),
    ]
