"""Tests that fixes do not break anything: code that compiles still does, and code that accepts other values in Python
still runs.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from textwrap import dedent

import pytest
from click.testing import CliRunner

from tests.rules.compiler import the_compiler
from tests.rules.test_super_fixes import HEAD
from tslint.cli import cli


@pytest.fixture
def fix_all(folder: Callable[..., Path]) -> Callable[[str], tuple[str, str]]:
    """Return a function that applies all fixes to a module, and returns its text and the messages."""

    def run(text: str) -> tuple[str, str]:
        root = folder({"net.py": HEAD + dedent(text)})
        command = ["check", "--isolated", "--exit-zero", "--fix", "--unsafe-fixes", "--output-format", "concise", "."]
        result = CliRunner().invoke(cli, command)
        return (root / "net.py").read_text(encoding="utf-8").removeprefix(HEAD), result.stderr

    return run


def test_code_that_compiles_is_not_changed(fix_all: Callable[[str], tuple[str, str]]) -> None:
    """`weights is None` is always false while it has no annotation; with one, that branch would be compiled, too."""
    text = """
        class Loss(nn.Module):
            def forward(self, x, y, weights=None):
                if weights is None:
                    return (x - y) * issubclass(bool, int)
                return (weights * (x - y) ** 2).sum()
        """
    assert the_compiler()(HEAD + dedent(text)).ok
    after, said = fix_all(text)
    assert after == dedent(text)
    assert "net.py:8: TS810 was not fixed: `Loss` would no longer compile" in said


def test_further_fixes_follow_one_after_which_code_does_not_compile(fix_all: Callable[[str], tuple[str, str]]) -> None:
    text = """
        class Loss(nn.Module):
            def forward(self, x, y, weights=None):
                if weights is None:
                    return nn.MSELoss()(x, y)
                return (weights * (x - y) ** 2).sum()
        """
    after, said = fix_all(text)
    assert "weights: Optional[Tensor] = None" in after and "return F.mse_loss(x, y)" in after
    assert the_compiler()(HEAD + after).ok and not said


def test_what_no_fix_can_mend_in_one_file_holds_up_no_other_file(folder: Callable[..., Path]) -> None:
    loss = dedent(
        """
        class Loss(nn.Module):
            def forward(self, x, y, weights=None):
                if weights is None:
                    return {}
                return (weights * (x - y) ** 2).sum()
        """
    )
    kept, further = loss.format("(x - y) * issubclass(bool, int)"), loss.format("nn.MSELoss()(x, y)")
    root = folder({"a.py": HEAD + kept, "b.py": HEAD + further})
    CliRunner().invoke(cli, ["check", "--isolated", "--no-cache", "--fix", "--unsafe-fixes", str(root)])
    assert (root / "a.py").read_text(encoding="utf-8") == HEAD + kept
    assert "return F.mse_loss(x, y)" in (root / "b.py").read_text(encoding="utf-8")


def test_the_end_of_a_function_decides_whether_its_annotations_stay(fix_all: Callable[[str], tuple[str, str]]) -> None:
    text = """
        class Net(nn.Module):
            def forward(self, x, targets=None):
                loss = None
                if targets is not None:
                    loss = (x - targets).sum()
                return x, loss
        """
    after, said = fix_all(text)
    assert "targets: Optional[Tensor] = None" in after and "loss: Optional[Tensor] = None" in after
    assert the_compiler()(HEAD + after).ok and not said


def test_what_compiles_in_other_constructions_is_not_changed(fix_all: Callable[[str], tuple[str, str]]) -> None:
    """Only modules with a `first` are rejected; with an annotation, those with a `second` would be, too."""
    text = """
        class Loss(nn.Module):
            def __init__(self, first=False, second=True):
                super().__init__()
                self.first = nn.ReLU() if first else None
                self.second = nn.ReLU() if second else None

            def forward(self, x, weights=None):
                if self.first is not None:
                    x = x * issubclass(bool, int)
                if weights is None:
                    if self.second is not None:
                        return nn.MSELoss()(x, x)
                    return x
                return (weights * x ** 2).sum()
        """
    assert the_compiler()(HEAD + dedent(text)).ok
    after, said = fix_all(text)
    assert after == dedent(text)
    assert "TS810 was not fixed: `Loss` would no longer compile" in said


def test_no_fix_changes_a_default_that_is_tested_for_none(
    fix_all: Callable[[str], tuple[str, str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without its annotation `y` is a Tensor, and `y is None` would always be false."""
    text = """
        class Loss(nn.Module):
            def forward(self, x, y=None):
                if y == None:
                    return x
                print(y)
                return x * 2
        """
    after, _ = fix_all(text)
    assert "y: Optional[Tensor] = None" in after and "if y is None:" in after
    monkeypatch.setattr("tslint.rewrite.guard_none.TENSOR", None)  # the fix that does not change the parameter
    monkeypatch.setattr("tslint.rules.deployment.unsaveable_none_default.only_tested_for_none", lambda *_: False)
    after, said = fix_all(text)
    assert after == dedent(text)
    assert "TS306 was not fixed: it would compile, but compute a different result than Python (TS610)" in said


