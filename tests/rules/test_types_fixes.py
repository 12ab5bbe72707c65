"""Tests the fixes for types beyond their pages' examples: the code compiles afterwards and computes the same."""

from __future__ import annotations

import pytest

from tests.rules.compiler import the_compiler
from tests.rules.driver import HERE, findings
from tslint.diagnostics import Applicability, Risk, Severity
from tslint.fixing.edits import apply_fixes
from tslint.sources.file import SourceFile

HEAD = """from typing import Dict, List, Optional, Tuple

import torch
import torch.nn.functional as F


"""
TAIL = """

scripted = torch.jit.script(f)
inputs = ({inputs},)
"""
X = "torch.arange(6.0).reshape(2, 3)"

SAFE = [
    ("starred-sizes", "def f(x):\n    return x.view(*x.shape[:1], -1, *x.shape[1:])", X),
    ("starred-function", "def f(x):\n    return torch.zeros(*x.shape, device=x.device)", X),
    ("starred-list", "def f(x):\n    return [*x.shape, 1]", X),
    ("unpack-last", "def f(x):\n    b, *rest = x.shape\n    return x.reshape(rest + [b])", X),
    ("unpack-middle", "def f(x: List[int]):\n    a, *b, c, d = x\n    return [d, c, a] + b", "[1, 2, 3, 4, 5]"),
    ("unpack-both-ends", "def f(x):\n    a, *_, b = x.shape\n    return a * 2 + b", X),
    ("unpack-first", "def f(x):\n    *_, b, c = x.size()\n    return b + c", X),
    ("unpack-two", "def f(x):\n    a, b, *_ = x.shape\n    return a * b", X),
    ("unpack-last-two", "def f(x):\n    *_, a, b = x.size()\n    return a - b", X),
    ("unpack-read", "def f(x):\n    a, b, *rest = x.shape\n    return x.reshape(rest + [b, a])", X),
    ("keepdims", "def f(x):\n    return x.mean(dim=1, keepdims=True)", X),
    ("axis-function", "def f(x):\n    return torch.cat([x, x], axis=1)", X),
    ("requires-grad-keyword", "def f(x):\n    return torch.ones(2, 3, requires_grad=False) + x", X),
    ("no-gradient-of-new", "def f(x):\n    y = x.new_zeros(3)\n    y.requires_grad = False\n    return x + y", X),
    ("no-gradient", "def f(x):\n    y = x.cos()\n    y.requires_grad = False\n    return x + y", X),
    ("nonzero", "def f(x):\n    return torch.nonzero(x, as_tuple=False)", X),
    ("split", "def f(x):\n    return torch.split(x, split_size_or_sections=1, dim=1)[0]", X),
    ("float-negative", "def f(x):\n    return F.pad(x, [1, 1], value=-1)", X),
    (
        "float-attention",
        "def f(x):\n    y = x.view(1, 1, 3)\n"
        "    return F.multi_head_attention_forward(y, y, y, 3, 1, torch.eye(3).repeat(3, 1), "
        "torch.zeros(9), None, None, False, 0, torch.eye(3), torch.zeros(3), need_weights=False)[0]",
        X,
    ),
    ("float-normalize", "def f(x):\n    return F.normalize(x, p=1, dim=0) + F.normalize(x, 2)", X),
    ("float-norms", "def f(x):\n    return F.layer_norm(x, [3], eps=1) + F.group_norm(x, 1, eps=1)", X),
    ("float-losses", "def f(x):\n    return F.smooth_l1_loss(x, x * 3, beta=2) + F.huber_loss(x, -x, delta=2)", X),
    ("float-margin", "def f(x):\n    return F.margin_ranking_loss(x, x * 2, x.sign(), margin=3)", X),
    ("float-triplet", "def f(x):\n    return F.triplet_margin_loss(x, x * 2, x.cos(), margin=1, p=1)", X),
    ("float-smoothing", "def f(x):\n    return F.cross_entropy(x, x.softmax(1), label_smoothing=1)", X),
    ("float-batch-norm", "def f(x):\n    return F.batch_norm(x, x[0] * 0, x[1], momentum=1, eps=1)", X),
    (
        "float-gumbel",
        "def f(x):\n    torch.manual_seed(0)\n    return F.gumbel_softmax(x, tau=2, hard=True).sum()",
        X,
    ),
    ("float-expression", "def f(x, n: int):\n    return F.interpolate(x[None], scale_factor=n + 1)", f"{X}, 1"),
    ("float-upsample", "def f(x):\n    return F.upsample_bilinear(x[None, None], scale_factor=2)", X),
    ("float-response", "def f(x):\n    return F.local_response_norm(x[None], 3, k=2)", X),
    ("float-method", "def f(x):\n    return x.clone().uniform_(0, 1) * 0", X),
    ("broadcast-int", "def f(x, n=1):\n    return x.sum(dim=n) + n", f"{X}, 0"),
    ("range-default", "def f(x, n=2):\n    for i in range(n):\n        x = x + i\n    return x", f"{X}, 3"),
    ("str-default", "def f(x, m='a'):\n    return x if m == 'a' else x + 1", f"{X}, 'b'"),
    ("unbind-attribute", "def f(x):\n    a, b = x.T.T\n    return a - b", X),
    ("unbind-permuted", "def f(x):\n    a, b, c = x.permute(1, 0)\n    return a - b * c", X),
    ("unbind-call", "def f(x):\n    a, b = torch.sin(x)\n    return a - b", X),
    (
        "optional-list",
        "def f(x, n: int):\n    out = None\n    for i in range(n):\n        out = [x]\n    return out",
        f"{X}, 2",
    ),
    ("norm", "def f(x):\n    return x.norm(dim=1, keepdim=True) + torch.norm(x, dim=1)", X),
    ("optional-equal", "def f(x, m: Optional[str] = None):\n    return x if m == 'a' else x + 1", f"{X}, 'a'"),
    ("optional-none", "def f(x, m: Optional[str] = None):\n    if 'a' != m:\n        x = x + 1\n    return x", X),
    ("optional-both", "def f(x, m: Optional[int], b: bool):\n    return x if b and m == 2 else -x", f"{X}, 2, True"),
]
UNSAFE = [
    ("int-of-float", "def f(x, n: int):\n    return F.avg_pool1d(x, kernel_size=2 ** n)", f"{X}, 1"),
    ("int-of-float-size", "def f(x, n: int):\n    return x.reshape(-1, 2 ** n)", f"{X}, 1"),
    ("range-power", "def f(x, n: int):\n    for i in range(2 ** n):\n        x = x + i\n    return x", f"{X}, 2"),
    ("device", "def f(x, d):\n    return torch.zeros(2, device=d)", f"{X}, torch.device('cpu')"),
    ("list-of-tensors", "def f(x):\n    return torch.cat(x, dim=0)", f"[{X}, {X}]"),
    ("float-index", "def f(x, n: int):\n    return x[2 ** n]", f"{X}, 0"),
]


