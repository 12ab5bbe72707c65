"""Tests docs/editors.md: its machine-readable parts are valid, and every setting of the server is listed."""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path

from tslint.server.options import Options, parse_options

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

PAGE = (Path(__file__).parents[2] / "docs/editors.md").read_text(encoding="utf-8")
_BLOCK = re.compile(r"^```(\w+)[^\n]*\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def block(language: str) -> str:
    (found,) = [text for each, text in _BLOCK.findall(PAGE) if each == language]
    return str(found)


def test_blocks_can_be_read() -> None:
    assert tomllib.loads(block("toml"))["language-server"]["tslint"]["args"] == ["server"]
    assert json.loads(block("json"))["lsp"]["pylsp"]["binary"]["path"] == "tslint"
    for text in [text for each, text in _BLOCK.findall(PAGE) if each == "elisp"]:
        assert text.count("(") == text.count(")") and '"tslint" "server"' in text


def test_every_setting_is_on_the_page() -> None:
    table = PAGE.partition("## Settings")[2].partition("## When")[0]
    named = re.findall(r"`(\w+)`", "\n".join(line.split("|")[1] for line in table.splitlines() if "|" in line))
    examples = {
        "enable": False, "run": "onSave", "configuration": "x.toml", "unsafeFixes": False, "inlayHints": False,
        "codeLens": False, "interpreter": "python3", "select": ["TS1"], "ignore": [], "exclude": [],
        "extendExclude": [], "targetTorch": "2.4", "entryPoints": ["net:Net"], "perFileIgnores": {}, "mode": "script",
        "baseline": "known.json",
    }  # fmt: skip
    assert set(named) == set(examples)
    options, problems = parse_options(examples)
    assert problems == []
    assert [name for name, value in vars(options).items() if value == getattr(Options(), name)] == []
    assert len(options.over) == 9
    assert parse_options({"settings": examples})[0] == parse_options({"tslint": examples})[0] == options
