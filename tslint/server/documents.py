"""The texts that the client has open."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path

from lsprotocol import types
from pygls.uris import from_fs_path, to_fs_path

from tslint.server.positions import Places
from tslint.sources.file import SourceFile
from tslint.util.record import record

_UNNAMED = re.compile(r"[^\w.-]+")


def path_of(uri: str) -> Path | None:
    """Return the file that a URI names; None for other URIs."""
    try:
        name = to_fs_path(uri)
    except ValueError:
        return None
    return Path(name) if name and Path(name).is_absolute() and "\0" not in name else None


def uri_of(path: Path | str) -> str:
    """Return the URI of a file."""
    return from_fs_path(str(path)) or ""


@record
class Document:
    """A text that the client has open.

    Args:
        uri: the URI as the client spells it.
        version: the client's number for this version of the text.
        source: the text, with its path.
        revision: increases with every change of any document.
        named: whether the URI names a file, which may not exist yet; otherwise the path is made up.
    """

    uri: str
    version: int
    source: SourceFile
    revision: int
    named: bool = True

    @property
    def path(self) -> Path:
        """Return the path of the text."""
        return self.source.path


class Documents:
    """The open texts, by URI.

    Args:
        encoding: the encoding in which the client counts columns.
    """

    def __init__(self, encoding: str = "utf-16") -> None:
        self.encoding = encoding
        self.folder = Path.cwd()
        self.revision = 0
        self._open: dict[str, Document] = {}

    def __iter__(self) -> Iterator[Document]:
        return iter(list(self._open.values()))

    def get(self, uri: str) -> Document | None:
        """Return an open text."""
        return self._open.get(uri)

    def open(self, item: types.TextDocumentItem) -> Document | None:
        """Add a text; return None if it is not checked, because of its language or because it is a cell of
        a notebook.
        """
        path = path_of(item.uri)
        scheme = item.uri.partition(":")[0]
        named = path is not None
        if item.language_id not in ("python", "") and (path is None or path.suffix != ".py"):
            return None
        if path is None:
            if scheme != "untitled":
                return None
            path = self.folder / f"{_UNNAMED.sub('_', item.uri.partition(':')[2]).strip('_.') or 'untitled'}.py"
        self.revision += 1
        source = SourceFile(path, item.text)
        self._open[item.uri] = Document(item.uri, item.version, source, self.revision, named)
        return self._open[item.uri]

    def change(
        self,
        identifier: types.VersionedTextDocumentIdentifier,
        changes: Iterable[types.TextDocumentContentChangeEvent],
    ) -> Document | None:
        """Apply changes in their order; return None for a text that is not open."""
        document = self._open.get(identifier.uri)
        if document is None:
            return None
        source = document.source
        for each in changes:
            text = each.text
            if isinstance(each, types.TextDocumentContentChangePartial):
                places = Places(source, self.encoding)
                start, end = places.to_offset(each.range.start), places.to_offset(each.range.end)
                text = source.text[: min(start, end)] + each.text + source.text[max(start, end) :]
            source = replace(source, text=text)
        self.revision += 1
        document = replace(document, version=identifier.version, source=source, revision=self.revision)
        self._open[identifier.uri] = document
        return document

    def close(self, uri: str) -> Document | None:
        """Remove a text."""
        self.revision += 1
        return self._open.pop(uri, None)

    def places(self, document: Document) -> Places:
        """Return the converter for positions in a text."""
        return Places(document.source, self.encoding)
