"""Tests functions inside functions that are inlined or become methods: the module computes the same."""

from __future__ import annotations

from textwrap import dedent

import pytest

from tests.rules.compiler import the_compiler
from tests.rules.driver import findings
from tests.rules.test_super_fixes import HEAD, fixed

MENDED = {
    "an expression with what is around it": (
        """
        def shape(x):
            return x


        class Net(nn.Module):
            def __init__(self):
                super().__init__()
                self.lin, self.heads = nn.Linear(4, 4), 2

            def forward(self, x):
                bs = x.size(0)

                def shape(x):
                    "Heads apart."
                    return x.view(bs, -1, self.heads, 2).transpose(1, 2)

                def unshape(t):
                    return t.transpose(1, 2).contiguous().view(bs, -1, self.heads * 2)

                q = shape(self.lin(x))
                return unshape(q + shape(x=x))
        inputs = (torch.rand(2, 3, 4),)
        """,
        "self.lin(x).view(bs, -1, self.heads, 2)",
    ),
    "a lambda with a default": (
        """
        class Net(nn.Module):
            def forward(self, x):
                scale = lambda t, k=2: t * k - 1
                return scale(x) + scale(x, 3) + scale(scale(x), k=4)
        inputs = (torch.rand(3),)
        """,
        "(x * 3 - 1)",
    ),
    "map with a lambda": (
        """
        class Net(nn.Module):
            def forward(self, x):
                a, b = map(lambda t: t + 1, x.chunk(2))
                return torch.cat(list(map(lambda t: t * 2, [a, b])))
        inputs = (torch.rand(4),)
        """,
        "a, b = [t + 1 for t in x.chunk(2)]",
    ),
    "several statements and self": (
        """
        class Net(nn.Module):
            def __init__(self):
                super().__init__()
                self.lin = nn.Linear(4, 4)

            def forward(self, x):
                def stem(y):
                    for i in range(2):
                        y = self.lin(y)
                    return y
                return stem(stem(x))
        inputs = (torch.rand(4),)
        """,
        "self._stem(self._stem(x))",
    ),
}
KEPT = {
    "computed twice": """
        class Net(nn.Module):
            def forward(self, x):
                twice = lambda t: t + t
                return twice(x * 2)
        """,
    "handed on": """
        class Net(nn.Module):
            def forward(self, x):
                n = x.size(0)

                def scale(t):
                    return t * n
                return self.apply_to(scale, x)

            @torch.jit.ignore
            def apply_to(self, f, x):
                return f(x)
        """,
    "several statements and a local": """
        class Net(nn.Module):
            def forward(self, x):
                n = x.size(0)

                def scale(t):
                    t = t * n
                    return t
                return scale(x)
        """,
}


@pytest.mark.parametrize("name", MENDED)
def test_small_functions_are_written_out(name: str) -> None:
    code, expected = MENDED[name]
    text = HEAD + dedent(code).lstrip("\n")
    mended = fixed(text)
    assert expected in mended
    judged, compiled = the_compiler()(text), the_compiler()(mended)
    assert not judged.ok and compiled.ok, compiled.message
    assert judged.eager is not None and judged.eager == compiled.eager == compiled.scripted
    assert judged.keys == compiled.keys


@pytest.mark.parametrize("name", KEPT)
def test_what_cannot_be_written_out_is_left(name: str) -> None:
    text = HEAD + dedent(KEPT[name]).lstrip("\n")
    found = [finding for finding in findings(text) if finding.name in ("lambda", "nested-function")]
    assert found and all(finding.fix is None for finding in found)
