// What the command palette offers.

import { homedir } from "node:os";

import * as vscode from "vscode";

import type { Launch } from "./find";
import { isRule, rulePage, ruleTable } from "./rules";
import { lastLine, run } from "./run";
import type { Server } from "./server";
import { configuredTargets, type Target, targetsOfFile } from "./targets";
import { taskOf } from "./tasks";
import { mayRunModels } from "./trust";

const PAGES = "tslint-rule";

/** Register every command, and the pages that they open. */
export function registerCommands(server: Server, log: vscode.LogOutputChannel): vscode.Disposable[] {
  const pages = new Map<string, string>();
  const register = (name: string, action: (argument: unknown) => unknown): vscode.Disposable =>
    vscode.commands.registerCommand(name, action);
  return [
    register("tslint.restart", () => server.restart()),
    register("tslint.applyAllFixes", fixAll),
    register("tslint.verifyTarget", (target) => withTslint(server, (launch) => verify(launch, target))),
    register("tslint.showRule", (rule) => withTslint(server, (launch) => showRule(launch, rule, pages))),
    register("tslint.showLog", () => log.show()),
    vscode.workspace.registerTextDocumentContentProvider(PAGES, {
      provideTextDocumentContent: (uri) => pages.get(uri.path),
    }),
  ];
}

async function withTslint(server: Server, action: (launch: Launch) => Promise<void>): Promise<void> {
  if (server.launch === undefined) {
    // Looks again: it may have been installed meanwhile. What is wrong is said by the start.
    await server.restart();
  }
  if (server.launch !== undefined) {
    await action(server.launch);
  }
}

/** Apply every safe fix of the file, as `editor.codeActionsOnSave` would. */
async function fixAll(): Promise<void> {
  await vscode.commands.executeCommand("editor.action.sourceAction", {
    kind: "source.fixAll.tslint",
    apply: "first",
  });
}

/** Run `tslint verify` in the terminal, for the target that is given or chosen. */
async function verify(launch: Launch, argument: unknown): Promise<void> {
  if (!mayRunModels()) {
    return;
  }
  const document = vscode.window.activeTextEditor?.document;
  const folder =
    (document && vscode.workspace.getWorkspaceFolder(document.uri)) ?? vscode.workspace.workspaceFolders?.[0];
  const target = typeof argument === "string" ? argument : await chosenTarget(launch, folder);
  if (target !== undefined) {
    await document?.save();
    const definition = { type: "tslint", command: "verify", args: [target] };
    await vscode.tasks.executeTask(taskOf(launch, definition, folder ?? vscode.TaskScope.Workspace));
  }
}

async function chosenTarget(launch: Launch, folder: vscode.WorkspaceFolder | undefined): Promise<string | undefined> {
  const cwd = folder?.uri.fsPath ?? homedir();
  const { status, stdout, stderr } = await run(launch, ["check", "--show-settings", "--output-format", "json"], cwd);
  if (status !== 0) {
    void vscode.window.showErrorMessage(`tslint: ${lastLine(stderr)}`);
    return undefined;
  }
  const targets: Target[] = configuredTargets(stdout);
  const editor = vscode.window.activeTextEditor;
  if (editor?.document.languageId === "python" && editor.document.uri.scheme === "file") {
    const file = vscode.workspace.asRelativePath(editor.document.uri, false);
    targets.unshift(...targetsOfFile(editor.document.getText(), file, editor.selection.active.line));
  }
  if (targets.length === 0) {
    return await vscode.window.showInputBox({
      title: "tslint verify",
      prompt: "An nn.Module class or instance, or a function that returns a module or (module, inputs)",
      placeHolder: "package.module:attribute or path.py:attribute",
    });
  }
  const chosen = await vscode.window.showQuickPick(
    targets.map(({ name, detail }) => ({ label: name, description: detail })),
    { title: "tslint verify", placeHolder: "The target to script, trace, save, load and compare" },
  );
  return chosen?.label;
}

/** Show the page of a rule: the one that is given, that of the finding at the cursor, or the one that is chosen. */
async function showRule(launch: Launch, argument: unknown, pages: Map<string, string>): Promise<void> {
  const rule = isRule(argument) ? argument : (ruleAtCursor() ?? (await chosenRule(launch)));
  if (rule === undefined) {
    return;
  }
  const { status, stdout, stderr } = await run(launch, ["rule", rule, "--output-format", "json"], homedir());
  const page = rulePage(stdout);
  if (status !== 0 || page === undefined) {
    void vscode.window.showErrorMessage(`tslint: ${lastLine(stderr)}`);
    return;
  }
  const uri = vscode.Uri.from({ scheme: PAGES, path: `/${rule}.md` });
  pages.set(uri.path, page);
  await vscode.commands.executeCommand("markdown.showPreview", uri);
}

function ruleAtCursor(): string | undefined {
  const editor = vscode.window.activeTextEditor;
  if (editor === undefined) {
    return undefined;
  }
  return vscode.languages
    .getDiagnostics(editor.document.uri)
    .filter((each) => each.source === "tslint" && each.range.contains(editor.selection.active))
    .map((each) => (typeof each.code === "object" ? each.code.value : each.code))
    .find(isRule);
}

async function chosenRule(launch: Launch): Promise<string | undefined> {
  const { stdout } = await run(launch, ["rule", "--all", "--output-format", "json"], homedir());
  const chosen = await vscode.window.showQuickPick(
    ruleTable(stdout).map(({ code, name, summary }) => ({ label: code, description: name, detail: summary })),
    { title: "tslint rule", matchOnDescription: true, matchOnDetail: true },
  );
  return chosen?.label;
}
