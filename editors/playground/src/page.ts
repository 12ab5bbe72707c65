// The page: files, settings and findings. Texts are only ever put in as text.

import { EditorState } from "@codemirror/state";
import { EditorView } from "@codemirror/view";
import { extensions, show, via } from "./editor";
import { changes, difference, offset } from "./places";
import type { Answer, Finding, Hint } from "./protocol";
import { packed, unpacked } from "./share";
import { STORIES } from "./stories";

const element = <T extends HTMLElement>(id: string): T => document.getElementById(id) as T;
const status = element("status");
const list = element("findings");
const darkness = matchMedia("(prefers-color-scheme: dark)");
const PAUSE = 30;

const states = new Map<string, EditorState>();
let current = "";
let findings: Finding[] = [];
let hints: Hint[] = [];
let newest = 0;
let asked = 0;
let timer: ReturnType<typeof setTimeout> | undefined;
let ready = false;

// In a shadow root the editor's styles are style sheets of their own, and the page's policy allows no inline ones.
const root = element("editor").attachShadow({ mode: "open" });
const view = new EditorView({ parent: root as unknown as HTMLElement, root });
const worker = new Worker("worker.js", { type: "module" });

function node(name: string, text = "", style = ""): HTMLElement {
  const made = document.createElement(name);
  made.textContent = text;
  made.className = style;
  return made;
}

function button(text: string, action: () => void): HTMLButtonElement {
  const made = document.createElement("button");
  made.type = "button";
  made.textContent = text;
  made.addEventListener("click", action);
  return made;
}

const fresh = (text: string): EditorState =>
  EditorState.create({ doc: text, extensions: extensions(darkness.matches, later) });
const name = (finding: { filename: string }): string => finding.filename.split("/").pop() ?? "";
const value = (id: string): string => element<HTMLSelectElement>(id).value;

function files(): Record<string, string> {
  states.set(current, view.state);
  return Object.fromEntries([...states].map(([file, state]) => [file, state.doc.toString()]));
}

function open(file: string): void {
  if (states.has(current)) {
    states.set(current, view.state);
  }
  current = file;
  view.setState(states.get(file) ?? fresh(""));
  element("files").replaceChildren(
    ...[...states.keys()].map((each) => {
      const made = button(each, () => open(each));
      made.setAttribute("aria-pressed", String(each === current));
      return made;
    }),
    button("+ File", add),
  );
  mark();
}

function add(): void {
  let number = 1;
  while (states.has(`file${number}.py`)) {
    number++;
  }
  states.set(`file${number}.py`, fresh(""));
  open(`file${number}.py`);
  view.focus();
}

function load(found: Record<string, string>): void {
  states.clear();
  findings = [];
  hints = [];
  for (const [file, text] of Object.entries(found)) {
    states.set(file, fresh(text));
  }
  current = "";
  open(Object.keys(found).at(-1) ?? "model.py");
  ask();
}

function later(): void {
  clearTimeout(timer);
  timer = setTimeout(ask, PAUSE);
}

function ask(): void {
  newest += 1;
  asked = performance.now();
  const settings = { targetTorch: value("torch"), select: value("select").split(",") };
  worker.postMessage({ id: newest, files: files(), settings });
  if (ready) {
    status.textContent = "Checking …";
  }
}

worker.addEventListener("message", ({ data }: MessageEvent<Answer>) => {
  if (data.kind === "progress") {
    status.textContent = data.text;
  } else if (data.kind === "ready") {
    ready = true;
    status.textContent = "Checking …";
  } else if (data.kind === "loaded") {
    void keep(data.addresses);
  } else if (data.kind === "failed") {
    status.textContent = `tslint could not run here: ${data.text}`;
  } else if (data.id === newest) {
    const wanted = value("severity");
    findings = data.findings.filter((each) => wanted === "" || each.severity === wanted);
    hints = data.hints;
    document.body.dataset["milliseconds"] = String(Math.round(performance.now() - asked));
    const words = findings.length === 1 ? "1 finding" : `${findings.length} findings`;
    status.textContent = findings.length === 0 ? "No findings" : words;
    list.replaceChildren(...findings.map(item));
    mark();
  }
});

