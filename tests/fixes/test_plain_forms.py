"""Tests that fixes write what a maintainer would write: one form for Python and compiled code, if one is enough."""

from __future__ import annotations

import pytest

from tests.fixes.promise import check_promise

MADE = """
def made(count):
    return nn.ModuleList([nn.Linear(2, 2) for _ in range(count)])


class Net(nn.Module):
    def __init__(self, turns: int = 2, first: int = 2, second: int = 2):
        super().__init__()
        torch.manual_seed(0)
        self.turns = turns
        self.first = made(first)
        self.second = made(second)

    def forward(self, x: Tensor):
"""
LISTS = ["Net()", "Net(1, 2, 3)", "Net(3, 3, 2)", "Net(3, 2, 3)", "Net(0, 1, 1)", "Net(2, 0, 0)", "Net(0, 0, 0)"]
WALKS = {
    "two lists that may not be as long as each other": (
        "for i in range(self.turns):\n    x = self.first[i](self.second[i](x))\nreturn x",
        ["in enumerate(zip(self.first, self.second)):", "if self.turns > len(self.second):"],
    ),
    "as many turns as the second has modules": (
        "for i in range(len(self.second)):\n    x = self.first[i](self.second[i](x))\nreturn x",
        ["in zip(self.first, self.second):", "if len(self.second) > len(self.first):"],
    ),
    "one of them in some turns": (
        "for i in range(self.turns):\n    x = self.first[i](x)\n    if i < 1:\n        x = self.second[i](x)\nreturn x",
        ["for i, first in enumerate(self.first):", "if i >= len(self.second):"],
    ),
    "as many turns as the second, and a first in some": (
        "for i in range(len(self.second)):\n    x = self.second[i](x)\n    if i < 1:\n        x = self.first[i](x)\n"
        "return x",
        ["for i, second in enumerate(self.second):", "if i >= len(self.first):"],
    ),
    "a comprehension": (
        "return [self.first[i](self.second[i](x)) for i in range(self.turns)]",
        ["in enumerate(zip(self.first, self.second)):", "values.append(first(second(x)))"],
    ),
    "numbers that are counted": (
        "for i, _ in enumerate(range(len(self.first))):\n    x = self.first[i](x)\nreturn x",
        ["for first in self.first:\n            x = first(x)"],
    ),
    "numbers that are counted, and read": (
        "for i, j in enumerate(range(len(self.first))):\n    x = self.first[i](x) * (i + 1) + j\nreturn x",
        ["for index, first in enumerate(self.first):"],
    ),
    "the module itself": (
        "for i, one in enumerate(self.first):\n    x = self.first[i](x) * (i + 1)\nreturn x",
        ["for i, one in enumerate(self.first):\n            x = one(x) * (i + 1)"],
    ),
    "the module itself, without its index": (
        "for i, one in enumerate(self.first):\n    x = self.first[i](x)\nreturn x",
        ["for one in self.first:\n            x = one(x)"],
    ),
    "the module itself, which is bound to something else": (
        "for i, one in enumerate(self.first):\n    y = self.first[i](x)\n    one = y\n    x = one + x\nreturn x",
        ["zip(self.first, self.first)"],
    ),
    "turns that a variable counts": (
        "n = len(self.first) - 1 + self.turns\nfor i in range(n - 1):\n    x = self.second[i](x) * 2\nreturn x",
        ["for i, second in enumerate(self.second):", "if i < n - 1:", "if n - 1 > len(self.second):"],
    ),
    "turns that a turn counts anew": (
        "n = self.turns\nfor i in range(n - 1):\n    x = self.second[i](x) * 2\n    n = n + 1\nreturn x",
        ["if i >= len(self.second):"],
    ),
    "several comprehensions": (
        "xs = [x, x + 1]\na = torch.cat([self.first[i](y) for i, y in enumerate(xs)])\n"
        "b = torch.cat([self.second[i](y) for i, y in enumerate(xs)])\nreturn a, b",
        ["torch.cat([self.first[0](xs[0]), self.first[1](xs[1])])", "[self.second[0](xs[0]), self.second[1](xs[1])]"],
    ),
    "several comprehensions over items that are not known one by one": (
        "xs = [x] * self.turns\na = torch.cat([self.first[i](y) for i, y in enumerate(xs)])\n"
        "b = torch.cat([self.second[i](y) for i, y in enumerate(xs)])\nreturn a, b",
        ["for i, first in enumerate(self.first):", "for i, second in enumerate(self.second):", "y = xs[i]"],
    ),
}


