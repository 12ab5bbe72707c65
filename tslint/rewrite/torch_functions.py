"""Replaces functions of torch that compiled code does not support."""

from __future__ import annotations

import libcst as cst

from tslint.diagnostics import Fix
from tslint.rewrite.compiled_statements import decided_test, else_alone, left_first, twice
from tslint.rewrite.finfo import limit_fix
from tslint.rewrite.removal import removed
from tslint.rewrite.scripting import eager_only, either
from tslint.rewrite.static_branch import read_once
from tslint.rulekit import matchers as m
from tslint.rulekit.calls import by_keyword, passed_on, positional
from tslint.rulekit.cstwalk import variables_in
from tslint.rulekit.match import Match
from tslint.rulekit.parts import statements_of
from tslint.rulekit.rule import safe, unsafe
from tslint.rulekit.template import code, expression
from tslint.script.attributes import PyKind
from tslint.script.construct.results import python_result
from tslint.script.dataflow.liveness import defined_before
from tslint.script.dataflow.plain_types import is_float, plain_type
from tslint.script.dataflow.shallow import full_name
from tslint.script.events.names import UnsupportedTorchCall
from tslint.script.types import BOOL, FLOAT, INT, ListType

_OPTIONS = frozenset(["use_reentrant", "preserve_rng_state", "context_fn", "determinism_check", "debug"])
_DEVICES = frozenset(["device_ids", "output_device", "dim"])
_CALLEE = m.Arg(value=m.Name() | m.Attribute() | m.Subscript(), keyword=None, star="")
_CUDA = m.Attribute(value=m.Name("torch"), attr=m.Name("cuda")) | m.Name("cuda")
_HAS_CUDA = m.Call(func=m.Attribute(value=_CUDA, attr=m.Name("is_available")), args=[])
_ASKED = _HAS_CUDA | m.UnaryOperation(operator=m.Not(), expression=_HAS_CUDA)
_INITIALIZED = m.Name("is_initialized")
_SIGNED = m.UnaryOperation(operator=m.Minus())
_DISTRIBUTED = m.Call(func=_INITIALIZED | m.Attribute(attr=_INITIALIZED), args=[])


def torch_fix(match: Match[UnsupportedTorchCall], call: cst.Call, name: str, short: str) -> Fix | None:
    """Return the fix for a call, by the function's full name and its last part."""
    if short in ("checkpoint", "data_parallel"):
        return _wrapped_call(match, call, short)
    torch, imports = match.imported("torch")
    if match.binds(torch) or any(each.star == "*" for each in call.args):
        return None
    if name.startswith("torch.distributed."):
        return decided_test(match, _undistributed, "Use `torch.distributed` in eager mode only")
    if name.startswith("torch.cuda."):
        return _available(match, call) if short == "is_available" else None
    arguments = positional(call)
    if arguments is None:
        return None
    if name == "torch.is_tensor" and len(arguments) == 1:
        test = expression("isinstance({x}, {torch}.Tensor)", x=arguments[0], torch=torch)
        return safe(f"Write `{code(test)}`", lambda: match.replace(call, test), *imports)
    if name == "torch.inference_mode" and not arguments:
        no_grad = expression("{torch}.no_grad()", torch=torch)
        return either(match, call, no_grad, "Use `torch.no_grad()` in compiled code")
    if name == "torch.spmm" and len(arguments) == 2:
        product = expression("{torch}.mm", torch=torch)  # `spmm` is another name of the same function
        return safe("Use `torch.mm`", lambda: match.replace(call.func, product), *imports)
    if name == "torch.Tensor":
        return _tensor(match, call, arguments)
    if name == "torch.finfo" and len(arguments) == 1:
        around = match.parent(call)
        return limit_fix(match, around, around.attr.value, arguments[0]) if isinstance(around, cst.Attribute) else None
    return None


