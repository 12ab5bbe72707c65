"""Finds the star imports that may bind a name, without reading all of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

from tslint.project.bindings import Binding
from tslint.project.definitions import Module

# After this many look-ups, the modules of star imports are parsed.
_SEARCHES = 64
_MOST_NAMES = 1000
_Find = Callable[[str, Module], Module | None]


class StarImports:
    """The star imports of the modules of a project by the names that they bind.

    Args:
        parsed: returns the module of a dotted name, as seen from another one, if it has been parsed.
        find: returns the same, but parses the module if needed.
    """

    def __init__(self, parsed: _Find, find: _Find) -> None:
        self._parsed_module = parsed
        self._find = find
        self._names: dict[tuple[Module, bool], dict[str, list[Binding]]] = {}
        self._searches: Counter[Module] = Counter()

    def of(self, module: Module, name: str) -> list[Binding]:
        """Return the star imports of a module that may bind a name, in order."""
        self._searches[module] += 1
        stars = self._by_name(module, parsing=self._searches[module] > _SEARCHES)
        found = [*stars.get(name, ()), *stars.get("*", ())]
        if len(found) < 2:
            return found
        chosen = set(map(id, found))
        return [star for star in module.star_imports if id(star) in chosen]

    def forget(self) -> None:
        """Clear all names, because a module has been replaced."""
        self._names.clear()

    def _by_name(self, module: Module, *, parsing: bool) -> dict[str, list[Binding]]:
        """Return the star imports of a module by the names that they bind; under ``*`` those whose names
        are not known.
        """
        key = (module, parsing)
        if key not in self._names:
            self._names[key] = {"*": module.star_imports}  # used if a cycle of star imports leads back to this module
            names: dict[str, list[Binding]] = {}
            for star in module.star_imports:
                target = module.absolute(star)
                found = (self._find if parsing else self._parsed_module)(target, module) if target else None
                inner = self._by_name(found, parsing=parsing) if found is not None else {}
                # In a chain of packages that all import everything from the next one, each table would contain all
                # names.
                bound = {"*"} if found is None or len(inner) > _MOST_NAMES else {*found.bindings, *inner}
                for name in bound:
                    names.setdefault(name, []).append(star)
            self._names[key] = names
        return self._names[key]
