"""Tests code for which rules about code that compiles have no findings, and patterns that the pages do not show."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.rules.compiler import the_compiler
from tests.rules.driver import HERE, findings
from tslint.config import Settings
from tslint.diagnostics import Applicability, Severity
from tslint.fixing.edits import apply_fixes
from tslint.lint.engine import judge, load
from tslint.sources.file import SourceFile

HEAD = """\
import functools
import math
from typing import Dict, List, Optional

import torch
import torch.nn.functional as F
from torch import Tensor, nn


bounded = functools.partial(torch.clamp, min=0.1)


@torch.jit.unused
def unused(x: Tensor) -> Tensor:
    return x


"""


def compiled(text: str) -> list[tuple[str, Severity]]:
    """Return the TS6xx and TS8xx findings of a text, by name."""
    return [(f.name, f.severity) for f in findings(HEAD + text) if f.code[:3] in ("TS6", "TS8")]


FUNCTION = "@torch.jit.script\ndef f(x: Tensor, n: int, s: float, name: str, xs: List[int], flag: bool):\n    {}\n"


@pytest.mark.parametrize(
    "body",
    [
        "return x * int(round(s))",
        "return x.view(int(n ** 2))",
        "return x / n ** 2",
        "return math.sqrt(n ** 2)",
        "return x.masked_fill(x > 0, -2 ** 32 + 1)",
        "return n ** 2 > 5",
        "return n ** -1",
        "return s ** 2",
        "return x ** 2",
        "if n or s > 1.0:\n        x = x + 1\n    return x",
        "found = xs or name\n    if found:\n        x = x + 1\n    return x",
        "return flag or n > 1",
        "return bool(name or n)",
        "return '{} of {}'.format(n, name)",
        "return '%d of %f, 100%%' % (n, s)",
        'return f"{{n}} is {n}"',
        "xs = [1]\n    xs.append(n)\n    return x",
        "xs.append(n)\n    return x, xs",
        "if n > 1:\n        return unused(x)\n    return x",
        "if n > 1:\n        return x\n    return unused(x)",
        "if not torch.jit.is_scripting():\n        x = unused(x)\n    return x",
        "if torch.jit.is_scripting():\n        return x\n    else:\n        return x + 1",
        "if not torch.jit.is_scripting():\n        raise ValueError\n    return x",
        "return x * flag - n / x + (1 - flag) * x",
        "return len(x), n in x.shape, max(x, x + 1), pow(x, 2), n % x, n ** x",
        "return torch.ops.aten.relu(x)",
        "return x * int(pow(n, 2)) * pow(s, 2) * pow(n, 0.5)",
        "if torch.jit.is_tracing():\n        return round(s)\n    return n * 1.0",
        "return x if flag is True or n is 3 else x + 1",
        "return x if x.dtype is torch.float32 else x + 1",
        "y = x\n    return y is x",
    ],
)
def test_harmless_forms_are_left_alone(body: str) -> None:
    assert compiled(FUNCTION.format(body)) == []


@pytest.mark.parametrize(
    ("body", "name", "severity"),
    [
        ("k = round(s)\n    return x * k", "rounded-float", Severity.WARNING),
        ("n **= 2\n    return x * n", "integer-power", Severity.WARNING),
        ("return x * pow(n, 2)", "integer-power", Severity.WARNING),
        ("return name or 'none'", "truth-value", Severity.ERROR),
        ("return n or 3", "truth-value", Severity.WARNING),
        ("return n or n or 3", "truth-value", Severity.WARNING),
        ("k = n or 3\n    k2 = k or k\n    return k2 + 1", "truth-value", Severity.WARNING),
        ("return '{0}'.format(n)", "format-field", Severity.ERROR),
        ("print('{:d}'.format(n))\n    return x", "format-field", Severity.WARNING),
        ("assert n > 1, '%5d' % n\n    return x", "percent-specifier", Severity.WARNING),
        ("xs[0] = n\n    return x", "mutated-argument", Severity.WARNING),
        ("return dict([('a', torch.rand_like(x))])", "evaluated-twice", Severity.WARNING),
        ("return dict(zip(['a'], [F.dropout(x)]))", "evaluated-twice", Severity.WARNING),
        ("return dict([(k, F.dropout(x)) for k in ['a']])", "evaluated-twice", Severity.WARNING),
        ("return dict((k, F.dropout(x)) for k in ['a'])", "evaluated-twice", Severity.WARNING),
        ("return dict(zip(['a'], [x.add_(1)]))", "evaluated-twice", Severity.WARNING),
        ("del xs[0]\n    return x", "mutated-argument", Severity.WARNING),
        ("if torch.jit.is_scripting():\n        return x\n    return {'x': x}", "scripting-branches", Severity.WARNING),
        (
            "if torch.jit.is_scripting():\n        x = x.float()\n    else:\n        x = x.half()\n    return x",
            "scripting-branches",
            Severity.WARNING,
        ),
        (
            "if torch.jit.is_scripting():\n        raise ValueError\n    return x",
            "scripting-branches",
            Severity.WARNING,
        ),
        ("y = x + 1\n    return unused(y)", "unused-call", Severity.WARNING),
        ("if not torch.jit.is_tracing():\n        return round(s)\n    return 1.0", "rounded-float", Severity.WARNING),
        ("return x if name is 'relu' else x + 1", "identity-comparison", Severity.WARNING),
        ("return bounded(x)", "python-call", Severity.ERROR),
    ],
)
def test_other_forms_are_found(body: str, name: str, severity: Severity) -> None:
    assert compiled(FUNCTION.format(body)) == [(name, severity)]


NESTED = """
def f(x: Tensor, rows: List[List[Tensor]], named: Dict[str, List[int]]):
    {}


