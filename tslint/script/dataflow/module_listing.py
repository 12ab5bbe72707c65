"""Decides whether code that goes through all submodules would notice an additional one without parameters."""

from __future__ import annotations

import ast
from collections.abc import Sequence

from tslint.script.dataflow.shallow import full_name
from tslint.script.operators.modules import module_class
from tslint.util import astwalk

# Methods and attributes that would show an additional module.
_LISTING = frozenset("children named_children modules named_modules get_submodule _modules apply".split())
_Function = ast.FunctionDef | ast.AsyncFunctionDef


def lists_modules(tree: ast.Module) -> bool:
    """Return whether a file lists the submodules of a module, and would notice a new one.

    A loop over them, or a function that is applied to them, does not count if it only initializes modules with
    parameters: ``if isinstance(m, nn.Conv2d): …``.
    """
    listing = [each for each in astwalk.of_kind(tree, ast.Attribute) if each.attr in _LISTING]
    return not all(_in_loop(tree, each) or _applied(tree, each) or _is_operation(tree, each) for each in listing)


def _in_loop(tree: ast.Module, listing: ast.Attribute) -> bool:
    parents = astwalk.parents(tree)
    call = parents.get(listing)
    loop = parents.get(call) if isinstance(call, ast.Call) and call.func is listing else None
    if not isinstance(loop, ast.For) or loop.iter is not call or loop.orelse:
        return False
    named = isinstance(loop.target, ast.Tuple) and listing.attr.startswith("named_") and len(loop.target.elts) == 2
    variable = loop.target.elts[1] if named and isinstance(loop.target, ast.Tuple) else loop.target
    return isinstance(variable, ast.Name) and _skips_bare(tree, loop.body, variable.id)


def _applied(tree: ast.Module, listing: ast.Attribute) -> bool:
    """Return whether ``net.apply(f)`` only applies a function of the file that does nothing to a module without
    parameters.
    """
    call = astwalk.parents(tree).get(listing)
    if listing.attr != "apply" or not isinstance(call, ast.Call) or len(call.args) != 1 or call.keywords:
        return False
    given = call.args[0]
    name = given.attr if isinstance(given, ast.Attribute) else getattr(given, "id", "")
    functions = [each for each in astwalk.of_kind(tree, ast.FunctionDef, ast.AsyncFunctionDef) if each.name == name]
    return bool(functions) and all(_initializes(tree, each) for each in functions)


def _is_operation(tree: ast.Module, listing: ast.Attribute) -> bool:
    """Return whether an ``apply`` is that of an ``autograd.Function`` of the file, which has nothing to do with
    modules.
    """
    kinds = [each for each in astwalk.of_kind(tree, ast.ClassDef) if astwalk.is_name(listing.value, each.name)]
    bases = [ast.unparse(base) for each in kinds for base in each.bases]
    return listing.attr == "apply" and bool(bases) and all(each.endswith("Function") for each in bases)


def _initializes(tree: ast.Module, function: _Function) -> bool:
    parameters = [each.arg for each in function.args.args]
    return bool(parameters) and not function.decorator_list and _skips_bare(tree, function.body, parameters[-1])


def _skips_bare(tree: ast.Module, body: Sequence[ast.stmt], variable: str) -> bool:
    """Return whether statements do nothing if a variable is a module without parameters."""
    for each in body:
        if isinstance(each, ast.If):
            if not _is_false(tree, each.test, variable) or not _skips_bare(tree, each.orelse, variable):
                return False
        elif not isinstance(each, ast.Pass) and not (
            isinstance(each, ast.Expr) and isinstance(each.value, ast.Constant)
        ):
            return False
    return True


def _is_false(tree: ast.Module, test: ast.expr, variable: str) -> bool:
    """Return whether a test is false for a module without parameters: it asks for classes with parameters."""
    if isinstance(test, ast.BoolOp):
        tests = test.values if isinstance(test.op, ast.Or) else test.values[:1]
        return all(_is_false(tree, each, variable) for each in tests)
    if not isinstance(test, ast.Call) or not astwalk.is_name(test.func, "isinstance") or len(test.args) != 2:
        return False
    kinds = test.args[1].elts if isinstance(test.args[1], ast.Tuple) else [test.args[1]]
    return astwalk.is_name(test.args[0], variable) and all(_has_parameters(tree, each) for each in kinds)


def _has_parameters(tree: ast.Module, kind: ast.expr) -> bool:
    found = module_class(full_name(tree, kind) or "")
    return found is not None and bool(found.parameters)