@pytest.mark.parametrize("name", WALKS)
def test_walks_over_a_list_of_modules(name: str) -> None:
    body, parts = WALKS[name]
    made = MADE.replace("made(first)", "nn.ModuleList([nn.Linear(2, 2) for _ in range(first)])")
    for text in (MADE, made):
        after = check_promise(text + "".join(f"        {each}\n" for each in body.splitlines()), LISTS)
    for part in parts:
        assert part in after, after


def test_a_list_that_becomes_a_container_keeps_its_length() -> None:
    text = """
class Net(nn.Module):
    def __init__(self, count: int = 2):
        super().__init__()
        torch.manual_seed(0)
        self.count = count
        self.Stages = [nn.Linear(2, 2) for _ in range(count)]
        self.Stages = nn.Sequential(*self.Stages)

    def forward(self, x: Tensor) -> Tensor:
        for i in range(self.count):
            x = self.Stages[i](x) + i
        return x
"""
    after = check_promise(text, ["Net()", "Net(0)", "Net(3)"])
    assert "for i, stage in enumerate(self.Stages):\n            x = stage(x) + i\n" in after


@pytest.mark.parametrize(
    ("more", "written"),
    [
        ("", "bias = self.bias\n            assert bias is not None\n            b = self.cut(bias)"),
        # Another method may set it in between.
        ("    def reset(self):\n        self.bias = None\n", "b = self.cut(self.bias)"),
    ],
)
def test_a_value_tested_for_none_is_passed_unchanged(more: str, written: str) -> None:
    text = f"""
class Net(nn.Conv1d):
    def cut(self, x):
        return x.clamp(0.0, 1.0) - torch.relu(x)

{more}
    def forward(self, x: Tensor) -> Tensor:
        b = self.bias
        if self.bias is not None:
            b = self.cut(self.bias)
        return torch.conv1d(x, self.cut(self.weight), b).sum().sign()
"""
    assert written in check_promise(text, ["Net(2, 2, 1)", "Net(2, 2, 1, bias=False)"], ["(torch.rand(2, 3),)"])


def test_the_rest_of_a_shape_is_taken_by_a_slice() -> None:
    text = """
class Net(nn.Module):
    def forward(self, x: Tensor) -> Tensor:
        a, b, *rest = x.shape
        return x.reshape(a * b, 1, *rest)
"""
    after = check_promise(text, inputs=["(torch.rand(2, 3, 4, 5),)", "(torch.rand(2, 3),)", "(torch.rand(2),)"])
    assert "a, b = x.shape[:2]\n        rest = list(x.shape[2:])\n" in after


def test_a_blank_line_above_a_moved_function_moves_with_it() -> None:
    text = """
class Net(nn.Module):
    def forward(self, x: Tensor) -> Tensor:

        def twice(y):
            return y * 2
        return twice(x)
"""
    assert "-> Tensor:\n        return twice(x)" in check_promise(text).replace("_twice", "twice")


def test_an_index_is_only_compared_if_the_other_value_is_not_none() -> None:
    text = """
class Net(nn.Module):
    def __init__(self, skipped=None):
        super().__init__()
        self.skipped = skipped
        self.layers = nn.ModuleList([nn.ReLU(), nn.Tanh()])

    def forward(self, x: Tensor) -> Tensor:
        for i, layer in enumerate(self.layers):
            if i == self.skipped:
                x = x + 1
            x = layer(x)
        return torch.spmm(x, x.t())
"""
    after = check_promise(text, ["Net()", "Net(0)", "Net(1)", "Net(5)"])
    assert "if self.skipped is not None:\n                if i == self.skipped:\n" in after
    assert "return torch.mm(x, x.t())" in after


