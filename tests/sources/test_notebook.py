"""Tests notebooks: cells become one module, and changes in it only change the cells."""

from __future__ import annotations

import ast
import json
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

from tslint.cli import cli
from tslint.diagnostics import Position
from tslint.sources import reading
from tslint.sources.file import UnreadableSource
from tslint.sources.magics import hidden, shown
from tslint.sources.notebook import Notebook

HERE = Path("net.ipynb")
TAG = "~tslint~"


def notebook(cells: Sequence[tuple[str, str]], **layout: Any) -> bytes:
    found: list[dict[str, Any]] = []
    for kind, source in cells:
        cell: dict[str, Any] = {"cell_type": kind, "metadata": {}, "source": source.splitlines(True)}
        if kind == "code":
            cell |= {"execution_count": None, "outputs": [{"output_type": "stream", "text": ["é ]}\u2028\n"]}]}
        found.append(cell)
    whole = {"cells": found, "metadata": {"language_info": {"name": "python"}}, "nbformat": 4, "nbformat_minor": 5}
    return (json.dumps(whole, **{"indent": 1, "ensure_ascii": False, **layout}) + "\n").encode()


def read(data: bytes) -> Notebook:
    source = reading.decode(HERE, data)
    assert isinstance(source, Notebook)
    return source


CELLS = (
    ("markdown", "# Nets\n\nbad"),
    ("code", "%matplotlib inline\nimport torch\n!pip install \\\n  torch\nfiles = !ls\ntorch.jit?"),
    ("code", "%%bash\nbad"),
    ("code", "%%time\nx = '''\n!bad\n%bad\n'''\ny = (1\n  % 2)\nx?\n"),
    ("raw", "bad"),
    ("code", ""),
    ("code", "z = bad"),
)
LAYOUTS: list[dict[str, Any]] = [
    {}, {"indent": None}, {"indent": None, "separators": (",", ":")}, {"indent": "\t"}, {"ensure_ascii": True},
]  # fmt: skip
CODE = st.lists(
    st.sampled_from(
        ["\n", "\n", "\r\n", "\\", "x = ", "a", "!ls", "%time ", "?", "'", '"""', "(", "]", "#", " ", "é", "%%sh"]
    ),
    max_size=14,
).map("".join)  # fmt: skip


@pytest.mark.parametrize("layout", LAYOUTS)
def test_what_is_not_changed_keeps_every_byte(layout: dict[str, Any]) -> None:
    data = notebook(CELLS, **layout)
    source = read(data)
    assert source.encode() == data
    assert source.encode(source.text) == data
    ast.parse(source.text)


@pytest.mark.parametrize("layout", LAYOUTS)
def test_a_change_changes_its_cell_and_nothing_else(layout: dict[str, Any]) -> None:
    source = read(notebook(CELLS, **layout))
    changed = replace(source, text=source.text.replace("z = bad", "z = good\nmore()"))
    cells = [*CELLS[:-1], ("code", "z = good\nmore()")]
    assert changed.encode() == notebook(cells, **layout)
    assert source.encode(changed.text) == changed.encode()


def test_cells_are_found_by_number_as_ruff_counts_them() -> None:
    source = read(notebook(CELLS))
    row = next(row for row, line in enumerate(source.lines, 1) if line == "z = bad")
    assert source.in_cell(Position(row, 5)) == (7, Position(1, 5))
    assert source.raw.split("\n")[source.row_in_file(row) - 1].strip() == '"z = bad"'
    assert [number for number, _ in source.codes()] == [2, 4, 6, 7]
    assert dict(source.codes())[4].text == CELLS[3][1]


def test_magics_are_hidden_and_brought_back() -> None:
    cell = hidden(CELLS[1][1], TAG)
    names = {node.id for node in ast.walk(ast.parse(cell)) if isinstance(node, ast.Name)}
    assert names == {"files", "get_ipython"}
    assert shown(cell, TAG) == CELLS[1][1]


def test_strings_and_brackets_hold_no_magics() -> None:
    cell = CELLS[3][1]
    tree = ast.parse(hidden(cell, TAG))
    values = [node.value for node in ast.walk(tree) if isinstance(node, ast.Constant)]
    assert "\n!bad\n%bad\n" in values
    assert any(isinstance(node, ast.BinOp) for node in ast.walk(tree))