@pytest.mark.parametrize(("source", "inputs"), [case[1:] for case in SAFE], ids=[case[0] for case in SAFE])
def test_safe_fixes_compile_and_compute_the_same(source: str, inputs: str) -> None:
    _compiles_and_computes_the_same(source, inputs, Applicability.SAFE)


@pytest.mark.parametrize(("source", "inputs"), [case[1:] for case in UNSAFE], ids=[case[0] for case in UNSAFE])
def test_unsafe_fixes_compile_and_compute_the_same(source: str, inputs: str) -> None:
    """Nothing confirms the type, or Python raises for some numbers."""
    _compiles_and_computes_the_same(source, inputs, Applicability.UNSAFE)


def _compiles_and_computes_the_same(source: str, inputs: str, level: Applicability) -> None:
    before = HEAD + source + "\n" + TAIL.format(inputs=inputs)
    assert not the_compiler()(before).ok
    text = before
    for _ in range(5):
        fixes = [finding.fix for finding in findings(text) if finding.fix is not None]
        fixes = [fix for fix in fixes if fix is not None and fix.applicability is level]
        if not fixes:
            break
        text = apply_fixes(SourceFile(HERE, text), fixes).text
    assert text != before, "there is no such fix"
    assert not [finding for finding in findings(text) if finding.severity is Severity.ERROR]
    eager, mended = the_compiler()(before).eager, the_compiler()(text)
    assert mended.ok, text + mended.message
    assert eager == mended.eager == mended.scripted


