"""Tests that the examples do what their comments say, with the installed compiler."""

from __future__ import annotations

import importlib.util
import inspect
import io
import itertools
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
import torch

EXAMPLES = Path(__file__).parents[2] / "examples"
_counter = itertools.count()

SPEECH = [(torch.rand(5, 321) - 0.5, torch.tensor([20.0, 1.0, 5.0, 9.0, 10.0])), (torch.rand(1, 16), torch.ones(1))]
TUTORIAL = [(torch.rand(9, 2, 4) - 1,), (-5 * torch.rand(1, 3, 4),)]
OTHER_INPUTS = {"speech": SPEECH, "tutorial": TUTORIAL}

MISTAKES = {
    "Normalise": "try blocks aren't supported",
    "Frames": "Only a single generator is currently supported",
    "FeedForward": 'Expected a default value of type Tensor (inferred) on parameter "alpha"',
    "Adapter": "Could not cast value of type",
    "Encoder": "Expected integer literal for index",
    "Downsample": "Could not match type int to t",
    "Upsample": "Expected a value of type 'Tensor' for argument '0'",
    "Mask": "Don't support formatting in JoinedStr",
    "Head": "attribute lookup is not defined on python value of type 'Logger'",
    "Confidence": "'Tensor' object has no attribute or method 'numpy'",
    "Recogniser": "Compiled functions can't take variable number of arguments",
}


def load_file(path: Path) -> Any:
    """Return a fresh copy of a module: the compiler remembers classes by identity."""
    spec = importlib.util.spec_from_file_location(f"example_{next(_counter)}_{path.stem}", path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def load(example: str, form: str) -> Any:
    return load_file(EXAMPLES / example / f"{form}.py")


def classes(module: ModuleType) -> list[str]:
    return [name for name, value in vars(module).items() if inspect.isclass(value)]


def reloaded(module: Any) -> Any:
    buffer = io.BytesIO()
    torch.jit.save(module, buffer)
    buffer.seek(0)
    return torch.jit.load(buffer)


@pytest.mark.parametrize("example", OTHER_INPUTS)
@pytest.mark.parametrize("export", ["script", "trace"])
def test_the_mended_form_exports_and_computes_what_the_first_form_did(example: str, export: str) -> None:
    before, inputs = load(example, "before").build()
    after, _ = load(example, "after").build()
    assert list(after.state_dict()) == list(before.state_dict())
    after.load_state_dict(before.state_dict())

    exported = reloaded(torch.jit.script(after) if export == "script" else torch.jit.trace(after, inputs))

    assert list(exported.state_dict()) == list(before.state_dict())
    for arguments in [inputs, *OTHER_INPUTS[example]]:
        expected = before(*arguments)
        torch.testing.assert_close(after(*arguments), expected)
        torch.testing.assert_close(exported(*arguments), expected)


@pytest.mark.parametrize("name", MISTAKES)
def test_each_class_of_the_speech_example_holds_a_mistake_of_its_own(name: str) -> None:
    before, after = load("speech", "before"), load("speech", "after")
    for other in classes(after):
        if other != name:
            setattr(before, other, getattr(after, other))
    setattr(after, name, getattr(before, name))
    model, _ = after.build()
    with pytest.raises(Exception) as caught:
        torch.jit.script(model)
    assert MISTAKES[name] in str(caught.value)


def test_no_class_of_the_speech_example_is_left_out() -> None:
    assert classes(load("speech", "before")) == list(MISTAKES)


@pytest.mark.parametrize(
    ("without", "message"),
    [
        ((), "Unsupported value kind: Tensor"),
        (("y, h = self.cell(xs[0])", "y, h = self.cell(xs[0], xs[0])"), "Tried to set nonexistent attribute: last"),
    ],
)
def test_the_tutorial_before_is_rejected(without: tuple[str, ...], message: str, tmp_path: Path) -> None:
    text = (EXAMPLES / "tutorial" / "before.py").read_text()
    path = tmp_path / "model.py"
    path.write_text(text.replace(*without) if without else text)
    module = load_file(path)
    with pytest.raises(RuntimeError) as caught:
        torch.jit.script(module.build()[0])
    assert message in str(caught.value)


@pytest.mark.filterwarnings("ignore::torch.jit.TracerWarning")
def test_the_tutorial_before_traces_wrongly() -> None:
    model, inputs = load("tutorial", "before").build()
    traced = torch.jit.trace(model, inputs, check_trace=False)
    torch.testing.assert_close(traced(*inputs), model(*inputs))

    shorter = inputs[0][:2]
    with pytest.raises(RuntimeError, match="out of range"):
        traced(shorter)
    with torch.no_grad():
        model.loop.cell.linear.bias.fill_(10.0)
        upwards = torch.jit.trace(model, inputs, check_trace=False)
        model.loop.cell.linear.bias.fill_(-10.0)
        torch.testing.assert_close(upwards(*inputs), torch.zeros(3, 4))
        assert (model(*inputs) > 0.9).all()
