// Places of tslint (rows and code points, from 1) as offsets in a text of the editor (UTF-16), and edits made there.

import type { Text } from "@codemirror/state";
import type { Edit, Place } from "./protocol";

export function offset(text: Text, place: Place): number {
  if (place.row > text.lines) {
    return text.length;
  }
  const line = text.line(Math.max(1, place.row));
  let at = 0;
  for (let column = 1; column < place.column && at < line.length; column++) {
    at += (line.text.codePointAt(at) ?? 0) > 0xffff ? 2 : 1;
  }
  return line.from + at;
}

export const changes = (text: Text, edits: Edit[]): { from: number; to: number; insert: string }[] =>
  edits.map((edit) => ({
    from: offset(text, edit.location),
    to: offset(text, edit.end_location),
    insert: edit.content,
  }));

/** The lines that differ, with what they were and what they are. */
export function difference(before: string[], after: string[]): { kind: "removed" | "added"; line: string }[] {
  let start = 0;
  while (start < before.length && start < after.length && before[start] === after[start]) {
    start++;
  }
  let end = 0;
  while (end < Math.min(before.length, after.length) - start && before.at(-1 - end) === after.at(-1 - end)) {
    end++;
  }
  return between(before.slice(start, before.length - end), after.slice(start, after.length - end));
}

function between(before: string[], after: string[]): { kind: "removed" | "added"; line: string }[] {
  // How many lines two endings have in common.
  const common = before.map(() => new Uint32Array(after.length + 1));
  common.push(new Uint32Array(after.length + 1));
  const at = (i: number, j: number): number => common[i]?.[j] ?? 0;
  for (let i = before.length - 1; i >= 0; i--) {
    for (let j = after.length - 1; j >= 0; j--) {
      (common[i] as Uint32Array)[j] = before[i] === after[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
    }
  }
  const found: { kind: "removed" | "added"; line: string }[] = [];
  for (let i = 0, j = 0; i < before.length || j < after.length; ) {
    if (i < before.length && before[i] === after[j]) {
      i++;
      j++;
    } else if (j >= after.length || (i < before.length && at(i + 1, j) >= at(i, j + 1))) {
      found.push({ kind: "removed", line: before[i++] ?? "" });
    } else {
      found.push({ kind: "added", line: after[j++] ?? "" });
    }
  }
  return found;
}
