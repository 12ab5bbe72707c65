"""Contains the state while a constructor runs: the instance so far, and the variables of each active function."""

from __future__ import annotations

import ast
from abc import ABC, abstractmethod
from dataclasses import replace
from itertools import count
from typing import Any, Protocol

from tslint.project.classes import Hierarchy, Member
from tslint.project.closures import closure_value
from tslint.project.definitions import Class, Definition, Function, Module
from tslint.project.index import Project
from tslint.script.assumptions import NO_ASSUMPTIONS, Assumption, Assumptions, satisfiable
from tslint.script.attributes import PY_UNKNOWN, Attribute, HookCall, PyConst, PyDict, PyParameter, PySequence, PyValue
from tslint.script.construct.pyvalues import MOST_CASES, cases
from tslint.script.construct.replay import Effect, Replay, Seen, Trace, is_declared, same_attributes, seen
from tslint.script.module_classes import only_unread
from tslint.script.private_names import python_name

# Unique over all runs, so that cached results of one run are valid in others.
_VERSIONS = count(1)
DEPTH = 8
# Attribute names that cannot clash with those of Python: under the first, an instance keeps the items of a container;
# under the second, an instance of its base class in torch.nn, with the arguments of that class's constructor.
ITEMS, BASE = "(items)", "(base)"


class Caller(Protocol):
    """Evaluates calls."""

    def call(self, frame: Frame, evaluator: Any, node: ast.Call) -> PyValue:
        """Return the value of a call in a frame."""

    def read_property(self, frame: Frame, function: Function) -> PyValue:
        """Return the value of a property of the instance."""


