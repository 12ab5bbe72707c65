// What to type where tslint is missing. Nothing in here knows VS Code.

/** What pip installs: tslint with what the language server needs. */
export const REQUIREMENT = "tslint[server]";

/** The arguments of a Python that install tslint. */
export const INSTALL_ARGUMENTS: readonly string[] = ["-m", "pip", "install", "--upgrade", REQUIREMENT];

/** The command line that installs tslint, as one would type it. */
export function installCommand(interpreter: string | undefined): string {
  return [interpreter ?? "python", ...INSTALL_ARGUMENTS].map(quoted).join(" ");
}

function quoted(word: string): string {
  return /^[\w@%+=:,./\\-]+$/.test(word) ? word : `"${word}"`;
}
