"""Who may call a function of this file, and with what: from names and attributes alone, more rather than fewer.

An expression *mentions* names, attributes of ``self`` and classes; what is assigned from it may hold what they hold. A
class of the file that is handed to another class's constructor may be called by that one. From there every call of a
name or attribute that may hold an instance is a caller of its ``forward``. Of pairs in a list (``for attention, feed in
self.layers``) first and second are told apart.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass, field

from tslint import walking

_HOLDING = frozenset(
    "values items get pop children modules copy to cuda cpu eval train apply float half double".split()
)
FunctionNode = ast.FunctionDef | ast.AsyncFunctionDef
Place = tuple[object, ...]


@dataclass(frozen=True)
class Site:
    """A call.

    Args:
        node: the call.
        function: the function that holds it, if any.
    """

    node: ast.Call
    function: FunctionNode | None


@dataclass
class Callers:
    """What flows where in one file.

    Args:
        tree: the file.
    """

    tree: ast.Module
    classes: dict[str, ast.ClassDef] = field(default_factory=dict)
    functions: dict[str, FunctionNode] = field(default_factory=dict)
    owners: dict[int, ast.ClassDef] = field(default_factory=dict)
    flows: dict[Place, set[Place]] = field(default_factory=dict)
    sites: list[tuple[frozenset[Place], Site]] = field(default_factory=list)
    methods: dict[str, list[Site]] = field(default_factory=dict)
    defined: set[str] = field(default_factory=set)

    def __post_init__(self) -> None:
        for statement in self.tree.body:
            if isinstance(statement, ast.ClassDef):
                self.classes[statement.name] = statement
            elif isinstance(statement, FunctionNode):
                self.functions[statement.name] = statement
        for owner in self.classes.values():
            for item in owner.body:
                if isinstance(item, FunctionNode):
                    self.owners[id(item)] = owner
                    self.defined.add(item.name)
        self._scope(self.tree.body, None)
        for function in self.functions.values():
            self._scope(function.body, function)
        for owner in self.classes.values():
            for item in owner.body:
                if isinstance(item, FunctionNode):
                    self._scope(item.body, item)

    def of(self, function: FunctionNode) -> list[Site]:
        """The calls that may reach a function."""
        owner = self.owners.get(id(function))
        if owner is None or function.name != "forward":
            return self.methods.get(function.name, [])
        kin = {name for name, node in self.classes.items() if self._inherits(node, owner)}
        # Classes and their instances go the same ways; only what is an instance is called for its `forward`.
        reached: set[tuple[Place, bool]] = set()
        pending: list[tuple[Place, bool]] = [(("global", None, name), False) for name in kin]
        while pending:
            place, made = pending.pop()
            if (place, made) in reached:
                continue
            reached.add((place, made))
            pending += [(each, made) for each in self.flows.get(place, ())]
            if place[0] == "attribute":
                pending.append((("attribute", "*", place[2]), made))
            if place[0] not in ("any", "called"):
                inner = place[1] if place[0] == "item" else place
                pending.append((("any", inner), made))
                if not made:
                    pending.append((("called", inner), True))
        instances = {place for place, made in reached if made}
        found = [site for places, site in self.sites if places & instances]
        for site in self.methods.get("forward", []):
            if isinstance(site.node.func, ast.Attribute) and self._through_class(site, kin, owner):
                found.append(site)
        return found

    def _through_class(self, site: Site, kin: set[str], owner: ast.ClassDef) -> bool:
        """``super().forward(...)`` in a subclass, and ``Base.forward(self, ...)``."""
        assert isinstance(site.node.func, ast.Attribute)
        base = site.node.func.value
        if isinstance(base, ast.Name):
            return base.id in kin
        holder = self.owners.get(id(site.function))
        made = isinstance(base, ast.Call) and isinstance(base.func, ast.Name) and base.func.id == "super"
        return made and holder is not None and holder is not owner and owner.name in self._bases(holder)

    def _bases(self, node: ast.ClassDef) -> set[str]:
        found: set[str] = set()
        pending = [node]
        while pending:
            for base in pending.pop().bases:
                if isinstance(base, ast.Name) and base.id in self.classes and base.id not in found:
                    found.add(base.id)
                    pending.append(self.classes[base.id])
        return found

    def _inherits(self, node: ast.ClassDef, owner: ast.ClassDef) -> bool:
        return node is owner or owner.name in self._bases(node)

    def _scope(self, body: list[ast.stmt], function: FunctionNode | None) -> None:
        """Read the assignments and calls of a function, or of the module outside of functions and classes."""
        for statement in body:
            if function is None and isinstance(statement, (ast.ClassDef, FunctionNode)):
                continue
            for node in walking.walk(statement):
                self._node(node, function)

    def _node(self, node: ast.AST, function: FunctionNode | None) -> None:
        if isinstance(node, (ast.Assign, ast.AnnAssign, ast.AugAssign, ast.NamedExpr)) and node.value is not None:
            targets: list[ast.expr] = [*node.targets] if isinstance(node, ast.Assign) else [node.target]
            self._store(node.value, targets, function)
        elif isinstance(node, (ast.For, ast.comprehension)):
            self._iterate(node.iter, node.target, function)
        elif isinstance(node, ast.Return) and node.value is not None and function is not None:
            owner = self.owners.get(id(function))
            for source in self._read(node.value, function):
                self.flows.setdefault(source, set()).add(("result", owner is not None, function.name))
        elif isinstance(node, ast.Call):
            self._call(node, function)

    def _call(self, node: ast.Call, function: FunctionNode | None) -> None:
        callee = node.func
        site = Site(node, function)
        if isinstance(callee, ast.Name) and (callee.id in self.classes or callee.id in self.functions):
            self._handed(callee.id, node, function)
            self.methods.setdefault(callee.id, []).append(site)
            return
        if isinstance(callee, ast.Attribute):
            self.methods.setdefault(callee.attr, []).append(site)
            if callee.attr in ("append", "insert", "extend", "add_module", "update", "setdefault"):
                for argument in node.args:
                    parts = _parts(argument)
                    self._spread([parts] if parts else [], argument, [callee.value], function)
        called = callee.value if isinstance(callee, ast.Attribute) and callee.attr == "forward" else callee
        self.sites.append((frozenset(self._read(called, function)), site))

    def _handed(self, name: str, node: ast.Call, function: FunctionNode | None) -> None:
        """What a constructor or a function is given flows into its parameters."""
        known: FunctionNode | None = self.functions.get(name)
        if known is None:
            lines = [self.classes[name], *(self.classes[base] for base in self._bases(self.classes[name]))]
            made = (m for c in lines for m in c.body if isinstance(m, FunctionNode) and m.name == "__init__")
            known = next(made, None)
        if known is None:
            return
        spec = known.args
        names = [argument.arg for argument in (*spec.args, *spec.kwonlyargs)]
        names += [argument.arg for argument in (spec.vararg, spec.kwarg) if argument]
        for value in [*node.args, *(keyword.value for keyword in node.keywords)]:
            for source in self._read(value, function):
                for each in names:
                    self.flows.setdefault(source, set()).add(("local", id(known), each))

    def _store(self, value: ast.expr, targets: list[ast.expr], function: FunctionNode | None) -> None:
        for target in targets:
            if isinstance(target, ast.Tuple) and isinstance(value, ast.Tuple) and len(target.elts) == len(value.elts):
                for each, part in zip(target.elts, value.elts):
                    self._store(part, [each], function)
                targets = [other for other in targets if other is not target]
        rows: list[ast.expr] = []
        inner = value.args[0] if isinstance(value, ast.Call) and len(value.args) == 1 else value
        if isinstance(inner, ast.ListComp):
            rows = [inner.elt]
        elif isinstance(inner, ast.List):
            rows = inner.elts
        parts = [_parts(row) for row in rows]
        self._spread([each for each in parts if each] if all(parts) else [], value, targets, function)

    def _spread(
        self, rows: list[list[ast.expr]], value: ast.expr, targets: list[ast.expr], function: FunctionNode | None
    ) -> None:
        """A value goes into targets: as it is, or its rows' parts by their position."""
        places = {place for target in targets for place in self._mentioned(target, function)}
        if not rows:
            for source in self._read(value, function):
                self.flows.setdefault(source, set()).update(places)
        for row in rows:
            for index, part in enumerate(row):
                for source in self._read(part, function):
                    self.flows.setdefault(source, set()).update(("item", place, index) for place in places)

    def _iterate(self, value: ast.expr, target: ast.expr, function: FunctionNode | None) -> None:
        """A loop's variables get what its iterable holds."""
        name = value.func.id if isinstance(value, ast.Call) and isinstance(value.func, ast.Name) else ""
        parts = target.elts if isinstance(target, (ast.Tuple, ast.List)) else []
        if isinstance(value, ast.Call) and name == "enumerate" and len(parts) == 2 and value.args:
            self._iterate(value.args[0], parts[1], function)
        elif isinstance(value, ast.Call) and name == "zip" and len(parts) == len(value.args):
            for each, part in zip(value.args, parts):
                self._iterate(each, part, function)
        elif parts:
            for index, part in enumerate(parts):
                places = self._mentioned(part, function)
                for source in self._mentioned(value, function):
                    self.flows.setdefault(source, set()).update(places)
                    self.flows.setdefault(("item", source, index), set()).update(places)
        else:
            self._spread([], value, [target], function)

    def _read(self, node: ast.AST, function: FunctionNode | None) -> set[Place]:
        """The places that an expression's value may come from."""
        return {place if place[0] == "called" else ("any", place) for place in self._mentioned(node, function)}

    def _mentioned(self, node: ast.AST, function: FunctionNode | None) -> set[Place]:
        """The places that an expression names."""
        found: set[Place] = set()
        pending: list[ast.AST] = [node]
        while pending:
            each = pending.pop()
            if isinstance(each, ast.Call):
                pending += self._result(each, function, found)
            elif isinstance(each, ast.Attribute):
                itself = isinstance(each.value, ast.Name) and each.value.id == "self"
                owner = self.owners.get(id(function)) if function is not None else None
                # Of another object it may be anybody's attribute of that name.
                found.add(("attribute", self.family(owner) if itself else "*", each.attr))
            elif isinstance(each, ast.Name):
                found.add(self._name(each, function))
            elif not isinstance(each, (ast.Lambda, ast.Compare)):
                pending += walking.children(each)
        return found

    def _name(self, node: ast.Name, function: FunctionNode | None) -> Place:
        bound = function is not None and node.id in _locals(function)
        return ("local", id(function), node.id) if bound else ("global", None, node.id)

    def _result(self, call: ast.Call, function: FunctionNode | None, found: set[Place]) -> list[ast.AST]:
        """Where the result of a call comes from: places are added, further expressions returned."""
        callee = call.func
        given: list[ast.AST] = [*call.args, *(keyword.value for keyword in call.keywords)]
        if isinstance(callee, ast.Name):
            place = self._name(callee, function)
            if place == ("global", None, callee.id) and callee.id in self.functions:
                found.add(("result", False, callee.id))
                return []
            found.add(("called", place))
            return given if place[0] == "global" and callee.id not in self.classes else []
        if not isinstance(callee, ast.Attribute):
            found |= {("called", place) for place in self._mentioned(callee, function)}
            return []
        if callee.attr in self.defined:
            found.add(("result", True, callee.attr))
            return []
        if callee.attr in _HOLDING:
            return [callee.value]
        root: ast.expr = callee
        while isinstance(root, ast.Attribute):
            root = root.value
        if isinstance(root, ast.Name) and root.id == "self":
            found |= {("called", place) for place in self._mentioned(callee, function)}
        elif isinstance(root, ast.Name) and self._name(root, function)[0] == "global":
            return given
        return []

    def family(self, owner: ast.ClassDef | None) -> str:
        """One name for a class and its bases in this file: they share their attributes."""
        name = owner.name if owner is not None else ""
        while owner is not None:
            base = next((b.id for b in owner.bases if isinstance(b, ast.Name) and b.id in self.classes), None)
            if base is None or base == name:
                break
            name, owner = base, self.classes[base]
            if name in self._bases(owner):
                break
        return name


