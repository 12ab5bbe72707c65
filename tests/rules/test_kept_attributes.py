"""Tests the fix for attributes that a method sets and then reads: compiled code reads a variable instead."""

from __future__ import annotations

import pytest

from tests.fixes.promise import HEAD, asked, check_promise, fixed
from tests.rules.compiler import the_compiler
from tests.rules.driver import findings

BEGIN = """
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.one = nn.Linear(3, 3)

"""
INPUTS = ("(torch.ones(2, 3),)", "(torch.zeros(1, 3),)")
UNLESS = "if not torch.jit.is_scripting():"

# The methods, and the lines of `forward` after the fix, without the author's comments.
KEPT: dict[str, tuple[str, list[str]]] = {
    "read in the next statement": (
        """
    def forward(self, x):
        self.mean = x.mean(0)
        self.loss = self.one(self.mean) * 2
        return self.loss
""",
        [
            "mean = x.mean(0)",
            UNLESS,
            "    self.mean = mean",
            "loss = self.one(mean) * 2",
            UNLESS,
            "    self.loss = loss",
            "return loss",
        ],
    ),
    "read only to give it to a variable": (
        """
    def forward(self, x):
        self.output = self.one(x)
        output = self.output
        output = output.t()
        return output
""",
        ["output = self.one(x)", UNLESS, "    self.output = output", "output = output.t()", "return output"],
    ),
    "given to a variable that exists": (
        """
    def forward(self, x):
        output = torch.relu(x)
        self.output = self.one(output)
        output = self.output
        return output
""",
        [
            "output = torch.relu(x)",
            "output_2 = self.one(output)",
            UNLESS,
            "    self.output = output_2",
            "output = output_2",
            "return output",
        ],
    ),
    "set again from itself": (
        """
    def forward(self, x):
        self.state = self.one(x)
        self.state = torch.relu(self.state) + self.state
        return self.state
""",
        [
            "state = self.one(x)",
            "state = torch.relu(state) + state",
            UNLESS,
            "    self.state = state",
            "return state",
        ],
    ),
    "set several times, and once to itself": (
        """
    def forward(self, x):
        self.grid = torch.zeros(2, 3)
        for i in range(x.size(0)):
            self.grid[i] = x[i]
        if x.size(0) > 1:
            self.grid = self.grid * 2
        self.grid = self.grid.detach()
        if x.size(0) > 2:
            self.grid = self.grid
        return self.grid * x.sum()
""",
        [
            "    def forward(self, x):",
            "grid = torch.zeros(2, 3)",
            "for i in range(x.size(0)):",
            "    grid[i] = x[i]",
            "if x.size(0) > 1:",
            "    grid = grid * 2",
            "grid = grid.detach()",
            UNLESS,
            "    self.grid = grid",
            "if x.size(0) > 2:",
            "    pass",
            "return grid * x.sum()",
        ],
    ),
    "set to itself under a test that does nothing": (
        """
    def forward(self, x):
        self.grid = x * 2
        if x.is_cuda:
            self.grid = self.grid
        return self.grid * x.sum()
""",
        ["grid = x * 2", UNLESS, "    self.grid = grid", "return grid * x.sum()"],
    ),
    "several that are only read together": (
        """
    def forward(self, x):
        self.low = x.min()
        self.high = x.max()
        self.range = self.high - self.low
        return self.one(x)
""",
        [
            UNLESS,
            "    self.low = x.min()",
            "    self.high = x.max()",
            "    self.range = self.high - self.low",
            "return self.one(x)",
        ],
    ),
    "only the first ones are not read later": (
        """
    def forward(self, x):
        self.low = x.min()
        self.low_2 = self.low * 2
        self.high = x.max()
        return x * self.high
""",
        [UNLESS, "    self.low = x.min()", "    self.low_2 = self.low * 2", "high = x.max()", "    self.high = high"],
    ),
    "set twice in a with of torch": (
        """
    def forward(self, x):
        with torch.no_grad():
            self.grid = x * 2
            self.grid = self.grid + 1
        return self.grid

    def quiet(self, x):
        try:
            self.seen = x * 2
            self.seen = self.seen.nothing
        except AttributeError:
            pass
""",
        [
            "    grid = x * 2",
            "    grid = grid + 1",
            f"    {UNLESS}",
            "        self.grid = grid",
            "    self.seen = x * 2",
        ],
    ),
    "set again after a return": (
        """
    def forward(self, x):
        self.grid = x * 2
        if x.size(0) > 1:
            return self.grid
        self.grid = self.grid + 1
        return self.grid
""",
        [
            "grid = x * 2",
            UNLESS,
            "    self.grid = grid",
            "if x.size(0) > 1:",
            "    return grid",
            "grid = grid + 1",
            UNLESS,
            "    self.grid = grid",
        ],
    ),
    "in a branch, and read by a method that is not compiled": (
        """
    def forward(self, x):
        if self.training:
            self.mean = x.mean(0)
            x = x - self.mean
        return x

    def inverse(self, x):
        return x + self.mean
""",
        ["if self.training:", "    mean = x.mean(0)", f"    {UNLESS}", "        self.mean = mean", "    x = x - mean"],
    ),
    "in both branches": (
        """
    def forward(self, x):
        if x.size(0) > 1:
            self.mean = x.mean(0)
        else:
            self.mean = x[0]
        return x - self.mean
""",
        ["    mean = x.mean(0)", "    mean = x[0]", "return x - mean"],
    ),
    "a variable has the name": (
        """
    def forward(self, x):
        mean = x.mean()
        self.mean = x.mean(0)
        return x - self.mean * mean
""",
        ["mean = x.mean()", "mean_2 = x.mean(0)", "    self.mean = mean_2", "return x - mean_2 * mean"],
    ),
    "two at once": (
        """
    def forward(self, x):
        self.low, self.high = x.min(), x.max()
        return (x - self.low) / (self.high - self.low + 1)
""",
        [
            "low, high = x.min(), x.max()",
            "    self.low = low",
            "    self.high = high",
            "return (x - low) / (high - low + 1)",
        ],
    ),
    "another class sets attributes by their names": (
        """
    def forward(self, x):
        self.mean = x.mean(0)
        return x - self.mean


class Options:
    def __init__(self, **options):
        for name, value in options.items():
            setattr(self, name, value)
""",
        ["mean = x.mean(0)", "return x - mean"],
    ),
    "read elsewhere only": (
        """
    def forward(self, x):
        self.loss = self.one(x).sum()
        self.seen = x
        return x

    def total(self):
        return self.loss + self.seen.sum()
""",
        ["loss = self.one(x).sum()", "    self.loss = loss", UNLESS, "    self.seen = x"],
    ),
    "a private name, in a loop": (
        """
    def forward(self, x):
        for _ in range(2):
            self._last = self.one(x)
            x = x + self._last
        return x
""",
        ["    last = self.one(x)", f"    {UNLESS}", "        self._last = last", "    x = x + last"],
    ),
}

