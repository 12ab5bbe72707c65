"""What to write in the place of functions of torch that compiled code does not have."""

from __future__ import annotations

import ast

from tslint import walking
from tslint.diagnostics import Fix
from tslint.rewrite.eager_only import constructor_flag, decided_test, else_alone, in_branches
from tslint.rewrite.finfo import limit_fix
from tslint.rewrite.statements import guard, own_class, parent, replace, self_name, statement
from tslint.rewrite.when_compiled import either, is_local
from tslint.rulekit.match import Match
from tslint.rulekit.rule import safe

_OPTIONS = frozenset(["use_reentrant", "preserve_rng_state", "context_fn", "determinism_check", "debug"])


def torch_fix(match: Match, call: ast.Call, name: str, short: str) -> Fix | None:
    """The fix for a call, by the function's full name and its last part."""
    given = [match.text(argument) for argument in call.args]
    if short in ("checkpoint", "data_parallel"):
        return _wrapped_call(match, call, short)
    if any(isinstance(argument, ast.Starred) for argument in call.args):
        return None
    torch, imports = match.imported("torch")
    if is_local(match, torch):
        return None
    if name == "torch.is_tensor" and len(given) == 1 and not call.keywords:
        text = f"isinstance({given[0]}, {torch}.Tensor)"
        return safe("Write `isinstance`", replace(match, call, text), *imports)
    if name == "torch.inference_mode" and not given and not call.keywords:
        return either(match, call, f"{torch}.no_grad()", "Use `torch.no_grad()` where it is compiled")
    if name == "torch.spmm" and len(given) == 2 and not call.keywords:
        text = f"{torch}.sparse.mm({', '.join(given)})"
        return either(match, call, text, "Use `torch.sparse.mm` where it is compiled")
    if name == "torch.Tensor" and not call.keywords:
        return _tensor(match, call, given)
    if name == "torch.finfo" and len(call.args) == 1 and not call.keywords:
        around = parent(match, call)
        return limit_fix(match, around, around.attr, given[0]) if isinstance(around, ast.Attribute) else None
    if name.startswith("torch.distributed."):
        fix = _alone(match, call)
        return fix or decided_test(match, _undistributed, words="Leave `torch.distributed` to eager mode")
    if name.startswith("torch.cuda."):
        return _available(match, call) if short == "is_available" else _alone(match, call)
    return None


def _alone(match: Match, call: ast.Call) -> Fix | None:
    """A call whose result nobody uses, in eager mode only."""
    member = statement(match)
    if isinstance(member, ast.Expr) and member.value is call:
        return guard(match, [member])
    return None


def _available(match: Match, call: ast.Call) -> Fix | None:
    """``torch.cuda.is_available()``: asked in the constructor, or left to eager mode in a function."""
    owner, itself = own_class(match), self_name(match)
    if owner is not None and itself is not None:
        return constructor_flag(match, call, "cuda_available", owner, itself)
    return decided_test(match, _without_cuda, words="Leave it to eager mode: tensors stay on the device they are on")


def _without_cuda(test: ast.expr) -> bool | None:
    return False if ast.unparse(test) in ("torch.cuda.is_available()", "cuda.is_available()") else None


def _undistributed(test: ast.expr) -> bool | None:
    """What one process answers that never heard of others."""
    if isinstance(test, ast.Call) and isinstance(test.func, (ast.Attribute, ast.Name)):
        name = test.func.attr if isinstance(test.func, ast.Attribute) else test.func.id
        return False if name == "is_initialized" and not test.args else None
    return None


def _wrapped_call(match: Match, call: ast.Call, short: str) -> Fix | None:
    """``checkpoint(f, x)`` → ``f(x)`` and ``data_parallel(net, x, ids)`` → ``net(x)`` where it is compiled."""
    if len(call.args) < 2 or any(keyword.arg is None for keyword in call.keywords):
        return None
    if isinstance(call.args[0], ast.Starred) or not isinstance(call.args[0], (ast.Name, ast.Attribute, ast.Subscript)):
        return None
    names = {keyword.arg for keyword in call.keywords}
    callee, given = match.text(call.args[0]), [match.text(argument) for argument in call.args[1:]]
    if short == "data_parallel":
        if names - {"device_ids", "output_device", "dim"} or isinstance(call.args[1], (ast.Starred, ast.Tuple)):
            return None
        text = f"{callee}({given[0]})"
    else:
        kept = [k for k in call.keywords if k.arg not in _OPTIONS]
        text = f"{callee}({', '.join([*given, *(f'{k.arg}={match.text(k.value)}' for k in kept)])})"
    called = match.text(call.func)
    words = f"Call it without `{called}` where it is compiled"
    return _other_branch(match, call, text, words) or in_branches(match, call, {call: text}, words)


def _other_branch(match: Match, call: ast.Call, text: str, words: str) -> Fix | None:
    """Where the ``else`` of the ``if`` around the call does what compiled code would do, that alone is compiled."""
    member = statement(match)
    around = parent(match, member) if member is not None else None
    if not isinstance(around, ast.If) or len(around.body) != 1 or len(around.orelse) != 1 or member is None:
        return None
    compiled = match.text(member).replace(match.text(call), text)
    if around.body[0] is member and compiled == match.text(around.orelse[0]):
        return else_alone(match, around, words)
    return None


def _tensor(match: Match, call: ast.Call, given: list[str]) -> Fix | None:
    """``torch.Tensor([1.0])`` → ``torch.tensor([1.0])``; of sizes → ``torch.empty``.

    Python keeps the old one: it asks for the default dtype, and does not look at the default device.
    """
    torch = match.imported("torch")[0]
    first = call.args[0] if len(call.args) == 1 else None
    if isinstance(first, ast.List) and first.elts:
        text = f"{torch}.tensor({_alike(match, first)}, dtype={torch}.float32)"
        return either(match, call, text, "Write `torch.tensor` with a dtype where it is compiled")
    types = match.event.facts.get("types", [])
    if given and len(types) == len(given) and all(type_ == "int" for type_ in types):
        text = f"{torch}.empty({', '.join(given)}, dtype={torch}.float32)"
        return either(match, call, text, "Write `torch.empty` where it is compiled")
    return None


def _alike(match: Match, values: ast.List) -> str:
    """A list of numbers, all of them floats where one is: compiled lists hold one type."""
    leaves = [each for each in walking.walk(values) if isinstance(each, ast.Constant)]
    if not all(isinstance(each, (ast.List, ast.Constant, ast.UnaryOp)) for each in _expressions(values)):
        return match.text(values)
    if len({type(each.value) for each in leaves}) == 1:
        return match.text(values)
    wider = ast.parse(ast.unparse(values), mode="eval").body
    for each in walking.walk(wider):
        if isinstance(each, ast.Constant) and isinstance(each.value, int):
            each.value = float(each.value)
    return ast.unparse(wider)


def _expressions(node: ast.expr) -> list[ast.expr]:
    return [each for each in walking.walk(node) if isinstance(each, ast.expr)]
