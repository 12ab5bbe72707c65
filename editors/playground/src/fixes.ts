// A finding's fix in the list: what it does, its difference once somebody asks for it, and a button that applies it.

import type { EditorState } from "@codemirror/state";
import { applicable } from "./editor";
import { button, node, prose } from "./elements";
import { changes, difference } from "./places";
import type { Edit, Finding } from "./protocol";

/** What a list of fixes needs of the page. */
export interface Page {
  // The edits of a finding's fix, for the text as it is; undefined where that has changed meanwhile.
  edits(finding: Finding): Promise<Edit[] | undefined>;
  // The file that a finding stands in.
  state(finding: Finding): EditorState | undefined;
  apply(finding: Finding): void;
}

const RISKS: Record<string, string> = {
  raises: "compiled code may raise where Python does not",
  refuses: "compiled code may reject arguments that Python accepts",
  differs: "compiled code may compute a different result than Python",
  unsaved: "the compiled module cannot be saved",
  assumes: "no other code confirms the type or name that it assumes",
  exception: "Python may raise another exception",
};

export function fixOf(finding: Finding, fix: NonNullable<Finding["fix"]>, page: Page): HTMLElement {
  const made = node("div");
  const risks = fix.risks.map((each) => RISKS[each] ?? each).join(", and ");
  const kind = fix.applicability === "display" ? "for you to decide" : fix.applicability;
  const details = document.createElement("details");
  details.append(prose("summary", `${fix.message} (${kind}${risks === "" ? "" : `: ${risks}`})`));
  details.addEventListener("toggle", async () => {
    details.querySelector("pre")?.remove();
    if (details.open) {
      const edits = await page.edits(finding);
      if (edits === undefined) {
        details.open = false;
      } else if (details.querySelector("pre") === null) {
        details.append(diff(page.state(finding), edits));
      }
    }
  });
  made.append(details);
  if (applicable(finding)) {
    made.append(button("Apply fix", () => page.apply(finding)));
  }
  return made;
}

function diff(before: EditorState | undefined, edits: Edit[]): HTMLElement {
  const made = document.createElement("pre");
  if (before === undefined || edits.length === 0) {
    made.textContent = "This fix has no edits: write it yourself.";
    return made;
  }
  const after = before.update({ changes: changes(before.doc, edits) }).state;
  const lines = difference(before.doc.toString().split("\n"), after.doc.toString().split("\n"));
  made.append(...lines.map(({ kind, line }) => node("span", `${kind === "added" ? "+" : "-"} ${line}`, kind)));
  return made;
}
