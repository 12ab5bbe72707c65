// Runs tslint and reads what it prints. Nothing in here knows VS Code.

import { execFile } from "node:child_process";

import type { Launch } from "./find";

/** What a run left behind; `status` is null where the program could not be started or took too long. */
export interface Outcome {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** A place with a tslint that works, or why it does not. */
export type Probe = { readonly launch: Launch; readonly version: string } | { readonly reason: string };

/** Run tslint with arguments and nothing on its standard input; never rejects. */
export function run(launch: Launch, args: readonly string[], cwd: string, seconds = 60): Promise<Outcome> {
  return new Promise((resolve) => {
    const options = { cwd, timeout: seconds * 1000, maxBuffer: 64 * 1024 * 1024, windowsHide: true };
    const started = Date.now();
    const child = execFile(launch.command, [...launch.args, ...args], options, (error, stdout, stderr) => {
      if (error === null) {
        resolve({ status: 0, stdout, stderr });
      } else if (typeof error.code === "number") {
        resolve({ status: error.code, stdout, stderr });
      } else {
        const late = error.killed === true && Date.now() - started >= seconds * 1000;
        const reason = late ? `it did not answer within ${seconds} s` : spawnProblem(error);
        resolve({ status: null, stdout, stderr: stderr.trim() === "" ? reason : stderr });
      }
    });
    // A program that has ended already reads no end of its input.
    child.stdin?.on("error", () => undefined).end();
  });
}

/** Ask for the version: tells tslint from the TypeScript linter of the same name. */
export async function probe(launch: Launch, cwd: string): Promise<Probe> {
  const { status, stdout, stderr } = await run(launch, ["--version"], cwd, 30);
  const version = /^tslint (\S+)/.exec(stdout)?.[1];
  if (status === 0 && version !== undefined) {
    return { launch, version };
  }
  if (status === 0) {
    const printed = firstLine(stdout);
    return { reason: `another program of the same name: its version is ${printed === "" ? "empty" : printed}` };
  }
  if (/No module named ['"]?tslint\b/.test(stderr)) {
    return { reason: "tslint is not installed there" };
  }
  return { reason: lastLine(stderr) || `it ended with status ${status}` };
}

/** The first place with a tslint that works, and what was wrong with those before it. */
export async function firstThatWorks(
  places: readonly Launch[],
  cwd: string,
): Promise<{ found: { launch: Launch; version: string } | undefined; rejected: { launch: Launch; reason: string }[] }> {
  const rejected: { launch: Launch; reason: string }[] = [];
  for (const launch of places) {
    const result = await probe(launch, cwd);
    if ("version" in result) {
      return { found: result, rejected };
    }
    rejected.push({ launch, reason: result.reason });
  }
  return { found: undefined, rejected };
}

function spawnProblem(error: NodeJS.ErrnoException | { code?: unknown; message: string }): string {
  switch (error.code) {
    case "ENOENT":
      return "there is no such file";
    case "EACCES":
      return "it is not a program that you may run";
    default:
      return firstLine(error.message);
  }
}

function firstLine(text: string): string {
  return text.trim().split(/\r?\n/, 1)[0] ?? "";
}

/** The last line, without the `error: ` that tslint puts before its own. */
export function lastLine(text: string): string {
  return (text.trim().split(/\r?\n/).at(-1) ?? "").replace(/^error: /, "");
}
