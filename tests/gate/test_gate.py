"""Tests ``tslint gate``: what it reports, its exit status, and where its reports go."""

from __future__ import annotations

import json
import zipfile
from pathlib import Path
from xml.etree import ElementTree

import pytest
from click.testing import CliRunner, Result

from tests.gate.repository import OTHER, REJECTED, commit, write
from tslint.cli import cli
from tslint.cli.check import command as check_command
from tslint.util import installed


def gate(*arguments: str, **environ: str) -> Result:
    return CliRunner(env=environ).invoke(cli, ["gate", *arguments])


def found(result: Result) -> list[tuple[str, str]]:
    assert result.exit_code in (0, 1), result.stderr
    return [(Path(each["filename"]).name, each["code"]) for each in json.loads(result.stdout)["check"]]


def test_a_clean_project_passes(project: Path) -> None:
    result = gate("--only", "check")
    assert (result.exit_code, result.stderr) == (0, "")
    assert result.stdout == "All checks passed!\n\ngate passed: 0 findings in 4 files\n"


def test_the_project_is_checked_from_any_folder_of_it(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(project, pkg__ops=REJECTED)
    monkeypatch.chdir(project / "pkg")
    assert found(gate("--only", "check", "--output-format", "json")) == [("ops.py", "TS101")]


def test_warnings_fail_it_unless_told_otherwise(project: Path) -> None:
    write(project, pkg__other=OTHER.replace("    def", "    @torch.no_grad()\n    def"))
    result = gate("--only", "check")
    assert result.exit_code == 1, result.stdout
    assert "(warning)" in result.stdout
    assert result.stdout.endswith("gate failed: 1 finding in 4 files\n")
    assert gate("--only", "check", "--fail-on", "error").exit_code == 0
    (project / "tslint.toml").write_text('fail-on = "error"\n')
    assert gate("--only", "check").exit_code == 0


def test_only_changed_files_are_reported_while_the_project_is_seen(project: Path) -> None:
    write(project, pkg__stale=REJECTED.replace("def twice", "@torch.jit.script\ndef twice"))
    commit(project)
    assert found(gate("--only", "check", "--output-format", "json")) == [("stale.py", "TS101")]
    # No function in this file is a root.
    write(project, pkg__ops=REJECTED)
    result = gate("--only", "check", "--changed-since", "HEAD", "--output-format", "json")
    assert found(result) == [("ops.py", "TS101")]
    assert result.stderr == ("note: 1 file changed since HEAD; 1 of 2 targets\nnote: net: pkg/ops.py has changed\n")


def test_the_findings_of_the_shards_are_those_of_the_whole(project: Path) -> None:
    rejected = REJECTED.replace("def twice", "@torch.jit.script\ndef twice")
    write(project, pkg__ops=REJECTED, **{f"pkg__more{number}": rejected for number in range(4)})
    arguments = ("--only", "check", "--output-format", "json")
    parts = [found(gate(*arguments, "--shard", f"{number}/3")) for number in (1, 2, 3)]
    assert all(parts)
    assert sorted(each for part in parts for each in part) == found(gate(*arguments))


def test_the_baseline_holds_and_stays_as_it_is(project: Path) -> None:
    (project / "tslint.toml").write_text('baseline = "known.json"\n')
    write(project, pkg__ops=REJECTED)
    runner = CliRunner()
    assert runner.invoke(check_command, ["--baseline", "known.json", "--write-baseline"]).exit_code == 0
    before = (project / "known.json").read_bytes()
    assert gate("--only", "check").exit_code == 0
    write(project, pkg__ops="")
    assert gate("--only", "check").exit_code == 0
    assert (project / "known.json").read_bytes() == before


def test_reports(project: Path) -> None:
    write(project, pkg__ops=REJECTED)
    files = {name: f"{name}.out" for name in ("junit", "report", "sarif", "gitlab")}
    arguments = [each for name, file in files.items() for each in (f"--{name}", file)]
    result = gate("--only", "check", "--output-format", "github", *arguments)
    assert result.exit_code == 1
    assert result.stdout.startswith("::error title=tslint%3A TS101 try-block,file=pkg/ops.py,line=5,")
    assert result.stdout.endswith("gate failed: 1 finding in 4 files\n")
    root = ElementTree.parse(project / "junit.out").getroot()
    assert (root.get("name"), root.get("tests"), root.get("failures")) == ("tslint gate", "4", "1")
    page = (project / "report.out").read_text()
    assert "<h1>tslint gate</h1>" in page
    assert "TS101 try-block" in page
    assert '<span class="verdict fail">FAIL</span>' in page
    sarif = json.loads((project / "sarif.out").read_text())
    assert [each["ruleId"] for each in sarif["runs"][0]["results"]] == ["TS101"]
    assert [each["check_name"] for each in json.loads((project / "gitlab.out").read_text())]


def test_nothing_changed_needs_no_torch(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tslint.cli.gate.find_spec", lambda name: None)
    result = gate("--changed-since", "HEAD")
    assert (result.exit_code, result.stderr) == (0, "note: 0 files changed since HEAD; 0 of 2 targets\n")
    assert result.stdout.endswith("gate passed: 0 findings in 0 files; no target to verify\n")
    result = gate()
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr == (
        f"error: torch is missing, which the configured targets need: {installed.command('verify')}\n"
    )


def test_the_reports_of_the_last_run_are_no_changes(project: Path) -> None:
    arguments = ("--changed-since", "HEAD", "--junit", "j.xml", "--gitlab", "g.json")
    for _ in range(2):
        result = gate(*arguments)
        assert (result.exit_code, result.stderr) == (0, "note: 0 files changed since HEAD; 0 of 2 targets\n")


@pytest.mark.parametrize(
    ("entry", "changed"), [("model/extra/tslint.json", False), ("model/data.pkl", True)], ids=["by verify", "other"]
)
def test_what_verify_wrote_is_no_change(project: Path, entry: str, changed: bool) -> None:
    for folder in ("saved", "triton/net/1"):
        (project / folder).mkdir(parents=True)
    for name in ("saved/net.script.pt", "triton/net/1/model.pt"):
        with zipfile.ZipFile(project / name, "w") as archive:
            archive.writestr(entry, "{}")
    (project / "saved" / "net.script.ptl").write_bytes(b"PK")
    (project / "triton" / "net" / "config.pbtxt").write_text('name: "net"\n')
    result = gate("--changed-since", "HEAD", "--only", "check")
    assert (result.stderr == "note: 0 files changed since HEAD; 0 of 2 targets\n") is not changed


def test_without_targets_it_says_so(project: Path) -> None:
    (project / "pyproject.toml").write_text("[tool.tslint]\n")
    result = gate()
    assert (result.exit_code, result.stderr) == (
        0, "note: no targets are configured, so nothing is verified; `tslint init` looks for them\n",
    )  # fmt: skip


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--changed-since", "nope"], "--changed-since nope: 'nope' is not a commit in this clone; fetch it first"
         " (a shallow clone lacks most commits)"),
        (["--shard", "3/2"], "--shard: there is no shard 3/2: shards are 1/2 to 2/2"),
        (["--junit", "gone/j.xml"],
         "gone/j.xml: the report cannot be written: there is no folder gone; create it first"),
        (["--config", "gone.toml"], "gone.toml: cannot be read: No such file or directory"),
    ],
)  # fmt: skip
def test_bad_input(project: Path, arguments: list[str], message: str) -> None:
    result = gate(*arguments)
    assert (result.exit_code, result.stdout, result.stderr) == (2, "", f"error: {message}\n")


