"""Decides whether plain lists and dicts of modules could be replaced by containers of modules."""

from __future__ import annotations

import ast

from tslint.script.dataflow.attribute_uses import filled
from tslint.script.dataflow.inheritance import outer_bases
from tslint.script.dataflow.instance_stores import instance_stores
from tslint.script.dataflow.module_listing import lists_modules
from tslint.script.dataflow.shallow import full_name
from tslint.script.dataflow.stores import file_facts, is_of_self
from tslint.util import astwalk

_BARE = tuple(
    "ReLU LeakyReLU ELU SELU CELU GELU SiLU Sigmoid Tanh Softmax Softplus Softsign LogSoftmax LogSigmoid Hard Mish"
    " Identity Flatten Unflatten Upsample MaxPool AvgPool AdaptiveMaxPool AdaptiveAvgPool Pixel"
    " ZeroPad ConstantPad ReflectionPad ReplicationPad".split()
)
_NUMBERED = ("torch.nn.ModuleList", "torch.nn.ParameterList", "torch.nn.Sequential")
_MODULE_WORDS = frozenset(
    "training forward type add_module apply train eval children modules parameters buffers".split()
)


def holds_modules_by_number(tree: ast.Module, node: ast.expr) -> bool:
    """Return whether the attribute of ``self`` that an expression reads only holds torch's lists of modules or
    parameters, whose indices are ints.
    """
    if not isinstance(node, ast.Attribute) or not is_of_self(node):
        return False
    made = [store.value for store in file_facts(tree).stores.get(node.attr, ())]
    return bool(made) and all(isinstance(each, ast.Call) and full_name(tree, each.func) in _NUMBERED for each in made)


def could_be_container(tree: ast.Module, made: ast.Assign, attribute: str) -> bool:
    """Return whether the list or dict in an attribute could be replaced by a container of modules without any other
    change.

    Its modules must have no keys in a ``state_dict``, and the file must only use operations that the container
    supports, too.

    Args:
        tree: the tree of the file.
        made: the assignment.
        attribute: its target, an attribute of a module.
    """
    value = made.value
    if not _bare(value) or attribute in filled(tree) or not _has_container_keys(value) or not _torch_nn(tree):
        return False
    facts = file_facts(tree)
    owner = next((each for each in astwalk.around(tree, value) if isinstance(each, ast.ClassDef)), None)
    stores = instance_stores(facts, owner, attribute) if owner is not None else None
    if stores is None or len(stores) != 1 or attribute in facts.changes or lists_modules(tree):
        return False
    if owner is None or not _keeps_submodules(tree, owner, attribute) or not _after_super(tree, made):
        return False
    return all(
        _fits_container(tree, node)
        for node in astwalk.of_kind(tree, ast.Attribute)
        if node.attr == attribute and isinstance(node.ctx, ast.Load)
    )


def _keeps_submodules(tree: ast.Module, owner: ast.ClassDef, attribute: str) -> bool:
    """Return whether replacing a plain value by a submodule changes nothing else in the instances of a class.

    An ``nn.Sequential`` calls all its submodules, ``eval()`` changes them, and a value in the class body or a
    ``__getattr__`` hides them.
    """
    plain = frozenset(["nn.Module", "torch.nn.Module", "Module", "object"])
    hidden = any(
        attribute in astwalk.bound(each) or getattr(each, "name", "") in (attribute, "__getattr__", "__getattribute__")
        for kind in astwalk.of_kind(tree, ast.ClassDef)
        for each in kind.body
        if not isinstance(each, ast.AnnAssign) or each.value is not None
        if not isinstance(each, ast.FunctionDef) or each.name in (attribute, "__getattr__", "__getattribute__")
    )
    modes = [each for each in astwalk.mentions(tree).get("training", ()) if isinstance(each, ast.Attribute)]
    return plain.issuperset(outer_bases(tree, owner)) and not hidden and all(map(is_of_self, modes))


def _after_super(tree: ast.Module, made: ast.Assign) -> bool:
    """Return whether an assignment is in a method. In ``__init__``, a call of another ``__init__`` must come before."""
    function = next((each for each in astwalk.around(tree, made) if isinstance(each, ast.FunctionDef)), None)
    if function is None or function.name != "__init__":
        return function is not None
    calls = [each.func for each in astwalk.of_kind(function, ast.Call)]
    return any(
        isinstance(each, ast.Attribute) and each.attr == "__init__" and each.lineno < made.lineno for each in calls
    )


def _bare(value: ast.expr) -> bool:
    """Return whether all modules of a list or dict are created in it, and have neither parameters nor buffers."""
    if isinstance(value, (ast.ListComp, ast.DictComp)):
        made: list[ast.expr] = [value.elt if isinstance(value, ast.ListComp) else value.value]
    else:
        made = value.values if isinstance(value, ast.Dict) else getattr(value, "elts", [])
    names = [ast.unparse(each.func) for each in made if isinstance(each, ast.Call)]
    known = all(name.startswith(("nn.", "torch.nn.")) and name.rpartition(".")[2].startswith(_BARE) for name in names)
    return 0 < len(names) == len(made) and known


def _has_container_keys(value: ast.expr) -> bool:
    """Return whether the keys of a dict literal can be names of modules. Return False for a dict comprehension, and
    True for anything but dicts.
    """
    if not isinstance(value, (ast.Dict, ast.DictComp)):
        return True
    keys = [key.value if isinstance(key, ast.Constant) else None for key in getattr(value, "keys", [])]
    names = [key for key in keys if isinstance(key, str) and key.isidentifier() and not hasattr(dict, key)]
    return 0 < len(names) == len(keys) and not any(name in _MODULE_WORDS for name in names)


def _torch_nn(tree: ast.Module) -> bool:
    """Return whether ``nn`` is torch's in this file."""
    for statement in tree.body:
        if isinstance(statement, ast.ImportFrom) and any((a.asname or a.name) == "nn" for a in statement.names):
            if statement.module != "torch":
                return False
        elif isinstance(statement, ast.Import) and any(
            a.asname == "nn" and a.name != "torch.nn" for a in statement.names
        ):
            return False
    return True


def _fits_container(tree: ast.Module, node: ast.Attribute) -> bool:
    """Return whether an attribute is used in a way that a container of modules supports: indexed (not sliced),
    iterated, or passed to ``len``, for example.
    """
    around = astwalk.parents(tree).get(node)
    if isinstance(around, ast.Subscript):
        return not isinstance(around.slice, ast.Slice)
    if isinstance(around, (ast.For, ast.comprehension)):
        return around.iter is node
    if isinstance(around, ast.Call):
        return getattr(around.func, "id", "") in ("len", "enumerate", "zip", "reversed")
    return isinstance(around, ast.Attribute) and around.attr in ("items", "keys", "values")
