"""Tests the fixes for branches and for attributes behind flags: each compiles and computes the same."""

from __future__ import annotations

import pytest

from tests.fixes.promise import check_promise
from tests.rules.compiler import the_compiler
from tests.rules.driver import HERE, findings
from tslint.diagnostics import Applicability
from tslint.fixing.edits import apply_fixes
from tslint.sources.file import SourceFile

HEAD = """from typing import List, Optional, Tuple

import torch
from torch import nn


class Net(nn.Module):
"""
TAIL = "\n\ninputs = (torch.rand(2, 3),)\n"

SAFE = {
    "flag-of-a-missing-module": """
    def __init__(self, residual: bool = False):
        super().__init__()
        self.residual = residual
        if residual:
            self.shortcut = nn.Linear(3, 3)

    def forward(self, x):
        if self.residual:
            x = x + self.shortcut(x)
        return x * 2
""",
    "flag-of-a-conditional-expression": """
    def __init__(self, a=3, b=3):
        super().__init__()
        self.differs = a != b
        if self.differs:
            self.shortcut = nn.Linear(3, 3)

    def forward(self, x):
        return self.shortcut(x) if self.differs else x
""",
    "flag-in-a-file-with-a-class-that-sets-any-attribute": """
    def __init__(self, a=3, b=3):
        super().__init__()
        self.differs = a != b
        if self.differs:
            self.shortcut = nn.Linear(3, 3)

    def forward(self, x):
        return self.shortcut(x) if self.differs else x


class Options(dict):
    def __setattr__(self, name, value):
        super().__setattr__(name, value)
""",
    "flag-that-a-method-sets-that-only-python-calls": """
    def __init__(self, n=3):
        super().__init__()
        self.first, self.second, self.fused = nn.Linear(n, 3), nn.Linear(3, 3), False

    def forward(self, x):
        if not self.training and self.fused:
            return self.both(x)
        return self.second(self.first(x))

    def fuse(self):
        self.fused = True
        self.both = nn.Linear(3, 3)


class Whole(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = Net()

    def forward(self, x):
        return self.net(x)

    def prepare(self):
        for module in self.modules():
            if hasattr(module, "fuse"):
                module.fuse()
""",
    "flag-asked-by-name": """
    def __init__(self, norm=False):
        super().__init__()
        self.norm = norm
        if self.norm:
            self.first = nn.LayerNorm(3)

    def forward(self, x):
        if getattr(self, "norm", False):
            x = self.first(x)
        return x + 1
""",
    "flag-set-with-the-module": """
    def __init__(self, a=3, b=3, shrink=False):
        super().__init__()
        self.shrink = shrink
        if shrink:
            self.shortcut = nn.Linear(a, b)
        elif a != b:
            self.shortcut = nn.Linear(a, b, bias=False)
            self.shrink = True

    def forward(self, x):
        if self.shrink:
            x = x + self.shortcut(x)
        return x * 2
""",
    "leaves-before": """
    def __init__(self, plain=True):
        super().__init__()
        self.plain = plain
        if not plain:
            self.body = nn.Linear(3, 3)

    def forward(self, x):
        if self.plain:
            return x
        return self.body(x)
""",
    "none-that-is-called": """
    def __init__(self, norm=False):
        super().__init__()
        self.use_norm = norm
        self.norm = nn.LayerNorm(3) if norm else None

    def forward(self, x):
        if self.use_norm:
            x = self.norm(x)
        return x + 1
""",
    "variable-of-one-branch": """
    def __init__(self, a=3, b=3):
        super().__init__()
        self.equal = a == b
        self.body = nn.Linear(3, 3)

    def forward(self, x):
        if not self.equal:
            x = self.body(x)
        else:
            out = self.body(x)
        return self.body(out if self.equal else x)
""",
    "listed-constants": """
    __constants__ = ['size']

    def __init__(self, last=False):
        super().__init__()
        self.size = 3
        self.last = last

    def forward(self, x):
        if self.last:
            return x, x
        return x
""",
    "annotated-class": """
    size: int

    def __init__(self, last=True):
        super().__init__()
        self.size = 3
        self.last = last

    def forward(self, x):
        if self.last:
            return x, x
        return x
""",
    "names-with-two-underscores": """
    def __init__(self):
        super().__init__()
        self.__body = nn.Linear(3, 3)

    def __twice(self, x):
        return x * 2

    def forward(self, x):
        return self.__twice(self.__body(x))
""",
    "argument-chooses-the-return": """
    def forward(self, x, both: bool = False):
        y = x * 2
        if both:
            return x, y
        return y
""",
    "three-returns": """
    def forward(self, x, how: int = 2):
        if how == 1:
            return x
        if how == 2:
            return [x, x]
        return x, 1
""",
}
UNSAFE = {
    "number-compared": """
    def __init__(self, stride=1):
        super().__init__()
        self.stride = stride
        if stride == 2:
            self.shortcut = nn.Linear(3, 3)

    def forward(self, x):
        if self.stride == 2:
            x = self.shortcut(x)
        return x + 1
""",
    "truth-of-a-number": """
    def __init__(self, dropout=0):
        super().__init__()
        self.rate = dropout
        if dropout:
            self.drop = nn.Dropout(dropout)

    def forward(self, x):
        if self.rate > 0 and x.numel() > 0:
            x = self.drop(x)
        return x + 1
""",
    "asked-by-name": """
    def __init__(self, norm=False):
        super().__init__()
        self.norm = norm
        if norm:
            self.first = nn.LayerNorm(3)

    def forward(self, x):
        if getattr(self, "norm", False):
            x = self.first(x)
        return x + 1
""",
    "nothing-decides": """
    def __init__(self, styled=False):
        super().__init__()
        if styled:
            self.style = nn.Linear(3, 3)

    def forward(self, x, y: Optional[torch.Tensor] = None):
        if y is not None:
            x = x + self.style(y)
        return x
""",
    "tuple-of-more": """
    def forward(self, x, past: Optional[Tuple[torch.Tensor]] = None):
        if past is not None:
            x = x + past[0] + past[1]
        return x
""",
    "read-in-both-branches": """
    def forward(self, x, how: str = "avg"):
        total: Optional[torch.Tensor] = None
        if how == "avg":
            raw = x.mean()
        elif how == "max":
            raw = x.max()
        if total is None:
            total = raw
        else:
            total = total + raw
        return total
""",
}