def test_no_repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    result = gate("--changed-since", "HEAD")
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr == (
        f"error: --changed-since HEAD: {tmp_path} is not in a git repository, so tslint cannot know what has changed\n"
    )


def test_a_path_that_is_missing(project: Path) -> None:
    result = gate("--only", "check", "pkg", "gone.py")
    assert result.exit_code == 2
    assert result.stderr == "error: gone.py: no such file or folder\n"
    assert result.stdout.endswith("gate could not be judged in full: 0 findings in 4 files\n")


@pytest.mark.slow
def test_both_halves(project: Path) -> None:
    write(project, pkg__other=OTHER.replace("return x * 2", "return unknown(x)"))
    result = gate("--junit", "j.xml", "--report", "r.html", "--sarif", "s.json", "--output-format", "json")
    assert result.exit_code == 1, result.stderr
    outcome = json.loads(result.stdout)
    assert {each["target"]: each["verdict"] for each in outcome["verify"]["targets"]} == {
        "net": "pass", "other": "fail",
    }  # fmt: skip
    # The stage never changes a verdict, and takes long.
    stages = [stage for each in outcome["verify"]["targets"] for stage in each["stages"] if stage["name"] == "export"]
    assert {stage["status"] for stage in stages} == {"skipped"}
    assert [each["code"] for each in outcome["check"]] == ["TS201"]
    suites = {suite.get("name"): suite for suite in ElementTree.parse(project / "j.xml").getroot()}
    assert {"net", "other", "pkg/net.py"} < set(suites)
    assert suites["net"].get("failures") == "0"
    assert suites["other"].get("failures") != "0"
    page = (project / "r.html").read_text()
    for part in ('id="check"', 'id="target-0"', 'id="target-1"', 'href="#target-1"', "TS201", "torch 2."):
        assert part in page
    json.loads((project / "s.json").read_text())


@pytest.mark.slow
def test_only_targets_that_are_reached_run_and_one_that_cannot_be_judged_is_2(project: Path) -> None:
    write(project, pkg__net="import nowhere_to_be_found\n", pkg__ops=REJECTED)
    result = gate("--changed-since", "HEAD", "--only", "verify")
    assert result.exit_code == 2, result.stdout
    assert "net (pkg.net:build)" in result.stdout
    assert "other" not in result.stdout
    assert result.stdout.endswith("gate could not be judged in full: 0 of 1 target passed\n")
    result = gate("--changed-since", "HEAD", "--only", "verify", "--output-format", "github")
    assert "\n::error title=tslint verify%3A net::net: import: " in "\n" + result.stdout
