"""Tests what scripting says of hooks and parametrizations: each names the way out."""

from __future__ import annotations

from collections.abc import Callable

import pytest
import torch
from torch import nn
from torch.nn.utils import prune

from tests.verify.deployed import Deploy, deploy

__all__ = ["deploy"]
X = torch.rand(2, 4)


@pytest.mark.parametrize(
    ("compute", "words", "remove"),
    [
        (
            nn.utils.weight_norm,
            "AttributeError: 'WeightNorm' object has no attribute '__name__' (a hook of Linear); before scripting, "
            "remove it with torch.nn.utils.remove_weight_norm",
            lambda layer: nn.utils.remove_weight_norm(layer),
        ),
        (
            nn.utils.spectral_norm,
            "AttributeError: 'SpectralNorm' object has no attribute '__name__' (a hook of Linear); before scripting, "
            "remove it with torch.nn.utils.remove_spectral_norm",
            lambda layer: nn.utils.remove_spectral_norm(layer),
        ),
        (
            lambda layer: prune.l1_unstructured(layer, "weight", 0.5),
            "AttributeError: 'L1Unstructured' object has no attribute '__name__' (a hook of Linear); before scripting, "
            "remove it with torch.nn.utils.prune.remove",
            lambda layer: prune.remove(layer, "weight"),
        ),
        pytest.param(
            getattr(nn.utils.parametrizations, "weight_norm", nn.Identity),
            "compiles, but calling it raises: RuntimeError: Parametrization is not working with scripting; before "
            "scripting, call torch.nn.utils.parametrize.remove_parametrizations on self.0",
            lambda layer: nn.utils.parametrize.remove_parametrizations(layer, "weight"),
            marks=pytest.mark.skipif(
                not hasattr(nn.utils.parametrizations, "weight_norm"), reason="this torch has only the old one"
            ),
        ),
    ],
)
@pytest.mark.filterwarnings("ignore:`torch.nn.utils.weight_norm` is deprecated:FutureWarning")
def test_the_way_out_is_named_and_right(
    deploy: Deploy, compute: Callable[[nn.Module], nn.Module], words: str, remove: Callable[[nn.Module], object]
) -> None:
    module = nn.Sequential(compute(nn.Linear(4, 4)), nn.ReLU())
    outcome = deploy("script", module, X, modes=("script",))
    assert (outcome.status, outcome.detail) == ("failed", words)
    remove(module[0])
    assert deploy("compare", module, X, modes=("script",)).status == "passed"


def test_a_lambda_as_a_hook_is_named(deploy: Deploy) -> None:
    layer = nn.Linear(4, 4)
    layer.register_forward_hook(lambda module, inputs, output: output * 2)
    outcome = deploy("script", nn.Sequential(layer), X, modes=("script",))
    assert outcome.status == "failed"
    assert "(a hook of Linear); a lambda cannot be compiled: write the hook as a function" in outcome.detail
