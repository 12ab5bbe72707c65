// Whose code may be run.

import * as vscode from "vscode";

/** Whether the workspace is trusted, so that its models may be run; says so where it is not. */
export function mayRunModels(): boolean {
  if (!vscode.workspace.isTrusted) {
    void vscode.window.showWarningMessage("`tslint verify` runs the model, so the workspace must be trusted first.");
  }
  return vscode.workspace.isTrusted;
}
