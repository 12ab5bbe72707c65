"""Determines what a statement does if a value is None: it raises, tests for None, or comes after code that has computed
with the value.
"""

from __future__ import annotations

import ast
from functools import partial

from tslint.script.dataflow.attribute_uses import properties
from tslint.script.dataflow.definitions import FunctionNode
from tslint.script.dataflow.evaluation import evaluated, quiet
from tslint.script.dataflow.guards import blocks, guards
from tslint.script.dataflow.module_inputs import goes_to_function, goes_to_module
from tslint.script.dataflow.scopes import bound_times, function_around, module_bindings, own_nodes
from tslint.script.dataflow.shallow import full_name
from tslint.util import astwalk
from tslint.util.record import record

_SIMPLE = (ast.Assign, ast.AnnAssign, ast.AugAssign, ast.Expr, ast.Return)
_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
_PAUSES = (ast.Yield, ast.YieldFrom, ast.Await)
_JOINING = frozenset(f"torch.{name}" for name in "cat concat stack hstack vstack dstack column_stack".split())


def raises_with_none(tree: ast.Module, member: ast.stmt | ast.expr, name: str, deep: bool = True) -> bool:
    """Return whether a statement or expression always raises if a variable is None, because None lacks an operation.

    Args:
        tree: the tree of the file.
        member: the statement or expression.
        name: the variable.
        deep: whether to look into the modules of the file that get the variable.
    """
    inner = partial(refuses_none, tree, deep=False) if deep else None
    parents = astwalk.parents(tree)
    return any(
        isinstance(each, ast.Name) and each.id == name and isinstance(each.ctx, ast.Load)
        and evaluated([member], each)
        and (
            _forbids_none(each, parents.get(each))
            or _is_counted(tree, each, parents.get(each))
            or _is_joined(tree, parents.get(each))
            or goes_to_module(tree, each, parents.get(each), inner)
            or (inner is not None and goes_to_function(tree, each, parents.get(each), inner))
        )
        for each in astwalk.walk(member)
    )  # fmt: skip


def refuses_none(tree: ast.Module, function: FunctionNode, name: str, deep: bool = True) -> bool:
    """Return whether a call of a function raises if a parameter is None, before it has any effect: in the first
    statement that uses the parameter.

    Args:
        tree: the tree of the file.
        function: the function.
        name: the parameter.
        deep: whether to look into the modules of the file that get the parameter.
    """
    if function.decorator_list or any(isinstance(each, _PAUSES) for each in own_nodes(function)):
        return False  # a generator runs nothing when it is called
    for statement in function.body:
        nodes = astwalk.walk(statement)
        if any(astwalk.is_name(each, name) for each in nodes):
            return isinstance(statement, _SIMPLE) and raises_with_none(tree, statement, name, deep)
        members = [each for each in nodes if isinstance(each, (ast.Attribute, ast.Subscript))]
        stores = any(isinstance(each.ctx, ast.Store) for each in members)
        if not isinstance(statement, (ast.Assign, ast.Expr)) or stores or not quiet(statement):
            return False
    return False


def _forbids_none(node: ast.Name, around: ast.AST | None) -> bool:
    if isinstance(around, (ast.Attribute, ast.Subscript)):
        return _looks_inside(node, around)
    if isinstance(around, ast.UnaryOp):
        return not isinstance(around.op, ast.Not)
    if isinstance(around, ast.BinOp):
        # With None as an operand, only an object of one of the author's classes would not raise.
        other = around.right if around.left is node else around.left
        return isinstance(other, ast.Constant) and not isinstance(other.value, str)
    return isinstance(around, ast.For) and around.iter is node


def _is_counted(tree: ast.Module, node: ast.AST, around: ast.AST | None) -> bool:
    """Return whether ``len`` of an expression is computed."""
    if not isinstance(around, ast.Call) or getattr(around.func, "id", "") != "len" or around.args != [node]:
        return False
    function = function_around(tree, node)
    return "len" not in module_bindings(tree) and (function is None or not bound_times(function, "len"))


def _is_joined(tree: ast.Module, around: ast.AST | None) -> bool:
    """Return whether a list or tuple is the first argument of a torch function that joins tensors."""
    call = astwalk.parents(tree).get(around) if isinstance(around, (ast.List, ast.Tuple)) else None
    joins = isinstance(call, ast.Call) and full_name(tree, call.func) in _JOINING
    return joins and call.args[:1] == [around]  # type: ignore[union-attr]


