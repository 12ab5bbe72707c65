"""Tests the static model on torch's own modules as user code: no error for a class that the compiler accepts.

The source of every file of torch/nn/modules is read like any file. The compiler's verdict on each class, built with
typical arguments, is in the generated tables, which tests/script/operators compares with the installed torch.
"""

from __future__ import annotations

import importlib
from functools import cache
from pathlib import Path

import pytest
import torch

from tests.script.model import refusals
from tslint.project.index import Project
from tslint.script.events import Event
from tslint.script.model import Model
from tslint.script.operators import NNModule, Unsupported, module_class
from tslint.sources import reading

FOLDER = Path(torch.nn.modules.__file__).parent
FILES = sorted(path.name for path in FOLDER.glob("*.py"))


@cache
def errors(name: str) -> dict[str, list[Event]]:
    """Return the unconditional events of a file, by the class for which they occur."""
    project = Project()
    module = project.add(reading.read(FOLDER / name))
    model = Model(project)
    model.analyse([module])
    found: dict[str, list[Event]] = {definition.qualname: [] for definition in model.roots}
    for event in model.all_events():
        if event.condition is None and event.kind in refusals():
            assert event.unit is not None
            found.setdefault(event.unit.path()[0].name.partition(".")[0], []).append(event)
    return found


def rejected(table: NNModule) -> str:
    """Return the compiler's message if no typical instance can be scripted, else an empty string."""
    if table.error:
        return table.error
    return table.forward.message if isinstance(table.forward, Unsupported) else ""


def test_the_files_are_read() -> None:
    assert {"linear.py", "rnn.py", "transformer.py", "activation.py"} <= set(FILES)
    assert {"Linear", "Bilinear", "Identity"} <= set(errors("linear.py"))


@pytest.mark.parametrize("name", FILES)
def test_no_error_that_the_compiler_does_not_share(name: str) -> None:
    alone = []
    for class_name, events in errors(name).items():
        table = module_class(f"torch.nn.{class_name}")
        if events and (table is None or not rejected(table)):
            alone += [f"{class_name}:{event.span.row} {event.kind}: {event.compiler}" for event in events]
    assert alone == []


@pytest.mark.parametrize(
    "class_name", ["Linear", "LSTM", "GRU", "MultiheadAttention", "BatchNorm2d", "TransformerEncoderLayer"]
)
def test_classes_that_compile_are_among_them(class_name: str) -> None:
    table = module_class(f"torch.nn.{class_name}")
    assert table is not None and not rejected(table)
    name = importlib.import_module("torch.nn").__dict__[class_name].__module__.rpartition(".")[2] + ".py"
    assert errors(name)[class_name] == []


@pytest.mark.parametrize(
    "class_name", ["GaussianNLLLoss", "TripletMarginWithDistanceLoss", "AdaptiveLogSoftmaxWithLoss"]
)
def test_classes_that_do_not_compile_are_found(class_name: str) -> None:
    table = module_class(f"torch.nn.{class_name}")
    assert table is not None and rejected(table)
    assert any(errors(name).get(class_name) for name in FILES)
