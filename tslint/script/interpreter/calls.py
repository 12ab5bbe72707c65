"""Calls (``emitApplyExpr``, ``SugaredValue::call``)."""

from __future__ import annotations

import ast
from dataclasses import dataclass, replace

from tslint.project.definitions import Class, Function
from tslint.script.interpreter.emitter import Emitter, as_typed, module_name, value_kind
from tslint.script.interpreter.externals import given_argument, known
from tslint.script.operators import Arg, Argument, Matched, Schema, match, module_class, schemas
from tslint.script.operators.callables import (
    BooleanDispatch,
    Cast,
    CompiledFunction,
    Constant,
    ExceptionClass,
    Known,
    ModuleClass,
    Operator,
    PythonData,
    PythonOperator,
    Special,
    Unsupported,
)
from tslint.script.scope import exemption, opaque_decorator, overloads
from tslint.script.types import BOOL, INFERRED_TENSOR, TENSOR, ClassType, TensorType, TupleType, Type, has_unknowns
from tslint.script.values import (
    UNKNOWN,
    Alternatives,
    ClassValue,
    ContainerValue,
    ExternalValue,
    FunctionValue,
    ModuleReference,
    ModuleValue,
    OperatorValue,
    PythonValue,
    Schemas,
    SpecialForm,
    SuperValue,
    TupleValue,
    Typed,
    Unknown,
    Value,
)


@dataclass
class Given:
    """The arguments of a call, emitted.

    Args:
        values: with the keyword's name, None for positional ones, and the node.
        whole: False where ``*args`` hides how many there are.
    """

    values: list[tuple[str | None, Value, ast.expr]]
    whole: bool = True

    def positional(self) -> list[Value]:
        """The positional arguments."""
        return [value for name, value, _ in self.values if name is None]

    def named(self, name: str, position: int) -> Value | None:
        """An argument by its keyword or its position."""
        for given, value, _ in self.values:
            if given == name:
                return value
        plain = self.positional()
        return plain[position] if position < len(plain) else None


def emit_call(em: Emitter, node: ast.Call) -> Value:
    """``f(...)``."""
    from tslint.script.interpreter.special import SPECIAL

    hint = em.hint
    if isinstance(node.func, ast.Name) and node.func.id == "super" and em.env.find("super") is None:
        return _super(em, node)
    callee = em.expression(node.func)
    if isinstance(callee, SpecialForm):
        found = known(callee.name)
        form = found.form if isinstance(found, Special) else callee.name.rpartition(".")[2]
        if form in SPECIAL:
            return SPECIAL[form](em, node)
    if isinstance(callee, ExternalValue):
        found = known(callee.name)
        if isinstance(found, Special) and found.form in SPECIAL:
            return SPECIAL[found.form](em, node)
        if isinstance(found, Special):
            arguments(em, node)
            return UNKNOWN
    given = arguments(em, node)
    em.hint = hint
    return call_value(em, callee, node, given)


def arguments(em: Emitter, node: ast.Call) -> Given:
    """Emit the arguments of a call."""
    from tslint.script.interpreter.expressions import starred_parts

    given = Given([])
    for argument in node.args:
        if isinstance(argument, ast.Starred):
            parts = starred_parts(em, em.expression(argument.value), argument, "call")
            if parts is None:
                given.whole = False
            else:
                given.values += [(None, part, argument) for part in parts]
        else:
            given.values.append((None, em.expression(argument), argument))
    for keyword in node.keywords:
        if keyword.arg is None:
            em.expression(keyword.value)
            given.whole = False
        else:
            given.values.append((keyword.arg, em.expression(keyword.value), keyword.value))
    return given


def typed_arguments(em: Emitter, given: Given) -> list[Arg]:
    """The arguments' types."""
    result = []
    for name, value, node in given.values:
        if isinstance(value, Alternatives):
            result.append(Arg(None, name))
        else:
            type_ = em.type_of(value, node)
            unknown = type_ is None or has_unknowns(type_)
            result.append(Arg(None if unknown else type_, name, isinstance(value, Typed) and value.empty))
    return result


