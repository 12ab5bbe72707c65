"""Tests that ``tslint verify`` catches the hazards at the stages in the table."""

from __future__ import annotations

import json
import sys
from typing import Any

import pytest

from tests import warm
from tests.hazards.cases import COMPILE, HAZARDS, Hazard

# Hazards that the compiler rejects are compared with the compiler only, as the stage `script` is; with a few
# exceptions.
CAUGHT = [hazard for hazard in HAZARDS if hazard.stage and (hazard.where != COMPILE or hazard.number in (14, 24))]
# For each mode, the stages that catch none of its hazards.
SKIPPED = {"script": "generalize,modes,state,device,freeze,export", "trace": "freeze,threads,export"}


@pytest.fixture(scope="module")
def verdicts(tmp_path_factory: pytest.TempPathFactory) -> dict[int, dict[str, Any]]:
    """Return the stages of each hazard's verdict, by row and name."""
    folder = tmp_path_factory.mktemp("hazards")
    found: dict[int, dict[str, Any]] = {}
    for mode, skipped in SKIPPED.items():
        hazards = [hazard for hazard in CAUGHT if hazard.mode == mode]
        for hazard in hazards:
            (folder / f"row{hazard.number}.py").write_text(hazard.text, encoding="utf-8")
        config = [hazard.config for hazard in hazards if hazard.config]
        (folder / "tslint.toml").write_text("\n".join(config), encoding="utf-8")
        targets = [f"row{hazard.number}.py:build" for hazard in hazards]
        command = [sys.executable, "-m", "tslint", "verify", *targets, "--config", "tslint.toml", "--mode", mode]
        done = warm.run([*command, "--skip", skipped, "--output-format", "json"], cwd=folder)
        for hazard, target in zip(hazards, json.loads(done.stdout)["targets"]):
            found[hazard.number] = {stage["name"]: stage for stage in target["stages"]}
            found[hazard.number]["verdict"] = target["verdict"]
    return found


@pytest.mark.slow
@pytest.mark.parametrize("hazard", CAUGHT, ids=[f"row{hazard.number:02}" for hazard in CAUGHT])
def test_the_stage_fails(hazard: Hazard, verdicts: dict[int, dict[str, Any]]) -> None:
    verdict = verdicts[hazard.number]
    if hazard.warns:
        assert hazard.warns in [finding["name"] for finding in verdict[hazard.stage]["findings"]], verdict
        return
    assert verdict["verdict"] == "fail"
    assert verdict[hazard.stage]["status"] == "failed", verdict