def test_only_the_fix_that_causes_an_error_is_left_out(fix_all: Callable[[str], tuple[str, str]]) -> None:
    """The annotation makes the second argument a number, whatever the code of the argument is."""
    text = """
        def scaled(x, by):
            return x / (by + 2)


        class Net(nn.Module):
            def forward(self, x: Tensor) -> Tensor:
                return scaled(x, 0.5) + scaled(x, x.sum() + round(2.5))
        """
    after, said = fix_all(text)
    assert "by: float" in after and "x.sum() + int(round(2.5))" in after
    assert "TS603 was not fixed" not in said


def test_what_compiles_without_layers_stays(fix_all: Callable[[str], tuple[str, str]]) -> None:
    """Without stages, the loop is not compiled, so its error does not excuse an error that an annotation causes."""
    text = """
        class Net(nn.Module):
            def __init__(self, depth):
                super().__init__()
                self.stages = nn.ModuleList([nn.Identity() for _ in range(depth)])

            def forward(self, x, weights=None):
                for i, stage in enumerate(self.stages):
                    x = stage(x) + self.stages[i](x)
                if weights is None:
                    return x * issubclass(bool, int)
                return x * weights
        """
    after, said = fix_all(text)
    assert "for stage in self.stages:" in after and "stage(x) + stage(x)" in after
    assert "weights=None" in after
    assert "TS810 was not fixed: `Net` would no longer compile" in said


def test_what_compiles_stays_where_its_class_is_conditional(fix_all: Callable[[str], tuple[str, str]]) -> None:
    text = """
        if torch.cuda.is_available():
            class Loss(nn.Module):
                def forward(self, x, y, weights=None):
                    if weights is None:
                        return (x - y) * issubclass(bool, int)
                    return (weights * (x - y) ** 2).sum()
        """
    after, said = fix_all(text)
    assert after == dedent(text)
    assert "net.py:9: TS810 was not fixed: `Loss` would no longer compile" in said


def test_one_caller_does_not_decide_for_another_root(fix_all: Callable[[str], tuple[str, str]]) -> None:
    text = """
        class Net(nn.Module):
            def forward(self, x):
                return F.relu(x)


        class Wrong(nn.Module):
            def __init__(self):
                super().__init__()
                self.net = Net()

            def forward(self, x: Tensor):
                return self.net((x, x))
        """
    after, _ = fix_all(text)
    assert after == dedent(text)


def test_a_type_without_the_operator_that_is_used_is_not_written(fix_all: Callable[[str], tuple[str, str]]) -> None:
    after, _ = fix_all(
        """
        class Last(nn.Module):
            def __init__(self, index=None):
                super().__init__()
                self.index = index

            def forward(self, x):
                if self.index is not None:
                    x = x[self.index]
                return x.transpose(0, 1)


        class Net(nn.Module):
            def __init__(self):
                super().__init__()
                self.last = Last(0)

            def forward(self, x: Tensor):
                return self.last((x, x))
        """
    )
    assert "def forward(self, x):" in after


def test_a_parameter_that_is_only_passed_by_name_is_not_removed(fix_all: Callable[[str], tuple[str, str]]) -> None:
    after, _ = fix_all(
        """
        class Encoder(nn.Module):
            def __init__(self, inner):
                super().__init__()
                self.inner = inner

            def forward(self, **kwargs):
                return self.inner(**kwargs)
        """
    )
    assert "def forward(self, **kwargs):\n        return self.inner(**kwargs)" in after


