// The settings, and what is sent to the language server. Nothing in here knows VS Code.

/** What the extension itself needs to know. */
export interface Settings {
  readonly enable: boolean;
  readonly path: string;
  readonly args: readonly string[];
  /** What is sent to the server: only what is set, the configuration file has the rest. */
  readonly server: Readonly<Record<string, unknown>>;
}

// Each takes the value of a setting; undefined for what has the wrong type, which settings.json may hold.
const SERVER: Readonly<Record<string, (value: unknown) => unknown>> = {
  select: strings,
  ignore: strings,
  mode: oneOf("script", "trace", "both"),
  configuration: text,
  run: oneOf("onType", "onSave"),
  unsafeFixes: boolean,
  inlayHints: boolean,
  codeLens: boolean,
};

/** The settings whose change needs another start of the server. */
export const RESTARTING: readonly string[] = ["enable", "path", "args", ...Object.keys(SERVER)];

/**
 * Read the settings: what has the wrong type counts as not set.
 *
 * @param get gives the value of a setting by its name without `tslint.`.
 */
export function readSettings(get: (name: string) => unknown): Settings {
  const server = Object.entries(SERVER).map(([name, parse]) => [name, parse(get(name))] as const);
  return {
    enable: boolean(get("enable")) ?? true,
    path: text(get("path")) ?? "",
    args: strings(get("args")) ?? [],
    server: Object.fromEntries(server.filter(([, value]) => value !== undefined)),
  };
}

function strings(value: unknown): readonly string[] | undefined {
  return Array.isArray(value) ? value.filter((item): item is string => typeof item === "string") : undefined;
}

function text(value: unknown): string | undefined {
  return typeof value === "string" && value.trim() !== "" ? value : undefined;
}

function boolean(value: unknown): boolean | undefined {
  return typeof value === "boolean" ? value : undefined;
}

function oneOf(...choices: readonly unknown[]): (value: unknown) => unknown {
  return (value) => (choices.includes(value) ? value : undefined);
}