# What `forward` might read is not, or not only, what it has just set.
NOT_KEPT = {
    "set to itself twice in a block that does nothing else": "self.grid = x * 2\n        if x.is_cuda:\n"
    "            self.grid = self.grid\n            self.grid = self.grid\n        return self.grid * x.sum()",
    "set on one path only": "if x.sum() > 0:\n            self.kept = x\n        return self.kept",
    "read before it is set": "y = self.kept + x\n        self.kept = x\n        return y",
    "read in the next turn": (
        "for i in range(2):\n            if i > 0:\n                x = x + self.kept\n            self.kept = x\n"
        "        return x"
    ),
    "set by another method": (
        "self.kept = x\n        self.drop()\n        return self.kept\n\n    def drop(self):\n        self.kept = None"
    ),
    "set under a name": (
        "self.kept = x\n        self.put('kept', x * 2)\n        return self.kept\n\n    def put(self, name, x):\n"
        "        setattr(self, name, x)"
    ),
    "added to": "self.kept = x\n        self.kept += 1\n        return self.kept",
    "one of two targets": "self.kept = y = x + 1\n        return self.kept + y",
    "read by a function in it": "self.kept = x\n        f = lambda y: y + self.kept\n        return f(x)",
    "set in a call of itself": (
        "self.kept = x\n        if x.size(0) > 1:\n            self.forward(x[:1])\n        return self.kept"
    ),
    "caught by a subclass": (
        "self.kept = x\n        return self.kept\n\n\nclass Loud(Net):\n    def __setattr__(self, name, value):\n"
        "        super().__setattr__(name, value if name != 'kept' else value + 1)"
    ),
    "read by a method that it calls": (
        "self.kept = x\n        return self.less(x * 2)\n\n    def less(self, x):\n        return x - self.kept"
    ),
    "read there and here": (
        "self.kept = x\n        return self.less(self.kept * 2)\n\n    def less(self, x):\n        return x - self.kept"
    ),
    "read by a module around it": (
        "self.kept = x\n        return x\n\n\nclass Whole(nn.Module):\n    def __init__(self):\n"
        "        super().__init__()\n        self.net = Net()\n\n    def forward(self, x):\n"
        "        return self.net(x) - self.net.kept"
    ),
}


