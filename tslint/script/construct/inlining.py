"""Runs the functions of the project that a constructor calls. The result of an earlier call is reused if another run
would give the same result.
"""

from __future__ import annotations

import ast
from collections import Counter

from tslint.project.definitions import Function
from tslint.script.assumptions import Assumption, Assumptions
from tslint.script.attributes import (
    PY_UNKNOWN,
    PyConst,
    PyDict,
    PyExternal,
    PyKind,
    PyParameter,
    PySequence,
    PyUnknown,
    PyValue,
)
from tslint.script.construct.escapes import decorated
from tslint.script.construct.expressions import SELF
from tslint.script.construct.frame import Frame
from tslint.script.construct.parameters import KEYWORDS, REST, handed_on, is_handed_on
from tslint.script.construct.pyvalues import choose, common_element
from tslint.script.construct.replay import Replay, Trace, identity
from tslint.util.record import record

_MOST_REPLAYS = 32
_MOST_UNFIT = 4
# Two values of these classes are the same if they are equal.
_COMPARABLE = (PyConst, PyKind, PyExternal, PyUnknown)


@record
class Passed:
    """The arguments of a call.

    Args:
        positional: the positional arguments.
        keywords: the keyword arguments, by name.
        known: False if ``*args`` or ``**kwargs`` hide arguments.
        receiver: the instance on which a method is called; None for a function.
        call: the call, if its arguments are those of the function.
    """

    positional: list[PyValue]
    keywords: list[tuple[str, PyValue]]
    known: bool
    receiver: PyValue | None = None
    call: ast.Call | None = None

    @property
    def values(self) -> list[PyValue]:
        """Return the values of all arguments."""
        return [*self.positional, *(value for _, value in self.keywords)]


@record
class _Outcome:
    """The result of a call that does not get the instance; for ``impossible`` and ``implied``, see :class:`Replay`."""

    value: PyValue
    impossible: list[Assumptions]
    implied: dict[Assumption, Assumptions]


class Inlining:
    """Runs calls of functions, and caches their results for all classes of a project."""

    def __init__(self) -> None:
        self._outcomes: dict[tuple[object, ...], _Outcome] = {}
        self._replays: dict[tuple[object, ...], list[Replay]] = {}
        self._unfit: Counter[ast.AST] = Counter()

    def inline(self, frame: Frame, function: Function, passed: Passed) -> PyValue:
        """Run a function of the project for its result and its effects on the instance."""
        given = passed.values
        if passed.receiver is not None:
            return self._inherited(frame, function, passed)
        if not passed.known or not all(isinstance(each, _COMPARABLE) for each in given):
            return self._inlined(frame, function, passed)
        run = frame.run
        about = frame.assumptions, frame.unknown_loops, frame.varying, frame.in_some_iterations
        key = (function.node, function.captured, *passed.positional, *passed.keywords, *about)
        outcome = self._outcomes.get(key)
        if outcome is None:
            before, cut_short = run.begin(), run.cut_short
            value = self._inlined(frame, function, passed)
            outcome = _Outcome(value, run.impossible, run.implied)
            run.end(before)
            # If an argument is not known, a test of it may have another result in the next call.
            same = all(isinstance(each, PyConst) for each in given) or _is_sure(outcome)
            if same and cut_short == run.cut_short:
                self._outcomes[key] = outcome
            return outcome.value
        run.impossible += outcome.impossible
        run.implied.update(outcome.implied)
        return outcome.value

    def _inherited(self, frame: Frame, function: Function, passed: Passed) -> PyValue:
        """Run a method on the instance. If the method is inherited, reuse the result of a call for another class in
        which it read the same values.
        """
        run = frame.run
        identities = [identity(value) for value in passed.values]
        if function.owner is run.hierarchy.definition or frame.assumptions or None in identities:
            return self._inlined(frame, function, passed)
        names = tuple(name for name, _ in passed.keywords)
        loops = frame.unknown_loops, frame.varying, frame.in_some_iterations
        about = passed.known, *loops, run.hierarchy.open, run.hierarchy.externals
        replays = self._replays.setdefault((function.node, function.captured, *identities, names, *about), [])
        found = next((each for each in replays if run.repeats(each)), None)
        if found is not None and run.replay(found):
            return run.parameters[found.value.name] if isinstance(found.value, PyParameter) else found.value
        enough = len(replays) == _MOST_REPLAYS or self._unfit[function.node] == _MOST_UNFIT
        if found is not None or enough:
            return self._inlined(frame, function, passed)
        before = run.begin()
        trace = Trace(tuple(run.active), run.parameters, run.level)
        run.traces.append(trace)
        run.open = False
        try:
            value = self._inlined(frame, function, passed)
        finally:
            run.traces.pop()
        if trace.unfit or not trace.can_keep(value):
            self._unfit[function.node] += 1
        else:
            replays.append(Replay(trace, value, run.impossible, run.implied, run.open))
            trace.parts.add(trace)
            run.includes({trace})
        run.end(before)
        return value

    def _inlined(self, frame: Frame, function: Function, passed: Passed) -> PyValue:
        run = frame.run
        if run.is_running(function.node) or run.is_too_deep() or isinstance(function.node, ast.AsyncFunctionDef):
            if passed.receiver is SELF or SELF in passed.positional:
                run.open = True
            run.cut_short += 1
            return PY_UNKNOWN
        inner = frame.inner(function)
        inner.unknown_loops = frame.unknown_loops
        inner.in_some_iterations = frame.in_some_iterations
        bind_parameters(inner, function, passed)
        inner.arguments = _expressions(function, passed)
        for name in inner.locals.keys() - inner.arguments:
            inner.versions[name] = run.version()  # in another call, the value may be another one
        if frame.varying:
            unknown = frozenset(n for n, value in inner.locals.items() if isinstance(value, (PyUnknown, PyKind)))
            inner.varying = unknown.union(each for each in frame.varying if each.startswith(f"{inner.self_name}."))
        run.active.append(function.node)
        try:
            ends = inner.block(function.node.body)
        finally:
            run.active.pop()
        if passed.receiver is SELF:
            decorated(run, function)
        results = [(assumptions - frame.assumptions, value) for assumptions, value in inner.returns]
        if ends:
            # A function that returns values on other paths does not mean to return None for what it does not handle.
            value = PY_UNKNOWN if any(each != PyConst(None) for _, each in results) else PyConst(None)
            results.append((inner.assumptions - frame.assumptions, value))
        return common_element(value for _, value in results) if inner.returns_sometimes else choose(results)


