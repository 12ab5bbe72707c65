"""Tests a second annotation of a variable of an outer block: each row asks the compiler and the static model."""

from __future__ import annotations

import pytest

from tests.script.agreement import agree

# The parameters, the body, and whether the compiler accepts it.
CASES = {
    ("x: int", "x: int = 3"): True,
    ("c: bool", "if c:\n        x: int = 2\n        x: int = 3"): True,
    ("c: bool", "for i in range(3):\n        y: int = i\n        y: int = i"): True,
    ("xs: List[Tensor]", "for x in xs:\n        x: Tensor = x + 1"): True,
    ("x: int, c: bool", "if c:\n        x: int = 3"): False,
    ("x: int, c: bool", "if c:\n        x = 2\n        x: int = 3"): False,
    ("x: Optional[Tensor]", "if x is None:\n        x: Tensor = torch.ones(2)"): False,
    ("x: Optional[Tensor]", "if x is not None:\n        x: Tensor = x + 1"): False,
    ("x: Union[Tensor, Tuple[Tensor, Tensor]]", "if isinstance(x, Tensor):\n        x: Tensor = x + 1"): False,
    ("c: bool", "y = 1\n    for y in range(3):\n        y: int = 1"): False,
}


@pytest.mark.parametrize(("parameters", "body"), CASES)
def test_a_block_annotates_no_variable_of_an_outer_one(parameters: str, body: str) -> None:
    text = f"def f({parameters}):\n    {body}\n    return 1\n\n\nscripted = torch.jit.script(f)\n"
    agree("" if CASES[parameters, body] else "annotated-twice", text)