@pytest.mark.parametrize(
    ("kind", "plain"),
    [
        ("nn.Linear(2, 2)", True),
        ("nn.Identity()", False),
        ("nn.Sequential(nn.Linear(2, 2), nn.Identity())", True),
        ("nn.Sequential(nn.Identity(), nn.Linear(2, 2))", False),
        ("nn.Linear(2, 2) if self.training else None", True),
        ("nn.Linear(2, 2) if self.training else nn.Identity()", False),
    ],
)
def test_an_argument_of_a_module_is_asserted_in_python_too(kind: str, plain: bool) -> None:
    text = f"""
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        torch.manual_seed(0)
        self.last = {kind}

    def forward(self, x: Tensor, y: Optional[Tensor] = None):
        return self.last(y)
"""
    given = ["(torch.ones(2), torch.ones(2))", "(torch.ones(2),)"]
    after = check_promise(text, inputs=given, differs=not plain)
    assert ("\n        assert y is not None\n" in after) is plain, after


PLAIN = {
    "a list for a function of tensors": (
        "xs = x.unbind(0)\nreturn torch.stack(tuple([y * 2 for y in xs])), torch.cat(tuple(y for y in xs), dim=0)",
        ["torch.stack([y * 2 for y in xs])", "torch.cat([y for y in xs], dim=0)"],
    ),
    "a rounded number": (
        "n = int(x.size()[1])\nk = round(n * 0.5)\nreturn x[:, :k]",
        ["k = int(round(n * 0.5))"],
    ),
    "a list from its end": (
        "for name in reversed(self.names):\n    x = x * 2 if name == 'a' else x + 1\nreturn x",
        ["for name in list(self.names)[::-1]:"],
    ),
    "numbers as a tensor like another one": (
        "return x + x.new_tensor([0.1, 0.2, 0.3]) + x.new_tensor(2)",
        ["torch.tensor([0.1, 0.2, 0.3], dtype=x.dtype).to(x)", "torch.tensor(2, dtype=x.dtype).to(x)"],
    ),
    "modules with the name of a variable": (
        "for i in range(self.count):\n    head = self.head[i](x)\n    x = head + x\nreturn x",
        ["for head_module in self.head:\n            head = head_module(x)"],
    ),
}


@pytest.mark.parametrize("name", PLAIN)
def test_one_form_serves_python_and_compiled_code(name: str) -> None:
    body, parts = PLAIN[name]
    text = """
class Net(nn.Module):
    def __init__(self, count: int = 2, names=["a", "b"], scale: float = 2.0):
        super().__init__()
        torch.manual_seed(0)
        self.count = count
        self.names = names
        self.scale = scale
        self.head = nn.ModuleList([nn.Linear(3, 3) for _ in range(count)])

    def forward(self, x: Tensor):
"""
    constructions = ["Net()", "Net(0)", "Net(3, ['b', 'b', 'a'])", "Net(1, ('a', 'b'))", "Net(1, {'a': 1, 'b': 2})"]
    inputs = ["(torch.rand(2, 3),)", "(torch.rand(2, 3).double(),)", "(torch.rand(2, 3).half(),)"]
    after = check_promise(text + "".join(f"        {each}\n" for each in body.splitlines()), constructions, inputs)
    for part in parts:
        assert part in after, after


def test_one_variable_serves_an_attribute_in_several_statements() -> None:
    text = """
class Net(nn.Module):
    theta: Optional[Tensor]
    other: Optional[Tensor]

    def __init__(self):
        super().__init__()
        self.theta = None
        self.other = None

    def forward(self, x: Tensor):
        if self.theta is None:
            theta = x.mean(0)
            self.theta = theta
        row = torch.mul(x, self.theta)
        self.other = x
        last = torch.mul(x, self.theta) + self.theta
        self.theta = last.mean(0)
        return row + last, torch.mul(x, self.theta)
"""
    after = check_promise(text)
    assert after.count("= self.theta") == after.count("    assert current_theta") == 2, after
    assert "is_scripting" not in after


def test_a_variable_is_not_read_below_a_statement_that_stores_the_attribute() -> None:
    text = """
class Net(nn.Module):
    theta: Optional[Tensor]

    def __init__(self):
        super().__init__()
        self.theta = None

    def forward(self, x: Tensor):
        self.theta = torch.exp(x)
        self.theta = torch.mul(x, self.theta)
        row = torch.mul(x, self.theta)
        self.theta += torch.mul(x, self.theta)
        return torch.mul(row, self.theta) + self.theta
"""
    check_promise(text)