def fixed(text: str, *levels: Applicability) -> str:
    """Return the text after all fixes of these levels."""
    for _ in range(8):
        fixes = [finding.fix for finding in findings(text) if finding.fix is not None]
        after = apply_fixes(SourceFile(HERE, text), [fix for fix in fixes if fix.applicability in levels]).text
        if after == text:
            break
        text = after
    return text


def holds(before: str, *levels: Applicability) -> None:
    """Check that the text is rejected, and that it compiles after its fixes, with the same eager outputs and keys."""
    text = fixed(before, *levels)
    old, new = the_compiler()(before), the_compiler()(text)
    assert not old.ok
    assert new.ok, text + new.message
    assert old.eager is not None
    assert old.eager == new.eager == new.scripted
    assert old.keys == new.keys
    assert fixed(text, Applicability.SAFE, Applicability.UNSAFE) == text


@pytest.mark.parametrize("name", SAFE)
def test_safe_fixes(name: str) -> None:
    holds(HEAD + SAFE[name].strip("\n") + TAIL, Applicability.SAFE)


@pytest.mark.parametrize("name", UNSAFE)
def test_unsafe_fixes(name: str) -> None:
    before = HEAD + UNSAFE[name].strip("\n") + TAIL
    holds(before, Applicability.SAFE, Applicability.UNSAFE)


