// Runs tslint in Pyodide, apart from the page, which stays usable meanwhile.

import type { Answer, Request } from "./protocol";

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
  say({ kind: "progress", text: "Loading Python …" });
  const python = fetch(new URL("python.zip", import.meta.url)).then((found) => found.arrayBuffer());
  // @ts-expect-error: it stands beside the built page.
  const { loadPyodide } = await import("./pyodide/pyodide.mjs");
  const pyodide = await loadPyodide({ indexURL: new URL("pyodide/", import.meta.url).href });
  say({ kind: "progress", text: "Loading tslint …" });
  pyodide.unpackArchive(await python, "zip");
  const playground = pyodide.pyimport("playground");
  check = playground.check;
  say({ kind: "ready" });
  work();
}

begin().catch((error: unknown) => say({ kind: "failed", text: String(error) }));
