"""Settings and fixtures of all tests, and toy rules, which make all kinds of findings and fixes without the static
model.
"""

from __future__ import annotations

import ast
import compileall
import gc
import os
import signal
import sys
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from pathlib import Path
from types import ModuleType

import pytest
from hypothesis import HealthCheck, settings

from tests import warm
from tests.kept import (
    pytest_addoption,
    pytest_configure,
    pytest_sessionfinish,
    pytest_testnodedown,
    pytest_unconfigure,
)
from tslint.config import Settings
from tslint.diagnostics import Applicability, CallStep, Diagnostic, Edit, Fix, Position, Severity, Stage
from tslint.lint.engine import Raw
from tslint.rulekit.registry import RegisteredRule, all_rules
from tslint.rulekit.rule import Rule
from tslint.sources.file import SourceFile

__all__ = [
    "pytest_addoption", "pytest_configure", "pytest_sessionfinish", "pytest_testnodedown", "pytest_unconfigure",
]  # fmt: skip

# A shell starts background processes so that they ignore SIGINT, and so would all processes that the tests start and
# interrupt.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

# The tests use all cores, so torch's threads would only wait for each other.
os.environ.setdefault("OMP_NUM_THREADS", "1")
# The same as in verify: fork servers are only shared among programs with the same variables.
os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")

# The tests must not depend on the environment of the user who runs them.
for name in ("VIRTUAL_ENV", "CONDA_PREFIX"):
    os.environ.pop(name, None)

ROOT = Path(__file__).parents[1]
TOYS = (
    Rule("TS191", "toy-try", events=("toy",)),
    Rule("TS291", "toy-bad", events=("toy",)),
    Rule("TS292", "toy-ugly", events=("toy",), severity=Severity.WARNING),
    Rule("TS293", "toy-shy", events=("toy",), default=False),
    Rule("TS294", "toy-remark", events=("toy",), severity=Severity.INFO),
    Rule("TS295", "toy-import", events=("toy",)),
    Rule("TS296", "toy-breaks", events=("toy",)),
    Rule("TS297", "toy-circle", events=("toy",)),
    Rule("TS791", "toy-trace", events=("toy",), stage=Stage.TRACE),
)
_RULES = {rule.code: rule for rule in TOYS}
# The name that each toy rule finds, and what its fix writes instead.
NAMES: dict[str, tuple[str, Applicability | None, str]] = {
    "bad": ("TS291", Applicability.SAFE, "good"),
    "ugly": ("TS292", Applicability.UNSAFE, "pretty"),
    "shy": ("TS293", None, ""),
    "remark": ("TS294", None, ""),
    "breaks": ("TS296", Applicability.SAFE, "("),
    "ping": ("TS297", Applicability.SAFE, "pong"),
    "pong": ("TS297", Applicability.SAFE, "ping"),
    "rabbit": ("TS297", Applicability.SAFE, "(rabbit, rabbit)"),
    "traced": ("TS791", None, ""),
    "lists": ("TS295", Applicability.SAFE, "List"),
    "todo": ("TS191", Applicability.DISPLAY, "..."),
}


def _finding(source: SourceFile, node: ast.expr | ast.stmt, code: str, message: str, fix: Fix | None) -> Diagnostic:
    rule = _RULES[code]
    return Diagnostic(
        code=code,
        name=rule.name,
        severity=rule.severity,
        stage=rule.stage,
        message=message,
        filename=str(source.path),
        start=source.from_ast(node.lineno, node.col_offset),
        end=source.from_ast(node.end_lineno or 1, node.end_col_offset or 0),
        compiled_via=(CallStep("Net.forward", str(source.path), Position(1, 1)),
                      CallStep("helper", str(source.path), Position(2, 5))),
        help="Do it otherwise.",
        compiler="Toys are not supported",
        fix=fix,
    )  # fmt: skip


