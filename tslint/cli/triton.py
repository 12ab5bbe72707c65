"""``tslint verify --triton``: writes a Triton model repository for the targets that pass."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

import click

from tslint.cli import Failure
from tslint.verify.request import Request

if TYPE_CHECKING:
    from tslint.verify.verdict import Verdict


@contextmanager
def kept(requests: list[Request], folder: Path | None) -> Iterator[list[Request]]:
    """Yield the requests, changed so that their archives are kept until the repository is written."""
    if folder is None:
        yield requests
        return
    with TemporaryDirectory(prefix="tslint-", ignore_cleanup_errors=True) as scratch:
        yield [replace(each, triton=scratch) for each in requests]


def write_repository(folder: Path | None, requests: Sequence[Request], verdict: Verdict) -> None:
    """Write each target that has passed; raise a Failure that names those that cannot be served.

    Raises:
        Failure: a target cannot be written.
    """
    from tslint.verify.triton import NoConfiguration, write

    if folder is None:
        return
    problems = []
    for request, target in zip(requests, verdict.targets):
        if target.verdict != "pass":
            continue
        try:
            written = write(folder, request.slug, target)
        except NoConfiguration as error:
            problems.append(f"{request.title}: no Triton configuration: {error}")
        except OSError as error:
            raise Failure(f"{folder}: the repository cannot be written there: {error.strerror or error}") from error
        else:
            click.echo(f"wrote {written}", err=True)
    if problems:
        raise Failure("\n".join(problems))