@given(CODE)
def test_hiding_magics_can_always_be_undone(cell: str) -> None:
    assert shown(hidden(cell, TAG), TAG) == cell
    assert len(hidden(cell, TAG).splitlines()) == len(cell.splitlines())


@given(st.lists(CODE, min_size=1, max_size=4), st.sampled_from(LAYOUTS), st.booleans())
def test_any_cells_come_back(codes: list[str], layout: dict[str, Any], whole: bool) -> None:
    data = json.loads(notebook([("code", code) for code in codes]))
    if whole:
        for cell in data["cells"]:
            cell["source"] = "".join(cell["source"])
    raw = json.dumps(data, **layout).encode()
    source = read(raw)
    assert source.encode() == raw
    for cell, (_, code) in zip(source.cells, source.codes()):
        assert cell.text == code.text


@given(st.lists(st.sampled_from(["a\n", "b\n", "é\n", "c\u2028", "\x0c\n"]), min_size=1, max_size=6), st.data())
def test_lines_that_stay_keep_their_spelling(lines: list[str], data: st.DataObject) -> None:
    items = ", ".join(json.dumps(line, ensure_ascii=data.draw(st.booleans())) for line in lines)
    raw = f'{{"cells": [{{"source": [ {items}\n], "cell_type": "code"}}]}}'
    source = read(raw.encode())
    at = data.draw(st.integers(0, len(lines)))
    text = "".join([*lines[:at], "new\n", *lines[at:]])
    if text.endswith("\n"):
        changed = json.loads(source.encode(text))
        assert "".join(changed["cells"][0]["source"]) == text
        assert source.encode(source.text) == raw.encode()
        assert source.encode(text).startswith(raw[: raw.index("[ ") + 2].encode())


def test_a_change_that_would_lose_a_cell_or_a_magic_is_refused() -> None:
    source = read(notebook(CELLS))
    for lost in ("~tslint~ cell 7", "~tslint~ files?" if "files?" in source.text else "~tslint~ !ls"):
        with pytest.raises(ValueError, match="would be gone"):
            source.encode(source.text.replace(lost, "lost"))
    empty = read(b'{"cells": []}')
    assert (empty.text, empty.encode()) == ("", b'{"cells": []}')
    with pytest.raises(ValueError, match="without code"):
        empty.encode("import torch\n")


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"", "not the JSON of a notebook"),
        (b"{", "not the JSON of a notebook"),
        (b"[]", "not an object"),
        (b"{} {}", "something follows"),
        (b'{"metadata": {}}', "no `cells`"),
        (b'{"cells": 3}', "no `cells`"),
        (b'{"worksheets": []}', "format 3"),
        (b'{"cells": [{"cell_type": "code", "source": 3}]}', "cell 1 is neither"),
        (b'{"cells": [{"cell_type": "code", "source": [3]}]}', "cell 1 contains something other"),
        (b'{"cells": "\xff"}', "cannot be decoded"),
        (b'{"cells": ' + b"[" * 100_000, "nested too deeply"),
    ],
)
def test_what_is_no_notebook_is_said_in_one_line(data: bytes, words: str) -> None:
    with pytest.raises(UnreadableSource, match=words) as caught:
        reading.decode(HERE, data)
    assert "\n" not in str(caught.value)


def test_other_languages_have_no_cells() -> None:
    for metadata in ({"language_info": {"name": "julia"}}, {"kernelspec": {"language": "R"}}):
        data = json.loads(notebook(CELLS)) | {"metadata": metadata}
        assert read(json.dumps(data).encode()).text == ""
    data = json.loads(notebook([("code", "select *")]))
    data["cells"][0]["metadata"] = {"vscode": {"languageId": "sql"}}
    assert read(json.dumps(data).encode()).text == ""


# The code that a fix writes for `return +x`.
PLUS = "value = x if torch.jit.is_scripting() else operator.pos(x)\n        return value"
NET = """\
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.mods = nn.ModuleList([nn.Linear(3, 3)])

    def forward(self, x, size: int = None):
        for i in range(1):
            x = self.mods[i](x)  # tslint: ignore[TS401]
        return +x, None"""
REAL = (("markdown", "Nets"), ("code", "%pip install torch\nimport torch\nfrom torch import nn"), ("code", NET))


@pytest.fixture
def real(folder: Callable[..., Path]) -> Path:
    return folder({"sub/net.ipynb": notebook(REAL), ".ipynb_checkpoints/net.ipynb": notebook(REAL)}) / "sub/net.ipynb"


