"""Infers the types of unannotated parameters, in one place for all rules, so that no two write different types.

The body, the default and every call in the file count. There is no result without evidence, or if it is contradictory.
"""

from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence

from tslint.script.dataflow.callees import callees, classes, parameter_for, passed_names
from tslint.script.dataflow.callers import arguments_for, callers
from tslint.script.dataflow.definitions import FunctionNode, default_of
from tslint.script.dataflow.dict_values import holds_no_tensors
from tslint.script.dataflow.docstrings import listed_types, plain_types, says_otherwise
from tslint.script.dataflow.evidence import Evidence, admitted, as_list
from tslint.script.dataflow.factors import may_be_float, only_iterated, only_scales
from tslint.script.dataflow.foreign_members import goes_outside
from tslint.script.dataflow.guards import guards
from tslint.script.dataflow.held_values import depends_on_construction, may_be_module
from tslint.script.dataflow.nones import is_under_test
from tslint.script.dataflow.returns import returns_variable
from tslint.script.dataflow.shallow import Lookup, annotation_type, nothing, returns_tensor, type_of
from tslint.script.dataflow.stores import is_of_self
from tslint.script.dataflow.unpacking import replaced_at
from tslint.script.dataflow.uses import Passed, read_uses
from tslint.script.dataflow.variable_types import names_of
from tslint.script.type_text import parsed
from tslint.util import astwalk
from tslint.util.record import record

_DEEPEST = 2
_UNCLEAR = ("NoneType", "number", "Tuple[()]", "?", "Any", "Storage", "Generator", "Stream", "...")
_FROM_OUTSIDE = frozenset(["forward", "__call__", "training_step", "validation_step"])
Calls = Sequence[tuple[ast.Call, FunctionNode | None, ast.Module]]
"""The calls of a function, each with the function that contains it and its file."""


@record
class Inferred:
    """The type of a parameter.

    Args:
        type: the type as the compiler spells it; ``dtype`` for ``torch.dtype``.
        confirmed: whether the body agrees with every visible call, or with the default, and nothing is unknown.
        converts: whether the type is float although the default is an int, which compiled code converts.
        tensor_too: whether the body also accepts a Tensor, which a caller outside of the file may pass.
        handed: whether other files get the parameter although it may be None, or only its default shows that it is an
            int: their code may take a Tensor, or a float.
    """

    type: str
    confirmed: bool
    converts: bool = False
    tensor_too: bool = False
    handed: bool = False


def infer(
    tree: ast.Module, function: FunctionNode, name: str, calls: Calls = (),
    known_types: Mapping[int, str] | None = None, likely: str | None = None, depth: int = 0,
) -> Inferred | None:  # fmt: skip
    """Return the type of a parameter without annotation; None if there is no evidence, or contradicting evidence.

    Args:
        tree: the tree of the file.
        function: the function that has the parameter.
        name: the parameter.
        calls: the calls of the function.
        known_types: types of arguments that the static model knows, by the ``id`` of their nodes.
        likely: the type that the static model infers from uses in other files.
    """
    lookup, passed = names_of(tree, function), _passed(tree, function, depth)
    evidence = _until_replaced(tree, function, name, lookup, passed)
    evidence.hints |= dict.fromkeys([*plain_types(function, name), *listed_types(function, name)])
    sure = {*evidence.says, *evidence.hints}
    if likely is not None and not (evidence.rebound and likely == "Tensor"):  # a Tensor is only the first guess
        evidence.hints[likely] = None
    default = default_of(function, name)
    given, known, unclear = _passed_types(function, name, calls, known_types or {}, evidence, depth)
    shown = _shown(tree, default, known_types or {}, nothing) if default is not None else None
    if shown == "NoneType" and not {*evidence.says, *evidence.hints, *given}:
        evidence.hints |= dict.fromkeys(_of_namesakes(tree, function, name, depth))
    evidence.nothing = evidence.nothing or shown == "NoneType"
    at_first, given = _of_any_length(function, name, shown if shown != "NoneType" else None, given)
    type_, converts = _agreed(evidence, given, at_first, at_first == "int" and _is_factor(tree, function, name))
    if type_ is None or not admitted(evidence, type_) or _hollow(type_) or {*evidence.equals} - {type_}:
        return None
    is_list = evidence.list_too and evidence.nothing and not {*evidence.says, *given}
    only_guessed = type_ == "int" and (is_list or (type_ not in sure and may_be_float(function, name)))
    unclear = unclear and type_ in ("int", "float") and type_ not in {*sure, *given}  # a tensor would be converted
    if only_guessed or unclear or (evidence.tested and type_ not in given):
        return None
    denied = type_ in given and type_ not in (*evidence.says, at_first) and says_otherwise(function, name, type_)
    if denied or (type_ == "Dict[str, Tensor]" and holds_no_tensors(tree, function, name, lookup, passed)):
        return None
    if type_ == "int" and at_first == type_ and type_ in sure:
        # Python does not enforce annotations, so callers may still pass 0.5 unless the body excludes that.
        enforced = read_uses(tree, function, name, lookup, _passed(tree, function, depth, annotated=False))
        sure = {*enforced.says, *enforced.hints}
    by_default = at_first == type_ and type_ in sure and (type_ == "bool" or not asked_for_truth(function, name))
    shows = by_default or (type_ in given and function.name not in _FROM_OUTSIDE)
    confirmed = known and shows and not converts and (default is None or shown is not None)
    if evidence.nothing:
        type_ = f"Optional[{type_}]"
        confirmed = confirmed and not counted_with_none(function, name) and not returns_variable(function, name)
    tensor_too = function.name in _FROM_OUTSIDE and not evidence.says and admitted(evidence, "Tensor")
    return Inferred(type_, confirmed, converts, tensor_too, _is_handed(tree, function, name, evidence, type_, given))


