"""Tests constructors that set attributes in code that is not interpreted: each row asks the compiler and the model."""

from __future__ import annotations

import pytest

from tests.script.agreement import agree
from tests.script.model import events

HEAD = """
import contextlib
from functools import partial


class Helper:
    def __init__(self, module=None):
        if module is not None:
            module.k = 3

    def fill(self, module):
        module.k = 3


def adding(init):
    def wrapped(self, *args, **kwargs):
        init(self, *args, **kwargs)
        self.k = 3

    return wrapped


def extended(cls):
    old = cls.__init__

    def init(self, *args, **kwargs):
        old(self, *args, **kwargs)
        self.k = 3

    cls.__init__ = init
    return cls


class Meta(type):
    def __call__(cls, *args, **kwargs):
        made = super().__call__(*args, **kwargs)
        made.k = 3
        return made
"""
NET = """

class Net(nn.Module):
    def __init__(self, kind="whole"):
        super().__init__()
{body}

    def _whole(self):
        self.k = 3

    def _update(self, **values):
        for name, value in values.items():
            setattr(self, name, value)

    def _set(self, name, value):
        setattr(self, name, value)

    def forward(self, x: Tensor):
        return x * self.k


scripted = torch.jit.script(Net())
"""
# What the constructor does, after which the module has the attribute `k`.
BODIES = {
    "the items of dict(name=value)": "for n, v in dict(k=torch.ones(3)).items():\n    self.register_buffer(n, v)",
    "a method in a variable": "build = self._whole\nbuild()",
    "one of several methods": "for build in (self._whole,):\n    build()",
    "a method in a dictionary": "{'whole': self._whole}['whole']()",
    "a method by its name": "getattr(self, '_whole')()",
    "a method by a computed name": "getattr(self, f'_{kind}')()",
    "a method that is mapped": "list(map(partial(self._set, 'k'), [3]))",
    "the method of another class": "type(self)._whole(self)",
    "register_buffer in a variable": "add = self.register_buffer\nadd('k', torch.ones(3))",
    "register_buffer by its name": "getattr(self, 'register_buffer')('k', torch.ones(3))",
    "a part of register_buffer": "add = partial(self.register_buffer, persistent=True)\nadd('k', torch.ones(3))",
    "a lambda": "add = lambda n, v: self.register_buffer(n, v)\nadd('k', torch.ones(3))",
    "a lambda that sets it": "self.k = None\nset_to = lambda v: setattr(self, 'k', v)\nset_to(3)",
    "a nested function": "self.k = None\ndef set_to(v):\n    self.k = v\nset_to(3)",
    "a nested function that is mapped": "def set_to(v):\n    self.k = v\nlist(map(set_to, [3]))",
    "a method of another object": "Helper().fill(self)",
    "the constructor of another object": "Helper(self)",
    "Module.register_buffer": "nn.Module.register_buffer(self, 'k', torch.ones(3))",
    "super().__setattr__": "super().__setattr__('k', 3)",
    "object.__setattr__": "object.__setattr__(self, 'k', 3)",
    "__dict__": "self.__dict__['k'] = 3",
    "_buffers": "self._buffers['k'] = torch.ones(3)",
    "match": "match kind:\n    case 'whole':\n        self.k = 3\n    case _:\n        self.k = 4",
    "a computed name": "self.k = None\nfor n, v in [*{'k': 3}.items()]:\n    setattr(self, n, v)",
    "keywords": "self.k = None\nself._update(k=3)",
    "the items of a dictionary": "self.k = None\nself.__dict__.update(k=3)",
    "an exception": "try:\n    self.k = missing\nexcept NameError:\n    self._whole()",
    "else after try": "try:\n    pass\nexcept NameError:\n    pass\nelse:\n    self.k = 3",
    "else after while": "while not kind:\n    pass\nelse:\n    self.k = 3",
    "else after for": "for each in kind.split():\n    pass\nelse:\n    self.k = 3",
    "a suppressed exception": "with contextlib.suppress(ValueError):\n    raise ValueError\nself.k = 3",
    ":=": "if (n := 4) > 3:\n    self.k = n",
}


@pytest.mark.parametrize("name", BODIES)
def test_a_constructor_may_set_an_attribute_in_other_code(name: str) -> None:
    agree("", HEAD + NET.format(body="\n".join("        " + line for line in BODIES[name].split("\n"))))