def check(*arguments: str) -> str:
    return CliRunner().invoke(cli, ["check", "--isolated", "--no-cache", *arguments]).stdout


def test_findings_name_the_cell(real: Path) -> None:
    lines = check("--output-format", "concise").splitlines()
    assert [line.split(" TS")[0] for line in lines[:-1]] == ["sub/net.ipynb:cell 3:6:5:", "sub/net.ipynb:cell 3:9:16:"]
    assert "9 |         return +x, None\n  |                ^^\n" in check()
    found = json.loads(check("--output-format", "json"))
    assert [each["cell"] for each in found] == [3, 3]
    assert found[0]["location"] == {"row": 6, "column": 5}
    assert {edit["cell"] for edit in found[0]["fix"]["edits"]} == {2, 3}
    assert {step["cell"] for each in found for step in each["compiled_via"]} == {3}


def test_services_that_know_no_cells_get_the_row_of_the_file(real: Path) -> None:
    rows = real.read_text("utf-8").split("\n")
    line = next(row for row, text in enumerate(rows, 1) if "return +x" in text)
    github = check("--output-format", "github")
    assert f"file=sub/net.ipynb,line={line},endLine={line}::sub/net.ipynb:cell 3:9:16: TS122" in github
    gitlab = json.loads(check("--output-format", "gitlab"))[-1]
    assert gitlab["location"]["lines"] == {"begin": line, "end": line}
    assert gitlab["description"].startswith("cell 3:9:16: TS122")
    result = json.loads(check("--output-format", "sarif"))["runs"][0]["results"][-1]
    assert result["locations"][0]["physicalLocation"]["region"] == {"startLine": line, "endLine": line}
    assert "fixes" not in result and result["properties"]["cell"] == 3
    assert "(cell 3:9:16)" in check("--output-format", "junit")


def test_fixes_stay_in_their_cells(real: Path) -> None:
    diff = check("--diff", "--unsafe-fixes")
    assert "--- sub/net.ipynb:cell 2\n" in diff and "--- sub/net.ipynb:cell 3\n" in diff
    assert " %pip install torch\n" in diff
    before = json.loads(real.read_text("utf-8"))
    assert "Fixed 2 findings." in check("--fix", "--unsafe-fixes")
    after = real.read_text("utf-8")
    cells = [
        REAL[0],
        ("code", "%pip install torch\nfrom typing import Optional\nimport torch\nfrom torch import nn"),
        ("code", NET.replace("size: int =", "size: Optional[int] =").replace("return +x", PLUS)),
    ]
    found = json.loads(after)
    assert ["".join(cell["source"]) for cell in found["cells"]][2] == cells[2][1]
    assert "%pip install torch\n" in found["cells"][1]["source"]
    codes = ["".join(cell["source"]) for cell in found["cells"]]
    assert after == notebook([(kind, code) for (kind, _), code in zip(cells, codes)]).decode()
    assert [cell.get("outputs") for cell in found["cells"]] == [cell.get("outputs") for cell in before["cells"]]
    assert check("--unsafe-fixes") == "All checks passed!\n"


def test_a_cell_that_python_cannot_parse_is_one_finding_there(folder: Callable[..., Path]) -> None:
    folder({"net.ipynb": notebook([*REAL, ("code", "x = 1\ndef f():"), ("code", "y = 2")]), "bad.ipynb": b"{"})
    lines = check("--output-format", "concise").splitlines()
    assert lines[0].startswith("bad.ipynb:1:1: TS901 cannot be parsed: not the JSON of a notebook")
    assert lines[1].startswith("net.ipynb:cell 4:2:")
    assert "TS901 cannot be parsed: expected an indented block" in lines[1]


def test_suppressions_can_be_added(real: Path) -> None:
    check("--add-ignore")
    assert check() == "All checks passed!\n"
    cells = json.loads(real.read_text("utf-8"))["cells"]
    assert "        return +x, None  # tslint: ignore[TS122]" in cells[2]["source"]


def test_the_standard_input_can_be_a_notebook() -> None:
    arguments = ["check", "--isolated", "--fix", "--unsafe-fixes", "--stdin-filename", "x.ipynb", "-"]
    result = CliRunner().invoke(cli, arguments, input=notebook(REAL))
    assert f"{PLUS}, None" in "".join(json.loads(result.stdout)["cells"][2]["source"])
