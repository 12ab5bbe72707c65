"""Ensures that values which may be None are not None, and tests the type of values that may have several types."""

from __future__ import annotations

from collections.abc import Sequence

import libcst as cst

from tslint.diagnostics import Edit, Fix, Risk
from tslint.rewrite.compiled_form import asserted, in_compiled_code, is_split, small
from tslint.rewrite.decided import ASKED
from tslint.rewrite.loops import with_parts
from tslint.rewrite.nested_if import after_none_test, may_be_set_later, nested_if
from tslint.rewrite.none_test import NOT_AN_ARRAY, by_identity
from tslint.rewrite.optional_tensor import as_optional
from tslint.rulekit import matchers as m
from tslint.rulekit.definition import without_leading
from tslint.rulekit.literals import is_constant
from tslint.rulekit.match import Match
from tslint.rulekit.rule import Edits, safe, unsafe
from tslint.rulekit.template import block, expression, statement, substituted
from tslint.script.dataflow import nones
from tslint.script.dataflow.evaluation import evaluated
from tslint.script.dataflow.index_proofs import place_of
from tslint.script.dataflow.naming import unused_name
from tslint.script.dataflow.plain_types import is_size
from tslint.script.dataflow.regions import bound_inside
from tslint.script.dataflow.whole_numbers import certain_int, is_count
from tslint.script.events.calls import OperatorMismatch
from tslint.script.types import (
    ANY,
    ANYTHING,
    BOOL,
    FLOAT,
    INT,
    NONE,
    STRING,
    TENSOR,
    OptionalType,
    TensorType,
    Type,
    UnionType,
    holds,
    may_be_none,
)

_SIMPLE = m.Assign() | m.AnnAssign() | m.AugAssign() | m.Expr() | m.Return()
_TO_A_NAME = m.Assign(targets=[m.AssignTarget(m.Name())])
_MOST_UNIONS = 2
_FUNCTIONAL = "torch.nn.functional."
_TYPES = {TENSOR, FLOAT, INT, BOOL, STRING}
_EQUALS, _DIFFERS = m.ComparisonTarget(m.Equal()), m.ComparisonTarget(m.NotEqual())


def without_none_fix(match: Match, node: cst.CSTNode, type_: Type) -> Fix | None:
    """Return a fix after which an Optional is not None where it is used: an ``assert`` for a variable, a new variable
    for an attribute, or an ``if`` for a value that is None in some constructions.
    """
    if type_ == NONE and isinstance(node, (cst.Attribute, cst.Name)) and (fix := after_none_test(match, node)):
        return fix
    if isinstance(node, cst.Attribute) and may_be_none(type_):
        return _for_the_test(match, node) or (_by_local(match, node) if isinstance(type_, OptionalType) else None)
    return assert_not_none(match, node, type_) if isinstance(node, cst.Name) else None


def assert_not_none(match: Match, node: cst.CSTNode, type_: Type) -> Fix | None:
    """Put an ``assert`` before the statement, so that an Optional variable is not None; in a conditional expression,
    put it into the branch that needs it.

    Python runs the ``assert``, too, if Python would raise in that statement anyway; otherwise only compiled code does.
    """
    line = match.line()
    if not isinstance(type_, OptionalType) or not isinstance(node, cst.Name):
        return None
    if not isinstance(line, (cst.SimpleStatementLine, cst.For)):
        return None
    tree, member, name = match.file.tree, match.model(small(line)), node.value
    if nones.asserted_right_before(tree, member, name) or nones.computed_before(tree, member, name):
        # There is such an `assert`, and it has not removed the error: adding another one would not help.
        return None
    if not evaluated([member], match.model(node)):
        return _in_its_branch(match, line, node) if isinstance(line, cst.SimpleStatementLine) else None
    for_python = nones.raises_with_none(tree, member, name) or _is_for_tensors(match, node)
    if isinstance(small(line), cst.Assert) and not for_python:
        return None  # an assert before the author's own could reject values that the author's accepts
    made, imports = asserted(match, name, raises=for_python)
    message = f"Put `assert {name} is not None` before the statement"
    return _for_certain(message, for_python, lambda: (match.insert_before(line, made), *imports))