def _is_handed(
    tree: ast.Module, function: FunctionNode, name: str, evidence: Evidence, type_: str, given: set[str]
) -> bool:
    """Return whether other files get a parameter that may be None, or that only its default shows to be an int."""
    by_default = type_ == "int" and type_ not in {*evidence.says, *evidence.hints, *given}
    return (evidence.nothing or by_default) and goes_outside(tree, function, name)


def _until_replaced(tree: ast.Module, function: FunctionNode, name: str, lookup: Lookup, passed: Passed) -> Evidence:
    """Return what the uses of a parameter show; if they contradict each other, only those before ``x = f(x)``: the
    compiler lets a statement directly in the function's body give a variable another type.
    """
    evidence = read_uses(tree, function, name, lookup, passed)
    if evidence.says and evidence.hints.keys() - evidence.says and (last := replaced_at(function, name)) is not None:
        return read_uses(tree, function, name, lookup, passed, until=last)
    return evidence


def _of_namesakes(tree: ast.Module, function: FunctionNode, name: str, depth: int) -> set[str]:
    """Return the types that a parameter of the same name has in methods of other classes, if these methods also have
    the same name: callers may treat the instances of all these classes alike.
    """
    found: set[str] = set()
    alike = _parameters(tree).get((function.name, name), {}) if depth < _DEEPEST else {}
    for each, spec in alike.items() if function in alike else ():
        if each is function:
            continue
        if spec.annotation is not None:
            type_ = annotation_type(tree, spec.annotation)
        else:
            inferred = _likely(tree, each, name, depth + 1) if _has(each, name) else None
            type_ = inferred.type if inferred is not None else None
        found |= {str(parsed(type_).without_none or parsed(type_))} if type_ is not None else set()
    return found


@astwalk.kept
def _parameters(tree: ast.Module) -> dict[tuple[str, str], dict[FunctionNode, ast.arg]]:
    """Return the parameters of all methods, by the names of the method and the parameter."""
    found: dict[tuple[str, str], dict[FunctionNode, ast.arg]] = {}
    for owner in classes(tree):
        for each in owner.body:
            if isinstance(each, ast.FunctionDef):
                for spec in (*each.args.args, *each.args.kwonlyargs):
                    found.setdefault((each.name, spec.arg), {})[each] = spec
    return found