torch.jit.script(f)
"""


@pytest.mark.parametrize(
    ("body", "found"),
    [
        ("rows[0].append(x)\n    return x", True),
        ("rows[-1][0] = x\n    return x", True),
        ("named['a'].clear()\n    return x", True),
        ("rows[0][0].add_(1)\n    return x", False),  # a Tensor is not copied
        ("rows[0][0][0] = 1\n    return x", False),
        ("rows[:1].append([x])\n    return x", False),  # Python changes a copy, too
        ("rows[0].append(x)\n    return rows[0]", False),
        ("rows[0].append(x)\n    return rows[0][0]", True),
    ],
)
def test_a_list_in_an_argument_is_copied_too(body: str, *, found: bool) -> None:
    assert compiled(NESTED.format(body)) == ([("mutated-argument", Severity.WARNING)] if found else [])


@pytest.mark.parametrize("argument", ["tuple(zip(['a'], [F.dropout(x)]))", "dict([('a', x)]).copy()"])
def test_dict_evaluates_no_other_argument_twice(argument: str) -> None:
    assert "evaluated-twice" not in {name for name, _ in compiled(FUNCTION.format(f"return dict({argument})"))}


def test_a_partial_is_called_by_python_whatever_it_is_given() -> None:
    body = "def f(x: Tensor):\n    return bounded(layer(x))\n\n\ntorch.jit.script(f)\n"
    assert compiled(f"from elsewhere import layer\n\n\n{body}") == [("python-call", Severity.ERROR)]


@pytest.mark.parametrize(
    ("test", "found"),
    [
        ("isinstance(self.layer, nn.Linear)", True),
        ("not isinstance(self.layer, (Tensor, nn.Linear))", True),
        ("torch.jit.is_scripting() and isinstance(self.either, nn.Linear)", True),
        ("isinstance(self, nn.Module)", False),
        ("isinstance(self.layer, Tensor)", False),
        ("isinstance(x, Tensor)", False),
        ("not torch.jit.is_scripting() and isinstance(self.layer, nn.Linear)", True),  # still compiled
        ("self.is_linear", False),
    ],
)
def test_types_of_submodules(test: str, found: bool) -> None:
    text = f"""
class Net(nn.Module):
    def __init__(self, flag: bool):
        super().__init__()
        self.layer = nn.Linear(2, 2)
        self.either = nn.Linear(2, 2) if flag else nn.ReLU()
        self.is_linear = isinstance(self.layer, nn.Linear)

    def forward(self, x: Tensor):
        if {test}:
            x = x + 1
        return x
"""
    assert ("module-type-test" in {name for name, _ in compiled(text)}) is found


def test_arguments_of_a_compiled_caller_are_passed_on_as_they_are() -> None:
    text = """
