"""Finds the line whose result a trace has recorded as a constant, by comparison with a second trace (worker side)."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import torch

from tslint.util.record import record
from tslint.verify.arguments import Arguments, traced
from tslint.verify.blame import TORCH_ROOT, place
from tslint.verify.messages import traced_stack
from tslint.verify.outcome import Evidence, one_line
from tslint.verify.session import Session, kept_grad_mode, pristine, seed
from tslint.verify.variants import tensors

_NEAR = 60
"""How many rows above the differing operator a condition is searched."""

_CONDITION = "the condition was decided while tracing"
_OTHER_PATH = "the trace keeps only the path that was taken"
_CREATE = "create it with zeros_like, new_zeros or full_like, register a buffer, or script that function"
_KEEP = (
    "register the moved tensor as a buffer, remove torch.as_tensor and .to(…) if it is on the device already, or "
    "script that function"
)
_SCRIPT = "script that function (@torch.jit.script, @torch.jit.script_if_tracing)"
_WAYS_OUT = (
    # The text of a TracerWarning → what happened, and what to do.
    ("to a Python boolean", _CONDITION, f"{_SCRIPT}, or select with torch.where"),
    ("to a Python integer", "a number was fixed while tracing", "use x.shape and // directly, or script that function"),
    ("to a Python float", "a number was fixed while tracing", "keep it a tensor, or script that function"),
    ("to a Python number", "a number was fixed while tracing", "keep it a tensor, or script that function"),
    ("to a NumPy array", "an array was fixed while tracing", "use torch's operators instead of numpy's"),
    ("to a Python list", "a list was fixed while tracing", "keep it a tensor, or script that function"),
    ("to a Python index", "an index was fixed while tracing", "keep it a tensor, or script that function"),
    ("Iterating over a tensor", "the loop was unrolled", _SCRIPT),
    ("len to get tensor shape", "the length was fixed while tracing", "use x.shape[0]"),
    ("torch.tensor results are registered as constants", "the tensor became a constant", "register it as a buffer"),
)


@record
class Baked:
    """A line of the user's code whose result is constant in a trace.

    Args:
        stack: the user's calls that lead to it, outermost first, and the line itself; the format is that of evidence.
        what: what happened to it.
        way_out: what to do instead.
    """

    stack: Sequence[Mapping[str, Any]]
    what: str
    way_out: str

    @property
    def words(self) -> str:
        """Return the reason, the place and the solution, to append to a message: ``; the condition was … (net.py:12):
        …``.
        """
        last = self.stack[-1]
        return f"; {self.what} ({place(last['filename'], last['row'])}): {self.way_out}"

    def evidence(self, said: str) -> Evidence:
        """Return the evidence for a finding at the line.

        Args:
            said: the observation, as text.
        """
        message = one_line(f"{said}; {self.what}: {self.way_out}", 1000)
        return {
            "kind": "tracer", "code": "TS905", "severity": "error", "message": message, "stack": list(self.stack)
        }  # fmt: skip


def baked(
    session: Session, arguments: Arguments, prepare: Callable[[torch.nn.Module], object] | None = None
) -> Baked | None:
    """Return the line whose result the trace has recorded: where a second trace, made with ``arguments``, differs.

    If there is no second trace, return the line of the only TracerWarning. Return None if no line is found.

    Args:
        session: the session, with a compiled ``trace``.
        arguments: arguments for which the trace differs from eager.
        prepare: prepares a copy of the eager module so that trace and eager differ (another mode, another device).
    """
    try:
        seconds = _nodes(_traced(session, arguments, prepare))
        # The first trace is made again, because a trace that was loaded from an archive has other nodes.
        firsts = _nodes(_traced(session, session.inputs[0], None))
    except Exception:
        # There is no second trace to compare with. If there is only one warning, it names the line.
        return _of_warning(session.warned[0]) if len(session.warned) == 1 else None
    # On the device meta, tensors have no values, not even the numbers that a trace stores as tensors.
    values = not any(tensor.is_meta for tensor in tensors(arguments))
    number = _first_difference(firsts, seconds, values)
    if number is None:
        if len(firsts) == len(seconds):
            return None
        number = min(len(firsts), len(seconds))
    unrolled = _unrolled(firsts, seconds, number)
    if unrolled:
        return Baked(unrolled, "the loop was unrolled, with as many iterations as it had while tracing", _SCRIPT)
    constant = _other_constant(firsts, seconds, number, values)
    stack = _user_stack(firsts, number) or _user_stack(seconds, number)
    moved = constant is not None and str(constant.output().type()) == "Device"
    kind = str(constant.output().type()) if constant else None
    # With the same inputs, conditions have the same results in both traces, so no warning explains the difference.
    warned = None if moved or arguments is session.inputs[0] else _warned(session.warned, stack, kind)
    if warned:
        return warned
    if not stack:
        return None
    what, way_out = _constant(constant) if constant is not None else (_OTHER_PATH, _SCRIPT)
    return Baked(stack, what, way_out)


def _traced(session: Session, arguments: Arguments, prepare: Callable[[torch.nn.Module], object] | None) -> Any:
    module, restore = pristine(session.built)
    # If the module cannot be copied, restore the mode of the original.
    training = module.training
    try:
        if prepare is not None and module is not session.built:
            prepare(module)
        with warnings.catch_warnings(), kept_grad_mode():
            warnings.simplefilter("ignore")
            seed()
            return traced(module, arguments, check_trace=False, strict=session.request.strict)
    finally:
        if module.training != training:
            module.train(training)
        restore()


def _nodes(module: Any) -> list[Any]:
    """Return the operators in execution order, without constants, which are defined where they are first used."""
    found: list[Any] = []
    pending = list(module.inlined_graph.nodes())
    while pending:
        node = pending.pop(0)
        if node.kind() != "prim::Constant":
            found.append(node)
        pending[:0] = [inner for block in node.blocks() for inner in block.nodes()]
    return found


def _first_difference(firsts: list[Any], seconds: list[Any], values: bool) -> int | None:
    """Return the index of the first operator that differs between two traces, or whose inputs come from other ones.

    Return None if there is no such operator.
    """
    made: tuple[dict[int, tuple[int, int]], ...] = ({}, {})
    for number, pair in enumerate(zip(firsts, seconds)):
        one, other = ([_source(each, known, values) for each in node.inputs()] for node, known in zip(pair, made))
        if one != other or _kind(pair[0], values) != _kind(pair[1], values):
            return number
        for node, known in zip(pair, made):
            known.update({value.unique(): (number, n) for n, value in enumerate(node.outputs())})
    return None


def _source(value: Any, known: Mapping[int, tuple[int, int]], values: bool) -> tuple[Any, ...]:
    """Return the origin of an input, in a form that is comparable between two traces."""
    node = value.node()
    if node.kind() == "prim::Constant":
        return _kind(node, values)
    return known.get(value.unique(), (-1, value.unique() if node.kind() == "prim::Param" else -1))


def _other_constant(firsts: list[Any], seconds: list[Any], number: int, values: bool) -> Any:
    """Return an operator's input that is a constant, and not the same constant in the second trace; None if none is."""
    if number >= min(len(firsts), len(seconds)) or firsts[number].kind() != seconds[number].kind():
        return None
    for one, other in zip(firsts[number].inputs(), seconds[number].inputs()):
        node = one.node()
        if node.kind() == "prim::Constant" and _source(one, {}, values) != _source(other, {}, values):
            return node
    return None