def test_an_item_of_what_callers_pass_may_be_a_list(fix_all: Callable[[str], tuple[str, str]]) -> None:
    after, _ = fix_all(
        """
        def spans(pairs):
            total = 0
            for pair in pairs:
                for i in range(2):
                    value, count = pair[i]
                    total += value * count
            return total


        class Net(nn.Module):
            def forward(self, x):
                return spans(x)
        """
    )
    assert "value, count = pair[i]\n" in after


def test_a_mixin_does_not_call_the_method_that_called_it(fix_all: Callable[[str], tuple[str, str]]) -> None:
    after, _ = fix_all(
        """
        class Noise(nn.Module):
            def _shared(self, x: Tensor):
                return super().forward(x) + 1


        class Net(Noise, nn.Linear):
            def forward(self, x: Tensor):
                return self._shared(x)
        """
    )
    assert "self.forward(x)" not in after


def test_a_fix_may_break_a_module_only_after_it_has_run(fix_all: Callable[[str], tuple[str, str]]) -> None:
    """The annotation causes the next error even for a module that has run, and that was accepted before."""
    text = """
        class Net(nn.Module):
            def __init__(self):
                super().__init__()
                self.fresh = True
                self.last = None

            def forward(self, x):
                if self.fresh:
                    self.last = torch.zeros_like(x)
                    self.fresh = False
                x = torch.cat((x, self.last))
                self.last = x
                return x
        """
    assert not the_compiler()(HEAD + dedent(text) + "\n\nscripted = torch.jit.script(Net())\n").ok
    after, _ = fix_all(text)
    assert "assert last is not None" in after
    assert the_compiler()(HEAD + after + "\n\nscripted = torch.jit.script(Net())\n").ok


def test_a_module_that_compiles_after_a_run_still_compiles(fix_all: Callable[[str], tuple[str, str]]) -> None:
    """With the annotation that a new module needs, the attribute could no longer be compared after a run."""
    text = """
        class Net(nn.Module):
            def __init__(self, times: int):
                super().__init__()
                self.times = times
                self.length = None

            def forward(self, x, length: int = 1):
                if length == self.length and x.dim() == 1:
                    return x
                self.length = length
                return x * self.times
        """
    ran = "\n\nnet = Net(2)\nnet(torch.rand(2))\nscripted = torch.jit.script(net)\n"
    assert the_compiler()(HEAD + dedent(text) + ran).ok
    assert not the_compiler()(HEAD + dedent(text) + "\n\nscripted = torch.jit.script(Net(2))\n").ok
    after, notes = fix_all(text)
    assert after.strip() == dedent(text).strip()
    assert "TS410 was not fixed: `Net` would no longer compile" in notes


@pytest.mark.parametrize(
    ("call", "number"), [("scaled(x, {})", "2"), ("self.scale(x, {})", "2"), ("scaled(x, {})", "0.5")]
)
def test_what_passes_a_tensor_and_compiles_is_not_given_a_number(
    call: str, number: str, fix_all: Callable[[str], tuple[str, str]]
) -> None:
    """The annotation that one class needs would convert what the other one passes, and raise there if it is no int."""
    text = f"""
        def scaled(x, by):
            return x * by


        class Net(nn.Module):
            def scale(self, x, by):
                return x * by

            def forward(self, x):
                return {call.format(number)}


        class Other(Net):
            def forward(self, x):
                return {call.format("x.mean()")}
        """
    assert the_compiler()(HEAD + dedent(text).replace(call.format(number), "x")).ok
    after, said = fix_all(text)
    assert after == dedent(text)
    assert "TS507 was not fixed: it would compile, but compute a different result than Python (TS613)" in said


def test_a_variable_that_a_loop_binds_does_not_raise(fix_all: Callable[[str], tuple[str, str]]) -> None:
    """A branch that does not bind the variable must not raise, because the loop has bound it."""
    text = """
        def stage(x, n: int):
            for i in range(n):
                if i > 1:
                    found = i
                    break
            else:
                found = n
            return x * found


        scripted = torch.jit.script(stage)
        """
    tail = "inputs = (torch.ones(2), {n})\n"
    after, _ = fix_all(text)
    for n in (1, 5):
        before, told = (the_compiler()(HEAD + each + tail.format(n=n)) for each in (dedent(text), after))
        assert not before.ok and told.ok, told.message
        assert before.eager == told.eager == told.scripted