def call_value(em: Emitter, callee: Value, node: ast.Call, given: Given) -> Value:
    """Call a value."""
    if isinstance(callee, Unknown):
        return UNKNOWN
    if isinstance(callee, Alternatives):
        return em.each(callee, lambda option: call_value(em, option, node, given))
    for position, (_, value, _) in enumerate(given.values):
        if isinstance(value, Alternatives) and not isinstance(callee, (ContainerValue,)):
            spot = position

            def substituted(option: Value, spot: int = spot) -> Value:
                values = list(given.values)
                values[spot] = (values[spot][0], option, values[spot][2])
                return call_value(em, callee, node, Given(values, given.whole))

            return em.each(value, substituted)
    if isinstance(callee, FunctionValue):
        return call_function(em, callee, node, given)
    if isinstance(callee, OperatorValue):
        return _call_operator(em, callee, node, given)
    if isinstance(callee, ModuleValue):
        return _call_module(em, callee, node, given)
    if isinstance(callee, ContainerValue):
        return _call_container(em, callee, node, given)
    if isinstance(callee, Schemas):
        return _match_all(em, callee.schemas, node, given, typed_arguments(em, given), "", callee.receiver)
    if isinstance(callee, ExternalValue):
        return call_external(em, callee, known(callee.name), node, given)
    if isinstance(callee, SpecialForm):
        return call_external(em, ExternalValue(callee.name), known(callee.name), node, given)
    if isinstance(callee, ClassValue):
        from tslint.script.interpreter.classes import construct

        return construct(em, callee, node, given)
    if isinstance(callee, TupleValue):
        em.report("container-called", node, "cannot call a value of type 'Tuple[…]'", container="tuple", path="")
        return UNKNOWN
    if isinstance(callee, Typed):
        if isinstance(callee.type, ClassType) and callee.type.kind == "module":
            em.report(
                "module-value-called",
                node.func,
                f"'{callee.type}' object has no attribute or method '__call__'",
                call=node,
            )
            return UNKNOWN
        if isinstance(callee.type, (TensorType, TupleType)) or callee.type.__class__.__name__ in (
            "Simple",
            "ListType",
            "DictType",
            "OptionalType",
        ):
            if str(callee.type) == "Any":
                return UNKNOWN
            em.report(
                "not-callable",
                node,
                f"cannot call a value of type '{callee.type}'",
                type=str(callee.type),
                callee=node.func,
            )
        return UNKNOWN
    if isinstance(callee, PythonValue):
        em.report(
            "closed-over-global",
            node,
            f"python value of type '{callee.type_name}' cannot be used as a value",
            name=callee.spelled,
            type_name=callee.type_name,
        )
    elif isinstance(callee, ModuleReference):
        em.report("not-callable", node, "cannot call a value", type="module", callee=node.func)
    return UNKNOWN


def _super(em: Emitter, node: ast.Call) -> Value:
    if node.args:
        em.report("super-call", node, "Python type cannot be used as a value", method=None)
        return UNKNOWN
    return SuperValue()


