// Elements of the page. Texts are only ever put in as text.

export const element = <T extends HTMLElement>(id: string): T => document.getElementById(id) as T;

export function node(name: string, text = "", style = ""): HTMLElement {
  const made = document.createElement(name);
  made.textContent = text;
  made.className = style;
  return made;
}

export function button(text: string, action: () => void): HTMLButtonElement {
  const made = document.createElement("button");
  made.type = "button";
  made.textContent = text;
  made.addEventListener("click", action);
  return made;
}
