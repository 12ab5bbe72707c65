"""Tests the comparison itself on a few programs: the script runs, both verdicts agree, and enough programs are
rejected.
"""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests import warm

ROOT = Path(__file__).parents[2]
SCRIPT = ROOT / "scripts" / "differential.py"


def run(*arguments: str) -> subprocess.CompletedProcess[str]:
    return warm.run([sys.executable, str(SCRIPT), *arguments])


@pytest.mark.slow
def test_model_and_compiler_agree_on_new_programs(tmp_path: Path) -> None:
    table = tmp_path / "table.md"
    done = run("--count", "300", "--seed", "tests", "--most", "0.5", "--table", str(table))
    assert done.returncode == 0, done.stdout + done.stderr
    said = re.search(r"([\d,]+) programs in .*?: ([\d.]+) % rejected", done.stdout)
    assert said is not None, done.stdout
    assert int(said[1].replace(",", "")) >= 290
    assert float(said[2]) >= 40
    assert table.read_text(encoding="utf-8").count("\n") > 60


@pytest.mark.slow
def test_a_seed_gives_the_same_programs() -> None:
    code = (
        "import sys; sys.path.insert(0, sys.argv[1]);"
        "from random_programs.programs import program;"
        "import hashlib; print(hashlib.sha256(''.join(program(f's:{i}').text for i in range(50)).encode()).hexdigest())"
    )
    hashes = {warm.run([sys.executable, "-c", code, str(SCRIPT.parent)], check=True).stdout for _ in range(2)}
    assert len(hashes) == 1 and hashes != {""}
