"""Bringing the compiler to decide a test: what it tests never changes, so it is declared constant in the class.

The compiler drops the branch of an ``if`` that it can decide. It decides on attributes that are declared constant
(``Final`` in the class body, or ``__constants__``) and hold a bool, and not on comparisons of them; those are made once
in ``__init__``.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from tslint import walking
from tslint.border import Match
from tslint.diagnostics import Edit, Fix, Position
from tslint.rule import safe, unsafe
from tslint.rules.modules._classes import strings
from tslint.rules.modules._guards import Guard, guards
from tslint.rules.modules._instance import FileFacts, Store, file_facts, instance_stores, is_bool
from tslint.script.events import Span

_OPERATORS = {
    ast.Eq: "is",
    ast.NotEq: "is_not",
    ast.Lt: "below",
    ast.LtE: "up_to",
    ast.Gt: "above",
    ast.GtE: "from",
    ast.In: "in",
    ast.NotIn: "not_in",
    ast.Is: "is",
    ast.IsNot: "is_not",
}


@dataclass
class Plan:
    """What is to be declared and made in which class."""

    flags: dict[str, None] = field(default_factory=dict)
    made: dict[str, ast.expr] = field(default_factory=dict)
    replaced: list[Edit] = field(default_factory=list)
    target: ast.ClassDef | None = None

    def take(self, other: Plan) -> None:
        """Become another plan."""
        self.flags, self.made, self.replaced, self.target = other.flags, other.made, other.replaced, other.target


def decided(match: Match, node: ast.AST) -> Fix | None:
    """A fix after which the compiler drops a node wherever a constant test keeps it from running."""
    decider = Decider.of(match)
    if decider is None:
        return None
    fixes = (decider.fix([guard]) for guard in guards(decider.function, node))
    return next((fix for fix in fixes if fix is not None), None)


def decided_tests(match: Match, tests: Iterable[ast.expr]) -> Fix | None:
    """A fix after which the compiler takes one branch alone of every test that asks for constants only."""
    decider = Decider.of(match)
    if decider is None:
        return None
    wanted = list(tests)
    both = [[Guard(test, True), Guard(test, False)] for test in wanted]
    return decider.fix(*both) or decider.fix(*([Guard(test, False)] for test in wanted))


@dataclass
class Decider:
    """Makes tests of one method decidable.

    Args:
        match: the event.
        facts: of its file.
        function: the method.
        owner: the class that defines it.
        receiver: the class of the instance for which it is compiled.
    """

    match: Match
    facts: FileFacts
    function: ast.FunctionDef | ast.AsyncFunctionDef
    owner: ast.ClassDef
    receiver: ast.ClassDef

    @classmethod
    def of(cls, match: Match) -> Decider | None:
        """For the event's method; None where that is no method of a module of this file."""
        unit = match.event.unit
        if unit is None or unit.function.owner is None or unit.receiver is None or not unit.function.node.args.args:
            return None
        for class_ in (unit.function.owner, unit.receiver):
            if class_.module.source.path != match.source.path:
                return None
        facts = file_facts(match.border.tree)
        owner, receiver = unit.function.owner.node, unit.receiver.node
        if facts.classes.get(receiver.name) is not receiver or facts.line(receiver) is None:
            return None
        return cls(match, facts, unit.function.node, owner, receiver)

    @property
    def itself(self) -> str:
        """What the method calls its instance."""
        return self.function.args.args[0].arg

    def fix(self, *wanted: list[Guard]) -> Fix | None:
        """Make guards decidable, of each group all or none; None where none can be, or all are already."""
        plan = Plan()
        for group in wanted:
            attempt = copied(plan)
            if all(self._decide(attempt, guard.test, guard.skips) for guard in group):
                plan = attempt
        if not plan.flags and not plan.made and not plan.replaced:
            return None
        return self._written(plan)

    def _decide(self, plan: Plan, test: ast.expr, outcome: bool) -> bool:
        """Plan what it takes for the compiler to know that a test has an outcome, whenever it has."""
        if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
            return self._decide(plan, test.operand, not outcome)
        if isinstance(test, ast.BoolOp):
            # One operand settles an `and` that is false and an `or` that is true; the other outcome takes them all.
            settles = isinstance(test.op, ast.Or) is outcome
            known = []
            for value in test.values:
                attempt = copied(plan)
                known.append(self._decide(attempt, value, outcome))
                if known[-1]:
                    plan.take(attempt)
            return any(known) if settles else all(known)
        return self._leaf(plan, test)

    def _leaf(self, plan: Plan, test: ast.expr) -> bool:
        attribute = self._own(test)
        if attribute is None and (attribute := self._named(test)) is not None:
            plan.replaced.append(Edit(*self.match.border.place(Span.of(test)), f"{self.itself}.{attribute}"))
        if attribute is not None:
            if attribute in self._constants():
                return True
            stores = instance_stores(self.facts, self.owner, attribute)
            if stores is None:
                return False
            if all(is_bool(self.facts, store) for store in stores):
                return self._declare(plan, attribute, stores)
        if isinstance(test, ast.Compare) and isinstance(test.ops[0], (ast.Is, ast.IsNot)):
            # The compiler decides on None itself, unless an annotation says what else there may be.
            asked = self._own(test.left)
            line = self.facts.line(self.receiver) or []
            return asked is not None and not any(asked in body_annotations(each) for each in line)
        return self._made(plan, test)

    def _own(self, node: ast.AST) -> str | None:
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == self.itself:
            return node.attr
        return None

    def _named(self, node: ast.AST) -> str | None:
        """The attribute in ``getattr(self, "flag", False)``, where every constructor sets it in any case."""
        if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "getattr"):
            return None
        if len(node.args) < 2 or not isinstance(node.args[0], ast.Name) or node.args[0].id != self.itself:
            return None
        name = node.args[1].value if isinstance(node.args[1], ast.Constant) else None
        if not isinstance(name, str) or not name.isidentifier():
            return None
        stores = instance_stores(self.facts, self.owner, name) or []
        always = [store for store in stores if isinstance(store.statement, (ast.Assign, ast.AnnAssign))]
        return name if any(store.owner is self.owner for store in always) else None

    def _declare(self, plan: Plan, attribute: str, stores: list[Store]) -> bool:
        line = self.facts.line(self.receiver) or []
        holders = [each for each in line if any(store.owner is each for store in stores)]
        if not holders or not self._aim(plan, holders[-1]):
            return False
        plan.flags[attribute] = None
        return True

    def _aim(self, plan: Plan, holder: ast.ClassDef) -> bool:
        """Where the declaration goes: the class that stores the attribute, or a nearer one that hides its."""
        line = self.facts.line(self.receiver) or []
        nearer = line[: next(i for i, each in enumerate(line) if each is holder)]
        target = next((each for each in nearer if body_annotations(each) or constants(each) is not None), holder)
        if plan.target is not None and plan.target is not target:
            return False
        plan.target = target
        return True

    def _constants(self) -> set[str]:
        """The attributes that the compiler takes for constants of the receiver."""
        found: set[str] = set()
        line = self.facts.line(self.receiver) or []
        nearest = next((each for each in line if body_annotations(each)), None)
        if nearest is not None and not strings(self.match):
            found |= {n for n, a in body_annotations(nearest).items() if re.search(r"\bFinal\b", ast.unparse(a))}
        for each in line:
            listed = constants(each)
            if listed is not None:
                return found | {
                    n.value for n in walking.walk(listed) if isinstance(n, ast.Constant) and isinstance(n.value, str)
                }
        return found

    def _made(self, plan: Plan, test: ast.expr) -> bool:
        """Make a test in the constructor, and keep its outcome."""
        if not self._fixed(test):
            return False
        parts = [part for part in walking.walk(test) if self._own(part) is not None]
        holders: list[ast.ClassDef] = []
        for part in parts:
            for store in instance_stores(self.facts, self.owner, self._own(part) or "") or ():
                if store.owner is not None and not any(store.owner is each for each in holders):
                    holders.append(store.owner)
        # A constructor of a derived class may store another value later.
        if len(holders) != 1 or not self._aim(plan, holders[0]) or plan.target is not holders[0]:
            return False
        name = self._name(plan, test, holders[0])
        plan.made[name] = test
        for leaf in _asked(self.function).get(ast.dump(test), ()):
            start, end = self.match.border.place(Span.of(leaf))
            edit = Edit(start, end, f"{self.itself}.{name}")
            if edit not in plan.replaced:
                plan.replaced.append(edit)
        return True

    def _fixed(self, test: ast.expr) -> bool:
        """Whether a test asks for nothing but attributes that never change, and constants."""
        if isinstance(test, ast.Compare):
            parts = [test.left, *test.comparators]
        elif isinstance(test, ast.Call):
            if not (isinstance(test.func, ast.Name) and test.func.id == "isinstance" and len(test.args) == 2):
                return False
            parts = [test.args[0]]
        else:
            parts = [test]
        asked = False
        for part in parts:
            if isinstance(part, ast.Call) and isinstance(part.func, ast.Name) and part.func.id == "len":
                part = part.args[0] if len(part.args) == 1 else part
            attribute = self._own(part)
            if attribute is not None:
                stores = instance_stores(self.facts, self.owner, attribute)
                if stores is None or any(_holds_tensor(store.value) for store in stores):
                    return False
                # Where a constructor may not store it, to ask for it there would raise.
                if not any(isinstance(store.statement, (ast.Assign, ast.AnnAssign)) for store in stores):
                    return False
                asked = True
            elif not _constant(part):
                return False
        return asked

    def _name(self, plan: Plan, test: ast.expr, holder: ast.ClassDef) -> str:
        wished = _worded(test)
        name, number = wished, 2
        while True:
            known = self.facts.stores.get(name, ())
            kept = [store.value for store in known if store.value is not None]
            mine = [test] if name not in plan.made else [plan.made[name]]
            if all(_same(value, mine[0]) for value in kept) and _same(mine[0], test):
                return name
            name, number = f"{wished}_{number}", number + 1

    def _written(self, plan: Plan) -> Fix | None:
        assert plan.target is not None
        names = [*plan.flags, *(name for name in plan.made if name not in self._constants())]
        declared = self._declaration(plan.target, names) if names else ()
        made = self._constructor(plan)
        if declared is None or made is None:
            return None
        text = ", ".join(f"`{name}`" for name in [*plan.flags, *plan.made])
        if not plan.made and plan.replaced:
            return unsafe(f"Test {text or 'the attribute'} itself, declared constant", *plan.replaced, *declared)
        if not plan.made:
            return safe(f"Declare {text} constant, so that the compiler decides the test", *declared)
        return unsafe(
            f"Make {text} once in `__init__` (later changes of what it tests no longer count)",
            *made,
            *plan.replaced,
            *declared,
        )

    def _declaration(self, target: ast.ClassDef, names: list[str]) -> tuple[Edit, ...] | None:
        line = self.facts.line(self.receiver) or []
        at = next(i for i, each in enumerate(line) if each is target)
        listed = constants(target)
        if listed is not None:
            return self._listed(listed, names)
        spot = self._top(target)
        if spot is None:
            return None
        where, margin, gap = spot
        newline = self.match.source.newline
        # Annotations hide those of the base classes and may be strings; a list of names hides other lists alone.
        if all(constants(each) is None for each in line) and not self.facts.extends_torch(line):
            words = ", ".join(f'"{name}"' for name in names)
            return (Edit(where, where, f"{margin}__constants__ = [{words}]{newline}{gap}"),)
        hides = not body_annotations(target) and any(body_annotations(each) for each in line[at + 1 :])
        if strings(self.match) or hides:
            return None
        final, imports = self.match.imported("typing", "Final")
        lines = "".join(f"{margin}{name}: {final}[bool]{newline}" for name in names)
        return (Edit(where, where, lines + gap), *imports)

    def _listed(self, listed: ast.expr, names: list[str]) -> tuple[Edit, ...] | None:
        if not isinstance(listed, (ast.List, ast.Tuple)) or not listed.elts:
            return None
        _, end = self.match.border.place(Span.of(listed.elts[-1]))
        text = self.match.text(listed.elts[-1])
        mark = text[-1] if text[-1] in "'\"" else '"'
        return (Edit(end, end, "".join(f", {mark}{name}{mark}" for name in names)),)

    def _top(self, target: ast.ClassDef) -> tuple[Position, str, str] | None:
        """Where the first line of a class body goes, its margin, and what stands behind it."""
        body = target.body
        documented = isinstance(body[0], ast.Expr) and isinstance(body[0].value, ast.Constant) and len(body) > 1
        first = body[1] if documented else body[0]
        row = min([first.lineno, *(d.lineno for d in getattr(first, "decorator_list", []))])
        margin = self._margin(first, row)
        if margin is None or (documented and body[0].end_lineno == row):
            return None
        # Rows above belong to comments of the first statement.
        gap = "" if isinstance(first, (ast.Assign, ast.AnnAssign)) else self.match.source.newline
        return Position(row, 1), margin, gap

    def _margin(self, statement: ast.stmt, row: int) -> str | None:
        line = self.match.source.lines[row - 1]
        margin = line[: len(line) - len(line.lstrip(" \t"))]
        return margin if line[len(margin) :].strip() and statement.col_offset == len(margin.encode()) else None

    def _constructor(self, plan: Plan) -> tuple[Edit, ...] | None:
        """The lines that make the tests, after the last statement of ``__init__`` that stores what they ask for."""
        edits: list[Edit] = []
        for name, test in plan.made.items():
            # The same test of another class of the file has a flag of the same name.
            if any(store.owner is plan.target for store in self.facts.stores.get(name, ())):
                continue
            asked = {self._own(part) for part in walking.walk(test)} - {None}
            stores = [s for a in asked for s in instance_stores(self.facts, self.owner, a or "") or ()]
            last = max((s for s in stores if s.statement), key=lambda s: s.statement.lineno if s.statement else 0)
            statement, constructor = last.statement, last.function
            if statement is None or constructor is None or statement.end_lineno is None:
                return None
            if any(isinstance(n, ast.Return) and n.lineno <= statement.lineno for n in walking.walk(constructor)):
                return None
            margin = self._margin(statement, statement.lineno)
            if margin is None or not self.match.source.lines[statement.end_lineno - 1].endswith(("\n", "\r")):
                return None
            own = constructor.args.args[0].arg
            text = self.match.text(test)
            if own != self.itself or "\n" in text:
                return None
            whole = text if isinstance(test, ast.Compare) and len(test.ops) == 1 else f"bool({text})"
            where = Position(statement.end_lineno + 1, 1)
            edits.append(Edit(where, where, f"{margin}{own}.{name} = {whole}{self.match.source.newline}"))
        return tuple(edits)


