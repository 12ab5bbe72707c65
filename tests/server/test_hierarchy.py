"""Tests that the call hierarchy follows only compiled functions, across files, submodules and methods."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from tests.server.client import Client, Message, area

FILES = {
    "net.py": """\
import torch
from torch import nn
from utils import scale


class Block(nn.Module):
    def forward(self, x):
        é = "😋"; x = scale(x); x = scale(x)
        return x


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.block = Block()

    def forward(self, x):
        return self.twice(self.block(x))

    @torch.jit.export
    def twice(self, x):
        return x * 2

    def plain(self, x):
        return scale(x)
""",
    "utils.py": """\
def scale(x):
    return shift(x) * 2


def shift(x):
    return x + 1


def idle(x):
    return shift(x)
""",
}


@pytest.fixture
def client(folder: Callable[[Mapping[str, str]], Path], connect: Callable[..., Client]) -> Client:
    client = connect(folder(FILES))
    for name, text in FILES.items():
        client.open(name, text)
    return client


def at(name: str, text: str, row: int = 0) -> Message:
    """Return the position of a text, in UTF-32 as the client of the tests requires."""
    for number, line in enumerate(FILES[name].splitlines()):
        if number >= row and text in line:
            return {"line": number, "character": line.index(text)}
    raise AssertionError(text)


def prepare(client: Client, name: str, text: str, row: int = 0) -> list[Message]:
    params = {"textDocument": {"uri": client.uri(name)}, "position": at(name, text, row)}
    found: list[Message] = client.request("textDocument/prepareCallHierarchy", params)["result"]
    return found


def around(client: Client, item: Message) -> tuple[list[str], list[str]]:
    """Return the names of the callers and of the callees."""
    incoming = client.request("callHierarchy/incomingCalls", {"item": item})["result"]
    outgoing = client.request("callHierarchy/outgoingCalls", {"item": item})["result"]
    return [each["from"]["name"] for each in incoming], [each["to"]["name"] for each in outgoing]


@pytest.mark.parametrize(
    ("name", "text", "row", "item", "callers", "callees"),
    [
        ("net.py", "def forward", 5, "Block.forward", ["Net.forward"], ["scale"]),
        ("net.py", "scale(x);", 0, "scale", ["Block.forward"], ["shift"]),
        ("net.py", "def forward", 9, "Net.forward", [], ["Block.forward", "Net.twice"]),
        ("net.py", "self.block(x)", 0, "Block.forward", ["Net.forward"], ["scale"]),
        ("net.py", "twice(self.", 0, "Net.twice", ["Net.forward"], []),
        ("net.py", "@torch.jit.export", 0, "Net.twice", ["Net.forward"], []),
        ("utils.py", "def scale", 0, "scale", ["Block.forward"], ["shift"]),
        ("utils.py", "x + 1", 0, "shift", ["scale"], []),
    ],
)
def test_the_callers_and_callees_of_a_function(
    client: Client, name: str, text: str, row: int, item: str, callers: list[str], callees: list[str]
) -> None:
    (found,) = prepare(client, name, text, row)
    assert (found["name"], *around(client, found)) == (item, callers, callees)


@pytest.mark.parametrize(
    ("name", "text"), [("net.py", "import torch"), ("net.py", "def plain"), ("utils.py", "def idle")]
)
def test_code_that_is_not_compiled_has_no_hierarchy(client: Client, name: str, text: str) -> None:
    assert prepare(client, name, text) == []


def test_an_item_names_the_places_of_its_definition_and_calls(client: Client) -> None:
    (item,) = prepare(client, "utils.py", "def scale")
    assert item["uri"] == client.uri("utils.py")
    assert (item["kind"], item["detail"]) == (12, "utils.py")
    assert (item["range"], item["selectionRange"]) == (area(0, 0, 1, 23), area(0, 4, 0, 9))
    (call,) = client.request("callHierarchy/incomingCalls", {"item": item})["result"]
    assert (call["from"]["uri"], call["from"]["detail"]) == (client.uri("net.py"), "net.py")
    assert call["fromRanges"] == [area(7, 21, 7, 26), area(7, 35, 7, 40)]


def test_a_file_that_is_not_open_is_read(client: Client) -> None:
    client.close_text(client.uri("utils.py"))
    (item,) = prepare(client, "net.py", "scale(x);")
    assert around(client, item) == (["Block.forward"], ["shift"])


def test_unsaved_text_counts(client: Client) -> None:
    client.change(client.uri("utils.py"), {"text": FILES["utils.py"].replace("shift(x) * 2", "x * 2")})
    (item,) = prepare(client, "utils.py", "def scale")
    assert around(client, item) == (["Block.forward"], [])