def _kind(node: Any, with_tensors: bool) -> tuple[Any, ...]:
    values: list[Any] = []
    for name in node.attributeNames():
        kind = node.kindOf(name)
        if kind in ("i", "f", "s", "is", "fs", "ss"):
            values.append(getattr(node, kind)(name))
        elif kind == "t" and with_tensors:
            tensor = node.t(name)
            values.append((tensor.dtype, tuple(tensor.shape), str(tensor.device), repr(tensor.tolist())[:1000]))
    return (node.kind(), sum(1 for _ in node.inputs()), *map(repr, values))


def _user_stack(nodes: list[Any], number: int) -> Sequence[Mapping[str, Any]]:
    """Return the user's calls that lead to a node or, because casts often have no calls, to one of the next nodes."""
    for node in nodes[number : number + 8]:
        found = _stack(node)
        if found:
            return found
    return []


def _unrolled(firsts: list[Any], seconds: list[Any], number: int) -> Sequence[Mapping[str, Any]]:
    """Return the calls that lead to a node, if its line occurs in both traces, but not equally often; else empty."""
    for nodes in (firsts, seconds):
        if number >= len(nodes):
            continue
        node = nodes[number]
        stack = _stack(node)
        if stack:
            same = [
                [each for each in every if each.kind() == node.kind() and each.scopeName() == node.scopeName()]
                for every in (firsts, seconds)
            ]
            times = {sum(_stack(each) == stack for each in every) for every in same}
            if len(times) > 1 and 0 not in times:
                return stack
    return []


