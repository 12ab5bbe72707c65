// What there is to verify. Nothing in here knows VS Code.

export interface Target {
  /** What `tslint verify` is given. */
  readonly name: string;
  /** What the name stands for, for people. */
  readonly detail: string;
}

/** The configured targets, out of `tslint check --show-settings --output-format json`. */
export function configuredTargets(printed: string): Target[] {
  const targets = field(parsed(printed), "targets");
  if (typeof targets !== "object" || targets === null) {
    return [];
  }
  return Object.entries(targets).map(([name, value]) => {
    const target = field(value, "target");
    return { name, detail: typeof target === "string" ? target : "" };
  });
}

/** The classes and functions at the top of a file that may be a target, the one around `line` (from 0) first. */
export function targetsOfFile(text: string, file: string, line: number): Target[] {
  const found: { target: Target; row: number }[] = [];
  text.split(/\r?\n/).forEach((content, row) => {
    // A function is a target where it takes nothing, and a class where it has a base.
    const match = /^(?:class\s+(\w+)\s*(?:\[[^\]]*\]\s*)?\(|def\s+(\w+)\s*\(\s*\))/.exec(content);
    const name = match?.[1] ?? match?.[2];
    if (name !== undefined && !name.startsWith("_")) {
      found.push({ target: { name: `${file}:${name}`, detail: match?.[1] === undefined ? "function" : "class" }, row });
    }
  });
  const around = found.findLast((each) => each.row <= line);
  return [...(around === undefined ? [] : [around]), ...found.filter((each) => each !== around)].map(
    (each) => each.target,
  );
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function field(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null ? (value as Record<string, unknown>)[name] : undefined;
}