def _in_its_branch(match: Match, line: cst.SimpleStatementLine, node: cst.Name) -> Fix | None:
    """Write a conditional expression as an ``if``, with the ``assert`` in the branch that needs it; None for other
    code.

    An ``assert`` before the statement would raise in compiled code that takes the other branch.
    """
    only = line.body[0]
    value = only.value if isinstance(only, (cst.Assign, cst.Return)) else None
    if len(line.body) != 1 or not isinstance(value, cst.IfExp) or value.lpar:
        return None
    if isinstance(only, cst.Assign) and not m.matches(only, _TO_A_NAME):
        return None
    branches = [each for each in (value.body, value.orelse) if evaluated([match.model(each)], match.model(node))]
    if len(branches) != 1:
        return None
    compiled_only = branches[0] is value.body and m.matches(value.test, ASKED)
    tree, branch = match.file.tree, match.model(branches[0])
    for_python = not compiled_only and (
        nones.raises_with_none(tree, branch, node.value) or _is_for_tensors(match, node)
    )
    made, imports = asserted(match, node.value, raises=compiled_only or for_python)

    def edits() -> tuple[Edit, ...]:
        body, orelse = (without_leading(with_parts(line, {value: each})) for each in (value.body, value.orelse))
        orelse = orelse.with_changes(trailing_whitespace=cst.TrailingWhitespace())
        first, second = (
            block([*([made] if each is branches[0] else []), written])
            for each, written in ((value.body, body), (value.orelse, orelse))
        )
        return (*match.rewrite(line, cst.If(value.test, first, orelse=cst.Else(second))), *imports)

    return _for_certain(f"Write an `if`, and put `assert {node.value} is not None` into its branch", for_python, edits)


def _for_certain(message: str, for_python: bool, edits: Edits) -> Fix:
    """Return the fix that adds an assertion; if Python runs it, too, Python raises another exception than before."""
    risks = (Risk.EXCEPTION,) if for_python else (Risk.RAISES,)
    return unsafe(message if for_python else f"{message}, in compiled code", edits, risks=risks)


def _by_local(match: Match, node: cst.Attribute) -> Fix | None:
    """Write ``bias = self.bias`` and an ``assert`` before the statement, and use ``bias`` in it. The ``assert`` is left
    out if the statement itself tests the attribute for None.

    Return None if the attribute may change before it is used, or if the statement does not always read it.
    """
    line, function = match.line(), match.function
    if function is None or not isinstance(line, cst.SimpleStatementLine) or not m.matches(line.body[0], _SIMPLE):
        return None
    if not is_dotted(node):
        return None
    tree, member, attribute = match.file.tree, match.model(line.body[0]), match.model(node)
    if not nones.reads_in_any_case(member, attribute):
        return None
    if not nones.is_steady(tree, match.model(function), member, attribute):
        return None
    name = _variable_for(match, node)
    asks = nones.asks_for_none(member, attribute)
    for_python = asks or nones.is_guarded(tree, attribute) or _is_for_tensors(match, node)
    for_python = for_python or nones.attribute_raises_with_none(tree, member, attribute)
    sure, imports = asserted(match, name, raises=for_python)
    message = f"Assign {match.quote(node)} to a variable, `{name}`, and assert that the variable is not None"

    def edits() -> tuple[Edit, ...]:
        new: dict[cst.CSTNode, cst.CSTNode] = {
            match.libcst(each): cst.Name(name) for each in nones.reads_of(member, attribute)
        }
        taken = statement("{name} = {value}", name=name, value=node)
        kept = []
        if nones.stores_to(member, attribute) and isinstance(line.body[0], cst.AugAssign):
            new[line.body[0].target] = cst.Name(name)
            kept = [statement("{value} = {name}", name=name, value=node)]
        written = with_parts(line, new)
        rewritten = match.rewrite(line, *[taken, *([] if asks else [sure]), written, *kept])
        later = _reads_below(match, line, node) if kept or not nones.changes(member, attribute) else []
        same = [edit for each in later for edit in match.replace(each, cst.Name(name))]
        return (*rewritten, *same, *([] if asks else imports))

    return _for_certain(message, for_python, edits)


def _for_the_test(match: Match, node: cst.Attribute) -> Fix | None:
    """Write ``mask = self.mask`` before ``if self.mask is None or self.mask.size(0) != n:``, and ``mask`` in the test:
    the compiler forgets what a test says about an attribute.
    """
    line, function = match.line(), match.function
    if not isinstance(line, cst.If) or function is None or not is_dotted(node):
        return None
    test, attribute = match.model(line.test), match.model(node)
    above = next(iter(match.ancestors(line)), None)
    if not nones.asks_first(test, attribute) or (isinstance(above, cst.If) and above.orelse is line):
        return None
    if not nones.is_steady(match.file.tree, match.model(function), test, attribute):
        return None
    name = _variable_for(match, node)

    def edits() -> tuple[Edit, ...]:
        reads = [match.libcst(each) for each in nones.reads_of(test, attribute)]
        taken = statement("{name} = {value}", name=name, value=node)
        return (
            match.insert_before(line, taken),
            *(edit for each in reads for edit in match.replace(each, cst.Name(name))),
        )

    return safe(f"Assign {match.quote(node)} to a variable, `{name}`, and test the variable", edits)


