"""Tests ``tslint annotate`` from the user's side: targets, streams, exit status, and unchanged files."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from tslint.cli import cli

INPUTS = "torch.rand(2, 3)"


def annotate(*arguments: str) -> Result:
    return CliRunner().invoke(cli, ["annotate", "--isolated", *arguments])


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def write(name: str, text: str) -> Path:
    path = Path(name)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(text.encode())
    return path


NET = """\
import torch
from torch import nn


class Net(nn.Module):
    def scaled(self, x, by):
        return x * by

    def forward(self, x):
        print("from the model")
        return self.scaled(x, 2)
"""


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([], "pass a TARGET, such as pkg.net:Net or net.py:Net; none is configured"),
        (["net.py"], "net.py: 'net.py' is not of the form path.py:attr"),
        (["nett.py:Net"], "nett.py:Net: no such file: nett.py"),
        (["net.py:Nett"], "did you mean 'Net'?"),
        (["net.py:Net"], "net.py:Net: no inputs; give them with --inputs"),
        (["net.py:Net", "--inputs", "torch.rand("], "is not a Python expression"),
        (["net.py:Net", "--inputs", "None"], "net.py:Net: forward raised"),
        (["net.py:Net", "--write", "--diff"], "--write and --diff cannot be used together"),
        (["net.py:Net", "--timeout", "0.1", "--inputs", "__import__('time').sleep(9)"], "did not finish within 0.1 s"),
        (["net.py:Net", "--inputs", "__import__('os')._exit(3)"], "net.py:Net: the process exited with status 3"),
    ],
)
def test_bad_input_is_one_line(arguments: list[str], message: str) -> None:
    write("net.py", NET)
    result = annotate(*arguments)
    assert result.exit_code == 2
    errors = [line for line in result.stderr.splitlines() if line.startswith("error: ")]
    assert len(errors) == 1
    assert message in errors[0]
    assert not result.stdout
    assert Path("net.py").read_text() == NET


def test_stdout_only_holds_the_table() -> None:
    write("net.py", NET)
    result = annotate("net.py:Net", "--inputs", INPUTS)
    assert result.stdout == "net.py:6:25  Net.scaled(by)  int  seen 1×\n"
    assert result.stderr == "Would add 1 annotation in 1 file; --write adds them.\n"
    assert result.exit_code == 1


def test_other_targets_are_observed_after_one_that_fails() -> None:
    write("net.py", NET)
    result = annotate("net.py:Missing", "net.py:Net", "--inputs", INPUTS, "--write")
    assert result.exit_code == 2
    assert "scaled(self, x, by: int)" in Path("net.py").read_text()


def test_annotations_win_and_contradictions_are_findings() -> None:
    text = NET.replace("x, by)", "x, by: str)").replace("return x * by", "best: int = 1\n        return x * by")
    path = write("net.py", text)
    result = annotate("net.py:Net", "--inputs", INPUTS, "--write")
    assert result.stdout == (
        "net.py:6:25: Net.scaled(by): annotated `str`, but int was seen (seen 1×)\n"
    )  # fmt: skip
    assert result.exit_code == 1
    assert path.read_text() == text


QUIET = """\
from __future__ import annotations
from typing import List, Optional, Tuple
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.later = None
        self.never = None
        self.layer = None
        self.layer = nn.ReLU()

    def annotated(self, x: torch.Tensor, by: float, sizes: List[int], pair: Tuple[int, int], m: Optional[int] = None):
        return x * by

    def commented(self, x, by):
        # type: (Tensor, int) -> Tensor
        return x * by

    def tensors(self, x, mask=None):
        if mask:
            x = x + 1
        found = []
        found.append(x)
        by_name = {}
        by_name["a"] = x
        return found

    def taken(self, x, layer, numbers):
        return layer(x)

    def forward(self, x):
        self.later = 1
        self.tensors(x)
        self.taken(x, self.layer, {1, 2})
        return self.annotated(x, 2, x.shape, (1, 2)) + self.commented(x, 2)