SILENT = [
    "def f(x, n: int):\n    return x.view(n, -1) * 2 + F.dropout(x, 0.0)",
    "def f(x, mask: Optional[torch.Tensor]):\n    if mask is not None:\n        x = x * mask\n    return x",
    "def f(x):\n    y = 1\n    y = x\n    return y",
    "def f(x, n: int):\n    if n > 1:\n        y = x\n    else:\n        raise ValueError('n')\n    return y",
    "def f(x, n: int):\n    if n > 1:\n        y = x\n    return x",
    "def f(x):\n    return x.view(x.shape[:-1] + (1, -1))",
    "def f(x):\n    a, b = x.shape\n    return a * b",
    "def f(x, t: Tuple[int, int], i: int):\n    return t[i]",
    "def f(x, n: int) -> Optional[torch.Tensor]:\n    if n > 1:\n        return x\n    return None",
    "def f(x):\n    return x[..., None, 0] + x[x > 0].sum()",
    "def f(x, d: Dict[str, torch.Tensor]):\n    d['a'] = x\n    return d['a'].size(0)",
]


@pytest.mark.parametrize("source", SILENT)
def test_nothing_is_found_in_what_compiles(source: str) -> None:
    text = HEAD + source + "\n\n\nscripted = torch.jit.script(f)\n"
    assert the_compiler()(text).ok
    # Code that compiles and has another meaning belongs to another family.
    assert [found for found in findings(text) if found.code < "TS6"] == []


def test_a_later_whole_float_is_an_int() -> None:
    source = "def f(x):\n    n = x.size(0)\n    if n == 0:\n        n = 1.0\n    return x.sum() / n"
    before = HEAD + source + "\n" + TAIL.format(inputs=X)
    fixes = [finding.fix for finding in findings(before) if finding.fix is not None]
    assert [fix.applicability for fix in fixes if fix is not None] == [Applicability.UNSAFE]
    mended = the_compiler()(apply_fixes(SourceFile(HERE, before), fixes).text)
    assert mended.ok and mended.eager == mended.scripted == the_compiler()(before).eager


def test_an_optional_result_is_asserted() -> None:
    source = (
        "def reduce(x, how: str):\n    if how == 'mean':\n        return x.mean()\n    elif how == 'sum':\n"
        "        return x.sum()\n\n\ndef f(x, how: str):\n    if x.dim() > 0:\n        x = reduce(x, how)  # so\n"
        "    return x * 2"
    )
    before = HEAD + source + "\n" + TAIL.format(inputs=f"{X}, 'sum'")
    fixes = [each.fix for each in findings(before) if each.code == "TS321" and each.fix is not None]
    text = apply_fixes(SourceFile(HERE, before), fixes).text
    made = (
        "        x_or_none = reduce(x, how)  # so\n        if torch.jit.is_scripting():\n"
        "            assert x_or_none is not None\n        x = x_or_none\n"
    )
    assert made in text
    told, mended = the_compiler()(before), the_compiler()(text)
    assert not told.ok and mended.ok and mended.eager == mended.scripted == told.eager


DROP = """def drop(x, p: float = 0.0, training: bool = False):
    {test}
        return x
    keep = 1 - p
    return x * keep / keep


class Net(torch.nn.Module):
    def __init__(self, p=None):
        super().__init__()
        self.p = p

    def forward(self, x):
        return drop(x, self.p, self.training)


scripted = torch.jit.script(Net({given}).eval())
inputs = (torch.rand(2),)
"""


@pytest.mark.parametrize("given", ["", "0.5"])
def test_a_comparison_of_a_number_that_may_be_none_is_guarded(given: str) -> None:
    before = HEAD + DROP.format(test="if p == 0.0 or not training:", given=given)
    fixes = [each.fix for each in findings(before) if each.fix is not None and each.code == "TS301"]
    text = apply_fixes(SourceFile(HERE, before), fixes).text
    assert "p: Optional[float] = 0.0" in text and "if p is not None and p == 0.0 or not training:" in text
    told, mended = the_compiler()(before), the_compiler()(text)
    assert not told.ok and mended.ok and mended.eager == mended.scripted == told.eager


@pytest.mark.parametrize("test", ["if not p or not training:", "if str(p) == '':", "if isinstance(p, int):"])
def test_a_none_with_a_meaning_is_not_guarded(test: str) -> None:
    found = [each for each in findings(HEAD + DROP.format(test=test, given="")) if each.code == "TS301"]
    assert [each.fix for each in found] == [None]


@pytest.mark.parametrize("value", ["1.5", "float(n)"])
def test_other_floats_stay(value: str) -> None:
    source = f"def f(x):\n    n = x.size(0)\n    if n == 0:\n        n = {value}\n    return x.sum() / n"
    text = HEAD + source + "\n" + TAIL.format(inputs=X)
    assert not the_compiler()(text).ok
    assert [finding.fix for finding in findings(text) if finding.code == "TS321"] == [None]


