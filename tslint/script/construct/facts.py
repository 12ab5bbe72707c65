"""Collects the facts of a class: interprets its constructor for any arguments, and reads its declarations."""

from __future__ import annotations

import ast
from collections.abc import Iterable
from weakref import WeakKeyDictionary

from tslint.project.classes import Hierarchy, Member
from tslint.project.definitions import Class, External, Function
from tslint.project.index import Project
from tslint.script.assumptions import NO_ASSUMPTIONS, Assumptions, satisfiable
from tslint.script.attributes import PY_UNKNOWN, Attribute, ClassFacts, Instance, PyConst, PyParameter, PyValue
from tslint.script.construct.aliases import GROWING
from tslint.script.construct.calls import Calls
from tslint.script.construct.changed_attributes import changed_attributes, computed_beginnings, filled_later
from tslint.script.construct.escapes import REGISTERING, decorated, rebuilt
from tslint.script.construct.expressions import SELF, is_torch_module
from tslint.script.construct.frame import BASE, Run
from tslint.script.construct.narrowing import contradictory
from tslint.script.construct.parameters import bind_any
from tslint.script.construct.statements import Statements
from tslint.script.module_classes import is_module_class
from tslint.script.operators import module_class
from tslint.script.operators.tables import module_base
from tslint.script.private_names import python_name
from tslint.script.scope import is_property
from tslint.util import astwalk

# Results of calls are cached by project, because all classes of a library make the same calls.
_CALLS: WeakKeyDictionary[Project, Calls] = WeakKeyDictionary()
_SETTING = frozenset([ast.Attribute, ast.Subscript, ast.Call])


def class_facts(project: Project, hierarchy: Hierarchy) -> ClassFacts:
    """Return everything that the source shows about a class's instances."""
    run = Run(project, hierarchy, _CALLS.setdefault(project, Calls()))
    member = hierarchy.members.get("__init__")
    if member is not None and member.function is not None:
        run_constructor(run, member.function)
    elif member is not None:
        run.open = True
    _fill_later(run, hierarchy.definition)
    for each in hierarchy.mro:
        if isinstance(each, Class):
            rebuilt(run, each)
    base = run.attributes.pop(BASE, [])
    facts = ClassFacts(hierarchy, run.attributes, run.open, hooked=run.hooked, hook_calls=run.hook_calls)
    facts.prefixes, facts.methods = frozenset(run.prefixes), frozenset(run.methods)
    _declarations(facts, project)
    _read_constants(facts, run)
    for name, stored in run.attributes.items():
        run.attributes[name] = _possible(run, stored)
    facts.base = [each for each in _possible(run, base) if _inherits(facts, each.value)]
    _elsewhere(facts, project)
    return facts


def _possible(run: Run, stored: Iterable[Attribute]) -> list[Attribute]:
    """Return only the values that at least one construction can give an attribute."""
    never = _excluded(run, NO_ASSUMPTIONS)  # every construction seems to raise: then no value is left out
    return [
        each
        for each in stored
        if (never or not _excluded(run, each.assumptions)) and not contradictory(each.assumptions)
    ]


def _excluded(run: Run, assumptions: Assumptions) -> bool:
    """Return whether the constructor raises in every construction in which tests have the given results, whatever the
    results of other tests are.
    """
    while True:
        left = [impossible - assumptions for impossible in run.impossible]
        if not all(left):
            return True
        # If the constructor raises for one result of a test, only the other one is left.
        forced = {only.negated() for each in left if len(each) == 1 for only in each} - assumptions
        if not forced or not satisfiable(forced, assumptions):
            return bool(forced)
        assumptions = assumptions | forced


def _read_constants(facts: ClassFacts, run: Run) -> None:
    """Store the values of the properties that are constants: the compiler reads them in the finished instance."""
    for name in sorted(facts.constants - run.attributes.keys()):
        member = facts.hierarchy.members.get(name)
        if member is not None and member.function is not None and is_property(member.function, run.project):
            frame = Statements(run, member.function.module, None, None, NO_ASSUMPTIONS)
            value = run.calls.read_property(frame, member.function)
            run.set(name, value, NO_ASSUMPTIONS, member.function.node)


def _inherits(facts: ClassFacts, made: PyValue | None) -> bool:
    """Return whether a class uses the ``forward`` of its base class in torch.nn, and overrides no attribute of the base
    class; ``made`` is an instance of the base class.
    """
    found = module_class(made.external) if isinstance(made, Instance) else None
    own = {*facts.attributes, *facts.hierarchy.members}
    return found is not None and "forward" not in own and own.isdisjoint(found.attributes)


