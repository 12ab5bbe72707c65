// The rules, as `tslint rule --output-format json` tells them. Nothing in here knows VS Code.

export interface RuleLine {
  readonly code: string;
  readonly name: string;
  readonly summary: string;
}

/** The table of all rules, out of `tslint rule --all --output-format json`. */
export function ruleTable(printed: string): RuleLine[] {
  const found: unknown = json(printed);
  return (Array.isArray(found) ? found : []).flatMap((each: Record<string, unknown>) =>
    typeof each["code"] === "string"
      ? [{ code: each["code"], name: String(each["name"]), summary: String(each["summary"]) }]
      : [],
  );
}

/** The page of one rule in Markdown, out of `tslint rule CODE --output-format json`, under a heading with its code. */
export function rulePage(printed: string): string | undefined {
  const found = json(printed) as Record<string, unknown> | undefined;
  const page = found?.["page"];
  if (typeof page !== "string") {
    return undefined;
  }
  const [, title, rest] = /^(# .*)\n([\s\S]*)$/.exec(page) ?? [];
  const line = `\`${String(found?.["code"])}\` \`${String(found?.["name"])}\` · ${String(found?.["severity"])}`;
  return title === undefined ? `${line}\n\n${page}` : `${title}\n\n${line}\n${rest ?? ""}`;
}

/** Whether something is the code or the name of a rule. */
export function isRule(value: unknown): value is string {
  return typeof value === "string" && /^(TS\d{3}|[a-z][a-z0-9-]*)$/.test(value);
}

function json(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
