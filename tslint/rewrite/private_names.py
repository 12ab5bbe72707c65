"""Names with two underscores: Python puts the class in front of them, and the compiler does not."""

from __future__ import annotations

import ast

from tslint import walking
from tslint.diagnostics import Edit, Fix, Position
from tslint.rewrite.loop_parts import place
from tslint.rulekit.match import Match
from tslint.rulekit.rule import safe
from tslint.script.dataflow.bool_attributes import file_facts

_TAKEN = frozenset(
    "_apply _call_impl _backward_hooks _buffers _forward_hooks _forward_pre_hooks _get_backward_hooks _get_name"
    " _is_full_backward_hook _load_from_state_dict _load_state_dict_pre_hooks _maybe_warn_non_full_backward_hook"
    " _modules _named_members _non_persistent_buffers_set _parameters _register_load_state_dict_pre_hook"
    " _register_state_dict_hook _replicate_for_data_parallel _save_to_state_dict _slow_forward _state_dict_hooks"
    " _state_dict_pre_hooks _version _wrapped_call_impl _compiled_call_impl _init _copy _device _dtype _forward"
    " _check_input_dim _conv_forward _get_abs_string_index _flat_weights _all_weights".split()
)
"""Names that torch's own modules use."""


def unmangled(match: Match) -> Fix | None:
    """Write the name that Python gives an attribute, or give a method another name."""
    unit, node = match.event.unit, match.event.node
    name = match.event.facts["attribute"]
    if not name.startswith("__") or name.endswith("__") or unit is None or unit.function.owner is None:
        return None
    owner = unit.function.owner
    if owner.module.source.path != match.source.path or not isinstance(node, ast.Attribute):
        return None
    methods = [s for s in owner.node.body if isinstance(s, ast.FunctionDef) and s.name == name]
    prefix = "_" + owner.name.lstrip("_")
    if not methods:
        return safe(f"Write `{prefix}{name}`, its name in Python", _renamed(match, node, prefix + name))
    wished = name[1:]
    if wished in _TAKEN or not _all_bases_here(match, owner.node):
        return None
    used = {n.attr for n in walking.walk(match.file.tree) if isinstance(n, ast.Attribute)}
    used |= {n.name for n in walking.walk(match.file.tree) if isinstance(n, (ast.FunctionDef, ast.ClassDef))}
    constants = [node for node in walking.walk(match.file.tree) if isinstance(node, ast.Constant)]
    texts = {constant.value for constant in constants if isinstance(constant.value, str)}
    if len(methods) != 1 or wished in used or {prefix + name, name} & texts or prefix + name in used:
        return None
    start, _ = place(match, methods[0])
    line = match.source.lines[start.row - 1]
    column = line.find(name, start.column - 1)
    if column < 0:
        return None
    edits = [Edit(Position(start.row, column + 1), Position(start.row, column + 1 + len(name)), wished)]
    for use in walking.walk(owner.node):
        if isinstance(use, ast.Attribute) and use.attr == name:
            edits.append(_renamed(match, use, wished))
    return safe(f"Call the method `{wished}`", *edits)


def _all_bases_here(match: Match, node: ast.ClassDef) -> bool:
    """Whether the class and its bases are of this file, or of torch: another file's base might have the name."""
    return file_facts(match.file.tree).line(node) is not None


def _renamed(match: Match, node: ast.Attribute, name: str) -> Edit:
    _, end = place(match, node)
    return Edit(Position(end.row, end.column - len(node.attr)), end, name)
