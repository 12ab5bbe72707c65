"""Tests that patterns of einops become methods that compute the same, and that raise where einops does.

einops is not installed: a pattern is computed here by loops over the indices of its axes.
"""

from __future__ import annotations

import itertools
import math
import re

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from tslint.rewrite.einops_pattern import methods

WRITTEN = [
    ("rearrange", "b n (h d) -> b h n d", "h", ".unflatten(2, ({h}, -1)).permute(0, 2, 1, 3)"),
    ("rearrange", "b h n d -> b n (h d)", "", ".permute(0, 2, 1, 3).flatten(2)"),
    ("rearrange", "b c h w -> b (h w) c", "", ".permute(0, 2, 3, 1).flatten(1, 2)"),
    ("rearrange", "b(h w)c->b c h w", "h w", ".unflatten(1, ({h}, {w})).permute(0, 3, 1, 2)"),
    ("rearrange", "a b -> (a b)", "", ".permute(0, 1).flatten()"),
    ("rearrange", "b n -> b 1 n ()", "", ".permute(0, 1)[:, None, :, None]"),
    ("rearrange", "b 1 d -> b d", "", ".expand(-1, 1, -1).squeeze(1)"),
    ("rearrange", "1 n d -> n d", "", ".permute(0, 1, 2).expand(1, -1, -1).squeeze(0)"),
    ("repeat", "() n d -> b n d", "b", ".permute(0, 1, 2).expand(1, -1, -1).expand({b}, -1, -1)"),
    ("rearrange", "... -> ... 1", "", ".unsqueeze(-1)"),
    ("rearrange", "... i j -> ... j i", "", ".transpose(-1, -2)"),
    ("rearrange", "... d r -> ... (d r)", "", ".flatten(-2)"),
    ("rearrange", "... (n d) -> ... n d", "n", ".unflatten(-1, ({n}, -1))"),
    ("rearrange", "(b t) ... -> b t ...", "b", ".unflatten(0, ({b}, -1))"),
    ("rearrange", "b t ... -> (b t) ...", "", ".flatten(0, 1)"),
    ("rearrange", "b ... -> b 1 ...", "", ".unsqueeze(1)"),
    ("repeat", "n d -> b n d", "b", "[None, :, :].expand({b}, -1, -1)"),
    ("repeat", "b d -> b n d", "n", ".unsqueeze(1).expand(-1, {n}, -1)"),
    ("repeat", "b n -> b (n 3)", "", ".unsqueeze(2).expand(-1, -1, 3).flatten(1)"),
    ("repeat", "n d -> b d n", "b", ".permute(1, 0).unsqueeze(0).expand({b}, -1, -1)"),
    ("reduce", "b n d -> b d", "", ".permute(0, 2, 1).mean(2)"),
    ("reduce", "b (h r) w -> b h", "r", ".unflatten(1, (-1, {r})).permute(0, 1, 2, 3).mean((2, 3))"),
]  # fmt: skip


@pytest.mark.parametrize(("function", "pattern", "sizes", "written"), WRITTEN)
def test_a_pattern_becomes_methods(function: str, pattern: str, sizes: str, written: str) -> None:
    assert methods(function, pattern, sizes.split(), "mean") == written


@pytest.mark.parametrize(
    ("function", "pattern", "sizes"),
    [
        # No plain methods raise where einops does, or compute what it does.
        ("repeat", "-> b", "b"),
        ("rearrange", "b ... -> b (...)", ""),
        ("rearrange", "b ... d -> b (...) d", ""),
        ("rearrange", "... d -> (...) d", ""),
        ("rearrange", "... c d -> ... c d 1", ""),
        ("rearrange", "b ... (h d) -> b ... h d", "h"),
        ("repeat", "... -> b ...", "b"),
        ("rearrange", "b ... -> b 1 (...)", ""),
        ("reduce", "b ... -> b", ""),
        ("rearrange", "a b -> b a", "a"),
        # Nothing to write.
        ("rearrange", "a b -> a b", ""),
        # einops rejects them.
        ("rearrange", "a b -> a", ""),
        ("rearrange", "a -> a b", "b"),
        ("rearrange", "a a -> a", ""),
        ("rearrange", "(a b) -> a b", ""),
        ("rearrange", "a b -> b a", "c"),
        ("rearrange", "a (b c -> a b c", "b"),
        ("rearrange", "a ((b c)) -> a b c", "b"),
        ("rearrange", "a_ b -> b a_", ""),
        ("rearrange", "a, b -> b a", ""),
        ("rearrange", "a b", ""),
        ("rearrange", "a b -> b a -> a b", ""),
        ("rearrange", "2 b -> b 2", ""),
        ("repeat", "a -> a b", ""),
        ("repeat", "a -> a 0", ""),
        ("repeat", "a -> a 02", ""),
        ("rearrange", "a... -> a... 1", ""),
        ("repeat", "a b -> a", ""),
        ("reduce", "a b -> a b c", "c"),
    ],
)
def test_other_patterns_have_no_methods(function: str, pattern: str, sizes: str) -> None:
    assert methods(function, pattern, sizes.split(), "mean") is None