def test_a_sequential_needs_no_forward_of_its_own() -> None:
    text = """
class Net(nn.Sequential):
    def __init__(self, count: int = 2):
        super().__init__(*[nn.Tanh() for _ in range(count)])

    def forward(self, x: Tensor) -> Tensor:
        return super().forward(x)
"""
    after = check_promise(text, ["Net()", "Net(0)", "Net(3)"])
    assert "def forward" not in after


def test_python_asks_the_property_for_the_truth_of_a_number() -> None:
    text = """
class Net(nn.Module):
    def __init__(self, one=3):
        super().__init__()
        torch.manual_seed(0)
        self.one = one
        if self.one:
            self.a = nn.Linear(3, 3)

    def forward(self, x: Tensor):
        if self.one:
            return self.a(x), x
        return x
"""
    after = check_promise(text, ["Net()", "Net(0)", "Net('')"])
    assert "        return bool(self.one)\n" in after and "        if self._has_one:\n" in after, after


def test_a_default_without_elements_says_nothing_of_what_is_passed() -> None:
    text = """
class Net(nn.Module):
    def forward(self, x: Tensor, state=()):
        return x + len(state)
"""
    assert "state=()" in check_promise(text)


@pytest.mark.parametrize(
    ("more", "plain"),
    [
        ("", True),
        ("            y = block\n", True),
        ("            block = nn.functional.relu\n", False),
        ("        x = block(x)\n", False),
    ],
)
def test_the_authors_name_for_a_module_is_kept(more: str, plain: bool) -> None:
    text = f"""
class Net(nn.Module):
    def __init__(self, count: int = 2):
        super().__init__()
        torch.manual_seed(0)
        self.count = count
        self.blocks = nn.ModuleList([nn.Linear(3, 3) for _ in range(count)])

    def forward(self, x: Tensor):
        for i in range(self.count):
            x = x + i
            block = self.blocks[i]
            x = block(x)
{more}        return x
"""
    after = check_promise(text, ["Net()", "Net(3)"])
    assert (
        "for i, block in enumerate(self.blocks):\n            x = x + i\n            x = block(x)\n" in after
    ) is plain


def test_a_root_of_numbers_is_one_of_math() -> None:
    text = """
import numpy as np


class Net(nn.Module):
    def forward(self, x: Tensor):
        return 0.5 * x * (1 + torch.tanh(np.sqrt(2 / np.pi) * (x + x * x))), np.sqrt(2.0)
"""
    inputs = ["(torch.rand(2, 3),)", "(torch.rand(2, 3).double(),)", "(torch.rand(2, 3).half(),)"]
    after = check_promise(text, inputs=inputs, differs=True)
    assert "torch.tanh(math.sqrt(2 / np.pi) * (x + x * x))" in after
    assert "math.sqrt(2.0) if torch.jit.is_scripting() else np.sqrt(2.0)" in after


SCALED = """
class Up(nn.Module):
    def __init__(self, scale: int):
        super().__init__()
        self.scale = scale

    def forward(self, x):
        return nn.functional.interpolate(x, scale_factor=self.scale)


class Net(nn.Module):
    def __init__(self, up):
        super().__init__()
        self.up = up

    def forward(self, x):
        return self.up(x)


def build():
    return [CALLS]
"""


@pytest.mark.parametrize(
    ("calls", "written"),
    [
        ("Up(2), Up(scale=4)", "scale_factor=float(self.scale))"),
        ("Up(2), Up((2,))", "float(self.scale) if isinstance(self.scale, int) else self.scale"),
        ("", "float(self.scale) if isinstance(self.scale, int) else self.scale"),
    ],
)
def test_an_int_by_annotation_and_by_all_calls_becomes_a_float(calls: str, written: str) -> None:
    made = ["Net(Up(2))", "Net(Up((2,)))"] if calls != "Up(2), Up(scale=4)" else ["Net(Up(2))"]
    assert written in check_promise(SCALED.replace("CALLS", calls), made, ["(torch.rand(1, 1, 4),)"])