class Part(nn.Module):
    def forward(self, x: Tensor, seen: List[Tensor], mask=None):
        seen.append(x)
        if mask is not None:
            x = x * mask
        return x


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.part = Part()

    def forward(self, x: Tensor):
        seen: List[Tensor] = []
        return self.part(x, seen, x)
"""
    # That it cannot be saved is another finding.
    assert [kind for kind, _ in compiled(text)] == ["unsaveable-none-default"]


@pytest.mark.parametrize(
    "decorator",
    ["@torch.no_grad()", "@torch.inference_mode()", "@torch.autocast('cpu')", "@torch.cuda.amp.autocast()", "@doubled"],
)
def test_decorators_with_an_effect_are_found(decorator: str) -> None:
    text = f"""
def doubled(function):
    @functools.wraps(function)
    def wrapper(*args, **kwargs):
        return function(*args, **kwargs) * 2
    return wrapper


class Net(nn.Module):
    {decorator}
    def forward(self, x: Tensor):
        return x * 2
"""
    assert compiled(text) == [("dropped-decorator", Severity.WARNING)]


@pytest.mark.parametrize(
    ("decorator", "body"),
    [
        ("@torch.no_grad()", "with torch.no_grad():\n            return x * 2"),
        ("@handed_on", "return x * 2"),
        ("@torch.jit.export", "return x * 2"),
    ],
)
def test_decorators_that_lose_nothing_are_left_alone(decorator: str, body: str) -> None:
    text = f"""
def handed_on(function):
    @functools.wraps(function)
    def wrapper(*args, **kwargs):
        return function(*args, **kwargs)
    return wrapper


class Net(nn.Module):
    {decorator}
    def forward(self, x: Tensor):
        {body}
"""
    assert compiled(text) == []


@pytest.mark.parametrize(
    ("computed", "applicability"),
    [
        ("self.net(x)", Applicability.DISPLAY),
        ("self.net(x).relu()", Applicability.DISPLAY),
        ("torch.tanh(x)", Applicability.SAFE),
    ],
)
def test_no_grad_around_what_the_caller_computes_too_is_only_shown(computed: str, applicability: Applicability) -> None:
    """TorchScript computes equal operations once: under ``no_grad``, the caller's result has no gradients either."""
    text = f"""
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = nn.Linear(2, 2)

    @torch.no_grad()
    def target(self, x: Tensor):
        return self.net(x).softmax(-1)

    def forward(self, x: Tensor):
        return self.target(x), {computed}
"""
    (fix,) = [each.fix for each in findings(HEAD + text) if each.code == "TS601"]
    assert fix is not None
    assert fix.applicability is applicability


def test_methods_that_the_compiled_module_has_are_left_alone() -> None:
    text = """
class Net(nn.Module):
    @torch.jit.export
    def exported(self, x: Tensor):
        return x

    def used(self, x: Tensor):
        return x

    def forward(self, x: Tensor):
        return self.used(x)


net = torch.jit.script(Net())
net.exported(torch.ones(1))
net.used(torch.ones(1))
net.eval()
other = Net()
other.anything(torch.ones(1))
"""
    assert compiled(text) == []


@pytest.mark.parametrize(
    ("registered", "found"),
    [
        ("'buf', torch.ones(3), persistent=False", True),
        ("'buf', torch.ones(3), False", True),
        ("'buf', tensor=torch.ones(3), persistent=False", True),
        ("'buf', torch.ones(3)", False),
        ("'buf', None, persistent=False", False),
        ("'buf', tensor=None, persistent=False", False),
    ],
)
def test_buffers_that_only_the_compiled_state_dict_contains(registered: str, *, found: bool) -> None:
    init = f"    def __init__(self):\n        super().__init__()\n        self.register_buffer({registered})\n\n"
    text = f"class Net(nn.Module):\n{init}    def forward(self, x: Tensor):\n        return x\n"
    assert compiled(text) == [("transient-buffer", Severity.WARNING)] * found


