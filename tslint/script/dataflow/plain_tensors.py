"""Finds plain tensors, which are certainly not instances of a subclass of ``torch.Tensor``, and new ones among them.

A new tensor has no gradient, and nothing else refers to it.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace

from tslint.script.dataflow.definitions import FunctionNode
from tslint.script.dataflow.instance_stores import instance_stores
from tslint.script.dataflow.local_bindings import comes_before, is_parameter, only_value
from tslint.script.dataflow.loop_bindings import loops_around
from tslint.script.dataflow.outlines import block_of
from tslint.script.dataflow.plain_types import is_size, plain_type
from tslint.script.dataflow.scopes import bound_times, function_around, peeps
from tslint.script.dataflow.shallow import full_name
from tslint.script.dataflow.stores import file_facts
from tslint.script.types import DEVICE, INT, STRING, Type
from tslint.util import astwalk
from tslint.util.record import record

_MAKERS = frozenset("zeros ones empty full rand randn randint randperm arange linspace eye tensor from_numpy".split())
_LIKE = frozenset("zeros_like ones_like empty_like full_like rand_like randn_like".split())
# With a number, a dtype or a device as argument, they return the tensor itself, or a new one of the same class.
_KEEPING = frozenset(
    "zero_ fill_ uniform_ normal_ random_ bernoulli_ exponential_ to type cpu cuda float double half bfloat16 long int"
    " short bool contiguous clone".split()
)
_NEW = frozenset("new_zeros new_ones new_empty new_full".split())
_COMPUTING = ("torch", "torch.nn.functional", "torch.linalg", "torch.fft", "torch.special")
_VIEWS = ("data", "T", "mT")
_COMPARED = frozenset("gt ge lt le eq ne isnan isinf isfinite logical_not logical_and logical_or".split())
_COMPARING = (ast.Eq, ast.NotEq, ast.Lt, ast.LtE, ast.Gt, ast.GtE)
_WITH_GRADIENT = (None, "requires_grad", "out")
_LEGACY = ("torch", "torch.cuda")  # their tensor types always return a plain tensor
_WHOLE = frozenset(f"{each}Tensor" for each in ("Long", "Int", "Short", "Byte", "Char", "Bool"))  # no gradient
_VARIABLE = ("torch.autograd.Variable", "torch.autograd.variable.Variable")  # these return a plain tensor


@record
class Tensors:
    """What is known about the tensors of a file.

    Args:
        tree: the tree of the file.
        types: the types of variables, as events contain them.
        in_constructor: whether the value is stored by a constructor, where attributes are not known yet.
        assumed: variables that are assumed to be plain tensors while their other bindings are checked.
    """

    tree: ast.Module
    types: Mapping[str, Type]
    in_constructor: bool = False
    assumed: frozenset[str] = frozenset()

    def is_new(self, node: ast.AST) -> bool:
        """Return whether an expression creates a tensor, or is the only use of a variable that contains a new one."""
        if isinstance(node, (ast.Call, ast.Compare)):
            return self._makes(node)
        binding = self._binding(node)
        return binding is not None and self._makes(binding[2]) and self._is_only_use(*binding, node)

    def is_detached(self, node: ast.AST) -> bool:
        """Return whether an expression creates a tensor object without gradient: ``x.data``, ``x.new_zeros(3)``,
        ``torch.LongTensor(x)``, a computation from these tensors only, or the only use of a variable with such a
        tensor.
        """
        if isinstance(node, ast.Name):
            binding = self._binding(node)
            return binding is not None and self.is_detached(binding[2]) and self._is_only_use(*binding, node)
        if isinstance(node, ast.Attribute):
            return node.attr == "data"
        if isinstance(node, ast.Compare):
            return len(node.ops) == 1 and isinstance(node.ops[0], _COMPARING)
        if isinstance(node, ast.BinOp):
            sides = [self.is_detached(node.left), self.is_detached(node.right)]
            return any(sides) and (all(sides) or self._is_sure_number(node.right if sides[0] else node.left))
        if isinstance(node, ast.Subscript):
            return self.is_detached(node.value) and self._keeps(node.slice)
        if not isinstance(node, ast.Call) or any(each.arg in _WITH_GRADIENT for each in node.keywords):
            return False
        module, _, name = (full_name(self.tree, node.func) or "").rpartition(".")
        if module in _LEGACY and name in _WHOLE:
            return True
        if isinstance(node.func, ast.Attribute) and node.func.attr in _COMPARED:
            return True  # bools have no gradient
        if self._takes_sizes(node):
            return True
        given = [part for each in (*node.args, *(each.value for each in node.keywords)) for part in _elements(each)]
        tensors = [each for each in given if self.is_detached(each)]
        starts = bool(tensors) and module in _COMPUTING
        if isinstance(node.func, ast.Attribute) and not starts:
            starts = node.func.attr in ("detach", "new") or self.is_detached(node.func.value)
        return self._makes(node) or (starts and all(each in tensors or self._keeps(each) for each in given))

    def is_plain(self, node: ast.AST) -> bool:
        """Return whether an expression is a ``torch.Tensor``, and not an instance of a subclass."""
        if isinstance(node, ast.BinOp) or (isinstance(node, ast.Compare) and isinstance(node.ops[0], _COMPARING)):
            operands = [node.left, *([node.right] if isinstance(node, ast.BinOp) else node.comparators)]
            sides = [len(operands) == 2 and self.is_plain(each) for each in operands]
            numbers = [self._is_sure_number(each) for each in operands]
            return any(sides) and all(plain or number for plain, number in zip(sides, numbers))
        if isinstance(node, ast.Subscript):
            return self.is_plain(node.value) and self._keeps(node.slice)
        if isinstance(node, ast.Call) and self._is_computed(node):
            return True
        if isinstance(node, ast.Attribute):
            return self._is_plain_attribute(node)
        binding = self._binding(node)
        if binding is not None and self.is_plain(binding[2]):
            return True
        return self._is_always_plain(node) if isinstance(node, ast.Name) else self._is_made_plain(node)

    def is_stored_as_one(self, node: ast.AST) -> bool:
        """Return whether the class stores a plain tensor in the attribute from which an expression reads.

        Other code may store another value.
        """
        while isinstance(node, ast.Subscript):
            node = node.value
        owner = next((each for each in astwalk.around(self.tree, node) if isinstance(each, ast.ClassDef)), None)
        if not isinstance(node, ast.Attribute) or not isinstance(node.value, ast.Name) or owner is None:
            return False
        facts, elsewhere = file_facts(self.tree), Tensors(self.tree, {}, in_constructor=True)
        buffers = [value for name, value in facts.given if name == (node.attr, node.attr)]
        stores = [each.value for each in facts.stores.get(node.attr, ()) if each.own and each.owner is owner]
        return any(each is not None and elsewhere.is_plain(each) for each in (*buffers, *stores))

    def _is_always_plain(self, node: ast.Name) -> bool:
        """Return whether all bindings of a variable in a function are plain tensors."""
        function = function_around(self.tree, node)
        if node.id in self.assumed or function is None or peeps(function) or is_parameter(function, node.id):
            return node.id in self.assumed
        targets = [each for each in _named(function, node.id) if isinstance(each.ctx, ast.Store)]
        inside, parents = replace(self, assumed=self.assumed | {node.id}), astwalk.parents(function)
        if not targets or len(targets) != bound_times(function, node.id):
            return False
        for target in targets:
            around = parents.get(target)
            value = around.value if isinstance(around, ast.AugAssign) else only_value(function, target)
            number = isinstance(around, ast.AugAssign) and inside._is_sure_number(around.value)
            if value is None or not (number or inside.is_plain(value)):
                return False
        return True

    def _is_plain_attribute(self, node: ast.Attribute) -> bool:
        if node.attr in _VIEWS and self.is_plain(node.value):
            return True
        if self.in_constructor:
            return False
        # The types of this function's variables do not apply in a constructor.
        elsewhere, values = Tensors(self.tree, {}, in_constructor=True), self._stored(node)
        return bool(values) and all(elsewhere.is_plain(each) for each in values or ())

    def _is_computed(self, node: ast.Call) -> bool:
        """Return whether a function of torch or a method computes something from plain tensors and numbers only."""
        given = [*node.args, *(each.value for each in node.keywords)]
        module, _, name = (full_name(self.tree, node.func) or "").rpartition(".")
        if module in _COMPUTING and name.islower():
            tensors = [each for each in given if self.is_plain(each)]
            return bool(tensors) and all(each in tensors or self._keeps(each) for each in given)
        method = isinstance(node.func, ast.Attribute) and self.is_plain(node.func.value)
        return method and all(self._keeps(each) or self.is_plain(each) for each in given)

    def _takes_sizes(self, node: ast.Call) -> bool:
        """Return whether a call is ``x.new_zeros(…)``, or ``x.new(…)`` with sizes: if one of them is an int, all are.

        Such a tensor has no gradient. With a tensor as argument, ``new`` returns one that shares its gradient.
        """
        name = node.func.attr if isinstance(node.func, ast.Attribute) else ""
        return name in _NEW or (name == "new" and any(map(self._is_sure_number, node.args)))

    def _keeps(self, node: ast.AST) -> bool:
        """Return whether an index or argument cannot turn a plain tensor into one of another class, because it is a
        number, size, option or slice.
        """
        if isinstance(node, ast.Slice):
            return True  # the bounds of a slice are converted to numbers
        if isinstance(node, (ast.Tuple, ast.List)):
            return all(map(self._keeps, node.elts))
        if isinstance(node, ast.Starred):
            return is_size(node.value)
        return isinstance(node, ast.expr) and (self._is_sure_number(node) or is_size(node) or self._is_option(node))

    def _makes(self, node: ast.AST | None) -> bool:
        if isinstance(node, ast.Compare):
            return self.is_plain(node)  # a tensor of bools has no gradient
        if not isinstance(node, ast.Call) or any(each.arg in _WITH_GRADIENT for each in node.keywords):
            return False
        module, _, name = (full_name(self.tree, node.func) or "").rpartition(".")
        if module in _LEGACY:
            if name in _LIKE:
                return bool(node.args) and self.is_plain(node.args[0])
            # With a tensor as argument, they return one that shares its gradient.
            return name in _MAKERS or (name.endswith("Tensor") and all(map(self._is_value, node.args)))
        if not isinstance(node.func, ast.Attribute) or node.func.attr not in _KEEPING:
            return False
        given = [*node.args, *(each.value for each in node.keywords)]
        if node.func.attr == "type" and not given:
            return False  # the method returns the name of the type
        return self._makes(node.func.value) and all(self._is_number(each) or self._is_option(each) for each in given)

    def _is_made_plain(self, node: ast.AST) -> bool:
        called = full_name(self.tree, node.func) or "" if isinstance(node, ast.Call) else ""
        module, _, name = called.rpartition(".")
        return self._makes(node) or called in _VARIABLE or (module in _LEGACY and name.endswith("Tensor"))

    def _is_value(self, node: ast.expr) -> bool:
        """Return whether an expression is a number, a size, or a list."""
        if isinstance(node, ast.Starred):
            return self._is_value(node.value)
        listed = isinstance(node, (ast.List, ast.ListComp)) or plain_type(self.types, node) == "list"
        return listed or self._is_number(node) or is_size(node)

    def _is_number(self, node: ast.expr) -> bool:
        if isinstance(node, ast.BinOp):
            return self._is_number(node.left) and self._is_number(node.right)
        return plain_type(self.types, node) in ("int", "float", "bool")

    def _is_sure_number(self, node: ast.expr) -> bool:
        """Return whether an expression is a number, and no parameter decides that: callers may ignore annotations."""
        function = function_around(self.tree, node)
        passed = function is not None and any(is_parameter(function, each) for each in _operands(node))
        return not passed and self._is_number(node)

    def _is_option(self, node: ast.expr) -> bool:
        """Return whether an expression is a device, a dtype, another name of torch, a literal, or a variable with a
        string or an int.
        """
        if isinstance(node, ast.Name):
            return self.types.get(node.id) in (DEVICE, STRING, INT)
        if isinstance(node, ast.Attribute):
            return node.attr in ("device", "dtype") or (full_name(self.tree, node) or "").startswith("torch.")
        return isinstance(node, ast.Constant)

    def _binding(self, node: ast.AST) -> tuple[FunctionNode, ast.Name, ast.expr] | None:
        """Return the assignment that gives a variable its value at a use, as the function, the target and the value;
        None if there is none.
        """
        function = function_around(self.tree, node) if isinstance(node, ast.Name) else None
        if function is None or not isinstance(node, ast.Name) or peeps(function):
            return None
        targets = [each for each in _named(function, node.id) if isinstance(each.ctx, ast.Store)]
        if bound_times(function, node.id) != 1:
            before = self._right_before(node)
            targets = [each for each in targets if astwalk.parents(function).get(each) is before]
        value = only_value(function, targets[0]) if len(targets) == 1 else None
        if value is None or not comes_before(function, targets[0], node):
            return None
        return function, targets[0], value

    def _right_before(self, node: ast.Name) -> ast.stmt | None:
        """Return the last statement that binds a variable before its use, if both are in the same block; otherwise
        None.
        """
        member = next(each for each in astwalk.around(self.tree, node) if isinstance(each, ast.stmt))
        block = block_of(self.tree, member) or []
        earlier = [each for each in block if each.lineno < member.lineno and node.id in astwalk.bound(each)]
        return earlier[-1] if earlier else None

    def _is_only_use(self, function: FunctionNode, target: ast.Name, value: ast.expr, node: ast.AST) -> bool:
        parents = astwalk.parents(function)
        assignment, around = parents.get(target), list(_inside(function, node))
        inner = (ast.Lambda, ast.FunctionDef, ast.AsyncFunctionDef, ast.comprehension, ast.GeneratorExp, ast.ListComp)
        several = isinstance(assignment, ast.Assign) and assignment.targets != [target]
        if several or any(isinstance(each, inner) for each in around):
            return False
        others = [each for each in _named(function, target.id) if each is not target and each is not node]
        if not others:
            return loops_around(self.tree, target) == loops_around(self.tree, node)
        # After ``x = Variable(x)``, other uses refer to the new value.
        member = next(each for each in around if isinstance(each, ast.stmt))
        between = range(target.lineno, member.lineno + 1)
        again = [each for each in others if isinstance(member, ast.Assign) and member.targets == [each]]
        return bool(again) and not any(each.lineno in between for each in others if each not in again)

    def _stored(self, node: ast.Attribute) -> list[ast.expr] | None:
        """Return all possible values of an attribute of the method's own instance; None if they are not visible."""
        function = function_around(self.tree, node)
        owner = next((each for each in astwalk.around(self.tree, node) if isinstance(each, ast.ClassDef)), None)
        arguments = function.args.args if function is not None else []
        if owner is None or not arguments or not isinstance(node.value, ast.Name) or node.value.id != arguments[0].arg:
            return None
        facts = file_facts(self.tree)
        buffers = [value for name, value in facts.given if name == (node.attr, node.attr)]
        if buffers:
            computed = [name for name, _ in facts.given if name[0] != name[1] or not name[0]]
            elsewhere = facts.stores.get(node.attr) or facts.line(owner) is None or facts.on_instances or facts.patterns
            found = [each for each in buffers if each is not None]
            return found if len(found) == len(buffers) and not (computed or elsewhere) else None
        stores = instance_stores(facts, owner, node.attr) if facts.line(owner) is not None else None
        values = [each.value for each in stores or () if each.value is not None]
        return values if stores is not None and len(values) == len(stores) else None


def _named(function: FunctionNode, name: str) -> list[ast.Name]:
    return [each for each in astwalk.walk(function) if isinstance(each, ast.Name) and each.id == name]


def _elements(node: ast.expr) -> list[ast.expr]:
    """Return the elements of a list or tuple that is written out; for another argument, only itself."""
    return node.elts if isinstance(node, (ast.Tuple, ast.List)) else [node]


def _operands(node: ast.AST) -> Iterator[str]:
    """Yield the variables that determine whether an expression is a number, unlike ``x`` in ``x.size(0)``."""
    if isinstance(node, ast.Name):
        yield node.id
    elif not plain_type({}, node):
        for each in ast.iter_child_nodes(node):
            yield from _operands(each)


def _inside(function: FunctionNode, node: ast.AST) -> Iterable[ast.AST]:
    """Yield the nodes around a node in a function."""
    for each in astwalk.around(function, node):
        if each is function:
            return
        yield each
