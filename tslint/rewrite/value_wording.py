"""Words for functions, classes and Python modules that are used as values."""

from __future__ import annotations

import libcst as cst

from tslint.rewrite.loops import names_in
from tslint.rewrite.not_values import DTYPES
from tslint.rewrite.type_casts import to_device_and_dtype
from tslint.rulekit import matchers as m
from tslint.rulekit.match import Match
from tslint.rulekit.wording import short
from tslint.script.dataflow.names import full_name, imported_names
from tslint.script.dataflow.scopes import module_bindings
from tslint.script.events.names import NotAValue

TWO = m.Call(args=[m.Arg(keyword=None, star=""), m.Arg(keyword=None, star="")])
_TYPE = m.Attribute(attr=m.Name("type"))
_TO = m.Attribute(attr=m.Name("to"))
_TYPE_OF = m.Call(func=m.Name("type"), args=[m.Arg(keyword=None, star="")])
_MEMBER = m.Attribute(value=m.Name(), attr=m.Name("cast"))
_CAST = ("typing.cast", "typing_extensions.cast")


def of_value(match: Match[NotAValue]) -> bool:
    """Return whether the method of a variable is meant."""
    names = names_in(match.node) if isinstance(match.node, cst.Attribute) else []
    return bool(names) and names[0] != match.self_name and names[0] not in module_bindings(match.file.tree)


def is_cast(match: Match, callee: cst.BaseExpression) -> bool:
    """Return whether a function is ``typing.cast``."""
    tree = match.file.tree
    root = callee.value if isinstance(callee, cst.Attribute) and m.matches(callee, _MEMBER) else callee
    if not isinstance(root, cst.Name) or match.binds(root.value) or module_bindings(tree).get(root.value) != 1:
        return False
    return root.value in imported_names(tree) and full_name(tree, match.code(callee)) in _CAST


def help_for(match: Match[NotAValue], word: str, around: cst.CSTNode | None, written: str) -> str:
    """Return the help.

    Args:
        match: the function, class or module.
        word: what it is: ``a class``, for example.
        around: the node around it.
        written: its code, in backticks.
    """
    node = match.node
    if isinstance(node, cst.Attribute) and match.event.what == "builtin" and of_value(match):
        return (
            f"Call it, `{match.code(node)}(…)`. If `{match.code(node.value)}` is not a Tensor, annotate it; if it is a "
            "module, read its attributes in `__init__`."
        )
    if isinstance(around, cst.Comparison):
        return _compared(match, around, word, written)
    if word == "a range":
        return f"Convert it to a list: `list({written.strip('`')})`."
    if word == "an iterator":
        if isinstance(node, cst.Name):
            return f"Write the call that creates {written} where a `for` loop iterates over it."
        return f"Iterate over it where you create it: {short(f'for … in {match.code(node)}:')}."
    if word == "a Python module":
        return f"Read the function or constant that you need from it: `{written.strip('`')}.…`."
    if isinstance(around, cst.Assert):
        return 'Write the message itself: `assert condition, "…"`.'
    if word == "an exception class":
        return f"Only raise it, `raise {written.strip('`')}(…)`: compiled code can do nothing else with exceptions."
    if word == "an exception":
        return "Only raise it: compiled code can do nothing else with exceptions."
    if isinstance(around, cst.Call) and m.matches(around.func, _TYPE):
        cast = to_device_and_dtype(match, around, match.event.name)
        device = "cuda" if ".cuda." in match.event.name else "cpu"
        other = f'Write the device and the dtype, such as `.to("{device}", torch.float32)`,'
        instead = cast.message.replace("`", "`.", 1) if cast else other
        return f"{instead} instead of `.type({written.strip('`')})`."
    if isinstance(around, cst.Call) and m.matches(around, TWO) and is_cast(match, around.func):
        return f"Write `{match.code(around.args[1].value)}` without the `cast`."
    return _elsewhere(match, word, around, written)


def _compared(match: Match[NotAValue], around: cst.Comparison, word: str, written: str) -> str:
    """Return the help for a function or class in a comparison."""
    compared, against = around.left, around.comparisons[0].comparator
    if word == "a class":
        if isinstance(compared, cst.Call) and m.matches(compared, _TYPE_OF):
            kind = written.strip("`")
            negated = "not " if m.matches(around.comparisons[0].operator, m.IsNot() | m.NotEqual()) else ""
            if kind == "dict":
                return f"Write `{negated}torch.jit.isinstance({match.code(compared.args[0].value)}, Dict[str, …])`."
            if kind in ("set", "frozenset", "range"):  # types that the compiler does not have
                return f"Test the type outside compiled code: no value is a `{kind}` in TorchScript."
            return f"Write `{negated}isinstance({match.code(compared.args[0].value)}, {kind})`."
        if any(m.matches(each, m.Attribute(attr=m.Name("dtype"))) for each in (compared, against)):
            return "Compare with a dtype, such as `torch.bool`: a dtype never equals a class."
    test = match.quote(around)
    of_self = m.Attribute(value=m.Name(match.self_name or "self"))
    if match.self_name is not None and any(m.matches(each, of_self) for each in (compared, against)):
        return f"In `__init__`, store the result of {test} in a `bool` attribute, and test that here."
    if word == "a class":
        return "Test types with `isinstance(x, T)`."
    return f"Compare outside compiled code, and pass the result of {test} as a `bool`."


def _elsewhere(match: Match[NotAValue], word: str, around: cst.CSTNode | None, written: str) -> str:
    """Return the help for a function or class that is passed, stored or returned."""
    if word == "a class" and match.event.name.startswith("torch.") and match.event.name.endswith("Tensor"):
        return "Use a dtype and a device instead, such as `dtype=torch.float32, device=x.device`."
    if match.event.name in DTYPES and isinstance(around, cst.Call) and m.matches(around.func, _TO):
        return f"Write the dtype: `{match.imported('torch')[0]}.{DTYPES[match.event.name]}`."
    if word == "a class":
        return "In `__init__`, store what depends on the class, for example in a `bool` attribute, and use that here."
    if isinstance(around, (cst.Dict, cst.List, cst.Tuple)):
        return (
            "Choose with `if`, and call each function by its name. Put modules into an `nn.ModuleList` or "
            "`nn.ModuleDict`."
        )
    if isinstance(around, cst.Call):
        function = match.quote(around.func)
        if match.self_name is not None and written.startswith(f"`{match.self_name}."):
            return f"Functions cannot be passed: call {written} here, without {function}."
        return f"Functions cannot be passed: call {written} here, or by its name in {function}."
    return "Call it by its name where you need it. To choose between functions, write `if`, or make them submodules."