@pytest.mark.parametrize("name", KEPT)
def test_a_variable_keeps_the_value(name: str) -> None:
    methods, lines = KEPT[name]
    after = check_promise(BEGIN + methods.lstrip("\n"), inputs=INPUTS)
    assert [line for line in lines if f"{line}\n" not in after] == [], after
    whole = after if "class Net" in after else f"{HEAD}class Net{after}"
    assert [case for case, verdict in asked(whole, ["Net()"], INPUTS) if not verdict.ok] == []


@pytest.mark.parametrize("name", NOT_KEPT)
def test_no_fix_if_the_value_may_be_another(name: str) -> None:
    text = f"{HEAD}{BEGIN.strip()}\n\n    def forward(self, x):\n        {NOT_KEPT[name]}\n"
    found = [each for each in findings(text) if each.code == "TS411"]
    assert found
    assert [each.fix.message for each in found if each.fix is not None] == []


@pytest.mark.parametrize("name", KEPT)
def test_a_module_that_ran_before_scripting_computes_the_same(name: str) -> None:
    after = fixed(HEAD + (BEGIN + KEPT[name][0].lstrip("\n")).lstrip("\n"))[0]
    ran = "\n\nnet = Net()\nnet(torch.ones(2, 3) * 5)\nscripted = torch.jit.script(net)\ninputs = (torch.rand(2, 3),)\n"
    verdict = the_compiler()(after + ran)
    assert verdict.ok and verdict.scripted == verdict.eager


def test_the_fix_says_where_the_attribute_is_missing() -> None:
    found = [each for each in findings(HEAD + BEGIN + KEPT["set again from itself"][0]) if each.code == "TS411"]
    assert [each.fix and each.fix.message for each in found] == [
        "Keep the value in a variable, `state`, and set the attribute in eager mode only"
    ] * len(found)
    assert found


def test_comments_stay_where_they_are() -> None:
    method = """
    def forward(self, x):
        # First, the mean.

        # It is kept.
        self.mean = x.mean(0)  # of the batch
        # Then, the rest.
        return x - self.mean
"""
    after = check_promise(BEGIN + method, inputs=INPUTS, differs=True)
    assert after.partition("def forward(self, x):\n")[2] == (
        "        # First, the mean.\n\n"
        "        # It is kept.\n"
        "        mean = x.mean(0)  # of the batch\n"
        "        if not torch.jit.is_scripting():\n"
        "            self.mean = mean\n"
        "        # Then, the rest.\n"
        "        return x - mean\n"
    )


@pytest.mark.parametrize(("rest", "written"), [("return x", False), ("return self.one(x)", True), ("", False)])
def test_what_a_function_is_for_stays_in_compiled_code(rest: str, written: bool) -> None:
    text = f"{HEAD}{BEGIN.rstrip()}\n\n    def forward(self, x):\n        self.low = x.min()\n        {rest}\n"
    assert ("is_scripting" in fixed(text)[0]) is written