@pytest.mark.parametrize(
    ("bound", "applicability"),
    [("x.argmax()", Applicability.SAFE), ("x.abs().max()", Applicability.UNSAFE), ("x.sum()", Applicability.UNSAFE)],
)
def test_a_range_of_a_tensor_is_only_safe_if_it_has_ints(bound: str, applicability: Applicability) -> None:
    """Python raises for a tensor of floats, and `int(…)` truncates it."""
    body = f"    for i in range({bound}):\n        x = x + i\n    return x\n"
    before = f"{HEAD}def f(x):\n{body}\n\nscripted = torch.jit.script(f)\n"
    (fix,) = [each.fix for each in findings(before) if each.fix is not None]
    assert fix.applicability is applicability
    after = apply_fixes(SourceFile(HERE, before), [fix]).text + f"inputs = ({X} + 0.5,)\n"
    now = the_compiler()(after)
    assert (now.eager == now.scripted) is (applicability is Applicability.SAFE)


RETURNS = {
    "a tuple of another length": (
        "(x, n: int) -> Tuple[torch.Tensor, Optional[Tuple[torch.Tensor]]]:\n    pair: Optional[Tuple[torch.Tensor, "
        "torch.Tensor]] = None\n    if n > 1:\n        pair = (x, x)\n    return x, pair",
        "-> Tuple[torch.Tensor, Optional[Tuple[torch.Tensor, torch.Tensor]]]:",
    ),
    "what may be None stays so": (
        "(x, n: int) -> Tuple[Optional[torch.Tensor], int]:\n    return x, (n, n)",
        "-> Tuple[Optional[torch.Tensor], Tuple[int, int]]:",
    ),
}


@pytest.mark.parametrize("name", RETURNS)
def test_a_wrong_return_annotation_says_what_is_returned(name: str) -> None:
    source, annotation = RETURNS[name]
    before = HEAD + f"def f{source}\n" + TAIL.format(inputs=f"{X}, 2")
    (found,) = [each for each in findings(before) if each.code == "TS315"]
    assert found.fix is not None and found.fix.applicability is Applicability.UNSAFE
    text = apply_fixes(SourceFile(HERE, before), [found.fix]).text
    assert annotation in text
    told, mended = the_compiler()(before), the_compiler()(text)
    assert not told.ok and mended.ok and mended.eager == mended.scripted == told.eager


@pytest.mark.parametrize(
    "source",
    ["(x, n: int) -> List[torch.Tensor]:\n    return x + n", "(x, n: int) -> Tuple[int, int]:\n    return [n] + [n]"],
)
def test_a_fix_is_only_displayed_if_annotation_or_value_may_be_wrong(source: str) -> None:
    before = HEAD + f"def f{source}\n" + TAIL.format(inputs=f"{X}, 2")
    assert not the_compiler()(before).ok
    (found,) = [each for each in findings(before) if each.code == "TS315"]
    assert found.fix is not None and found.fix.applicability is Applicability.DISPLAY


def test_removing_a_return_annotation_that_fits_some_constructions_is_only_displayed() -> None:
    before = (
        HEAD
        + """class Net(torch.nn.Module):
    __constants__ = ["pair"]

    def __init__(self, pair=False):
        super().__init__()
        self.pair = pair

    def forward(self, x) -> Tuple[torch.Tensor]:
        out = (x,)
        if self.pair:
            out = (x, x)
        return out


scripted = torch.jit.script(Net(True))
inputs = (torch.rand(2),)
"""
    )
    (found,) = [each for each in findings(before) if each.code == "TS315"]
    assert found.severity is Severity.WARNING and found.fix is not None
    assert found.fix.applicability is Applicability.DISPLAY
    text = apply_fixes(SourceFile(HERE, before), [found.fix]).text
    assert "def forward(self, x):" in text
    told, mended = the_compiler()(before), the_compiler()(text)
    assert not told.ok and mended.ok and mended.eager == mended.scripted == told.eager
    assert the_compiler()(text.replace("Net(True)", "Net()")).ok


def test_a_return_annotation_stays_if_an_unannotated_parameter_may_fit_it() -> None:
    source = "def f(x) -> List[torch.Tensor]:\n    for i in range(3):\n        x = x\n    return x"
    before = HEAD + source + "\n" + TAIL.format(inputs="[torch.ones(2)]")
    assert not the_compiler()(before).ok
    assert [each.fix for each in findings(before) if each.code == "TS315"] == [None]


