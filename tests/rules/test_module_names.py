"""Tests names for modules: the singular of the container's name."""

from __future__ import annotations

import libcst as cst
import pytest

from tslint.rewrite.module_names import singular


@pytest.mark.parametrize(
    ("container", "one"),
    [
        ("self.layers", "layer"),
        ("self.cross_entropies", "cross_entropy"),
        ("self.branches", "branch"),
        ("self.betas", "beta"),
        ("self.convList", "conv"),
        ("self.bias", "bias"),
        ("self.axis", "axis"),
        ("self.gnn", "gnn"),
        ("self.biases", "bias"),
        ("convs", "conv"),
        ("self.convs1", "conv1"),
        ("self.layers_2", "layer_2"),
        ("self.class1", "class1"),
        ("self.res", "res"),
        ("self.fcs", "fc"),
        ("self.GRUs", "gru"),
        ("self.GRUs_start", "gru_start"),
        ("self.focus1", "focus1"),
        ("conv", "module"),
    ],
)
def test_singular(container: str, one: str) -> None:
    assert singular(cst.parse_expression(container)) == one