COUNTING = """
class Net(nn.Module):
    seen: Optional[Tensor]

    def __init__(self, momentum=None):
        super().__init__()
        self.seen = torch.zeros(())
        self.momentum = momentum

    def forward(self, x: Tensor):
        self.seen += 1
        if self.momentum is None:
            x = x / self.seen.item()
            REST
        return x * self.seen
"""


@pytest.mark.parametrize(("rest", "reads"), [("x = x + self.seen", 1), ("self.seen = x", 3)])
def test_a_variable_that_is_stored_again_serves_the_statements_below(rest: str, reads: int) -> None:
    after = check_promise(COUNTING.replace("REST", rest), ["Net()", "Net(0.5)"])
    assert "        assert seen is not None\n        seen += 1\n        self.seen = seen\n" in after
    assert after.count("= self.seen\n") == reads, after


ROOTS = """
import numpy as np


class Net(nn.Module):
    def __init__(self, width, depth=4):
        super().__init__()
        torch.manual_seed(0)
        self.width = width
        self.depth = depth
        self.last = nn.Linear(3, width)

    def forward(self, x):
        x = self.last(x)
        return x * np.sqrt(self.WHICH)
"""


@pytest.mark.parametrize(("which", "plain"), [("width", True), ("depth", False)])
def test_the_root_of_a_number_of_features_serves_python_and_compiled_code(which: str, plain: bool) -> None:
    given = ["(torch.rand(2, 3),)", "(torch.rand(2, 3).half(),)"]
    after = check_promise(ROOTS.replace("WHICH", which), ["Net(2)", "Net(0)", "Net(-1)"], given, differs=not plain)
    assert (f"return x * math.sqrt(self.{which})\n" in after) is plain


def test_a_test_for_none_needs_no_assertion_below_it() -> None:
    text = """
class Net(nn.Module):
    def forward(self, x, scale: Optional[float] = None):
        y = torch.relu(x)
        if scale:
            y = y * scale
        return y
"""
    after = check_promise(text, inputs=["(torch.ones(2), 2.0)", "(torch.ones(2), 0.0)", "(torch.ones(2),)"])
    assert "        if scale is not None and scale:\n            y = y * scale\n" in after


def test_declarations_stand_in_the_order_of_the_code() -> None:
    text = """
_rows = 2
_last = 3
_columns = 4


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.zeta = None
        self.alpha = None
        self.mid = None

    def forward(self, x: Tensor):
        x = x.view(_columns, _rows, -1)
        self.alpha = x * 2
        self.mid = x * 2
        self.zeta = x + 1
        return x.reshape(_last, -1)
"""
    after = check_promise(text, inputs=["(torch.rand(4, 6),)"])
    names = [each.split(":")[0].strip() for each in after.splitlines() if each.startswith("    ") and ": " in each]
    assert names[:6] == ["_rows", "_last", "_columns", "zeta", "alpha", "mid"], after


def test_a_function_that_moves_to_module_level_is_private_there() -> None:
    text = """
class Net(nn.Module):
    def forward(self, x: Tensor):
        def normalize(y: Tensor, n: int):
            return y * 2.0 / n

        def _scale(y: Tensor):
            return y * 2.0

        x = normalize(x, x.size(0))
        return normalize(_scale(x), 3)
"""
    after = check_promise(text)
    assert "        x = _normalize(x, x.size(0))\n        return _normalize(_scale(x), 3)\n" in after, after


@pytest.mark.parametrize(("use", "plain"), [("start[0]", True), ("(start, x)[1]", False)])
def test_an_assertion_in_a_branch_is_also_for_python_if_that_raises_there(use: str, plain: bool) -> None:
    text = f"""
class Net(nn.Module):
    def forward(self, x: Tensor, start: Optional[Tensor] = None):
        first = start is None
        y = x[0] if first else torch.relu({use})
        return y
"""
    after = check_promise(text, inputs=["(torch.rand(2, 3),)", "(torch.rand(2, 3), torch.rand(2, 3))"])
    assert ("            assert start is not None\n            y = torch.relu(start[0])\n" in after) is plain