def test_a_return_annotation_of_several_returns_stays() -> None:
    source = "def f(x, n: int) -> List[torch.Tensor]:\n    if n > 1:\n        return [x]\n    return x"
    before = HEAD + source + "\n" + TAIL.format(inputs=f"{X}, 2")
    assert [each.fix for each in findings(before) if each.code == "TS315"] == [None]


def test_an_attribute_that_may_be_none_is_changed_in_place_by_way_of_a_variable() -> None:
    before = (
        HEAD
        + """class Net(torch.nn.Module):
    loss: Optional[torch.Tensor]

    def __init__(self):
        super().__init__()
        self.loss = None

    def forward(self, x):
        self.loss = x.sum()
        self.loss *= x.max()
        return x


scripted = torch.jit.script(Net())
inputs = (torch.rand(2),)
"""
    )
    fixes = [each.fix for each in findings(before) if each.fix is not None]
    text = apply_fixes(SourceFile(HERE, before), fixes).text
    made = "        assert loss is not None\n        loss *= x.max()\n        self.loss = loss\n"
    assert made in text
    assert [each.code for each in findings(text) if each.severity is not Severity.INFO] == []
    told, mended = the_compiler()(before), the_compiler()(text)
    assert not told.ok and mended.ok and mended.eager == mended.scripted == told.eager


@pytest.mark.parametrize(
    ("value", "mended"), [("1 - p", None), ("2 ** n", "int(2 ** n)"), ("round(p)", "int(round(p))")]
)
def test_only_what_is_an_int_in_python_is_made_one(value: str, mended: str | None) -> None:
    source = f"def g(x, k: int = 1):\n    return x * k\n\n\ndef f(x, p: float, n: int):\n    return g(x, k={value})"
    before = HEAD + source + "\n" + TAIL.format(inputs=f"{X}, 0.25, 2")
    (found,) = [each for each in findings(before) if each.code == "TS301"]
    assert not the_compiler()(before).ok
    if mended is None:
        assert found.fix is None
        return
    assert found.fix is not None
    text = apply_fixes(SourceFile(HERE, before), [found.fix]).text
    assert mended in text
    judged = the_compiler()(text)
    assert judged.ok and judged.eager == judged.scripted == the_compiler()(before).eager


def _fixed(text: str, *levels: Applicability) -> str:
    for _ in range(5):
        fixes = [finding.fix for finding in findings(text) if finding.fix is not None]
        text = apply_fixes(SourceFile(HERE, text), [fix for fix in fixes if fix and fix.applicability in levels]).text
    return text


GUARDED = f"""{HEAD}def f(x, names: Optional[List[int]] = None):
    if names is not None:
        first = names[0]
    if names is not None and len(names) > first:
        x = x + 1
    return x


scripted = torch.jit.script(f)
inputs = ({X},)
"""
LEFT_BEFORE = GUARDED.replace(
    "    if names is not None and len(names) > first:\n        x = x + 1\n    return x\n",
    "    if names is None:\n        return x\n    return x + first\n",
)
NOTHING = f"""{HEAD}def g(x) -> torch.Tensor:
    x.add_(1)
    if x.size(0) > 1:
        return
    x.mul_(2)


def f(x):
    x = x.clone()
    g(x)
    return x


scripted = torch.jit.script(f)
inputs = ({X},)
"""


@pytest.mark.parametrize("text", [GUARDED, LEFT_BEFORE], ids=["and", "return"])
def test_a_use_that_its_own_test_guards_is_not_forbidden(text: str) -> None:
    assert not the_compiler()(text).ok
    found = [each for each in findings(text) if each.code == "TS318"]
    assert [each.start.row for each in found] == [8]
    assert [each.fix.risks for each in found if each.fix is not None] == [(Risk.DIFFERS,)]
    before, after = the_compiler()(text), the_compiler()(_fixed(text, Applicability.UNSAFE))
    assert after.ok and before.eager == after.eager == after.scripted


def test_a_function_that_returns_nothing_is_annotated_so() -> None:
    assert not the_compiler()(NOTHING).ok
    text = _fixed(NOTHING, Applicability.SAFE)
    assert "def g(x) -> None:" in text
    old, new = the_compiler()(NOTHING), the_compiler()(text)
    assert new.ok, new.message
    assert old.eager == new.eager == new.scripted


