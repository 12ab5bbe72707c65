"""Tests what counts as the same module: outputs with their values if these are reproducible, and ``state_dict``
keys.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
import torch

from tslint.fixing.same import difference
from tslint.verify.fresh import encode
from tslint.verify.results import StageResult, TargetVerdict
from tslint.verify.snapshot import digest, form
from tslint.verify.stage_names import STAGES


def run(value: Any = 1.0, keys: tuple[str, ...] = ("a",), unsteady: bool = False, **failed: str) -> TargetVerdict:
    """Return a run with two sets of inputs and the same output."""
    stages = tuple(
        StageResult(name, "failed" if name in failed else "passed", detail=failed.get(name, "")) for name in STAGES
    )
    output = encode(torch.full((2,), value) if isinstance(value, float) else value)
    told = {"form": form(output), "digest": digest(output)}
    forms = {key.partition("=")[0]: key.partition("=")[2] or "float32[1]" for key in keys}
    snapshot: dict[str, Any] = {"keys": forms, "outputs": [told, told], "unsteady": unsteady}
    if "eager" in failed:
        del snapshot["outputs"]
    return TargetVerdict("net", stages, snapshot=snapshot)


@pytest.mark.parametrize(
    ("after", "expected"),
    [
        (run(), ""),
        (run(script="refused"), ""),
        (run(2.0), "the eager output changes on input set 1: other values (float32[2])"),
        (run(torch.ones(3)), "the eager output changes on input set 1: float32[3] instead of float32[2]"),
        (run((1, None)), "the eager output changes on input set 1: (int, None) instead of float32[2]"),
        (run(unsteady=True), ""),
        (run(2.0, unsteady=True), ""),
        (
            run(torch.ones(3), unsteady=True),
            "the eager output changes on input set 1: float32[3] instead of float32[2]",
        ),
        (run(keys=("b",)), "the keys of state_dict change: 'a' is gone"),
        (run(keys=("a", "b")), "the keys of state_dict change: 'b' is new"),
        (run(keys=("a=int64[]",)), "the keys of state_dict change: 'a' is int64[] instead of float32[1]"),
        (run(eager="forward raised"), "eager fails: forward raised"),
        (run(build="Net() raised"), "build fails: Net() raised"),
    ],
)
def test_the_difference_is_named(after: TargetVerdict, expected: str) -> None:
    assert difference(run(), after) == expected
    assert difference(replace(run(), snapshot=dict(run().snapshot or {})), run()) == ""


MAKERS: list[Callable[[], Any]] = [
    lambda: None,
    lambda: True,
    lambda: 1,
    lambda: 1.0,
    lambda: 1j,
    lambda: "1",
    lambda: object(),
    lambda: torch.device("cpu"),
    lambda: torch.arange(3),
    lambda: torch.arange(3).bool(),
    lambda: torch.arange(3.0),
    lambda: torch.arange(3.0).bfloat16(),
    lambda: torch.arange(3.0).requires_grad_(),
    lambda: torch.arange(6.0).reshape(2, 3),
    lambda: torch.arange(6.0).reshape(3, 2).T,
    lambda: torch.arange(3.0) * 1j,
    lambda: torch.arange(3.0).to_sparse(),
    lambda: torch.quantize_per_tensor(torch.arange(3.0), 0.1, 0, torch.qint8),
    lambda: torch.empty(3, device="meta"),
    lambda: torch.tensor(float("nan")),
    lambda: torch.empty(0),
    lambda: (1, 2),
    lambda: [1, 2],
    lambda: {"a": 1, "b": torch.zeros(1)},
    lambda: {1: 1},
]


@pytest.mark.filterwarnings("ignore:torch.quantize_per_tensor:UserWarning")
def test_a_digest_tells_every_two_values_apart() -> None:
    digests = [digest(encode(make())) for make in MAKERS]
    assert digests == [digest(encode(make())) for make in MAKERS]
    assert len(set(digests)) == len(digests)


def test_what_is_equal_has_one_digest() -> None:
    assert digest(encode(torch.tensor([0.0]))) == digest(encode(torch.tensor([-0.0])))
    assert digest(encode({"a": 1, "b": 2})) == digest(encode({"b": 2, "a": 1}))
    assert digest(encode(torch.ones(4, 4)[:, ::2])) == digest(encode(torch.ones(4, 2)))


def test_a_form_is_the_output_without_values() -> None:
    value = {"b": [torch.zeros(2, 3), None], "a": (1, "x", object())}
    assert form(encode(value)) == "{'a': (int, str, object), 'b': [float32[2, 3], None]}"