def _reads_below(match: Match, line: cst.SimpleStatementLine, node: cst.Attribute) -> list[cst.CSTNode]:
    """Return the reads of an attribute in the statements below, up to the first that may change the attribute."""
    tree, attribute, function = match.file.tree, match.model(node), match.function
    found: list[cst.CSTNode] = []
    lines = match.siblings(line.body[0])
    start = next((index for index, each in enumerate(lines) if each is line.body[0]), len(lines))
    for each in lines[start + 1 :]:
        member = match.model(each)
        simple = m.matches(each, _SIMPLE | m.If()) and not nones.changes(member, attribute)
        if function is None or not simple or not nones.is_steady(tree, match.model(function), member, attribute):
            break
        found += [match.libcst(read) for read in nones.reads_of(member, attribute)]
    return found


def _is_for_tensors(match: Match, node: cst.CSTNode) -> bool:
    """Return whether an expression is an argument for which None raises: an operator of torch only takes tensors there,
    or it is the input of a function of ``torch.nn.functional``, or an operand next to a tensor or a number.
    """
    event, used = match.event, match.libcst(match.event.node)
    operands: tuple[cst.CSTNode, ...] = ()
    if isinstance(used, cst.BinaryOperation):
        operands = used.left, used.right
    elif isinstance(used, cst.AugAssign):
        operands = used.target, used.value
    if isinstance(event, OperatorMismatch) and node in operands:
        other = event.types[operands[0] is node]
        return other in (INT, FLOAT) or (isinstance(other, TensorType) and not other.inferred)
    if not isinstance(event, OperatorMismatch) or not isinstance(used, cst.Call):
        return False
    found = event.diagnosis
    if not event.builtin and not (event.operator.startswith(_FUNCTIONAL) and found.parameter == "input"):
        return False
    if TENSOR not in found.expected or any(may_be_none(each) or each == ANY for each in found.expected):
        return False
    return found.argument is not None and match.libcst(found.argument) is node


def by_type(match: Match, node: cst.CSTNode, type_: Type) -> Fix | None:
    """Repeat the statement for each type that a variable may have, under ``isinstance``."""
    line = match.line()
    if (
        not isinstance(node, cst.Name)
        or not isinstance(type_, UnionType)
        or not isinstance(line, cst.SimpleStatementLine)
    ):
        return None
    member, options, name = line.body[0], type_.order, node.value
    if not set(options) <= _TYPES:
        return None
    if not m.matches(member, m.Assign() | m.Expr() | m.Return() | m.AugAssign(target=~m.Name(name))):
        return None
    function = match.function
    if bound_inside(match.file.tree, match.model(node), match.model(member)):
        return None  # a comprehension's variable does not exist in front of its statement
    if function is None or len(nones.alike(match.model(function), match.model(member), name)) > _MOST_UNIONS:
        return None
    torch, imports = match.imported("torch")

    def edits() -> tuple[Edit, ...]:
        body = block([without_leading(line)])
        made: cst.If | cst.Else = cst.Else(body)
        for option in reversed(options[:-1]):
            written = f"{torch}.Tensor" if option == TENSOR else str(option)
            test = expression("isinstance({name}, {type})", name=name, type=written)
            made = cst.If(test, body, orelse=made)
        assert isinstance(made, cst.If)
        return (*match.rewrite(line, made), *imports)

    return safe(f"Repeat the statement for each type of `{name}`", edits)


def none_first(match: Match, node: cst.Comparison, types: Sequence[Type]) -> Fix | None:
    """Write ``mode == "a"`` as ``(mode is not None and mode == "a")`` for a variable that may be None.

    A value that is None in some constructions becomes ``(mode == "a" if mode is not None else False)``: the compiler
    compiles both sides of an ``and`` (``emitShortCircuitLogical`` in its ``ir_emitter.cpp``), but only the chosen
    branch of a conditional expression (``emitTernaryIf``).
    """
    target = node.comparisons[0]
    equal = m.matches(target, _EQUALS)
    known = len(node.comparisons) == 1 and not any(holds(each, TENSOR) or each == ANYTHING for each in types)
    start, end = match.place(node)
    if not (equal or m.matches(target, _DIFFERS)) or not known or start.row != end.row:
        return None
    operands = [node.left, target.comparator]
    nones_ = [
        operand
        for operand, type_ in zip(operands, types)
        if type_ == NONE or (isinstance(type_, OptionalType) and isinstance(operand, cst.Name))
    ]
    # If both may be None, they may be equal.
    several = sum(may_be_none(each) for each in types) > 1
    if len(nones_) != 1 or several or not is_dotted(nones_[0]) or is_split(match, node):
        return None
    asked = nones_[0]
    if nones.asked_around(match.file.tree, match.model(node), match.model(asked)):
        return None  # an enclosing test for None has not removed the error
    other = operands[1] if asked is operands[0] else operands[0]
    if isinstance(asked, cst.Attribute) and may_be_set_later(match, asked) and _is_never_none(match, other):
        return _variable_first(match, node, asked, equal)
    if any(each == NONE for each in types):
        pattern = "{test} if {asked} is not None else " + ("False" if equal else "True")
    else:
        pattern = "{asked} is not None and {test}" if equal else "{asked} is None or {test}"

    def new() -> cst.BaseExpression:
        return expression(pattern, test=node, asked=asked)

    message = f"Test first whether {match.quote(asked)} is None"
    if _is_never_none(match, other) and nones.reads_alike_twice(match.file.tree, match.model(asked)):
        # None is not equal to any number, string or tuple.
        there = expression("{asked} is not None", asked=asked)
        nested = nested_if(match, node, there) if equal and any(each == NONE for each in types) else None
        return safe(message, nested or (lambda: match.replace(node, new())))
    return in_compiled_code(match, node, new, message)