class Run:
    """One interpretation of a class's constructor.

    Args:
        project: resolves names.
        hierarchy: the class.
        calls: evaluates calls.
    """

    def __init__(self, project: Project, hierarchy: Hierarchy, calls: Caller) -> None:
        self.project = project
        self.hierarchy = hierarchy
        self.calls = calls
        self.parameters: dict[str, PyParameter] = {}  # of the constructor, by name
        self.handed_on: set[str] = set()  # the parameters that the constructor gets in `*args` or `**kwargs`
        self.attributes: dict[str, list[Attribute]] = {}
        # The subclasses of an abstract class may set more attributes, and so may bases that cannot be read.
        self.open = hierarchy.open or hierarchy.abstract or only_unread(hierarchy)
        self.prefixes: set[str] = set()
        self.methods: set[str] = set()
        self.hooked: dict[str, ast.AST] = {}
        self.hook_calls: list[HookCall] = []
        self.impossible: list[Assumptions] = []
        self.implied: dict[Assumption, Assumptions] = {}
        self.active: list[ast.AST] = []
        self.steps = 0
        self.cut_short = 0
        self.traces: list[Trace] = []  # the records of the calls whose results will be cached, outermost first
        self._implied_before: list[dict[Assumption, Assumptions]] = []
        self._replayed: set[Trace] = set()
        self._members: dict[tuple[str, Class | None], Seen | None] = {}

    @staticmethod
    def version() -> int:
        """Return a new number, which distinguishes a variable's next value from earlier ones."""
        return next(_VERSIONS)

    def stored(self, name: str) -> list[Attribute] | None:
        """Return the possible values of an attribute; None if nothing has set it yet."""
        found = self.attributes.get(name)
        for trace in self.traces:
            trace.touch(name, found)
        return found

    def member(self, name: str, after: Class | None = None) -> Member | None:
        """Return a member of the class; with ``after``, only classes after that one in the MRO are searched. None if
        there is none.
        """
        found = self.hierarchy.member(name, after)
        for trace in self.traces:
            trace.members[name, after] = seen(found)
        return found

    def _seen(self, key: tuple[str, Class | None]) -> Seen | None:
        """Return what the constructor sees of a member of the class; None if there is no such member. The answer is
        cached, because it never changes during a run.
        """
        if self.traces or key not in self._members:
            self._members[key] = seen(self.member(*key))
        return self._members[key]

    def is_running(self, function: ast.AST) -> bool:
        """Return whether a function is already running."""
        for trace in self.traces:
            trace.running.setdefault(function, function in trace.outer)
        return function in self.active

    def is_too_deep(self, more: int = 0, *, cut: bool = False) -> bool:
        """Return whether so many calls are active that the next one is not run.

        Args:
            more: how deeply the calls inside the next one are nested.
            cut: whether the next call is cached, and left out calls inside it that would have been too deep.
        """
        depth = len(self.active) + more
        for trace in self.traces:
            trace.deepest = max(trace.deepest, depth - len(trace.outer))
            trace.cut = trace.cut or cut or depth > DEPTH
        return depth > DEPTH

    def unfit(self) -> None:
        """Record that the current call cannot be replayed for another class."""
        for trace in self.traces:
            trace.unfit = True

    def called(self, method: str) -> None:
        """Record that a method of the instance is called."""
        self.methods.add(method)
        for trace in self.traces:
            trace.methods.add(method)

    def is_declared(self, parameter: PyParameter, names: frozenset[str]) -> bool:
        """Return whether a parameter is annotated with one of the names, and its default and the arguments that calls
        pass have no other type.
        """
        for trace in self.traces:
            trace.declare(parameter, names)
        return is_declared(parameter, names)

    def repeats(self, kept: Replay) -> bool:
        """Return whether a cached call would do the same in this run: all that it read has the same value here."""
        traces, self.traces = self.traces, []
        try:
            same = self._reads_the_same(kept.trace)
        finally:
            self.traces = traces
        return same and (not traces or self._reads_the_same(kept.trace))

    def _reads_the_same(self, trace: Trace) -> bool:
        depth = len(self.active)
        return (
            (depth == len(trace.outer) if trace.cut else depth + trace.deepest <= DEPTH)
            and all(self._seen(key) == found for key, found in trace.members.items())
            and all((node in self.active) is running for node, running in trace.running.items())
            and all(same_attributes(found, self.stored(name)) for name, found in trace.attributes.items())
            and all(self._implication(test) == found for test, found in trace.implied.items())
            and all(
                self.is_declared(self.parameters[name], names) is found
                for (name, names), found in trace.declared.items()
            )
        )

    def replay(self, kept: Replay) -> bool:
        """Apply the effects of a call from another run. If this run already contains that call, or a part of it, apply
        nothing and return False.
        """
        trace = kept.trace
        if trace.parts & self._replayed:
            return False
        self.includes(trace.parts)
        self.is_too_deep(trace.deepest, cut=trace.cut)
        for node in trace.running:
            self.is_running(node)
        for effect in trace.effects:
            stored = effect.value
            self._put(
                replace(effect, value=self.parameters[stored.name]) if isinstance(stored, PyParameter) else effect
            )
        for method in trace.methods:
            self.called(method)
        self.open = self.open or kept.opened
        self.impossible += kept.impossible
        self.implied.update(kept.implied)
        return True

    def includes(self, parts: set[Trace]) -> None:
        """Record that this run, and each call that is being recorded, contains the given cached calls."""
        self._replayed |= parts
        for trace in self.traces:
            trace.parts |= parts

    @property
    def level(self) -> int:
        """Return how many calls of :meth:`begin` have no :meth:`end` yet."""
        return len(self._implied_before)

    def begin(self) -> tuple[list[Assumptions], dict[Assumption, Assumptions], bool]:
        """Collect the implications of tests separately from now on; return the earlier state, for :meth:`end`."""
        before = self.impossible, self.implied, self.open
        self._implied_before.append(self.implied)
        self.impossible, self.implied = [], {}
        return before

    def end(self, before: tuple[list[Assumptions], dict[Assumption, Assumptions], bool]) -> None:
        """Add the implications collected since :meth:`begin` to the earlier ones, which :meth:`begin` has returned."""
        self._implied_before.pop()
        impossible, implied, opened = before
        self.impossible = [*impossible, *self.impossible]
        self.implied = {**implied, **self.implied}
        self.open = self.open or opened

    def _implication(self, test: Assumption) -> Assumptions | None:
        """Return the tests that the result of a test implies; None if it implies nothing."""
        if test in self.implied:
            return self.implied[test]
        known = len(self._implied_before) - 1
        while known >= 0 and test not in self._implied_before[known]:
            known -= 1
        found = self._implied_before[known][test] if known >= 0 else None
        for trace in self.traces:
            if trace.level > known:
                trace.implied.setdefault(test, found)
        return found

    def set(self, name: str, value: PyValue | None, assumptions: Assumptions, node: ast.AST, kind: str = "") -> None:
        """Record that an attribute gets a value under tests, and keeps its earlier value in all other cases. None
        deletes it.
        """
        opposites = [assumption.negated() for assumption in assumptions]
        implied = {each: self._implication(each) or NO_ASSUMPTIONS for each in opposites}
        self._put(Effect(name, value, assumptions, node, kind, implied))

    def forget(self, name: str, node: ast.AST) -> None:
        """Record that the value of an attribute is no longer known."""
        self._put(Effect(name, PY_UNKNOWN, NO_ASSUMPTIONS, node, "", None))

    def _put(self, effect: Effect) -> None:
        name, value, assumptions, node, kind = effect.name, effect.value, effect.assumptions, effect.node, effect.kind
        stored, implied = self.stored(name), effect.implied
        for trace in self.traces:
            trace.effects.append(effect)
            trace.unfit = trace.unfit or not trace.can_keep(value)
        if implied is None:
            self.attributes[name] = [Attribute(NO_ASSUMPTIONS, value, node)]
            return
        before = stored or [Attribute(NO_ASSUMPTIONS, None)]
        kept: list[Attribute] = []
        for old in before:
            if not satisfiable(old.assumptions, assumptions):
                kept.append(old)
                continue
            given = old.assumptions
            fresh = assumptions - old.assumptions
            texts = {assumption.text for assumption in fresh}
            for assumption in sorted(fresh, key=lambda a: (a.text, a.holds)):
                if assumption.part_of in texts:
                    continue
                opposite = assumption.negated()
                # After `if self.x is None: self.x = …`, the old value None is not kept: if the test is false, the value
                # is not None.
                if old.value != PyConst(None) or not (assumption.holds and assumption.text == f"self.{name} is None"):
                    others = given | {opposite} | implied.get(opposite, NO_ASSUMPTIONS)
                    kept.append(Attribute(others, old.value, old.node, old.kind))
                given = given | {assumption}
        options = [(NO_ASSUMPTIONS, value)] if value is None else cases(value, assumptions)
        for more, leaf in options:
            if satisfiable(more, assumptions):
                kept.append(Attribute(assumptions | more, leaf, node, kind))
        if len(kept) > 2 * MOST_CASES:
            kept = [Attribute(NO_ASSUMPTIONS, PY_UNKNOWN, node)]
        self.attributes[name] = kept

    def set_computed(self, name: ast.expr | None) -> None:
        """Record that an attribute with a computed name is set."""
        prefix = beginning(name)
        if prefix:
            self.prefixes.add(prefix)
            self.unfit()
        else:
            self.expose(name)

    def expose(self, node: ast.AST | None) -> None:
        """Record that other code may set any attribute. With ``node``, forget attributes that may only be initialized
        so far: with a constant, or an empty list or dict.
        """
        self.open = True
        for name, stored in [*self.attributes.items()]:
            if node is not None and any(_is_initial(each.value) for each in stored):
                self.forget(name, node)


