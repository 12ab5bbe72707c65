"""Stores answers of the installed torch in the repository, so that not every test run asks the same questions.

A question consists of everything on which the answer depends: the program that asks, the text, and the other inputs.
There is one file of answers for each version of torch and of Python; in it, each answer is stored with the hash of its
question. So a test whose text has changed asks again. ``pytest --ask-torch`` asks everything again and rewrites the
file; ``--keep-verdicts`` adds new answers.
"""

from __future__ import annotations

import hashlib
import json
import sys
from collections.abc import Callable
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

import pytest

FOLDER = Path(__file__).with_name("verdicts")


def place() -> Path:
    """Return the file for this torch and this Python, whose parser the front end uses."""
    try:
        torch = version("torch").partition("+")[0]
    except PackageNotFoundError:
        torch = "none"
    return FOLDER / f"torch-{torch}-python-{sys.version_info.major}.{sys.version_info.minor}.jsonl"


class Kept:
    """The answers of one session.

    Args:
        again: whether to ask even if there is an answer.
    """

    def __init__(self, *, again: bool = False) -> None:
        self.again = again
        self.asked: dict[str, Any] = {}
        # False if a process of pytest-xdist has ended without its answers.
        self.complete = True
        self._known: dict[str, Any] | None = None

    def __call__(self, of: str, question: object, ask: Callable[[], Any]) -> Any:
        """Return the answer to a question, which is any JSON value; ``of`` is the name of the program that answers."""
        text = json.dumps(question, sort_keys=True, ensure_ascii=False)
        key = f"{of} {hashlib.sha256(text.encode('utf-8', 'surrogatepass')).hexdigest()[:32]}"
        if key in self.asked:
            return self.asked[key]
        if not self.again and key in self.known:
            return self.known[key]
        # The first run must get the answer in the form in which later runs read it from the file.
        self.asked[key] = json.loads(json.dumps(ask()))
        return self.asked[key]

    @property
    def known(self) -> dict[str, Any]:
        """Return the answers in the file."""
        if self._known is None:
            path = place()
            lines = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
            self._known = dict(json.loads(line) for line in lines)
        return self._known

    def write(self, *, only_asked: bool) -> None:
        """Write the file; with ``only_asked`` without its unused earlier answers."""
        answers = self.asked if only_asked else {**self.known, **self.asked}
        lines = [json.dumps([key, answers[key]], separators=(",", ":")) for key in sorted(answers)]
        place().parent.mkdir(exist_ok=True)
        place().write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")


_SESSION = pytest.StashKey[Kept]()
_current: list[Kept] = [Kept()]


def kept(of: str, question: object, ask: Callable[[], Any]) -> Any:
    """Return the stored answer to exactly this question, or ask it now."""
    return _current[-1](of, question, ask)


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("verdicts of torch")
    group.addoption("--ask-torch", action="store_true", help="ask torch everything again, and keep what it says")
    group.addoption("--keep-verdicts", action="store_true", help="keep what torch had to be asked")


def pytest_configure(config: pytest.Config) -> None:
    config.stash[_SESSION] = Kept(again=config.getoption("--ask-torch"))
    _current.append(config.stash[_SESSION])


def pytest_unconfigure(config: pytest.Config) -> None:
    _current.remove(config.stash[_SESSION])


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node: Any) -> None:
    """Collect the answers from a process of pytest-xdist."""
    session = node.config.stash[_SESSION]
    answers = getattr(node, "workeroutput", {}).get("verdicts")
    session.asked.update(json.loads(answers or "{}"))
    session.complete &= answers is not None


def pytest_sessionfinish(session: pytest.Session, exitstatus: int) -> None:
    config = session.config
    mine = config.stash[_SESSION]
    if hasattr(config, "workeroutput"):
        config.workeroutput["verdicts"] = json.dumps(mine.asked)
    elif mine.asked and (mine.again or config.getoption("--keep-verdicts")):
        mine.write(only_asked=mine.again and mine.complete and exitstatus == 0 and _whole(config))


def _whole(config: pytest.Config) -> bool:
    """Return whether all tests were requested, so that answers that none of them used can be removed."""
    options = ("keyword", "markexpr", "deselect", "ignore", "ignore_glob", "lf", "stepwise", "collectonly")
    return config.args_source is config.ArgsSource.TESTPATHS and not any(
        config.getoption(option, default=None) for option in options
    )
