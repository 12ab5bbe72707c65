"""Decides where class annotations may be added.

The compiler only reads the annotations of the first class in the inheritance order that has any. It cannot read
annotations that are strings.
"""

from __future__ import annotations

import ast

from tslint.project.definitions import Class
from tslint.script.dataflow.annotation_style import postpones
from tslint.util import astwalk


def can_annotate(tree: ast.Module, body: Class | None, annotated: Class | None) -> bool | None:
    """Return whether the compiler would read an annotation in a class body; None if that is not certain or another
    class would be affected.

    Args:
        tree: the tree of the file.
        body: the class that would be annotated.
        annotated: the class whose annotations are read now, None if there are none.

    Returns:
        True if it would, without an effect on other classes; False if the annotation would hide those of a base class.
    """
    if body is None or body.module.tree is not tree or postpones(tree) or body.node.body[0].lineno == body.node.lineno:
        return None
    # A decorator, or code that reads annotations, may use them as fields.
    text = body.module.source.text
    if body.node.decorator_list or "__annotations__" in text or "get_type_hints" in text:
        return None
    if annotated is None or annotated is body:
        return True
    known = {base.id for base in body.node.bases if isinstance(base, ast.Name)}
    known |= {base.attr for base in body.node.bases if isinstance(base, ast.Attribute)}
    return False if annotated.name in known else None


def body_annotations(node: ast.ClassDef) -> dict[str, ast.expr]:
    """Return the annotations of a class body."""
    return {
        statement.target.id: statement.annotation
        for statement in node.body
        if isinstance(statement, ast.AnnAssign) and isinstance(statement.target, ast.Name)
    }


def constants(node: ast.ClassDef) -> ast.expr | None:
    """Return the value of ``__constants__`` in a class body; None if it has none."""
    for statement in node.body:
        if isinstance(statement, ast.Assign) and any(
            isinstance(target, ast.Name) and target.id == "__constants__" for target in statement.targets
        ):
            return statement.value
    return None


def initial_value(tree: ast.Module, body: Class | None, attribute: str) -> ast.Assign | None:
    """Return the only assignment ``self.attribute = value`` in a class's ``__init__``; None if there is none or more
    than one.
    """
    if body is None or body.module.tree is not tree:
        return None
    found = [
        node
        for method in body.node.body
        if isinstance(method, ast.FunctionDef) and method.name == "__init__"
        for node in astwalk.walk(method)
        if isinstance(node, ast.Assign)
        and any(
            isinstance(t, ast.Attribute) and isinstance(t.value, ast.Name) and t.attr == attribute for t in node.targets
        )
    ]
    return found[0] if len(found) == 1 and len(found[0].targets) == 1 else None


def class_that_says(tree: ast.Module, statement: ast.AST, own: Class) -> Class | None:
    """Return the class whose body contains a statement: the given class, or another one at the top level of the same
    file. Return None if there is none.
    """
    if statement in own.node.body:
        return own
    for node in tree.body:
        if isinstance(node, ast.ClassDef) and statement in node.body:
            return own.module.class_(node) if own.module.tree is tree else None
    return None


def constant_type(value: ast.expr | None) -> str | None:
    """Return a constant's type as an annotation; empty for ``None``, and for a list or tuple of constants. Return None
    for other values.
    """
    if isinstance(value, ast.UnaryOp) and isinstance(value.op, ast.USub):
        value = value.operand
    if isinstance(value, ast.Constant):
        kind = type(value.value)
        return kind.__name__ if kind in (bool, int, float, str) else "" if value.value is None else None
    if isinstance(value, (ast.List, ast.Tuple)) and value.elts:
        return "" if all(constant_type(element) is not None for element in value.elts) else None
    return None


def common_type(tree: ast.Module, name: str, type_: str) -> bool:
    """Return whether each class of a file that assigns to a name in its body assigns a constant of a given type."""
    for node in astwalk.walk(tree):
        for statement in node.body if isinstance(node, ast.ClassDef) else ():
            if isinstance(statement, ast.Assign) and constant_type(statement.value) != type_:
                if any(isinstance(target, ast.Name) and target.id == name for target in statement.targets):
                    return False
    return True
