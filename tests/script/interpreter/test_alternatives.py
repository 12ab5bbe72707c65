"""Arguments that depend on the constructor are looked at in the time that each takes, not in that of their product."""

from __future__ import annotations

from tests.script.model import events


def test_each_argument_of_many_that_depend_on_the_constructor_is_looked_at() -> None:
    names = [f"a{i}" for i in range(40)]
    choices = [f"        self.{name} = 1 if use_{name} else {2.5 if name == 'a7' else 's'!r}" for name in names]
    parameters = [f"{name}: {'int' if name == 'a7' else 'Union[int, str]'}" for name in names]
    text = f"""
def f(x, {", ".join(parameters)}):
    return x


class Net(nn.Module):
    def __init__(self, {", ".join(f"use_{name}" for name in names)}):
        super().__init__()
{chr(10).join(choices)}

    def forward(self, x):
        return f(x, {", ".join(f"self.{name}" for name in names)})
"""
    assert [(event.kind, event.condition) for event in events(text)] == [("call-mismatch", "`use_a7` is false")]