def _variable_first(match: Match, node: cst.Comparison, asked: cst.Attribute, equal: bool) -> Fix | None:
    """Write ``size = self.size`` before ``if n != self.size:``, and test whether ``size`` is None, for an attribute
    that starts as None and gets another value later.
    """
    line = match.line()
    if not isinstance(line, cst.If) or line.test is not node:
        return None
    above = next(iter(match.ancestors(line)), None)
    if isinstance(above, cst.If) and above.orelse is line:
        return None
    name = _variable_for(match, asked)
    pattern = "{name} is not None and {test}" if equal else "{name} is None or {test}"

    def edits() -> tuple[Edit, ...]:
        taken = statement("{name} = {value}", name=name, value=asked)
        test = expression(pattern, name=name, test=substituted(node, {asked: cst.Name(name)}))
        return (match.insert_before(line, taken), *match.replace(node, test))

    return safe(f"Assign {match.quote(asked)} to a variable, `{name}`, and test first whether it is None", edits)


def _variable_for(match: Match, node: cst.Attribute) -> str:
    """Return a name for a variable that gets the value of an attribute."""
    function, name = match.model(match.function) if match.function else match.event.node, node.attr.value
    return name if unused_name(function, name) == name else unused_name(function, f"current_{name}")


def _is_never_none(match: Match, node: cst.BaseExpression) -> bool:
    """Return whether an expression is certainly a number, a string, or a tuple or list of such values."""
    if isinstance(node, (cst.Tuple, cst.List)):
        return all(isinstance(each, cst.Element) and _is_never_none(match, each.value) for each in node.elements)
    model = match.model(node)
    counted = is_count(match.file.tree, model) or certain_int(model, place_of(match.file.tree, model))
    return is_constant(node) or is_size(model) or counted


def is_dotted(node: cst.CSTNode) -> bool:
    """Return whether an expression is a name, or a dotted name such as ``a.b.c``."""
    while isinstance(node, cst.Attribute):
        node = node.value
    return isinstance(node, cst.Name)


def is_none(match: Match, node: cst.Comparison, types: Sequence[Type]) -> Fix | None:
    """Write ``x == None`` as ``x is None``; if ``x`` is a Tensor parameter, also annotate it as Optional.

    Return None for any other Tensor, for a value of type ``Any``, and if the file defines ``__eq__`` or ``__ne__``.
    """
    if ANY in types or not nones.equals_none(match.file.tree, match.model(node)):
        return None
    word = "is" if m.matches(node.comparisons[0], _EQUALS) else "is not"
    fix = unsafe(f"Write `{word} None`", lambda: match.replace(node, by_identity(node)), assumes=NOT_AN_ARRAY)
    if TENSOR not in types:
        return fix
    optional = _optional_parameter(match, node.left)
    if optional is None:
        return None
    message = f"{optional.message}, and write `{word} None`"
    risks = tuple(dict.fromkeys([*fix.risks, *optional.risks]))
    return unsafe(message, *optional.edits, *fix.edits, risks=risks, assumes=optional.assumes or fix.assumes)


def _optional_parameter(match: Match, node: cst.BaseExpression) -> Fix | None:
    """Annotate a parameter as Optional if it is not assigned before this use; without an annotation it is a Tensor."""
    function = match.function
    if function is None or not isinstance(node, cst.Name):
        return None
    if not nones.is_as_passed(match.model(function), match.model(node)):
        return None
    parameters = (*function.params.params, *function.params.kwonly_params)
    found = next((each for each in parameters if each.name.value == node.value), None)
    return as_optional(match, found, likely="Tensor") if found is not None else None