# Two flags are much code for the compiler alone.
TWO_FLAGS = {
    "every-value-that-the-constructor-accepts": """
    def __init__(self, dim='in', how='sum'):
        super().__init__()
        assert dim in ['in', 'out']
        if how not in ('sum', 'mean'):
            raise ValueError(how)
        self.dim, self.how = dim, how

    def forward(self, x):
        if self.dim == 'in':
            w = x + 1
        elif self.dim == 'out':
            w = x + 2
        if self.how == 'sum':
            y = w.sum()
        # the other one
        elif self.how == 'mean':
            y = w.mean()
        return y
""",
    "text-chooses": """
    def __init__(self, mode="cat"):
        super().__init__()
        self.mode = mode

    def forward(self, x):
        if self.mode == "cat":
            return torch.cat([x, x])
        elif self.mode == "pair":
            return x, x
        else:
            return 0
""",
}


@pytest.mark.parametrize("name", TWO_FLAGS)
def test_two_flags_are_for_a_person(name: str) -> None:
    before = HEAD + TWO_FLAGS[name].strip("\n") + TAIL
    assert "@property" not in fixed(before, Applicability.SAFE, Applicability.UNSAFE)
    holds(before, *Applicability)


def test_the_flag_of_one_class_is_not_that_of_another() -> None:
    """The same test is in a second class, when the first already has its flag from an earlier round."""
    other = """
class Net(nn.Module):
    __constants__ = ["_kind_is_b"]

    def __init__(self, kind="a"):
        super().__init__()
        self.kind = kind
        self._kind_is_b = self.kind == "b"
        if kind == "b":
            self.body = nn.Linear(3, 3)

    def forward(self, x):
        if self._kind_is_b:
            x = self.body(x)
        return x
"""
    first = other.replace("Net", "First")
    second = other.replace('    __constants__ = ["_kind_is_b"]\n\n', "").replace("_kind_is_b:", 'kind == "b":')
    second = "\n".join(line for line in second.splitlines() if "_kind_is_b = " not in line) + "\n"
    before = HEAD.partition("class Net")[0] + first + second + TAIL
    holds(before, Applicability.SAFE, Applicability.UNSAFE)


BOTH = {
    "a bool": ("Optional[bool] = False", "if v:"),
    "no bool": ("Optional[bool] = False", "if not v:"),
    "a list, and more": ("Optional[List[int]] = None", "if x.dim() == 2 and not v:"),
    "a number in an or": ("Optional[float] = 0.0", "if v or x.dim() == 3:"),
    "no text": ("Optional[str] = ''", "while not v and x.sum() < 0:"),
}


@pytest.mark.parametrize("name", BOTH)
def test_a_value_that_may_be_none_or_false_is_tested_for_both(name: str) -> None:
    annotation, test = BOTH[name]
    body = f"\n    def forward(self, x, v: {annotation}):\n        {test}\n            return x + 1\n        return x\n"
    holds(HEAD + body.strip("\n") + TAIL, Applicability.SAFE)


READY = """
    def __init__(self):
        super().__init__()
        self.ready = False
"""
TEST = """
    def forward(self, x):
        if self.ready:
            x = self.body(x)
        return x
"""
CHANGING = {
    "set-by-another-method": READY
    + """
    def prepare(self):
        self.ready = True

    def forward(self, x):
        self.prepare()
        if self.ready:
            x = self.body(x)
        return x
""",
    "set-by-an-exported-method": READY
    + """
    @torch.jit.export
    def prepare(self):
        self.ready = True
"""
    + TEST,
    "set-by-a-method-that-another-module-calls": READY
    + """
    def prepare(self):
        self.ready = True
"""
    + TEST
    + """

class Whole(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = Net()

    def forward(self, x):
        self.net.prepare()
        return self.net(x)
""",
    "set-by-a-hook": READY
    + """        self.register_forward_hook(self.prepare)

    def prepare(self, inputs, x):
        self.ready = True
"""
    + TEST,
    "set-from-outside": READY
    + TEST
    + """

def prepare(net):
    net.ready = True
""",
    "training": """
    def forward(self, x):
        if self.training:
            x = self.body(x)
        return x
""",
}


@pytest.mark.parametrize("name", CHANGING)
def test_an_attribute_that_changes_is_not_declared_constant(name: str) -> None:
    found = [f for f in findings(HEAD + CHANGING[name].strip("\n") + TAIL) if f.code == "TS408"]
    assert found
    assert all(finding.fix is None for finding in found)


