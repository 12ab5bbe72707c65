"""What one file says of the attributes of a class's instances: where they are stored, and which are bools."""

from __future__ import annotations

import ast
from dataclasses import dataclass, field

from tslint import walking

_MODULES = ("nn.", "torch.nn.")
_PLAIN = ("Module", "object", "ABC", "abc.ABC")


@dataclass(frozen=True, eq=False)
class Store:
    """One statement that stores an attribute.

    Args:
        attribute: its name.
        owner: the class whose method does it; None outside classes.
        function: the function that does it; None at a file's top level.
        own: whether it stores on the method's own instance.
        value: what is stored; None where it is no plain assignment.
        statement: the statement of the function's own block that holds it; None outside functions.
    """

    attribute: str
    owner: ast.ClassDef | None
    function: ast.FunctionDef | ast.AsyncFunctionDef | None
    own: bool
    value: ast.expr | None
    statement: ast.stmt | None


@dataclass
class FileFacts:
    """The classes of a file, and everything in it that stores attributes or passes arguments."""

    classes: dict[str, ast.ClassDef] = field(default_factory=dict)
    stores: dict[str, list[Store]] = field(default_factory=dict)
    named: set[str] = field(default_factory=set)
    keywords: dict[str, list[ast.expr]] = field(default_factory=dict)
    _lines: dict[ast.ClassDef, list[ast.ClassDef] | None] = field(default_factory=dict)
    _derived: dict[ast.ClassDef, list[ast.ClassDef]] = field(default_factory=dict)

    def line(self, owner: ast.ClassDef) -> list[ast.ClassDef] | None:
        """A class and its bases of this file, the nearest first; None where there are bases that cannot be seen."""
        if owner not in self._lines:
            self._lines[owner] = self._line(owner)
        return self._lines[owner]

    def _line(self, owner: ast.ClassDef) -> list[ast.ClassDef] | None:
        found: list[ast.ClassDef] = []
        pending = [owner]
        while pending:
            current = pending.pop(0)
            if any(current is seen for seen in found):
                continue
            found.append(current)
            for base in current.bases:
                text = ast.unparse(base)
                if text in self.classes:
                    pending.append(self.classes[text])
                elif text not in _PLAIN and not text.startswith(_MODULES):
                    return None
        return found

    def extends_torch(self, line: list[ast.ClassDef]) -> bool:
        """Whether classes derive from another module of torch than ``nn.Module``, which has constants of its own."""
        bases = [ast.unparse(base) for each in line for base in each.bases]
        return any(base.startswith(_MODULES) and not base.endswith(".Module") for base in bases)

    def related(self, owner: ast.ClassDef) -> list[ast.ClassDef]:
        """The classes of this file whose instances share code with those of a class: its bases and what derives."""
        if not self._derived:
            for candidate in self.classes.values():
                for each in self.line(candidate) or ():
                    self._derived.setdefault(each, []).append(candidate)
        line = self.line(owner) or [owner]
        return [*line, *(each for each in self._derived.get(owner, ()) if not any(each is seen for seen in line))]


_STORING = frozenset([ast.Assign, ast.AnnAssign, ast.AugAssign, ast.Delete, ast.For, ast.AsyncFor])


@walking.kept
def file_facts(tree: ast.Module) -> FileFacts:
    """Read a file once."""
    facts = FileFacts()
    facts.classes = {node.name: node for node in tree.body if isinstance(node, ast.ClassDef)}
    for node in walking.walk(tree):
        kind = node.__class__
        if kind is ast.Call:
            _look_at_call(facts, node)
        elif kind in _STORING:
            _look_at_store(facts, tree, node)
    return facts


def _around(tree: ast.Module, node: ast.AST) -> tuple[
    ast.ClassDef | None, ast.FunctionDef | ast.AsyncFunctionDef | None, ast.stmt | None
]:  # fmt: skip
    """The class around a node, its method, and the statement of the method's body."""
    owner, function, statement, below = None, None, None, node
    for each in walking.around(tree, node):
        if isinstance(each, ast.ClassDef):
            owner = each
            break
        if isinstance(each, (ast.FunctionDef, ast.AsyncFunctionDef)):
            function, statement = each, below
        below = each
    return owner, function, statement if isinstance(statement, ast.stmt) else None


def _look_at_call(facts: FileFacts, node: ast.AST) -> None:
    assert isinstance(node, ast.Call)
    called = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
    if called in ("setattr", "delattr", "__setattr__"):
        facts.named |= {a.value for a in node.args if isinstance(a, ast.Constant) and isinstance(a.value, str)}
    for keyword in node.keywords:
        if keyword.arg is not None:
            facts.keywords.setdefault(keyword.arg, []).append(keyword.value)