def _expressions(function: Function, passed: Passed) -> dict[str, ast.expr]:
    """Return the expressions that a call of a function outside classes passes, by parameter, if they are names or
    attributes: the caller's tests of them are the same.
    """
    call, spec = passed.call, function.node.args
    if call is None or passed.receiver is not None or any(isinstance(each, ast.Starred) for each in call.args):
        return {}
    names = [each.arg for each in (*spec.posonlyargs, *spec.args)]
    pairs = [*zip(names, call.args), *((each.arg or "", each.value) for each in call.keywords)]
    return {name: value for name, value in pairs if isinstance(value, (ast.Name, ast.Attribute))}


def bind_parameters(frame: Frame, function: Function, passed: Passed) -> None:
    """Bind a function's parameters to the arguments of a call."""
    spec = function.node.args
    names = [argument.arg for argument in (*spec.posonlyargs, *spec.args)]
    decorators = {d.id for d in function.node.decorator_list if isinstance(d, ast.Name)}
    arguments, known = passed.positional, passed.known
    if passed.receiver is not None and "staticmethod" not in decorators and names:
        frame.self_name = names[0]
        arguments = [passed.receiver if "classmethod" not in decorators else PY_UNKNOWN, *arguments]
    starred = next((i for i, a in enumerate(arguments) if isinstance(a, PySequence) and a.kind == "*"), None)
    defaults = dict(zip(names[len(names) - len(spec.defaults) :], spec.defaults))
    defaults.update({a.arg: d for a, d in zip(spec.kwonlyargs, spec.kw_defaults) if d is not None})
    given = dict(passed.keywords)
    hidden: list[PyValue] = [a for a in arguments if isinstance(a, PySequence) and a.kind == "*"]
    hidden += [value for name, value in passed.keywords if name == "**"]
    own = {} if known else handed_on(frame, function, hidden)
    for position, name in enumerate([*names, *(a.arg for a in spec.kwonlyargs)]):
        if position < len(names) and position < (len(arguments) if starred is None else starred):
            value = arguments[position]
        elif name in given:
            value = given[name]
        elif not known:
            value = own.get(name, PY_UNKNOWN)
        elif name in defaults:
            value = frame.evaluate(defaults[name])
        else:
            value = PY_UNKNOWN
        frame.locals[name] = value
    if spec.vararg:
        rest = tuple(arguments[len(names) :])
        handed = REST in hidden and is_handed_on(function.node, spec.vararg.arg)
        each = common_element(a.element if isinstance(a, PySequence) and a.kind == "*" else a for a in rest)
        value = REST if handed else PySequence("tuple", rest if known else None, each)
        frame.locals[spec.vararg.arg] = value
    if spec.kwarg:
        more = tuple((PyConst(name), value) for name, value in passed.keywords if name not in frame.locals)
        handed = is_handed_on(function.node, spec.kwarg.arg)
        frame.locals[spec.kwarg.arg] = (
            KEYWORDS if handed and KEYWORDS in hidden else PyDict(more if handed and known else None)
        )


def _is_sure(outcome: _Outcome) -> bool:
    """Return whether the result of a call does not depend on any test."""
    return not outcome.impossible and isinstance(outcome.value, _COMPARABLE)
