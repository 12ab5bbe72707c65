"""Collects what the body of a function shows about a parameter: the types that its uses require, allow and exclude."""

from __future__ import annotations

import ast
from collections.abc import Callable
from dataclasses import dataclass

from tslint.script.dataflow.definitions import FunctionNode
from tslint.script.dataflow.evidence import NUMBERS, Evidence, admitted, head
from tslint.script.dataflow.guards import is_asserted, is_condition
from tslint.script.dataflow.module_lists import holds_modules_by_number
from tslint.script.dataflow.shallow import Lookup, called_schemas, full_name, type_of
from tslint.script.dataflow.taken import taken
from tslint.script.dataflow.unpacking import is_iterated, unpacked_into_itself
from tslint.script.operators.tables import table
from tslint.script.type_text import parsed
from tslint.script.types import ListType, has_variables, plain
from tslint.util import astwalk

Passed = Callable[[ast.Call, ast.expr], tuple[str | None, bool]]
"""Returns the type that a function of the same file accepts for an argument, and whether that is certain."""
_KINDS: dict[str, type] = {
    "Tuple": tuple, "List": list, "Dict": dict, "int": int, "float": float, "bool": bool, "str": str,
}  # fmt: skip
_SHOWN = frozenset(["print", "str", "repr", "format", "id", "type", "warn"])
_ASSERTED = frozenset(["int", "float", "bool", "str"])
_DICT_METHODS = frozenset(["keys", "values", "items"])
_COMPARING = frozenset(["eq", "ne", "lt", "le", "gt", "ge", "equal", "not_equal"])  # functions like ``==``
_OF_INTS = (ast.Add, ast.Sub, ast.Mult, ast.FloorDiv, ast.Mod)
_MOST = 8


def read_uses(
    tree: ast.Module, function: FunctionNode, name: str, lookup: Lookup, passed: Passed, *,
    follows: bool = True, until: int | None = None,
) -> Evidence:  # fmt: skip
    """Return what every use of a parameter shows about its type.

    Args:
        tree, function, name: the file, the function and its parameter.
        lookup: returns the types of other names of the function.
        passed: returns the types that functions of the file accept.
        follows, until: whether to read the uses of variables that are computed from the parameter, too; the last row.
    """
    reader = Reader(tree, function, name, lookup, passed, Evidence(), follows)
    reader.found.several = any(name in node.names for node in astwalk.of_kind(function, ast.Global, ast.Nonlocal))
    own = {*astwalk.children(function.args)}
    if any(node.arg == name and node not in own for node in astwalk.of_kind(function, ast.arg)):
        reader.found.several = True  # a nested function has a parameter of the same name
    last = until or unpacked_into_itself(function, name)
    for node in astwalk.mentions(function).get(name, ()):
        if isinstance(node, ast.Name) and (last is None or node.lineno <= last):
            if isinstance(node.ctx, ast.Load):
                reader.use(node)
            elif node.lineno != until:
                reader.store(node)
    return reader.found


