"""Lists the places where one file stores attributes of a class's instances."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from dataclasses import dataclass, field

from tslint.script.dataflow.held_objects import adds_list, assigned_value, attributes_holding, variable_values
from tslint.script.dataflow.name_patterns import leaves_default, pattern_at
from tslint.script.dataflow.other_bases import stateless_bases
from tslint.util import astwalk
from tslint.util.record import record

TORCH_MODULES = ("nn.", "torch.nn.")
TENSORS = ("Parameter", "Buffer", "UninitializedParameter", "UninitializedBuffer")
PLAIN_BASES = ("Module", "object", "ABC", "abc.ABC")


@record(eq=False)
class Store:
    """One statement that stores an attribute.

    Args:
        attribute: the name of the attribute.
        owner: the class of the method; None outside classes.
        function: the function; None at a file's top level.
        own: whether it stores on the method's own instance.
        value: the stored value; None if it is not a plain assignment.
        statement: the statement of the function's body that contains the store; None outside functions.
        adds: whether it adds a list to the list that is stored there: ``self.layers += [layer]``.
    """

    attribute: str
    owner: ast.ClassDef | None
    function: ast.FunctionDef | ast.AsyncFunctionDef | None
    own: bool
    value: ast.expr | None
    statement: ast.stmt | None
    adds: bool = False

    def is_always(self) -> bool:
        """Return whether the attribute is assigned outside of ``if``, loops and other blocks of the function."""
        return isinstance(self.statement, (ast.Assign, ast.AnnAssign))


@dataclass
class FileFacts:
    """The classes of a file, and everything in it that stores attributes or passes arguments.

    Args:
        classes: the classes at the file's top level.
        stores: the statements that store each attribute.
        named: attributes stored by a string, ``setattr(self, "a", 1)``, with the objects that get them (None: unknown).
        patterns: prefixes and suffixes of computed names, as in ``setattr(self, f"a{i}", 1)``.
        on_instances: prefixes and suffixes of computed names that are set on instances of a known class of the file,
            each with this class: ``setattr(self, key, value)``.
        children: prefixes and suffixes of computed names under which modules are added, each with the module that gets
            them.
        given: the prefix and suffix of each name under which a call stores a value, and the value.
        changes: by attribute, the calls and statements that change its value in place.
        keywords: by name, the values of the keyword arguments of all calls.
        bases: the bases of other files that store nothing.
    """

    classes: dict[str, ast.ClassDef] = field(default_factory=dict)
    stores: dict[str, list[Store]] = field(default_factory=dict)
    named: dict[str, list[ast.expr | None]] = field(default_factory=dict)
    patterns: list[tuple[str, str]] = field(default_factory=list)
    on_instances: list[tuple[tuple[str, str], ast.ClassDef]] = field(default_factory=list)
    children: list[tuple[tuple[str, str], ast.expr | None]] = field(default_factory=list)
    given: list[tuple[tuple[str, str], ast.expr | None]] = field(default_factory=list)
    changes: dict[str, list[ast.AST]] = field(default_factory=dict)
    keywords: dict[str, list[ast.expr]] = field(default_factory=dict)
    bases: set[str] = field(default_factory=set)
    _lines: dict[ast.ClassDef, list[ast.ClassDef] | None] = field(default_factory=dict)
    _derived: dict[ast.ClassDef, list[ast.ClassDef]] = field(default_factory=dict)

    def line(self, owner: ast.ClassDef) -> list[ast.ClassDef] | None:
        """Return a class and its bases of this file, the nearest first; None if some bases are not visible."""
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
                elif text not in (*PLAIN_BASES, *self.bases) and not text.startswith(TORCH_MODULES):
                    return None
        return found

    def extends_torch(self, line: list[ast.ClassDef]) -> bool:
        """Return whether classes inherit from a module class of torch other than ``nn.Module``: such a class has its
        own constants.
        """
        bases = [ast.unparse(base) for each in line for base in each.bases]
        return any(base.startswith(TORCH_MODULES) and not base.endswith(".Module") for base in bases)

    def related(self, owner: ast.ClassDef) -> list[ast.ClassDef]:
        """Return the classes of this file whose instances share code with those of a class: the class itself, its bases
        and its subclasses.
        """
        if not self._derived:
            for candidate in self.classes.values():
                for each in self.line(candidate) or ():
                    self._derived.setdefault(each, []).append(candidate)
        line = self.line(owner) or [owner]
        return [*line, *(each for each in self._derived.get(owner, ()) if not any(each is seen for seen in line))]

    def is_set_by_name(self, attribute: str, related: Sequence[ast.ClassDef] | None = None) -> bool:
        """Return whether anything may store an attribute by a string, literal or computed.

        Args:
            attribute: the name of the attribute.
            related: the classes of the relevant instances; None for any.
        """
        made = [pattern for pattern, kind in self.on_instances if related is None or any(kind is c for c in related)]
        return attribute in self.named or any(
            attribute.startswith(start) and attribute.endswith(end) for start, end in (*self.patterns, *made)
        )

    def may_gain_module(self, tree: ast.Module, owner: ast.ClassDef, attribute: str) -> bool:
        """Return whether a call such as ``add_module(f"a{i}", …)`` may put a module into an attribute of a class's
        instances.
        """
        return any(
            attribute.startswith(start) and attribute.endswith(end) and not self.is_another(tree, held, owner)
            for (start, end), held in self.children
        )

    def is_another(self, tree: ast.Module, held: ast.expr | None, owner: ast.ClassDef | None) -> bool:
        """Return whether an expression is certainly not an instance of a class: ``self`` of an unrelated class, or an
        attribute or a variable that only holds modules of torch.

        Args:
            tree: the tree of the file.
            held: the expression.
            owner: the class; None for a class of another file.
        """
        if isinstance(held, ast.Attribute):
            values = [store.value for store in self.stores.get(held.attr, ())]
            return _are_of_torch(values) and not self.is_set_by_name(held.attr)
        if isinstance(held, ast.Name) and _are_of_torch(variable_values(tree, held)):
            return True
        kind = kind_of(tree, held) if held is not None else None
        if kind is None or owner is None:
            return kind is not None and self.line(kind) is not None
        return self.line(owner) is not None and not any(kind is each for each in self.related(owner))


SETTERS = ("setattr", "delattr", "__setattr__", "register_buffer", "register_parameter", "set_submodule")
_MODULESETTERS = ("add_module", "register_module")
CHANGING = frozenset(
    "append extend insert pop remove clear update setdefault popitem sort reverse add discard add_module"
    " register_module __setitem__ __delitem__ __iadd__".split()
)
"""Methods that change the object on which they are called."""


@astwalk.kept
def file_facts(tree: ast.Module) -> FileFacts:
    """Collect the facts of a file; it is read only once."""
    facts = FileFacts(bases=stateless_bases(tree))
    facts.classes = {node.name: node for node in tree.body if isinstance(node, ast.ClassDef)}
    for node in astwalk.of_kind(tree, ast.Call, ast.Attribute, ast.Subscript, ast.AugAssign):
        if isinstance(node, ast.Call):
            _look_at_call(facts, tree, node)
        elif isinstance(node, ast.Attribute) and not isinstance(node.ctx, ast.Load):
            _look_at_store(facts, tree, node)
        elif isinstance(node, ast.Attribute) and _may_store_any(tree, node):
            kind = kind_of(tree, node.value)
            facts.patterns += [("", "")] if kind is None else []
            facts.on_instances += [(("", ""), kind)] if kind is not None else []
        elif isinstance(node, ast.Subscript) and not isinstance(node.ctx, ast.Load):
            for held in attributes_holding(tree, node.value):
                facts.changes.setdefault(held, []).append(node)
        elif adds_list(node):
            for held in attributes_holding(tree, node.target):
                facts.changes.setdefault(held, []).append(node)
    return facts


def _only_looks(tree: ast.Module, node: ast.Attribute) -> bool:
    """Return whether a use of an object's ``__dict__`` only tests for names, or reads the value of one public name."""
    around = astwalk.parents(tree).get(node)
    if not isinstance(around, ast.Subscript) or not isinstance(around.ctx, ast.Load):
        return isinstance(around, ast.Compare)
    private = isinstance(around.slice, ast.Constant) and str(around.slice.value).startswith("_")
    return not private and not isinstance(astwalk.parents(tree).get(around), (ast.Subscript, ast.Attribute))