def signature(em: Emitter, callee: FunctionValue, bare: bool = False) -> Schema | None:
    """The schema of a function of the project; None where an annotation is not known.

    Args:
        bare: of an ignored function: its defaults are dropped.
    """
    from tslint.script.annotations import AnnotationReader
    from tslint.script.interpreter.function import has_annotations, is_static, parameters

    node = callee.function.node
    spec = node.args
    if spec.vararg or spec.kwarg or any(d is not None for d in spec.kw_defaults):
        return None
    listed = parameters(node)
    if callee.receiver is not None and not is_static(node):
        listed = listed[1:]
    if not has_annotations(node) and "# type:" in "".join(
        callee.function.module.source.lines[node.lineno - 1 : node.end_lineno]
    ):
        return None
    module = callee.function.module
    reader = AnnotationReader(lambda n: em.project.resolve_expression(module, n), em.class_type)
    defaults = {
        a.arg for a in [*spec.posonlyargs, *spec.args][len(spec.posonlyargs) + len(spec.args) - len(spec.defaults) :]
    }
    defaults |= {a.arg for a, d in zip(spec.kwonlyargs, spec.kw_defaults) if d is not None}
    formals: list[Argument] = []
    keyword_only = {a.arg for a in spec.kwonlyargs}
    for argument in listed:
        type_: Type = INFERRED_TENSOR
        if argument.annotation is not None:
            found = reader.read(argument.annotation)
            if not isinstance(found, Type):
                return None
            type_ = found
        default = "…" if argument.arg in defaults and not bare else None
        formals.append(Argument(argument.arg, type_, default, argument.arg in keyword_only))
    shown = ", ".join(f"{formal.type} {formal.name}" for formal in formals)
    return Schema(node.name, "", tuple(formals), (TENSOR,), ("",), f"{node.name}({shown})")


def call_function(em: Emitter, callee: FunctionValue, node: ast.Call, given: Given) -> Value:
    """Call a function of the project: compile it, and match its signature."""
    function = callee.function
    receiver = callee.receiver
    exempt = exemption(function, em.project)
    typed = typed_arguments(em, given)
    bound = receiver.instance.definition if isinstance(receiver, ModuleValue) else None
    if (
        isinstance(receiver, Typed)
        and isinstance(receiver.type, ClassType)
        and isinstance(receiver.type.definition, Class)
    ):
        bound = receiver.type.definition
    if exempt:
        if em.recording is not None:
            em.recording.exempt(function, bound, em.unit, node, exempt)
        return _call_ignored(em, callee, node, given, typed)
    if opaque_decorator(function, em.project) is not None:
        if em.recording is not None:
            em.recording.exempt(function, bound, em.unit, node, "decorated")
        return UNKNOWN
    if overloads(function, em.project):
        return _call_overloaded(em, callee, node, given, typed)
    if em.model.is_active(function, bound):
        if isinstance(receiver, ModuleValue) and receiver.path != "self":
            return UNKNOWN  # another instance of the same class: a module inside a module
        em.report(
            "recursion",
            node,
            f"{'method' if bound else 'function'} '{function.name}' is called recursively. Recursive calls are not"
            " supported",
            name=function.name,
        )
        return UNKNOWN
    _, returned = em.model.reach(function, bound, "method" if bound else "function", em.unit, node, em.atoms)
    schema = signature(em, callee)
    if schema is not None and given.whole:
        found = match([schema], typed)
        if not isinstance(found, Matched):
            if not _told_of_default(em, function, bound, found.message):
                _mismatch(em, node, found.message, schema, function, typed, given)
            return as_typed(returned)
        _check_omitted(em, node, schema, function, given)
    return as_typed(returned)


def _told_of_default(em: Emitter, function: Function, receiver: Class | None, message: str) -> bool:
    """Whether the parameter in question has been reported already for its default: one mistake, one finding."""
    return any(
        event.kind == "default-without-annotation" and f"argument '{event.facts['name']}'" in message
        for event in em.model.events.get((id(function), id(receiver)), ())
    )


def _check_omitted(em: Emitter, node: ast.Call, schema: Schema, function: Function, given: Given) -> None:
    """An unannotated parameter is a Tensor, and its default None cannot be written into the graph as one."""
    spec = function.node.args
    defaults = dict(zip([a.arg for a in [*spec.posonlyargs, *spec.args]][::-1], spec.defaults[::-1]))
    for position, formal in enumerate(schema.arguments):
        default = defaults.get(formal.name)
        none = isinstance(default, ast.Constant) and default.value is None
        if none and isinstance(formal.type, TensorType) and given.named(formal.name, position) is None:
            em.report(
                "none-default-omitted",
                node,
                "Unsupported value kind: Tensor",
                name=formal.name,
                function=function,
                inferred=formal.type.inferred,
            )
            return


