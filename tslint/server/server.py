"""The server: what clients ask for, answered from the newest judgement of the newest text."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from concurrent.futures import Future
from pathlib import Path
from typing import Any, BinaryIO, TypeVar

from lsprotocol import types
from pygls.exceptions import FeatureRequestError
from pygls.lsp.server import LanguageServer

from tslint import __version__
from tslint.diagnostics import Applicability
from tslint.server import actions, messages
from tslint.server.analyst import Answer, Known, Request, Result, Unconcerned
from tslint.server.documents import Document, Documents, path_of
from tslint.server.options import Options, parse_options
from tslint.server.protocol import Protocol
from tslint.server.worker import Worker

logger = logging.getLogger(__name__)
Value = TypeVar("Value")
_WATCHED = ("**/*.py", "**/tslint.toml", "**/pyproject.toml", "**/tslint-baseline.json")
_CONFIGURATION = ("tslint.toml", "pyproject.toml")


class Server(LanguageServer):
    """The language server of tslint: one client, on standard input and output."""

    def __init__(self) -> None:
        super().__init__("tslint", __version__, protocol_cls=Protocol, max_workers=2)
        self.documents = Documents()
        self.options = Options()
        self._initial = Options()
        self._folders: tuple[Path, ...] = ()
        self._generation = 0
        self._results: dict[str, Result] = {}
        self._known: dict[str, Known] = {}
        self._confirmed: dict[str, int] = {}
        self._published: dict[str, tuple[int, tuple[object, ...]]] = {}
        self._news: asyncio.Event | None = None
        self._loop: asyncio.AbstractEventLoop | None = None
        self._running: set[asyncio.Task[None]] = set()
        self._worker = Worker(self._from_worker(self._answered), self._from_worker(self._complained))
        self._register()

    def serve(self, stdin: BinaryIO, stdout: BinaryIO) -> None:
        """Serve until the client leaves."""
        self._worker.start()
        try:
            self.start_io(stdin, stdout)
        finally:
            self._worker.stop()

    def _register(self) -> None:
        kinds = [types.CodeActionKind.QuickFix, actions.FIX_ALL_KIND]
        for method, handler, options in (
            (types.INITIALIZE, self._initialize, None),
            (types.INITIALIZED, self._initialized, None),
            (types.TEXT_DOCUMENT_DID_SAVE, self._saved, types.SaveOptions(include_text=False)),
            (types.WORKSPACE_DID_CHANGE_WATCHED_FILES, self._files_changed, None),
            (types.WORKSPACE_DID_CHANGE_CONFIGURATION, self._configuration_changed, None),
            (types.WORKSPACE_DID_CHANGE_WORKSPACE_FOLDERS, self._folders_changed, None),
            (
                types.TEXT_DOCUMENT_DIAGNOSTIC,
                self._pulled,
                types.DiagnosticOptions(
                    inter_file_dependencies=True, workspace_diagnostics=False, identifier=messages.SOURCE
                ),
            ),
            (
                types.TEXT_DOCUMENT_CODE_ACTION,
                self._code_actions,
                types.CodeActionOptions(code_action_kinds=kinds, resolve_provider=True),
            ),
            (types.CODE_ACTION_RESOLVE, self._resolved, None),
            (types.TEXT_DOCUMENT_HOVER, self._hover, None),
            (types.TEXT_DOCUMENT_INLAY_HINT, self._inlay_hints, None),
            (types.TEXT_DOCUMENT_CODE_LENS, self._code_lenses, None),
        ):
            self.feature(method, options)(_function(handler))
        self.command(messages.VERIFY)(_function(self._verify))
        self.command(messages.SHOW_CALLER)(_function(self._show_caller))
        self.command(messages.FIX_ALL)(_function(self._fix_all))

    # The client arrives.

    def _initialize(self, params: types.InitializeParams) -> None:
        self._loop = asyncio.get_running_loop()
        self._news = asyncio.Event()
        self.documents.encoding = _value(self.workspace.position_encoding or "utf-16")
        folders = [path_of(folder.uri) for folder in params.workspace_folders or ()]
        if not folders and params.root_uri:
            folders = [path_of(params.root_uri)]
        elif not folders and params.root_path:
            folders = [Path(params.root_path)]
        self._folders = tuple(folder for folder in folders if folder is not None)
        if self._folders:
            self.documents.folder = self._folders[0]
        self._initial = self._parsed(params.initialization_options)
        self.options = self._initial

    async def _initialized(self, params: types.InitializedParams) -> None:
        workspace = self.client_capabilities.workspace
        registrations = []
        watched = workspace and workspace.did_change_watched_files
        if watched and watched.dynamic_registration:
            watchers = [types.FileSystemWatcher(glob_pattern=pattern) for pattern in _WATCHED]
            method = types.WORKSPACE_DID_CHANGE_WATCHED_FILES
            options = types.DidChangeWatchedFilesRegistrationOptions(watchers=watchers)
            registrations.append(types.Registration(id="tslint-files", method=method, register_options=options))
        configured = workspace and workspace.did_change_configuration
        if configured and configured.dynamic_registration:
            method = types.WORKSPACE_DID_CHANGE_CONFIGURATION
            options_ = types.DidChangeConfigurationRegistrationOptions(section="tslint")
            registrations.append(
                types.Registration(id="tslint-configuration", method=method, register_options=options_)
            )
        if registrations:
            self._background(
                self._asked(
                    self.client_register_capability_async, types.RegistrationParams(registrations=registrations)
                )
            )
        if workspace and workspace.configuration:
            self._background(self._ask_configuration())

    def report_server_error(self, error: Exception, source: Any) -> None:
        """An error that no request was about: for the log, nobody can do anything about it in the editor."""
        level = logging.DEBUG if source is FeatureRequestError else logging.ERROR  # a request has its answer
        logger.log(level, "%s: %s", type(error).__name__, error)

    # Texts come and go.

    def opened(self, params: types.DidOpenTextDocumentParams) -> None:
        """``textDocument/didOpen``."""
        document = self.documents.open(params.text_document)
        if document is not None:
            self._judge({document.path})

    def edited(self, params: types.DidChangeTextDocumentParams) -> None:
        """``textDocument/didChange``."""
        document = self.documents.change(params.text_document, params.content_changes)
        if document is not None and self.options.run == "onType":
            self._judge({document.path})

    def closed(self, params: types.DidCloseTextDocumentParams) -> None:
        """``textDocument/didClose``: from now on the file on disk counts."""
        document = self.documents.close(params.text_document.uri)
        if document is not None:
            self._forget(document.uri)
            self._judge({document.path})

    def _saved(self, params: types.DidSaveTextDocumentParams) -> None:
        document = self.documents.get(params.text_document.uri)
        if document is not None:
            self._judge({document.path} if self.options.run == "onSave" else set())

    def _forget(self, uri: str) -> None:
        for table in (self._results, self._known, self._confirmed):
            table.pop(uri, None)
        if self._published.pop(uri, None) is not None:
            self.text_document_publish_diagnostics(types.PublishDiagnosticsParams(uri=uri, diagnostics=[]))
        self._wake()

    # Surroundings change.

    def _files_changed(self, params: types.DidChangeWatchedFilesParams) -> None:
        paths = [path for path in (path_of(change.uri) for change in params.changes) if path is not None]
        sources = [path for path in paths if path.suffix == ".py"]
        renewed = len(sources) < len(paths)
        if not sources:
            if renewed:
                self._judge(set(), renewed=True)
            return
        opened = {document.path for document in self.documents}
        future = self._worker.submit(lambda analyst, _: analyst.on_disk(set(sources) - opened))

        def judge(changed: frozenset[Path]) -> None:
            self._judge(set(changed), renewed=renewed)

        def done(found: Future[frozenset[Path]]) -> None:
            if not found.cancelled() and found.exception() is None and (found.result() or renewed):
                self._from_worker(judge)(found.result())

        future.add_done_callback(done)

    def _configuration_changed(self, params: types.DidChangeConfigurationParams) -> None:
        workspace = self.client_capabilities.workspace
        if workspace and workspace.configuration:
            self._background(self._ask_configuration())
        else:
            settings = params.settings
            if isinstance(settings, dict):
                settings = settings.get("tslint", settings if set(settings) == {"settings"} else None)
            self._configure(self._parsed(settings) if settings else self._initial)

    async def _ask_configuration(self) -> None:
        items = [types.ConfigurationItem(section="tslint")]
        answer = await self._asked(self.workspace_configuration_async, types.ConfigurationParams(items=items))
        found = answer[0] if isinstance(answer, (list, tuple)) and answer else None
        self._configure(self._parsed(found) if found else self._initial)

    def _configure(self, options: Options) -> None:
        if options != self.options:
            self.options = options
            self._judge(set(), renewed=True)

    def _parsed(self, value: Any) -> Options:
        options, problems = parse_options(value)
        if problems:
            self._say("tslint: " + "; ".join(problems), types.MessageType.Warning)
        return options

    def _folders_changed(self, params: types.DidChangeWorkspaceFoldersParams) -> None:
        removed = {path_of(folder.uri) for folder in params.event.removed}
        added = [path_of(folder.uri) for folder in params.event.added]
        kept = [folder for folder in self._folders if folder not in removed]
        self._folders = tuple(dict.fromkeys([*kept, *(folder for folder in added if folder is not None)]))
        self._judge(set(), renewed=True)

    # Judgements.

    def _judge(self, changed: set[Path], *, renewed: bool = False) -> None:
        self._generation += 1
        first = self._generation == 1
        self._worker.judge(
            Request(
                self._generation, tuple(self.documents), frozenset(changed), renewed or first, self.options,
                self._folders,
            )
        )  # fmt: skip

    def _from_worker(self, function: Callable[[Value], None]) -> Callable[[Value], None]:
        """A function that may be called in any thread, and runs in the main loop."""

        def call(value: Value) -> None:
            try:
                if self._loop is not None:
                    self._loop.call_soon_threadsafe(function, value)
            except RuntimeError:
                logger.debug("the client has left")

        return call

    def _complained(self, message: str) -> None:
        self._say(f"tslint: {message}", types.MessageType.Error)

    def _answered(self, answer: Answer) -> None:
        """Take over what the worker found, as far as it is about texts as they are now."""
        if isinstance(answer, Unconcerned):
            for document in answer.documents:
                if self._current(document):
                    self._confirmed[document.uri] = answer.generation
        elif self._current(answer.document):
            uri = answer.document.uri
            if isinstance(answer, Result):
                self._take(uri, answer)
            else:
                before = self._known.get(uri)
                self._known[uri] = answer
                if before is not None and before.document == answer.document and before.insight != answer.insight:
                    self._refresh(diagnostics=False)
        self._wake()

    def _current(self, document: Document) -> bool:
        known = self.documents.get(document.uri)
        return known is not None and known.revision == document.revision

    def _take(self, uri: str, result: Result) -> None:
        before = self._results.get(uri)
        self._results[uri] = result
        self._confirmed[uri] = result.generation
        if not self._pulls():
            self._publish(result)
        elif before is not None and before.document == result.document and before.diagnostics != result.diagnostics:
            self._refresh(diagnostics=True)

    def _publish(self, result: Result) -> None:
        document = result.document
        state = (document.revision, result.diagnostics)
        if self._published.get(document.uri) != state:
            self._published[document.uri] = state
            items = self._items(result)
            self.text_document_publish_diagnostics(
                types.PublishDiagnosticsParams(uri=document.uri, diagnostics=items, version=document.version)
            )

    def _items(self, result: Result) -> list[types.Diagnostic]:
        text = self.client_capabilities.text_document
        published = text and text.publish_diagnostics
        pulled = text and getattr(text.diagnostic, "related_information", None)
        related = bool((published and published.related_information) or pulled)
        places = self.documents.places(result.document)
        return [messages.diagnostic(each, places, related=related) for each in result.diagnostics]

    def _pulls(self) -> bool:
        text = self.client_capabilities.text_document
        return text is not None and text.diagnostic is not None

    def _refresh(self, *, diagnostics: bool) -> None:
        """Have the client ask again: the answers are others though its text is not."""
        workspace = self.client_capabilities.workspace
        if workspace is None:
            return
        if diagnostics:
            if workspace.diagnostics and workspace.diagnostics.refresh_support:
                self._background(self._asked(self.workspace_diagnostic_refresh_async, None))
            return
        if workspace.inlay_hint and workspace.inlay_hint.refresh_support:
            self._background(self._asked(self.workspace_inlay_hint_refresh_async, None))
        if workspace.code_lens and workspace.code_lens.refresh_support:
            self._background(self._asked(self.workspace_code_lens_refresh_async, None))

    def _wake(self) -> None:
        if self._news is not None:
            self._news.set()
            self._news = asyncio.Event()

    async def _fresh(self, uri: str, table: dict[str, Any]) -> Any:
        """What is known of the newest text, as soon as it is; None for a text that is not open."""
        generation = self._generation
        while True:
            document = self.documents.get(uri)
            if document is None or self._news is None:
                return None
            found = table.get(uri)
            if found is not None and self.options.run == "onSave":
                return found
            if found is not None and found.document.revision == document.revision:
                if self._confirmed.get(uri, 0) >= generation:
                    return found
            await self._news.wait()

    # What clients ask for.

    async def _pulled(
        self, params: types.DocumentDiagnosticParams
    ) -> types.RelatedFullDocumentDiagnosticReport | types.RelatedUnchangedDocumentDiagnosticReport:
        result: Result | None = await self._fresh(params.text_document.uri, self._results)
        if result is None:
            return types.RelatedFullDocumentDiagnosticReport(items=[])
        identifier = f"{result.document.revision}.{result.generation}"
        if params.previous_result_id == identifier:
            return types.RelatedUnchangedDocumentDiagnosticReport(result_id=identifier)
        return types.RelatedFullDocumentDiagnosticReport(items=self._items(result), result_id=identifier)

    async def _code_actions(self, params: types.CodeActionParams) -> list[types.CodeAction | types.Command]:
        uri, only = params.text_document.uri, params.context.only
        result: Result | None = await self._fresh(uri, self._results)
        if result is None or not self._current(result.document):
            return []
        found: list[types.CodeAction | types.Command] = []
        if actions.wanted(types.CodeActionKind.QuickFix.value, _values(only)):
            found += self._quick_fixes(result, params.range)
        if actions.wanted(actions.FIX_ALL_KIND, _values(only)):
            found += await self._fix_all_action(result, asked=only is not None)
        return found

    def _quick_fixes(self, result: Result, area: types.Range) -> list[types.CodeAction]:
        document = result.document
        places = self.documents.places(document)
        start, end = places.from_client(area.start), places.from_client(area.end)
        here = [
            (finding, item)
            for finding, item in zip(result.diagnostics, self._items(result))
            if finding.start <= max(start, end) and min(start, end) <= max(finding.end, finding.start)
        ]
        found: list[types.CodeAction] = []
        for finding, item in here:
            mend = actions.quick_fix(finding, places, unsafe=self.options.unsafe_fixes)
            if mend is not None:
                title, edits = mend
                safe = finding.fix is not None and finding.fix.applicability is Applicability.SAFE
                found.append(self._action(document, title, edits, item, preferred=safe))
        for finding, item in here:
            edits = actions.suppression(finding, places)
            if edits:
                found.append(self._action(document, f"Suppress {finding.code} here", edits, item, preferred=False))
        return found

    def _action(
        self, document: Document, title: str, edits: list[types.TextEdit], item: types.Diagnostic, *, preferred: bool
    ) -> types.CodeAction:
        return types.CodeAction(
            title=title,
            kind=types.CodeActionKind.QuickFix,
            diagnostics=[item],
            is_preferred=preferred,
            edit=actions.workspace_edit(document, edits, versioned=self._versioned),
        )

    @property
    def _versioned(self) -> bool:
        workspace = self.client_capabilities.workspace
        return bool(workspace and workspace.workspace_edit and workspace.workspace_edit.document_changes)

    async def _fix_all_action(self, result: Result, *, asked: bool) -> list[types.CodeAction]:
        places = self.documents.places(result.document)
        if not any(actions.quick_fix(each, places, unsafe=False) for each in result.diagnostics):
            return []
        title = "Apply all safe fixes of tslint"
        uri = result.document.uri
        if not asked:
            # In a menu: worked out when it is chosen.
            command = types.Command(title=title, command=messages.FIX_ALL, arguments=[uri])
            return [types.CodeAction(title=title, kind=actions.FIX_ALL_KIND, command=command)]
        if self._resolves:
            return [types.CodeAction(title=title, kind=actions.FIX_ALL_KIND, data={"uri": uri})]
        edit = await self._all_fixed(result.document)
        return [types.CodeAction(title=title, kind=actions.FIX_ALL_KIND, edit=edit)] if edit else []

    @property
    def _resolves(self) -> bool:
        text = self.client_capabilities.text_document
        support = text and text.code_action and text.code_action.resolve_support
        return bool(support and "edit" in support.properties)

    async def _resolved(self, action: types.CodeAction) -> types.CodeAction:
        uri = action.data.get("uri") if isinstance(action.data, dict) else None
        result: Result | None = await self._fresh(str(uri), self._results)
        if result is not None:
            action.edit = await self._all_fixed(result.document)
        return action

    async def _all_fixed(self, document: Document) -> types.WorkspaceEdit | None:
        """The edits of all safe fixes of a text; None where there are none, or it has changed meanwhile."""
        text = await asyncio.wrap_future(self._worker.submit(lambda analyst, last: analyst.fixed(document, last)))
        if not self._current(document) or text == document.source.text:
            return None
        edits = actions.difference(self.documents.places(document), text)
        return actions.workspace_edit(document, edits, versioned=self._versioned)

    async def _hover(self, params: types.HoverParams) -> types.Hover | None:
        result: Result | None = await self._fresh(params.text_document.uri, self._results)
        if result is None or not self._current(result.document):
            return None
        places = self.documents.places(result.document)
        text = self.client_capabilities.text_document
        formats = text.hover.content_format if text and text.hover else None
        markdown = not formats or types.MarkupKind.Markdown in formats
        position = places.from_client(params.position)
        return messages.hover(position, result.diagnostics, result.document, places, markdown=markdown)

    async def _inlay_hints(self, params: types.InlayHintParams) -> list[types.InlayHint]:
        if not (self.options.inlay_hints and self.options.enable):
            return []
        known: Known | None = await self._fresh(params.text_document.uri, self._known)
        if known is None or not self._current(known.document):
            return []
        places = self.documents.places(known.document)
        start, end = places.from_client(params.range.start), places.from_client(params.range.end)
        return [messages.inlay_hint(each, places) for each in known.insight.hints if start <= each.position <= end]

    async def _code_lenses(self, params: types.CodeLensParams) -> list[types.CodeLens]:
        if not (self.options.code_lens and self.options.enable):
            return []
        known: Known | None = await self._fresh(params.text_document.uri, self._known)
        if known is None or not self._current(known.document):
            return []
        places = self.documents.places(known.document)
        return [messages.code_lens(each, known.document, places) for each in known.insight.lenses]

    # Commands.

    async def _verify(self, *arguments: Any) -> dict[str, Any]:
        """``tslint.verify``: a target's name and the URI of a text that its configuration is for."""
        if not arguments or not isinstance(arguments[0], str):
            self._say("tslint.verify: name a target, as in `pkg.net:Net` or of the configuration")
            return {"passed": False}
        from tslint.server.verifying import verify

        target = arguments[0]
        uri = str(arguments[1]) if len(arguments) > 1 else ""
        result = self._results.get(uri) or next(iter(self._results.values()), None)
        settings = result.session.settings if result and result.session else None
        folder = settings.root if settings else self.documents.folder
        config = settings.source if settings else None
        token = await self._begin(f"tslint verify {target}")
        try:
            outcome = await verify(target, config, folder, self.options.interpreter)
        finally:
            if token is not None:
                self.work_done_progress.end(token, types.WorkDoneProgressEnd())
        kind = types.MessageType.Info if outcome.passed else types.MessageType.Error
        self._say(f"tslint verify: {outcome.message}", kind)
        return {"passed": outcome.passed, "message": outcome.message}

    async def _begin(self, title: str) -> str | None:
        window = self.client_capabilities.window
        if not (window and window.work_done_progress):
            return None
        token = f"tslint-{id(title)}-{len(self._running)}"
        try:
            await self.work_done_progress.create_async(token)
        except Exception:
            return None
        self.work_done_progress.begin(token, types.WorkDoneProgressBegin(title=title))
        return token

    async def _show_caller(self, *arguments: Any) -> None:
        """``tslint.showCaller``: go to the function that drags another one into the compiled world."""
        window = self.client_capabilities.window
        if len(arguments) >= 3 and window and window.show_document and window.show_document.support:
            uri, row, column = str(arguments[0]), int(arguments[1]), int(arguments[2])
            place = types.Position(line=max(row - 1, 0), character=max(column - 1, 0))
            params = types.ShowDocumentParams(uri=uri, take_focus=True, selection=types.Range(start=place, end=place))
            await self._asked(self.window_show_document_async, params)
        elif len(arguments) >= 4 and isinstance(arguments[3], list):
            steps = [f"{step['name']} ({Path(step['uri']).name}:{step['row']})" for step in arguments[3]]
            self._say(f"compiled via {' → '.join(steps)}", types.MessageType.Info)

    async def _fix_all(self, *arguments: Any) -> None:
        """``tslint.fixAll``: apply all safe fixes of an open text."""
        result: Result | None = await self._fresh(str(arguments[0]) if arguments else "", self._results)
        edit = await self._all_fixed(result.document) if result is not None else None
        if edit is not None:
            params = types.ApplyWorkspaceEditParams(edit=edit, label="Apply all safe fixes of tslint")
            await self._asked(self.workspace_apply_edit_async, params)

    # Talking to the client.

    def _say(self, message: str, kind: types.MessageType = types.MessageType.Error) -> None:
        self.window_show_message(types.ShowMessageParams(type=kind, message=message))

    def _background(self, work: Awaitable[Any]) -> None:
        async def run() -> None:
            await work

        task = asyncio.ensure_future(run())
        self._running.add(task)
        task.add_done_callback(self._running.discard)

    @staticmethod
    async def _asked(function: Callable[[Any], Awaitable[Any]], params: Any) -> Any:
        """What the client answers; None where it refuses."""
        try:
            return await function(params)
        except Exception as error:
            logger.warning("the client refuses: %s", error)
            return None


def _function(method: Callable[..., Any]) -> Callable[..., Any]:
    """A method as a function: pygls leaves marks on its handlers, which methods do not take."""
    if asyncio.iscoroutinefunction(method):

        async def answer(*arguments: Any) -> Any:
            return await method(*arguments)

        return answer

    def handle(*arguments: Any) -> Any:
        return method(*arguments)

    return handle


def _values(kinds: Any) -> list[str] | None:
    return None if kinds is None else [_value(kind) for kind in kinds]


def _value(word: Any) -> str:
    """A word of the protocol, which is a member of an enumeration only where it is a known one."""
    return str(getattr(word, "value", word))
