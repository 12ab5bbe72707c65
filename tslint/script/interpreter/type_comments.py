"""Reads signatures in ``# type:`` comments, which override annotations (``merge_type_from_type_comment``)."""

from __future__ import annotations

import ast
from dataclasses import field

from tslint.project.definitions import Definition, External, Function, Undefined
from tslint.script.annotations import AnnotationReader
from tslint.script.frontend.typecomments import comment_signature
from tslint.script.interpreter.emitter import Emitter
from tslint.script.types import Type
from tslint.util.record import record

# The compiler knows these names even if a file does not import them (script_type_parser.cpp).
_KNOWN = {
    "Tensor": "torch.Tensor",
    **{name: f"typing.{name}" for name in ("Any", "Dict", "Final", "List", "Optional", "Tuple", "Union")},
}


@record
class CommentedTypes:
    """The types in a comment; a type that is not known is missing, or is None.

    Args:
        parameters: the types of the parameters, by name.
        returned: the return type.
    """

    parameters: dict[str, Type] = field(default_factory=dict)
    returned: Type | None = None


def commented_types(em: Emitter, function: Function, *, is_method: bool) -> CommentedTypes | None:
    """Return the types in a function's signature comment.

    Return None if there is no comment, or if only the annotations have the types of the parameters.
    """
    node = function.node
    if isinstance(node, ast.AsyncFunctionDef):
        return None
    found = comment_signature(node, function.module.source, is_method=is_method)
    if found is None:
        return None
    every = [*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs]
    if not found[0] and (node.returns is not None or any(argument.annotation is not None for argument in every)):
        return None

    def resolve(name: ast.expr) -> Definition:
        here = function is em.unit.function
        said = em.resolve(name) if here else em.project.resolve_expression(function.module, name)
        if isinstance(said, Undefined) and isinstance(name, ast.Name) and name.id in _KNOWN:
            return External(_KNOWN[name.id])
        return said

    reader = AnnotationReader(resolve, em.class_type)
    types = {name: reader.read(type_) for name, type_ in found[0].items()}
    returned = reader.read(found[1]) if found[1] is not None else None
    return CommentedTypes(
        {name: type_ for name, type_ in types.items() if isinstance(type_, Type)},
        returned if isinstance(returned, Type) else None,
    )
