"""Replaces a subscript whose index is only known at run time by a loop that compares this index with each index."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import libcst as cst

from tslint.diagnostics import Edit, Fix, Risk
from tslint.rewrite.compiled_form import small
from tslint.rewrite.fresh_names import counter, fresh_name
from tslint.rewrite.loops import Parts, failure, grouped, index_of, raised, same, with_parts, zipped
from tslint.rewrite.module_names import LOOPS, collide, shared_name, singular, taken_by_name
from tslint.rewrite.nested_walks import left_alone, needs_another
from tslint.rulekit import matchers as m
from tslint.rulekit.cstwalk import all_of
from tslint.rulekit.match import Match
from tslint.rulekit.rule import for_a_person, safe, unsafe
from tslint.rulekit.template import Line, block, code, expression, statement
from tslint.script.dataflow.changes import may_change
from tslint.script.dataflow.evaluation import evaluated
from tslint.script.dataflow.first_evaluated import comes_first
from tslint.script.dataflow.index_proofs import is_proven, looks_integer, may_hold_none, place_of
from tslint.script.dataflow.liveness import read_later, stored_names
from tslint.script.dataflow.loops import acts_before, is_stored
from tslint.script.dataflow.regions import are_modules, bound_inside, is_steady, region_of, returns
from tslint.script.dataflow.scopes import is_needed_elsewhere, peeps
from tslint.script.dataflow.scripting_tests import is_only_compiled
from tslint.script.events.modules import ContainerIndex
from tslint.util.record import record

_FROM = m.BinaryOperation(operator=m.Subtract(), right=m.Name() | m.Attribute(m.Name()) | m.Integer())
_NAMED = m.Assign(targets=[m.AssignTarget(m.Name())])
_NUMBER = m.Integer() | m.Float()
_WRITTEN_OUT = _NUMBER | m.UnaryOperation(expression=_NUMBER) | m.SimpleString() | m.ConcatenatedString() | m.Tuple()


def walked(match: Match, node: cst.Subscript, keys: bool = False) -> Fix | None:
    """Loop over the container, and run the code that needs the module if the index is the wanted one.

    If there may be no such module, a line before the loop raises what Python raises. If that cannot be written, only
    compiled code loops.

    Args:
        match: provides the file and the function.
        node: the subscript that reads a module.
        keys: whether the container is a dict.

    Returns:
        None if the statements cannot move, if the index or the container might change, or if several loops are needed.
    """
    tree, model, path = match.file.tree, match.model(node), node.value
    index = index_of(node)
    if index is None or not _is_path(path) or is_stored(model) or may_hold_none(tree, match.model(path)):
        return None
    steady = is_steady(tree, model.slice)
    region = region_of(tree, model, model.slice, steady, _alike(match, path, index))
    lines = _lines(match, region) if region and not may_change(tree, region, match.model(path)) else None
    if region is None or lines is None or not (steady or comes_first(region[0], model)):
        return None
    paths = [path, *([] if keys else _beside(match, node, lines))]
    read = [use for line in lines for use in all_of(line, cst.Subscript)]
    uses = [[use for use in read if takes(match, use, each, index)] for each in paths]
    replaced = [use for group in uses for use in group]
    models = [match.model(use) for use in replaced]
    unfit = any(is_stored(use) or any(bound_inside(tree, use, each) for each in region) for use in models)
    if unfit or len(left_alone(match, index, paths)) > 1 or needs_another(match, node, lines, replaced):
        return None
    names, alias = _names(match, region, lines, uses)
    position = fresh_name(match, "key", names) if keys else counter(match)
    parts: Parts = {use: cst.Name(name) for name, group in zip(names, uses) for use in group}
    wanted, first = index, []
    if not steady and len(models) > 1:
        return None  # the index of the second use may have changed
    if not steady:
        kept = fresh_name(match, "wanted_key" if keys else "wanted", [*names, position])
        wanted, first = cst.Name(kept), [statement("{kept} = {wanted}", kept=kept, wanted=index)]
    check = _key_check(wanted, path) if keys else _index_check(match, node, wanted, path)
    error = expression("KeyError({key})", key=wanted) if keys else _no_module(match, wanted, path)
    over = expression("{path}.items()" if keys else "enumerate({path})", path=zipped(paths))
    over, wanted = _counted_from(over, wanted, check)
    target = grouped([cst.Name(name) for name in names])
    header = statement("for {position}, {names} in {over}:\n    pass", position=position, names=target, over=over)
    walk = Walk(match, region, lines, header, parts, path, error, first, lines[1:] if alias else lines)
    return _compared(walk, node, wanted, position, check)


def _counted_from(
    over: cst.BaseExpression, wanted: cst.BaseExpression, check: Check | None
) -> tuple[cst.BaseExpression, cst.BaseExpression]:
    """Return ``enumerate(layers, start=first)`` and ``i`` for ``enumerate(layers)`` and ``i - first``; the arguments as
    they are if they have another form, or if the check does not forbid a negative index.
    """
    if check is None or check.compared is not None or not m.matches(over, m.Call(m.Name("enumerate"))):
        return over, wanted
    if not isinstance(over, cst.Call) or not isinstance(wanted, cst.BinaryOperation) or not m.matches(wanted, _FROM):
        return over, wanted
    return expression("enumerate({path}, start={first})", path=over.args[0].value, first=wanted.right), wanted.left


def _no_module(match: Match, wanted: cst.BaseExpression, path: cst.BaseExpression) -> cst.BaseExpression:
    """Return the exception that a list of modules raises for a missing index."""
    written = code(wanted)
    if any(each in written for each in "\"'\\{}\n#"):
        return failure("IndexError", f"{match.code(path)} has no such module")
    return expression("IndexError({message})", message=f'f"index {{{written}}} is out of range"')


def _compared(
    walk: Walk, node: cst.Subscript, wanted: cst.BaseExpression, position: str, check: Check | None
) -> Fix | None:
    """Add the test to the loop; only compiled code loops if the precondition cannot be written before the statements.

    Args:
        walk: the loop without a test.
        node: the subscript that reads the module.
        wanted: the index.
        position: the name of the loop's index.
        check: the precondition; None if it cannot be written.
    """
    model, statements = walk.match.model(node), walk.region
    test = expression("{position} == {wanted}", position=position, wanted=wanted)
    late = check is not None and check.test is not None
    late = late and (not evaluated(statements[:1], model) or acts_before(statements[0], model))
    if check is None or late:
        if check is not None and check.compared is not None:
            test = _or_from_the_end(walk, test, position, wanted)
        return walk.for_compiled_code(test)
    if check.compared is not None and returns(statements):  # if no module is found, the error after the loop is raised
        test = _or_from_the_end(walk, test, position, wanted)
    elif check.compared is not None:
        test = expression("{position} == {wanted}", position=position, wanted=check.compared)
    return walk.everywhere(test, check, comes_first(statements[0], model))


def _or_from_the_end(
    walk: Walk, test: cst.BaseExpression, position: str, wanted: cst.BaseExpression
) -> cst.BaseExpression:
    """Return a test that is also true for the module that a negative index reads from the end."""
    back = "{test} or {position} - len({path}) == {wanted}"
    return expression(back, test=test, position=position, path=walk.path, wanted=wanted)


def walked_children(match: Match, call: Any) -> Fix | None:
    """Loop over the submodules in compiled code instead of ``getattr(self, name)``.

    The code that needs the submodule runs in the iteration in which its name is the wanted one.

    Args:
        match: provides the file and the function.
        call: the call of ``getattr``, a node of the static model.
    """
    tree, node = match.file.tree, match.libcst(call)
    if not isinstance(node, cst.Call) or len(node.args) != 2:
        return None
    owner, wanted = (each.value for each in node.args)
    region = region_of(tree, call, match.model(wanted))
    lines = _lines(match, region) if region is not None else None
    if region is None or lines is None or not are_modules(tree, match.model(wanted)):
        return None
    uses = [use for line in lines for use in all_of(line, cst.Call) if same(match, use, node)]
    rivals = [each for each in _inside(match, cst.Call) if same(match, each.func, node.func)]
    child = shared_name(match, "child", uses[0], rivals)
    key = fresh_name(match, "key", [child])
    over = expression("{owner}.named_children()", owner=owner)
    header = statement("for {key}, {child} in {over}:\n    pass", key=key, child=child, over=over)
    parts: Parts = {use: cst.Name(child) for use in uses}
    error = expression("AttributeError({wanted})", wanted=wanted)
    walk = Walk(match, region, lines, header, parts, owner, error, (), lines)
    # Two forms of a block, for one attribute: most authors would rather put the modules into a container.
    return for_a_person(walk.for_compiled_code(expression("{key} == {wanted}", key=key, wanted=wanted)))


def takes(match: Match, node: cst.Subscript, container: cst.CSTNode, index: cst.CSTNode) -> bool:
    """Return whether a subscript reads a container at an index."""
    own = index_of(node)
    return own is not None and same(match, node.value, container) and same(match, own, index)


def _alike(match: Match, container: cst.CSTNode, index: cst.CSTNode) -> list[Any]:
    """Return the subscripts of the function that read a container at an index, nodes of the static model."""
    return [match.model(use) for use in _inside(match, cst.Subscript) if takes(match, use, container, index)]


def _lines(match: Match, region: Sequence[Any]) -> list[Line] | None:
    """Return the lines of statements; None if other statements share them."""
    found = [match.line(match.libcst(each)) for each in region]
    lines = [each for each in found if each is not None]
    return lines if len(lines) == len(found) else None


@record
class Check:
    """A condition that must be true before a loop.

    Args:
        test: the condition under which Python raises for the index; None if it never does.
        compared: the expression to compare with the loop's index, if the wanted index may count from the end.
        assumes: whether only annotations show that the index is an int.
    """

    test: cst.BaseExpression | None = None
    compared: cst.BaseExpression | None = None
    assumes: bool = False


def _key_check(wanted: cst.BaseExpression, container: cst.BaseExpression) -> Check:
    return Check(expression("{wanted} not in {container}", wanted=wanted, container=container))


def _index_check(
    match: Match, node: cst.Subscript, wanted: cst.BaseExpression, path: cst.BaseExpression
) -> Check | None:
    """Return the precondition; None if nothing shows that the index is an int."""
    tree, model = match.file.tree, match.model(node)
    index, where = model.slice, place_of(tree, model)
    counted = where is not None and where.is_counted(index)
    below = where is not None and where.is_below(index, model.value)
    proven = where is not None and is_proven(where, where.value(index))
    if not proven and not looks_integer(tree, index, match.event.variables):
        return None
    if counted and below:
        return Check(assumes=not proven)
    size = expression("len({path})", path=path)  # modules may have been removed or added since it was built
    compared = None if counted else expression("{wanted} % {size}", wanted=wanted, size=size)
    pattern = "not -{size} <= {wanted} < {size}"
    if counted:
        pattern = "{wanted} >= {size}"
    elif below:
        pattern = "{wanted} < -{size}"
    return Check(expression(pattern, wanted=wanted, size=size), compared, not proven)


@record
class Walk:
    """Statements that are to run under a loop and a test.

    Args:
        match: provides the file.
        region: the statements, nodes of the static model.
        lines: the same statements as libcst lines.
        header: the loop, without its body.
        parts: the modules' names, by the subscripts that read them.
        path: the container, for the message.
        error: the exception that Python raises if there is no such module.
        first: the line that stores the index in a variable.
        body: the statements under the test; without the first one if that only names the module.
    """

    match: Match
    region: Sequence[Any]
    lines: Sequence[Line]
    header: Line
    parts: Parts
    path: cst.BaseExpression
    error: cst.BaseExpression
    first: Sequence[Line]
    body: Sequence[Line]

    def everywhere(self, test: cst.BaseExpression, check: Check, first: bool) -> Fix:
        """Put the loop in place of the statements, after a line that raises the error of ``check``.

        ``first`` is whether Python evaluates nothing before it reads the module, so that Python raises the error first,
        too.
        """

        def edits() -> tuple[Edit, ...]:
            test_first = None if returns(self.region) else check.test  # the error after the loop is enough
            before = [raised(test_first, self.error)] if test_first is not None else []
            return self.match.rewrite_all(self.lines, *self.first, *before, *self._walk(test))

        risks = [Risk.EXCEPTION] if check.test is not None and not first else []
        risks += [Risk.ASSUMES] if check.assumes else []
        message = f"Loop over `{self.match.code(self.path)}` to find the module"
        return unsafe(message, edits, risks=tuple(risks)) if risks else safe(message, edits)

    def for_compiled_code(self, test: cst.BaseExpression) -> Fix | None:
        """Write the loop for compiled code only; eager code reads the module as before."""
        if self.first:
            return None
        torch, imports = self.match.imported("torch")
        compiled = is_only_compiled(self.match.file.tree, self.match.model(small(self.lines[0])))

        def edits() -> tuple[Edit, ...]:
            if compiled:
                return self.match.rewrite_all(self.lines, *self._walk(test))
            either = statement("if {torch}.jit.is_scripting():\n    pass\nelse:\n    pass", torch=torch)
            other = cst.Else(block(self.lines))
            both = either.with_changes(body=block(self._walk(test)), orelse=other)
            return self.match.rewrite_all(self.lines, both, copied=True)

        message = "Find the module by a loop in compiled code (if none matches, the loop does nothing)"
        return unsafe(message, edits, *([] if compiled else imports), risks=(Risk.DIFFERS,))

    def _walk(self, test: cst.BaseExpression) -> list[Line]:
        """Return the loop, and the error after it if no module was found and the statements return."""
        under = statement("if {test}:\n    pass", test=test)
        inner = under.with_changes(body=block([with_parts(line, self.parts) for line in self.body]))
        raises = statement("raise {error}", error=self.error)
        return [self.header.with_changes(body=block([inner])), *([raises] if returns(self.region) else [])]


def _is_path(container: cst.BaseExpression) -> bool:
    """Return whether a container is ``self.a``, ``self.a.b`` or ``name``."""
    while isinstance(container, cst.Attribute):
        container = container.value
    return isinstance(container, cst.Name)


def _beside(match: Match, node: cst.Subscript, lines: Sequence[Line]) -> list[cst.BaseExpression]:
    """Return the other containers that the statements read at the same index."""
    known = match.event.containers if isinstance(match.event, ContainerIndex) else ()
    where = place_of(match.file.tree, match.model(node))
    length = where.length(match.model(node.value)) if where is not None else None
    found: list[cst.BaseExpression] = []
    for use in (each for line in lines for each in all_of(line, cst.Subscript)):
        index, wanted = index_of(use), index_of(node)
        if index is None or wanted is None or not same(match, index, wanted) or match.code(use.value) not in known:
            continue
        if where is None or length is None or any(same(match, use.value, path) for path in (node.value, *found)):
            continue
        # `zip` ends with the shortest container, so all must have the same length.
        if where.length(match.model(use.value)) == length:
            found.append(use.value)
    return found


def _names(
    match: Match, region: Sequence[Any], lines: Sequence[Line], uses: Sequence[Sequence[cst.Subscript]]
) -> tuple[list[str], bool]:
    """Return a name for each module, and whether the first line already binds one of these names."""
    names: list[str] = []
    alias = ""
    for group in uses:
        own = "" if alias else _alias(match, region, lines, group)
        alias = alias or own
        names.append(own or _name(match, group[0], names))
    return names, bool(alias)


def _alias(match: Match, region: Sequence[Any], lines: Sequence[Line], uses: Sequence[cst.Subscript]) -> str:
    """Return the name to which the first statement binds the module, if only the statements read it, and nothing else
    binds it; otherwise empty.
    """
    made, function, tree = small(lines[0]), match.function, match.file.tree
    if not isinstance(made, cst.Assign) or not m.matches(made, _NAMED) or "#" in code(lines[0]) or len(lines) < 2:
        return ""
    name = cst.ensure_type(made.targets[0].target, cst.Name).value
    if function is None or not any(made.value is use for use in uses) or name in stored_names(region[1:]):
        return ""
    around = match.model(function)
    elsewhere = peeps(around) or is_needed_elsewhere(around, name)
    return "" if elsewhere or read_later(tree, region[0], region[-1], name) else name


def _name(match: Match, node: cst.Subscript, taken: Sequence[str]) -> str:
    """Return a name for the module."""
    one = singular(node.value)
    function = match.function
    # Another fix of the same round may give the enclosing loop a variable of that name.
    by_name = taken_by_name(function) if function is not None else []
    chosen = any(
        singular(each.value) == one and not same(match, each, node) and _may_collide(match, each, node)
        for each in by_name
    )
    rivals = [
        each
        for each in _inside(match, cst.Subscript)
        if (index := index_of(each)) is not None
        and not m.matches(index, _WRITTEN_OUT)
        and _is_path(each.value)
        and singular(each.value) == one
    ]
    return shared_name(match, f"chosen_{one}" if chosen else one, node, rivals, taken)


def _may_collide(match: Match, use: cst.Subscript, node: cst.Subscript) -> bool:
    """Return whether a loop around a use and a new loop at a node may need different names for their modules."""
    return any(isinstance(each, LOOPS) and collide(match, each, node) for each in match.ancestors(use))


def _inside(match: Match, kind: type[Any]) -> list[Any]:
    """Return the nodes of a class in the function."""
    return all_of(match.function, kind) if match.function is not None else []
