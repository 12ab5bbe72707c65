"""Builds the tree of what is compiled, and why (``tslint scope``)."""

from __future__ import annotations

import ast
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from tslint.config import shown
from tslint.diagnostics import Position
from tslint.project.definitions import Class, Function, Module
from tslint.script.assumptions import Assumptions, in_words
from tslint.script.model import Model
from tslint.script.pruning import Pruned, pruned_code
from tslint.script.recording import Exempted, Recording
from tslint.script.scope import Unit, exemption, module_roots
from tslint.script.submodules import Submodule, submodules
from tslint.script.traced import traced_roots
from tslint.sources.file import SourceFile
from tslint.util import astwalk

_WHY_EXEMPT = {
    "ignore": "`@torch.jit.ignore`: Python runs it",
    "unused": "`@torch.jit.unused`: it raises",
    "decorated": "a decorator may replace it",
}


@dataclass
class Entry:
    """One line of the tree.

    Args:
        kind: ``class``, ``forward``, ``export``, ``property``, ``hook``, ``method``, ``function``, ``submodule``,
            ``exempt``, ``pruned`` or ``conditional``.
        name: ``Net.forward``; for a submodule, ``self.encoder``.
        path: the file.
        start, end: the range of the definition, or of the pruned or conditional code.
        calls: the positions where the parent line uses it.
        condition: the construction on which it depends, the text after "when"; empty if there is none.
        why: a remark.
        of: the class of a submodule.
        seen: whether its children are shown elsewhere.
        children: the lines below it.
    """

    kind: str
    name: str
    path: Path
    start: Position
    end: Position
    calls: tuple[Position, ...] = ()
    condition: str = ""
    why: str = ""
    of: str = ""
    seen: bool = False
    children: list[Entry] = field(default_factory=list)


def scope_tree(model: Model, recording: Recording, modules: Sequence[Module]) -> dict[Path, list[Entry]]:
    """Return what is compiled, by file: the roots, and below each what it reaches.

    Args:
        model: the static model that has compiled the files' roots.
        recording: the recording of the static model.
        modules: the checked files.
    """
    return _Builder(model, recording, {module.source.path for module in modules}).tree(modules)


def _key(function: Function, receiver: Class | None) -> tuple[int, int]:
    return id(function), id(receiver)


