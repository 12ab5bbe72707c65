"""Resolves codes, prefixes and names to rules, and selects the findings to show."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path

from tslint.config import ConfigError, Settings, shown
from tslint.diagnostics import Diagnostic, Severity
from tslint.rulekit.registry import RegisteredRule, all_rules
from tslint.util.suggest import did_you_mean

FAMILIES = {
    "TS1": "syntax",
    "TS2": "names",
    "TS3": "types",
    "TS4": "modules",
    "TS5": "annotations",
    "TS6": "silent",
    "TS7": "tracing",
    "TS8": "deployment",
    "TS9": "tool",
}
# These findings mean that a file was not checked: they are shown whatever is selected, unless they are ignored.
ALWAYS = ("TS900", "TS901")
# The selector of every rule that is on by default, and the selector of every rule.
DEFAULT, ALL = "TS", "ALL"


@cache
def by_code() -> Mapping[str, RegisteredRule]:
    """Return every rule by its code."""
    return {registered.rule.code: registered for registered in all_rules()}


def resolve(selector: str) -> str | None:
    """Return the code or prefix for a code, prefix or name; None if there is no such rule."""
    if selector in FAMILIES or selector in (DEFAULT, ALL):
        return selector
    for registered in all_rules():
        if selector == registered.rule.name:
            return registered.rule.code
        if selector.startswith("TS") and registered.rule.code.startswith(selector):
            return selector
    return None


def suggestion(selector: str) -> str:
    """Return the end of a message about an unknown rule: the most similar known name, or where rules are listed."""
    known = [word for registered in all_rules() for word in (registered.rule.code, registered.rule.name)]
    families = FAMILIES if len(selector) <= len("TS10") else ()
    # The beginning of a mistyped code is usually right, so codes with a longer common beginning come first.
    for length in range(len(selector), len("TS"), -1) if selector.startswith("TS") else ():
        alike = [word for word in known if word.startswith(selector[:length])]
        if alike and (hint := did_you_mean(selector, alike)):
            return hint
    return did_you_mean(selector, [*known, *families]) or "; `tslint rule --all` lists them"


def resolve_all(selectors: Iterable[str], where: str) -> tuple[str, ...]:
    """Return the codes and prefixes for selectors.

    Args:
        selectors: codes, prefixes or names.
        where: the option or key that contains the selectors, for the message.

    Raises:
        ConfigError: there is no such rule.
    """
    found = []
    for selector in selectors:
        code = resolve(selector)
        if code is None:
            raise ConfigError(f"{where}: unknown rule {selector!r}{suggestion(selector)}")
        found.append(code)
    return tuple(found)


def _longest(code: str, selectors: Iterable[str], *, opt_in: bool = False) -> int:
    """Return how specific the most specific selector of a rule is; 0 if none selects it."""
    return max((_specificity(selector) for selector in selectors if _means(selector, code, opt_in=opt_in)), default=0)


def _specificity(selector: str) -> int:
    return len(DEFAULT) if selector == ALL else len(selector)


def _means(selector: str, code: str, *, opt_in: bool = False) -> bool:
    return selector == ALL or (code.startswith(selector) and not (opt_in and selector == DEFAULT))


class Selection:
    """The findings and fixes that are selected by ``select``, ``ignore``, ``per-file-ignores``, ``fixable`` and
    ``unfixable``.

    The more specific selector wins (``select = ["TS104"]`` over ``ignore = ["TS1"]``); if they are equal, ``ignore``
    wins.

    Args:
        settings: the settings of the run.

    Raises:
        ConfigError: an unknown rule.
    """

    def __init__(self, settings: Settings) -> None:
        place = shown(settings.source) + ": " if settings.source else ""
        self._select = (
            *resolve_all(settings.select, f"{place}select"),
            *resolve_all(settings.extend_select, f"{place}extend-select"),
        )
        self._fixable = resolve_all(settings.fixable, f"{place}fixable")
        self._unfixable = resolve_all(settings.unfixable, f"{place}unfixable")
        self._ignore = resolve_all(settings.ignore, f"{place}ignore")
        self._per_file = [
            (_FilePattern(settings.root, pattern), resolve_all(rules, f"{place}per-file-ignores"))
            for pattern, rules in settings.per_file_ignores.items()
        ]

    def selects(self, code: str, *, opt_in: bool = False) -> bool:
        """Return whether findings of a rule are shown; a rule that is off by default (``opt_in``) needs a selector
        other than ``TS``.
        """
        selected, ignored = _longest(code, self._select, opt_in=opt_in), _longest(code, self._ignore)
        if code in ALWAYS and not selected:
            return not ignored
        return selected > ignored

    def fixes(self, code: str) -> bool:
        """Return whether the fixes of a rule are offered and applied."""
        return _longest(code, self._fixable) > _longest(code, self._unfixable)

    def judges(self, code: str) -> bool:
        """Return whether a run can show findings of a rule; also true for a rule that no longer exists."""
        registered = by_code().get(code)
        if registered is None:
            return True
        return self.selects(code, opt_in=registered.rule.opt_in)

    def keeps(self, diagnostic: Diagnostic) -> bool:
        """Return whether a finding is shown."""
        registered = by_code().get(diagnostic.code)
        opt_in = diagnostic.severity is Severity.INFO or (registered is not None and registered.rule.opt_in)
        return self.selects(diagnostic.code, opt_in=opt_in) and not self._ignored_in(diagnostic)

    def _ignored_in(self, diagnostic: Diagnostic) -> bool:
        for pattern, codes in self._per_file:
            if any(_means(code, diagnostic.code) for code in codes) and pattern.matches(Path(diagnostic.filename)):
                return True
        return False


class _FilePattern:
    """A key of ``per-file-ignores``: a pattern as in .gitignore, relative to the configuration's folder; ``!`` before
    it means all other files.
    """

    def __init__(self, root: Path, pattern: str) -> None:
        from pathspec import GitIgnoreSpec

        self._root = root
        self._negated = pattern.startswith("!")
        self._spec = GitIgnoreSpec.from_lines([pattern.removeprefix("!").removeprefix("./")])

    def matches(self, file: Path) -> bool:
        try:
            relative = file.relative_to(self._root).as_posix()
        except ValueError:
            return False
        return bool(self._spec.match_file(relative)) != self._negated
