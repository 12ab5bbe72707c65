// Where tslint may be, in the order in which it is looked for. Nothing in here knows VS Code.

import * as path from "node:path";

/** How tslint is started: what follows `args` is a command line of tslint. */
export interface Launch {
  readonly command: string;
  readonly args: readonly string[];
  /** Where it comes from, in words for the log. */
  readonly origin: string;
}

/** What the search looks at; given by the caller, so that tests can say what is there. */
export interface Surroundings {
  readonly platform: NodeJS.Platform;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly home: string;
  /** The workspace folder, if one is open. */
  readonly folder?: string | undefined;
  /** Whether programs of the workspace may be run. */
  readonly trusted: boolean;
  /** Whether a path is a file that can be executed. */
  readonly isProgram: (path: string) => boolean;
}

// `python -m tslint` would let a `click.py` of the workspace in: the working folder comes first on the path of modules.
const LAUNCHER =
  "import sys; sys.path[:] = [place for place in sys.path if place]; from tslint.cli import main; main()";

/**
 * The places where tslint may be, the first one that works wins.
 *
 * @param configured the setting `tslint.path`; if it is not empty there is no other place.
 * @param interpreter the Python that the workspace uses, if it is known.
 */
export function candidates(configured: string, interpreter: string | undefined, around: Surroundings): Launch[] {
  if (configured.trim() !== "") {
    return [{ command: expand(configured.trim(), around), args: [], origin: "tslint.path" }];
  }
  const found: Launch[] = [];
  if (around.trusted) {
    if (interpreter !== undefined) {
      found.push(beside(interpreter, around));
    }
    for (const name of around.folder === undefined ? [] : [".venv", "venv"]) {
      const script = firstProgram(scriptsOf(join(around, around.folder ?? "", name), around), around);
      if (script !== undefined) {
        found.push({ command: script, args: [], origin: `the environment ${name} of the workspace` });
      }
    }
  }
  const script = onPath("tslint", around);
  if (script !== undefined) {
    found.push({ command: script, args: [], origin: "the PATH" });
  }
  const seen = new Set<string>();
  return found.filter((each) => !seen.has(each.command) && seen.add(each.command));
}

/** tslint of a Python: the script that pip put beside it, or its package. */
function beside(interpreter: string, around: Surroundings): Launch {
  const origin = "the Python environment of the workspace";
  const folder = paths(around).dirname(interpreter);
  const places = around.platform === "win32" ? [folder, join(around, folder, "Scripts")] : [folder];
  const script = firstProgram(
    places.map((place) => join(around, place, executable("tslint", around))),
    around,
  );
  return script === undefined
    ? { command: interpreter, args: ["-c", LAUNCHER], origin }
    : { command: script, args: [], origin };
}

/** The absolute path of a program on the PATH: relative entries, such as the working folder, do not count. */
export function onPath(name: string, around: Surroundings): string | undefined {
  const { delimiter, isAbsolute } = paths(around);
  const variable = Object.keys(around.env).find((key) => key.toUpperCase() === "PATH") ?? "PATH";
  const folders = (around.env[variable] ?? "").split(delimiter).filter((folder) => isAbsolute(folder));
  return firstProgram(
    folders.filter((folder) => around.trusted || !inside(folder, around)).map((folder) =>
      join(around, folder, executable(name, around)),
    ),
    around,
  );
}

/** A path from the settings, with its variables replaced, absolute. */
export function expand(configured: string, around: Surroundings): string {
  const folder = around.folder ?? around.home;
  const replaced = configured
    .replace(/^~(?=$|[\\/])/, () => around.home)
    .replace(/\$\{(workspaceFolder|userHome)\}/g, (_, name) => (name === "userHome" ? around.home : folder));
  // A bare name is what the user would type in a shell.
  if (!/[\\/]/.test(replaced)) {
    return onPath(replaced, around) ?? replaced;
  }
  return paths(around).resolve(folder, replaced);
}

function inside(folder: string, around: Surroundings): boolean {
  if (around.folder === undefined) {
    return false;
  }
  const { relative, isAbsolute } = paths(around);
  const way = relative(around.folder, folder);
  return !way.startsWith("..") && !isAbsolute(way);
}

function scriptsOf(environment: string, around: Surroundings): string[] {
  const folder = around.platform === "win32" ? "Scripts" : "bin";
  return [join(around, environment, folder, executable("tslint", around))];
}

function executable(name: string, around: Surroundings): string {
  return around.platform === "win32" && !name.toLowerCase().endsWith(".exe") ? `${name}.exe` : name;
}

function firstProgram(places: readonly string[], around: Surroundings): string | undefined {
  return places.find((place) => around.isProgram(place));
}

function join(around: Surroundings, ...parts: string[]): string {
  return paths(around).join(...parts);
}

function paths(around: Surroundings): path.PlatformPath {
  return around.platform === "win32" ? path.win32 : path.posix;
}
