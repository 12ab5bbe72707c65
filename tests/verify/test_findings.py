"""Tests turning the worker's evidence into findings."""

from __future__ import annotations

from pathlib import Path

import pytest

from tslint.diagnostics import Diagnostic, Position, Severity, Stage
from tslint.verify import findings
from tslint.verify.findings import finding

TEXT = 'no {n}:\n  File "{file}", line 3\n        return f(x)\n               ~ <--- HERE\n'


@pytest.fixture
def net(tmp_path: Path) -> Path:
    file = tmp_path / "net.py"
    file.write_text("class Net:\n    def forward(self, x):\n        return f(x)\n", encoding="utf-8")
    return file


def compiler(text: str, **more: object) -> dict[str, object]:
    return {"kind": "compiler", "stage": "script", "text": text, "error": "RuntimeError", "fallback": None, **more}


def test_the_finding_is_that_of_the_rule_for_the_line(net: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def known(filename: str) -> tuple[Diagnostic, ...]:
        def at(row: int, stage: Stage, code: str) -> Diagnostic:
            place = Position(row, 1)
            return Diagnostic(code, "name", Severity.WARNING, stage, "words", filename, place, place, help="do so")

        return at(2, Stage.SCRIPT, "TS201"), at(3, Stage.TRACE, "TS701"), at(3, Stage.SCRIPT, "TS202")

    monkeypatch.setattr(findings, "static_findings", known)
    found = finding(compiler(TEXT.format(n=1, file=net)), "/torch")
    assert found is not None
    assert (found.code, found.message, found.help, found.compiler) == ("TS202", "words", "do so", "no 1")
    # The compiler has just raised the error, so it is not conditional, and its position is what the compiler
    # underlines.
    assert (found.severity, found.start) == (Severity.ERROR, Position(3, 16))


HEADS = """
from torch import nn

class Heads(nn.Module):
    def __init__(self, kept: list[int], head=None, empty=False):
        super().__init__()
        self.kept = kept
        self.head = head
        if empty:
            return
        self.extra = None

    def forward(self, x):
        if x is not None and self.extra:
            return x
        self.kept[0] = self.head(x)
        return x
"""


@pytest.mark.parametrize(
    ("line", "column", "waves", "words", "code"),
    [
        # Of two findings at one place, the one with the compiler's message.
        ("and self.extra:", 29, "~~~~~~~~~~", "Could not cast value of type NoneType to bool", "TS414"),
        ("and self.extra:", 29, "~~~~~~~~~~", "Module 'Heads' has no attribute 'extra'", "TS408"),
        # A finding for other constructions, and another error.
        ("self.kept[0] =", 8, "~~~~~~~~~~~~", "Arguments for call are not valid", "TS903"),
        ("self.kept[0] =", 8, "~~~~~~~~~~~~", "cannot call a value of type 'NoneType'", "TS413"),
    ],
)
def test_the_compilers_message_decides_between_the_findings_of_a_line(
    tmp_path: Path, line: str, column: int, waves: str, words: str, code: str
) -> None:
    file = tmp_path / "net.py"
    file.write_text(HEADS, encoding="utf-8")
    row, source = next((row, text) for row, text in enumerate(HEADS.splitlines(), 1) if line in text)
    text = f'{words}:\n  File "{file}", line {row}\n{source}\n{" " * column}{waves} <--- HERE\n'
    found = finding(compiler(text), "/torch")
    assert found is not None
    assert found.code == code


def test_advice_on_the_whole_function_does_not_explain_an_error_in_it(
    net: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    start, end = Position(2, 1), Position(3, 20)
    advice = Diagnostic("TS508", "name", Severity.INFO, Stage.SCRIPT, "words", str(net), start, end)
    monkeypatch.setattr(findings, "static_findings", lambda filename: (advice,))
    found = finding(compiler(TEXT.format(n=5, file=net)), "/torch")
    assert found is not None
    assert (found.code, found.message) == ("TS903", "no 5")


def test_an_error_without_a_line_is_told_by_the_rule_that_quotes_it(tmp_path: Path) -> None:
    file = tmp_path / "net.py"
    file.write_text(
        "from torch import nn\nclass Net(nn.Module):\n    def forward(self, x, m=None):\n        return x\n",
        encoding="utf-8",
    )
    words = "strides() called on an undefined Tensor"
    evidence = {**compiler(words, fallback={"filename": str(file), "row": 2}), "stage": "save"}
    found = finding(evidence, "/torch")
    assert found is not None
    assert (found.code, found.severity, found.start, found.compiler) == (
        "TS810", Severity.ERROR, Position(3, 28), words,
    )  # fmt: skip


KEYWORD_ONLY = (
    "Compiled functions can't take variable number of arguments or use keyword-only arguments with defaults:\n"
    '  File "{file}", line 1\ndef scaled(x, *, by=2):\n                  ~~ <--- HERE\n'
)


@pytest.mark.parametrize(
    ("text", "code"),
    [
        (KEYWORD_ONLY, "TS116"),
        # Nothing says what the argument is, so a rule that takes it for a tensor may be wrong.
        (TEXT.format(n=6, file="{file}").replace("line 3", "line 2"), "TS903"),
    ],
)
def test_a_function_that_its_own_file_does_not_compile_has_the_finding_of_the_rule_that_quotes_the_compiler(
    tmp_path: Path, text: str, code: str
) -> None:
    file = tmp_path / "helpers.py"
    file.write_text("def scaled(x, *, by=2):\n    return x.nothing_of_the_kind\n", encoding="utf-8")
    found = finding(compiler(text.format(file=file)), "/torch")
    assert found is not None
    assert found.code == code


def test_an_error_that_no_rule_knows_is_a_compiler_error(net: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(findings, "static_findings", lambda filename: ())
    found = finding(compiler(TEXT.format(n=2, file=net)), "/torch")
    assert found is not None
    assert (found.code, found.name, found.message) == ("TS903", "compiler-error", "no 2")


def test_an_exception_in_the_static_model_does_not_prevent_a_verdict(
    net: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise RuntimeError("the model is wrong")

    findings.static_findings.cache_clear()
    monkeypatch.setattr(findings, "raw_findings", fail)
    assert findings.static_findings(str(net)) == ()
    findings.static_findings.cache_clear()


def test_a_place_in_torch_is_not_the_authors(net: Path, tmp_path: Path) -> None:
    torch = tmp_path / "torch"
    text = TEXT.format(n=3, file=torch / "functional.py") + "'f' is being compiled since it was called from 'Net'\n"
    found = finding(compiler(text + TEXT.format(n="", file=net).partition("\n")[2]), str(torch))
    assert found is not None
    assert found.filename == str(net.resolve())


def test_an_error_without_a_line_is_shown_at_the_definition(net: Path) -> None:
    found = finding(compiler("odd", fallback={"filename": str(net), "row": 1}), "/torch")
    assert found is not None
    assert (found.start, found.end) == (Position(1, 7), Position(1, 10))
    assert finding(compiler("odd"), "/torch") is None


def test_a_file_that_has_gone(tmp_path: Path) -> None:
    found = finding(compiler(TEXT.format(n=4, file=tmp_path / "gone.py")), "/torch")
    assert found is not None
    assert found.start == Position(3, 16)
