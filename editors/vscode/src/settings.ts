// The settings, and what the language server is told of them. Nothing in here knows VS Code.

export type Mode = "script" | "trace" | "both";

export interface Settings {
  readonly enable: boolean;
  readonly path: string;
  readonly args: readonly string[];
  readonly select: readonly string[] | undefined;
  readonly ignore: readonly string[] | undefined;
  readonly mode: Mode | undefined;
}

const MODES: readonly unknown[] = ["script", "trace", "both"];

/**
 * Read the settings: what has the wrong type counts as not given, for settings.json may hold anything.
 *
 * @param get gives the value of a setting by its name without `tslint.`.
 */
export function readSettings(get: (name: string) => unknown): Settings {
  const mode = get("mode");
  const path = get("path");
  return {
    enable: get("enable") !== false,
    path: typeof path === "string" ? path : "",
    args: strings(get("args")) ?? [],
    select: strings(get("select")),
    ignore: strings(get("ignore")),
    mode: MODES.includes(mode) ? (mode as Mode) : undefined,
  };
}

/** What the server gets when it starts: only what is set, the configuration file has the rest. */
export function initializationOptions(settings: Settings): Record<string, unknown> {
  const { select, ignore, mode } = settings;
  return {
    ...(select === undefined ? {} : { select }),
    ...(ignore === undefined ? {} : { ignore }),
    ...(mode === undefined ? {} : { mode }),
  };
}

function strings(value: unknown): readonly string[] | undefined {
  return Array.isArray(value) ? value.filter((item): item is string => typeof item === "string") : undefined;
}
