"""Finds attributes and globals that hold objects, such as parsed arguments or records, that the compiler cannot
convert.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping

from tslint.script.dataflow.definitions import default_of
from tslint.script.dataflow.instance_stores import instance_stores
from tslint.script.dataflow.methods import method_of
from tslint.script.dataflow.scopes import bindings, own_nodes
from tslint.script.dataflow.scripting_tests import asks_is_scripting
from tslint.script.dataflow.shallow import full_name
from tslint.script.dataflow.stores import Store, file_facts
from tslint.util import astwalk

_ONLY_PYTHON = frozenset("parameters named_parameters state_dict load_state_dict zero_grad".split())
# Attributes of tensors, and of modules that share their parameters.
_OF_OTHERS = frozenset("weight bias training data grad shape dtype device ndim T".split())


def opaque_object(tree: ast.Module, name: str) -> str:
    """Return why the code of a class seems not to compile: it always calls ``self.net.parameters()``, or ``forward``
    reads attributes of an object in an attribute or a global. Return an empty text if there is no such reason.

    If the class only reads attributes of a constructor's parameter, and never calls it or computes with it, the
    parameter is usually an object with options, which the compiler rejects. A list of dicts with values of several
    types is such an object, too.

    Args:
        tree: the file.
        name: the name of a class of the file, or of anything else.
    """
    owner = file_facts(tree).classes.get(name)
    forward = method_of(owner, "forward") if owner is not None else None
    if owner is None or forward is None:
        return ""
    init = method_of(owner, "__init__")
    held = next(_global_options(tree, forward), "")
    if not held and init is not None:
        held = next((f"self.{each}" for each in _attributes(tree, owner, init, forward)), "")
        held = held or next((f"self.{each}" for each in _records(init) if _uses(forward, each)), "")
    if held:
        return f"`{held}` seems to hold options"
    listed = next(_python_calls(tree, owner, forward, set()), "")
    return f"`{listed}` exists only in Python" if listed else ""


def _python_calls(tree: ast.Module, owner: ast.ClassDef, method: ast.FunctionDef, seen: set[str]) -> Iterator[str]:
    """Yield the methods of attributes that only Python can call, such as ``self.net.parameters``, and that a method
    always calls, itself or through other methods.
    """
    seen.add(method.name)
    itself = method.args.args[0].arg if method.args.args else ""
    for each in own_nodes(method):
        callee = each.func if isinstance(each, ast.Call) else None
        if not isinstance(callee, ast.Attribute) or not _is_of(callee.value, itself):
            continue
        if any(isinstance(around, (ast.If, ast.IfExp)) for around in astwalk.around(method, each)):
            continue
        if callee.attr in _ONLY_PYTHON and isinstance(callee.value, ast.Attribute):
            yield ast.unparse(callee)
        other = method_of(owner, callee.attr) if isinstance(callee.value, ast.Name) else None
        if other is not None and other.name not in seen and not any(_of_jit(tree, d) for d in other.decorator_list):
            yield from _python_calls(tree, owner, other, seen)


def _is_of(node: ast.expr, itself: str) -> bool:
    """Return whether an expression is ``self``, ``self.net``, ``self.net.encoder`` or the like."""
    return astwalk.is_name(node, itself) or (isinstance(node, ast.Attribute) and _is_of(node.value, itself))


def _of_jit(tree: ast.Module, decorator: ast.expr) -> bool:
    """Return whether a decorator may keep the compiler out of a method."""
    called = decorator.func if isinstance(decorator, ast.Call) else decorator
    return (full_name(tree, called) or "").startswith("torch.jit.")


def _global_options(tree: ast.Module, forward: ast.FunctionDef) -> Iterator[str]:
    """Yield the globals from which a function reads groups of options, as in ``cfg.MODEL.DEPTH``.

    A group has a name in upper case, unlike a submodule; the global has one in lower case, unlike a class.
    """
    for each in own_nodes(forward):
        group = each.value if isinstance(each, ast.Attribute) else None
        if isinstance(group, ast.Attribute) and group.attr.isupper() and isinstance(group.value, ast.Name):
            name = group.value.id
            if name.islower() and name not in bindings(forward) and not asks_is_scripting(tree, each):
                yield name


def _attributes(
    tree: ast.Module, owner: ast.ClassDef, init: ast.FunctionDef, forward: ast.FunctionDef
) -> Iterator[str]:
    facts = file_facts(tree)
    for argument in init.args.args[1:]:
        default = default_of(init, argument.arg)
        described = argument.annotation is not None or (default is not None and not _is_none(default))
        if described or not _only_looked_into(tree, init, argument.arg):
            continue
        for attribute in sorted({each.attribute for each in _stores(tree).get(init, ()) if _is(each.value, argument)}):
            stored = instance_stores(facts, owner, attribute)
            if stored and all(_is(each.value, argument) for each in stored):
                if _only_looked_into(tree, owner, attribute) and _is_read(tree, forward, attribute):
                    yield attribute


@astwalk.kept
def _stores(tree: ast.Module) -> Mapping[ast.AST | None, list[Store]]:
    """Return the statements of each function that store attributes."""
    found: dict[ast.AST | None, list[Store]] = {}
    for group in file_facts(tree).stores.values():
        for each in group:
            found.setdefault(each.function, []).append(each)
    return found


def _records(init: ast.FunctionDef) -> Iterator[str]:
    """Yield the attributes to which a constructor appends dicts with constants of several types."""
    for each in astwalk.walk(init):
        if not isinstance(each, ast.Call) or len(each.args) != 1 or not isinstance(each.args[0], ast.Dict):
            continue
        values = {type(value.value) for value in each.args[0].values if isinstance(value, ast.Constant)}
        grown = each.func.value if isinstance(each.func, ast.Attribute) and each.func.attr == "append" else None
        if len(values) > 1 and isinstance(grown, ast.Attribute):
            yield grown.attr


def _is_none(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and node.value is None


def _is(value: ast.expr | None, argument: ast.arg) -> bool:
    return isinstance(value, ast.Name) and value.id == argument.arg


def _uses(node: ast.AST, name: str) -> list[ast.AST]:
    """Return where a variable of this name, or an attribute of this name of any variable, is read."""
    return [
        each for each in astwalk.walk(node)
        if (isinstance(each, ast.Name) and each.id == name and isinstance(each.ctx, ast.Load))
        or (isinstance(each, ast.Attribute) and each.attr == name and isinstance(each.value, ast.Name)
            and isinstance(each.ctx, ast.Load))
    ]  # fmt: skip


def _only_looked_into(tree: ast.Module, node: ast.AST, name: str) -> bool:
    """Return whether every use passes the object on, or reads an attribute of it without calling the attribute."""
    parents = astwalk.parents(tree)
    for each in _uses(node, name):
        around = parents.get(each)
        if isinstance(around, ast.Attribute):
            called = parents.get(around)
            if around.attr in _OF_OTHERS or (isinstance(called, ast.Call) and called.func is around):
                return False
        elif not isinstance(around, (ast.Assign, ast.keyword)) and not (
            isinstance(around, ast.Call) and around.func is not each
        ):
            return False
    return True


def _is_read(tree: ast.Module, forward: ast.FunctionDef, attribute: str) -> bool:
    """Return whether compiled code reads attributes of the object that an attribute of the module holds."""
    parents = astwalk.parents(tree)
    reads = [parents.get(each) for each in _uses(forward, attribute)]
    return any(isinstance(each, ast.Attribute) and not asks_is_scripting(tree, each) for each in reads)