def _mismatch(
    em: Emitter,
    node: ast.Call,
    message: str,
    schema: Schema,
    function: object,
    typed: list[Arg],
    given: Given,
) -> None:
    lines = message.split("\n")
    em.report(
        "call-mismatch",
        node,
        lines[1] if len(lines) > 1 else lines[0],
        schema=schema,
        function=function,
        message=message,
        types=[str(argument.type) if argument.type is not None else "?" for argument in typed],
        given=given,
    )


def _call_ignored(em: Emitter, callee: FunctionValue, node: ast.Call, given: Given, typed: list[Arg]) -> Value:
    """A call of an ignored function: checked against its signature without defaults, all Tensor where not annotated."""
    spec = callee.function.node.args
    if spec.vararg or spec.kwarg or spec.kwonlyargs:
        return _call_variadic(em, callee, node, given, typed)
    schema = signature(em, callee, bare=True)
    returns = callee.function.node.returns
    if schema is not None and given.whole:
        found = match([schema], typed)
        if not isinstance(found, Matched):
            _mismatch(em, node, found.message, schema, callee.function, typed, given)
            return UNKNOWN
    from tslint.script.interpreter.function import has_annotations

    if returns is None:
        return UNKNOWN if has_annotations(callee.function.node) else Typed(TENSOR)
    from tslint.script.annotations import AnnotationReader

    module = callee.function.module
    read = AnnotationReader(lambda n: em.project.resolve_expression(module, n), em.class_type).read(returns)
    return Typed(read) if isinstance(read, Type) else UNKNOWN


def _call_variadic(em: Emitter, callee: FunctionValue, node: ast.Call, given: Given, typed: list[Arg]) -> Value:
    """A call of an ignored function with ``*args`` or ``**kwargs``: its annotations break the compiler; without any,
    ``...`` ends its schema, which takes any positional arguments and no keywords."""
    from tslint.script.interpreter.function import has_annotations

    function = callee.function
    if has_annotations(function.node):
        return em.report(
            "ignored-variadic",
            node,
            "arg_types.size() == param_names.size() - (moduleSelf_ ? 1 : 0) INTERNAL ASSERT FAILED",
            name=function.name,
            function=function,
        )
    names = [argument.arg for argument in function.node.args.args]
    if callee.receiver is not None and names:
        names = names[1:]
    formals = tuple(Argument(name, TENSOR, None, False) for name in names)
    schema = Schema(function.name, "", formals, (TENSOR,), ("",), f"{function.name}({', '.join(names)}, ...) -> Tensor")
    if function.node.args.vararg:
        plain = [argument for argument in typed if argument.name is None]
        typed = plain[: len(names)] + [argument for argument in typed if argument.name is not None]
    if given.whole and "# type:" not in "".join(
        function.module.source.lines[function.node.lineno - 1 : function.node.end_lineno]
    ):
        found = match([schema], typed)
        if not isinstance(found, Matched):
            _mismatch(em, node, found.message, schema, function, typed, given)
            return UNKNOWN
    return Typed(TENSOR)


def _call_overloaded(em: Emitter, callee: FunctionValue, node: ast.Call, given: Given, typed: list[Arg]) -> Value:
    """A function whose signatures are declarations marked ``_overload``: the first that fits is compiled."""
    schemas_: list[Schema] = []
    for declaration in overloads(callee.function, em.project):
        schema = signature(em, FunctionValue(declaration, callee.receiver))
        returned = declaration.node.returns
        result = em.reader_of(declaration.module).read(returned) if returned is not None else None
        if schema is None or not isinstance(result, Type):
            return UNKNOWN
        schemas_.append(replace(schema, returns=(result,)))
    if not given.whole or not schemas_:
        return UNKNOWN
    found = match(schemas_, typed)
    if isinstance(found, Matched):
        return as_typed(found.return_type)
    _operator_mismatch(em, node, callee.function.name, found.message, typed, None, given)
    return UNKNOWN


