// The language server: found, started, watched and stopped.

import { constants, accessSync, statSync } from "node:fs";
import { homedir } from "node:os";

import * as vscode from "vscode";
import {
  CloseAction,
  ErrorAction,
  type ErrorHandler,
  LanguageClient,
  RevealOutputChannelOn,
  State as ClientState,
} from "vscode-languageclient/node";

import { candidates, type Launch, type Surroundings } from "./find";
import { INSTALL_ARGUMENTS, installCommand } from "./install";
import { interpreterOf } from "./interpreter";
import { firstThatWorks, lastLine, run } from "./run";
import { readSettings, type Settings } from "./settings";
import type { Status } from "./status";
import { mayRunModels } from "./trust";

// The server's command of the code lens; the client registers it, as all that the server names.
const VERIFY = "tslint.verify";

/** One language server for the window, in the first folder of the workspace. */
export class Server implements vscode.Disposable {
  readonly #log: vscode.LogOutputChannel;
  readonly #trace = vscode.window.createOutputChannel("tslint (trace)", { log: true });
  readonly #status: Status;
  #files: vscode.FileSystemWatcher | undefined;
  #client: LanguageClient | undefined;
  #launch: Launch | undefined;
  // One start or stop at a time: each waits for those before it.
  #queue: Promise<void> = Promise.resolve();
  #waiting = false;

  constructor(log: vscode.LogOutputChannel, status: Status) {
    this.#log = log;
    this.#status = status;
  }

  /** The tslint that was found; undefined before the first start, and where there is none. */
  get launch(): Launch | undefined {
    return this.#launch;
  }

