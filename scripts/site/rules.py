"""Renders the pages of the rules, from their docstrings and records."""

from __future__ import annotations

import re
from collections.abc import Sequence

from tslint.rulekit.registry import RegisteredRule
from tslint.rulekit.rule import HEADINGS, Rule

FAMILIES = {
    "syntax": ("Syntax", "syntax that the Python front end of the compiler rejects"),
    "names": ("Names", "names and callables that do not exist in TorchScript"),
    "types": ("Types", "types that do not fit: calls, branches, returns, unpacking, containers"),
    "modules": ("Modules", "containers of modules, attributes of modules, hooks"),
    "annotations": ("Annotations", "annotations that are missing, unreadable, or contradicted by values"),
    "silent": ("Silently wrong", "compiles, but gives another result than in Python, or raises"),
    "tracing": ("Tracing", "can be traced, but the trace makes a value constant or loses code"),
    "deployment": ("Deployment", "compiles, but cannot be saved, loaded or called elsewhere"),
    "tool": ("The tool", "files that cannot be checked, suppressions, and what only `tslint verify` reports"),
}
_PROMISE = re.compile(rf"^## {HEADINGS[4]}\n(.*?)(?=^## |\Z)", re.MULTILINE | re.DOTALL)


def fix(registered: RegisteredRule) -> str:
    """Return which kinds of fixes the page of a rule promises: ``safe``, ``safe, unsafe``, ``display`` …, or ``–``."""
    found = _PROMISE.search(registered.page)
    text = found.group(1).strip() if found else ""
    kinds = [kind for kind in ("safe", "unsafe", "display") if f"*{kind}*" in text]
    return ", ".join(kinds) or ("–" if not text or text.startswith("No fix") else "display")


def versions(rule: Rule) -> str:
    """Return the torch versions to which the rule applies."""
    if rule.since and rule.until:
        return f"{rule.since} to {rule.until}"
    return f"from {rule.since}" if rule.since else f"up to {rule.until}" if rule.until else "all"


def title(registered: RegisteredRule) -> str:
    """Return the title of the page in the navigation."""
    return f"{registered.rule.code} {registered.rule.name}"


def page(registered: RegisteredRule, also: Sequence[str] = ()) -> str:
    """Return the web page of a rule.

    Args:
        registered: the rule.
        also: more messages of the compiler that this rule explains.
    """
    rule = registered.rule
    # Pages of the rules in the family "tool" may begin without a heading.
    text = registered.page.strip()
    head, _, body = text.partition("\n") if text.startswith("# ") else (f"# {registered.summary}", "", text)
    front = f"---\ntitle: {rule.code} {rule.name}\ndescription: {_plain(registered.summary)}\n---\n\n"
    facts = [
        f"`{rule.code}`", f"`{rule.name}`", f"**{rule.severity.value}**", f"stage **{rule.stage.value}**",
        f"[{FAMILIES[registered.family][0]}](index.md#{registered.family})",
        "no fix" if fix(registered) == "–" else f"fix: **{fix(registered)}**",
    ]  # fmt: skip
    if rule.since or rule.until:
        facts.append(f"torch {versions(rule)}")
    if rule.opt_in:
        facts.append("opt-in: only if it is selected")
    more = ""
    if also:
        more = "\n## Other messages\n\nDepending on the code, the compiler says:\n\n"
        more += "\n".join(f"- `{message.replace('`', chr(39))}`" for message in also) + "\n"
    off = (
        "\n## Turn it off\n\n"
        f"On one line with `# tslint: ignore[{rule.code}]`; in the [configuration](../configuration.md) with "
        f'`ignore = ["{rule.name}"]`, or for some files with `per-file-ignores = {{ "tests/*" = ["{rule.code}"] }}`.\n'
    )
    line = " · ".join(facts) + "\n{ .facts }\n\n"
    return front + head + "\n\n" + line + body.strip() + "\n" + more + off


def index(rules: Sequence[RegisteredRule]) -> str:
    """Return the page of all rules, family by family."""
    lines = [
        "# Rules", "",
        f"There are {len(rules)} rules. To switch a rule on or off, use its code, its name, or the first characters of "
        "its code: `TS1` means the whole family, `ALL` means every rule, and `TS` means the rules that are on by "
        "default: all except those that are marked *opt-in*. `tslint rule NAME` prints these pages in a terminal.", "",
        "An `error` is certain. A `warning` means one of two things: the problem occurs only in the cases that the "
        "finding names, or the code compiles, but may behave differently than in Python. `--fix` applies *safe* "
        "fixes, and `--fix --unsafe-fixes` also *unsafe* ones. *display* fixes are only shown: you must finish them, "
        "or decide whether they are right.", "",
    ]  # fmt: skip
    for family, (name, what) in FAMILIES.items():
        of_family = [registered for registered in rules if registered.family == family]
        digit = of_family[0].rule.code[:3]
        lines += [f"## {name}: {digit}xx {{ #{family} }}", "", what[0].upper() + what[1:] + ".", ""]
        lines += ["| Code | Rule | What it is about | Severity | Fix |", "|---|---|---|---|---|"]
        for registered in of_family:
            rule = registered.rule
            about = registered.summary.replace("|", "\\|") + (" *opt-in*{ .badge }" if rule.opt_in else "")
            fixes = " ".join(f"*{each}*{{ .badge }}" for each in fix(registered).split(", ") if each != "–")
            lines.append(f"| {rule.code} | [{rule.name}]({rule.name}.md) | {about} | {rule.severity.value} | {fixes} |")
        lines.append("")
    return "\n".join(lines)


def _plain(text: str) -> str:
    return "'" + text.replace("`", "").replace("'", "''") + "'"