function mark(): void {
  const here = (each: { filename: string }): boolean => name(each) === current;
  show(view, findings.filter(here), hints.filter(here));
}

function item(finding: Finding): HTMLElement {
  const made = node("li", "", finding.severity);
  const { row, column } = finding.location;
  const place = button(`${name(finding)}:${row}:${column}`, () => go(finding));
  place.className = "place";
  const rule = document.createElement("a");
  rule.href = `../rules/${encodeURIComponent(finding.name)}/`;
  rule.textContent = `${finding.code} ${finding.name}`;
  const head = node("p");
  head.append(place, " ", node("span", finding.severity, "soft"), " ", rule);
  made.append(head, node("p", finding.message));
  for (const text of [finding.help, via(finding)]) {
    if (text) {
      made.append(node("p", text, "soft"));
    }
  }
  if (finding.fix !== null) {
    made.append(fixOf(finding, finding.fix));
  }
  return made;
}

function go(finding: Finding): void {
  if (current !== name(finding)) {
    open(name(finding));
  }
  const at = offset(view.state.doc, finding.location);
  view.dispatch({ selection: { anchor: at }, effects: EditorView.scrollIntoView(at, { y: "center" }) });
  view.focus();
}

function fixOf(finding: Finding, fix: NonNullable<Finding["fix"]>): HTMLElement {
  const made = document.createElement("details");
  made.append(node("summary", `${fix.message} (${fix.applicability})`));
  const before = states.get(name(finding));
  const now = name(finding) === current ? view.state : before;
  if (now !== undefined) {
    const after = now.update({ changes: changes(now.doc, fix.edits) }).state;
    const lines = difference(now.doc.toString().split("\n"), after.doc.toString().split("\n"));
    const diff = document.createElement("pre");
    diff.append(...lines.map(({ kind, line }) => node("span", `${kind === "added" ? "+" : "-"} ${line}`, kind)));
    made.append(diff);
  }
  if (fix.applicability !== "display") {
    const id = newest;
    made.append(
      button("Apply fix", () => {
        // Its places are those of the text that was checked.
        if (id === newest) {
          go(finding);
          view.dispatch({ changes: changes(view.state.doc, fix.edits) });
        }
      }),
    );
  }
  return made;
}

async function copy(text: string, said: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    status.textContent = said;
  } catch {
    status.textContent = "The browser does not let this page copy";
  }
}

element("share").addEventListener("click", async () => {
  const fragment = `#${await packed(files())}`;
  history.replaceState(null, "", fragment);
  await copy(location.href, "Link copied");
});

element("markdown").addEventListener("click", () => {
  const lines = findings.map(
    (each) => `- \`${name(each)}:${each.location.row}:${each.location.column}\` ${each.code} [${each.name}] ${each.message}`,
  );
  const texts = Object.entries(files()).map(([file, text]) => `\`${file}\`:\n\n\`\`\`\`python\n${text}\n\`\`\`\`\n`);
  void copy(`${texts.join("\n")}\n${lines.join("\n")}\n`, "Findings copied");
});

for (const id of ["torch", "select", "severity"]) {
  element(id).addEventListener("change", ask);
}
const stories = element<HTMLSelectElement>("story");
stories.append(...Object.keys(STORIES).map((each) => new Option(each)));
stories.addEventListener("change", () => load(STORIES[stories.value] ?? {}));
darkness.addEventListener("change", () => load(files()));

async function begin(): Promise<void> {
  const shared = await unpacked(location.hash.slice(1));
  if (shared !== undefined) {
    stories.prepend(new Option("From the link", "", true, true));
  }
  load(shared ?? STORIES[stories.value] ?? { "model.py": "" });
}

addEventListener("hashchange", () => void begin());
void begin();

async function keep(addresses: string[]): Promise<void> {
  if ("serviceWorker" in navigator) {
    await navigator.serviceWorker.register("service.js", { type: "module" });
    const { active } = await navigator.serviceWorker.ready;
    const own = performance.getEntriesByType("resource").map((each) => each.name);
    active?.postMessage([...new Set([location.href.replace(/#.*/, ""), ...own, ...addresses])]);
  }
}
