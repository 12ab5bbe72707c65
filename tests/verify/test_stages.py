"""Tests each stage with modules that are right, wrong and unusual."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.verify.conftest import Verify, stage
from tests.verify.deployed import EXPORTS
from tests.verify.modules import SOURCE, row
from tslint.diagnostics import Severity, Stage

X = "torch.rand(4, 3)"


def test_a_good_module_passes_every_stage(verify: Verify) -> None:
    verdict = verify("good")
    other = {(result.name, result.status) for result in verdict.stages if result.status != "passed"}
    # Only --native runs this stage.
    assert other <= {("native", "skipped"), *([("export", EXPORTS)] if EXPORTS != "passed" else [])}
    assert verdict.verdict == "pass"
    assert verdict.reason == ""
    assert stage(verdict, "build").detail == "Good, 8 parameters, 1 input set"
    assert stage(verdict, "eager").detail == "float32[4, 2]"


@pytest.mark.parametrize("target", ["instance", "Good", "pkg.sub.net:build", "pkg/sub/net.py:build", "my-net.py:build"])
def test_every_form_of_target(verify: Verify, target: str) -> None:
    assert verify(target, X).verdict == "pass"


def test_a_module_that_is_scripted_already(verify: Verify) -> None:
    verdict = verify("scripted", X)
    assert verdict.verdict == "pass"
    assert stage(verdict, "script").detail == "already scripted"
    assert stage(verdict, "trace").status == "skipped"


def test_a_module_that_is_traced_already(verify: Verify) -> None:
    assert stage(verify("traced", X), "script").detail == "already traced: scripting returns it unchanged"
    only = verify("traced", X, modes=("trace",))
    assert only.verdict == "pass"
    assert stage(only, "trace").status == "passed"


@pytest.mark.parametrize(
    ("attribute", "inputs", "modes"),
    # A trace would unroll the loop; see generalize.
    [("Loop", "torch.rand(3, 2, 3)", ("script",)), ("Wraps", X, ("script", "trace"))],
)
# Torch reads the gradients of all tensors in a module, also of those that are not parameters.
@pytest.mark.filterwarnings("ignore:The .grad attribute of a Tensor that is not a leaf:UserWarning")
def test_scripted_and_traced_parts_mix(verify: Verify, attribute: str, inputs: str, modes: tuple[str, ...]) -> None:
    assert verify(attribute, inputs, modes=modes).verdict == "pass"


def test_a_compiler_error_has_its_line_and_its_path(verify: Verify, project: Path) -> None:
    verdict = verify("Bad", X)
    script = stage(verdict, "script")
    assert (script.status, script.detail) == ("failed", "undefined value unknown")
    assert verdict.verdict == "fail"
    (finding,) = script.findings
    line = next(line for line in SOURCE.splitlines() if "unknown(x)" in line)
    assert finding.filename == str((project / "net.py").resolve())
    assert (finding.severity, finding.stage) == (Severity.ERROR, Stage.SCRIPT)
    assert finding.start.row == finding.end.row == row("unknown(x)")
    # Columns are in code points, although the compiler counts the é as two.
    assert finding.start.column == line.index("unknown") + 1
    assert finding.end.column == line.index("unknown") + 1 + len("unknown")
    assert [step.name for step in finding.compiled_via] == ["Bad.forward", "Bad.helper"]
    assert finding.compiled_via[1].position.row == row("unknown(x)") - 1


def test_the_finding_is_that_of_the_rule_for_the_line(verify: Verify) -> None:
    script = stage(verify("known.py:Net", X), "script")
    assert script.detail == "try blocks aren't supported"
    (finding,) = script.findings
    assert finding.name == "try-block"
    assert finding.help
    assert finding.compiler == "try blocks aren't supported"
    assert (finding.start.row, finding.start.column) == (5, 9)


def test_an_underline_of_an_expression_over_lines(verify: Verify) -> None:
    (finding,) = stage(verify("Located", X), "script").findings
    assert (finding.start.row, finding.start.column) == (row("x.nothing("), 16)
    assert (finding.end.row, finding.end.column) == (row("x.nothing("), 25)


def test_an_error_without_a_line_stands_on_the_definition(verify: Verify) -> None:
    (finding,) = stage(verify("While", X), "script").findings
    assert finding.start.row == row("class While") + 1
    assert finding.compiled_via[-1].name == "While.forward"


def test_without_inputs_script_still_runs(verify: Verify) -> None:
    verdict = verify("Good")
    # Without inputs, it is not known what the module computes.
    assert verdict.verdict == "error"
    assert verdict.reason.startswith("could not be judged: eager: no inputs; give them with --inputs")
    assert "--inputs" in stage(verdict, "eager").detail
    status = {result.name: result.status for result in verdict.stages}
    assert status.items() >= {
        "import": "passed", "build": "passed", "eager": "skipped", "script": "passed", "trace": "skipped",
        "save": "passed", "compare": "skipped", "freeze": "passed", "threads": "skipped", "export": "skipped",
    }.items()  # fmt: skip


def test_a_trace_alone_cannot_be_judged_without_inputs(verify: Verify) -> None:
    verdict = verify("Good", modes=("trace",))
    assert verdict.verdict == "error"
    assert "--inputs" in verdict.reason


def test_the_other_mode_is_skipped(verify: Verify) -> None:
    verdict = verify("Bad", X, modes=("trace",))
    assert stage(verdict, "script").status == "skipped"
    assert stage(verdict, "eager").status == "failed"


def test_a_forward_without_arguments_needs_no_inputs(verify: Verify) -> None:
    assert stage(verify("Nothing"), "compare").detail == "2 outputs as in eager"


def test_several_sets_of_inputs(verify: Verify) -> None:
    verdict = verify("Fixed", X, "torch.rand(8, 3)")
    assert stage(verdict, "script").status == "passed"
    assert stage(verdict, "eager").detail == "float32[4, 3]; float32[8, 3]"
    trace = stage(verdict, "trace")
    assert trace.status == "failed"
    assert trace.detail.startswith("traces, but calling it raises on input set 2: RuntimeError: shape '[4, 3]'")
    assert f"(net.py:{row('x.reshape(4')})" in trace.detail


def test_what_raises_only_in_script_fails_script(verify: Verify) -> None:
    script = stage(verify("Fails", X), "script")
    assert script.status == "failed"
    assert script.detail == (
        f"compiles, but calling it raises: RuntimeError: AssertionError: never (net.py:{row('never')})"
    )


def test_what_forward_raises_is_one_line(verify: Verify) -> None:
    verdict = verify("Raises", X)
    assert stage(verdict, "eager").detail == f"forward raised ValueError: no such (net.py:{row('no such')})"
    assert verdict.verdict == "fail"
    assert stage(verdict, "script").status == "passed"


def test_sys_exit_in_forward(verify: Verify) -> None:
    verdict = verify("Exits", X)
    assert stage(verdict, "eager").detail == f"forward called sys.exit(3) (net.py:{row('sys.exit(3)')})"
    assert verdict.verdict == "fail"


@pytest.mark.parametrize(
    ("target", "inputs", "failed", "words"),
    [
        ("nowhere:Net", X, "import", "there is no module 'nowhere' on sys.path"),
        ("pkg.nowhere:Net", X, "import", "there is no module 'pkg.nowhere'"),
        ("missing.py:Net", X, "import", "No module named 'nowhere_to_be_found' (missing.py:2); install"),
        ("broken.py:f", X, "import", "SyntaxError: invalid syntax (broken.py:1)"),
        ("absent.py:Net", X, "import", "no such file: absent.py"),
        ("net.py:Goood", X, "import", "net.py has no attribute 'Goood'; did you mean 'Good'?"),
        ("number", X, "build", "net.py:number is of type int"),
        ("nothing", X, "build", "nothing() returned None; it must return an nn.Module, (module, inputs), or (module, "),
        ("boom", X, "build", "boom() raised RuntimeError: boom (net.py:"),
        ("leaves", X, "build", "leaves() called sys.exit('bye') (net.py:"),
        ("Needs", X, "build", "needs width; write a function that returns Needs(…)"),
        ("Good", "torch.rnd(1)", "build", "input expression 'torch.rnd(1)' raised AttributeError"),
        ("Good", "np.ones(1)", "build", "only torch and Python's builtins are available"),
        ("Good", "torch.rand(", "build", "input expression 'torch.rand(' is not a Python expression"),
    ],
)
def test_a_target_that_cannot_be_judged_has_a_reason_of_one_line(
    verify: Verify, target: str, inputs: str, failed: str, words: str
) -> None:
    verdict = verify(target, inputs)
    assert verdict.verdict == "error"
    result = stage(verdict, failed)
    assert result.status == "failed"
    assert words in result.detail
    assert "\n" not in result.detail


def test_a_module_that_differs_from_itself_is_not_compared_by_value(verify: Verify) -> None:
    verdict = verify("Unsteady", X, modes=("trace",))
    assert "two runs with the same seed differ: output: 12 of 12 values differ" in stage(verdict, "eager").detail
    unsteady = verify("UnsteadyScripted", X, modes=("script",))
    assert stage(unsteady, "compare").detail == "output: dtype float32 in eager, float64 in script"


def test_noise_is_allowed_if_it_is_small(verify: Verify) -> None:
    verdict = verify("Wavering", X, modes=("script",))
    assert "two runs with the same seed differ by up to 0.001, which later stages allow as well" in (
        stage(verdict, "eager").detail
    )
    assert (verdict.verdict, stage(verdict, "compare").status) == ("pass", "passed")
    (warning,) = stage(verdict, "eager").findings
    assert (warning.code, warning.severity.value, warning.start.row) == ("TS909", "warning", row("class Wavering"))
    assert warning.message == "two runs with the same seed differ by up to 0.001; later stages allow four times that"


def test_a_module_that_is_noise_alone_cannot_be_judged(verify: Verify) -> None:
    verdict = verify("Erratic", X, modes=("script",))
    assert verdict.verdict == "error"
    assert "no value can be compared, because two eager runs differ (output: 12 of 12 values differ" in verdict.reason


def test_a_trace_of_noise_alone_cannot_be_judged(verify: Verify) -> None:
    verdict = verify("Entropy", X, modes=("trace",))
    trace = stage(verdict, "trace")
    assert (verdict.verdict, trace.status) == ("error", "passed")
    assert trace.detail == "a second trace differs, but so do two eager runs"
    assert [finding.severity for finding in trace.findings] == [Severity.WARNING]
    assert "no value can be compared, because two eager runs differ (output: 12 of 12 values differ" in verdict.reason


def test_random_numbers_and_state_are_no_failed_trace_check(verify: Verify) -> None:
    for attribute in ("Draws", "Counts"):
        verdict = verify(attribute, X)
        assert (attribute, verdict.verdict) == (attribute, "pass")


def test_a_value_baked_by_chance_fails_the_trace_check(verify: Verify) -> None:
    trace = stage(verify("Baked", X, modes=("trace",)), "trace")
    assert (trace.status, trace.detail) == (
        "failed",
        "the trace check failed: a second trace records other operators or constants "
        f"(net.py:{row('random.random()')}); what forward computes depends on something besides its inputs",
    )
    (finding,) = trace.findings
    assert finding.start.row == row("random.random()")


def test_a_tracer_warning_is_a_finding_and_no_failure(verify: Verify) -> None:
    verdict = verify("Branches", X)
    # What this warning predicts is proven, as a failure, by generalize.
    assert [result.name for result in verdict.stages if result.status == "failed" and result.name != "export"] == [
        "generalize"
    ]
    trace = stage(verdict, "trace")
    assert (trace.status, trace.detail) == ("passed", "1 TracerWarning")
    (finding,) = trace.findings
    assert (finding.severity, finding.stage) == (Severity.WARNING, Stage.TRACE)
    assert finding.start.row == row("if x.sum() > 0:")
    assert [step.name for step in finding.compiled_via] == ["Branches.forward", "Branches.pick"]


def test_an_ignored_function_fails_save_on_the_call(verify: Verify, tmp_path: Path) -> None:
    verdict = verify("Ignored", X)
    assert stage(verdict, "script").status == "passed"
    save = stage(verdict, "save")
    assert save.status == "failed"
    assert save.detail.startswith("script: Could not export Python function call 'debug'")
    (finding,) = save.findings
    assert (finding.stage, finding.start.row, finding.start.column) == (Stage.SAVE, row("self.debug(x)"), 16)
    # The trace runs the ignored function, and records its operators.
    assert [path.name for path in tmp_path.iterdir()] == ["module.trace.pt"]


def test_the_first_difference_of_each_mode_is_reported(verify: Verify) -> None:
    compare = stage(verify("Structure", X), "compare")
    assert compare.status == "failed"
    assert compare.detail == (
        "output[1]: a tuple in eager, a list in script; output[1][0]: an int in eager, a tensor in trace"
    )


def test_a_dropped_no_grad_is_a_difference(verify: Verify) -> None:
    compare = stage(verify("NoGrad", X, grad="on"), "compare")
    assert compare.detail.startswith("output[0]: requires_grad False in eager, True in script")


def test_the_state_of_a_module_that_cannot_be_copied_is_restored(verify: Verify) -> None:
    verdict = verify("NonLeaf", X, modes=("script",))
    assert stage(verdict, "compare").detail == "1 output as in eager"


def test_a_forward_that_writes_to_its_input(verify: Verify) -> None:
    assert verify("Writes", X).verdict == "pass"


def test_tolerances(verify: Verify) -> None:
    strict = verify("Fixed", X, modes=("script",), rtol=0.0, atol=0.0)
    assert strict.verdict == "pass"