def _available(match: Match, call: cst.Call) -> Fix | None:
    """Return the fix for ``torch.cuda.is_available()``: remove an ``if`` under which nothing happens; in a method, let
    the compiler read the result as a constant; elsewhere, run the code under the test in eager mode only.
    """
    member, line = match.statement(), match.line()
    if isinstance(member, cst.If) and line is not None and member.orelse is None and m.matches(member.test, _ASKED):
        inside = statements_of(member.body.body)
        if all(_does_nothing(each) for each in inside):
            known = defined_before(match.file.tree, match.model(member))
            used = {each.value for one in inside for each in variables_in(one)}
            if used <= known and "#" not in code(line):
                return safe("Remove the `if`, which does nothing", lambda: removed(match, member))
            return eager_only(match, [line], risks=())
    if match.owner is not None and match.self_name is not None:
        return read_once(match, match.model(call), "_cuda_available")
    return decided_test(match, _without_cuda, "Run the branch in eager mode only: tensors stay on their device")


def _does_nothing(statement: cst.CSTNode) -> bool:
    """Return whether a statement is ``pass``, ``x``, or ``x = x`` (``x = x.cuda()`` without the call)."""
    if isinstance(statement, cst.Assign) and len(statement.targets) == 1:
        target = statement.targets[0].target
        return isinstance(target, cst.Name) and target.deep_equals(statement.value)
    return isinstance(statement, cst.Pass) or m.matches(statement, m.Expr(value=m.Name()))


def _without_cuda(test: cst.BaseExpression) -> bool | None:
    return False if m.matches(test, _HAS_CUDA) else None


def _undistributed(test: cst.BaseExpression) -> bool | None:
    """Return False for ``is_initialized()`` of ``torch.distributed``, its result in a process that is not distributed;
    None for other tests.
    """
    return False if m.matches(test, _DISTRIBUTED) else None


def _wrapped_call(match: Match, call: cst.Call, short: str) -> Fix | None:
    """Write ``checkpoint(f, x)`` as ``f(x)`` and ``data_parallel(net, x, ids)`` as ``net(x)`` in compiled code."""
    if sum(each.keyword is None for each in call.args) < 2 or any(each.star == "**" for each in call.args):
        return None
    callee, *rest = call.args
    if not m.matches(callee, _CALLEE):
        return None
    if short == "data_parallel":
        if rest[0].star or isinstance(rest[0].value, cst.Tuple):
            return None
        if not {each.keyword.value for each in rest if each.keyword is not None} <= _DEVICES:
            return None
        kept = rest[:1]
    else:
        kept = [each for each in rest if each.keyword is None or each.keyword.value not in _OPTIONS]
    direct = cst.Call(callee.value, passed_on(kept))
    words = f"Call `{match.code(callee.value)}` itself in compiled code, not `{match.code(call.func)}`"
    return _other_branch(match, call, direct, words) or twice(match, call, direct, words)


def _other_branch(match: Match, call: cst.Call, direct: cst.Call, words: str) -> Fix | None:
    """Compile only the ``else`` of the ``if`` around the call, or the code after the ``if``, if this has the same
    effect in compiled code.
    """
    member = match.statement()
    around = match.parent(member) if member is not None else None
    if member is None or not isinstance(around, cst.If) or statements_of(around.body.body) != [member]:
        return None
    other = member.deep_replace(call, direct)
    if not isinstance(around.orelse, cst.Else):
        return left_first(match, around, other, words)
    found = statements_of(around.orelse.body.body)
    return else_alone(match, around, words) if len(found) == 1 and other.deep_equals(found[0]) else None


