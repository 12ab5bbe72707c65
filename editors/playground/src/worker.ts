// Runs tslint in Pyodide, apart from the page, which stays usable meanwhile.

import type { Answer, Finding, Request } from "./protocol";
import { start } from "./start";

const say = (answer: Answer): void => postMessage(answer);
// Only the newest text is of interest: an older one that was not looked at yet is dropped.
let waiting: Request | undefined;
let check: ((request: string) => string) | undefined;
// Whether all files are there: before, a failure may be only that one of them is missing.
let complete = false;

function work(): void {
  if (check === undefined || waiting === undefined) {
    return;
  }
  const request = waiting;
  waiting = undefined;
  try {
    const found = JSON.parse(check(JSON.stringify(request)));
    if (!complete && found.findings.some((each: Finding) => each.code === "TS900")) {
      waiting = request;
    } else {
      say({ kind: "checked", id: request.id, edits: request.edits, ...found });
    }
  } catch (error) {
    say({ kind: "failed", text: String(error) });
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
  say({ kind: "progress", text: "Loading tslint …" });
  const python = await start();
  check = python.check;
  say({ kind: "ready" });
  work();
  await python.finish();
  complete = true;
  work();
  say({ kind: "loaded", addresses: performance.getEntriesByType("resource").map((each) => each.name) });
}

begin().catch((error: unknown) => say({ kind: "failed", text: String(error) }));