def class_variable(project: Project, hierarchy: Hierarchy, member: Member) -> PyValue:
    """Return the value of a variable of the class body; ``PY_UNKNOWN`` if it is not known, or computed from another
    member of the class.
    """
    value = member.node.value if isinstance(member.node, (ast.Assign, ast.AnnAssign)) else None
    names = {each.id for each in astwalk.of_kind(value, ast.Name)} if value is not None else set()
    if any(each in names and other is not member for each, other in hierarchy.members.items()):
        return PY_UNKNOWN
    run = Run(project, hierarchy, _CALLS.setdefault(project, Calls()))
    return Statements(run, member.owner.module, None, None, NO_ASSUMPTIONS).evaluate(value)


def _fill_later(run: Run, definition: Class) -> None:
    """Forget the attributes that the constructor sets to None and other code of the file sets later, as in
    ``net.head = head``. Also forget which keys such code adds to a ModuleDict.
    """
    tree = definition.module.tree
    changed, beginnings = changed_attributes(tree), tuple(computed_beginnings(tree))
    for name in [each for each in run.attributes if each in changed or each.startswith(beginnings)]:
        if all(isinstance(each.value, PyConst) and each.value.value is None for each in run.attributes[name]):
            run.forget(name, definition.node)
    later = [filled_later(each.module.tree) for each in run.hierarchy.mro if isinstance(each, Class)]
    for name, stored in run.attributes.items():
        for each in stored:
            if isinstance(each.value, Instance) and any(name in filled for filled in later):
                each.value.added = None


def run_constructor(run: Run, function: Function) -> None:
    """Interpret ``__init__`` for all arguments at once, and record in ``run`` what it does to the instance.

    The first parameter is the instance; each other parameter is a ``PyParameter``, which stands for any value.

    Args:
        run: receives the attributes, the assumptions and the parameters.
        function: the constructor.
    """
    frame = Statements(run, function.module, function, function.owner, NO_ASSUMPTIONS)
    spec = function.node.args
    first = next(iter([*spec.posonlyargs, *spec.args, *spec.kwonlyargs]), None)
    if first is not None:
        frame.self_name = first.arg
        frame.locals[first.arg] = SELF
    bind_any(frame, function)
    run.parameters.update({name: value for name, value in frame.locals.items() if isinstance(value, PyParameter)})
    run.active.append(function.node)
    frame.block(function.node.body)
    decorated(run, function)


def _declarations(facts: ClassFacts, project: Project) -> None:
    """Read the annotations of the nearest class body that has any (as torch/_jit_internal.py does), and the lists of
    names such as ``__constants__``.
    """
    for owner in facts.hierarchy.mro:
        if isinstance(owner, External) and owner.name.startswith("torch."):
            break  # The annotations of nn.Module hide those of every class after it in the MRO.
        if isinstance(owner, Class):
            found = {
                node.target.id: node.annotation
                for node in owner.node.body
                if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name)
            }
            if found:
                facts.annotations, facts.annotation_owner = found, owner
                break
    constants: set[str] = set()
    for name, annotation in facts.annotations.items():
        base = annotation.value if isinstance(annotation, ast.Subscript) else annotation
        if facts.annotation_owner is not None and isinstance(base, (ast.Name, ast.Attribute)):
            target = project.resolve_expression(facts.annotation_owner.module, base)
            if isinstance(target, External) and target.name.rpartition(".")[2] == "Final":
                constants.add(name)
    facts.constants = frozenset(constants | _names(facts.hierarchy, "__constants__") | _inherited(facts.hierarchy))
    facts.ignored = frozenset(_names(facts.hierarchy, "__jit_ignored_attributes__"))
    facts.unused_properties = frozenset(_names(facts.hierarchy, "__jit_unused_properties__"))
    if "__jit_unused_properties__" not in facts.hierarchy.members:
        bases = [module_base(each.name) for each in facts.hierarchy.externals]
        facts.unused_properties = frozenset(name for each in bases if each is not None for name in each.unused.split())


def _inherited(hierarchy: Hierarchy) -> frozenset[str]:
    """Return the ``__constants__`` of a base class of torch, unless a class of the project overrides them."""
    if "__constants__" in hierarchy.members:
        return frozenset()
    bases = (module_class(base.name) for base in hierarchy.externals if is_torch_module(base.name))
    return next((frozenset(base.constants) for base in bases if base is not None), frozenset())


