"""Writes the CI workflow: for GitHub, or a job for GitLab."""

from __future__ import annotations

import re
from collections.abc import Sequence

from tslint.util import installed

GITHUB = ".github/workflows/tslint.yml"
GITLAB = ".gitlab-ci.yml"
# If this tslint cannot be installed on other machines, a variable of the repository tells pip what to install.
FROM_VARIABLE = 'pip install "$TSLINT"'


def github_workflow(verify: bool, install: str) -> str:
    """Return a separate workflow.

    Args:
        verify: whether there are targets to run.
        install: the pip arguments that make the project importable; empty for nothing.
    """
    steps = [
        "uses: actions/checkout@v4",
        'uses: actions/setup-python@v5\n        with:\n          python-version: "3.x"',
        *map(_step, commands(verify, install, "tslint check --output-format github")),
    ]
    head = (
        "name: tslint\n\non: [push, pull_request]\n\npermissions:\n  contents: read\n\n"
        "jobs:\n  tslint:\n    runs-on: ubuntu-latest\n    steps:\n"
    )
    return head + "".join(f"      - {step}\n" for step in steps)


def _step(command: str) -> str:
    variable = "\n        env:\n          TSLINT: ${{ vars.TSLINT }}" if command == FROM_VARIABLE else ""
    return f"run: {command}{variable}"


def with_gitlab_job(text: str | None, verify: bool, install: str) -> str | None:
    """Return the text of .gitlab-ci.yml with a job at its end; every other byte is kept.

    Args:
        text: the current text; None if there is no file.
        verify, install: see :func:`github_workflow`.

    Returns:
        The new text, or None if it might be wrong because there is no full YAML parser.
    """
    report = "gl-code-quality-report.json"
    check = f"tslint check --output-format gitlab --output-file {report}"
    stage = None if text is None else _stage(text)
    if text is not None and (stage is None or re.search(r"^(---|\.\.\.|[\[{])", text, re.MULTILINE)):
        return None
    lines = ["tslint:", *([f"  stage: {stage}"] if stage else []), "  image: python:3", "  script:"]
    lines += [f"    - {command}" for command in commands(verify, install, check)]
    lines += ["  artifacts:", "    when: always", "    reports:", f"      codequality: {report}"]
    if not text:
        return "\n".join(lines) + "\n"
    newline = "\r\n" if "\r\n" in text else "\n"
    joint = newline if text.endswith(("\n", "\r")) else newline * 2
    return text + joint + newline.join(lines) + newline


def commands(verify: bool, install: str, check: str) -> list[str]:
    """Return the commands of a job."""
    named = installed.requirement("verify" if verify else "")
    found = [f"pip install {_quoted(named)}" if named else FROM_VARIABLE]
    if verify and install:
        found.append(f"pip install {install}")
    return [*found, check, *(["tslint verify"] if verify else [])]


def _quoted(text: str) -> str:
    return text if re.fullmatch(r"[\w.-]+", text) else f"'{text}'"


def _stage(text: str) -> str | None:
    """Return the stage for the job: empty if the default one exists, None if that is not known."""
    if not re.search(r"^stages\s*:", text, re.MULTILINE):
        return ""
    flow = re.search(r"^stages:[ \t]*\[([^\]#]*)\]", text, re.MULTILINE)
    block = re.search(
        r"^stages:[ \t]*(?:#.*)?\r?\n((?:[ \t]*-[ \t]+.*(?:\r?\n|\Z)|[ \t]*#.*\r?\n|[ \t]*\r?\n)+)", text, re.M
    )
    names: Sequence[str] = []
    if flow:
        names = flow[1].split(",")
    elif block:
        names = re.findall(r"^[ \t]*-[ \t]+([^#\r\n]+)", block[1], re.MULTILINE)
    stages = [name.strip().strip("'\"") for name in names if name.strip()]
    if not stages:
        return None
    return "" if "test" in stages else stages[0]