"""


def test_types_that_cannot_be_annotated_are_noted() -> None:
    write("net.py", QUIET)
    result = annotate("net.py:Net", "--inputs", INPUTS)
    assert not result.stdout
    assert result.exit_code == 0
    notes = [line for line in result.stderr.splitlines() if "not added: " in line]
    assert [note.partition("not added: ")[2] for note in notes] == [
        "Net.later: Optional[int] was seen, but with `from __future__ import annotations` the compiler cannot read "
        "annotations of attributes",
        "Net.tensors(mask): an Optional has no truth value; write `mask is not None` where it is tested first",
        "Net.taken(layer): the value is a module",
        "Net.taken(numbers): the value is set, which has no type in TorchScript",
    ]


def test_all_other_bytes_stay() -> None:
    text = "\ufeff" + NET.replace("x * by", "x * by  # é").replace("\n", "\r\n") + "\t\r\n#  end"
    path = write("net.py", text)
    assert annotate("net.py:Net", "--inputs", INPUTS, "--write").exit_code == 0
    assert path.read_bytes().decode() == text.replace("x, by)", "x, by: int)")


@pytest.mark.parametrize(
    ("imports", "line", "written"),
    [
        ("import torch", "import torch", "List[int]"),
        ("import typing\nimport torch", "import typing", "typing.List[int]"),
        ("import typing as t\nimport torch", "import typing as t", "t.List[int]"),
        ("from typing import (\n    Any,\n    Tuple,\n)\nimport torch", "Any,\n    List,\n    Tuple,\n)", "List[int]"),
        ("from typing import *\nimport torch", "from typing import *", "List[int]"),
        ("import torch\nKNOWN: dict[str, int] = {}", "import torch", "list[int]"),
        ("import torch\nList = 3", "import typing\nimport torch", "typing.List[int]"),
    ],
)
def test_types_are_written_in_the_style_of_the_file(imports: str, line: str, written: str) -> None:
    text = NET.replace("import torch\n", imports + "\n", 1).replace("(x, 2)", "(x, [2])").replace("x * by", "x * by[0]")
    path = write("net.py", text)
    assert annotate("net.py:Net", "--inputs", INPUTS, "--write").exit_code == 0
    text = path.read_text()
    assert f"scaled(self, x, by: {written})" in text
    assert line in text
    compile(text, "net.py", "exec")


DRIVER = """\
import sys, types

def case(index):
    path = {path!r}
    module = types.ModuleType("corpus")
    module.__file__ = path
    sys.modules["corpus"] = module
    exec(compile(open(path, encoding="utf-8").read(), path, "exec"), vars(module))
    import torch
    return module.Net(), [(torch.rand(2, 3),), (torch.rand(3, 2),)][index]

def case0():
    return case(0)

def case1():
    return case(1)
"""


def test_files_are_found_by_what_their_code_says(tmp_path: Path) -> None:
    path = write("corpus/net.py", NET.replace("(x, 2)", "(x, 2 if x.size(0) == 2 else 0.5)")).resolve()
    write("corpus/drive.py", DRIVER.format(path=str(path)))
    result = annotate("--write", "corpus/drive.py:case0", "corpus/drive.py:case1")
    assert result.exit_code == 0, result.stderr
    assert result.stderr.endswith("Added 1 annotation in 1 file.\n")
    assert "by: float" in path.read_text()


def test_files_of_installed_packages_are_left_alone(tmp_path: Path) -> None:
    write("lib/site-packages/other.py", "def scaled(x, by):\n    return x * by\n")
    imports = "import sys\nsys.path.insert(0, 'lib/site-packages')\nfrom other import scaled\n"
    write("net.py", imports + NET.replace("self.scaled(x, 2)", "scaled(x, 2)"))
    result = annotate("net.py:Net", "--inputs", INPUTS)
    assert (result.stdout, result.exit_code) == ("", 0)
    assert result.stderr.endswith("Nothing to annotate.\n")


def test_a_file_that_changes_meanwhile_is_left_alone() -> None:
    changing = "open(__file__, 'a').write('# more\\n'); return self.scaled(x, 2)"
    path = write("net.py", NET.replace("return self.scaled(x, 2)", changing))
    result = annotate("net.py:Net", "--inputs", INPUTS, "--write")
    assert result.exit_code == 2
    assert "net.py: not annotated: the file has changed; run tslint again" in result.stderr
    assert "by: int" not in path.read_text()


ONLY_NONE = """\
import torch


class Net(torch.nn.Module):
    def forward(self, x, mask=None, options=None, hook=None, mode=None, unused=None):
        if mask is not None:
            x = x.masked_fill(mask, 0.0)
        if options is not None:
            x = x * options["scale"]
        if hook is not None:
            x = hook(x)
        if mode is not None and mode == "double":
            x = x * 2
        return x
