"""Determines how this copy of tslint was installed: from an index, a repository, a file or a folder.

Instructions depend on it, because an unpublished version cannot be installed by name.
"""

from __future__ import annotations

import json
import re
import shlex
import subprocess
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

_NAME = "tslint"


def requirement(extra: str = "") -> str | None:
    """Return the requirement with which pip installs the running tslint on another machine; None if that is not
    possible.

    Args:
        extra: ``verify`` or ``server``.
    """
    name, origin = _with(_NAME, extra), _origin()
    if origin is None:
        return name
    url = str(origin["url"])
    version_control = origin.get("vcs_info")
    if version_control:
        return f"{name} @ {version_control['vcs']}+{url}@{version_control['commit_id']}"
    folder = _local(url)
    if folder is None:
        return f"{name} @ {url}"
    pushed = _pushed(folder)
    return pushed and f"{name} @ {pushed}"


def command(extra: str = "") -> str:
    """Return the command that installs this tslint on this machine, with an extra."""
    origin = _origin()
    local = None if origin is None or origin.get("vcs_info") else _local(str(origin["url"]))
    if origin is None or local is None:
        return f"pip install {shlex.quote(requirement(extra) or _NAME)}"
    if not local.exists():
        return f"install tslint again, with the extra `{extra}`" if extra else "install tslint again"
    editable = "-e " if (origin.get("dir_info") or {}).get("editable") else ""
    return f"pip install {editable}{shlex.quote(_with(str(local), extra))}"


def _with(name: str, extra: str) -> str:
    return f"{name}[{extra}]" if extra else name


def _origin() -> dict[str, Any] | None:
    """Return where pip got tslint from (direct_url.json, PEP 610); None for a package index."""
    from importlib import metadata  # importing it takes longer than the rest of the start of a command

    # A checkout also has an egg-info folder, which does not say where it was installed from.
    copies = [each.read_text("direct_url.json") for each in metadata.distributions(name=_NAME)]
    if not copies:
        return {"url": Path(__file__).resolve().parents[2].as_uri(), "dir_info": {"editable": True}}
    text = next(filter(None, copies), None)
    try:
        found = json.loads(text or "null")
    except ValueError:
        return None
    return found if isinstance(found, dict) and "url" in found else None


def _local(url: str) -> Path | None:
    parts = urlsplit(url)
    return Path(unquote(parts.path)) if parts.scheme == "file" else None


def _pushed(folder: Path) -> str | None:
    """Return the commit of a checkout in pip's format, if its remote contains the commit."""
    if not (folder / ".git").exists() or not _git(folder, "branch", "--remotes", "--contains", "HEAD"):
        return None
    remote, commit = _git(folder, "remote", "get-url", "origin"), _git(folder, "rev-parse", "HEAD")
    # Instructions for others must not contain the keys and passwords of this user.
    at_host = re.fullmatch(r"(?:https?://|ssh://)?(?:[^@/]+@)?([\w.-]+)(?::\d+/|[:/])(.+)", remote)
    if not at_host or not commit or remote.startswith(("/", ".")):
        return None
    return f"git+https://{at_host[1]}/{at_host[2]}@{commit}"


def _git(folder: Path, *arguments: str) -> str:
    try:
        done = subprocess.run(["git", "-C", str(folder), *arguments], capture_output=True, text=True, timeout=10)
    except (OSError, subprocess.SubprocessError):
        return ""
    return done.stdout.strip() if done.returncode == 0 else ""