FLAGGED = """
class Net(nn.Module):
    def forward(self, x: Tensor, start: Optional[Tensor] = None):
        first = start is None
        if not first:
            assert start is not None
            turns = start.size(0)
        for i in range(5):
            if first:
                if i > 3:
                    break
            REST
        assert first or turns > 0
        return x
"""


@pytest.mark.parametrize(
    ("rest", "plain"),
    [
        ("elif i >= turns:\n                break", True),
        ("elif i >= turns:\n                turns += 1", True),
        ("elif not first and i >= turns:\n                turns = 9", True),
        ("if i > 3 and turns > 0:\n                break", False),
        ("if i > 3:\n                turns += 1", False),
        ("if first or i > 3:\n                x = x + 1\n                turns = 3", True),
    ],
)
def test_a_variable_that_is_read_under_the_flag_alone_gets_a_value_first(rest: str, plain: bool) -> None:
    text = FLAGGED.replace("REST", rest)
    after = check_promise(
        text, inputs=["(torch.rand(2, 3),)", "(torch.rand(2, 3), torch.rand(2, 3))"], differs=not plain
    )
    assert ("        first = start is None\n        turns = 0\n        if not first:\n" in after) is plain, after


PASSED_ON = """
class Net(nn.Module):
    def __init__(self, inner, back=False):
        super().__init__()
        self.inner = inner.layer
        self.back = back

    def forward(self, x, rows=None):
        out = self.inner(x)
        BODY
        return out


class Holder:
    def __init__(self, layer):
        self.layer = layer
"""


@pytest.mark.parametrize(
    ("body", "annotated"),
    [
        ("if self.back:\n            out = out.index_select(0, rows)", False),
        ("if self.back:\n            out = self.inner(out, weight=rows)", False),
        ("if rows is not None:\n            out = out.index_select(0, rows)", True),
        ("if self.back and rows is not None:\n            out = out.index_select(0, rows)", True),
    ],
)
def test_a_tensor_of_an_unknown_type_gets_no_none(body: str, annotated: bool) -> None:
    nets = ["Net(Holder(nn.ReLU()))", "Net(Holder(nn.ReLU()), True)"]
    inputs = ["(torch.rand(3, 3),)", "(torch.rand(3, 3), torch.tensor([2, 0]))"]
    after = check_promise(PASSED_ON.replace("BODY", body), nets, inputs)
    assert ("rows: Optional[Tensor] = None" in after) is annotated, after


RETURNS = """
class Net(nn.Module):
    def __init__(self, mode: str = "all", last: bool = False):
        super().__init__()
        self.mode = mode
        self.last = last

    def forward(self, x):
        if {first}:
            return x.sum()
        y = [x, x + 1]
        if {second}:
            return y
        return y, x
"""


@pytest.mark.parametrize(
    ("first", "second", "union"),
    [
        # Training mode selects the first return, whatever `mode` is.
        ("not self.training", 'self.mode == "all"', True),
        ("not self.training", "self.last", True),
        ('self.mode == "sum"', "self.last", False),
    ],
)
def test_a_flag_is_only_declared_if_it_leaves_one_type(first: str, second: str, union: bool) -> None:
    made = ["Net()", "Net().eval()", 'Net("none", True)', 'Net("sum")', 'Net("sum", True).eval()']
    after = check_promise(RETURNS.format(first=first, second=second), made, differs=not union)
    assert ("-> Union[Tensor, List[Tensor], Tuple[List[Tensor], Tensor]]:" in after) is union
    assert ("__constants__" in after) is not union


@pytest.mark.parametrize(
    ("default", "use", "annotation"),
    [
        ("(1,)", "[x * k for k in sizes]", "List[int]"),
        ("(1,)", "[x * max(sizes)]", "List[int]"),
        ("(1, 2)", "[x * k for k in sizes]", "Tuple[int, int]"),
        ("(1,)", "[x * sizes[0]]", "Tuple[int]"),
    ],
)
def test_a_tuple_of_one_item_that_is_only_iterated_may_be_longer(default: str, use: str, annotation: str) -> None:
    after = check_promise(f"""
        class Net(nn.Module):
            def scaled(self, x, sizes={default}):
                return {use}

            def forward(self, x):
                return self.scaled(x)
    """)
    assert f"def scaled(self, x, sizes: {annotation} = {default}):" in after
