// Runs tslint in Pyodide, apart from the page, which stays usable meanwhile.

import type { Answer, Request } from "./protocol";
import { start } from "./start";

const say = (answer: Answer): void => postMessage(answer);
// Only the newest text is of interest: an older one that was not looked at yet is dropped.
let waiting: Request | undefined;
let check: ((request: string) => string) | undefined;

function work(): void {
  if (check === undefined || waiting === undefined) {
    return;
  }
  const { id, ...request } = waiting;
  waiting = undefined;
  try {
    say({ kind: "checked", id, ...JSON.parse(check(JSON.stringify(request))) });
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
  say({ kind: "loaded", addresses: performance.getEntriesByType("resource").map((each) => each.name) });
}

begin().catch((error: unknown) => say({ kind: "failed", text: String(error) }));
