// The Python that the workspace uses, as the Python extension tells it.

import * as vscode from "vscode";

const PYTHON_EXTENSION = "ms-python.python";

// The part of the Python extension's interface that is used here.
interface PythonApi {
  readonly environments: {
    getActiveEnvironmentPath(resource?: vscode.Uri): { readonly id: string; readonly path: string };
    resolveEnvironment(
      environment: unknown,
    ): Promise<{ readonly executable: { readonly uri?: vscode.Uri | undefined } } | undefined>;
    readonly onDidChangeActiveEnvironmentPath: vscode.Event<unknown>;
  };
}

/** The interpreter that is chosen for a folder; undefined without the Python extension, or where none is chosen. */
export async function interpreterOf(
  folder: vscode.Uri | undefined,
  log: vscode.LogOutputChannel,
): Promise<string | undefined> {
  try {
    const environments = (await pythonApi())?.environments;
    const active = environments?.getActiveEnvironmentPath(folder);
    const resolved = await environments?.resolveEnvironment(active);
    return resolved?.executable.uri?.fsPath;
  } catch (error) {
    log.warn(`The Python extension does not tell which Python is chosen: ${String(error)}`);
    return undefined;
  }
}

/** Call back whenever another interpreter is chosen. */
export async function onInterpreterChange(changed: () => void): Promise<vscode.Disposable | undefined> {
  const api = await pythonApi().catch(() => undefined);
  return api?.environments.onDidChangeActiveEnvironmentPath(() => changed());
}

async function pythonApi(): Promise<PythonApi | undefined> {
  const extension = vscode.extensions.getExtension<PythonApi>(PYTHON_EXTENSION);
  return extension === undefined ? undefined : await extension.activate();
}