@dataclass
class Reader:
    """Collects what the uses of a parameter, or of another value that is used more than once, show about its type."""

    tree: ast.Module
    function: FunctionNode
    name: str
    lookup: Lookup
    passed: Passed
    found: Evidence
    follows: bool = False

    def parent(self, node: ast.AST) -> ast.AST | None:
        return astwalk.parents(self.function).get(node)

    def type_of(self, node: ast.AST | None) -> str | None:
        return type_of(self.tree, node, self.others)

    def others(self, name: str) -> str | None:
        """Return the type of another name: a guess, or a default, of the name itself would confirm itself."""
        return None if name == self.name else self.lookup(name)

    def store(self, node: ast.expr) -> None:
        """Handle a new binding: the compiler requires it to have the same type."""
        around = self.parent(node)
        if isinstance(around, ast.Assign) and node in around.targets:
            type_ = self.type_of(around.value)
            self.found.show(type_)
            self.found.rebound = self.found.rebound or type_ is None
        elif not isinstance(around, (ast.AugAssign, ast.Assign, ast.AnnAssign, ast.Tuple, ast.List)):
            self.found.several = True

    def use(self, node: ast.expr) -> None:
        around = self.parent(node)
        if isinstance(around, ast.Attribute):
            self.attribute(around)
        elif isinstance(around, ast.Subscript) and around.value is node:
            self.subscript(around.slice)
        elif isinstance(around, ast.Subscript):
            self.index(around)
        elif isinstance(around, ast.Slice):
            self.found.show("int")
        elif isinstance(around, ast.BinOp):
            self.operand(around.op, around.right if around.left is node else around.left, left=around.left is node)
            self.sizes(node)
            self.computed(node)
            self.beside(node)
        elif isinstance(around, ast.AugAssign) and around.value is node:
            self.operand(around.op, around.target, left=False)
        elif isinstance(around, ast.UnaryOp) and not isinstance(around.op, ast.Not):
            self.found.allowed.append(frozenset(["Tensor", "number", "bool"]))
        elif isinstance(around, ast.Compare):
            self.compared(around, node)
        elif isinstance(around, ast.Assign) and around.value is node:
            self.unpacked(around)
            self.renamed(around)
        elif isinstance(around, (ast.For, ast.comprehension)) and around.iter is node:
            self.found.barred |= {"number", "Device", "dtype"}
        elif isinstance(around, (ast.Call, ast.keyword)):
            self.argument(node, around)
        elif isinstance(around, (ast.List, ast.Tuple)) and isinstance(self.parent(around), ast.Call):
            self.element(around)
            self.sizes(node)
        elif isinstance(around, ast.Match):
            self.found.nothing |= any(each.value is None for each in astwalk.of_kind(around, ast.MatchSingleton))
        elif isinstance(around, ast.Starred):
            self.found.barred |= {"number", "Device", "dtype"}
        elif isinstance(around, ast.IfExp) and around.test is not node:
            self.branch(around, node)
        elif is_condition(self.function, node):
            self.found.barred.add("Tensor")
            self.found.hints["bool"] = None
        elif isinstance(around, (ast.Delete, ast.Await, ast.With, ast.withitem)):
            self.found.several = True

    def branch(self, around: ast.IfExp, node: ast.expr) -> None:
        """Handle a branch of ``x if x is not None else y``: for the compiler, both have the same type."""
        other = self.type_of(around.body if around.orelse is node else around.orelse)
        self.found.show(other if other != "NoneType" else None)

    def attribute(self, node: ast.Attribute) -> None:
        known = node.attr in table("attributes")["Tensor"]
        kinds = [kind for kind, class_ in _KINDS.items() if hasattr(class_, node.attr)]
        if not known:
            self.found.barred.add("Tensor")
        self.found.barred |= set(_KINDS) - set(kinds)
        if not kinds:
            self.found.barred |= {"number", "dtype"}
        if not known and not kinds:
            self.found.several |= node.attr not in ("type", "index", "is_floating_point", "itemsize")
        elif known and not kinds and node.attr != "type":
            self.found.show("Tensor")
        elif node.attr in _DICT_METHODS:
            self.found.hints["Dict[str, Tensor]"] = None
        elif kinds == ["str"]:
            self.found.show("str")

    def subscript(self, index: ast.expr) -> None:
        self.found.barred |= {"number", "Device", "dtype"}
        parts = index.elts if isinstance(index, ast.Tuple) else [index]
        if isinstance(index, ast.JoinedStr) or (isinstance(index, ast.Constant) and isinstance(index.value, str)):
            self.found.show("Dict[str, Tensor]")
        elif len(parts) > 1 or (isinstance(index, ast.Constant) and index.value in (None, ...)):
            self.found.show("Tensor")
        elif isinstance(index, (ast.Constant, ast.Slice, ast.UnaryOp)):
            self.found.barred.add("Dict")

    def index(self, around: ast.Subscript) -> None:
        owner = self.type_of(around.value)
        in_list = owner is not None and head(owner) in ("List", "Tuple")
        if in_list or holds_modules_by_number(self.tree, around.value):
            self.found.show("int")

    def beside(self, node: ast.AST) -> None:
        """Handle an expression that is computed from the value and used next to a tensor: ``x * (1 - mask)``."""
        current, around = self.parent(node), self.parent(self.parent(node) or node)
        while isinstance(current, (ast.BinOp, ast.UnaryOp)) and isinstance(around, ast.BinOp):
            other = around.right if around.left is current else around.left
            if self.type_of(other) == "Tensor":
                self.found.hints["Tensor"] = None
            current, around = around, self.parent(around)

    def sizes(self, node: ast.AST) -> None:
        """Handle an expression or list that is computed from the value and passed as an int to a function of torch."""
        current, around = node, self.parent(node)
        while isinstance(around, (ast.BinOp, ast.Tuple, ast.List)) and not isinstance(
            getattr(around, "op", None), ast.Div
        ):
            current, around = around, self.parent(around)
        call = self.parent(around) if isinstance(around, ast.keyword) else around
        if not isinstance(call, ast.Call) or current is node or call.func is current:
            return
        types = taken(self.tree, call, current, around.arg if isinstance(around, ast.keyword) else None)
        if types and types <= {"int", "List[int]", "one"}:
            self.found.hints["int"] = None

    def computed(self, node: ast.AST) -> None:
        """Handle ``half = n // 2``: if the result is used as an int, the value is probably an int, too."""
        around = self.parent(node)
        while isinstance(around, ast.BinOp) and isinstance(around.op, _OF_INTS):
            node, around = around, self.parent(around)
        target = around.targets[0] if isinstance(around, ast.Assign) and around.value is node else None
        if self.follows and isinstance(target, ast.Name) and not self._is_converted(target.id):
            made = read_uses(self.tree, self.function, target.id, self.others, self.passed, follows=False)
            if {*made.says, *made.hints} - {"Tensor"} == {"int"}:  # a Tensor is only a guess
                self.found.hints["int"] = None

    def _is_converted(self, name: str) -> bool:
        """Return whether a variable is computed from itself (``n = int(n)``), so that its type may change."""
        stores = [each for each in astwalk.of_kind(self.function, ast.Assign) if name in astwalk.bound(each)]
        return any(astwalk.is_name(part, name) for each in stores for part in astwalk.walk(each.value))

    def operand(self, op: ast.operator, other: ast.expr, *, left: bool) -> None:
        type_ = self.type_of(other)
        if isinstance(op, ast.Mod) and type_ == "str":
            return
        if type_ in ("int", "float", "bool"):
            allowed = {"Tensor", "number", "bool"} | (
                {"str"} if isinstance(op, (ast.Mod, ast.Mult)) and left else set()
            )
            self.found.allowed.append(frozenset(allowed))
        elif type_ == "Tensor":
            self.found.allowed.append(frozenset(["Tensor", "number", "bool"]))
            self.found.hints["Tensor"] = None
        elif type_ == "str" and isinstance(op, ast.Add):
            self.found.show("str")
        else:
            self.found.barred |= {"Device", "dtype", "Dict"}
            if type_ is None and (isinstance(op, ast.MatMult) or (isinstance(other, ast.Call) and _of_member(other))):
                self.found.hints["Tensor"] = None

    def compared(self, node: ast.Compare, use: ast.expr) -> None:
        others = [each for each in (node.left, *node.comparators) if each is not use]
        if len(others) != 1:
            self.found.allowed.append(frozenset(["Tensor", "number", "str", "bool"]))
            return
        op, other = node.ops[0], others[0]
        if isinstance(op, (ast.Is, ast.IsNot)):
            value = other.value if isinstance(other, ast.Constant) else ...
            self.found.nothing = self.found.nothing or value is None
            if isinstance(value, bool):
                self.found.show("bool")
            return
        if isinstance(op, (ast.In, ast.NotIn)):
            self.member(node, use, other)
            return
        type_ = self.type_of(other)
        if isinstance(op, (ast.Eq, ast.NotEq)) and type_ in ("str", "Device", "dtype", "NoneType"):
            self.found.show(type_)
        elif type_ in ("int", "float"):
            self.found.allowed.append(frozenset(["Tensor", "number", "bool"]))
            if is_condition(self.function, node):
                self.found.barred.add("Tensor")
            elif isinstance(self.parent(node), (ast.Call, ast.Attribute, ast.Subscript)):
                self.found.hints["Tensor"] = None
        elif type_ == "Tensor":  # a comparison with a number shows nothing: labels are often tensors
            self.found.allowed.append(frozenset(["Tensor", "number", "bool"]))

    def element(self, around: ast.List | ast.Tuple) -> None:
        """Handle an element of a list that is passed to a function of torch: ``torch.cat([x, y])``."""
        call = self.parent(around)
        found, hidden = called_schemas(self.tree, call) if isinstance(call, ast.Call) else ((), 0)
        if found and isinstance(call, ast.Call) and around in call.args:
            position = call.args.index(around) + hidden
            types = {each.arguments[position].type for each in found if position < len(each.arguments)}
            type_ = types.pop() if len(types) == 1 else None
            if isinstance(type_, ListType) and not has_variables(type_):
                self.found.show(plain(type_.element))

    def member(self, node: ast.Compare, use: ast.expr, other: ast.expr) -> None:
        if node.left is not use:
            self.found.barred |= {"number", "Device", "dtype"}
            return
        parts = other.elts if isinstance(other, (ast.List, ast.Tuple)) else []
        types = {self.type_of(each) for each in parts}
        self.found.nothing = self.found.nothing or "NoneType" in types
        types.discard("NoneType")
        if types in ({"int"}, {"float"}):
            self.found.equals[types.pop() or ""] = None
            self.found.barred.add("Tensor")
        elif len(types) == 1:
            self.found.show(types.pop())

    def unpacked(self, around: ast.Assign) -> None:
        target = around.targets[0]
        if len(around.targets) != 1 or not isinstance(target, (ast.Tuple, ast.List)):
            return
        # A Tensor cannot be unpacked in compiled code.
        self.found.barred |= {"number", "Device", "dtype", "Dict", "Tensor"}
        names = [each.id if isinstance(each, ast.Name) else None for each in target.elts]
        if None in names or self.found.several or len(names) > _MOST:
            return
        parts = [_part(self, each) for each in names if each is not None and each != self.name]
        if None in parts:
            self.found.several = True
        elif len(parts) == len(names) and all(parts):
            self.found.hints[f"Tuple[{', '.join(map(str, parts))}]"] = None

    def renamed(self, around: ast.Assign) -> None:
        """Handle ``mask = other``: for the compiler, a variable has one type, so the uses of it count, too."""
        target = around.targets[0]
        if self.follows and len(around.targets) == 1 and isinstance(target, ast.Name) and target.id != self.name:
            other = read_uses(self.tree, self.function, target.id, self.others, self.passed, follows=False)
            self.found.hints.update(dict.fromkeys([*other.says, *other.hints]))
            self.found.nothing |= other.nothing

    def argument(self, node: ast.expr, around: ast.Call | ast.keyword) -> None:
        call = around if isinstance(around, ast.Call) else self.parent(around)
        if not isinstance(call, ast.Call):
            self.found.several = True  # a keyword argument in a class definition
            return
        if call.func is node:
            self.found.several = True
            return
        func = call.func
        if isinstance(func, ast.Name) and full_name(self.tree, func) is None:
            if func.id == "isinstance" and call.args and call.args[0] is node:
                kind = ast.unparse(call.args[-1])
                if kind in _ASSERTED and is_asserted(self.function, call):
                    self.found.show(kind)
                else:
                    self.found.tested = True
            elif func.id == "range":
                self.found.show("int")
            elif func.id in ("enumerate", "zip", "list", "tuple", "sorted", "reversed", "len", "sum", "set", "dict"):
                self.found.barred |= {"number", "Device", "dtype"}
            elif func.id in ("int", "float", "abs", "round"):
                self.found.barred |= {"List", "Dict", "Tuple", "Device", "dtype"}
            elif func.id not in _SHOWN:
                self.passed_on(call, node)
            return
        if (full_name(self.tree, func) or "").startswith("math."):
            self.found.allowed.append(frozenset(["number"]))
            return
        keyword = around.arg if isinstance(around, ast.keyword) else None
        self.of_torch(call, node, keyword)

    def passed_on(self, call: ast.Call, node: ast.expr) -> bool:
        """Handle an argument of a function of the same file; return whether the type of its parameter is known."""
        type_, certain = self.passed(call, node)
        if certain:
            self.found.show(type_)
        elif type_ is not None:
            self.found.hints[str(parsed(type_).without_none or type_)] = None
        return type_ is not None

    def of_torch(self, call: ast.Call, node: ast.expr, keyword: str | None) -> None:
        types = taken(self.tree, call, node, keyword)
        if not types:
            first = call.args[:1] == [node]  # later arguments are often a dict of targets or the state of an LSTM
            if not self.passed_on(call, node) and first and _of_member(call):
                self.found.hints["Tensor"] = None
            return
        if "Tensor" in types and types <= {"Tensor", *NUMBERS, "complex"}:
            if types == {"Tensor"}:
                self.found.show("Tensor")
            else:
                if getattr(call.func, "attr", "") not in _COMPARING:
                    self.found.hints["Tensor"] = None
                self.found.allowed.append(frozenset([*types, "bool"]))
        elif types == {"int", "List[int]", "one"}:
            self.found.hints["int"] = None
            self.found.list_too = True
            self.found.allowed.append(frozenset(["int", "List[int]"]))
        elif len(types) == 1 or types == {"int", "one"}:
            (type_,) = types if len(types) == 1 else ("int",)
            if type_ == "number":
                ends = [*call.args, *(each.value for each in call.keywords if each.arg in ("start", "end", "step"))]
                if full_name(self.tree, call.func) == "torch.arange" and all(
                    each is node or self.type_of(each) == "int" for each in ends
                ):
                    self.found.hints["int"] = None
                self.found.allowed.append(frozenset(["number", "bool"]))
            else:
                self.found.show(type_)
        else:
            self.found.allowed.append(frozenset(types - {"one"}))


def _part(reader: Reader, name: str) -> str | None:
    """Return the type of a part of an unpacked parameter: "" if its uses show none, None if they contradict each other
    or, without showing a type, exclude a Tensor.
    """
    if is_iterated(reader.function, name):
        return ""  # the parameter may be a list as well
    inner = read_uses(reader.tree, reader.function, name, reader.lookup, lambda call, node: (None, False))
    if len(inner.says) == 1:
        (type_,) = inner.says
        return type_ if admitted(inner, type_) else None
    if inner.says or not admitted(inner, "Tensor"):
        return None
    return "Tensor" if "Tensor" in inner.hints else ""


def _of_member(call: ast.Call) -> bool:
    """Return whether a call is ``self.layer(x)`` or ``self.layers[i](x)``."""
    func = call.func
    while isinstance(func, ast.Subscript):
        func = func.value
    return isinstance(func, ast.Attribute) and isinstance(func.value, ast.Name) and func.value.id == "self"