def _findings(source: SourceFile) -> Iterator[Diagnostic]:
    try:
        tree = ast.parse(source.text)
    except SyntaxError as error:
        place = Position(error.lineno or 1, error.offset or 1)
        message = f"cannot be parsed: {error.msg}"
        yield Diagnostic(
            "TS901", "unparsable-file", Severity.ERROR, Stage.SCRIPT, message, str(source.path), place, place
        )
        return
    for node in ast.walk(tree):
        if isinstance(node, ast.Try):
            yield _finding(source, node, "TS191", "`try` cannot be compiled", None)
        elif isinstance(node, ast.Name) and node.id in NAMES:
            code, applicability, content = NAMES[node.id]
            fix = None
            if applicability:
                start = source.from_ast(node.lineno, node.col_offset)
                edits = [Edit(start, Position(start.row, start.column + len(node.id)), content)]
                if content == "List" and "import List" not in source.text:
                    edits.insert(0, Edit(Position(1, 1), Position(1, 1), "from typing import List\n"))
                fix = Fix(applicability, f"Write `{content}`", tuple(edits))
            yield _finding(source, node, code, f"`{node.id}` is a toy", fix)


def raw_findings(sources: Sequence[SourceFile], settings: Settings, **_: object) -> Raw:
    """Replace the static model and the rules."""
    return Raw({source.path: list(_findings(source)) for source in sources})


@pytest.fixture(autouse=True)
def without_cache(monkeypatch: pytest.MonkeyPatch) -> None:
    """Disable the cache, which would not notice that a test replaces parts of tslint."""
    monkeypatch.setattr("tslint.lint.cache.cached.Cache.open", lambda *_, **__: None)


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """With several processes, put files with slow tests first, so that no process starts such a file at the end."""
    if hasattr(config, "workerinput"):
        slow = {item.path for item in items if item.get_closest_marker("slow")}
        items.sort(key=lambda item: item.path not in slow)


def pytest_sessionstart(session: pytest.Session) -> None:
    """Compile tslint before hundreds of processes import it, even if Python must not write bytecode."""
    if not hasattr(session.config, "workerinput"):
        for folder in ("tslint", "rules"):
            compileall.compile_dir(ROOT / folder, quiet=2)
    # A test must not fail because the machine is busy.
    patient = settings(settings.default, deadline=None, suppress_health_check=[HealthCheck.too_slow])
    settings.register_profile("patient", patient)
    settings.load_profile("patient")


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """Allow pytest to write the compiled tests, so that they are kept for the next run.

    Also exclude the thousands of tests, which live until the end, from garbage collection.
    """
    before, sys.dont_write_bytecode = sys.dont_write_bytecode, False
    gc.disable()
    try:
        return (yield)
    finally:
        sys.dont_write_bytecode = before
        gc.freeze()
        # Each test makes many objects that live as long as it does: collecting them more often takes a tenth of the
        # time.
        gc.set_threshold(20_000)
        gc.enable()


@pytest.fixture(scope="session", autouse=True)
def fork_servers() -> Iterator[None]:
    """Import torch once for all fork servers that this process starts."""
    if sys.platform == "linux":
        yield from warm.patched()
    else:
        yield


@pytest.fixture
def toy_rules(monkeypatch: pytest.MonkeyPatch) -> None:
    """Add the toy rules; only these report findings."""
    registered = []
    for rule in TOYS:
        module = f"tests.toys.{rule.name}"
        monkeypatch.setitem(sys.modules, module, ModuleType(module, f"Toy {rule.name}.\n"))
        registered.append(RegisteredRule(rule, lambda match: (), "toys", module))
    rules = tuple(sorted([*all_rules(), *registered], key=lambda each: each.rule.code))
    table = {each.rule.code: each for each in rules}
    monkeypatch.setattr("tslint.lint.selection.all_rules", lambda: rules)
    for module in ("selection", "suppress"):
        monkeypatch.setattr(f"tslint.lint.{module}.by_code", lambda: table)
    monkeypatch.setattr("tslint.lint.engine.raw_findings", raw_findings)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Path]:
    """Return a function that creates files below a new working folder and returns the folder: ``folder({"pkg/net.py":
    "..."})``.
    """
    monkeypatch.chdir(tmp_path)

    def make(files: Mapping[str, str | bytes]) -> Path:
        for name, content in files.items():
            path = tmp_path / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return tmp_path

    return make