class _Builder:
    def __init__(self, model: Model, recording: Recording, checked: Collection[Path]) -> None:
        self.model = model
        self.recording = recording
        self.checked = checked
        self.callees: dict[int, dict[int, list[tuple[ast.AST | None, Assumptions]]]] = {}
        self.units = {id(unit): unit for unit in model.units.values()}
        for unit in model.units.values():
            for reach in unit.reached:
                if reach.caller is not None:
                    uses = self.callees.setdefault(id(reach.caller), {}).setdefault(id(unit), [])
                    uses.append((reach.node, reach.assumptions))
        self.exempted: dict[int, list[Exempted]] = {}
        for each in recording.exempted:
            self.exempted.setdefault(id(each.caller), []).append(each)
        self.parts = {id(root): submodules(model, root) for root in model.roots}
        self.shown: set[int] = set()
        self.home = Path()  # the file whose roots are being listed
        self.homes: dict[int, Path] = {}

    def tree(self, modules: Sequence[Module]) -> dict[Path, list[Entry]]:
        """See :func:`scope_tree`."""
        held = {id(part.definition) for root in model_roots(self.model) for part in self.parts[id(root)]
                if part.definition is not root and root not in self.model.traced}  # fmt: skip
        found: dict[Path, list[Entry]] = {module.source.path: [] for module in modules}
        roots = sorted(model_roots(self.model), key=lambda each: each.node.lineno)
        for root in [each for each in roots if id(each) not in held]:
            found.setdefault(root.module.source.path, []).append(self.class_(root))
        for unit in self.units.values():
            if unit.receiver is None and any(reach.caller is None for reach in unit.reached):
                found.setdefault(unit.function.module.source.path, []).append(self.unit(unit, (), ""))
        for root in [each for each in roots if id(each) in held]:
            path = root.module.source.path
            if id(root) not in self.shown:  # modules that contain each other
                found.setdefault(path, []).append(self.class_(root))
            elif self.homes[id(root)] is not path:
                elsewhere = f"shown below the module that contains it, in {shown(self.homes[id(root)])}"
                found.setdefault(path, []).append(self._entry("class", root.qualname, root, why=elsewhere))
        for entries in found.values():
            entries.sort(key=lambda each: each.start.row)
        return found

    def class_(self, definition: Class) -> Entry:
        """Return a module class with everything in it that the compiler compiles."""
        entry = self._entry("class", definition.qualname, definition)
        self.home = entry.path
        if definition in self.model.traced:
            entry.why = "only traced: the tracer runs it, and the compiler does not read it"
        self._fill(entry, definition)
        if not entry.children and not entry.why:
            entry.why = "has no `forward`, no exports and no properties: nothing of it is compiled"
        return entry

    def _fill(self, entry: Entry, definition: Class) -> None:
        if id(definition) in self.shown:
            entry.seen = True
            return
        self.shown.add(id(definition))
        self.homes[id(definition)] = self.home
        facts = self.model.facts(definition)
        roots = list(module_roots(facts.hierarchy, self.model.project, facts.unused_properties))
        if definition in self.model.traced:
            roots = traced_roots(roots)
        for function, role in sorted(roots, key=lambda root: root[1] != "forward"):
            unit = self.model.units.get(_key(function, definition))
            if unit is not None:
                entry.children.append(self.unit(unit, (), "", role))
        forward = facts.hierarchy.members.get("forward")
        if forward is not None and forward.function is not None and definition not in self.model.traced:
            word = exemption(forward.function, self.model.project)
            if word:
                entry.children.append(self._entry("exempt", "forward", forward.function, why=_WHY_EXEMPT[word]))
        for each in self.exempted.get(id(None), []):
            if each.receiver is definition and each.word == "decorated":
                name = each.function.name
                entry.children.append(self._entry("exempt", name, each.function, why=_WHY_EXEMPT[each.word]))
        if definition not in self.model.traced:
            for part in self.parts.get(id(definition)) or submodules(self.model, definition):
                entry.children.append(self._part(part))

    def _part(self, part: Submodule) -> Entry:
        """Return a submodule, which is compiled even if it is never called."""
        why = f"passed to {part.given_to}" if part.given_to else f"in an nn.{part.container}" if part.container else ""
        entry = self._entry("submodule", f"self.{part.attribute}", part.definition, why=why)
        entry.of = part.definition.qualname
        entry.condition = in_words(part.assumptions) or ""
        self._fill(entry, part.definition)
        entry.children = [child for child in entry.children if child.kind == "submodule" or not child.seen]
        entry.seen = entry.seen or not entry.children
        return entry

    def unit(self, unit: Unit, calls: tuple[Position, ...], condition: str, role: str = "") -> Entry:
        """Return a compiled function with the functions that it reaches."""
        entry = self._entry(role or unit.role, unit.name, unit.function, calls=calls, condition=condition)
        if id(unit) in self.shown:
            entry.seen = True
            return entry
        self.shown.add(id(unit))
        source = unit.function.module.source
        below: list[Entry] = []
        for callee, uses in self.callees.get(id(unit), {}).items():
            other = self.units[callee]
            nodes = [_use(unit, other.function, node) for node, _ in uses]
            plain = any(not assumptions for _, assumptions in uses)
            ways = list(dict.fromkeys(in_words(assumptions) or "" for _, assumptions in uses))
            below.append(self.unit(other, _places(source, nodes), "" if plain else ", or when ".join(ways)))
        for each in self.exempted.get(id(unit), []):
            name = f"{each.receiver.qualname}.{each.function.name}" if each.receiver else each.function.qualname
            known = [one for one in below if one.kind == "exempt" and one.name == name]
            if known:
                known[0].calls += _places(source, [each.node])
            else:
                places = _places(source, [_use(unit, each.function, each.node)])
                below.append(self._entry("exempt", name, each.function, calls=places, why=_WHY_EXEMPT[each.word]))
        below += [self._pruned(source, each) for each in pruned_code(self.recording, unit)]
        entry.children = sorted(below, key=lambda each: each.calls[0] if each.calls else each.start)
        return entry

    def _pruned(self, source: SourceFile, code: Pruned) -> Entry:
        start = source.from_ast(code.first.lineno, code.first.col_offset)
        end = source.from_ast(code.last.end_lineno or code.last.lineno, code.last.end_col_offset or 0)
        name = f"`{code.first_text}`" if code.first_text else ""
        kind = "pruned" if code.why else "conditional"
        return Entry(kind, name, source.path, start, end, condition=code.condition, why=code.why)

    def _entry(
        self,
        kind: str,
        name: str,
        definition: Class | Function,
        *,
        calls: tuple[Position, ...] = (),
        condition: str = "",
        why: str = "",
        seen: bool = False,
    ) -> Entry:
        source, node = definition.module.source, definition.node
        start = source.from_ast(node.lineno, node.col_offset)
        end = source.from_ast(node.end_lineno or node.lineno, node.end_col_offset or 0)
        return Entry(kind, name, source.path, start, end, calls, condition, why, seen=seen)


def model_roots(model: Model) -> list[Class]:
    """Return the module classes that are compiled by themselves, each once."""
    return list(dict.fromkeys(model.roots))


def _use(unit: Unit, callee: Function, node: ast.AST | None) -> ast.AST | None:
    """Return the node where a unit uses a function: the call, or the attribute for a property."""
    if node is not callee.node:
        return node
    for candidate in astwalk.walk(unit.function.node):
        if isinstance(candidate, ast.Attribute) and candidate.attr == callee.name:
            return candidate
    return None


def _places(source: SourceFile, nodes: Sequence[ast.AST | None]) -> tuple[Position, ...]:
    rows = {source.from_ast(node.lineno, node.col_offset) for node in nodes if isinstance(node, (ast.expr, ast.stmt))}
    return tuple(sorted(rows))
