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

/** An element whose text has code in backticks. */
export function prose(name: string, text: string, style = ""): HTMLElement {
  const made = node(name, "", style);
  const parts = text.split("`");
  // An odd number of backticks means nothing.
  const marked = parts.length % 2 === 1 ? parts : [text];
  made.append(...marked.map((each, index) => (index % 2 === 1 ? node("code", each) : each)));
  return made;
}