def test_other_reductions_have_no_methods() -> None:
    assert methods("reduce", "a b -> a", [], "prod") is None


def _parsed(side: str) -> list[list[str]]:
    return [re.findall(r"\w+", each) for each in re.findall(r"\([^)]*\)|\w+", side)]


def reference(tensor: torch.Tensor, pattern: str, sizes: dict[str, int], reduction: str) -> torch.Tensor | None:
    """Compute a pattern element by element; None where einops raises."""
    left, right = (_parsed(each) for each in pattern.split("->"))
    lengths = {**sizes, "1": 1}
    if len(left) != tensor.dim():
        return None
    for group, size in zip(left, tensor.shape, strict=True):
        known = math.prod(lengths[axis] for axis in group if axis in lengths)
        if any(axis not in lengths for axis in group):
            lengths |= {axis: size // known for axis in group if axis not in lengths}
        if math.prod(lengths[axis] for axis in group) != size:
            return None
    axes = [axis for axis in lengths if axis != "1"]
    cells: dict[tuple[int, ...], list[torch.Tensor]] = {}
    for values in itertools.product(*(range(lengths[axis]) for axis in axes)):
        index = dict(zip(axes, values, strict=True)) | {"1": 0}
        cells.setdefault(_place(right, lengths, index), []).append(tensor[_place(left, lengths, index)])
    result = torch.zeros([math.prod(lengths[axis] for axis in group) for group in right], dtype=tensor.dtype)
    for place, found in cells.items():
        result[place] = getattr(torch.stack(found), {"max": "amax", "min": "amin"}.get(reduction, reduction))(0)
    return result


def _place(groups: list[list[str]], lengths: dict[str, int], index: dict[str, int]) -> tuple[int, ...]:
    places = []
    for group in groups:
        place = 0
        for axis in group:
            place = place * lengths[axis] + index[axis]
        places.append(place)
    return tuple(places)


@st.composite
def groups(draw: st.DrawFn, axes: list[str]) -> str:
    """Draw one side of a pattern with these axes."""
    words: list[str] = []
    rest = list(axes)
    while rest:
        count = min(draw(st.sampled_from([1, 1, 2, 3])), len(rest))
        words += ["1"] * draw(st.sampled_from([0, 0, 0, 1]))
        words.append(rest[0] if count == 1 else f"({' '.join(rest[:count])})")
        rest = rest[count:]
    return " ".join(words + ["1"] * draw(st.sampled_from([0, 0, 0, 1])))


@st.composite
def calls(draw: st.DrawFn) -> tuple[str, str, dict[str, int], str, tuple[int, ...]]:
    """Draw a call, and the shape of a Tensor that may fit."""
    function = draw(st.sampled_from(["rearrange", "repeat", "reduce"]))
    axes = list("abcd")[: draw(st.integers(1, 4))]
    added = list("xy")[: draw(st.integers(1, 2))] if function == "repeat" else []
    lengths = {axis: draw(st.integers(1, 3)) for axis in axes + added}
    kept = axes[draw(st.integers(1, len(axes))) :] if function == "reduce" else axes + added
    left = draw(groups(axes))
    right = draw(groups(draw(st.permutations(kept))))
    sizes = {axis: lengths[axis] for axis in added}
    for group in _parsed(left):
        given_sizes = draw(st.sampled_from([group[1:], group[:-1], group])) if len(group) > 1 else []
        sizes |= {axis: lengths[axis] for axis in given_sizes}
    shape = [math.prod({**lengths, "1": 1}[axis] for axis in group) for group in _parsed(left)]
    change = draw(st.sampled_from(["none", "none", "size", "more", "less"]))
    place = draw(st.integers(0, len(shape) - 1))
    if change == "size":
        shape[place] = draw(st.integers(1, 4))
    elif change == "more":
        shape.insert(place, draw(st.integers(1, 2)))
    elif change == "less":
        del shape[place]
    return function, f"{left} -> {right}", sizes, draw(st.sampled_from(["mean", "sum", "max", "min"])), tuple(shape)


@settings(max_examples=400, deadline=None, derandomize=True)
@given(calls())
def test_methods_compute_what_einops_does(call: tuple[str, str, dict[str, int], str, tuple[int, ...]]) -> None:
    function, pattern, sizes, reduction, shape = call
    written = methods(function, pattern, sizes, reduction)
    if written is None:
        return
    tensor = torch.randperm(math.prod(shape)).double().reshape(shape)
    expected = reference(tensor, pattern, sizes, reduction)
    try:
        result = eval("tensor" + written.format(**sizes), {"tensor": tensor})
    except (RuntimeError, IndexError):
        assert expected is None
        return
    assert expected is not None, f"{written} does not raise"
    torch.testing.assert_close(result, expected, rtol=0, atol=1e-9)
