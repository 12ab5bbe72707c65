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

/** One language server for the window, in the first folder of the workspace. */
export class Server implements vscode.Disposable {
  readonly #log: vscode.LogOutputChannel;
  readonly #trace = vscode.window.createOutputChannel("tslint (trace)", { log: true });
  readonly #status: Status;
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
      await this.#missing(interpreter, only && `${only.launch.command} cannot be used: ${only.reason}`);
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
    const options = { ...settings.server, ...(interpreter === undefined ? {} : { interpreter }) };
    const client = new LanguageClient(
      "tslint",
      "tslint",
      { command: launch.command, args: [...launch.args, "server", ...settings.args], options: { cwd } },
      {
        documentSelector: [{ scheme: "file", language: "python" }],
        initializationOptions: options,
        // A server that asks gets the same, not the settings that are for the extension.
        middleware: { workspace: { configuration: ({ items }) => items.map(() => options) } },
        synchronize: { fileEvents: vscode.workspace.createFileSystemWatcher("**/{*.py,pyproject.toml,tslint.toml}") },
        diagnosticCollectionName: "tslint",
        outputChannel: this.#log,
        traceOutputChannel: this.#trace,
        revealOutputChannelOn: RevealOutputChannelOn.Never,
        initializationFailedHandler: () => false,
        errorHandler: this.#errors(),
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
      this.#status.set("running", version);
    } catch (error) {
      this.#client = undefined;
      await client.dispose().catch(() => undefined);
      // What tslint says of itself is worth more than that the connection was closed.
      const asked = await run(launch, ["server", "--help"], cwd, 30);
      const reason = asked.status === 0 ? String(error instanceof Error ? error.message : error) : lastLine(asked.stderr);
      await this.#failed(`tslint ${version} (${launch.command}) did not start its language server: ${reason}`, interpreter);
    }
  }

  /** Restart a server that ended by itself, but not one that ends again and again. */
  #errors(): ErrorHandler {
    const ends: number[] = [];
    return {
      error: () => ({ action: ErrorAction.Continue }),
      closed: () => {
        const now = Date.now();
        ends.push(now);
        if (ends.filter((time) => now - time < 180_000).length < 4) {
          this.#log.warn("The language server ended and is started again.");
          return { action: CloseAction.Restart, handled: true };
        }
        this.#client = undefined;
        void this.#failed("The language server of tslint ended four times within three minutes.", undefined);
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

  async #missing(interpreter: string | undefined, problem: string | undefined): Promise<void> {
    const command = installCommand(interpreter);
    const message = problem ?? `tslint was found neither in the workspace's Python environment nor on the PATH`;
    this.#status.set("missing", `${message}\n${command}`);
    this.#log.error(`${message}. Install it: ${command}`);
    // Not awaited: a message that nobody answers must not hold up the next start.
    void this.#offer(`${message}. Install it with: ${command}`, interpreter, problem !== undefined);
  }

  async #failed(message: string, interpreter: string | undefined): Promise<void> {
    this.#status.set("failed", message);
    this.#log.error(message);
    const chosen = await pick(message, ["Restart", "Show Log"]);
    await this.#act(chosen, interpreter);
  }

  async #offer(message: string, interpreter: string | undefined, configured: boolean): Promise<void> {
    const install = interpreter !== undefined && vscode.workspace.isTrusted && !configured ? ["Install"] : [];
    const chosen = await pick(message, [...install, "Copy Command", "Open Settings", "Show Log"]);
    await this.#act(chosen, interpreter);
  }

  async #act(chosen: string | undefined, interpreter: string | undefined): Promise<void> {
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

function pick(message: string, choices: readonly string[]): Thenable<string | undefined> {
  return vscode.window.showErrorMessage(message, ...choices);
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
