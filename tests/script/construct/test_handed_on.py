"""Tests constructors that pass on ``*args`` and ``**kwargs``: each row asks the compiler and the static model.

The base class stores its argument in ``size``. ``cut`` only accepts a tensor, because its parameter has no annotation.
"""

from __future__ import annotations

import pytest

from tests.script.agreement import agree
from tests.script.model import events

TEXT = """
class Base(nn.Module):
    def __init__(self, width, size=3):
        super().__init__()
        self.size = size
        self.layer = nn.Linear(width, width)

    def cut(self, x, size):
        return x[:, :size]


class Middle(Base):
    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)


class Net({base}):
    def __init__({parameters}):
        {call}

    def forward(self, x):
        return self.cut(x, self.size)


scripted = torch.jit.script(Net({given}))
"""
# The base class, the parameters, the call, and the arguments of the instance. The compiler stops: `size` is a number.
INTS = {
    "both": ("Base", "self, *args, **kwargs", "super().__init__(*args, **kwargs)", "4"),
    "only keywords": ("Base", "self, width, **options", "super().__init__(width, **options)", "4"),
    "only positions": ("Base", "self, *args", "super().__init__(*args)", "4"),
    "through two constructors": ("Middle", "self, *args, **kwargs", "super().__init__(*args, **kwargs)", "4"),
    "a default, because the name is a parameter": (
        "Base",
        "self, width, size=0.5, **kwargs",
        "super().__init__(width, **kwargs)",
        "4",
    ),
    "read before": (
        "Base",
        "self, **kwargs",
        "super().__init__(**kwargs); self.more = kwargs.get('more', 1)",
        "width=4",
    ),
    "written out, through another": ("Middle", "self", "super().__init__(4, size=2)", ""),
    "a dict that is written out": ("Base", "self", "super().__init__(**{'width': 4, 'size': 2})", ""),
}


@pytest.mark.parametrize("name", INTS)
def test_the_argument_of_the_base_class_is_known(name: str) -> None:
    base, parameters, call, given = INTS[name]
    agree("call-mismatch", TEXT.format(base=base, parameters=parameters, call=call, given=given))


@pytest.mark.parametrize(
    ("parameters", "call", "given"),
    [
        ("self, **kwargs", "kwargs['size'] = torch.ones(1); super().__init__(**kwargs)", "width=4"),
        ("self, **kwargs", "kwargs.update(size=torch.ones(1)); super().__init__(**kwargs)", "width=4"),
        ("self, **kwargs", "kwargs.setdefault('size', torch.ones(1)); super().__init__(**kwargs)", "width=4"),
        ("self, *args", "args = (*args, torch.ones(1)); super().__init__(*args)", "4"),
    ],
)
def test_an_argument_that_may_have_changed_is_unknown(parameters: str, call: str, given: str) -> None:
    assert not events(TEXT.format(base="Base", parameters=parameters, call=call, given=given))
