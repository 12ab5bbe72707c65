// The editor: Python, with findings underlined and the types that TorchScript infers.

import { python } from "@codemirror/lang-python";
import { HighlightStyle, indentUnit, syntaxHighlighting } from "@codemirror/language";
import { type Diagnostic, lintGutter, setDiagnostics } from "@codemirror/lint";
import { type Extension, StateEffect, StateField } from "@codemirror/state";
import { Decoration, type DecorationSet, EditorView, WidgetType } from "@codemirror/view";
import { tags } from "@lezer/highlight";
import { basicSetup } from "codemirror";
import { node, prose } from "./elements";
import { offset } from "./places";
import type { Finding, Hint } from "./protocol";

class Label extends WidgetType {
  constructor(readonly text: string) {
    super();
  }
  override eq(other: Label): boolean {
    return other.text === this.text;
  }
  override toDOM(): HTMLElement {
    const label = document.createElement("span");
    label.className = "hint";
    label.textContent = this.text;
    return label;
  }
}

const setHints = StateEffect.define<DecorationSet>();
const hints = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update: (value, transaction) =>
    transaction.effects.reduce((found, each) => (each.is(setHints) ? each.value : found), value.map(transaction.changes)),
  provide: (field) => EditorView.decorations.from(field),
});

const light = HighlightStyle.define([
  { tag: tags.keyword, color: "#8a2a82" },
  { tag: [tags.string, tags.special(tags.string)], color: "#1d6b2f" },
  { tag: tags.comment, color: "#5b6472", fontStyle: "italic" },
  { tag: [tags.number, tags.bool, tags.null], color: "#0b5394" },
]);
const dark = HighlightStyle.define([
  { tag: tags.keyword, color: "#d7a3f0" },
  { tag: [tags.string, tags.special(tags.string)], color: "#a5d6a7" },
  { tag: tags.comment, color: "#a4adba", fontStyle: "italic" },
  { tag: [tags.number, tags.bool, tags.null], color: "#90caf9" },
]);

export function extensions(isDark: boolean, changed: () => void): Extension[] {
  return [
    basicSetup,
    python(),
    indentUnit.of("    "),
    lintGutter(),
    hints,
    syntaxHighlighting(isDark ? dark : light),
    EditorView.theme(
      {
        "&": { backgroundColor: "var(--back)", color: "var(--front)", fontSize: "14px" },
        ".cm-gutters": { backgroundColor: "var(--panel)", color: "var(--soft)" },
        ".cm-content": { caretColor: "var(--front)" },
        ".cm-activeLine, .cm-activeLineGutter": { backgroundColor: "transparent" },
        "&.cm-editor": { maxHeight: "75vh" },
        ".hint": { color: "var(--soft)", backgroundColor: "var(--panel)", borderRadius: "3px", fontSize: ".85em" },
        ".cm-tooltip": { backgroundColor: "var(--panel)", color: "var(--front)", maxWidth: "min(40rem, 90vw)" },
      },
      { dark: isDark },
    ),
    EditorView.contentAttributes.of({ "aria-label": "Python code" }),
    EditorView.updateListener.of((update) => {
      if (update.docChanged) {
        changed();
      }
    }),
  ];
}

export function show(view: EditorView, findings: Finding[], types: Hint[], apply: (finding: Finding) => void): void {
  const text = view.state.doc;
  const diagnostics = findings.map((each): Diagnostic => {
    const from = offset(text, each.location);
    return {
      from,
      to: Math.max(from, offset(text, each.end_location)),
      severity: each.severity,
      source: `${each.code} ${each.name}`,
      message: each.message,
      renderMessage: () => {
        const text = node("div");
        text.append(...[each.message, each.help, via(each)].flatMap((line) => (line ? [prose("div", line)] : [])));
        return text;
      },
      actions: applicable(each) ? [{ name: "Apply fix", apply: () => apply(each) }] : [],
    };
  });
  const labels = types.map((each) =>
    Decoration.widget({ widget: new Label(`: ${each.type}`), side: 1 }).range(offset(text, each.location)),
  );
  view.dispatch(setDiagnostics(view.state, diagnostics), { effects: setHints.of(Decoration.set(labels, true)) });
}

export const applicable = ({ fix }: Finding): boolean => fix !== null && fix.applicability !== "display";

export const via = (finding: Finding): string =>
  finding.compiled_via.length > 1 ? `compiled via ${finding.compiled_via.map((each) => each.name).join(" → ")}` : "";