OTHERS = """
class Config:
    def __init__(self, **kwargs):
        self.rate = 0.1

    @classmethod
    def of(cls, values):
        config = {made}
        for key, value in values.items():
            config.__dict__[key] = value
        return config


class Net(nn.Module):
    def __init__(self, shortcut: bool = True):
        super().__init__()
        self.shortcut = shortcut
        if shortcut:
            self.conv = nn.Linear(3, 3)

    def forward(self, x):
        return self.conv(x) if self.shortcut else x
"""


@pytest.mark.parametrize(
    ("made", "constant"),
    [("Config()", True), ("cls()", True), ("Net()", False), ("values['made']", False), ("make()", False)],
)
def test_attributes_that_are_set_by_name_on_another_class(made: str, constant: bool) -> None:
    text = HEAD.partition("class Net")[0] + OTHERS.replace("{made}", made).strip("\n") + TAIL
    assert ("__constants__" in fixed(text, Applicability.SAFE)) is constant


TRUTH = """
class Net(nn.Module):
    def __init__(self, both):
        super().__init__()
        self.both = both
        self.lin = nn.Linear(3, 3)

    def forward(self, x):
        y = self.lin(x)
        out = (y, x) if self.both else (y,)
        return out
"""


def test_a_flag_for_the_truth_of_an_unknown_type_is_unsafe() -> None:
    text = HEAD.partition("class Net")[0] + TRUTH.strip("\n") + "\n"
    assert fixed(text, Applicability.SAFE) == text
    after = fixed(text, Applicability.SAFE, Applicability.UNSAFE)
    assert "    def _has_both(self):\n        return bool(self.both)\n" in after
    assert "out = (y, x) if self._has_both else (y,)\n" in after


TESTED = """
class Net(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.width = width
        self.lin = nn.Linear(3, 3)
        if width:
            self.more = nn.Linear(3, width)

    def forward(self, x):
        y = self.lin(x)
        if not self.width:
            return y
        return y, self.more(x)


def use(net: Net, x):
    return net(x)
"""


@pytest.mark.parametrize("value", ["0", "2", "None", "torch.ones(2)"])
def test_an_attribute_that_the_constructor_tests_gets_a_flag(value: str) -> None:
    after = check_promise(TESTED, constructions=(f"Net({value})",), differs=True)
    assert "    def _has_width(self):\n        return bool(self.width)\n" in after
    assert "if not self._has_width:" in after
    # The branch that is not compiled needs no other test.
    assert "assert" not in after


LASTING = """
class Net(nn.Module):
    def __init__(self, width, mode):
        super().__init__()
        self.width = width
        self._mode = mode
        self.kind = mode
        if mode == "fixed":
            self.width = 2
        self.sizes = [width]
        self.lin = nn.Linear(3, 3)

    def forward(self, x):
        y = self.lin(x)
        if TEST:
            return y
        return y, x


def use(net: Net, x):
    net.sizes.append(3)
    return net(x)
"""


@pytest.mark.parametrize(
    ("test", "written"),
    [
        ("self._mode == 'wide'", "if self._mode_is_wide:"),
        ("self._mode in ('wide', 'fixed')", "if self._mode_in_wide_fixed:"),
        ("self._mode != -1", "if self._mode_is_not_minus_1:"),
        # Other files may set it later.
        ("self.kind == 'wide'", "if self._kind_is_wide:"),
        # It is stored twice, and the code in between may ask for it.
        ("self.width != 2", "if self._width_is_not_2:"),
        # A list may change in place, and equal another one then.
        ("self.sizes == [2, 3]", "if self._sizes_is_2_3:"),
    ],
)
def test_python_evaluates_a_test_in_a_property(test: str, written: str) -> None:
    after = check_promise(
        LASTING.replace("TEST", test), constructions=("Net(2, 'wide')", "Net(3, 'fixed')", "Net(3, None)"), differs=True
    )
    assert written in after


