"""Defines the requests to the thread that checks open texts, and its answers."""

from __future__ import annotations

import traceback
from collections.abc import Iterator
from dataclasses import field
from pathlib import Path

from tslint.diagnostics import Diagnostic
from tslint.lint import internal
from tslint.server.configuration import Session
from tslint.server.documents import Document
from tslint.server.insight import Insight
from tslint.server.options import Options
from tslint.util.record import record


@record
class Request:
    """The state to check.

    Args:
        generation: increases with everything that may change a finding.
        documents: the open texts.
        changed: files whose text has changed.
        renewed: whether the configuration has to be read again; then every open text is checked.
        options: the client's options.
        folders: the folders of the workspace.
    """

    generation: int = 0
    documents: tuple[Document, ...] = ()
    changed: frozenset[Path] = frozenset()
    renewed: bool = True
    options: Options = field(default_factory=Options)
    folders: tuple[Path, ...] = ()


@record
class Result:
    """The findings in an open text.

    Args:
        document: the text.
        generation: the generation of the request.
        diagnostics: the findings, as ``tslint check`` reports them.
        session: the settings; None if the text is not checked.
    """

    document: Document
    generation: int
    diagnostics: tuple[Diagnostic, ...]
    session: Session | None = None


@record
class Known:
    """Types and lenses of an open text."""

    document: Document
    generation: int
    insight: Insight


@record
class Unconcerned:
    """Open texts whose findings are unchanged."""

    generation: int
    documents: tuple[Document, ...]


Answer = Result | Known | Unconcerned


def failed(document: Document, request: Request, error: Exception) -> Iterator[Answer]:
    """Yield the answers for a text that could not be checked."""
    yield Result(document, request.generation, (internal_error(document, error),))
    yield Known(document, request.generation, Insight())


def internal_error(document: Document, error: Exception) -> Diagnostic:
    """Return a finding for an internal error; the log contains its traceback."""
    traceback.print_exception(error)
    return internal.internal_error(document.path, error)