def _of_any_length(
    function: FunctionNode, name: str, default: str | None, given: set[str]
) -> tuple[str | None, set[str]]:
    """Return ``List[int]`` for the tuples of ints that a default and calls pass, if one has one item, or if they have
    different lengths, and the function does not mind the length; otherwise, return the types as they are.
    """
    if not only_iterated(function, name):
        return default, given
    kinds = [parsed(each) for each in (default, *given) if each is not None]
    items = {str(item) for each in kinds for item in each.arguments}
    lengths = {len(each.arguments) for each in kinds}
    if len(items) != 1 or any(each.name != "Tuple" for each in kinds) or (len(lengths) == 1 and 1 not in lengths):
        return default, given
    listed = f"List[{items.pop()}]"
    return listed if default is not None else None, {listed for _ in given}


def _as_taken(type_: str, evidence: Evidence) -> str:
    """Return ``List[int]`` for ``Tuple[int, int]`` if the body needs a list: the compiler converts the passed tuple."""
    listed = as_list(type_)
    return listed if listed in evidence.says else type_


def _is_factor(tree: ast.Module, function: FunctionNode, name: str, depth: int = 0) -> bool:
    """Return whether a parameter only scales tensors, in its function and in the functions that it is passed on to."""

    def handed_on(call: ast.Call, node: ast.expr) -> bool:
        found = [(each, parameter_for(each, call, node)) for each, sure in callees(tree, function, call, node) if sure]
        return depth < _DEEPEST and any(
            given is not None and _has(each, given) and _is_factor(tree, each, given, depth + 1)
            for each, given in found
        )

    return only_scales(tree, function, name, names_of(tree, function, guess=False), handed_on)


def counted_with_none(function: FunctionNode, name: str) -> bool:
    """Return whether a function takes ``len`` of an untested parameter: if it is Optional, compiled code returns 1."""
    return any(
        isinstance(each, ast.Call) and isinstance(each.func, ast.Name) and each.func.id == "len"
        and any(isinstance(given, ast.Name) and given.id == name for given in each.args)
        and not any(name in {n.id for n in astwalk.walk(guard.test) if isinstance(n, ast.Name)}
                    for guard in guards(function, each))
        for each in astwalk.walk(function)
    )  # fmt: skip


def asked_for_truth(function: FunctionNode, name: str) -> bool:
    """Return whether a parameter is used as a condition (``if not scale:``), so that callers may pass None."""
    return any(
        isinstance(part, ast.Name) and part.id == name
        for each in astwalk.walk(function)
        if isinstance(each, (ast.If, ast.IfExp, ast.While, ast.Assert, ast.BoolOp, ast.UnaryOp))
        for part in _operands(each)
    )


def _operands(node: ast.If | ast.IfExp | ast.While | ast.Assert | ast.BoolOp | ast.UnaryOp) -> Sequence[ast.expr]:
    """Return the expressions that are used as conditions."""
    if isinstance(node, ast.BoolOp):
        return node.values
    if isinstance(node, ast.UnaryOp):
        return [node.operand] if isinstance(node.op, ast.Not) else []
    return [node.test]


def _likely(
    tree: ast.Module, function: FunctionNode, name: str, depth: int, *, called: bool = False
) -> Inferred | None:
    """Return the type of a parameter that another inference needs, None if it is not known; the result is cached.

    Args:
        tree: the tree of the file.
        function: the function that has the parameter.
        name: the parameter.
        depth: the number of inferences that need this one.
        called: whether the calls of the function are used, too, and not only its body.
    """
    known = _known(tree)
    key = (function, name, depth, called)
    if key not in known:
        known[key] = None  # the result if the type of the parameter depends on itself
        sites = callers(tree).of(function) if called else ()
        known[key] = infer(tree, function, name, [(site.node, site.function, tree) for site in sites], depth=depth)
    return known[key]


@astwalk.kept
def _known(tree: ast.Module) -> dict[tuple[FunctionNode, str, int, bool], Inferred | None]:
    return {}


def _agreed(evidence: Evidence, given: set[str], default: str | None, factor: bool) -> tuple[str | None, bool]:
    """Return the type on which all evidence agrees, or None; and whether it is float although the default is an int."""
    shown = {*evidence.says, *given}
    if default == "int" and (shown == {"float"} or (factor and not shown and "int" not in evidence.hints)):
        return "float", True
    if default is not None:
        shown.add(default)
    if not shown:
        # No evidence is certain, so use what is likely; a Tensor only if nothing else is.
        likely = [each for each in {**evidence.hints, **evidence.equals} if each not in ("Tensor", "bool")] or [
            each for each in evidence.hints if each == "Tensor"
        ]
        return (likely[0] if len(likely) == 1 else None), False
    return (shown.pop() if len(shown) == 1 else None), False


