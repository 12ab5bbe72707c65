"""Evaluates calls in a constructor, with their effects on the instance."""

from __future__ import annotations

import ast
from dataclasses import replace
from weakref import WeakKeyDictionary

from tslint.project.classes import Hierarchy
from tslint.project.definitions import Class, Function
from tslint.script.assumptions import Assumptions, satisfiable
from tslint.script.attributes import (
    PY_UNKNOWN,
    HookCall,
    Instance,
    Norm,
    PyChoice,
    PyClass,
    PyConst,
    PyDict,
    PyExternal,
    PyFunction,
    PyKind,
    PyParameter,
    PySequence,
    PyValue,
)
from tslint.script.construct.aliases import GROWING, change, changed, forget_options
from tslint.script.construct.applied import apply_to_layers
from tslint.script.construct.arithmetic import constant
from tslint.script.construct.escapes import REGISTERING, escape, forget_by
from tslint.script.construct.expressions import CONTAINERS, SELF, Evaluator, is_torch_module
from tslint.script.construct.external_calls import ExternalCall, call_external, container
from tslint.script.construct.foreign import ARRAY, ARRAY_METHODS
from tslint.script.construct.frame import BASE, ITEMS, Frame, beginning
from tslint.script.construct.inlining import Inlining, Passed
from tslint.script.construct.lookups import looked_up, read
from tslint.script.construct.parameters import REST
from tslint.script.construct.pyvalues import cases, choose, forget_items, kind_of, unrolled
from tslint.script.construct.results import tensor_method
from tslint.script.operators import module_class
from tslint.script.scope import getter_of

_RETURNING_ITSELF = frozenset("train eval to cpu cuda float double half requires_grad_ apply".split())
_HOOKS = ("register_forward_hook", "register_forward_pre_hook")
_HARMLESS = (
    "train eval apply to cuda cpu float double half requires_grad_ zero_grad share_memory register_full_backward_hook "
    "register_backward_hook register_load_state_dict_post_hook _register_load_state_dict_pre_hook load_state_dict "
    "parameters modules named_parameters named_modules children buffers named_children state_dict extra_repr"
).split()

_SETTING = ("builtins.setattr", "builtins.vars", ".__setattr__")
_PLACES = (ast.Name, ast.Attribute)
_GROWING = ("append", "extend", "insert")
_OF_TEXT = frozenset("format join lower upper title strip lstrip rstrip replace capitalize".split())


