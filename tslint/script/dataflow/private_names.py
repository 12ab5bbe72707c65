"""Handles names with two leading underscores: Python prefixes them with the class, but the compiler does not."""

from __future__ import annotations

import ast

from tslint.script.dataflow.attribute_uses import attribute_names
from tslint.script.dataflow.name_patterns import may_be_computed
from tslint.script.dataflow.stores import file_facts
from tslint.util import astwalk

_TAKEN = frozenset(
    "_apply _call_impl _backward_hooks _buffers _forward_hooks _forward_pre_hooks _get_backward_hooks _get_name"
    " _is_full_backward_hook _load_from_state_dict _load_state_dict_pre_hooks _maybe_warn_non_full_backward_hook"
    " _modules _named_members _non_persistent_buffers_set _parameters _register_load_state_dict_pre_hook"
    " _register_state_dict_hook _replicate_for_data_parallel _save_to_state_dict _slow_forward _state_dict_hooks"
    " _state_dict_pre_hooks _version _wrapped_call_impl _compiled_call_impl _init _copy _device _dtype _forward"
    " _check_input_dim _conv_forward _get_abs_string_index _flat_weights _all_weights".split()
)
"""Names that torch's own modules use."""


def private_methods(owner: ast.ClassDef, name: str) -> list[ast.FunctionDef]:
    """Return the methods of a class that are defined under a private name."""
    return [each for each in owner.body if isinstance(each, ast.FunctionDef) and each.name == name]


def uses(tree: ast.Module, owner: ast.ClassDef, name: str, python_name: str) -> list[ast.Attribute] | None:
    """Return the places where a class uses its method with a private name.

    Return None if the method cannot be renamed to one underscore: the file already has such a name, or uses the method
    in another way.

    Args:
        tree: the tree of the file.
        owner: the class.
        name: the name of the method.
        python_name: the name that Python gives it.
    """
    wished = name[1:]
    # A base in another file might have the name.
    if wished in _TAKEN or file_facts(tree).line(owner) is None:
        return None
    nodes = astwalk.walk(tree)
    defined = {each.name for each in nodes if isinstance(each, (ast.FunctionDef, ast.ClassDef))}
    texts = {each.value for each in nodes if isinstance(each, ast.Constant) and isinstance(each.value, str)}
    used = attribute_names(tree)
    if wished in used | defined or python_name in used or texts & {python_name, name, wished}:
        return None
    if may_be_computed(tree, wished):
        return None
    found = [each for each in astwalk.walk(owner) if isinstance(each, ast.Attribute) and each.attr == name]
    # Code in an f-string has no position of its own before Python 3.12.
    written = any(isinstance(around, ast.JoinedStr) for each in found for around in astwalk.around(tree, each))
    return None if written else found