USED = "class Net(nn.Module):\n    def forward(self, x):\n        return f(x, x)\n"
NONE_DEFAULTS = [
    # The code, and the parameters whose default an archive cannot store.
    ("class Net(nn.Module):\n    def forward(self, x, m=None):\n        return x\n", ["forward"]),
    ("class Net(nn.Module):\n    def forward(self, x, m: Tensor = None):\n        return x\n", ["forward"]),
    ("class Net(nn.Module):\n    def forward(self, x, m: Optional[Tensor] = None):\n        return x\n", []),
    ("class Net(nn.Module):\n    @torch.jit.ignore\n    def help(self, x, m=None):\n        return x\n", []),
    ("@torch.jit.script\ndef f(x, m=None):\n    return x\n", []),
    ("def f(x, m=None):\n    return x\n\n\n" + USED, ["f"]),
    ("@torch.jit.script\ndef f(x, m=None):\n    return x\n\n\n" + USED, ["f"]),
    (
        "class Part(nn.Module):\n    def forward(self, x, m=None):\n        return x\n\n\n"
        "class One(Part):\n    pass\n\n\nclass Two(Part):\n    pass\n",
        ["forward"],
    ),
]


@pytest.mark.parametrize(("text", "functions"), NONE_DEFAULTS)
def test_none_defaults_that_no_archive_can_hold(text: str, functions: list[str]) -> None:
    found = [f for f in findings(HEAD + text) if f.code == "TS810"]
    named = [f.message.rpartition("uses `")[2].partition("`")[0] for f in found if "uses `" in f.message]
    assert named == [name for name in functions if name != "forward"]
    assert len(found) == len(functions)
    assert all((HEAD + text).splitlines()[f.start.row - 1][f.start.column - 1 :].startswith("None") for f in found)


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        # One mistake gets one finding: a rejected call is worse than an archive, and that is worse than a static test.
        ("def f(x, m=None):\n    return x\n\n\n" + USED.replace("x, x)", "x)"), {"TS": ["TS327"], "TS8": ["TS810"]}),
        (
            "class Net(nn.Module):\n    def forward(self, x, m=None):\n        return x if m is None else x * m\n",
            {"TS": ["TS810"], "TS6": ["TS610"], "ALL": ["TS508", "TS810"]},
        ),
        # The class that is called is also compiled by itself, where the call does not matter.
        (
            "class Part(nn.Module):\n    def forward(self, x, m=None):\n        return x if m is None else x * m\n\n\n"
            "class Net(nn.Module):\n    def __init__(self):\n        super().__init__()\n        self.part = Part()\n\n"
            "    def forward(self, x):\n        return self.part(x)\n",
            {"TS": ["TS810", "TS327"]},
        ),
    ],
)
def test_one_mistake_is_one_finding(text: str, shown: dict[str, list[str]], tmp_path: Path) -> None:
    (tmp_path / "net.py").write_text(HEAD + text, encoding="utf-8")
    for select, codes in shown.items():
        settings = Settings(root=tmp_path, select=(select,))
        assert [each.code for each in judge(load([tmp_path], settings), settings).diagnostics] == codes


@pytest.mark.parametrize(
    ("body", "fix"),
    [
        ("return x if m is None else x * m", Applicability.UNSAFE),
        ("if m is not None:\n            print(m)\n        return x", Applicability.DISPLAY),
        ("return x", Applicability.DISPLAY),
        ("if m:\n            x = x + 1\n        return x", None),
    ],
)
def test_the_annotation_of_a_none_default(body: str, fix: Applicability | None) -> None:
    text = f"class Net(nn.Module):\n    def forward(self, x, m=None):\n        {body}\n"
    (found,) = (f for f in findings(HEAD + text) if f.code == "TS810")
    assert (found.fix.applicability if found.fix else None) is fix


@pytest.mark.parametrize(
    ("made", "fix"),
    [
        ("[n, 1.5]", "[float(n), 1.5] if torch.jit.is_scripting() else [n, 1.5]"),
        ("[x.size(0), -1, 1.5]", "[float(x.size(0)), -1.0, 1.5]"),
        ("data=[2, s]", "[2.0, float(s)] if torch.jit.is_scripting() else [2, s]"),
        ("xs", None),
        ("[x.sum(), x.sum()]", None),
        ("[x.sum(), 1]", None),
        ("[1j, 2j]", None),
        ("[x.sum().item()]", None),
        ("[[n, 1], [1.5, 2.0]]", None),
        ("[]", None),
    ],
)
def test_tensors_made_of_other_things_than_numbers(made: str, fix: str | None) -> None:
    text = HEAD + "@torch.jit.script\ndef f(x: Tensor, n: int, s: float, xs: List[Tensor]):\n"
    source = SourceFile(HERE, f"{text}    return torch.tensor({made})\n")
    (found,) = (each for each in findings(source.text) if each.code == "TS621")
    after = apply_fixes(source, [found.fix]).text if found.fix else None
    name, given = ("data", "data=data") if made.startswith("data") else ("value", "value")
    two = "is_scripting" in (fix or "")
    shown = f"    {name} = {fix}\n    return torch.tensor({given})\n" if two else f"    return torch.tensor({fix})\n"
    assert after == (fix and text + shown)