BUILT = """        self.k = None

    @classmethod
    def build(cls):
        made = cls('whole')
        made.k = 3
        return made"""
WHOLE = {
    "a decorator of the constructor": ("    def __init__", "    @adding\n    def __init__"),
    "a decorator of the class": ("class Net", "@extended\nclass Net"),
    "a metaclass": ("(nn.Module)", "(nn.Module, metaclass=Meta)"),
    "a value that other code sets": ("        pass", BUILT),
    "a method added later": ("\nscripted", "def k(self):\n    return 3\n\n\nNet.k = k\nscripted"),
}


@pytest.mark.parametrize("name", WHOLE)
def test_an_attribute_may_be_added_from_outside(name: str) -> None:
    old, new = WHOLE[name]
    net = NET.format(body="        pass").replace(old, new)
    net = net.replace("x * self.k", "x * self.k()") if "added" in name else net
    if new is BUILT:  # a class that needs an argument: the tests compile all others as their constructors leave them
        net = net.replace("Net())", "Net.build())").replace('kind="whole"', "kind")
    agree("", HEAD + net)


# Code that gets the instance, or a function, and certainly sets no attribute.
HARMLESS = {
    "a check of its type": "assert isinstance(self, nn.Module)",
    "the constructor of the base class": "nn.Module.__init__(self)",
    "a lambda that builds layers": "make = lambda n: nn.Linear(n, n)\nself.layer = make(3)",
    "a function that only reads": "def size():\n    return self.training\nsize()",
    "a function for all layers": "self.apply(lambda layer: layer.train())",
    "an attribute by a name like no method": "self.layer1 = 3\nfor i in (1,):\n    getattr(self, f'layer{i}')",
}


@pytest.mark.parametrize("name", HARMLESS)
def test_other_code_may_leave_the_instance_as_it_is(name: str) -> None:
    agree("missing-attribute", NET.format(body="\n".join("        " + line for line in HARMLESS[name].split("\n"))))


def test_a_decorator_that_sets_nothing_changes_nothing() -> None:
    text = "def register(cls):\n    return cls\n\n\n" + NET.format(body="        pass")
    assert [event.kind for event in events(text.replace("class Net", "@register\nclass Net"))] == ["missing-attribute"]


RECORDING = """
def recording(init):
    def wrapper(self, *args):
        init(self, *args)
        {does}
        setattr(wrapper, "known", args)

    return wrapper


class Net(nn.Module):
    @recording
    def __init__(self, wide):
        super().__init__()
        if wide:
            self.layer = nn.Linear(3, 3)

    def forward(self, x: Tensor):
        return self.layer(x)


scripted = torch.jit.script(Net(False))
"""


@pytest.mark.parametrize(
    ("does", "kind"),
    [
        ("self.given = args", "missing-attribute"),
        ("self.layer = nn.ReLU()", ""),
        ("self.add_module('layer', nn.ReLU())", ""),
        ("self.register_module(min(['layer']), nn.ReLU())", ""),
        ("setattr(self, min(['layer']), nn.ReLU())", ""),
        ("self._modules['layer'] = nn.ReLU()", ""),
        ("self._modules.update(layer=nn.ReLU())", ""),
    ],
)
def test_a_decorator_sets_what_its_text_names(does: str, kind: str) -> None:
    agree(kind, RECORDING.format(does=does))


FILLED = """
class Net(nn.Module):
    def __init__(self, kind):
        super().__init__()
        self.act = None

    def forward(self, x: Tensor):
        return self.act(x)


def filled(net, names):
    {loop}:
        setattr(net, {name}, nn.ReLU())
    return net


scripted = torch.jit.script(filled(Net("whole"), ["act"]))
"""
IN_NAMES, AMONG_CHILDREN = "for name in names", "for name, child in net.named_children()"


@pytest.mark.parametrize(
    ("loop", "name", "kind"),
    [
        (IN_NAMES, "name", ""),
        (IN_NAMES, 'f"a{name[1:]}"', ""),
        (IN_NAMES, 'f"layer{name}"', "not-callable"),
        (AMONG_CHILDREN, "name", "not-callable"),
    ],
)
def test_other_code_may_fill_an_attribute_by_a_computed_name(loop: str, name: str, kind: str) -> None:
    agree(kind, FILLED.format(loop=loop, name=name))