def _call_module(em: Emitter, callee: ModuleValue, node: ast.Call, given: Given) -> Value:
    definition = callee.instance.definition
    typed = typed_arguments(em, given)
    if definition is None:
        return _call_torch_module(em, callee, node, given, typed)
    hierarchy = em.model.hierarchy(definition)
    facts = em.model.facts(definition)
    member = hierarchy.members.get("forward")
    if member is None and _has_no_forward(em, callee, definition):
        return em.report(
            "no-forward",
            node,
            "Compiled functions can't take variable number of arguments or use keyword-only arguments with defaults",
            class_name=definition.qualname,
            path=callee.path,
            class_=definition,
        )
    if (
        member is None
        or member.function is None
        or "forward" in facts.attributes
        or facts.hooked
        or callee.instance.hooks
    ):
        return UNKNOWN
    if "__call__" in hierarchy.members:
        return UNKNOWN
    return call_function(em, FunctionValue(member.function, callee), node, given)


def _has_no_forward(em: Emitter, callee: ModuleValue, definition: Class) -> bool:
    """Whether a module has nothing but ``nn.Module``'s own ``forward``, which raises, and takes ``*input``."""
    facts = em.model.facts(definition)
    only = {base.name for base in facts.hierarchy.externals} <= {
        "torch.nn.Module",
        "abc.ABC",
        "typing.Generic",
        "builtins.object",
    }
    return (
        only
        and not facts.open
        and "forward" not in facts.attributes
        and "forward" not in facts.elsewhere
        and not callee.instance.hooks
    )


def _call_torch_module(em: Emitter, callee: ModuleValue, node: ast.Call, given: Given, typed: list[Arg]) -> Value:
    found = module_class(callee.instance.external)
    if found is None or callee.instance.hooks or not isinstance(found.forward, tuple):
        return UNKNOWN
    if given_argument(callee.instance, found, "return_indices") is not None:
        return UNKNOWN  # a boolean dispatch: two forwards in one
    own = found.forward[0].arguments[0].type if found.forward[0].arguments else None
    return _match_all(em, found.forward, node, given, typed, callee.instance.external, own)


def _call_container(em: Emitter, callee: ContainerValue, node: ast.Call, given: Given) -> Value:
    if callee.kind == "Sequential":
        value: Value = UNKNOWN
        positional = given.positional()
        if callee.items and len(positional) == 1:
            value = positional[0]
            for item in callee.items:
                value = call_value(em, item, node, Given([(None, value, node)]))
        return value
    if callee.kind in ("ModuleList", "ModuleDict", "slice"):
        word = "a slice of a container" if callee.kind == "slice" else f"nn.{callee.kind}"
        em.report("container-called", node, f"{callee.kind} object is not callable", container=word, path=callee.path)
    return UNKNOWN


def _call_operator(em: Emitter, callee: OperatorValue, node: ast.Call, given: Given) -> Value:
    if callee.name.startswith("container::"):
        owner = callee.receiver
        if isinstance(owner, ContainerValue):
            view = {
                "children": "values",
                "named_children": "items",
                "keys": "keys",
                "values": "values",
                "items": "items",
            }.get(callee.spelled)
            if view is not None:
                return ContainerValue(owner.kind, owner.items, owner.keys, owner.element, owner.path, view)
        return UNKNOWN
    if callee.name == "unbound::method":
        first = given.values[0][1] if given.values else UNKNOWN
        if isinstance(first, ModuleValue):
            em.report(
                "base-method-call",
                node,
                "Expected a value of type 'Tensor (inferred)' for argument 'self' but instead found type "
                f"'{module_name(first.instance)}",
                name=callee.spelled,
            )
        return UNKNOWN
    from tslint.script.interpreter.special import METHODS

    method = callee.name.partition("::")[2]
    if isinstance(callee.receiver, Typed) and method in METHODS:
        special = METHODS[method](em, callee.receiver, node, given)
        if special is not None:
            return special
    overloads = schemas(callee.name)
    if not overloads:
        return UNKNOWN
    typed = typed_arguments(em, given)
    receiver = callee.receiver
    own = Arg(receiver.type, None, receiver.empty) if isinstance(receiver, Typed) else None
    if not given.whole:
        return UNKNOWN
    found = match(overloads, typed, own)
    if isinstance(found, Matched):
        return as_typed(found.return_type)
    _operator_mismatch(em, node, callee.name, found.message, typed, receiver, given)
    return UNKNOWN