def _may_store_any(tree: ast.Module, node: ast.Attribute) -> bool:
    """Return whether code may store any attribute: through ``__dict__``, or by setting or removing an item of
    ``_modules``.
    """
    if node.attr != "_modules":
        return node.attr == "__dict__" and not _only_looks(tree, node)
    around = astwalk.parents(tree).get(node)
    if isinstance(around, ast.Subscript):
        return not isinstance(around.ctx, ast.Load)
    return isinstance(around, ast.Attribute) and around.attr in CHANGING


def _around(tree: ast.Module, node: ast.AST) -> tuple[
    ast.ClassDef | None, ast.FunctionDef | ast.AsyncFunctionDef | None, ast.stmt | None
]:  # fmt: skip
    """Return the class that contains a node, its method, and the statement of the method's body that
    contains the node.
    """
    owner, function, statement, below = None, None, None, node
    for each in astwalk.around(tree, node):
        if isinstance(each, ast.ClassDef):
            owner = each
            break
        if isinstance(each, (ast.FunctionDef, ast.AsyncFunctionDef)):
            function, statement = each, below
        below = each
    return owner, function, statement if isinstance(statement, ast.stmt) else None


def _look_at_call(facts: FileFacts, tree: ast.Module, node: ast.Call) -> None:
    called = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
    if called in SETTERS or called in _MODULESETTERS:
        position = 1 if called in ("setattr", "delattr") else 0
        holder = node.args[0] if position and node.args else getattr(node.func, "value", None)
        for each in [*node.args, *(k.value for k in node.keywords)]:
            if isinstance(each, ast.Constant) and isinstance(each.value, str):
                facts.named.setdefault(each.value, []).append(holder)
        name = node.args[position] if len(node.args) > position else None
        value = node.args[position + 1] if len(node.args) > position + 1 else None
        written = name.value if isinstance(name, ast.Constant) and isinstance(name.value, str) else None
        if written is None and name is not None and (written := _default_name(tree, name)) is not None:
            facts.named.setdefault(written, []).append(holder)
        facts.given.append(((written, written) if written is not None else pattern_at(tree, name), value))
        if written is None and not isinstance(name, ast.Constant) and not called.startswith("register_"):
            # ``register_…`` is left out, because it raises if another attribute has the name.
            kind = _kind_set(tree, node)
            if kind is not None:
                facts.on_instances.append((pattern_at(tree, name), kind))
            elif called in _MODULESETTERS:
                facts.children.append((pattern_at(tree, name), getattr(node.func, "value", None)))
            else:
                facts.patterns.append(pattern_at(tree, name))
    elif called == "vars" and any(isinstance(a, ast.Name) and a.id == "self" for a in node.args):
        facts.patterns.append(("", ""))
    if called in CHANGING and isinstance(node.func, ast.Attribute):
        for held in attributes_holding(tree, node.func.value):
            facts.changes.setdefault(held, []).append(node)
    for keyword in node.keywords:
        if keyword.arg is not None:
            facts.keywords.setdefault(keyword.arg, []).append(keyword.value)


