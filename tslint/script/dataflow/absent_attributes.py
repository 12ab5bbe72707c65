"""Decides whether a fix may set an attribute to None in the cases in which the constructor does not set it."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable
from functools import lru_cache

from tslint.project.trees import parse
from tslint.script.dataflow.instance_stores import instance_stores
from tslint.script.dataflow.name_patterns import pattern_of
from tslint.script.dataflow.shallow import full_name
from tslint.script.dataflow.stores import FileFacts, Store, file_facts
from tslint.util import astwalk

# Code with one of these names may test whether an attribute exists, or list all attributes.
_ASKING = frozenset(["__dict__", "__getattr__", "__getattribute__", "__dir__", "__slots__", "__setattr__"])
_ASKING_CALLS = frozenset(["vars", "dir"])
# Members of modules through which an attribute of any name may be set: they pass or yield the module itself, or take a
# name.
_OPEN = frozenset(
    "apply modules named_modules register_buffer register_parameter register_module add_module _buffers _parameters"
    " _modules".split()
)
_BY_NAME = frozenset(["hasattr", "getattr"])
_LOOKING = re.compile("|".join([*sorted(_ASKING | _ASKING_CALLS | _BY_NAME), "AttributeError"]))


def first_store(tree: ast.Module, kind: ast.ClassDef, name: str) -> ast.stmt | None:
    """Return the first statement of a constructor that sets an attribute: above it, a fix can set the attribute to
    None, for the instances that lack it. Return None if the file may store the attribute elsewhere, or may notice the
    new None other than by raising another exception. For code of other files, use :func:`looks_for`.

    Args:
        tree: the tree of the file.
        kind: the class of the instances.
        name: the attribute, which only some constructions set.
    """
    facts = file_facts(tree)
    if facts.line(kind) is None or facts.may_gain_module(tree, kind, name):
        return None
    stores = instance_stores(facts, kind, name, by_name=_is_private_at_first(facts, kind)) or []
    first = min(stores, key=lambda each: each.statement.lineno if each.statement is not None else 0, default=None)
    if first is None or first.statement is None or first.function is None or first.owner is None:
        return None
    if any(each.function is not first.function or not _sets_a_value(each) for each in stores):
        return None
    if not any(first.owner is each for each in facts.line(kind) or ()):
        return None  # only a subclass sets it
    return None if any(is_looked_up(tree, name, each) for each in {kind, first.owner}) else first.statement


def _is_private_at_first(facts: FileFacts, kind: ast.ClassDef) -> bool:
    """Return whether only the class and its bases see an instance until its constructor has finished, so that a
    ``setattr`` elsewhere comes later: neither these classes nor the methods that run have decorators, and none of these
    methods passes ``self`` on.
    """
    line = facts.line(kind)
    if line is None or any(each.decorator_list for each in line):
        return False
    methods = [item for each in line for item in each.body if isinstance(item, ast.FunctionDef)]
    pending, seen = [each for each in methods if each.name == "__init__"], set[str]()
    while pending:
        function = pending.pop()
        itself = function.args.args[0].arg if function.args.args else ""
        if function.decorator_list or not itself:
            return False
        around = astwalk.parents(function)
        for node in astwalk.of_kind(function, ast.Name):
            outer = around.get(node)
            if node.id == itself and not isinstance(outer, ast.Attribute) and not _calls_base(outer):
                return False
        read = {each.attr for each in astwalk.of_kind(function, ast.Attribute)}  # of ``super()``, too
        if read & _OPEN:
            return False
        pending += [each for each in methods if each.name in read - seen]
        seen |= read
    return True


def _calls_base(call: ast.AST | None) -> bool:
    """Return whether a call that gets ``self`` is ``super(Net, self)`` or ``Base.__init__(self)``."""
    if not isinstance(call, ast.Call):
        return False
    func = call.func
    return (isinstance(func, ast.Name) and func.id == "super") or (
        isinstance(func, ast.Attribute) and func.attr == "__init__"
    )


def _sets_a_value(store: Store) -> bool:
    return store.value is not None and not store.is_always()


def is_looked_up(tree: ast.Module, name: str, kind: ast.ClassDef | None) -> bool:
    """Return whether a file's code may notice that an attribute is None instead of missing: it may test whether the
    attribute exists, reads it where None does not raise, or a class body binds the name.

    Args:
        tree: the tree of the file.
        name: the attribute.
        kind: the class of the instances; None if it is in another file.
    """
    facts = file_facts(tree)
    if not all(_raises_for_none(tree, each) for each in _reads(tree, name, kind)):
        return True
    if "AttributeError" in astwalk.mentions(tree):
        return True
    asking, calls = _lookups(tree)
    if not all(facts.is_another(tree, each.value, kind) for each in asking):
        return True
    for call in calls:
        if _may_look_up(tree, call, name) and not (call.args and facts.is_another(tree, call.args[0], kind)):
            return True
    owners = [each for each in astwalk.of_kind(tree, ast.ClassDef) if kind is not None or facts.line(each) is None]
    return any({name, *_ASKING}.intersection(_binds(each)) for owner in owners for each in owner.body)


@astwalk.kept
def _lookups(tree: ast.Module) -> tuple[list[ast.Attribute], list[ast.Call]]:
    """Return the attributes of a file that list an object's attributes, and the calls that may look one up by name."""
    attributes = [each for each in astwalk.of_kind(tree, ast.Attribute) if each.attr in _ASKING]
    calls = [
        each
        for each in astwalk.of_kind(tree, ast.Call)
        if getattr(each.func, "id", "") in (*_ASKING_CALLS, *_BY_NAME)
        or any(isinstance(part, ast.Constant) and isinstance(part.value, str) for part in each.args)
    ]
    return [each for each in attributes if full_name(tree, each.value) is None], calls