def _looks_inside(node: ast.AST, around: ast.AST | None) -> bool:
    """Return whether the code around an expression reads an attribute or an item of it that None does not have."""
    if isinstance(around, ast.Attribute):
        return not hasattr(None, around.attr)
    return isinstance(around, ast.Subscript) and around.value is node


def _computes(tree: ast.Module, member: ast.stmt, name: str) -> bool:
    """Return whether a statement always computes with a variable, or reads a part of it."""
    parents = astwalk.parents(tree)
    return any(
        isinstance(each, ast.Name)
        and each.id == name
        and isinstance(parents.get(each), (ast.BinOp, ast.Attribute, ast.Subscript))
        and evaluated([member], each)
        for each in astwalk.walk(member)
    )


def computed_before(tree: ast.Module, member: ast.stmt, name: str) -> bool:
    """Return whether a statement that always runs before a given one requires that a variable is not None."""
    current: ast.AST = member
    parents = astwalk.parents(tree)
    while (around := parents.get(current)) is not None:
        block = next((block for block in blocks(around) if any(each is current for each in block)), None)
        if block is None:
            return False
        index = next(index for index, each in enumerate(block) if each is current)
        for each in reversed(block[:index]):
            if name in astwalk.bound(each):
                return False
            if isinstance(each, _SIMPLE) and _computes(tree, each, name):
                return True
        looping = isinstance(around, (ast.For, ast.While)) and name in astwalk.bound(around)
        if looping or isinstance(around, _FUNCTIONS):
            return False
        current = around
    return False


def asserted_right_before(tree: ast.Module, member: ast.stmt, name: str) -> bool:
    """Return whether the statement directly before a given one asserts that a variable is not None, either itself or
    under an ``if`` such as ``if torch.jit.is_scripting():``.
    """
    around = astwalk.parents(tree).get(member)
    for block in blocks(around) if around is not None else ():
        index = next((index for index, each in enumerate(block) if each is member), 0)
        if index:
            above = block[index - 1]
            last = above.body[-1] if isinstance(above, ast.If) and not above.orelse else above
            return isinstance(last, ast.Assert) and ast.unparse(last.test) == f"{name} is not None"
    return False


def asks_first(test: ast.expr, node: ast.Attribute) -> bool:
    """Return whether a test first asks whether an attribute is None, and evaluates its other operands only if that is
    false.
    """
    first = test.values[0] if isinstance(test, ast.BoolOp) else None
    if not isinstance(test, ast.BoolOp) or not isinstance(first, ast.Compare) or len(first.ops) != 1:
        return False
    kind, other = ast.Is if isinstance(test.op, ast.Or) else ast.IsNot, first.comparators[0]
    is_none = isinstance(other, ast.Constant) and other.value is None
    return is_none and isinstance(first.ops[0], kind) and _asks(first, ast.unparse(node))


def reads_of(member: ast.AST, node: ast.Attribute) -> list[ast.Attribute]:
    """Return the nodes in a statement that read the same attribute as ``node``."""
    text = ast.unparse(node)
    return [
        each for each in astwalk.walk(member)
        if isinstance(each, ast.Attribute) and isinstance(each.ctx, ast.Load) and ast.unparse(each) == text
    ]  # fmt: skip


def stores_to(member: ast.stmt, node: ast.Attribute) -> bool:
    """Return whether a statement is an augmented assignment to the attribute ``node``, such as ``self.x += …``."""
    return isinstance(member, ast.AugAssign) and ast.unparse(member.target) == ast.unparse(node)


def changes(member: ast.stmt, node: ast.Attribute) -> bool:
    """Return whether a statement may change what a path such as ``self.a.b`` means: it binds ``self`` again, or sets an
    attribute ``a`` or ``b``."""
    names = {each.id for each in astwalk.walk(node) if isinstance(each, ast.Name)}
    bound = (each for each in astwalk.walk(member) if isinstance(each, ast.Name) and each.id in names)
    return _stores(member, node) or any(not isinstance(each.ctx, ast.Load) for each in bound)


def reads_in_any_case(member: ast.stmt, node: ast.Attribute) -> bool:
    """Return whether a statement always reads an attribute."""
    return stores_to(member, node) or any(evaluated([member], each) for each in reads_of(member, node))


