"""Runs the steps of an action as the runner does: expressions become variables, scripts are run by bash."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import yaml

from tests.gate.repository import environ
from tests.packaging.support import ROOT

ACTION: dict[str, Any] = yaml.safe_load((ROOT / "action.yml").read_text("utf-8"))
GITLAB: dict[str, Any] = yaml.safe_load((ROOT / "templates/gitlab-ci.yml").read_text("utf-8"))
STEPS: list[dict[str, Any]] = ACTION["runs"]["steps"]
# Nothing is installed, and no index is used.
PIP = {"PIP_DRY_RUN": "1", "PIP_NO_INDEX": "1", "PIP_NO_DEPS": "1", "PIP_NO_BUILD_ISOLATION": "0",
       "PIP_IGNORE_INSTALLED": "1"}  # fmt: skip


@dataclass
class Job:
    """A job that uses the action, in a checkout.

    Args:
        checkout: the folder of the checkout.
        temp: the runner's temporary folder.
        inputs: the inputs from the workflow; the action has the defaults.
        event: the values of the event that started the job, by name.
        action_path: the folder of the action.
        outputs: the outputs of the steps that have run, by expression.
        summary: the summaries of these steps.
    """

    checkout: Path
    temp: Path
    inputs: Mapping[str, str]
    event: Mapping[str, str] = field(default_factory=dict)
    action_path: Path = ROOT
    outputs: dict[str, str] = field(default_factory=dict)
    summary: str = ""

    def value(self, expression: str) -> str:
        """Return the runner's value of an expression; empty if it does not exist."""
        group, _, name = expression.partition(".")
        if group == "inputs":
            return self.inputs.get(name, ACTION["inputs"][name]["default"])
        if group == "steps":
            return self.outputs.get(expression, "")
        known = {"github.action_path": str(self.action_path), "runner.temp": str(self.temp), "runner.os": "Linux"}
        return known.get(expression) or self.event.get(expression.removeprefix("github.event."), "")

    def filled(self, text: str) -> str:
        return re.sub(r"\$\{\{ ([\w.-]+) \}\}", lambda found: self.value(found[1]), text)

    def step(self, number: int, **more: str) -> subprocess.CompletedProcess[str]:
        """Run one step."""
        step = STEPS[number]
        files = {name: self.temp / name for name in ("GITHUB_OUTPUT", "GITHUB_STEP_SUMMARY")}
        for file in files.values():
            file.write_text("")
        variables = {name: self.filled(text) for name, text in step.get("env", {}).items()}
        (self.temp / "step.sh").write_text(step["run"])
        done = subprocess.run(
            ["bash", "--noprofile", "--norc", "-eo", "pipefail", str(self.temp / "step.sh")],
            cwd=self.checkout / self.filled(step.get("working-directory", ".")),
            env=environ(**PIP, **variables, **{name: str(file) for name, file in files.items()}, **more),
            capture_output=True,
            text=True,
        )
        for line in files["GITHUB_OUTPUT"].read_text().splitlines():
            name, _, value = line.partition("=")
            self.outputs[f"steps.{step['id']}.outputs.{name}"] = value
        self.summary += files["GITHUB_STEP_SUMMARY"].read_text()
        return done

    def run(self) -> subprocess.CompletedProcess[str]:
        """Run all steps with a script, up to the first that fails; return the last result."""
        for number, step in enumerate(STEPS):
            if "run" in step:
                done = self.step(number)
                if done.returncode:
                    break
        return done