@pytest.mark.parametrize("body", ["pass", '"""Left to others."""', "..."])
def test_an_unimplemented_function_keeps_its_annotation(body: str) -> None:
    text = NOTHING[: NOTHING.index("    x.add_(1)")] + f"    {body}\n" + NOTHING[NOTHING.index("\n\ndef f") :]
    fixed = _fixed(text, Applicability.SAFE, Applicability.UNSAFE)
    assert "def g(x) -> torch.Tensor:" in fixed and "raise" not in fixed


NONE_IN_SOME = f"""{HEAD}from torch import nn


class Net(nn.Module):
    def __init__(self, mode=None):
        super().__init__()
        self.mode = mode

    def forward(self, x):
        if self.mode == "double" or self.mode != "same":
            x = x * 2
        return x


module = Net()
inputs = ({X},)
"""


@pytest.mark.parametrize("mode", ["None", "'double'", "'same'"])
def test_an_attribute_that_may_be_none_is_tested_first(mode: str) -> None:
    text = _fixed(NONE_IN_SOME, Applicability.SAFE)
    asked = '(self.mode == "double" if self.mode is not None else False)'
    assert f'if {asked} or (self.mode != "same" if self.mode is not None else True):' in text
    old, new = (the_compiler()(each.replace("mode=None", f"mode={mode}")) for each in (NONE_IN_SOME, text))
    assert old.ok is (mode != "None") and new.ok, new.message
    assert old.eager == new.eager == new.scripted


UNPACKED = f"""{HEAD}def f(pair: torch.Tensor):
    a, b = pair
    return a - b


scripted = torch.jit.script(f)
inputs = ({{}},)
"""


@pytest.mark.parametrize("given", [X, "(torch.ones(3), torch.zeros(3))"])
def test_compiled_code_unpacks_the_rows_of_a_parameter(given: str) -> None:
    before = UNPACKED.format(given)
    assert _fixed(before, Applicability.SAFE) == before  # compiled code rejects the tuple
    text = _fixed(before, Applicability.SAFE, Applicability.UNSAFE)
    assert "    a, b = pair.unbind(0) if torch.jit.is_scripting() else pair\n" in text
    old, new = the_compiler()(before), the_compiler()(text)
    assert not old.ok and new.ok
    assert old.eager == new.eager is not None


@pytest.mark.parametrize(("names", "offered"), [("ab", True), ("abc", False)])
def test_a_statement_is_not_repeated_for_too_many_types(names: str, offered: bool) -> None:
    parameters = ", ".join(f"{name}: Union[torch.Tensor, float, int]" for name in names)
    body = f"def f(x, {parameters}):\n    return x + {' * '.join(names)}\n"
    text = f"from typing import Union\n{HEAD}{body}" + TAIL.format(inputs=f"{X}, {', '.join('2' for _ in names)}")
    found = [each for each in findings(text) if each.code == "TS306"]
    assert found
    assert any(each.fix is not None for each in found) is offered


BOTH_MAY_BE_NONE = f"""{HEAD}from torch import nn


class Net(nn.Module):
    length: Optional[int]

    def __init__(self):
        super().__init__()
        self.length = None

    def forward(self, x, n: Optional[int] = None):
        return x if n != self.length else x + 1


inputs = ({X},)
"""


def test_two_optional_values_may_both_be_none() -> None:
    assert not the_compiler()(BOTH_MAY_BE_NONE).ok
    text = _fixed(BOTH_MAY_BE_NONE, Applicability.SAFE, Applicability.UNSAFE)
    assert the_compiler()(BOTH_MAY_BE_NONE).eager == the_compiler()(text).eager is not None


def test_a_tuple_for_a_tensor_makes_no_parameter_an_int() -> None:
    text = """import torch
from torch import nn


class Net(nn.Module):
    def __init__(self, kind="lstm"):
        super().__init__()
        self.kind = kind
        self.layer = nn.LSTM(2, 2) if kind == "lstm" else nn.GRU(2, 2)

    def forward(self, x, h, c):
        return self.layer(x, (h, c)) if self.kind == "lstm" else self.layer(x, h)


scripted = torch.jit.script(Net())
"""
    assert not the_compiler()(text).ok
    fixes = [edit.content for each in findings(text) if each.fix is not None for edit in each.fix.edits]
    assert not any("int" in each for each in fixes)
