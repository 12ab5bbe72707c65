"""The facts of a class: its constructor interpreted for any arguments, and what its class bodies declare."""

from __future__ import annotations

import ast

from tslint.project.classes import Hierarchy
from tslint.project.definitions import Class, External, Function
from tslint.project.index import Project
from tslint.script.attributes import NO_ASSUMPTIONS, ClassFacts, PyDict, PyParameter, PySequence, PyValue
from tslint.script.construct.calls import Calls
from tslint.script.construct.expressions import SELF
from tslint.script.construct.frame import Run
from tslint.script.construct.statements import Statements
from tslint.script.private_names import python_name
from tslint.util import astwalk

_CALLS = Calls()
_GROWING = frozenset("append extend insert update pop clear remove add setdefault popitem".split())


def class_facts(project: Project, hierarchy: Hierarchy) -> ClassFacts:
    """Everything that the source says of a class's instances."""
    run = Run(project, hierarchy, _CALLS)
    member = hierarchy.members.get("__init__")
    if member is not None and member.function is not None:
        run_constructor(run, member.function)
    elif member is not None:
        run.open = True
    for name, stored in run.attributes.items():
        run.attributes[name] = [
            a for a in stored if not any(impossible <= a.assumptions for impossible in run.impossible)
        ]
    facts = ClassFacts(hierarchy, run.attributes, run.open, hooked=run.hooked, hook_calls=run.hook_calls)
    _declarations(facts, project)
    _elsewhere(facts)
    return facts


def run_constructor(run: Run, function: Function) -> None:
    """Interpret ``__init__`` with parameters that stand for any argument."""
    frame = Statements(run, function.module, function, function.owner, NO_ASSUMPTIONS)
    spec = function.node.args
    names = [*spec.posonlyargs, *spec.args]
    defaults: dict[str, ast.expr] = dict(zip([a.arg for a in names[len(names) - len(spec.defaults) :]], spec.defaults))
    defaults.update({a.arg: d for a, d in zip(spec.kwonlyargs, spec.kw_defaults) if d is not None})
    for position, argument in enumerate([*names, *spec.kwonlyargs]):
        if position == 0:
            frame.self_name = argument.arg
            frame.locals[argument.arg] = SELF
            continue
        default: PyValue | None = None
        if argument.arg in defaults:
            default = frame.evaluator.evaluate(defaults[argument.arg])
        frame.locals[argument.arg] = PyParameter(argument.arg, default, argument.annotation)
    if spec.vararg:
        frame.locals[spec.vararg.arg] = PySequence("tuple", None)
    if spec.kwarg:
        frame.locals[spec.kwarg.arg] = PyDict(None)
    run.active.append(function.node)
    frame.block(function.node.body)


def _declarations(facts: ClassFacts, project: Project) -> None:
    """Class annotations and constants: of the nearest class alone that has any (torch/_jit_internal.py)."""
    for owner in facts.hierarchy.mro:
        if isinstance(owner, External) and owner.name.startswith("torch."):
            break  # nn.Module has annotations itself, which hide those of every class behind it
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
    facts.constants = frozenset(constants | _names(facts.hierarchy, "__constants__"))
    facts.ignored = frozenset(_names(facts.hierarchy, "__jit_ignored_attributes__"))
    facts.unused_properties = frozenset(_names(facts.hierarchy, "__jit_unused_properties__"))


def _names(hierarchy: Hierarchy, attribute: str) -> set[str]:
    """The strings of a list in the class body."""
    member = hierarchy.members.get(attribute)
    if member is None or not isinstance(member.node, (ast.Assign, ast.AnnAssign)) or member.node.value is None:
        return set()
    constants = [node for node in astwalk.walk(member.node.value) if isinstance(node, ast.Constant)]
    return {constant.value for constant in constants if isinstance(constant.value, str)}


def _elsewhere(facts: ClassFacts) -> None:
    """Attributes of ``self`` that methods other than the constructor set, and whether any sets unnamed ones."""
    for owner in facts.hierarchy.mro:
        if not isinstance(owner, Class):
            continue
        for statement in owner.node.body:
            if not isinstance(statement, (ast.FunctionDef, ast.AsyncFunctionDef)) or statement.name == "__init__":
                continue
            names = [*statement.args.posonlyargs, *statement.args.args]
            if not names:
                continue
            self_name = names[0].arg
            for node in astwalk.walk(statement):
                if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store):
                    if isinstance(node.value, ast.Name) and node.value.id == self_name:
                        facts.elsewhere.setdefault(python_name(owner.name, node.attr), set()).add(statement.name)
                elif (
                    isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Store) and _own(node.value, self_name)
                ):
                    name = python_name(owner.name, _own(node.value, self_name))
                    facts.elsewhere.setdefault(name, set()).add(statement.name)
                elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
                    if node.func.attr in _GROWING and _own(node.func.value, self_name):
                        name = python_name(owner.name, _own(node.func.value, self_name))
                        facts.elsewhere.setdefault(name, set()).add(statement.name)
                    if isinstance(node.func.value, ast.Name) and node.func.value.id == self_name:
                        if node.func.attr in ("register_buffer", "register_parameter", "add_module", "__setattr__"):
                            first = node.args[0] if node.args else None
                            if isinstance(first, ast.Constant) and isinstance(first.value, str):
                                facts.elsewhere.setdefault(first.value, set()).add(statement.name)
    for attribute in ("__getattr__", "__setattr__", "__dict__"):
        if attribute in facts.hierarchy.members and attribute != "__getattr__":
            facts.open = True


def _own(node: ast.expr, self_name: str) -> str:
    """The attribute's name in ``self.name``, else an empty string."""
    if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == self_name:
        return node.attr
    return ""
