"""Analyses large runs in chunks and in several processes.

A chunk is a run of its own: it indexes its files and everything that they import. Files in neighbouring folders stay
together as far as the size allows, because they import each other.
"""

from __future__ import annotations

import os
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from tslint.lint.together import together
from tslint.project.impact import calls_tracer, deciding, role
from tslint.sources.file import SourceFile
from tslint.util import process_pool
from tslint.util.deep_stack import run_with_deep_stack
from tslint.util.process_pool import share, without_collection
from tslint.util.progress import advance

if TYPE_CHECKING:
    from tslint.config import Settings
    from tslint.lint.analysis import Findings, Only

Value = TypeVar("Value")
WHOLE = 3_000_000  # characters of source up to which one process analyses a whole run
TOGETHER = 14_000_000  # characters up to which each process gets one chunk; more chunks would read more files twice
CHUNK = 2_000_000  # characters of a chunk in larger runs, where large chunks would need too much memory


def analyse_in_chunks(
    sources: Sequence[SourceFile],
    settings: Settings | None,
    *,
    checked: Collection[object] = (),
    beside: Sequence[SourceFile] = (),
    unsaved: Sequence[SourceFile] = (),
    verdicts: bool = False,
    only: Only = None,
) -> Findings:
    """Return the findings of a run of any size.

    Args:
        sources: the files to report on.
        settings: the settings of the run; ``jobs`` limits the number of processes.
        checked, beside: see :func:`tslint.lint.analysis.analyse`.
        unsaved: files, of ``sources`` or others, whose text differs from the one on disk.
        verdicts, only: see :func:`tslint.lint.analysis.analyse`.
    """
    from tslint.lint.analysis import Findings

    size = sum(source.size for source in sources)
    jobs = (settings.jobs if settings is not None else None) or os.cpu_count() or 1
    if in_one_go(size, jobs) or (settings is not None and settings.entry_points):
        with without_collection():
            return _analyse_chunk((sources, settings, checked, beside, unsaved, verdicts, only))
    found = Findings(source.path for source in sources)
    every = frozenset({*found, *checked})
    chunks = sorted(split(sources, even(size, jobs)), key=by_size)
    deciders = [*beside, *deciding_sources(sources)]
    work = [(chunk, settings, every, deciders, unsaved, verdicts, only) for chunk in chunks]
    parts = share(_analyse_chunk, work, jobs, lambda part: advance(len(part)))
    # The chunks are merged in the order in which one run would analyse their files.
    ordered = [part for _, part in sorted(zip(chunks, parts), key=lambda each: each[0][0].path)]
    for path in dict.fromkeys(path for part in ordered for path in (*part, *part.evidence)):
        found[path] = together([part.piece(path) for part in ordered if path in part or path in part.evidence])
    for part in ordered:
        update(found.compiled, part.compiled)
        update(found.imports, part.imports)
        found.refused.update(part.refused)
        found.tracing_known = found.tracing_known or part.tracing_known
    return found


def begin(paths: Sequence[Path], settings: Settings) -> None:
    """Start the processes for a run before its files are read, if it is large enough for several.

    Args:
        paths: the paths of the files.
        settings: the settings of the run.
    """
    size = 0
    for path in paths:
        with suppress(OSError):
            size += os.stat(path).st_size
    jobs = settings.jobs or os.cpu_count() or 1
    if not in_one_go(size, jobs) and not settings.entry_points:
        process_pool.begin(min(jobs, len(paths)))


def _analyse_chunk(
    work: tuple[
        Sequence[SourceFile],
        Settings | None,
        Collection[object],
        Sequence[SourceFile],
        Sequence[SourceFile],
        bool,
        Only,
    ],
) -> Findings:
    from tslint.lint.analysis import analyse

    sources, settings, checked, beside, unsaved, verdicts, only = work
    return run_with_deep_stack(
        lambda: analyse(
            sources, settings=settings, checked=checked, beside=beside, unsaved=unsaved, verdicts=verdicts, only=only
        )
    )


def in_one_go(size: int, jobs: int) -> bool:
    """Return whether files of a total size are analysed together: if they are split, some files are read, and partly
    analysed, more than once.
    """
    return size <= (WHOLE if jobs > 1 else TOGETHER)


def even(size: int, jobs: int) -> int:
    """Return the chunk size with which all processes have work until the end."""
    rounds = 1 if size <= TOGETHER else -(-size // (jobs * CHUNK))
    return -(-size // (jobs * rounds))


def deciding_sources(sources: Sequence[SourceFile]) -> list[SourceFile]:
    """Return the files that decide for all chunks which modules are only traced; each chunk has to read them.

    A file without ``jit`` in its text does not call the tracer, even if it calls something of the same name.
    """
    if not any("jit" in each.text and calls_tracer(each.text) for each in sources):
        return []
    roles = {each.path: role(each.text) for each in sources}
    found = deciding(roles)
    return [each for each in sources if each.path in found]


def update(table: dict[Path, set[Value]], more: Mapping[Path, Collection[Value]]) -> None:
    """Add the sets of one table to those of another."""
    for path, values in more.items():
        table.setdefault(path, set()).update(values)


def by_size(chunk: Sequence[SourceFile]) -> int:
    """Return the sort key that puts the largest chunk first, so that no large chunk starts last."""
    return -sum(source.size for source in chunk)


def split(sources: Sequence[SourceFile], most: int) -> Iterator[list[SourceFile]]:
    """Yield the files in the order of their paths, in chunks of about ``most`` characters."""
    chunk: list[SourceFile] = []
    size = 0
    for source in sorted(sources, key=lambda source: source.path):
        if chunk and size + source.size // 2 > most:
            yield chunk
            chunk, size = [], 0
        chunk.append(source)
        size += source.size
    if chunk:
        yield chunk