def _default_name(tree: ast.Module, name: ast.expr) -> str | None:
    """Return the value of an attribute of ``self`` if it always is a string that is the default of a constructor's
    parameter; otherwise None. For that, only the constructor may store the attribute, and no call of the class in the
    file may pass the parameter.
    """
    owner, function, _ = _around(tree, name)
    if owner is None or function is None or not isinstance(name, ast.Attribute) or owner.decorator_list:
        return None
    init = next((each for each in owner.body if isinstance(each, ast.FunctionDef) and each.name == "__init__"), None)
    if init is None or not function.args.args or not astwalk.is_name(name.value, function.args.args[0].arg):
        return None
    reads = [each for each in astwalk.of_kind(tree, ast.Attribute) if isinstance(each, ast.Attribute)]
    stored: set[str | None] = set()
    for each in (each for each in reads if each.attr == name.attr and not isinstance(each.ctx, ast.Load)):
        other, method, _ = _around(tree, each)
        own = method is not None and method.args.args and astwalk.is_name(each.value, method.args.args[0].arg)
        if other is owner or other is None or not own:
            stored.add(getattr(assigned_value(tree, each), "id", None) if own and method is init else None)
    arguments = [each.arg for each in init.args.args]
    parameter = stored.pop() if len(stored) == 1 else None
    if parameter is None or parameter not in arguments or parameter in astwalk.bound(init):
        return None
    place = arguments.index(parameter)
    defaults = init.args.defaults[place - len(arguments) :] if place >= len(arguments) - len(init.args.defaults) else []
    default = defaults[0] if defaults else None
    if not isinstance(default, ast.Constant) or not isinstance(default.value, str):
        return None
    uses = [each for each in astwalk.of_kind(tree, ast.Name) if astwalk.is_name(each, owner.name)]
    return default.value if all(leaves_default(tree, each, parameter, place - 1) for each in uses) else None