def attribute_raises_with_none(tree: ast.Module, member: ast.stmt, node: ast.Attribute) -> bool:
    """Return whether a statement always raises if an attribute is None."""
    parents = astwalk.parents(tree)
    return stores_to(member, node) or any(
        evaluated([member], each)
        and (_looks_inside(each, parents.get(each)) or _is_counted(tree, each, parents.get(each)))
        for each in reads_of(member, node)
    )


def is_steady(tree: ast.Module, function: FunctionNode, member: ast.AST, node: ast.Attribute) -> bool:
    """Return whether an attribute can be read before a statement or test instead of in it: it has the same value there,
    and reading it has no other effect.
    """
    called = any(
        isinstance(each, (ast.Await, ast.NamedExpr))
        or (isinstance(each, ast.Call) and not _is_torch(tree, each))
        or (isinstance(each, ast.Attribute) and each.attr in properties(tree))
        for each in astwalk.walk(member)
    )
    for owner in astwalk.walk(tree):
        if isinstance(owner, _FUNCTIONS):
            if owner.name in (node.attr, "__getattr__", "__getattribute__"):
                return False
            if called and owner.name != "__init__" and owner is not function and _stores(owner, node):
                return False
    return True


def _is_torch(tree: ast.Module, call: ast.Call) -> bool:
    """Return whether a call is a call of a torch function: such functions store no attributes of the author's."""
    return (full_name(tree, call.func) or "").startswith("torch.")


def _stores(code: ast.AST, node: ast.Attribute) -> bool:
    """Return whether code stores an attribute ``a`` or ``b``, for a path such as ``self.a.b``."""
    names = {each.attr for each in astwalk.walk(node) if isinstance(each, ast.Attribute)}
    return any(
        isinstance(each, ast.Attribute) and each.attr in names and not isinstance(each.ctx, ast.Load)
        for each in astwalk.walk(code)
    )


def is_as_passed(function: FunctionNode, use: ast.Name) -> bool:
    """Return whether a parameter is not rebound before a use of it, so that it has the passed value."""
    start = (use.lineno, use.col_offset)
    return not any(
        isinstance(each, ast.Name) and each.id == use.id and isinstance(each.ctx, (ast.Store, ast.Del))
        and (each.lineno, each.col_offset) < start
        for each in astwalk.walk(function)
    )  # fmt: skip


def is_guarded(tree: ast.Module, node: ast.AST) -> bool:
    """Return whether only constructors store an attribute, and this use of it is under a test for None."""
    function, text = function_around(tree, node), ast.unparse(node)
    names = {each.attr for each in astwalk.walk(node) if isinstance(each, ast.Attribute)}
    if not isinstance(node, ast.Attribute) or not names.isdisjoint(_stored_later(tree)):
        return False
    return function is not None and is_under_test(function, node, text)


def is_under_test(function: FunctionNode, node: ast.AST, text: str) -> bool:
    """Return whether a node only runs if a test has shown that an expression, given by its text, is not None."""
    for guard in guards(function, node):
        operands = guard.test.values if isinstance(guard.test, ast.BoolOp) else [guard.test]
        settles = not isinstance(guard.test, ast.BoolOp) or isinstance(guard.test.op, ast.Or) is guard.skips
        kind = ast.Is if guard.skips else ast.IsNot
        for each in operands if settles else ():
            asked = isinstance(each, ast.Compare) and len(each.ops) == 1 and isinstance(each.ops[0], kind)
            if asked and _asks(each, text):
                return True
    return False


@astwalk.kept
def _stored_later(tree: ast.Module) -> frozenset[str]:
    """Return the attributes that functions other than constructors store."""
    functions = [each for each in astwalk.of_kind(tree, *_FUNCTIONS) if each.name != "__init__"]
    found = [each for function in functions for each in astwalk.of_kind(function, ast.Attribute)]
    return frozenset(each.attr for each in found if not isinstance(each.ctx, ast.Load))


def reads_alike_twice(tree: ast.Module, node: ast.AST) -> bool:
    """Return whether a variable or attribute can be read twice, with the same value and no other effect."""
    if isinstance(node, ast.Name):
        return True
    return isinstance(node, ast.Attribute) and not any(
        isinstance(each, _FUNCTIONS) and each.name in (node.attr, "__getattr__", "__getattribute__")
        for each in astwalk.walk(tree)
    )