@lru_cache(maxsize=1024)
def looks_for(text: str, name: str) -> bool:
    """Return what :func:`is_looked_up` returns, for the text of a file and an attribute of a class of another file;
    True if the text cannot be parsed.
    """
    if name not in text and not _LOOKING.search(text):
        return False
    try:
        return is_looked_up(parse(text, ""), name, None)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return True


def _binds(statement: ast.stmt) -> Iterable[str]:
    """Return the names that a statement binds; for a function or class, only its own name."""
    if isinstance(statement, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
        return [statement.name]
    return astwalk.bound(statement)


def _may_look_up(tree: ast.Module, call: ast.Call, name: str) -> bool:
    """Return whether a call may look up an attribute by its name: the name is an argument, ``getattr`` or ``hasattr``
    computes a name that may be equal, or ``vars`` or ``dir`` lists all names.
    """
    if any(isinstance(each, ast.Constant) and each.value == name for each in call.args):
        return True
    if not isinstance(call.func, ast.Name) or call.func.id not in (*_ASKING_CALLS, *_BY_NAME):
        return False
    if call.func.id in _ASKING_CALLS or len(call.args) < 2:
        return True
    start, end = pattern_of(call.args[1])
    computed = not isinstance(call.args[1], ast.Constant) and name.startswith(start) and name.endswith(end)
    owner = call.args[0]
    if call.func.id == "getattr" and len(call.args) == 2 and not (start or end):
        # Code for the attributes of any object raises if one is missing; a class that reads its own may expect it.
        return computed and isinstance(owner, ast.Name) and owner.id == "self"
    return computed and full_name(tree, owner) is None


def _reads(tree: ast.Module, name: str, kind: ast.ClassDef | None) -> list[ast.Attribute]:
    """Return the places that may read or delete an attribute of a class's instances. A place that certainly reads
    another class's attribute is left out. For a class of another file, ``kind`` is None.
    """
    facts = file_facts(tree)
    others = [each for each in facts.classes.values() if facts.line(each) is not None]
    if kind is not None:
        others = [each for each in others if not any(each is near for near in facts.related(kind))]
    found = [each for each in astwalk.mentions(tree).get(name, ()) if isinstance(each, ast.Attribute)]
    return [
        each
        for each in found
        if not isinstance(each.ctx, ast.Store)
        and not (_is_of_self(each) and any(around is one for around in astwalk.around(tree, each) for one in others))
    ]


def _is_of_self(node: ast.AST) -> bool:
    """Return whether a node is an attribute of ``self``."""
    return isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "self"


def _raises_for_none(tree: ast.Module, node: ast.Attribute) -> bool:
    """Return whether the code around an attribute certainly raises if the attribute is None: it calls it, iterates over
    it, reads a part of it, or computes with it. ``"%s" % x`` does not raise.
    """
    around = astwalk.parents(tree).get(node)
    if isinstance(around, ast.Call):
        return around.func is node
    if isinstance(around, ast.Subscript):
        return around.value is node
    if isinstance(around, (ast.BinOp, ast.AugAssign)):
        return not isinstance(around.op, ast.Mod) or getattr(around, "left", None) is node
    if isinstance(around, (ast.For, ast.comprehension)):
        return around.iter is node
    return isinstance(around, ast.Attribute) and not hasattr(None, around.attr)