def kind_of(tree: ast.Module, held: ast.expr) -> ast.ClassDef | None:
    """Return the class of this file whose instance an expression is: ``self``, the result of ``cls`` in a class method,
    or a variable that only gets new instances of one class. Return None for other expressions.
    """
    owner, function, _ = _around(tree, held)
    if function is None or not isinstance(held, ast.Name):
        return None
    itself = function.args.args[0].arg if function.args.args and owner is not None else None
    if held.id == itself:
        return owner
    made = [each.func if isinstance(each, ast.Call) else None for each in variable_values(tree, held)]
    if itself and made and all(each is not None and _root(each) == itself for each in made):
        of_class = any(isinstance(each, ast.Name) and each.id == "classmethod" for each in function.decorator_list)
        return owner if of_class else None
    names = {each.id if isinstance(each, ast.Name) else None for each in made}
    kinds = [each for each in tree.body if isinstance(each, ast.ClassDef) and each.name in names]
    return kinds[0] if len(names) == len(kinds) == 1 and not names & astwalk.bound(tree) else None


def _kind_set(tree: ast.Module, call: ast.Call) -> ast.ClassDef | None:
    """Return the class of this file on whose instance a call stores an attribute: ``setattr(self, …)``,
    ``super().__setattr__(…)``. Return None for other calls.
    """
    function = call.func
    if astwalk.is_name(function, "setattr") and call.args:
        return kind_of(tree, call.args[0])
    base = function.value if isinstance(function, ast.Attribute) and function.attr == "__setattr__" else None
    if isinstance(base, ast.Call) and astwalk.is_name(base.func, "super") and not base.args:
        return _around(tree, call)[0]
    return None


def _are_of_torch(values: Sequence[ast.expr | None]) -> bool:
    """Return whether there are values, and all are new modules of torch."""
    made = [each.func for each in values if isinstance(each, ast.Call)]
    return bool(made) and len(made) == len(values) and all(ast.unparse(each).startswith(TORCH_MODULES) for each in made)


def _root(node: ast.expr) -> str | None:
    """Return the first name of a dotted name; None if it does not begin with a name."""
    while isinstance(node, ast.Attribute):
        node = node.value
    return node.id if isinstance(node, ast.Name) else None


def _look_at_store(facts: FileFacts, tree: ast.Module, node: ast.Attribute) -> None:
    owner, function, statement = _around(tree, node)
    itself = function.args.args[0].arg if function is not None and function.args.args and owner is not None else ""
    own = isinstance(node.value, ast.Name) and node.value.id == itself
    adds = adds_list(astwalk.parents(tree).get(node))
    store = Store(node.attr, owner, function, own, assigned_value(tree, node), statement, adds)
    facts.stores.setdefault(node.attr, []).append(store)


def is_of_self(value: ast.expr) -> bool:
    """Return whether a value is an attribute of ``self``, or an item of one."""
    while isinstance(value, ast.Subscript):
        value = value.value
    return isinstance(value, ast.Attribute) and isinstance(value.value, ast.Name) and value.value.id == "self"