def _stack(node: Any) -> Sequence[Mapping[str, Any]]:
    return traced_stack(node.sourceRange(), TORCH_ROOT)


def _warned(evidence: Sequence[Evidence], stack: Sequence[Mapping[str, Any]], constant: str | None) -> Baked | None:
    """Return the TracerWarning that explains a difference: on one of its lines, or else the nearest one above.

    Args:
        evidence: the evidence of all warnings.
        stack: the calls that lead to the difference.
        constant: the type of a constant that differs; None if the operator differs.
    """
    if not stack:
        return _of_warning(evidence[0]) if len(evidence) == 1 else None
    # A conversion to a float does not explain an int that differs.
    evidence = [each for each in evidence if not (constant == "int" and "Python float" in each["message"])]
    rows = {(each["filename"], each["row"]) for each in stack}
    for item in evidence:
        if item["stack"] and (item["stack"][-1]["filename"], item["stack"][-1]["row"]) in rows:
            return _of_warning(item)
    nearest: tuple[int, Evidence] | None = None
    for each in reversed(stack):  # of two warnings at the same distance, the one in the inner function
        for item in evidence:
            last = item["stack"][-1] if item["stack"] else {"filename": "", "row": 0}
            distance = each["row"] - last["row"]
            # If a constant differs, any warning may be the cause; if the operator differs, only a condition or a loop.
            boolean = "boolean" in item["message"] or "Iterating" in item["message"] or "len" in item["message"]
            fits = last["filename"] == each["filename"] and 0 <= distance <= _NEAR and (boolean or constant)
            if fits and (nearest is None or distance < nearest[0]):
                nearest = (distance, item)
    return _of_warning(nearest[1]) if nearest else None


def _of_warning(evidence: Evidence) -> Baked | None:
    if not evidence["stack"]:
        return None
    for words, what, way_out in _WAYS_OUT:
        if words in evidence["message"]:
            return Baked(evidence["stack"], what, way_out)
    return Baked(evidence["stack"], "a value was fixed while tracing", _SCRIPT)


def _constant(node: Any) -> tuple[str, str]:
    kind = str(node.output().type())
    if kind == "Device":
        moves = {use.user.kind() for use in node.output().uses()} == {"aten::to"}
        return f"the device {node.s('value')!r} became a constant", _KEEP if moves else _CREATE
    if kind == "bool":
        return "a flag became a constant", "script the module: only a script keeps the flag (self.training) a variable"
    if kind in ("int", "float"):
        value = node.i("value") if kind == "int" else node.f("value")
        return f"the {kind} {value} became a constant (a number, a dtype or a flag)", _SCRIPT
    tensor = node.t("value") if "value" in node.attributeNames() and node.kindOf("value") == "t" else None
    if tensor is None:
        return "a value became a constant", _SCRIPT
    what = f"a tensor of shape {list(tensor.shape)}" if tensor.dim() else f"the number {tensor.item()}"
    return f"{what} became a constant", f"write x.detach() instead of x.data, or {_SCRIPT}"
