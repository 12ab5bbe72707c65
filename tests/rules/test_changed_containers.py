"""Tests loops over containers of modules that the loop, or code that it calls, may change: they keep their form."""

from __future__ import annotations

import pytest

from tests.fixes.promise import HEAD, check_promise, fixed

NET = """
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.ModuleList([nn.Linear(3, 3) for _ in range(3)])
        self.named = nn.ModuleDict({{"a": nn.Linear(3, 3), "b": nn.Tanh()}})
        self.seen = 0

    @torch.jit.ignore
    def change(self, key: str) -> None:
        {change}

    def forward(self, x):
        {loop}
        return x
"""
NOTHING = "self.seen += 1"

# What `change` does, a loop that calls it, and a line that the fix writes if `change` does not change the container.
LOOPS: dict[str, tuple[str, str, str]] = {
    "keys": (
        "self.named[key] = nn.Identity()",
        "for key in self.named:\n            self.change(key)\n            x = self.named[key](x)",
        "in self.named.items():",
    ),
    "backwards": (
        "del self.layers[-1]",
        "for layer in reversed(self.layers):\n            x = layer(x)\n            self.change('')",
        "for position in range(len(self.layers) - 1, -1, -1):",
    ),
    "a slice": (
        "self.layers.append(nn.Tanh())",
        "for layer in self.layers[:2]:\n            x = layer(x)\n            self.change('')",
        "for i, layer in enumerate(self.layers):",
    ),
    "indices": (
        "self.layers[1] = nn.Tanh()",
        "for i in range(len(self.layers)):\n            self.change('')\n            x = self.layers[i](x)",
        "for layer in self.layers:",
    ),
    "indices, by a name": (
        "getattr(self, 'layers').append(nn.Tanh())",
        "for i in range(len(self.layers)):\n            self.change('')\n            x = self.layers[i](x)",
        "for layer in self.layers:",
    ),
    "indices, of a variable": (
        "layers = self.layers\n        layers.append(nn.Tanh())",
        "for i in range(len(self.layers)):\n            self.change('')\n            x = self.layers[i](x)",
        "for layer in self.layers:",
    ),
    "indices, an item of a variable": (
        "layers, self.seen = self.layers, 0\n        layers[1] = nn.Tanh()",
        "for i in range(len(self.layers)):\n            self.change('')\n            x = self.layers[i](x)",
        "for layer in self.layers:",
    ),
}


@pytest.mark.parametrize("name", LOOPS)
def test_a_container_that_changes_is_walked_as_before(name: str) -> None:
    change, loop, written = LOOPS[name]
    assert written in check_promise(NET.format(change=NOTHING, loop=loop))
    assert written not in fixed(HEAD + NET.format(change=change, loop=loop).lstrip("\n"))[0]


def test_a_property_of_a_subclass_is_not_the_length() -> None:
    after = check_promise(
        """
        class Net(nn.Module):
            def __init__(self):
                super().__init__()
                self.depth = 3
                self.layers = nn.ModuleList([nn.Linear(3, 3) for _ in range(3)])

            def forward(self, x):
                for i in range(self.depth):
                    x = self.layers[i](x)
                return x


        class Short(Net):
            @property
            def depth(self):
                return 2

            @depth.setter
            def depth(self, depth):
                pass
        """,
        ("Net()", "Short()"),
    )
    assert "for layer in self.layers:" not in after