EQUAL_TO_NONE = """
class Net(nn.Module):
    def __init__(self, scale, shift, norm=False):
        super().__init__()
        self.scale, self.shift, self.norm = scale, shift, norm
        self.body = nn.Linear(3, 3)

    def forward(self, x):
        if self.scale != None:
            x = self.scale(x)
        y = self.body(x) if self.shift == None else self.shift(self.body(x))
        if self.norm and self.scale != None:
            y = self.scale(y)
        return y


def use(net: Net, x):
    return net(x)
"""


def test_a_comparison_with_none_needs_no_flag() -> None:
    all_three = ("Net(None, None)", "Net(nn.ReLU(), None)", "Net(None, nn.Tanh(), True)", "Net(nn.ReLU(), None, True)")
    after = check_promise(EQUAL_TO_NONE, constructions=all_three)
    assert "        if self.scale is not None:\n" in after
    assert "self.body(x) if self.shift is None else self.shift" in after
    assert "        if self.norm and self.scale is not None:\n" in after
    assert "@property" not in after


def test_a_value_with_an_equality_of_its_own_is_still_asked() -> None:
    own = "class Likes(nn.Module):\n    def __ne__(self, other):\n        return False\n\n"
    after = check_promise(own + EQUAL_TO_NONE, constructions=("Net(None, None)", "Net(nn.ReLU(), None)"), differs=True)
    assert "self.scale is not None" not in after


SAME_STRING = """
class Net(nn.Module):
    def __init__(self, stage):
        super().__init__()
        self.stage = stage

    def forward(self, x):
        if self.stage is "first":
            return x * 2
        return x + 1
"""


def test_python_decides_whether_equal_strings_are_identical() -> None:
    made = ("Net('first')", "Net('second')", "Net(''.join(['fir', 'st']))")
    after = check_promise(SAME_STRING, constructions=made)
    assert '        self._stage_is_first = self.stage is "first"\n' in after
    assert "        if self._stage_is_first:\n" in after


STORED = """
class Base(nn.Module):
    def __init__(self, heads=2, scale=2):
        super().__init__()
        self.heads = heads
        self.scale = scale

    def forward(self, x):
        return x


class Net(nn.Module):
    def __init__(self, heads=2, scale=2):
        super().__init__()
        {}
        self.lists = [1]

    def forward(self, x):
        if {}:
            y = x + 1
        x = x * 2
        if {}:
            x = x + y
        return x

    def reset(self):
        self.lists = []
"""
HEADS, ONE = "self.heads = heads", "self.heads != 1"
LIST = "self.heads = [heads]"
RESET = "self.heads = 1\n        self.reset()\n        self.heads = heads"
RETURN = "if heads == 1:\n            self.heads = 1\n            return\n        self.heads = heads"
IF = "self.heads = heads\n        if heads < 1:\n            self.heads = 1"


@pytest.mark.parametrize(
    ("stores", "test", "added"),
    [
        pytest.param(HEADS, ONE, f"        {HEADS}\n        self._heads_is_not_1 = {ONE}\n", id="a store"),
        pytest.param(IF, ONE, f"            self.heads = 1\n        self._heads_is_not_1 = {ONE}\n", id="two stores"),
        pytest.param(RESET, ONE, "@property", id="a method that is called before the last store"),
        pytest.param(RETURN, ONE, "@property", id="a constructor that may end earlier"),
        pytest.param(HEADS, "self.heads > 1", "@property", id="a comparison that may raise"),
        pytest.param(f"{LIST}\n        self.heads.append(1)", "self.heads == [2, 1]", "@property", id="it grows"),
        pytest.param(HEADS.replace("heads", "lists", 1), "self.lists == [1]", "", id="an attribute that changes"),
    ],
)
def test_the_result_of_a_test_is_stored_if_nothing_changes_it_later(stores: str, test: str, added: str) -> None:
    after = check_promise(STORED.format(stores, test, test), constructions=("Net()", "Net(heads=1)"))
    assert added in after
    assert ("@property" in after) is (added == "@property")
