// Runs tslint in Pyodide, apart from the page, which stays usable meanwhile.

import type { Answer, Finding, Request } from "./protocol";
import { type Python, start } from "./start";

const say = (answer: Answer): void => postMessage(answer);
// Only the newest text is of interest: an older one that was not looked at yet is dropped.
let waiting: Request | undefined;
let python: Python | undefined;
// Whether libcst's compiled parser was asked for.
let compiled = false;
// Whether all files are there: before, a failure may be only that one of them is missing.
let complete = false;

function work(): void {
  if (python === undefined || waiting === undefined) {
    return;
  }
  const request = waiting;
  waiting = undefined;
  try {
    const found = JSON.parse(python.check(JSON.stringify(request)));
    if (!complete && found.findings.some((each: Finding) => each.code === "TS900")) {
      waiting = request;
    } else {
      say({ kind: "checked", id: request.id, edits: request.edits, ...found });
    }
    if (found.newer && !compiled) {
      compiled = true;
      void upgrade(python, request);
    }
  } catch (error) {
    say({ kind: "failed", text: String(error) });
  }
}

// Looks again at code that could not be read, once it can be.
async function upgrade(from: Python, request: Request): Promise<void> {
  if (await from.compiled()) {
    waiting ??= request;
    work();
  }
}

addEventListener("message", ({ data }: MessageEvent<Request>) => {
  const idle = waiting === undefined;
  waiting = data;
  if (idle) {
    setTimeout(work);
  }
});

async function begin(): Promise<void> {
  say({ kind: "progress", percent: 0 });
  python = await start((percent) => say({ kind: "progress", percent }));
  say({ kind: "ready" });
  work();
  await python.finish();
  complete = true;
  work();
  say({ kind: "loaded", addresses: performance.getEntriesByType("resource").map((each) => each.name) });
}

begin().catch((error: unknown) => say({ kind: "failed", text: String(error) }));