def _parts(value: ast.expr) -> list[ast.expr] | None:
    """The elements of a row: ``(a, b)``, ``[a, b]``, ``nn.ModuleList([a, b])``."""
    if isinstance(value, ast.Call) and len(value.args) == 1 and not value.keywords:
        value = value.args[0]
    if isinstance(value, (ast.Tuple, ast.List)) and len(value.elts) > 1:
        return value.elts
    return None


@walking.kept
def _locals(function: FunctionNode) -> frozenset[str]:
    names = {argument.arg for argument in walking.walk(function.args) if isinstance(argument, ast.arg)}
    names |= {n.id for n in walking.walk(function) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}
    return frozenset(names)


@walking.kept
def callers(tree: ast.Module) -> Callers:
    """The callers of a file's functions; the tree is read once."""
    return Callers(tree)


def is_name(node: ast.AST, name: str) -> bool:
    """Whether a node is a name."""
    return isinstance(node, ast.Name) and node.id == name


def expansions(function: FunctionNode, name: str) -> Iterator[tuple[ast.Call, ast.AST]]:
    """The calls that expand a variadic parameter, and the argument there."""
    for call in walking.walk(function):
        if isinstance(call, ast.Call):
            for argument in call.args:
                if isinstance(argument, ast.Starred) and is_name(argument.value, name):
                    yield call, argument
            for keyword in call.keywords:
                if keyword.arg is None and is_name(keyword.value, name):
                    yield call, keyword