"""


@pytest.mark.parametrize("option", ["--write", "--diff", None])
def test_a_second_set_of_inputs_is_requested_if_only_none_was_seen(option: str | None) -> None:
    path = write("net.py", ONLY_NONE)
    result = annotate("net.py:Net", "--inputs", INPUTS, *([option] if option else []))
    names = ", ".join(f"Net.forward({name})" for name in ("mask", "options", "hook", "mode", "unused"))
    said = f"note: net.py: only None was seen for {names}; pass a second --inputs with a value\n"
    assert result.stderr.count("only None was seen") == 1
    assert said in result.stderr
    if option == "--write":
        # The body uses only the mask as a Tensor.
        written = " ".join(path.read_text().split())
        assert "mask: Optional[torch.Tensor] = None, options=None, hook=None, mode=None, unused=None" in written
    else:
        assert "forward(mask)" in result.stdout
        assert "only None was seen, and the body uses it as a Tensor" in result.stdout
        assert "forward(unused)" not in result.stdout


def test_nothing_is_written_if_only_none_was_seen_and_nothing_uses_it() -> None:
    text = "import torch\n\n\nclass Net(torch.nn.Module):\n    def forward(self, x, mask=None):\n        return x\n"
    path = write("net.py", text)
    result = annotate("net.py:Net", "--inputs", INPUTS, "--write")
    assert (path.read_text(), result.exit_code) == (text, 0)
    assert "only None was seen for Net.forward(mask); pass a second --inputs" in result.stderr


def test_a_second_set_of_inputs_gives_the_types() -> None:
    path = write("net.py", ONLY_NONE)
    second = "torch.rand(2), torch.ones(2, dtype=torch.bool), {'scale': torch.rand(2)}, None, 'double'"
    assert annotate("net.py:Net", "--inputs", INPUTS, "--inputs", second, "--write").exit_code == 0
    written = " ".join(path.read_text().split())
    assert "options: Optional[Dict[str, torch.Tensor]]" in written
    assert "mode: Optional[str]" in written


LONG = """\
import torch


class Net(torch.nn.Module):
    class Inner(torch.nn.Module):
        def forward(self, x, the_sizes=(1, 2), factor=1.0, names=None, offset_of_all=3, k=2):
            return x * factor + offset_of_all

    def __init__(self):
        super().__init__()
        self.inner = self.Inner()
        self.text = "a text that was too long for the configured length before, and that nothing changes now"

    def in_rows(
        self, x, sizes_of_the_layers, factor=1.0, names=None, offset_of_all=3, k=2
    ):
        return x * factor + offset_of_all

    def in_one(self, x, sizes_of_the_layers, factor=1.0, names=None, offset=3, k=2):
        return x * factor + offset

    def each(
        self,
        x,
        sizes,
    ):
        return x

    def short(self, x, k):
        return x * k

    def forward(self, x):
        y = self.inner(x, (2, 3), 2.0, ["a"], 4)
        y = self.in_rows(y, (2, 3), 2.0, ["a"], 4) + self.in_one(y, (2, 3), 2.0, ["a"], 4)
        return self.short(self.each(y, [1]), 2)
"""


@pytest.mark.parametrize(
    "configuration",
    ["[tool.ruff]\nline-length = 88\n", "[tool.black]\n", ""],
    ids=["ruff", "black", "default"],
)
def test_signatures_that_no_longer_fit_are_broken(configuration: str) -> None:
    if configuration:
        write("pyproject.toml", configuration)
    path = write("net.py", LONG)
    annotate("net.py:Net", "--inputs", INPUTS, "--write")
    after = path.read_text()
    unchanged = [line for line in LONG.splitlines() if len(line) > 88 and "def " not in line]
    assert [line for line in after.splitlines() if len(line) > (88 if configuration else 110)] == (
        unchanged if configuration else []
    )
    assert all(line in after for line in unchanged)
    rows = "self,{0}x,{0}sizes_of_the_layers: Tuple[int, int],{0}factor: float = 1.0,{0}names: Optional[List[str]] = "
    rows = rows.format("\n        ")
    assert f"    def in_rows(\n        {rows}" in after
    assert f"    def in_one(\n        {rows}" in after
    assert "        def forward(\n            self,\n            x,\n            the_sizes: Tuple[int, int] = " in after
    assert "    def short(self, x, k: int):\n" in after
    assert "        x,\n        sizes: List[int],\n    ):\n" in after


def test_lines_end_as_before_in_signatures_that_are_broken() -> None:
    path = write("net.py", LONG.replace("\n", "\r\n"))
    annotate("net.py:Net", "--inputs", INPUTS, "--write")
    after = path.read_bytes()
    assert after.count(b"\n") == after.count(b"\r\n") > LONG.count("\n")
