"""Tests the interpretation of constructors: the possible values of each attribute, and their conditions."""

from __future__ import annotations

import textwrap

import pytest

from tests.script.model import facts, holds, kinds
from tslint.script.attributes import ClassFacts, Instance, PyConst, PyKind, PyValue


def net(body: str, rest: str = "", parameters: str = "flag=False, size=3, extra=None") -> ClassFacts:
    constructor = textwrap.indent(textwrap.dedent(body), "        ")
    methods = textwrap.indent(textwrap.dedent(rest), "    ")
    return facts(
        f"class Net(nn.Module):\n    def __init__(self, {parameters}):\n"
        f"        super().__init__()\n{constructor}\n{methods}\n"
    )


def shown(value: PyValue | None) -> object:
    if isinstance(value, PyConst):
        return value.value
    if isinstance(value, PyKind):
        return value.kind
    if isinstance(value, Instance):
        return value.external.rpartition(".")[2] if value.external else value.definition and value.definition.name
    return "unset" if value is None else "?"


def options(found: ClassFacts, name: str) -> dict[str, object]:
    return {holds(attribute): shown(attribute.value) for attribute in found.attributes[name]}


def test_a_plain_attribute_has_one_value() -> None:
    assert options(net("self.k = 2 + 3"), "k") == {"": 5}


def test_branches_give_alternatives_with_their_tests() -> None:
    found = net("if flag:\n    self.act = nn.ReLU()\nelse:\n    self.act = nn.Tanh()")
    assert options(found, "act") == {"`flag` is true": "ReLU", "`flag` is false": "Tanh"}


def test_one_branch_leaves_the_attribute_unset_in_the_other() -> None:
    found = net("if extra is not None:\n    self.head = nn.Linear(1, 1)")
    assert options(found, "head") == {"`extra` is not None": "Linear", "`extra` is None": "unset"}


def test_the_same_test_again_has_the_same_outcome() -> None:
    found = net("self.k = 1\nif flag:\n    self.k = 2\nif flag:\n    self.j = self.k")
    assert options(found, "j") == {"`flag` is true": 2, "`flag` is false": "unset"}


def test_a_parameter_stands_for_its_default_or_anything() -> None:
    assert options(net("self.size = size"), "size") == {"`size` is 3": 3, "`size` is not 3": "?"}


def test_flags_joined_by_or_are_a_flag() -> None:
    flags = "up=False, down: bool = False, size=3"
    found = net("self.either = up or down\nself.some = up or size", parameters=flags)
    assert options(found, "either") == {
        "`up or down` is true": True,
        "`down` is false and `up or down` is false and `up` is false": False,
    }
    assert options(found, "some") == {"": "?"}


def test_raising_branches_leave_no_construction() -> None:
    found = net("if flag:\n    raise ValueError\nelse:\n    self.k = 1")
    assert [shown(a.value) for a in found.attributes["k"]] == [1]


@pytest.mark.parametrize(
    ("test", "values"),
    [
        ("self.extra > 0", {"`extra` is not None": "?"}),
        ("not 0 < self.extra", {"`extra` is not None": "?"}),
        ("self.extra > 0 and flag", {"`extra` is not None": "?"}),
        ("flag and self.extra > 0", {"`extra` is None": None, "`extra` is not None": "?"}),
        ("self.extra == 0", {"`extra` is None": None, "`extra` is not None": "?"}),
        ("self.extra > size", {"`extra` is None": None, "`extra` is not None": "?"}),
    ],
)
def test_a_comparison_that_raises_for_none_leaves_no_construction(test: str, values: dict[str, object]) -> None:
    assert options(net(f"self.extra = extra\nif {test}:\n    self.count = 1"), "extra") == values


@pytest.mark.parametrize(
    ("statement", "raises"),
    [
        ("self.k = width // extra", True),
        ("assert width % extra == 0", True),
        ("self.layer = nn.Linear(width // extra, 1)", True),
        ("self.k: int = 2 * (width // extra)", True),
        ("self.k = size / extra", True),
        ("self.k = size * extra", False),  # of an object with such an operator
        ("self.k = width // extra if extra is not None else 1", False),
        ("self.k = extra is not None and width % extra == 0", False),
        ("self.k = [width // extra for _ in range(size)]", False),
        ("for _ in range(size):\n    self.k = width // extra", False),
        ("try:\n    self.k = width // extra\nexcept TypeError:\n    self.k = 1", False),
        ("try:\n    self.k = width // extra\nexcept TypeError:\n    raise ValueError", True),
        ("extra = extra or 2\nself.k = width // extra", False),
        ("if extra:\n    self.k = width // extra", False),
    ],
)
def test_an_operator_that_raises_for_none_leaves_no_construction(statement: str, raises: bool) -> None:
    found = net(f"self.extra = extra\n{statement}", parameters="width: int, size, extra=None")
    assert options(found, "extra") == {**({} if raises else {"`extra` is None": None}), "`extra` is not None": "?"}


