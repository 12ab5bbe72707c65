"""Tests fixes, suppressions, pages, types, call paths and commands."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from tests.server.client import RICH, Client, Message, area
from tslint import check
from tslint.server.documents import Document
from tslint.server.positions import Places
from tslint.sources.file import SourceFile

Folder = Callable[[Mapping[str, str]], Path]
Connect = Callable[..., Client]
NET = """\
import torch
from torch import nn
from utils import scale


class Net(nn.Module):
    def forward(self, x, n: int = 2):
        out = []
        with torch.no_grad() as grad:
            x = scale(x)
        out.append(x)
        label = f"{n!r}"
        return out, label
"""
UTILS = "def scale(x):\n    return x * 2\n"
EVERYTHING = area(0, 0, 99, 0)


def applied(text: str, edit: Message, uri: str) -> str:
    """Return a text with a workspace edit applied."""
    changes = edit["changes"][uri] if "changes" in edit else edit["documentChanges"][0]["edits"]
    places = Places(SourceFile(Path("/t.py"), text), "utf-32")
    from lsprotocol import types

    def offset(place: Message) -> int:
        return places.to_offset(types.Position(line=place["line"], character=place["character"]))

    spans = [(offset(e["range"]["start"]), offset(e["range"]["end"]), e["newText"]) for e in changes]
    for start, end, content in sorted(spans, reverse=True):
        text = text[:start] + content + text[end:]
    return text


def test_quick_fixes(folder: Folder, connect: Connect) -> None:
    root = folder({"net.py": NET, "utils.py": UTILS})
    client = connect(root)
    uri = client.open("net.py", NET)
    for found in client.diagnostics(uri):
        for action in client.actions(uri, found["range"], ["quickfix"]):
            (mended,) = action["diagnostics"]
            text = applied(NET, action["edit"], uri)
            assert action["edit"]["documentChanges"][0]["textDocument"]["version"] == 1
            assert action["isPreferred"] == ("unsafe" not in action["title"] and "Suppress" not in action["title"])
            (root / "net.py").write_text(text)
            left = [(each.code, each.message) for each in check(root / "net.py")]
            assert (mended["code"], mended["message"].partition("\n")[0]) not in left
    suppress = [each for each in client.actions(uri, EVERYTHING) if each["title"].startswith("Suppress")]
    assert suppress
    assert "# tslint: ignore[" in applied(NET, suppress[0]["edit"], uri)


def test_a_quick_fix_breaks_the_line_that_it_makes_too_long(folder: Folder, connect: Connect) -> None:
    header = "def scaled(self, x, times, with_a_name_that_is_long, and_another_name_that_is_long):"
    text = f"from torch import nn\n\n\nclass Net(nn.Module):\n    {header}\n        return x * times\n"
    text += "\n    def forward(self, x):\n        return self.scaled(x, 2, x, x)\n"
    client = connect(folder({"net.py": text}))
    uri = client.open("net.py", text)
    (action,) = [each for each in client.actions(uri, EVERYTHING, ["quickfix"]) if "Suppress" not in each["title"]]
    inside = "        self, x, times: int, with_a_name_that_is_long, and_another_name_that_is_long\n"
    assert f"    def scaled(\n{inside}    ):\n        return x" in applied(text, action["edit"], uri)


def test_unsafe_fixes_are_not_offered_if_they_are_switched_off(folder: Folder, connect: Connect) -> None:
    client = connect(folder({"utils.py": UTILS}), RICH, {"settings": {"unsafeFixes": False}})
    uri = client.open("net.py", NET.replace("{n!r}", "{x:.{x}}"))
    assert client.diagnostics(uri)
    assert not [each for each in client.actions(uri, EVERYTHING) if "(unsafe" in each["title"]]


@pytest.mark.parametrize("ends", ["\n", "\r\n"])
@pytest.mark.parametrize("capabilities", [RICH, {"general": {"positionEncodings": ["utf-32"]}}])
def test_fix_all(folder: Folder, connect: Connect, capabilities: Message, ends: str) -> None:
    example = (Path(__file__).parents[2] / "examples/speech/before.py").read_text().replace("\n", ends)
    root = folder({"speech.py": example})
    client = connect(root, capabilities)
    uri = client.open("speech.py", example)
    (action,) = client.actions(uri, EVERYTHING, ["source.fixAll"])
    assert action["kind"] == "source.fixAll.tslint"
    if "edit" not in action:
        action = client.request("codeAction/resolve", action)["result"]
    from click.testing import CliRunner

    from tslint.cli import cli

    CliRunner().invoke(cli, ["check", "--fix", "--exit-zero", str(root)])
    expected = (root / "speech.py").read_bytes().decode()
    assert applied(example, action["edit"], uri) == expected != example
    # In a menu the action is a command, which makes the client apply the edit.
    (action,) = [each for each in client.actions(uri, EVERYTHING) if each["kind"] == "source.fixAll.tslint"]
    client.answers["workspace/applyEdit"] = {"applied": True}
    client.request("workspace/executeCommand", {key: action["command"][key] for key in ("command", "arguments")})
    (asked,) = [each for each in client.requests if each["method"] == "workspace/applyEdit"]
    assert applied(example, asked["params"]["edit"], uri) == expected


def test_nothing_to_fix(folder: Folder, connect: Connect) -> None:
    client = connect(folder({}))
    uri = client.open("utils.py", UTILS)
    assert client.actions(uri, EVERYTHING, ["source.fixAll"]) == []
    assert client.actions(uri, EVERYTHING, ["refactor"]) == []
    assert client.actions(client.uri("other.py"), EVERYTHING) == []


def test_hover_shows_the_rules_page(folder: Folder, connect: Connect) -> None:
    client = connect(folder({"utils.py": UTILS}))
    text = NET.replace("return out, label", "yield x  # tslint: ignore[TS101]")
    uri = client.open("net.py", text)
    (found,) = [each for each in client.diagnostics(uri) if each["code"] == "TS109"]
    at = {"textDocument": {"uri": uri}, "position": found["range"]["start"]}
    hover = client.request("textDocument/hover", at)["result"]
    assert hover["contents"]["kind"] == "markdown"
    assert "TS109" in hover["contents"]["value"] and "\n#### Use instead" in hover["contents"]["value"]
    row = found["range"]["start"]["line"]
    at["position"] = {"line": row, "character": text.splitlines()[row].index("TS101") + 2}
    assert "TS101" in client.request("textDocument/hover", at)["result"]["contents"]["value"]
    at["position"] = {"line": 0, "character": 0}
    assert client.request("textDocument/hover", at)["result"] is None


def test_inlay_hints_show_inferred_types(folder: Folder, connect: Connect) -> None:
    client = connect(folder({"utils.py": UTILS}))
    uri = client.open("net.py", NET)
    params = {"textDocument": {"uri": uri}, "range": EVERYTHING}
    hints = client.request("textDocument/inlayHint", params)["result"]
    lines = NET.splitlines()
    shown = [lines[h["position"]["line"]][: h["position"]["character"]].split()[-1] + h["label"] for h in hints]
    assert shown == ["x: Tensor", "out: List[Tensor]"]
    params["range"] = area(0, 0, 2, 0)
    assert client.request("textDocument/inlayHint", params)["result"] == []


def test_a_lens_shows_what_compiles_a_function(folder: Folder, connect: Connect) -> None:
    root = folder({"net.py": NET, "utils.py": UTILS})
    capabilities = RICH | {"window": {"showDocument": {"support": True}}}
    client = connect(root, capabilities)
    client.open("net.py", NET)
    uri = client.open("utils.py", UTILS)
    lenses = client.request("textDocument/codeLens", {"textDocument": {"uri": uri}})["result"]
    (command,) = [each["command"] for each in lenses]
    assert command["title"] == "compiled via Net.forward"
    client.answers["window/showDocument"] = {"success": True}
    client.request("workspace/executeCommand", {key: command[key] for key in ("command", "arguments")})
    (asked,) = [each for each in client.requests if each["method"] == "window/showDocument"]
    assert asked["params"]["uri"] == client.uri("net.py")
    assert asked["params"]["selection"]["start"] == {"line": 6, "character": 4}
    client.change(uri, {"text": UTILS + "\n\ndef idle(x):\n    return x\n"})
    assert len(client.request("textDocument/codeLens", {"textDocument": {"uri": uri}})["result"]) == 1


def test_hints_and_lenses_can_be_switched_off(folder: Folder, connect: Connect) -> None:
    client = connect(folder({"utils.py": UTILS}), RICH, {"inlayHints": False, "codeLens": False})
    uri = client.open("net.py", NET)
    assert client.request("textDocument/codeLens", {"textDocument": {"uri": uri}})["result"] == []
    params = {"textDocument": {"uri": uri}, "range": EVERYTHING}
    assert client.request("textDocument/inlayHint", params)["result"] == []


def test_verify_reports_a_target_that_cannot_be_verified(folder: Folder, connect: Connect) -> None:
    config = '[targets.net]\ntarget = "net.py:Net"\ninputs = ["torch.rand(2)"]\n'
    client = connect(
        folder({"tslint.toml": config, "net.py": NET, "utils.py": UTILS}), RICH, {"interpreter": "nowhere"}
    )
    uri = client.open("net.py", NET)
    lenses = client.request("textDocument/codeLens", {"textDocument": {"uri": uri}})["result"]
    (command,) = [each["command"] for each in lenses if each["command"]["command"] == "tslint.verify"]
    assert command["title"] == "verify (net)"
    answer = client.request("workspace/executeCommand", {key: command[key] for key in ("command", "arguments")})
    assert answer["result"]["passed"] is False
    assert client.shown[-1]["message"] == "tslint verify: net could not be verified: nowhere: No such file or directory"


@pytest.mark.slow
def test_verify_runs_the_pipeline(folder: Folder, connect: Connect) -> None:
    config = '[targets.net]\ntarget = "net.py:Net"\ninputs = ["torch.rand(2)"]\n'
    text = "from torch import nn\n\n\nclass Net(nn.Module):\n    def forward(self, x):\n        return x + 1\n"
    client = connect(folder({"tslint.toml": config, "net.py": text}))
    uri = client.open("net.py", text)
    client.diagnostics(uri)
    client.request("workspace/executeCommand", {"command": "tslint.verify", "arguments": ["net", uri]})
    assert client.shown[-1]["type"] == 3
    assert client.shown[-1]["message"].startswith("tslint verify: net passes: import, build, eager, script")


def test_positions_beyond_the_text_are_clamped() -> None:
    from lsprotocol import types

    places = Places(SourceFile(Path("/t.py"), "a😋b\r\nc"), "utf-16")
    at = [places.to_offset(types.Position(line=row, character=column)) for row, column in
          [(0, 0), (0, 1), (0, 2), (0, 3), (0, 4), (0, 99), (1, 0), (1, 99), (9, 0)]]  # fmt: skip
    assert at == [0, 1, 1, 2, 3, 3, 5, 6, 6]
    assert Document("u", 1, places.source, 1).path == Path("/t.py")