class Calls(Inlining):
    """Evaluates calls during construction, for all classes of a project."""

    def __init__(self) -> None:
        super().__init__()
        self._news: WeakKeyDictionary[Class, bool] = WeakKeyDictionary()  # whether a class has a method `__new__`

    def call(self, frame: Frame, evaluator: Evaluator, node: ast.Call) -> PyValue:
        """Return the value of a call."""
        func = node.func
        if isinstance(func, ast.Attribute):
            if _is_super(func.value):
                return self._super(frame, evaluator, node, func.attr)
            owner = evaluator.evaluate(func.value)
            if owner is SELF:
                return self._on_self(frame, evaluator, node, func.attr)
            if isinstance(owner, PyChoice) and func.attr in GROWING and not isinstance(func.value, _PLACES):
                forget_options(frame, owner, node)
                return PY_UNKNOWN
            owner = unrolled(owner) if func.attr in _GROWING else owner
            if isinstance(owner, (PySequence, PyDict, Instance)):
                return self._on_container(frame, evaluator, node, func, owner)
            if isinstance(owner, PyKind) and owner.kind in ("Tensor", "Parameter"):
                passed = self._passed(evaluator, node)
                given = len(passed.positional) if passed.known else None
                return tensor_method(owner, func.attr, given, [name for name, _ in passed.keywords])
            if func.attr in _OF_TEXT and kind_of(owner) == "str":
                return _text(owner, func.attr, [*map(evaluator.evaluate, node.args)], node.keywords)
            if isinstance(owner, PyKind) and owner.kind == ARRAY and func.attr in ARRAY_METHODS:
                return owner
            if isinstance(owner, PyClass) and func.attr == "__init__":
                return self._base_init(frame, evaluator, node, owner)
        if isinstance(func, ast.Attribute) and isinstance(func.value, ast.Attribute) and func.value.attr == "__dict__":
            if evaluator.evaluate(func.value.value) is SELF:
                frame.run.expose(node)
        callee = static_method(evaluator, func) or evaluator.evaluate(func)
        passed = self._passed(evaluator, node)
        arguments = passed.positional
        if isinstance(callee, PyExternal) and callee.name.endswith(_SETTING):
            if arguments and arguments[0] is SELF:
                self._set_attribute(frame, node, arguments[1:])
            return PyConst(None)
        if isinstance(callee, PyExternal) and callee.name == "builtins.getattr" and arguments and arguments[0] is SELF:
            return self._named_attribute(frame, evaluator, node.args[1] if len(node.args) > 1 else None)
        if isinstance(callee, PyExternal) and callee.name == "builtins.bool" and passed.known and len(node.args) == 1:
            return evaluator.outcome(node.args[0])
        if not isinstance(callee, (PyChoice, PyParameter)):
            return self._apply(frame, node, callee, passed)
        under = frame.assumptions
        results: list[tuple[Assumptions, PyValue]] = []
        for tests, option in cases(callee, under):
            if satisfiable(tests, under):
                frame.assumptions = under | tests
                results.append((tests, self._apply(frame, node, option, passed)))
        frame.assumptions = under
        return choose(results)

    @staticmethod
    def _set_attribute(frame: Frame, node: ast.Call, named: list[PyValue]) -> None:
        """Set an attribute of the instance, whose name and value are the last arguments of a call."""
        name = named[0] if len(named) == 2 else PY_UNKNOWN
        if isinstance(name, PyConst) and isinstance(name.value, str):
            frame.run.set(name.value, named[1], frame.assumptions, node)
        else:
            frame.run.set_computed(node.args[-2] if len(named) == 2 else None)

    @staticmethod
    def _named_attribute(frame: Frame, evaluator: Evaluator, name: ast.expr | None) -> PyValue:
        """Return the value of ``getattr(self, name)``. If a method may have that name, calling the result may set
        attributes.
        """
        found = evaluator.evaluate(name)
        if isinstance(found, PyConst) and isinstance(found.value, str):
            return evaluator._own(found.value)
        members, prefix = frame.run.hierarchy.members.items(), beginning(name)
        if any(each.startswith(prefix) and member.function is not None for each, member in members):
            frame.run.open = True
        return PY_UNKNOWN

    def arguments(self, evaluator: Evaluator, node: ast.Call) -> tuple[list[PyValue], bool]:
        """Return the positional arguments, and whether all of them are known: False if ``*args`` hides some."""
        values: list[PyValue] = []
        known = True
        for argument in node.args:
            if isinstance(argument, ast.Starred):
                inner = unrolled(evaluator.evaluate(argument.value))
                if isinstance(inner, PySequence) and inner.items is not None:
                    values += inner.items
                else:
                    known = False
                    if inner is not REST:
                        inner = replace(inner, kind="*") if isinstance(inner, PySequence) else PySequence("*", None)
                    values.append(inner)
            else:
                values.append(evaluator.evaluate(argument))
        return values, known

    def _passed(self, evaluator: Evaluator, node: ast.Call) -> Passed:
        """Return all arguments."""
        arguments, known = self.arguments(evaluator, node)
        keywords = _keywords(evaluator, node)
        return Passed(arguments, keywords, known and all(name != "**" for name, _ in keywords), call=node)

    def _apply(self, frame: Frame, node: ast.Call, callee: PyValue, passed: Passed) -> PyValue:
        if isinstance(callee, PyFunction):
            return self._function(frame, callee, passed)
        # Builtins do not change an object, and what the constructor of a base class sets is known.
        reads = isinstance(callee, PyExternal) and callee.name.startswith("builtins.")
        reads = reads or (isinstance(callee, PyExternal) and callee.name.endswith(".__init__"))
        escape(frame, [each for each in passed.values if not (reads and each is SELF)], node)
        if callee is PY_UNKNOWN or isinstance(callee, PyKind):
            for each in passed.values:
                change(frame, each, changed(each), node)
        if isinstance(callee, PyClass):
            if self._has_new(frame, callee.definition):
                return PY_UNKNOWN  # `__new__` may return an object of another class
            arguments, keywords = tuple(passed.positional), tuple(passed.keywords)
            return Instance(
                callee.definition, "", arguments, keywords, passed.known, node=node, under=frame.assumptions
            )
        if isinstance(callee, PyExternal):
            return call_external(
                ExternalCall(frame, node, callee.name, passed.positional, passed.keywords, passed.known)
            )
        return PY_UNKNOWN

    def _function(self, frame: Frame, callee: PyFunction, passed: Passed) -> PyValue:
        if callee.function is not None and callee.bound:
            frame.run.called(callee.function.name)
            return self.inline(frame, callee.function, replace(passed, receiver=SELF))
        forget_by(frame, callee)  # the variables of the enclosing function are not known inside of it
        return self.inline(frame, callee.function, passed) if callee.function is not None else PY_UNKNOWN

    def _has_new(self, frame: Frame, definition: Class) -> bool:
        """Return whether a class of the project, or a base of it in the project, has a method ``__new__``."""
        if definition not in self._news:
            self._news[definition] = "__new__" in Hierarchy(frame.run.project, definition).members
        return self._news[definition]

    def _on_container(
        self,
        frame: Frame,
        evaluator: Evaluator,
        node: ast.Call,
        func: ast.Attribute,
        owner: PySequence | PyDict | Instance,
    ) -> PyValue:
        values = [evaluator.evaluate(a.value if isinstance(a, ast.Starred) else a) for a in node.args]
        if func.attr == "append" and len(values) == 1:
            frame.append(func.value, owner, [values[0]])
            return PyConst(None)
        if func.attr in ("extend",) and len(values) == 1:
            frame.extend(func.value, owner, values[0])
            return PyConst(None)
        if func.attr == "add_module" and len(values) == 2 and isinstance(owner, Instance):
            frame.append(func.value, owner, [values[1]])
            return PyConst(None)
        if func.attr == "pop" and isinstance(owner, PyDict) and owner.items is not None and len(values) == 2:
            if isinstance(values[0], PyConst):
                left = tuple(item for item in owner.items if item[0] != values[0])
                frame.replace(func.value, owner, PyDict(left, owner.kind))
                return looked_up(owner, values[0], values[1])
        if func.attr in ("insert", "pop", "popitem", "remove", "update", "setdefault", "clear", "sort", "reverse"):
            if isinstance(owner, PySequence):
                frame.replace(func.value, owner, PySequence(owner.kind, None))
            elif isinstance(owner, PyDict):
                frame.replace(func.value, owner, PyDict(None, owner.kind))
            else:
                forget_items(owner)
            return PY_UNKNOWN
        if isinstance(owner, Instance):
            if func.attr not in _HOOKS:
                escape(frame, values, node)
            if func.attr in _HOOKS:
                owner.hooks.append(func.attr)
                if values:
                    owner.hook_calls.append(HookCall(func.attr, node, values[0], frame.function, frame.assumptions))
                hook = values[0] if values else None
                if isinstance(hook, Instance) and hook.definition is not None and not frame.assumptions:
                    owner.norm = Norm(hook.definition.name, node, frame.function)
            if func.attr in _RETURNING_ITSELF:
                return owner
        return read(owner, func.attr, values) if isinstance(owner, PyDict) else PY_UNKNOWN

    def read_property(self, frame: Frame, function: Function) -> PyValue:
        """Return the value of a property of the instance; unknown if the function is its setter, which hides the getter
        here.
        """
        if getter_of(function) is not function:
            return PY_UNKNOWN
        return self.inline(frame, function, Passed([], [], known=True, receiver=SELF))

    def _on_self(self, frame: Frame, evaluator: Evaluator, node: ast.Call, name: str) -> PyValue:
        run = frame.run
        passed = self._passed(evaluator, node)
        arguments = passed.positional
        member = run.member(name)
        if member is not None and member.function is not None:
            run.called(name)
            return self.inline(frame, member.function, replace(passed, receiver=SELF))
        if run.stored(name) is not None:
            return self._apply(frame, node, evaluator._own(name), passed)
        if name == "__setattr__":
            self._set_attribute(frame, node, arguments)
        elif name in REGISTERING:
            named = dict(passed.keywords)
            target = arguments[0] if arguments else named.get("name", PY_UNKNOWN)
            value = (
                arguments[1]
                if len(arguments) > 1
                else next((named[key] for key in ("module", "tensor", "param") if key in named), PY_UNKNOWN)
            )
            kind = {"register_buffer": "buffer", "register_parameter": "parameter"}.get(name, "")
            if isinstance(target, PyConst) and isinstance(target.value, str):
                if kind and not (isinstance(value, PyConst) and value.value is None):
                    value = PyKind("Tensor") if not isinstance(value, (PyParameter, PyChoice)) else value
                run.set(target.value, value, frame.assumptions, node, kind)
            else:
                run.set_computed(node.args[0] if node.args else None)
            return PyConst(None)
        if name in _HOOKS:
            run.unfit()
            run.hooked[name] = node
            if arguments:
                run.hook_calls.append(HookCall(name, node, arguments[0], frame.function, frame.assumptions))
        elif name == "apply" and arguments and isinstance(arguments[0], PyFunction):
            run.unfit()
            apply_to_layers(frame, node, arguments[0])
        elif name == "__dict__":
            run.open = True
        elif name not in _HARMLESS:
            run.open = run.open or run.hierarchy.open
        return PY_UNKNOWN

    def _super(self, frame: Frame, evaluator: Evaluator, node: ast.Call, name: str) -> PyValue:
        member = frame.run.member(name, after=frame.owner) if frame.owner else None
        if member is None or member.function is None:
            if name in REGISTERING:
                return self._on_self(frame, evaluator, node, name)
            if name == "__init__":
                self._external_init(frame, evaluator, node)
            return PY_UNKNOWN
        return self.inline(frame, member.function, replace(self._passed(evaluator, node), receiver=SELF))

    def _base_init(self, frame: Frame, evaluator: Evaluator, node: ast.Call, owner: PyClass) -> PyValue:
        passed = self._passed(evaluator, node)
        if passed.positional and passed.positional[0] is SELF:
            passed = replace(passed, positional=passed.positional[1:], receiver=SELF)
            frame.run.unfit()
            for definition in frame.run.hierarchy.mro:
                if definition is owner.definition and isinstance(definition, Class):
                    found = next(
                        (s for s in definition.node.body if isinstance(s, ast.FunctionDef) and s.name == "__init__"),
                        None,
                    )
                    if found is not None:
                        function = definition.module.function(found, definition)
                        return self.inline(frame, function, passed)
                    member = frame.run.hierarchy.member("__init__", after=definition)
                    if member is not None and member.function is not None:
                        return self.inline(frame, member.function, passed)
        return PY_UNKNOWN

    def _external_init(self, frame: Frame, evaluator: Evaluator, node: ast.Call) -> None:
        """Record the arguments of ``super().__init__(...)`` if the base class is a container of torch.nn, or another
        class of torch.nn that does not compile with some arguments.
        """
        external = next((base.name for base in frame.run.hierarchy.externals if is_torch_module(base.name)), "")
        passed = self._passed(evaluator, node)
        if external.rpartition(".")[2] in CONTAINERS:
            made = container(ExternalCall(frame, node, external, passed.positional, [], passed.known))
            frame.run.set(ITEMS, made, frame.assumptions, node)
        elif (found := module_class(external)) is not None and any(variant.error for variant in found.variants):
            call = ExternalCall(frame, node, external, passed.positional, passed.keywords, passed.known)
            frame.run.set(BASE, call_external(call), frame.assumptions, node)


