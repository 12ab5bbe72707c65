// The extension's entry: starts the server, and starts it again when what it was started with changes.

import * as vscode from "vscode";

import { registerCommands } from "./commands";
import { onInterpreterChange } from "./interpreter";
import { Server } from "./server";
import { RESTARTING } from "./settings";
import { Status } from "./status";
import { taskProvider } from "./tasks";

let server: Server | undefined;

export async function activate(context: vscode.ExtensionContext): Promise<void> {
  const log = vscode.window.createOutputChannel("tslint", { log: true });
  const status = new Status();
  const started = new Server(log, status);
  server = started;
  const restart = (): void => void started.restart();
  context.subscriptions.push(
    log,
    status,
    started,
    ...registerCommands(started, log),
    vscode.tasks.registerTaskProvider("tslint", taskProvider(() => started.launch)),
    vscode.workspace.onDidChangeConfiguration((event) => {
      // The client follows tslint.trace.server by itself.
      if (RESTARTING.some((name) => event.affectsConfiguration(`tslint.${name}`))) {
        restart();
      }
    }),
    vscode.workspace.onDidGrantWorkspaceTrust(restart),
  );
  const watching = await onInterpreterChange(restart);
  if (watching !== undefined) {
    context.subscriptions.push(watching);
  }
  // Not awaited: an editor does not wait for a linter.
  restart();
}

export async function deactivate(): Promise<void> {
  await server?.stop();
}
