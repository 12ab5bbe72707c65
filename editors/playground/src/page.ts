// The page: files, settings and findings. Texts are only ever put in as text.

import { EditorState } from "@codemirror/state";
import { EditorView } from "@codemirror/view";
import { extensions, show, via } from "./editor";
import { button, element, node, prose } from "./elements";
import { fixOf } from "./fixes";
import { changes, offset } from "./places";
import type { Answer, Edit, Finding, Hint } from "./protocol";
import { isDark, onChange } from "./scheme";
import { NAME, packed, unpacked } from "./share";
import { STORIES } from "./stories";

const status = element("status");
const loading = element<HTMLProgressElement>("loading");
const list = element("findings");
// Milliseconds until the page says that it is busy: a screen reader reads it out.
const PATIENCE = 500;

const states = new Map<string, EditorState>();
let current = "";
let findings: Finding[] = [];
let hints: Hint[] = [];
let newest = 0;
let asked = 0;
let busy: ReturnType<typeof setTimeout> | undefined;
let ready = false;
// The edits of the fixes of the newest text, by finding, once somebody has asked for them.
let edited: Promise<Map<string, Edit[]> | undefined> | undefined;
let deliver: ((edits: Map<string, Edit[]> | undefined) => void) | undefined;
let items = new Map<string, HTMLElement>();

// In a shadow root the editor's styles are style sheets of their own, and the page's policy allows no inline ones.
const root = element("editor").attachShadow({ mode: "open" });
const view = new EditorView({ parent: root as unknown as HTMLElement, root });
const worker = new Worker("worker.js", { type: "module" });

const fresh = (text: string): EditorState =>
  EditorState.create({ doc: text, extensions: extensions(isDark(), ask) });
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
  const own = [...states.keys()].map((each) => {
    const made = button(each, () => open(each));
    made.setAttribute("aria-pressed", String(each === current));
    return made;
  });
  const more = states.size > 1 ? [button("Remove", remove)] : [];
  element("files").replaceChildren(...own, button("+ File", add), button("Rename", rename), ...more);
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

// Files import each other by their names.
function rename(): void {
  const wished = prompt("Name of the file", current)?.trim() ?? current;
  const file = wished.endsWith(".py") ? wished : `${wished}.py`;
  if (!NAME.test(file) || (file !== current && states.has(file))) {
    say(`${file} cannot be the name of another file`);
  } else if (file !== current) {
    load(Object.fromEntries(Object.entries(files()).map(([each, text]) => [each === current ? file : each, text])), file);
  }
}

function remove(): void {
  load(Object.fromEntries(Object.entries(files()).filter(([file]) => file !== current)));
}

function load(found: Record<string, string>, first = Object.keys(found).at(-1)): void {
  states.clear();
  findings = [];
  hints = [];
  for (const [file, text] of Object.entries(found)) {
    states.set(file, fresh(text));
  }
  current = "";
  open(first ?? "model.py");
  ask();
}

function request(edits: boolean): void {
  const settings = { targetTorch: value("torch"), select: value("select").split(",") };
  worker.postMessage({ id: newest, files: files(), settings, edits });
}

// Each change is sent at once: the worker drops those that it does not get to.
function ask(): void {
  newest += 1;
  asked = performance.now();
  deliver?.(undefined);
  edited = deliver = undefined;
  request(false);
  clearTimeout(busy);
  busy = setTimeout(() => say("Checking …"), PATIENCE);
}

function say(text: string): void {
  if (ready && status.textContent !== text) {
    status.textContent = text;
  }
}

const key = (each: Finding): string =>
  JSON.stringify([each.filename, each.location, each.end_location, each.code, each.message]);

function withEdits(): Promise<Map<string, Edit[]> | undefined> {
  edited ??= new Promise((resolve) => {
    deliver = resolve;
    request(true);
  });
  return edited;
}

async function edits(finding: Finding): Promise<Edit[] | undefined> {
  const id = newest;
  const known = await withEdits();
  // Their places are those of the text that was checked.
  return id === newest ? known?.get(key(finding)) : undefined;
}

async function apply(finding: Finding): Promise<void> {
  const found = await edits(finding);
  if (found !== undefined && found.length > 0) {
    go(finding);
    view.dispatch({ changes: changes(view.state.doc, found) });
  }
}

const state = (finding: Finding): EditorState | undefined =>
  name(finding) === current ? view.state : states.get(name(finding));

worker.addEventListener("message", ({ data }: MessageEvent<Answer>) => {
  if (data.kind === "progress") {
    loading.value = data.percent;
  } else if (data.kind === "ready") {
    ready = true;
    loading.remove();
  } else if (data.kind === "loaded") {
    void keep(data.addresses);
  } else if (data.kind === "failed") {
    loading.remove();
    status.textContent = `tslint could not run here: ${data.text}`;
  } else if (data.id === newest && data.edits) {
    deliver?.(new Map(data.findings.map((each) => [key(each), each.fix?.edits ?? []])));
  } else if (data.id === newest) {
    element("note").hidden = !data.newer;
    take(data.findings, data.hints);
  }
});

function take(found: Finding[], types: Hint[]): void {
  const wanted = value("severity");
  findings = found.filter((each) => wanted === "" || each.severity === wanted);
  hints = types;
  clearTimeout(busy);
  const words = findings.length === 1 ? "1 finding" : `${findings.length} findings`;
  say(findings.length === 0 ? "No findings" : words);
  mark();
  // What is still found stays as it is, with the keyboard's focus.
  const before = items;
  items = new Map(findings.map((each) => [JSON.stringify(each), before.get(JSON.stringify(each)) ?? item(each)]));
  const shown = [...items.values()];
  list.querySelectorAll("details[open]").forEach((each) => each.removeAttribute("open"));
  if (shown.length !== list.children.length || shown.some((each, index) => each !== list.children[index])) {
    list.replaceChildren(...shown);
  }
  document.body.dataset["milliseconds"] = String(Math.round(performance.now() - asked));
}

function mark(): void {
  const here = (each: { filename: string }): boolean => name(each) === current;
  show(view, findings.filter(here), hints.filter(here), (finding) => void apply(finding));
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
  made.append(head, prose("p", finding.message));
  for (const text of [finding.help, via(finding)]) {
    if (text) {
      made.append(prose("p", text, "soft"));
    }
  }
  if (finding.fix !== null) {
    made.append(fixOf(finding, finding.fix, { edits, state, apply: (each) => void apply(each) }));
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
  const lines = findings.map(({ code, help, message, ...each }) => {
    // Of tslint's own failure, the help is the report.
    const report = code === "TS900" ? ` ${help}` : "";
    return `- \`${name(each)}:${each.location.row}:${each.location.column}\` ${code} [${each.name}] ${message}${report}`;
  });
  const texts = Object.entries(files()).map(([file, text]) => `\`${file}\`:\n\n\`\`\`\`python\n${text}\n\`\`\`\`\n`);
  void copy(`${texts.join("\n")}\n${lines.join("\n")}\n`, "Findings copied");
});

for (const id of ["torch", "select", "severity"]) {
  element(id).addEventListener("change", ask);
}
const stories = element<HTMLSelectElement>("story");
stories.append(...Object.keys(STORIES).map((each) => new Option(each)));
stories.addEventListener("change", () => load(STORIES[stories.value] ?? {}));
onChange(() => load(files(), current));

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