def _tensor(match: Match[UnsupportedTorchCall], call: cst.Call, arguments: list[cst.BaseExpression]) -> Fix | None:
    """Write ``torch.Tensor([1.0])`` as ``torch.tensor([1.0], device="cpu")``, and ``torch.Tensor`` of sizes as
    ``torch.empty``.

    All of them have the default dtype. ``torch.Tensor`` ignores the default device, but not the deprecated
    ``torch.set_default_tensor_type``, which may choose another device.
    """
    torch = match.imported("torch")[0]
    if len(arguments) == 1 and isinstance(arguments[0], cst.List) and arguments[0].elements:
        values = _floats(match, arguments[0])
        if values is not None:
            return _on_cpu(match, call, expression("{torch}.tensor({values})", torch=torch, values=values))
        made = expression("{torch}.tensor({values}, dtype={torch}.float32)", torch=torch, values=arguments[0])
        return either(match, call, made, "Write `torch.tensor` with a dtype in compiled code")
    types = match.event.types
    floats = _float_elements(match, arguments[0]) if len(arguments) == 1 else None
    if floats is not None:
        return _on_cpu(match, call, expression("{torch}.tensor({values})", torch=torch, values=floats))
    if arguments and len(types) == len(arguments) and all(type_ == INT for type_ in types):
        return _on_cpu(match, call, cst.Call(expression("{torch}.empty", torch=torch), passed_on(call.args)))
    return None


def _on_cpu(match: Match, call: cst.Call, made: cst.BaseExpression) -> Fix | None:
    """Replace a call of ``torch.Tensor`` by a call that makes the same tensor on the CPU; only in compiled code if the
    file sets the default tensor type.
    """
    new = cst.ensure_type(made, cst.Call)
    words = f"Write `{code(new.func)}`"
    if "set_default_tensor_type" in match.source.text:
        return either(match, call, new, f"{words} in compiled code")
    new = new.with_changes(args=[*passed_on(new.args), by_keyword("device", expression('"cpu"'))])
    return unsafe(words, lambda: match.replace(call, new), assumes="other code may set another default tensor type")


def _float_elements(match: Match[UnsupportedTorchCall], values: cst.BaseExpression) -> cst.ListComp | None:
    """Return a comprehension whose elements are floats in Python, too; None if compiled code may have others."""
    if not isinstance(values, cst.ListComp):
        return None
    if is_float(match.event.variables, match.model(values.elt)) or _returns_float(match, values.elt):
        return values
    if match.event.types != (ListType(FLOAT),):
        return None
    return values.with_changes(elt=expression("float({element})", element=values.elt))


def _returns_float(match: Match, node: cst.BaseExpression) -> bool:
    """Return whether an expression is a call of a function of ``math`` that always returns a float."""
    name = full_name(match.file.tree, match.model(node.func)) if isinstance(node, cst.Call) else None
    if name is None or not isinstance(node, cst.Call):
        return False
    return python_result(name, [PyKind("float")] * len(node.args)) == PyKind("float")


def _floats(match: Match[UnsupportedTorchCall], values: cst.List) -> cst.List | None:
    """Return a list, which may contain lists, with elements that are floats in Python, too; None if not all elements
    are known to be numbers.
    """
    elements: list[cst.Element] = []
    for each in values.elements:
        inner = each.value
        value = _floats(match, inner) if isinstance(inner, cst.List) else _as_float(match, inner)
        if value is None or not isinstance(each, cst.Element):
            return None
        elements.append(each.with_changes(value=value))
    return values.with_changes(elements=elements)


def _as_float(match: Match[UnsupportedTorchCall], node: cst.BaseExpression) -> cst.BaseExpression | None:
    """Return a number as a float: ``2.0`` for ``2``, ``float(n)`` for a variable; None for what may be no number."""
    number = cst.ensure_type(node, cst.UnaryOperation).expression if m.matches(node, _SIGNED) else node
    if isinstance(number, cst.Integer):
        return node.deep_replace(number, cst.Float(repr(float(number.evaluated_value))))
    if isinstance(number, cst.Float) or is_float(match.event.variables, match.model(node)):
        return node
    types = match.event.types  # of the arguments: the elements of a list have one type
    listed = len(types) == 1 and isinstance(types[0], ListType) and types[0].element in (BOOL, INT, FLOAT)
    known = listed or plain_type(match.event.variables, match.model(node)) in ("bool", "int", "float")
    return expression("float({number})", number=node) if known else None