def test_helper_methods_run_with_their_arguments() -> None:
    found = net("self._set(4)", "def _set(self, value):\n    self.k = value + 1")
    assert options(found, "k") == {"": 5}


def test_helper_functions_return_what_they_make() -> None:
    found = facts(
        "def make(kind):\n    if kind == 'a':\n        return nn.ReLU()\n    return nn.Tanh()\n"
        "class Net(nn.Module):\n    def __init__(self):\n        "
        "super().__init__()\n        self.a = make('a')\n        self.b = make('b')\n"
    )
    assert (options(found, "a"), options(found, "b")) == ({"": "ReLU"}, {"": "Tanh"})


def test_loops_over_known_ranges_fill_containers() -> None:
    found = net("self.ls = nn.ModuleList()\nfor i in range(3):\n    self.ls.append(nn.Linear(i, 1))")
    value = found.attributes["ls"][0].value
    assert isinstance(value, Instance) and value.items is not None
    assert [shown(item) for item in value.items] == ["Linear"] * 3


def test_loops_over_unknown_ranges_leave_the_length_open() -> None:
    found = net("self.ls = nn.ModuleList([nn.ReLU() for _ in range(size)])")
    value = found.attributes["ls"][-1].value
    assert isinstance(value, Instance) and value.items is None and shown(value.element) == "ReLU"


def test_add_module_with_a_name_is_an_attribute() -> None:
    found = net("for i in range(2):\n    self.add_module(f'conv{i}', nn.Linear(1, 1))")
    assert (options(found, "conv0"), options(found, "conv1")) == ({"": "Linear"}, {"": "Linear"})
    assert not found.open


def test_register_buffer_makes_a_tensor() -> None:
    found = net("self.register_buffer('mask', torch.zeros(3))\nself.register_buffer('none', None)")
    assert (options(found, "mask"), options(found, "none")) == ({"": "Tensor"}, {"": None})
    assert found.attributes["mask"][0].kind == "buffer"


def test_setattr_with_an_unknown_name_opens_the_class() -> None:
    assert net("setattr(self, size, 1)").open
    assert not net("setattr(self, 'k', 1)").open


def test_kwargs_in_the_instance_dict_open_the_class() -> None:
    assert net("self.__dict__.update(extra)").open


def test_deleting_an_attribute_unsets_it() -> None:
    assert options(net("self.k = 1\ndel self.k"), "k") == {"": "unset"}


def test_a_base_class_constructs_before_its_heir() -> None:
    found = facts(
        "class Base(nn.Module):\n    def __init__(self, k):\n        "
        "super().__init__()\n        self.k = k\n        self.j = 1\n"
        "class Net(Base):\n    def __init__(self):\n        super().__init__(7)\n        self.j = 2\n"
    )
    assert (options(found, "k"), options(found, "j")) == ({"": 7}, {"": 2})


def test_an_unknown_base_opens_the_class() -> None:
    assert facts(
        "import other\nBase = other.make()\nclass Net(Base):\n    def __init__(self):\n        self.k = 1\n"
    ).open


def test_other_methods_that_set_attributes_are_remembered() -> None:
    found = net("self.k = 1", "def reset(self):\n    self.k = 2\n    self.register_buffer('b', None)")
    assert found.elsewhere == {"k": {"reset"}, "b": {"reset"}}


def test_constants_and_annotations_of_the_nearest_class_alone() -> None:
    found = facts(
        "class Base(nn.Module):\n    a: Final[int]\n    __constants__ = ['c']\n"
        "class Net(Base):\n    b: Final[int]\n    def __init__(self):\n   "
        "     super().__init__()\n        self.a = 1\n        self.b = 2\n"
    )
    assert found.constants == {"b", "c"} and set(found.annotations) == {"b"}


def test_a_long_constructor_comes_to_an_end() -> None:
    body = "for i in range(60):\n    for j in range(60):\n        self.k = i * j"
    assert "k" in net(body).attributes


@pytest.mark.parametrize(
    ("parameter", "test", "sure"),
    [
        ("size: int", "isinstance(size, int)", True),
        ("size: int", "isinstance(size, (int, float))", True),
        ("size: int", "isinstance(size, tuple)", False),
        ("size", "isinstance(size, int)", False),
        ("size: int = None", "isinstance(size, int)", False),
        ("size: Union[int, str]", "isinstance(size, int)", False),
    ],
)
def test_a_parameter_is_what_its_annotation_says(parameter: str, test: str, sure: bool) -> None:
    text = f"""
    class Net(nn.Module):
        def __init__(self, {parameter}):
            super().__init__()
            if {test}:
                self.layer = nn.Linear(2, 2)

        def forward(self, x: Tensor) -> Tensor:
            return self.layer(x)
    """
    assert kinds(textwrap.dedent(text)) == ([] if sure else ["missing-attribute?"])
