"""Tests random programs, and real programs that were cut off or changed: all of them can be checked."""

from __future__ import annotations

import ast
import random
import warnings
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.fuzz.judging import judged
from tests.fuzz.mutations import mutated
from tests.fuzz.programs import PROGRAMS

ROOT = Path(__file__).parents[2]
QUIET = [HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.filter_too_much]


def parses(text: str) -> bool:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            ast.parse(text)
        except SyntaxError:
            return False
    return True


@pytest.mark.slow
@settings(max_examples=80, deadline=None, suppress_health_check=QUIET)
@given(PROGRAMS)
def test_programs_made_from_a_grammar(text: str) -> None:
    judged(text.encode())


@settings(max_examples=30, deadline=None, suppress_health_check=QUIET)
@given(PROGRAMS)
def test_every_format_can_tell_what_is_found(text: str) -> None:
    judged(text.encode(), fixes=False, formats=True)


@pytest.mark.slow
def test_the_grammar_makes_python_that_is_compiled() -> None:
    """If it did not, the tests above would only test syntax errors."""
    made: list[bool] = []
    found: list[int] = []

    @settings(max_examples=40, deadline=None, suppress_health_check=QUIET, database=None, derandomize=True)
    @given(PROGRAMS)
    def run(text: str) -> None:
        made.append(parses(text))
        report = judged(text.encode(), fixes=False)
        found.append(len({each.code for each in report.diagnostics} - {"TS901"}) if report is not None else 0)

    run()
    assert sum(made) > len(made) // 2
    assert sum(found) > len(found) // 2


def real() -> Iterator[Path]:
    """Yield the examples, and torch's own modules, without importing them."""
    yield from sorted((ROOT / "examples").rglob("*.py"))
    spec = find_spec("torch")
    assert spec is not None and spec.origin is not None
    yield from sorted(Path(spec.origin).parent.joinpath("nn", "modules").glob("*.py"))


@pytest.mark.parametrize("seed", range(20))
def test_real_files_cut_off_and_changed(seed: int) -> None:
    chance = random.Random(seed)
    path = chance.choice([each for each in real() if each.stat().st_size < 40_000])
    judged(mutated(path.read_bytes(), chance), fixes=seed % 4 == 0)


@given(st.binary(max_size=60))
def test_bytes(data: bytes) -> None:
    judged(data)
    judged(b"class Net(torch.nn.Module):\n    def forward(self, x): " + data)


@given(st.text(alphabet="\"'#\\\n\r\f\t ([{}])=:,@%!é\u2028\ud800fxr0.;", max_size=40))
def test_text_of_special_characters(text: str) -> None:
    judged(text.encode("utf-8", "surrogatepass"))
