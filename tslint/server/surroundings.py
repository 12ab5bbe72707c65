"""Handles changes of folders, settings and files by other programs."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from lsprotocol import types

from tslint.server.client import Client
from tslint.server.documents import path_of
from tslint.server.judging import Judging
from tslint.server.messages import word
from tslint.server.options import Options, parse_options

_WATCHED = ("**/*.py", "**/tslint.toml", "**/pyproject.toml", "**/tslint-baseline.json")


class Surroundings:
    """Handles changes that come from outside the editor's texts.

    Args:
        client: the client that reports them.
        judging: checks the affected texts again.
    """

    def __init__(self, client: Client, judging: Judging) -> None:
        self._client = client
        self._judging = judging
        self._initial = Options()

    def initialize(self, params: types.InitializeParams) -> None:
        """Handle ``initialize``."""
        judging = self._judging
        judging.begin()
        judging.documents.encoding = word(self._client.server.workspace.position_encoding or "utf-16")
        folders = [path_of(folder.uri) for folder in params.workspace_folders or ()]
        if not folders and params.root_uri:
            folders = [path_of(params.root_uri)]
        elif not folders and params.root_path:
            folders = [Path(params.root_path)]
        judging.folders = tuple(folder for folder in folders if folder is not None)
        if judging.folders:
            judging.documents.folder = judging.folders[0]
        judging.options = self._initial = self._parsed(params.initialization_options)

    async def initialized(self, params: types.InitializedParams) -> None:
        """Handle ``initialized``: ask for notifications about files and settings."""
        workspace = self._client.workspace
        registrations = []
        watched = workspace.did_change_watched_files
        if watched and watched.dynamic_registration:
            watchers = [types.FileSystemWatcher(glob_pattern=pattern) for pattern in _WATCHED]
            method = types.WORKSPACE_DID_CHANGE_WATCHED_FILES
            options = types.DidChangeWatchedFilesRegistrationOptions(watchers=watchers)
            registrations.append(types.Registration(id="tslint-files", method=method, register_options=options))
        configured = workspace.did_change_configuration
        if configured and configured.dynamic_registration:
            method = types.WORKSPACE_DID_CHANGE_CONFIGURATION
            options_ = types.DidChangeConfigurationRegistrationOptions(section="tslint")
            registrations.append(
                types.Registration(id="tslint-configuration", method=method, register_options=options_)
            )
        if registrations:
            register = self._client.server.client_register_capability_async
            wanted = types.RegistrationParams(registrations=registrations)
            self._client.background(self._client.asked(register, wanted))
        if workspace.configuration:
            self._client.background(self._ask_configuration())

    def files_changed(self, params: types.DidChangeWatchedFilesParams) -> None:
        """Handle ``workspace/didChangeWatchedFiles``."""
        paths = [path for path in (path_of(change.uri) for change in params.changes) if path is not None]
        sources = {path for path in paths if path.suffix == ".py"}
        renewed = any(path.suffix != ".py" for path in paths)
        if sources:
            self._judging.on_disk(sources, renewed=renewed)
        elif renewed:
            self._judging.judge(set(), renewed=True)

    def folders_changed(self, params: types.DidChangeWorkspaceFoldersParams) -> None:
        """Handle ``workspace/didChangeWorkspaceFolders``."""
        removed = {path_of(folder.uri) for folder in params.event.removed}
        added = [path_of(folder.uri) for folder in params.event.added]
        kept = [folder for folder in self._judging.folders if folder not in removed]
        self._judging.folders = tuple(dict.fromkeys([*kept, *(folder for folder in added if folder is not None)]))
        self._judging.judge(set(), renewed=True)

    def configuration_changed(self, params: types.DidChangeConfigurationParams) -> None:
        """Handle ``workspace/didChangeConfiguration``."""
        if self._client.workspace.configuration:
            self._client.background(self._ask_configuration())
            return
        settings = params.settings
        if isinstance(settings, dict):
            settings = settings.get("tslint", settings if set(settings) == {"settings"} else None)
        self._configure(settings)

    async def _ask_configuration(self) -> None:
        params = types.ConfigurationParams(items=[types.ConfigurationItem(section="tslint")])
        answer = await self._client.asked(self._client.server.workspace_configuration_async, params)
        self._configure(answer[0] if isinstance(answer, (list, tuple)) and answer else None)

    def _configure(self, settings: Any) -> None:
        options = self._parsed(settings) if settings else self._initial
        if options != self._judging.options:
            self._judging.options = options
            self._judging.judge(set(), renewed=True)

    def _parsed(self, value: Any) -> Options:
        options, problems = parse_options(value)
        if problems:
            self._client.say("tslint: " + "; ".join(problems), types.MessageType.Warning)
        return options