def _hollow(type_: str) -> bool:
    """Return whether a type cannot be written as an annotation, or lacks the types of its elements, like the type of
    ``()``.
    """
    return any(word in type_ for word in _UNCLEAR)


def _has(function: FunctionNode, name: str) -> bool:
    """Return whether a function has a parameter of a name, without annotation, and never binds the name again."""
    spec = function.args
    free = {each.arg for each in (*spec.args, *spec.kwonlyargs) if each.annotation is None}
    return name in free and name not in astwalk.bound(function)


def _passed_types(
    function: FunctionNode, name: str, calls: Calls, known_types: Mapping[int, str], evidence: Evidence, depth: int
) -> tuple[set[str], bool, bool]:
    """Return the types that callers pass, whether all are known, and whether a value is probably a tensor."""
    found: set[str] = set()
    known, unclear = True, False
    for call, holder, file in calls:
        values = list(arguments_for(function, name, call))
        if not values:
            # The call uses the default, which is evidence of its own, or passes the value in a starred argument.
            starred = any(isinstance(each, ast.Starred) for each in call.args)
            known = known and not starred and all(each.arg is not None for each in call.keywords)
        for value in values:
            by_construction = depends_on_construction(file, value)
            known = known and not by_construction
            evidence.several = evidence.several or may_be_module(file, value)
            lookup = names_of(file, holder, guess=False) if holder is not None else nothing
            type_ = _shown(file, value, known_types, lookup)
            if type_ in (None, "number"):
                known = False
                unclear = unclear or (is_of_self(value) and not by_construction) or returns_tensor(file, value)
                if isinstance(value, ast.Name) and holder is not None and depth < _DEEPEST:
                    likely = _has(holder, value.id) and _likely(file, holder, value.id, depth + 1, called=True)
                    if likely:
                        kind = parsed(likely.type).plain
                        found.add(str(kind.without_none or kind))
                continue
            kind = parsed(type_).plain
            evidence.nothing = evidence.nothing or (kind.may_be_none and not _is_something(holder, value))
            found |= {str(kind.without_none or kind)} if not kind.is_none else set()
    return {_as_taken(each, evidence) for each in found}, known, unclear


def _is_something(function: FunctionNode | None, value: ast.expr) -> bool:
    """Return whether a test around a call shows that a passed variable is not None."""
    if function is None or not isinstance(value, ast.Name) or value.id in astwalk.bound(function):
        return False
    return is_under_test(function, value, value.id)


def _shown(tree: ast.Module, value: ast.expr, known_types: Mapping[int, str], lookup: Lookup) -> str | None:
    """Return a value's type: of the static model, else by its code; ``dtype`` for a torch.dtype; None if not known."""
    known = known_types.get(id(value))
    written = type_of(tree, value, lookup) if known in (None, "int") else None
    return written if known is None or written == "dtype" else known


def _passed(tree: ast.Module, function: FunctionNode, depth: int, *, annotated: bool = True) -> Passed:
    """Return a function that looks up an argument of a call: the type of its parameter, if the called function is in
    this file, and whether that type is certain.
    """

    def of(call: ast.Call, node: ast.expr) -> tuple[str | None, bool]:
        if depth >= _DEEPEST:
            return None, False
        types: set[tuple[str, bool]] = set()
        for callee, certain in callees(tree, function, call, node):
            name = parameter_for(callee, call, node)
            if name is None or not (certain or name in passed_names(call, node)):
                continue
            spec = callee.args
            given = (*spec.posonlyargs, *spec.args, *spec.kwonlyargs)
            annotation = next(each.annotation for each in given if each.arg == name)
            if annotation is not None:
                found = annotation_type(tree, annotation) if annotated else None
            else:
                inferred = _likely(tree, callee, name, depth + 1)
                found, certain = (inferred.type if inferred is not None else None), False
            if found is not None and found != "NoneType":
                types.add((found, certain))
                if len(types) > 1:
                    return None, False
        return types.pop() if types else (None, False)

    return of
