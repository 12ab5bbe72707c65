// The real `tslint server`, as the extension finds and starts it; only where there is one on the PATH.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { accessSync, constants, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { pathToFileURL } from "node:url";

import {
  createProtocolConnection,
  DidOpenTextDocumentNotification,
  ExitNotification,
  InitializedNotification,
  InitializeRequest,
  type PublishDiagnosticsParams,
  PublishDiagnosticsNotification,
  ShutdownRequest,
} from "vscode-languageserver-protocol/node";

import { candidates, type Surroundings } from "../src/find";
import { firstThatWorks, run } from "../src/run";
import { readSettings } from "../src/settings";

const MODEL = `from torch import nn


class Net(nn.Module):
    def forward(self, x):
        try:
            return x + 1
        except ValueError:
            return lambda: x
`;

const manifest = () => JSON.parse(readFileSync("package.json", "utf8"));

const around: Surroundings = {
  platform: process.platform,
  env: process.env,
  home: homedir(),
  trusted: true,
  isProgram: (path) => {
    try {
      accessSync(path, constants.X_OK);
      return true;
    } catch {
      return false;
    }
  },
};

async function main(): Promise<void> {
  const { found } = await firstThatWorks(candidates("", undefined, around), tmpdir());
  const launch = found?.launch;
  if (launch === undefined || (await run(launch, ["server"], tmpdir(), 30)).status !== 0) {
    console.log("no tslint with a language server on the PATH: it is not tested here");
    return;
  }

  test("the server starts, heeds the settings, finds, and ends when it is told to", { timeout: 60_000 }, async () => {
    const folder = mkdtempSync(join(tmpdir(), "tslint-"));
    const uri = pathToFileURL(join(folder, "net.py")).href;
    writeFileSync(join(folder, "net.py"), MODEL);
    const settings = readSettings((name) => (name === "ignore" ? ["lambda"] : null));
    const server = spawn(launch.command, [...launch.args, "server"], { cwd: folder, stdio: ["pipe", "pipe", "inherit"] });
    const ended = new Promise<number | null>((resolve) => server.once("exit", resolve));
    const connection = createProtocolConnection(server.stdout, server.stdin);
    const published = new Promise<PublishDiagnosticsParams>((resolve) =>
      connection.onNotification(PublishDiagnosticsNotification.type, resolve),
    );
    connection.listen();
    const { capabilities } = await connection.sendRequest(InitializeRequest.type, {
      processId: process.pid,
      rootUri: pathToFileURL(folder).href,
      workspaceFolders: [{ uri: pathToFileURL(folder).href, name: "folder" }],
      capabilities: { textDocument: { publishDiagnostics: { relatedInformation: true } } },
      initializationOptions: settings.server,
    });
    // The client registers these in VS Code, where a second command of the same name would be an error.
    const theirs = capabilities.executeCommandProvider?.commands ?? [];
    const ours: { command: string }[] = manifest().contributes.commands;
    assert.deepEqual(ours.map((each) => each.command).filter((name) => theirs.includes(name)), []);
    assert.ok(theirs.includes("tslint.verify"), "the command that is held back where the workspace is not trusted");

    await connection.sendNotification(InitializedNotification.type, {});
    const textDocument = { uri, languageId: "python", version: 1, text: MODEL };
    await connection.sendNotification(DidOpenTextDocumentNotification.type, { textDocument });
    const { diagnostics } = await published;
    assert.deepEqual(
      diagnostics.map(({ source, code, range }) => [source, code, range.start]),
      [["tslint", "TS101", { line: 5, character: 8 }]],
    );
    await connection.sendRequest(ShutdownRequest.type);
    await connection.sendNotification(ExitNotification.type);
    assert.equal(await ended, 0);
    connection.dispose();
    rmSync(folder, { recursive: true });
  });
}

void main();