def _look_at_store(facts: FileFacts, tree: ast.Module, node: ast.AST) -> None:
    targets: list[tuple[ast.expr, ast.expr | None]] = []
    if isinstance(node, ast.Assign):
        for target in node.targets:
            if isinstance(target, (ast.Tuple, ast.List)):
                values: list[ast.expr | None] = [None] * len(target.elts)
                if isinstance(node.value, (ast.Tuple, ast.List)) and len(node.value.elts) == len(target.elts):
                    values = list(node.value.elts)
                targets += zip(target.elts, values)
            else:
                targets.append((target, node.value))
    elif isinstance(node, ast.AnnAssign):
        targets = [(node.target, node.value)]
    elif isinstance(node, ast.AugAssign):
        targets = [(node.target, None)]
    elif isinstance(node, ast.Delete):
        targets = [(target, None) for target in node.targets]
    elif isinstance(node, (ast.For, ast.AsyncFor)):
        targets = [(node.target, None)]
    attributes = [(target, value) for target, value in targets if isinstance(target, ast.Attribute)]
    if attributes:
        owner, function, statement = _around(tree, node)
        itself = function.args.args[0].arg if function is not None and function.args.args and owner is not None else ""
        for target, value in attributes:
            own = isinstance(target.value, ast.Name) and target.value.id == itself
            store = Store(target.attr, owner, function, own, value, statement)
            facts.stores.setdefault(target.attr, []).append(store)


def instance_stores(facts: FileFacts, owner: ast.ClassDef, attribute: str) -> list[Store] | None:
    """What stores an attribute on the instances of a class, in constructors; None where others do so too."""
    if attribute in facts.named or attribute == "training":
        return None
    related = facts.related(owner)
    found: list[Store] = []
    for store in facts.stores.get(attribute, ()):
        if store.own and not any(store.owner is each for each in related):
            continue
        if not store.own or store.function is None or store.function.name != "__init__":
            return None
        found.append(store)
    return found or None


def is_bool(facts: FileFacts, store: Store) -> bool:
    """Whether what is stored is a bool for certain, or at least wherever this file builds the class."""
    return store.value is not None and _bool(facts, store.value, store.function)


def _bool(facts: FileFacts, node: ast.expr, function: ast.FunctionDef | ast.AsyncFunctionDef | None) -> bool:
    if isinstance(node, ast.Constant):
        return isinstance(node.value, bool)
    if isinstance(node, ast.UnaryOp):
        return isinstance(node.op, ast.Not)
    if isinstance(node, ast.BoolOp):
        return all(_bool(facts, value, function) for value in node.values)
    if isinstance(node, ast.IfExp):
        return _bool(facts, node.body, function) and _bool(facts, node.orelse, function)
    if isinstance(node, ast.Compare):
        # Arrays and tensors compare to something else.
        return all(isinstance(op, (ast.Is, ast.IsNot, ast.In, ast.NotIn)) for op in node.ops) or (
            not any(isinstance(part, (ast.Call, ast.Subscript)) for part in walking.walk(node))
        )
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
        return node.func.id in ("bool", "isinstance", "hasattr", "any", "all", "issubclass", "callable")
    if isinstance(node, ast.Name) and function is not None:
        return _bool_name(facts, node.id, function)
    return False


def _bool_name(facts: FileFacts, name: str, function: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    rebound = [
        statement.value
        for statement in walking.walk(function)
        if isinstance(statement, ast.Assign)
        and any(isinstance(target, ast.Name) and target.id == name for target in statement.targets)
    ]
    stored = sum(
        isinstance(n, ast.Name) and n.id == name and not isinstance(n.ctx, ast.Load) for n in walking.walk(function)
    )
    if stored != len(rebound) or not all(_bool(facts, value, None) for value in rebound):
        return False
    spec = function.args
    places = [*spec.posonlyargs, *spec.args]
    defaults = dict(zip([a.arg for a in places[len(places) - len(spec.defaults) :]], spec.defaults))
    defaults.update({a.arg: d for a, d in zip(spec.kwonlyargs, spec.kw_defaults) if d is not None})
    argument = next((a for a in [*places, *spec.kwonlyargs] if a.arg == name), None)
    if argument is None:
        return bool(rebound)
    passed = facts.keywords.get(name, [])
    if any(
        isinstance(value, (ast.Constant, ast.List, ast.Tuple)) and not _bool(facts, value, None) for value in passed
    ):
        return False
    if isinstance(argument.annotation, ast.Name) and argument.annotation.id == "bool":
        return True
    default = defaults.get(name)
    return argument.annotation is None and isinstance(default, ast.Constant) and isinstance(default.value, bool)
