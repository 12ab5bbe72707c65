"""Tests the types of constants, which are those of the stored values, and of other attributes, which are those of their
annotations; each row asks the compiler and the static model.
"""

from __future__ import annotations

import pytest

from tests.script.agreement import agree

TEXT = """
class Net(nn.Module):
    {declared}

    def __init__(self):
        super().__init__()
        {made}

    def forward(self, x: Tensor, i: int):
        {body}
        return x


scripted = torch.jit.script(Net())
"""
LISTED = "__constants__ = ['n']\n    "
# The declaration, what is stored, the code that reads it, and the event at which the compiler stops.
CASES = [
    ("n: Final[Optional[int]]", "self.n = None", "x = x + self.n", "operator-mismatch"),
    ("n: Final[Optional[int]]", "self.n = 3", "x = x + self.n", ""),
    ("n: Optional[int]", "self.n = 3", "x = x + self.n", "operator-mismatch"),
    (LISTED + "n: Optional[int]", "self.n = 3", "x = x + self.n", ""),
    (LISTED + "n: Optional[int]", "self.n = None", "if self.n:\n            x = x + 1", "not-a-condition"),
    (LISTED + "n: Union[int, Tuple[int, int]]", "self.n = 3", "x = F.interpolate(x, self.n)", ""),
    (LISTED + "n: Union[int, Tuple[int, int]]", "self.n = (3, 3)", "x = F.interpolate(x, self.n)", ""),
    ("n: Union[int, Tuple[int, int]]", "self.n = (3, 3)", "x = F.interpolate(x, self.n)", "operator-mismatch"),
    ("n: Final[float]", "self.n = 3", "x = F.dropout(x, self.n)", "operator-mismatch"),
    ("n: Final[List[int]]", "self.n = [1, 2]", "x = x + self.n[i] + len(self.n)", ""),
    ("n: Final[List[float]]", "self.n = [1, 2.0]", "x = x + self.n[i]", "tuple-index"),
    (LISTED + "n: Optional[Tensor]", "self.register_buffer('n', torch.ones(2))", "x = x + self.n", "operator-mismatch"),
    ("n: Optional[Tensor]", "self.register_buffer('n', torch.ones(2))", "x = x + self.n", "operator-mismatch"),
]


@pytest.mark.parametrize(("declared", "made", "body", "kind"), CASES)
def test_a_declared_attribute(declared: str, made: str, body: str, kind: str) -> None:
    agree(kind, TEXT.format(declared=declared, made=made, body=body))
