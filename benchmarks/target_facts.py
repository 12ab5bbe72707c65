"""Compares the accuracy of `check` with and without the facts of the built module.

    python benchmarks/target_facts.py CORPUS LABELS [--every N --offset K] [--misses N]

CORPUS is a checkout of jansel/pytorch-jit-paritybench (commit e0644afa), LABELS the compiler's verdicts on its modules,
one file per line. Each module is built in a fork, as ``tslint verify`` would build a target, and run once, because the
labels were made so. Its file is then checked in this process, without facts and with those of that module. For a
finding, only its first line and at most two more count.
"""

from __future__ import annotations

import argparse
import ast
import contextlib
import json
import sys
import time
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent))

import paritybench
import running
import torch

from tslint.config import Settings
from tslint.diagnostics import Diagnostic, Severity, Stage
from tslint.lint.engine import judge, load
from tslint.verify.built_facts import built_facts

Case = dict[str, Any]


def facts_of(path: str, indices: list[int]) -> dict[str, Any]:
    """Return the facts of some cases of a file, by number, except those that cannot be built."""
    found: dict[str, Any] = {}
    cases = paritybench.load(path).TESTCASES
    for index in indices:
        try:
            with running.limit(20):
                module, inputs, named = paritybench.build(cases[index])
                # The labels were made after a run, too: some modules set attributes when they run.
                with contextlib.suppress(Exception), torch.no_grad():
                    module(*inputs, **named)
                found[str(index)] = built_facts(module)
        except Exception as error:
            print(path, index, repr(error)[:200], file=sys.stderr)
    return found


def counted(path: Path, facts: Iterable[str]) -> list[Diagnostic]:
    """Return the errors and warnings of a file about code that the compiler rejects."""
    settings = Settings(root=path.parent, built=tuple(facts), edits=False, shown_only=True)
    found = judge(load([path], settings), settings).diagnostics
    wanted = [each for each in found if each.stage is Stage.SCRIPT and each.code < "TS6"]
    return [each for each in wanted if each.severity is not Severity.INFO]


def lines(finding: Diagnostic) -> range:
    """Return the rows of a finding: at most three."""
    return range(finding.start.row, min(finding.end.row, finding.start.row + 2) + 1)


def alarming(findings: Iterable[Diagnostic], case: Case) -> list[Diagnostic]:
    """Return the findings that contradict the acceptance of a module."""
    return [f for f in findings if any(row in range(a, b + 1) for row in lines(f) for a, b in case["compiled"])]


def named(tree: ast.Module, name: str) -> list[range]:
    """Return the rows of a class and of everything in its file that it uses, directly or not."""
    nodes = {n.name: n for n in tree.body if isinstance(n, (ast.ClassDef, ast.FunctionDef))}
    seen, pending = set(), [name]
    while pending:
        current = pending.pop()
        if current not in seen and current in nodes:
            seen.add(current)
            pending += [n.id for n in ast.walk(nodes[current]) if isinstance(n, ast.Name)]
    return [range(nodes[each].lineno, (nodes[each].end_lineno or 0) + 1) for each in seen]


def score(case: Case, findings: list[Diagnostic], tree: ast.Module) -> tuple[str, Diagnostic | None]:
    """Return how the findings of a file agree with the verdict on one of its modules, and the first finding that does
    not; None if there is none.
    """
    errors = [each for each in findings if each.severity is Severity.ERROR]
    if case["verdict"] == "ok":
        wrong = alarming(errors, case)
        warned = alarming(findings, case)
        conditional = [each for each in warned if "(when " in each.message]
        first = (wrong or conditional or warned or [None])[0]
        return ("alarm" if wrong else "conditional" if conditional else "warned" if warned else "quiet"), first
    if case["lines"]:
        for kind, some in (("error", errors), ("warning", findings)):
            if any(case["lines"][0] in lines(each) for each in some):
                return kind, None
        return "missed", None
    rows = named(tree, case["cls"])
    return ("somewhere" if any(f.start.row in each for f in findings for each in rows) else "nowhere"), None


def table(title: str, counts: Counter[str]) -> str:
    """Return the figures below a title, as text."""

    def share(part: Iterable[str], whole: Iterable[str]) -> str:
        some, every = sum(counts[each] for each in part), sum(counts[each] for each in whole)
        return f"{some}/{every} = {100 * some / max(every, 1):.2f}%"

    accepted, located = ("alarm", "conditional", "warned", "quiet"), ("error", "warning", "missed")
    return (
        f"{title}\n  false alarms  {share(['alarm'], accepted)}\n  conditional   {share(['conditional'], accepted)}\n"
        f"  warned        {share(['warned', 'conditional'], accepted)}\n"
        f"  recall        {share(['error', 'warning'], located)}\n  recall(error) {share(['error'], located)}\n"
        f"  unlocated     {share(['somewhere'], ['somewhere', 'nowhere'])}"
    )


def main() -> None:
    """Score the files that the command line names."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("corpus", type=Path)
    parser.add_argument("labels", type=Path)
    parser.add_argument("--every", type=int, default=1)
    parser.add_argument("--offset", type=int, default=0)
    parser.add_argument(
        "--minutes", type=float, default=20, help="stop after so many minutes, and print the results so far"
    )
    parser.add_argument(
        "--misses", type=int, default=0, help="print so many errors that are missed or wrong with facts"
    )
    options = parser.parse_args()
    paritybench.prepare()
    records = [json.loads(line) for line in options.labels.read_text(encoding="utf-8").splitlines()]
    plain: Counter[str] = Counter()
    known: Counter[str] = Counter()
    shown: list[str] = []
    ends = time.monotonic() + 60 * options.minutes
    for record in records[options.offset :: options.every]:
        if time.monotonic() > ends:
            break
        path = (options.corpus / record["file"]).resolve()
        cases = {case["case"]: case for case in record["cases"]}
        facts = running.forked(facts_of, str(path), list(cases), seconds=300) or {}
        tree = ast.parse(path.read_text(encoding="utf-8"))
        before = counted(path, ())
        for index, case in cases.items():
            if str(index) not in facts:
                known["unbuilt"] += 1
                continue
            plain[score(case, before, tree)[0]] += 1
            kind, first = score(case, counted(path, [json.dumps(facts[str(index)])]), tree)
            known[kind] += 1
            if kind in ("alarm", "conditional", "missed", "nowhere"):
                words = f"{first.code} {first.start.row}: {first.message}" if first else case["message"]
                shown.append(f"{kind} {record['file']} {case['cls']} {case.get('lines', '')} {words[:150]!r}")
    print(table("without facts", plain), table("with facts", known), f"not built: {known['unbuilt']}", sep="\n")
    print(*sorted(shown)[: options.misses], sep="\n")


if __name__ == "__main__":
    main()
