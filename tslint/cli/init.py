"""``tslint init``: writes configuration, hook and workflow for a project."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

import click

from tslint.cli import Failure
from tslint.config import ConfigError, Settings, find_file, parse_settings, shown
from tslint.util import installed

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

if TYPE_CHECKING:
    from tslint.setup.survey import Survey

_PRE_COMMIT = ".pre-commit-config.yaml"


@dataclass
class _Plan:
    """The files to write: for each, its bytes before (None for no such file) and after, and its purpose."""

    files: dict[Path, tuple[bytes | None, bytes, str]] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)


@click.command("init", context_settings={"help_option_names": ["-h", "--help"]})
@click.argument("folder", default=".", type=click.Path(path_type=Path, exists=True, file_okay=False))
@click.option("--diff", is_flag=True, help="Show what would be written; write nothing.")
@click.option("--hook/--no-hook", default=True, help="Write a pre-commit hook. Default: if the folder is a repository.")
@click.option(
    "--ci", type=click.Choice(["auto", "github", "gitlab", "none"]), default="auto",
    help="The CI service. Default: the one that the repository uses.",
)  # fmt: skip
def command(folder: Path, diff: bool, hook: bool, ci: str) -> None:
    """Write configuration, hook and workflow for a project.

    FOLDER is the project's folder (default: the working folder). Existing files keep every other byte, and an existing
    configuration of tslint is never changed. Exit status: 0, or 2 if there already is a configuration.
    """
    root = Path(os.path.abspath(folder))
    try:
        existing = find_file(root)
    except ConfigError as error:
        raise Failure(str(error)) from error
    if existing is not None:
        raise Failure(
            f"{shown(existing)}: tslint is configured there already; `tslint check --show-settings` shows how"
        )
    from tslint.lint.engine import load
    from tslint.setup.survey import survey

    loaded = load([root], Settings(root=root))
    found = survey(root, loaded.sources)
    plan = _Plan()
    _plan_configuration(plan, root, found)
    top = (root / ".git").exists()
    if hook and top:
        _plan_hook(plan, root)
    _plan_workflow(plan, root, ci, top, bool(found.targets))
    if diff:
        _show(plan)
    else:
        _write(plan)
    for note in plan.notes:
        click.echo(f"note: {note}", err=True)
    if not diff:
        _print_summary(plan, found)


def _plan_configuration(plan: _Plan, root: Path, found: Survey) -> None:
    from tslint.setup.configuration import configuration

    shared = root / "pyproject.toml"
    if shared.is_file():
        before = _read(shared)
        newline = b"\r\n" if b"\r\n" in before else b"\n"
        added = configuration(found, "tool.tslint.").encode().replace(b"\n", newline)
        joint = b"" if not before.strip() else newline if before.endswith(b"\n") else newline * 2
        after = before + joint + added
        if _usable(shared, before, after):
            plan.files[shared] = (before, after, "the configuration")
            return
        plan.notes.append(
            f"{shown(shared)}: no table can be added to it, so the configuration goes into a separate file"
        )
    own = root / "tslint.toml"
    plan.files[own] = (None, configuration(found).encode(), "the configuration")


def _usable(file: Path, before: bytes, after: bytes) -> bool:
    """Return whether the new text is TOML that tslint understands and that keeps the old values."""
    try:
        old = tomllib.loads(before.decode("utf-8-sig"))
        new = tomllib.loads(after.decode("utf-8-sig"))
        parse_settings(file, new["tool"].pop("tslint"), "tool.tslint")
    except (ValueError, KeyError, ConfigError):
        return False
    if not old.get("tool") and not new["tool"]:
        new.pop("tool")
        old.pop("tool", None)
    return bool(old == new)


def _plan_hook(plan: _Plan, root: Path) -> None:
    from tslint.setup.hook import has_hook, with_hook

    file = root / _PRE_COMMIT
    before = _read(file) if os.path.lexists(file) else None
    text = None if before is None else _text(before)
    if text is not None and has_hook(text):
        plan.notes.append(f"{shown(file)}: already has a tslint hook")
        return
    after = None if before is not None and text is None else with_hook(text)
    if after is None:
        plan.notes.append(
            f"{shown(file)}: not changed, because its list of repos was not found; add `tslint check` by hand"
        )
        return
    plan.files[file] = (before, after.encode(), "the pre-commit hook")


def _plan_workflow(plan: _Plan, root: Path, ci: str, top: bool, verify: bool) -> None:
    from tslint.setup.workflow import GITHUB, GITLAB, github_workflow, with_gitlab_job

    if ci == "auto":
        ci = _service(root) if top else "none"
    install = _installation(root)
    if ci != "none" and installed.requirement() is None:
        extra = "[verify]" if verify else ""
        plan.notes.append(
            "this tslint was installed from a local folder: set the repository variable TSLINT to something that "
            f"pip can install in CI, such as `tslint{extra} @ git+https://…`"
        )
    if ci == "github":
        file = root / GITHUB
        if os.path.lexists(file):
            plan.notes.append(f"{shown(file)}: already exists, and was not changed")
        else:
            plan.files[file] = (None, github_workflow(verify, install).encode(), "the workflow")
    elif ci == "gitlab":
        file = root / GITLAB
        before = _read(file) if os.path.lexists(file) else None
        text = None if before is None else _text(before)
        if text is not None and re.search(r"^['\"]?tslint['\"]?\s*:", text, re.MULTILINE):
            plan.notes.append(f"{shown(file)}: already has a job `tslint`")
            return
        after = None if before is not None and text is None else with_gitlab_job(text, verify, install)
        if after is None:
            plan.notes.append(f"{shown(file)}: not changed, because its structure is unusual; add a job by hand")
        else:
            plan.files[file] = (before, after.encode(), "the job")


def _service(root: Path) -> str:
    """Return the CI service of the project, recognised by its files or by the host of its remote."""
    if (root / ".github").is_dir():
        return "github"
    if (root / ".gitlab-ci.yml").exists():
        return "gitlab"
    try:
        done = subprocess.run(["git", "-C", str(root), "remote", "-v"], capture_output=True, text=True)
    except OSError:
        return "none"
    for service in ("github", "gitlab"):
        if service in done.stdout:
            return service
    return "none"


def _installation(root: Path) -> str:
    """Return the pip arguments that make the project importable; empty if they are not known."""
    if (root / "setup.py").is_file() or (root / "setup.cfg").is_file():
        return "."
    pyproject = root / "pyproject.toml"
    if pyproject.is_file() and re.search(rb"^\[(project|tool\.poetry)\]", _read(pyproject), re.MULTILINE):
        return "."
    return "-r requirements.txt" if (root / "requirements.txt").is_file() else ""


def _read(file: Path) -> bytes:
    try:
        return file.read_bytes()
    except OSError as error:
        raise Failure(f"{shown(file)}: cannot be read: {error.strerror or error}") from error


def _text(data: bytes) -> str | None:
    try:
        return data.decode()
    except UnicodeDecodeError:
        return None


def _show(plan: _Plan) -> None:
    from difflib import unified_diff

    from tslint.cli.output import emit

    for file, (before, after, _) in plan.files.items():
        old, new = ((data or b"").decode("utf-8", "replace").splitlines(keepends=True) for data in (before, after))
        name = shown(file)
        for line in unified_diff(old, new, "/dev/null" if before is None else name, name):
            emit(line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n")


def _write(plan: _Plan) -> None:
    from tslint.util.atomic import write_bytes

    done: list[str] = []
    for file, (_, after, _) in plan.files.items():
        try:
            file.parent.mkdir(parents=True, exist_ok=True)
            write_bytes(file, after)
        except OSError as error:
            written = f" (written before: {', '.join(done)})" if done else ""
            raise Failure(f"{shown(file)}: cannot be written: {error.strerror or error}{written}") from error
        done.append(shown(file))


def _print_summary(plan: _Plan, found: Survey) -> None:
    """Print what was found and done, and what to do next."""
    from tslint.cli.output import emit
    from tslint.reporters.view import count
    from tslint.setup.configuration import MOST

    roots = ", ".join(each for each in found.roots if each != ".")
    files = count(found.files, "Python file") + (f" (imports start from {roots})" if roots else "")
    modules = f"{found.modules} nn.Module {'class' if found.modules == 1 else 'classes'}"
    entries = count(len(found.entry_points), "likely entry point")
    lines = [f"Found {files} with {modules}, {entries} and {count(len(found.targets), 'target')}."]
    for file, (before, _, what) in plan.files.items():
        lines.append(f"{'Wrote' if before is None else 'Added to'} {shown(file)}: {what}.")
    lines += ["", "Next:"]
    steps: list[tuple[str, str]] = []
    if 0 < len(found.entry_points) <= MOST:
        steps.append(("look at entry-points", "delete what you never export"))
    steps += [
        ("tslint check", "what TorchScript would reject"),
        ("tslint check --fix", "apply safe fixes"),
        ("tslint check --baseline tslint-baseline.json --write-baseline", "accept the rest, and see only new findings"),
    ]
    if found.targets:
        steps.append(("tslint verify", "script, trace, save, load and compare the targets; needs torch"))
    if any(what == "the pre-commit hook" for _, _, what in plan.files.values()):
        steps.append(("pre-commit install", "check what is committed"))
    width = max(len(step) for step, _ in steps if len(step) < 40)
    lines += [f"  {step:<{width}}  {what}" for step, what in steps]
    for entry in found.unbuildable:
        lines.append(
            f"  {entry.place} ({entry.why}) takes arguments: to verify it, write a function that returns it, and name"
            " the function as a target"
        )
    emit("\n".join(lines) + "\n")
