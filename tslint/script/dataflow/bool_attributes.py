"""Finds attributes of a class's instances that are bools, as far as one file shows."""

from __future__ import annotations

import ast

from tslint.script.dataflow.definitions import default_of
from tslint.script.dataflow.stores import FileFacts, Store
from tslint.util import astwalk


def is_bool(facts: FileFacts, store: Store) -> bool:
    """Return whether a stored value is a bool. A parameter is one if its annotation or default shows it, and the file
    passes no other constant under the parameter's name.
    """
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
        # A comparison of arrays or tensors is not a bool.
        return all(isinstance(op, (ast.Is, ast.IsNot, ast.In, ast.NotIn)) for op in node.ops) or (
            not any(isinstance(part, (ast.Call, ast.Subscript)) for part in astwalk.walk(node))
        )
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
        return node.func.id in ("bool", "isinstance", "hasattr", "any", "all", "issubclass", "callable")
    if isinstance(node, ast.Name) and function is not None:
        return _bool_name(facts, node.id, function)
    return False


def _bool_name(facts: FileFacts, name: str, function: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    rebound = [
        statement.value
        for statement in astwalk.walk(function)
        if isinstance(statement, ast.Assign)
        and any(isinstance(target, ast.Name) and target.id == name for target in statement.targets)
    ]
    stored = sum(
        isinstance(n, ast.Name) and n.id == name and not isinstance(n.ctx, ast.Load) for n in astwalk.walk(function)
    )
    if stored != len(rebound) or not all(_bool(facts, value, None) for value in rebound):
        return False
    spec = function.args
    argument = next((a for a in [*spec.posonlyargs, *spec.args, *spec.kwonlyargs] if a.arg == name), None)
    if argument is None:
        return bool(rebound)
    passed = facts.keywords.get(name, [])
    if any(
        isinstance(value, (ast.Constant, ast.List, ast.Tuple)) and not _bool(facts, value, None) for value in passed
    ):
        return False
    if isinstance(argument.annotation, ast.Name) and argument.annotation.id == "bool":
        return True
    default = default_of(function, name)
    return argument.annotation is None and isinstance(default, ast.Constant) and isinstance(default.value, bool)


def has_truth(store: Store) -> bool:
    """Return whether a stored value is known to be usable as a condition.

    A parameter is usable if its annotation or default shows that it is not a tensor, or if the constructor itself
    already uses it as a condition.
    """
    if not isinstance(store.value, ast.Name):
        return isinstance(
            store.value, (ast.Constant, ast.Compare, ast.BoolOp, ast.IfExp, ast.List, ast.Tuple, ast.Dict)
        )
    if store.function is None:
        return False
    spec = store.function.args
    annotated = next(
        (a.annotation for a in [*spec.posonlyargs, *spec.args, *spec.kwonlyargs] if a.arg == store.value.id), None
    )
    if annotated is not None:
        return "Tensor" not in ast.unparse(annotated)
    if isinstance(default_of(store.function, store.value.id), (ast.Constant, ast.Tuple, ast.List)):
        return True
    return _is_tested(store.function, store.value.id, store.attribute)


def _is_tested(function: ast.FunctionDef | ast.AsyncFunctionDef, name: str, attribute: str) -> bool:
    """Return whether each call of a constructor already tests the truth of a parameter, or of the attribute that stores
    it: then another test raises nothing new.
    """
    returns = any(isinstance(each, ast.Return) for each in astwalk.walk(function))
    tests = [_first_asked(each.test) for each in function.body if isinstance(each, ast.If)]
    held = f"{function.args.args[0].arg}.{attribute}" if function.args.args else ""
    asked = any(astwalk.is_name(each, name) or ast.unparse(each) == held for each in tests)
    return not returns and name not in astwalk.bound(function) and asked


def _first_asked(test: ast.expr) -> ast.expr:
    """Return the part of a condition that is tested first: ``a`` for ``not a or b``."""
    while isinstance(test, ast.BoolOp) or (isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not)):
        test = test.values[0] if isinstance(test, ast.BoolOp) else test.operand
    return test
