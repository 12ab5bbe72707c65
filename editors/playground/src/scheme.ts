// Light or dark: as the reader has chosen on the other pages of the site, else as the browser prefers.

const darkness = matchMedia("(prefers-color-scheme: dark)");

function chosen(): unknown {
  try {
    // Where mkdocs-material keeps the choice; the playground stands in a folder of the site.
    const kept = localStorage.getItem(`${new URL("..", location.href).pathname}.__palette`);
    return kept === null ? undefined : JSON.parse(kept).color.scheme;
  } catch {
    return undefined;
  }
}

export function isDark(): boolean {
  const scheme = chosen();
  const dark = scheme === undefined ? darkness.matches : scheme === "slate";
  document.documentElement.dataset["scheme"] = dark ? "dark" : "light";
  return dark;
}

/** Calls an action when it changes; the choice may be made on another page that is open. */
export function onChange(action: () => void): void {
  const look = (): void => {
    const before = document.documentElement.dataset["scheme"];
    if ((before === "dark") !== isDark()) {
      action();
    }
  };
  darkness.addEventListener("change", look);
  addEventListener("storage", look);
}