def copied(plan: Plan) -> Plan:
    """A plan that can be given up without a trace."""
    return Plan(dict(plan.flags), dict(plan.made), list(plan.replaced), plan.target)


def body_annotations(node: ast.ClassDef) -> dict[str, ast.expr]:
    """The annotations of a class body."""
    return {
        statement.target.id: statement.annotation
        for statement in node.body
        if isinstance(statement, ast.AnnAssign) and isinstance(statement.target, ast.Name)
    }


def constants(node: ast.ClassDef) -> ast.expr | None:
    """The value of ``__constants__`` in a class body."""
    for statement in node.body:
        if isinstance(statement, ast.Assign) and any(
            isinstance(target, ast.Name) and target.id == "__constants__" for target in statement.targets
        ):
            return statement.value
    return None


@walking.kept
def _asked(function: ast.AST) -> dict[str, list[ast.expr]]:
    """What the tests of a function ask, by how it reads."""
    asked: dict[str, list[ast.expr]] = {}
    for node in walking.walk(function):
        if isinstance(node, (ast.If, ast.IfExp)):
            for leaf in _leaves(node.test):
                asked.setdefault(ast.dump(leaf), []).append(leaf)
    return asked


def _leaves(test: ast.expr) -> Iterator[ast.expr]:
    if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
        yield from _leaves(test.operand)
    elif isinstance(test, ast.BoolOp):
        for value in test.values:
            yield from _leaves(value)
    else:
        yield test


