// What the status bar says of the language server.

import * as vscode from "vscode";

export type State = "starting" | "running" | "stopped" | "failed" | "missing" | "disabled";

const SHOWN: Record<State, { text: string; severity: vscode.LanguageStatusSeverity; icon: string }> = {
  starting: { text: "starting", severity: vscode.LanguageStatusSeverity.Information, icon: "$(loading~spin)" },
  running: { text: "running", severity: vscode.LanguageStatusSeverity.Information, icon: "$(check)" },
  stopped: { text: "stopped", severity: vscode.LanguageStatusSeverity.Warning, icon: "$(debug-stop)" },
  failed: { text: "failed", severity: vscode.LanguageStatusSeverity.Error, icon: "$(error)" },
  missing: { text: "not installed", severity: vscode.LanguageStatusSeverity.Error, icon: "$(error)" },
  disabled: { text: "disabled", severity: vscode.LanguageStatusSeverity.Information, icon: "$(circle-slash)" },
};

/** The entry among the languages' states for Python files, and an item beside it that all can see. */
export class Status implements vscode.Disposable {
  readonly #language = vscode.languages.createLanguageStatusItem("tslint", { language: "python" });
  readonly #bar = vscode.window.createStatusBarItem("tslint", vscode.StatusBarAlignment.Right, 90);
  readonly #editors = vscode.window.onDidChangeVisibleTextEditors(() => this.#showForPython());

  constructor() {
    this.#language.name = "tslint";
    this.#bar.name = "tslint";
    this.#bar.command = "tslint.showLog";
    this.set("starting");
  }

  /** Show a state; `detail` is a version, or what went wrong. */
  set(state: State, detail = ""): void {
    const { text, severity, icon } = SHOWN[state];
    this.#language.text = state === "running" && detail !== "" ? `tslint ${detail}` : `tslint: ${text}`;
    this.#language.detail = state === "running" ? "TorchScript" : detail;
    this.#language.severity = severity;
    this.#language.busy = state === "starting";
    this.#language.command =
      state === "running" || state === "starting"
        ? { command: "tslint.showLog", title: "Show log" }
        : { command: "tslint.restart", title: "Restart server" };
    this.#bar.text = `${icon} tslint`;
    this.#bar.tooltip = [`tslint: ${text}`, detail].filter((part) => part !== "").join("\n");
    this.#bar.backgroundColor =
      severity === vscode.LanguageStatusSeverity.Error
        ? new vscode.ThemeColor("statusBarItem.errorBackground")
        : undefined;
    this.#showForPython();
  }

  dispose(): void {
    this.#language.dispose();
    this.#bar.dispose();
    this.#editors.dispose();
  }

  #showForPython(): void {
    if (vscode.window.visibleTextEditors.some((editor) => editor.document.languageId === "python")) {
      this.#bar.show();
    } else {
      this.#bar.hide();
    }
  }
}