def _operator_mismatch(
    em: Emitter,
    node: ast.Call,
    name: str,
    message: str,
    typed: list[Arg],
    receiver: Value | None,
    given: Given,
) -> None:
    from tslint.script.types import ListType

    lines = message.split("\n")
    method = name.partition("::")[2]
    list_type = receiver.type if isinstance(receiver, Typed) and isinstance(receiver.type, ListType) else None
    if list_type is not None and method in ("append", "insert", "extend") and typed:
        em.report(
            "list-element",
            node,
            lines[1] if len(lines) > 1 else lines[0],
            method=method,
            list=str(list_type),
            element=str(typed[-1].type),
            owner=node.func.value if isinstance(node.func, ast.Attribute) else None,
            message=message,
        )
        if isinstance(node.func, ast.Attribute) and isinstance(node.func.value, ast.Name):
            em.env.set(node.func.value.id, UNKNOWN)  # what the list was meant to hold is not known
        return
    em.report(
        "operator-mismatch",
        node,
        lines[0] if lines[0].startswith("Arguments for call") else (lines[1] if len(lines) > 1 else lines[0]),
        operator=name,
        word="",
        message=message,
        given=given,
        types=[str(argument.type) if argument.type is not None else "?" for argument in typed],
    )


def _match_all(
    em: Emitter,
    overloads: tuple[Schema, ...],
    node: ast.Call,
    given: Given,
    typed: list[Arg],
    name: str,
    receiver: Type | None = None,
) -> Value:
    if not given.whole or not overloads:
        return UNKNOWN
    found = match(overloads, typed, receiver)
    if isinstance(found, Matched):
        return as_typed(found.return_type)
    lines = found.message.split("\n")
    em.report(
        "operator-mismatch",
        node,
        lines[0] if lines[0].startswith("Arguments for call") else (lines[1] if len(lines) > 1 else lines[0]),
        operator=name,
        word="",
        message=found.message,
        given=given,
        types=[str(argument.type) if argument.type is not None else "?" for argument in typed],
    )
    return UNKNOWN


def call_external(em: Emitter, callee: ExternalValue, found: Known | None, node: ast.Call, given: Given) -> Value:
    """Call something that the tables know."""
    name = callee.name
    if found is None or isinstance(found, (ExceptionClass, Constant, Special)):
        return UNKNOWN
    if isinstance(found, Operator):
        return _match_all(em, schemas(found.operator), node, given, typed_arguments(em, given), name)
    if isinstance(found, CompiledFunction):
        return _match_all(em, found.schemas, node, given, typed_arguments(em, given), name)
    if isinstance(found, BooleanDispatch):
        return _dispatch(em, found, node, given)
    if isinstance(found, Cast):
        typed = typed_arguments(em, given)
        if len(typed) == 1 and typed[0].type is not None and schemas(found.operator):
            if typed[0].type != found.type and not isinstance(match(schemas(found.operator), typed), Matched):
                _match_all(em, schemas(found.operator), node, given, typed, name)
        return Typed(found.type)
    if isinstance(found, PythonOperator):
        return _python_operator(em, callee, node, given)
    if isinstance(found, ModuleClass):
        return em.report(
            "module-construction",
            node,
            f"Cannot instantiate class '{name.rpartition('.')[2]}' in a script function",
            name=name,
        )
    if isinstance(found, PythonData):
        if found.type_name == "method":
            # A bound method is called with its `self` as one more parameter, which nobody can give.
            root = name.partition(".")[0]
            return em.report(
                "numpy-call" if root == "numpy" else "foreign-call",
                node,
                f"{name.partition('.')[2]}(Tensor self, ...) -> Tensor 0",
                name=name,
                short=name.rpartition(".")[2],
                package=root,
                reason="python-operator",
            )
        if found.type_name == "builtin_function_or_method":
            return _python_operator(em, callee, node, given)
        return UNKNOWN
    if isinstance(found, Unsupported):
        return _unsupported(em, callee, found, node, given)
    return UNKNOWN


