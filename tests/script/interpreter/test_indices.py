"""Tests indices, keys and bounds of slices that are not values in compiled code: global variables of Python."""

from __future__ import annotations

import pytest

from tests.script.agreement import agree

TEXT = """
FIRST = 1
NAME = "a"


@torch.jit.script
def f(x: Tensor, xs: List[int], named: Dict[str, int], text: str):
    {body}


"""
BODIES = [
    "return x[FIRST]",
    "return x[:, FIRST:]",
    "return x.shape[FIRST]",
    "return xs[FIRST]",
    "return xs[FIRST:]",
    "return named[NAME]",
    "return text[FIRST]",
    "return (1, 2)[FIRST]",
    "return (1, 2, 3)[FIRST:]",
    "xs[FIRST] = 2",
    "named[NAME] = 2",
    "x[FIRST] = 2",
]


@pytest.mark.parametrize("body", BODIES)
def test_a_global_variable_is_no_index(body: str) -> None:
    agree("closed-over-global", TEXT.format(body=body))


@pytest.mark.parametrize("body", [each for each in BODIES if "(1, 2" not in each])
def test_a_local_variable_is_an_index(body: str) -> None:
    local = body.replace("FIRST", "first").replace("NAME", "name")
    agree("", TEXT.format(body=f"first, name = 1, 'a'\n    {local}"))


BY_DEFAULT = """
class Net(nn.Module):
    def __init__(self, at={default}):
        super().__init__()
        self.at = at
        self.layers = nn.ModuleList([nn.ReLU()])
        self.named = nn.ModuleDict(dict(a=nn.ReLU()))

    def forward(self, x: Tensor, xs: List[Tensor], both: Dict[str, Tensor]):
        return {body}


scripted = torch.jit.script(Net())
"""


@pytest.mark.parametrize(
    ("default", "body", "kind"),
    [
        ("'a'", "x[self.at]", "tensor-index"),
        ("0", "x[..., self.at]", ""),
        ("None", "x[self.at]", ""),
        ("'a'", "xs[self.at]", "operator-mismatch"),
        ("0", "xs[self.at]", ""),
        ("'a'", "both[self.at]", ""),
        ("0", "both[self.at]", "operator-mismatch"),
        ("'a'", "(x, x)[self.at]", "tuple-index"),
        ("0", "(x, x)[self.at]", ""),
        ("0", "self.layers[self.at](x)", "container-index"),
        ("'a'", "self.named[self.at](x)", "container-key"),
    ],
)
def test_an_index_is_of_the_type_of_its_default(default: str, body: str, kind: str) -> None:
    agree(kind, BY_DEFAULT.format(default=default, body=body))


STORED = """
class Net(nn.Module):
    def __init__(self, value={default}):
        super().__init__()
        self.value = value

    def forward(self, x: Tensor, xs: List[Tensor], both: Dict[str, float]):
        {body}
        return x


scripted = torch.jit.script(Net())
"""


@pytest.mark.parametrize(
    ("default", "body", "kind"),
    [
        ("1", "both['a'] = self.value", "item-type"),
        ("1.0", "both['a'] = self.value", ""),
        ("1", "both['a'] += self.value * x", "item-type"),
        ("1", "both['a'] += self.value * 0.5", ""),
        ("'a'", "xs[0] = self.value", "item-type"),
        ("1", "both[self.value] = 1.0", "item-type"),
        ("'a'", "both[self.value] = 1.0", ""),
    ],
)
def test_an_item_is_of_the_type_of_its_default(default: str, body: str, kind: str) -> None:
    agree(kind, STORED.format(default=default, body=body))


ADDED = """
class Net(nn.Module):
    def __init__(self, size: Optional[int]{default}, names: Tuple[str, ...] = ("a",)):
        super().__init__()
        self.size = size
        self.heads = nn.ModuleDict()
        {added}

    def forward(self, x: Tensor):
        if {test}:
            x = self.heads["a"](x)
        return x


scripted = torch.jit.script({made})
"""
SOMETIMES = "if size is not None:\n            self.heads['a'] = nn.ReLU()"
LATER = "\n\n    def more(self):\n        self.heads['a'] = nn.ReLU()\n        return self"


@pytest.mark.parametrize(
    ("kind", "added", "test", "made"),
    [
        ("container-missing-key", SOMETIMES, "'a' in self.heads", "Net()"),
        ("", SOMETIMES, "self.size is not None", "Net()"),
        ("", f"{SOMETIMES}\n        else:\n            self.heads['a'] = nn.Tanh()", "'a' in self.heads", "Net()"),
        ("", f"{SOMETIMES}\n        for name in names:\n            self.heads[name] = nn.Tanh()", "True", "Net()"),
        ("", f"{SOMETIMES}\n        self.heads.update(dict(a=nn.Tanh()))", "True", "Net()"),
        ("", f"{SOMETIMES}\n        self.heads.add_module('a', nn.Tanh())", "True", "Net()"),
        ("", f"{SOMETIMES}{LATER}", "True", "Net(None).more()"),
    ],
)
def test_a_constructor_may_add_a_key_under_a_test(kind: str, added: str, test: str, made: str) -> None:
    default = " = None" if made == "Net()" else ""  # a class that needs no argument is compiled by itself, too
    agree(kind, ADDED.format(added=added, test=test, made=made, default=default))


OF_A_BRANCH = """
class Net(nn.Module):
    def __init__(self, wide: bool = False):
        super().__init__()
        self.heads = None
        if wide:
            self.heads = nn.ModuleDict()
            self.heads["a"] = nn.ReLU()

    def forward(self, x: Tensor):
        return x if self.heads is None else self.heads["a"](x)


scripted = torch.jit.script(Net())
"""


def test_a_container_of_a_branch_has_its_keys() -> None:
    agree("", OF_A_BRANCH)


BY_PARAMETER = "def f(x: Tensor, at: {}):\n    return x[at]\n\n\nscripted = torch.jit.script(f)\n"


@pytest.mark.parametrize("written", ["Union[Tensor, bool]", "Union[int, str]", "Any", "torch.device", "complex"])
def test_types_that_select_nothing(written: str) -> None:
    agree("tensor-index", BY_PARAMETER.format(written))


@pytest.mark.parametrize("written", ["int", "Tensor", "Optional[Tensor]", "Union[Tensor, None]", "List[int]"])
def test_types_that_select_something(written: str) -> None:
    agree("", BY_PARAMETER.format(written))