def _names(hierarchy: Hierarchy, attribute: str) -> set[str]:
    """Return the strings in a class variable such as ``__constants__``; empty if there is no such variable."""
    member = hierarchy.members.get(attribute)
    if member is None or not isinstance(member.node, (ast.Assign, ast.AnnAssign)) or member.node.value is None:
        return set()
    constants = [node for node in astwalk.walk(member.node.value) if isinstance(node, ast.Constant)]
    return {constant.value for constant in constants if isinstance(constant.value, str)}


def _elsewhere(facts: ClassFacts, project: Project) -> None:
    """Record the attributes that methods other than the constructor set, or that the file sets on the class. With a
    ``__setattr__`` or ``__dict__`` in the class, there may be more attributes.
    """
    for owner in facts.hierarchy.mro:
        if isinstance(owner, Class):
            for name, called, method in _set_by_methods(owner.node):
                if not (called and _is_own_method(facts, project, name, called)):
                    facts.elsewhere.setdefault(name, set()).add(method)
            for name in _patched(owner.module.tree).get(owner.name, ()):
                facts.attributes.setdefault(name, [Attribute(NO_ASSUMPTIONS, PY_UNKNOWN)])
    if facts.hierarchy.members.keys() & {"__setattr__", "__dict__"}:
        facts.open = True


def _is_own_method(facts: ClassFacts, project: Project, attribute: str, called: str) -> bool:
    """Return whether an attribute always holds an object of a class that defines the method itself: its ``update`` is
    not that of a dict, and leaves the attribute as it is.
    """

    def defines(value: PyValue | None) -> bool:
        if not isinstance(value, Instance) or value.definition is None:
            return False
        hierarchy = Hierarchy(project, value.definition)
        member = hierarchy.members.get(called)
        return member is not None and member.function is not None and not is_module_class(hierarchy)

    stored = facts.attributes.get(attribute, ())
    return bool(stored) and all(defines(each.value) for each in stored)


@astwalk.kept
def _patched(tree: ast.Module) -> dict[str, set[str]]:
    """Return the attributes that the top level of a file sets on its classes: ``Net.extra = extra``."""
    found: dict[str, set[str]] = {}
    for statement in tree.body:
        for node in astwalk.walk(statement) if isinstance(statement, (ast.Assign, ast.For, ast.Expr, ast.If)) else ():
            if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store) and isinstance(node.value, ast.Name):
                found.setdefault(node.value.id, set()).add(node.attr)
    return found


@astwalk.kept
def _set_by_methods(owner: ast.ClassDef) -> list[tuple[str, str, str]]:
    """Return the attributes of ``self`` that methods set, each with the method of it that is called to do so (if any),
    and with the method that does; constructors and class methods are left out.
    """
    found: list[tuple[str, str, str]] = []
    for method in owner.body:
        if not isinstance(method, (ast.FunctionDef, ast.AsyncFunctionDef)) or method.name == "__init__":
            continue
        if any(astwalk.is_name(mark, "classmethod") for mark in method.decorator_list):
            continue  # a class method sets attributes of the class
        names = [*method.args.posonlyargs, *method.args.args]
        if names:
            for node in astwalk.walk(method):
                name = _set_by(node, names[0].arg, owner.name) if node.__class__ in _SETTING else ""
                if name:
                    found.append((name, _called(node, names[0].arg), method.name))
    return found


def _called(node: ast.AST, self_name: str) -> str:
    """Return ``append`` for ``self.name.append(…)``, which adds elements; empty for what sets ``self.name``."""
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and _own(node.func.value, self_name):
        return node.func.attr
    return ""


def _set_by(node: ast.AST, self_name: str, owner: str) -> str:
    """Return the attribute of ``self`` that a node sets, adds elements to or registers; otherwise an empty string."""
    if isinstance(node, (ast.Attribute, ast.Subscript)) and isinstance(node.ctx, ast.Store):
        name = _own(node if isinstance(node, ast.Attribute) else node.value, self_name)
        return name and python_name(owner, name)
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
        if node.func.attr in GROWING:
            name = _own(node.func.value, self_name)
            return name and python_name(owner, name)
        first = node.args[0] if node.args else None
        if node.func.attr in REGISTERING and astwalk.is_name(node.func.value, self_name):
            if isinstance(first, ast.Constant) and isinstance(first.value, str):
                return first.value
    return ""


def _own(node: ast.expr, self_name: str) -> str:
    """Return the attribute's name in ``self.name``, or an empty string."""
    if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == self_name:
        return node.attr
    return ""