def _unsupported(em: Emitter, callee: ExternalValue, found: Unsupported, node: ast.Call, given: Given) -> Value:
    name, root = callee.name, callee.name.partition(".")[0]
    last = name.rpartition(".")[2]
    place: ast.AST = node
    if name in ("torch.autograd.Variable", "torch.autograd.variable.Variable", "torch.Variable"):
        kind = "variable-call"
    elif root == "numpy":
        kind = "numpy-call"
    elif root == "builtins":
        kind = "unsupported-builtin"
    elif root == "torch":
        kind = (
            "module-construction"
            if found.reason == "class" and name.startswith("torch.nn.")
            else "unsupported-torch-call"
        )
    else:
        kind = "foreign-call"
    types = [str(value.type) if isinstance(value, Typed) else "?" for _, value, _ in given.values]
    return em.report(
        kind,
        place,
        found.message,
        name=name,
        short=last,
        package=root,
        reason=found.reason,
        types=types,
        names=em.visible(),
    )


def _python_operator(em: Emitter, callee: ExternalValue, node: ast.Call, given: Given) -> Value:
    """A callable that the compiler leaves to Python: everything is a Tensor."""
    root = callee.name.partition(".")[0]
    for position, (_, value, argument) in enumerate(given.values):
        if isinstance(value, (Unknown, Alternatives)):
            continue
        kind = {"builtins": "unsupported-builtin", "numpy": "numpy-call"}.get(root, "foreign-call")
        if not isinstance(value, (Typed, TupleValue, ModuleValue, ContainerValue)):
            return em.report(
                kind,
                node,
                f"{value_kind(value) or 'Python type'} cannot be used as a value",
                name=callee.name,
                short=callee.name.rpartition(".")[2],
                package=root,
                reason="python-operator",
                path="",
                argument=argument,
                types=[],
                names=em.visible(),
            )
        type_ = em.type_of(value, argument)
        if type_ is not None and not isinstance(type_, TensorType) and str(type_) != "Any":
            container = value if isinstance(value, ContainerValue) else None
            if container is not None and callee.name == "builtins.reversed":
                kind = "container-reversed"
            return em.report(
                kind,
                node,
                f"Expected a value of type 'Tensor' for argument '{position}' but instead found type '{type_}'",
                name=callee.name,
                short=callee.name.rpartition(".")[2],
                package=root,
                reason="python-operator",
                path=container.path if container else "",
                argument=argument,
                types=[str(type_)],
                names=em.visible(),
            )
    return Typed(TENSOR) if root != "builtins" else UNKNOWN


def _dispatch(em: Emitter, found: BooleanDispatch, node: ast.Call, given: Given) -> Value:
    flag = given.named(found.argument, found.index)
    chosen: bool | None = found.default
    if flag is not None:
        chosen = bool(flag.constant) if isinstance(flag, Typed) and flag.type == BOOL and flag.is_constant else None
    if chosen is None or not given.whole:
        return UNKNOWN
    target = found.if_true if chosen else found.if_false
    if isinstance(target, BooleanDispatch):
        return _dispatch(em, target, node, given)
    return _match_all(em, target.schemas, node, given, typed_arguments(em, given), found.name)


__all__ = ["Given", "TupleValue", "arguments", "call_value", "emit_call", "typed_arguments", "value_kind"]
