"""The hooks of mkdocs: they add generated pages, and fill marks in pages.

A mark is a comment on a line of its own: ``<!-- settings -->``, ``<!-- targets -->``, ``<!-- commands -->``, ``<!--
hazard 15 -->``, ``<!-- features -->``, ``<!-- figures -->``.
"""

from __future__ import annotations

import os
import posixpath
import re
import sys
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
# The hazards' cases are imported as tests.hazards, and this package as scripts.site.
sys.path.insert(0, str(ROOT))

from scripts.site import commands, comparison, hazards, messages, playground, rules, settings
from tslint.rulekit.registry import all_rules

MARKS = {
    "settings": settings.settings,
    "targets": settings.targets,
    "commands": commands.commands,
    "features": comparison.features_table,
    "figures": comparison.figures_table,
}
_MARK = re.compile(r"^<!-- (\w+)(?: (\d+))? -->$", re.MULTILINE)
_LINK = re.compile(r"(?<!!)\[([^\]\n]+)\]\(([^)\s#:]+)(#[^)\s]*)?\)")


def generated() -> dict[str, str]:
    """Return the generated pages, by their path below docs/."""
    found = {
        f"rules/{registered.rule.name}.md": rules.page(registered, messages.also(registered))
        for registered in all_rules()
    }
    found["rules/index.md"] = rules.index(all_rules())
    found["messages.md"] = messages.page()
    found["contributing.md"] = outward((ROOT / "CONTRIBUTING.md").read_text("utf-8"), "")
    changes = ROOT / "CHANGELOG.md"
    if changes.exists():
        found["changelog.md"] = outward(changes.read_text("utf-8"), "")
    return found


def filled(text: str, url: str = "") -> str:
    """Return a page with its marks filled.

    Args:
        text: the page.
        url: the address of the page, relative to the site's root.
    """

    def fill(match: re.Match[str]) -> str:
        name, number = match.groups()
        if name == "hazard" and number:
            return hazards.example(int(number))
        # Other comments (``not run``, ``rejected``) are for the tests of the pages.
        return MARKS[name]() if name in MARKS else match.group()

    return _MARK.sub(fill, playground.linked(text, url))


def outward(text: str, folder: str) -> str:
    """Return a page with changed links: those to files of the repository that are not pages lead to the repository's
    host. If the address of the repository is not known, such links become plain text.

    Args:
        text: a page.
        folder: the folder of the page in the repository.
    """

    def lead(match: re.Match[str]) -> str:
        words, path, _ = match.groups()
        target = posixpath.normpath(posixpath.join(folder, path))
        if target.startswith("docs/") or not (ROOT / target).exists():
            return match.group()
        home, commit = os.environ.get("READTHEDOCS_GIT_CLONE_URL"), os.environ.get("READTHEDOCS_GIT_COMMIT_HASH")
        if not (home and commit):
            return words if words.startswith("`") else f"{words} (`{target}`)" if words != target else f"`{words}`"
        return f"[{words}]({home.removesuffix('.git')}/blob/{commit}/{target})"

    return _LINK.sub(lead, text)


def on_files(files: Any, config: Any) -> Any:
    """Add the generated pages."""
    from mkdocs.structure.files import File

    for path, text in generated().items():
        files.append(File.generated(config, path, content=text))
    return files


def on_config(config: Any) -> Any:
    """List the rules, family by family, in the navigation."""
    for entry in config.nav:
        if "Rules" in entry:
            for family, (name, _) in rules.FAMILIES.items():
                pages = [
                    {rules.title(registered): f"rules/{registered.rule.name}.md"}
                    for registered in all_rules()
                    if registered.family == family
                ]
                entry["Rules"].append({name: pages})
        if "Contribute" in entry and (ROOT / "CHANGELOG.md").exists():
            entry["Contribute"].append({"Changes": "changelog.md"})
    if playground.available():
        config.nav.insert(1, {"Playground": f"{config.site_url.rstrip('/')}/playground/"})
    return config


def on_page_markdown(markdown: str, *, page: Any, **_: Any) -> str:
    """Fill the marks, and change links to files outside of docs/."""
    folder = posixpath.join("docs", posixpath.dirname(page.file.src_uri))
    if page.file.generated_by is None:
        return outward(filled(markdown, page.url), folder)
    of_a_rule = folder == "docs/rules" and page.file.src_uri != "rules/index.md"
    return playground.with_links(markdown) if of_a_rule and playground.available() else markdown


def on_post_build(config: Any) -> None:
    """Add the playground, if it can be built."""
    playground.build(Path(config.site_dir) / "playground", config.extra["pyodide_distribution"])