@pytest.mark.parametrize("made", ["[x.sum()]", "[n, 1.5]", "[(n, n)]", "[[x.sum()]]", "[]"])
def test_the_old_constructors_take_no_other_lists(made: str) -> None:
    text = (
        f"{HEAD}def f(x: Tensor, n: int):\n    return torch.FloatTensor({made})\n\n\nscripted = torch.jit.script(f)\n"
    )
    (found,) = (each for each in findings(text) if each.code == "TS621")
    assert found.message.startswith("`torch.FloatTensor` of `") and found.fix is None
    verdict = the_compiler()(f"{text}inputs = (torch.ones(2), 3)\n")
    assert verdict.ok and "RuntimeError" in str(verdict.scripted) and "RuntimeError" not in str(verdict.eager), verdict


@pytest.mark.parametrize(
    ("made", "raises"),
    [
        ("[[n], [1.5]]", False),
        ("[[1.5], [n]]", False),
        ("[[True], [n]]", False),
        ("[[[n]], [[1.5]]]", False),
        ("[[True], [1.5]]", True),
        ("[[n, 1.5], [n, 1.5]]", True),
        ("[[n, 1.5], [n, n]]", True),
    ],
)
def test_lists_of_different_numbers_raise_or_give_wrong_ones(made: str, raises: bool) -> None:
    text = f"{HEAD}def f(n: int):\n    return torch.FloatTensor({made})\n\n\nscripted = torch.jit.script(f)\n"
    (found,) = (each for each in findings(text) if each.code == "TS621")
    assert ("raises in TorchScript" if raises else "gives wrong numbers in TorchScript") in found.message
    verdict = the_compiler()(f"{text}inputs = (3,)\n")
    assert verdict.ok and ("RuntimeError" in str(verdict.scripted)) is raises, verdict
    assert str(verdict.scripted) != str(verdict.eager), verdict


@pytest.mark.parametrize("made", ["[1, 2]", "[1.5, s]", "[[1, 2], [n, n]]", "[True]", "n", "ns", "[float(n), s]"])
def test_tensors_of_numbers_of_one_kind_are_left_alone(made: str) -> None:
    text = "@torch.jit.script\ndef f(x: Tensor, n: int, s: float, ns: List[int]):\n"
    assert compiled(f"{text}    return torch.tensor({made}), torch.as_tensor({made})\n") == []


@pytest.mark.parametrize(
    ("start", "step", "after"),
    [
        ("0.0", "total += x[i].sum()", "torch.tensor(0.0) if torch.jit.is_scripting() else 0.0"),
        ("0", "total = total + (x[i] > 0).sum()", "torch.tensor(0) if torch.jit.is_scripting() else 0"),
        ("1.0", "total = x[i].sum() * total", "torch.tensor(1.0) if torch.jit.is_scripting() else 1.0"),
        ("s", "total += x[i].sum()", None),
        ("float(s)", "total += x[i].sum()", None),
        ("0.0 if s > 0 else 1.0", "total += x[i].sum()", None),
    ],
)
def test_sums_that_begin_with_a_number(start: str, step: str, after: str | None) -> None:
    text = HEAD + "@torch.jit.script\ndef f(x: Tensor, s: float):\n    total = {}\n    for i in range(2):\n        "
    source = SourceFile(HERE, text.format(start) + f"{step}\n    return total\n")
    (found,) = (each for each in findings(source.text) if each.code == "TS613")
    new = apply_fixes(source, [found.fix]).text if found.fix else None
    assert new == (after and source.text.replace(f"total = {start}\n", f"total = {after}\n"))
    if new is not None:
        call = "\ninputs = (torch.ones(2, 3), 0.5)\n"
        before, verdict = the_compiler()(source.text + call), the_compiler()(new + call)
        assert verdict.ok and before.eager == verdict.eager == verdict.scripted != before.scripted