def _constant(node: ast.expr) -> bool:
    if isinstance(node, (ast.Tuple, ast.List, ast.Set)):
        return all(_constant(element) for element in node.elts)
    if isinstance(node, ast.UnaryOp):
        return _constant(node.operand)
    return isinstance(node, ast.Constant)


def _holds_tensor(value: ast.expr | None) -> bool:
    """Whether a stored value may be a tensor, whose truth may not be asked for."""
    if value is None:
        return True
    calls = [ast.unparse(node.func) for node in walking.walk(value) if isinstance(node, ast.Call)]
    return any(call.startswith("torch.") or call.endswith(("Parameter", "Buffer", "Tensor")) for call in calls)


def _same(a: ast.expr, b: ast.expr) -> bool:
    if isinstance(a, ast.Call) and isinstance(a.func, ast.Name) and a.func.id == "bool" and len(a.args) == 1:
        a = a.args[0]
    return ast.dump(a) == ast.dump(b)


def _worded(test: ast.expr) -> str:
    """A name for the outcome of a test: ``self.stride == 2`` is ``_stride_is_2``."""
    if isinstance(test, ast.Compare) and len(test.ops) == 1:
        left, right = _word(test.left), _word(test.comparators[0])
        name = f"_{left}_{_OPERATORS[type(test.ops[0])]}_{right}"
    elif isinstance(test, ast.Attribute):
        name = f"_has_{test.attr.strip('_')}"
    else:
        parts = [part for part in walking.walk(test) if isinstance(part, (ast.Attribute, ast.Constant))]
        name = "_" + "_".join(map(_word, parts))
    return name[:48].rstrip("_") if len(name) > 1 else "_decided"


def _word(node: ast.AST) -> str:
    text = ast.unparse(node).replace("self.", "").replace("-", "minus_").replace(".", "_")
    return re.sub(r"\W+", "_", text).strip("_").lower() or "it"
