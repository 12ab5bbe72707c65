"""The registry of rules: reads each record from its file, and imports a rule only when it is used.

Most runs have events of few kinds. Importing every rule, with libcst and the matchers, would take longer than the rest
of such a run.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tslint.diagnostics import Severity, Stage
from tslint.rulekit.rule import Finding, Rule
from tslint.util.naming import kebab_case
from tslint.util.record import record

if TYPE_CHECKING:
    from tslint.rulekit.match import Match

_RECORD = "\nRULE = "
_PACKAGE = "tslint.rules"


@record
class RegisteredRule:
    """A rule with its page and its handler.

    Args:
        rule: the metadata record.
        check: the handler.
        family: the name of the folder.
        module: the dotted name of the module, whose docstring is the page.
    """

    rule: Rule
    check: Callable[[Match[Any]], Iterable[Finding]]
    family: str
    module: str

    @property
    def page(self) -> str:
        """The page: Markdown with the headings of :data:`tslint.rulekit.rule.HEADINGS`."""
        return import_module(self.module).__doc__ or ""

    @property
    def summary(self) -> str:
        """The first line of the page."""
        return self.page.strip().splitlines()[0].lstrip("# ").rstrip(".")


@cache
def all_rules() -> tuple[RegisteredRule, ...]:
    """Return every rule under ``tslint.rules``, by code.

    Raises:
        ValueError: two rules share a code or a name.
    """
    found = sorted(_registered(), key=lambda registered: registered.rule.code)
    for attribute in ("code", "name"):
        values = [getattr(registered.rule, attribute) for registered in found]
        twice = {value for value in values if values.count(value) > 1}
        if twice:
            raise ValueError(f"two rules share a {attribute}: {', '.join(sorted(twice))}")
    return tuple(found)


@cache
def off_by_default() -> frozenset[str]:
    """Return the codes of the rules that are shown only if they are selected."""
    return frozenset(registered.rule.code for registered in all_rules() if registered.rule.opt_in)


@cache
def rules_by_event() -> dict[str, tuple[RegisteredRule, ...]]:
    """Return the rules that handle each kind of event."""
    table: dict[str, tuple[RegisteredRule, ...]] = {}
    for registered in all_rules():
        for kind in registered.rule.kinds:
            table[kind] = (*table.get(kind, ()), registered)
    return table


def _registered() -> Iterator[RegisteredRule]:
    for folder in import_module(_PACKAGE).__path__:
        for path in sorted(Path(folder).glob("*/*.py")):
            text = path.read_text(encoding="utf-8")
            if _RECORD in text:
                family = path.parent.name
                module = f"{_PACKAGE}.{family}.{path.stem}"
                yield RegisteredRule(_record(text, module), _handler(module), family, module)


def _record(text: str, module: str) -> Rule:
    """Return the ``RULE`` of a module. It is read from the text of the module if it only contains literals and kinds of
    events; otherwise, the module is imported.
    """
    start = text.index(_RECORD) + 1
    line = text[start : text.index("\n", start)]
    end = text.index("\n)", start) + 2 if line.endswith("(") else start + len(line)
    try:
        (statement,) = ast.parse(text[start:end]).body
        assert isinstance(statement, ast.Assign) and isinstance(statement.value, ast.Call)
        call = statement.value
        return Rule(*map(_value, call.args), **{str(each.arg): _value(each.value) for each in call.keywords})
    except (AssertionError, KeyError, SyntaxError, ValueError):
        # The record is computed, so the module is imported.
        rule: Rule = import_module(module).RULE
        return rule


def _value(node: ast.expr) -> Any:
    if isinstance(node, ast.Tuple):
        return tuple(map(_value, node.elts))
    if isinstance(node, ast.Name) and not node.id.isupper():
        return kebab_case(node.id)  # the names of events are enough, without importing the classes
    if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
        return {"Severity": Severity, "Stage": Stage}[node.value.id][node.attr]
    return ast.literal_eval(node)


def _handler(module: str) -> Callable[[Match[Any]], Iterable[Finding]]:
    def check(match: Match[Any]) -> Iterable[Finding]:
        found: Iterable[Finding] = import_module(module).check(match)
        return found

    return check