UNKNOWN_FACTOR = """def half(t: int):
    return t / 2


class Net(nn.Module):
    def __init__(self, scale):
        super().__init__()
        self.scale = scale

    def forward(self, x):
        half({})
        return x
"""


@pytest.mark.parametrize(
    ("factors", "found"), [("x * self.scale", True), ("self.scale * x", False), ("self.scale", False)]
)
def test_a_tensor_times_an_unknown_value_is_a_tensor(factors: str, found: bool) -> None:
    codes = [each.code for each in findings(HEAD + UNKNOWN_FACTOR.format(factors))]
    assert ("TS613" in codes) is found


@pytest.mark.parametrize("sort", ["y.sort()", "y = sorted(y)"])
@pytest.mark.parametrize(
    ("elements", "raises"),
    [
        ("[('b', x), ('a', x[0])]", True),
        ("list({'b': x, 'a': x[0]}.items())", True),
        ("[(2, (1, x)), (1, (2, x.t()))]", True),
        ("[('b', x), ('a', x.int())]", True),
        ("[(2, [n]), (1, [n])]", True),
        ("[[n], [1]]", True),
        ("[(2, None), (1, None)]", True),
        ("[(2, ('a', n)), (1, ('b', n))]", False),
        ("[x[0, 0], x[0, 1]]", False),
        ("list({'b': x, 'a': x[0]}.keys())", False),
        ("[True, False]", False),
    ],
)
def test_elements_that_compiled_code_cannot_sort(elements: str, sort: str, raises: bool) -> None:
    text = f"{HEAD}@torch.jit.script\ndef f(x: Tensor, n: int):\n    y = {elements}\n    {sort}\n    return len(y)\n"
    verdict = the_compiler()(f"{text}\n\nscripted = f\ninputs = (torch.ones(2, 3), 3)\n")
    assert verdict.ok and str(verdict.scripted).startswith("raises ") is raises
    assert [each.code for each in findings(text)] == ["TS622"] * raises


@pytest.mark.parametrize("use", ["m['a']", "m.size()['a']", "torch.relu(m, m)", "m(x)"])
def test_a_none_default_has_no_finding_if_the_use_of_the_parameter_is_an_error(use: str) -> None:
    text = f"class Net(nn.Module):\n    def forward(self, x, m=None):\n        y = {use}\n        return x\n"
    found = {each.code for each in findings(HEAD + text) if each.severity is Severity.ERROR}
    assert found and "TS810" not in found


def test_a_tensor_of_elements_that_are_errors_has_no_second_finding() -> None:
    text = "class Net(nn.Module):\n    def forward(self, xs):\n        return torch.tensor([x['a'] for x in xs])\n"
    assert [each.code for each in findings(HEAD + text) if each.severity is Severity.ERROR] == ["TS312"]


# Two objects with the same value, in Python and in compiled code.
@pytest.mark.parametrize(
    ("test", "inputs", "same"),
    [
        ("flag is True", "True", True),
        ("flag is not False", "False", True),
        ("n is 3", "3", True),
        ("s is 1.5", "1.5", True),
        ("x is x", "torch.ones(2)", True),
        ("xs is xs", "[1]", True),
        ("x.dtype is torch.float32", "torch.ones(2)", True),
        ("name is 'a'", "'a'", False),
    ],
)
def test_identity_in_compiled_code(test: str, inputs: str, same: bool) -> None:
    types = {"x": "Tensor", "n": "int", "s": "float", "name": "str", "xs": "List[int]", "flag": "bool"}
    name = test.partition(" ")[0].partition(".")[0]
    text = f"{HEAD}def f({name}: {types[name]}):\n    return {test}\n\n\nscripted = torch.jit.script(f)\n"
    verdict = the_compiler()(f"{text}inputs = ({inputs},)\n")
    assert verdict.ok and (verdict.eager == verdict.scripted) is same
    assert [each.name for each in findings(text) if each.code == "TS617"] == ([] if same else ["identity-comparison"])