  /** Stop the server if it runs, look for tslint again, and start it. Several calls at once make one restart. */
  restart(): Promise<void> {
    if (!this.#waiting) {
      this.#waiting = true;
      this.#queue = this.#queue.then(async () => {
        this.#waiting = false;
        await this.#stop();
        await this.#start();
      });
    }
    return this.#queue;
  }

  /** Stop the server and wait until it has ended. */
  stop(): Promise<void> {
    this.#queue = this.#queue.then(() => this.#stop());
    return this.#queue;
  }

  dispose(): void {
    this.#trace.dispose();
    this.#files?.dispose();
  }

  async #start(): Promise<void> {
    const folder = vscode.workspace.workspaceFolders?.find((each) => each.uri.scheme === "file")?.uri;
    const configuration = vscode.workspace.getConfiguration("tslint", folder);
    const settings = readSettings((name) => configuration.get(name));
    this.#launch = undefined;
    if (!settings.enable) {
      this.#status.set("disabled", "tslint.enable is off");
      return;
    }
    this.#status.set("starting");
    const cwd = folder?.fsPath ?? homedir();
    const interpreter = vscode.workspace.isTrusted ? await interpreterOf(folder, this.#log) : undefined;
    const places = candidates(settings.path, interpreter, surroundings(folder));
    const { found, rejected } = await firstThatWorks(places, cwd);
    for (const { launch, reason } of rejected) {
      this.#log.warn(`${launch.command} (${launch.origin}): ${reason}`);
    }
    if (found === undefined) {
      const [only] = settings.path === "" ? [] : rejected;
      const problem = only && `${only.launch.command} (tslint.path) cannot be used: ${only.reason}`;
      const nowhere = "tslint was found neither in the workspace's Python environment nor on the PATH";
      this.#missing(interpreter, problem ?? nowhere, settings.path === "");
      return;
    }
    this.#launch = found.launch;
    this.#log.info(`tslint ${found.version}: ${found.launch.command} (${found.launch.origin})`);
    await this.#run(found.launch, found.version, settings, cwd, interpreter);
  }

  async #run(
    launch: Launch,
    version: string,
    settings: Settings,
    cwd: string,
    interpreter: string | undefined,
  ): Promise<void> {
    this.#files ??= vscode.workspace.createFileSystemWatcher("**/{*.py,pyproject.toml,tslint.toml}");
    const options = { ...settings.server, ...(interpreter === undefined ? {} : { interpreter }) };
    let began = false;
    const client = new LanguageClient(
      "tslint",
      "tslint",
      { command: launch.command, args: [...launch.args, "server", ...settings.args], options: { cwd } },
      {
        documentSelector: [{ scheme: "file", language: "python" }],
        initializationOptions: options,
        // A server that asks gets the same, not the settings that are for the extension.
        middleware: {
          workspace: { configuration: ({ items }) => items.map(() => options) },
          executeCommand: (command, args, next) => (command === VERIFY && !mayRunModels() ? undefined : next(command, args)),
        },
        synchronize: { fileEvents: this.#files },
        diagnosticCollectionName: "tslint",
        outputChannel: this.#log,
        traceOutputChannel: this.#trace,
        revealOutputChannelOn: RevealOutputChannelOn.Never,
        initializationFailedHandler: () => false,
        errorHandler: this.#errors(() => began),
      },
    );
    client.onDidChangeState(({ newState }) => {
      if (this.#client !== client) {
        return;
      }
      if (newState === ClientState.Running) {
        this.#status.set("running", version);
      } else if (newState === ClientState.Starting) {
        this.#status.set("starting");
      }
    });
    this.#client = client;
    try {
      await client.start();
      began = true;
      this.#status.set("running", version);
    } catch (error) {
      this.#client = undefined;
      // What tslint says itself, without anybody to talk to, is worth more than that the connection was closed.
      const asked = await run(launch, ["server", ...settings.args], cwd, 30);
      const program = `tslint ${version} (${launch.command})`;
      if (asked.status === 0 || asked.status === null) {
        this.#failed(`${program} did not start its language server: ${error instanceof Error ? error.message : error}`);
      } else {
        const problem = `${program} has no language server: ${lastLine(asked.stderr)}`;
        this.#missing(interpreter, problem, settings.path === "");
      }
    }
  }

  /** Restart a server that ended by itself, but not one that ends again and again. */
  #errors(began: () => boolean): ErrorHandler {
    const ends: number[] = [];
    return {
      error: () => ({ action: ErrorAction.Continue }),
      closed: () => {
        if (!began()) {
          // Said where it is started.
          return { action: CloseAction.DoNotRestart, handled: true };
        }
        const now = Date.now();
        ends.push(now);
        if (ends.filter((time) => now - time < 180_000).length < 4) {
          this.#log.warn("The language server ended and is started again.");
          return { action: CloseAction.Restart, handled: true };
        }
        this.#client = undefined;
        this.#failed("The language server of tslint ended four times within three minutes.");
        return { action: CloseAction.DoNotRestart, handled: true };
      },
    };
  }

  async #stop(): Promise<void> {
    const client = this.#client;
    this.#client = undefined;
    if (client !== undefined) {
      this.#status.set("stopped");
      // A server that hangs is ended after the time-out, and whether it said goodbye changes nothing.
      await client.dispose(2000).catch((error: unknown) => this.#log.warn(String(error)));
    }
  }

  // The messages are not awaited: one that nobody answers must not hold up the next start.

  #missing(interpreter: string | undefined, problem: string, installable: boolean): void {
    const command = installCommand(interpreter);
    const message = `${problem}. Install it with: ${command}`;
    this.#status.set("missing", message);
    this.#log.error(message);
    const install = installable && interpreter !== undefined && vscode.workspace.isTrusted ? ["Install"] : [];
    void this.#ask(message, [...install, "Copy Command", "Open Settings", "Show Log"], interpreter);
  }

  #failed(message: string): void {
    this.#status.set("failed", message);
    this.#log.error(message);
    void this.#ask(message, ["Restart", "Show Log"], undefined);
  }

  async #ask(message: string, choices: readonly string[], interpreter: string | undefined): Promise<void> {
    const chosen = await vscode.window.showErrorMessage(message, ...choices);
    switch (chosen) {
      case "Install":
        await this.#install(interpreter ?? "python");
        break;
      case "Copy Command":
        await vscode.env.clipboard.writeText(installCommand(interpreter));
        break;
      case "Open Settings":
        await vscode.commands.executeCommand("workbench.action.openSettings", "tslint.path");
        break;
      case "Restart":
        await this.restart();
        break;
      case "Show Log":
        this.#log.show();
    }
  }

  /** Run pip where the user can see it, and start the server when it is through. */
  async #install(interpreter: string): Promise<void> {
    const task = new vscode.Task(
      { type: "tslint", command: "install" },
      vscode.TaskScope.Workspace,
      "install",
      "tslint",
      new vscode.ProcessExecution(interpreter, [...INSTALL_ARGUMENTS]),
    );
    const running = await vscode.tasks.executeTask(task);
    const ended = vscode.tasks.onDidEndTaskProcess(({ execution, exitCode }) => {
      if (execution === running) {
        ended.dispose();
        if (exitCode === 0) {
          void this.restart();
        }
      }
    });
  }
}

function surroundings(folder: vscode.Uri | undefined): Surroundings {
  return {
    platform: process.platform,
    env: process.env,
    home: homedir(),
    folder: folder?.fsPath,
    trusted: vscode.workspace.isTrusted,
    isProgram,
  };
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}
