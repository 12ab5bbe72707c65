"""Drops annotations that would break code that compiles without them, according to ``tslint check``.

An annotation can make the compiler read more code. A parameter without an annotation is a Tensor and never None, so
the ``else`` branch for None is compiled only after the parameter is declared ``Optional``.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from tslint.annotate.propose import Proposal, Proposals, Remark
from tslint.annotate.writing import NotAnnotated, annotated
from tslint.config import Settings
from tslint.lint.engine import Loaded
from tslint.lint.incremental import Judge
from tslint.script.refusals import Refusal, Scope, spoiled, worse
from tslint.sources.file import SourceFile

_ROUNDS = 5


def leave_out_harm(found: Sequence[Proposals], settings: Settings) -> None:
    """Move harmful proposals to the list of omitted ones.

    Args:
        found: the proposals for all observed files.
        settings: the settings of the run.
    """
    if not any(each.proposals for each in found):
        return
    judge = Judge(replace(settings, entry_points=(), targets={}))
    judge(Loaded(tuple(each.source for each in found)))
    for _ in range(_ROUNDS):
        trial = judge.copy()
        trial(Loaded(tuple(map(_annotated, found))))
        # A module may compile only after it has run; annotations must not break it in either state.
        harmed = {**worse(judge.refused, trial.refused), **spoiled(judge.refused, trial.refused)}
        # A conversion does not make the compiler read more code, so it is the last to be omitted.
        if not (_without(found, harmed, converting=False) or _without(found, harmed, converting=True)):
            return


def _annotated(found: Proposals) -> SourceFile:
    try:
        return annotated(found)
    except NotAnnotated:
        return found.source


def _without(found: Sequence[Proposals], harmed: dict[Scope, Refusal], *, converting: bool) -> bool:
    """Leave out proposals for functions and classes with an error; return whether any was left out.

    With ``converting``, only conversions of arguments are left out; otherwise, everything else is.
    """
    through = {scope: root for root, refusal in harmed.items() for scope in refusal.through}
    any_left_out = False
    for each in found:
        kept: list[Proposal] = []
        for proposal in each.proposals:
            root = through.get((each.source.path, proposal.owner.removesuffix(".__init__")))
            if root is None or (proposal.slot == "argument") is not converting:
                kept.append(proposal)
                continue
            reason = f"`{root[1]}` would no longer compile"
            each.left_out.append(Remark(proposal.place, f"{proposal.what}: {proposal.type} was seen, but {reason}"))
        any_left_out = any_left_out or len(kept) < len(each.proposals)
        each.proposals[:] = kept
        each.left_out.sort(key=lambda remark: (remark.place, remark.message))
    return any_left_out
