// Tasks: `tslint check` with its findings in the problems view, and `tslint verify` of a target.

import * as vscode from "vscode";

import type { Launch } from "./find";

const TYPE = "tslint";
const MATCHER = "$tslint";

/** The task that runs a command of tslint. */
export function taskOf(
  launch: Launch,
  definition: vscode.TaskDefinition,
  scope: vscode.WorkspaceFolder | vscode.TaskScope.Workspace,
): vscode.Task {
  const command = definition["command"] === "verify" ? "verify" : "check";
  const args = Array.isArray(definition["args"]) ? definition["args"].map(String) : [];
  const format = command === "check" ? ["--output-format", "concise"] : [];
  const task = new vscode.Task(
    definition,
    scope,
    [command, ...args].join(" "),
    TYPE,
    new vscode.ProcessExecution(launch.command, [...launch.args, command, ...format, ...args]),
    command === "check" ? [MATCHER] : [],
  );
  task.group = command === "check" ? vscode.TaskGroup.Build : vscode.TaskGroup.Test;
  return task;
}

/** Offers `tslint: check` for every folder of the workspace, and runs what tasks.json defines. */
export function taskProvider(found: () => Launch | undefined): vscode.TaskProvider {
  return {
    provideTasks: () => {
      const launch = found();
      const folders = vscode.workspace.workspaceFolders ?? [];
      return launch === undefined
        ? []
        : folders.map((folder) => taskOf(launch, { type: TYPE, command: "check" }, folder));
    },
    resolveTask: (task) => {
      const launch = found();
      const scope = typeof task.scope === "object" ? task.scope : vscode.TaskScope.Workspace;
      return launch === undefined ? undefined : taskOf(launch, task.definition, scope);
    },
  };
}