def asks_for_none(member: ast.stmt, node: ast.expr) -> bool:
    """Return whether a statement already compares an expression with None."""
    text = ast.unparse(node)
    return any(_asks(each, text) for each in astwalk.walk(member))


def asked_around(tree: ast.Module, node: ast.AST, asked: ast.AST) -> bool:
    """Return whether a conditional expression, an ``and`` or an ``or`` around a node already compares an expression
    with None.
    """
    text = ast.unparse(asked)
    for each in astwalk.around(tree, node):
        if isinstance(each, ast.stmt):
            return False
        tests = [each.test] if isinstance(each, ast.IfExp) else each.values if isinstance(each, ast.BoolOp) else []
        if any(_asks(test, text) for test in tests):
            return True
    return False


def _asks(node: ast.AST, text: str) -> bool:
    if not isinstance(node, ast.Compare) or not isinstance(node.ops[0], (ast.Is, ast.IsNot)):
        return False
    return ast.unparse(node.left) == text


def alike(function: FunctionNode, member: ast.stmt, name: str) -> set[str]:
    """Return the parameters in a statement that have the same annotation as the given parameter."""
    arguments = [each for each in astwalk.walk(function.args) if isinstance(each, ast.arg)]
    written = {each.arg: ast.unparse(each.annotation) for each in arguments if each.annotation is not None}
    used = {each.id for each in astwalk.walk(member) if isinstance(each, ast.Name)}
    return {each for each in used & written.keys() if written[each] == written.get(name)}


def defines(tree: ast.Module, *names: str) -> bool:
    """Return whether a file defines a function with one of the names."""
    return any(each.name in names for each in astwalk.of_kind(tree, ast.FunctionDef))


def equals_none(tree: ast.Module, node: ast.Compare) -> bool:
    """Return whether ``x == None`` or ``x != None`` means the same with ``is``, unless ``x`` is an array."""
    against = len(node.ops) == 1 and isinstance(node.ops[0], (ast.Eq, ast.NotEq))
    other = node.comparators[0]
    none = isinstance(other, ast.Constant) and other.value is None
    return against and none and not defines(tree, "__eq__", "__ne__")


@record
class Uses:
    """The uses of a parameter that should accept None, too.

    Args:
        equalities: the comparisons with literals, each with True for ``==`` and False for ``!=``.
        computed: the first statement that computes with the parameter, and raises if it is None.
    """

    equalities: list[tuple[ast.Compare, bool]]
    computed: ast.stmt | None


def uses_of(function: FunctionNode, name: str) -> Uses | None:
    """Return the comparisons of a parameter with literals, up to the first statement that computes with it. Return None
    if it is used in another way before.
    """
    equalities: list[tuple[ast.Compare, bool]] = []
    computed: ast.stmt | None = None
    for statement in function.body:
        for use in astwalk.walk(statement):
            if not (isinstance(use, ast.Name) and use.id == name) or computed is not None:
                continue
            around = next(astwalk.around(function, use), None)
            equal = _equality(around, use)
            if equal is not None and isinstance(around, ast.Compare):
                equalities.append((around, equal))
            elif _computes_with(around):
                computed = statement
            else:
                return None
    return Uses(equalities, computed)


def _equality(around: ast.AST | None, use: ast.Name) -> bool | None:
    """Return True for ``==`` with a literal, False for ``!=`` with one, and None for other uses."""
    if not isinstance(around, ast.Compare) or len(around.ops) != 1 or use not in (around.left, *around.comparators):
        return None
    other = around.comparators[0] if around.left is use else around.left
    if not isinstance(other, ast.Constant) or other.value is None:
        return None  # the other operand may be equal to None
    return {ast.Eq: True, ast.NotEq: False}.get(type(around.ops[0]))


def _computes_with(around: ast.AST | None) -> bool:
    """Return whether Python raises in this use if the value is None."""
    if isinstance(around, ast.UnaryOp):
        return not isinstance(around.op, ast.Not)
    if isinstance(around, ast.Compare):
        return all(isinstance(op, (ast.Lt, ast.LtE, ast.Gt, ast.GtE)) for op in around.ops)
    return isinstance(around, ast.BinOp) and not isinstance(around.op, ast.Mod)  # `%` may write None into a string