ENUM = """import enum


class Mode({bases}):
    ONE = {one}
    TWO = {two}


def f(x: Tensor, mode: Mode):
    return x + 1 if mode is Mode.TWO else x


scripted = torch.jit.script(f)
inputs = (torch.ones(2), {given})
"""
EITHER = "mode == Mode.TWO if torch.jit.is_scripting() else mode is Mode.TWO"


ATTRIBUTE = """import enum


class Mode({bases}):
    ONE = {one}
    TWO = {two}


class Net(nn.Module):
    def __init__(self, mode):
        super().__init__()
        self.mode = mode

    def forward(self, x: Tensor) -> Tensor:
        return x + 1 if self.mode is Mode.TWO else x


f = Net({given})
scripted = torch.jit.script(f)
inputs = (torch.ones(2),)
"""


@pytest.mark.parametrize(
    ("bases", "one", "two", "given"),
    [
        ("enum.Enum", '"one"', '"two"', '"one"'),
        ("enum.Enum", '"one"', '"two"', "None"),
        ("str, enum.Enum", '"one"', '"two"', "Mode.ONE"),  # an attribute with a member is a string
        ("str, enum.Enum", '"one"', '"two"', '"one"'),
        ("enum.IntEnum", "1", "2", "1"),
    ],
)
def test_what_may_not_be_a_member_is_not_compared(bases: str, one: str, two: str, given: str) -> None:
    before = HEAD + ATTRIBUTE.format(bases=bases, one=one, two=two, given=given)
    assert [each.fix for each in findings(before) if each.code == "TS617"] == [None]
    old, new = the_compiler()(before), the_compiler()(before.replace("is Mode", "== Mode"))
    assert old.ok and old.scripted == old.eager and not new.ok


# Callers may pass a string or an int, which is equal to a member of the last two, and not identical to it.
@pytest.mark.parametrize(
    ("bases", "one", "two", "fixed"),
    [
        ("enum.Enum", '"one"', '"two"', "mode == Mode.TWO"),
        ("str, enum.Enum", '"one"', '"two"', EITHER),
        ("enum.IntEnum", "1", "2", EITHER),
    ],
)
def test_identity_of_members_becomes_equality(bases: str, one: str, two: str, fixed: str) -> None:
    for given in (two, "Mode.TWO"):
        before = HEAD + ENUM.format(bases=bases, one=one, two=two, given=given)
        (found,) = [each for each in findings(before) if each.code == "TS617"]
        line = before.splitlines()[found.start.row - 1]
        assert line == "    return x + 1 if mode is Mode.TWO else x" and found.fix is not None
        assert found.fix.applicability is (Applicability.UNSAFE if fixed == EITHER else Applicability.SAFE)
        after = apply_fixes(SourceFile(HERE, before), [found.fix]).text
        assert after == before.replace("if mode is Mode.TWO", f"if ({fixed})" if fixed == EITHER else f"if {fixed}")
        old, new = the_compiler()(before), the_compiler()(after)
        assert old.ok and new.ok and old.eager == new.eager
    assert old.scripted != old.eager and new.scripted == new.eager


@pytest.mark.parametrize(
    ("body", "found"),
    [
        ("total = self.scale or self.scale\n        return x + total", True),
        ("return x * (self.scale or 2)", True),
        ("total = self.scale or self.scale\n        return x", False),
        ("total = self.scale or self.scale\n        if total:\n            x = x + 1\n        return x", False),
    ],
)
def test_a_value_of_or_is_a_number_where_it_is_computed_with(body: str, found: bool) -> None:
    """Nothing shows the type of `self.scale`; in TorchScript the result of `or` is a bool."""
    text = f"{HEAD}class Net(nn.Module):\n    def __init__(self, scale):\n        super().__init__()\n"
    text += f"        self.scale = scale\n\n    def forward(self, x):\n        {body}\n"
    assert [name for name, _ in compiled(text[len(HEAD) :])] == ["truth-value"] * found
    verdict = the_compiler()(f"{text}\n\nscripted = torch.jit.script(Net(3))\nf = Net(3)\ninputs = (torch.ones(2),)\n")
    assert verdict.ok and (verdict.eager == verdict.scripted) is not found