def _keywords(evaluator: Evaluator, node: ast.Call) -> list[tuple[str, PyValue]]:
    """Return the keyword arguments by name; a ``**`` argument with unknown keys has the name ``**``."""
    found: list[tuple[str, PyValue]] = []
    for keyword in node.keywords:
        value = evaluator.evaluate(keyword.value)
        items = value.items if keyword.arg is None and isinstance(value, PyDict) else None
        named = [(key.value, each) for key, each in items or () if isinstance(key, PyConst)]
        if items is not None and len(named) == len(items) and all(isinstance(name, str) for name, _ in named):
            found += [(str(name), each) for name, each in named]
        else:
            found.append((keyword.arg or "**", value))
    return found


def static_method(evaluator: Evaluator, func: ast.expr) -> PyValue | None:
    """Return the function in ``Class.method``; None unless the class is in the project and the method is static."""
    if not isinstance(func, ast.Attribute):
        return None
    owner = evaluator.evaluate(func.value)
    if not isinstance(owner, PyClass):
        return None
    for statement in owner.definition.node.body:
        if isinstance(statement, ast.FunctionDef) and statement.name == func.attr:
            if any(isinstance(d, ast.Name) and d.id == "staticmethod" for d in statement.decorator_list):
                return PyFunction(owner.definition.module.function(statement, owner.definition))
    return None


def _text(owner: PyValue, method: str, given: list[PyValue], keywords: list[ast.keyword]) -> PyValue:
    """Return the result of a string's method that returns a string."""
    known = [each.value for each in given if isinstance(each, PyConst) and isinstance(each.value, (str, int))]
    if isinstance(owner, PyConst) and len(known) == len(given) and not keywords:
        try:
            return constant(getattr(owner.value, method)(*known))
        except (TypeError, ValueError, LookupError, AttributeError):
            return PY_UNKNOWN
    return PyKind("str")


def _is_super(node: ast.expr) -> bool:
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "super"
