"""Reduces a module while a fix still changes it in the same way."""

from __future__ import annotations

from dataclasses import replace

from random_programs.shrinking import shrunk as smallest

from random_modules import fixing, judging
from random_modules.judging import Failure, Reference, Variant
from random_modules.modules import Made

TRIES = 300


def shrunk(made: Made, failure: Failure) -> tuple[Made, str, Failure]:
    """Return a smaller module, its fixed text, and the failure; the text is empty if the failure does not appear again.

    Args:
        made: the module.
        failure: a failure of the module; in the smaller one, another failure of the same kind by the same fix is
            accepted.
    """
    for calls in ((failure.call,), made.calls):
        if not failure.call and calls == (failure.call,):
            continue
        few = replace(made, builds=(failure.build or made.builds[0],), calls=calls)
        if shows(few, failure) is not None:
            break
    else:
        few = made
        if shows(few, failure) is None:
            return made, "", failure
    small = replace(
        few, text=smallest(few.text, lambda text: shows(replace(few, text=text), failure) is not None, TRIES)
    )
    seen = shows(small, failure)
    return (few, "", failure) if seen is None else (small, seen[0].text, seen[1])


def shows(made: Made, failure: Failure) -> tuple[Variant, Failure] | None:
    """Return the variant of another module that shows a failure of the same kind, and the failure; else None."""
    whole = failure.kind in ("unstable", "circles")
    try:
        reference = None
        for variant in _variants(made, failure.variant, () if whole else failure.culprits):
            if whole:
                found = list(judging.unstable(variant))
            else:
                reference = reference or Reference(made)
                script = not failure.kind.startswith(judging.EAGER)
                found = list(reference.failures(variant, script=script))
            for each in found:
                if each.kind == failure.kind and _raising(each) == _raising(failure):
                    return variant, replace(each, culprits=failure.culprits)
    except (judging.Invalid, RecursionError, SyntaxError, ValueError):
        return None
    return None


def _raising(failure: Failure) -> tuple[bool, bool]:
    return failure.before.startswith("raises "), failure.after.startswith("raises ")


def _variants(made: Made, name: str, wanted: tuple[str, ...]) -> list[Variant]:
    """Return the texts that may show the failure: only those with the wanted fixes, if there are any."""
    if name == "single":
        found = fixing.singles(made.text, fixing.report(made.text))
        return [
            judging.variant("single", text, [each], True)
            for each, text in found
            if fixing.transformation(each) in wanted
        ]
    unsafe = name == "unsafe"
    outcomes = [fixing.fixed(made.text, unsafe)]
    spots = {each.spot for each in outcomes[0].applied if fixing.transformation(each.finding) in wanted}
    if wanted:
        sets = [{each} for each in sorted(spots)] if len(wanted) == 1 else [spots]
        outcomes = [fixing.fixed(made.text, unsafe, lambda spot, only=some: spot in only) for some in sets]
    made_of = []
    for outcome in outcomes:
        fixes = [each.finding for each in outcome.applied]
        left = any(each.code[:3] in ("TS6", "TS7", "TS8") for each in outcome.report.diagnostics)
        made_of.append(judging.variant(name, fixing.text_of(outcome, made.text), fixes, left, outcome.notes))
    return [each for each in made_of if each.text != made.text]