def _is_initial(value: PyValue | None) -> bool:
    return isinstance(value, PyConst) or (isinstance(value, (PySequence, PyDict)) and value.items == ())


def beginning(name: ast.expr | None) -> str:
    """Return the constant beginning of a computed string, such as ``layer`` for ``f"layer{i}"`` and
    ``"layer" + str(i)``; empty if there is none.
    """
    if isinstance(name, ast.JoinedStr) and name.values:
        return beginning(name.values[0])
    if isinstance(name, ast.BinOp) and isinstance(name.op, ast.Add):
        return beginning(name.left)
    if isinstance(name, ast.BinOp) and isinstance(name.op, ast.Mod):
        return beginning(name.left).partition("%")[0]
    if isinstance(name, ast.Call) and isinstance(name.func, ast.Attribute) and name.func.attr == "format":
        return beginning(name.func.value).partition("{")[0]
    return name.value if isinstance(name, ast.Constant) and isinstance(name.value, str) else ""


class Frame(ABC):
    """The locals of one function that runs during construction.

    Args:
        run: the construction.
        module: the module that contains the function.
        function: the function; None for code outside functions.
        owner: the class whose body contains the function (where ``super()`` starts).
        assumptions: the tests that led here.
    """

    def __init__(
        self, run: Run, module: Module, function: Function | None, owner: Class | None, assumptions: Assumptions
    ) -> None:
        self.run = run
        self.module = module
        self.function = function
        self.owner = owner
        self.assumptions = assumptions
        self.locals: dict[str, PyValue] = {}
        self.versions: dict[str, int] = {}
        self.arguments: dict[str, ast.expr] = {}  # the expressions of the caller that the parameters stand for
        self.self_name = "self"
        self.returns: list[tuple[Assumptions, PyValue]] = []
        self.unknown_loops = 0
        self.varying: frozenset[str] = frozenset()  # names whose value the loops around may change
        self.in_some_iterations = 0  # the number of tests around that depend on the iteration
        self.returns_sometimes = False  # whether a test that depends on the iteration decides the result
        self.loop_assumptions = assumptions  # the tests that led to the innermost loop
        self.left = ""  # the ``break`` or ``continue`` that ended the last block
        self.caller: Frame | None = None
        self.perhaps_skipped = False  # in a loop that may have no iterations with the default arguments

    def attribute_name(self, name: str) -> str:
        """Return the name under which Python stores an attribute: in the class ``Net``, ``_Net__x`` for ``__x``."""
        return python_name(self.owner.name, name) if self.owner is not None else name

    def resolve(self, node: ast.expr) -> Definition:
        """Resolve a name that the function does not bind."""
        enclosed = closure_value(self.function, node) if self.function is not None else None
        return enclosed or self.run.project.resolve_expression(self.module, node)

    @abstractmethod
    def evaluate(self, node: ast.expr | None) -> PyValue:
        """Return the value of an expression; ``PY_UNKNOWN`` if it is not known."""

    @abstractmethod
    def assumption(self, test: ast.expr) -> Assumption:
        """Return the assumption that a test is true."""

    @abstractmethod
    def block(self, body: list[ast.stmt]) -> bool:
        """Run statements in order; return whether the code after them is reached."""

    @abstractmethod
    def bind(self, target: ast.expr, value: PyValue) -> None:
        """Bind local names."""

    @abstractmethod
    def replace(self, node: ast.expr, owner: PyValue, value: PyValue) -> None:
        """Write a changed container back to the place from which it was read."""

    @abstractmethod
    def append(
        self, node: ast.expr, owner: PyValue, added: list[PyValue] | None, element: PyValue = PY_UNKNOWN
    ) -> None:
        """Append items to a container. If their number is not known, ``added`` is None; each is like ``element``."""

    @abstractmethod
    def extend(self, node: ast.expr, owner: PyValue, added: PyValue) -> None:
        """Extend a container by the items of another one."""

    @abstractmethod
    def inner(self, function: Function) -> Frame:
        """Return the frame of a function that this function calls."""

    @abstractmethod
    def at_top(self, module: Module) -> Frame:
        """Return the frame of a file's code outside functions."""
