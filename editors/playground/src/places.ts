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
  while (
    end < before.length - start &&
    end < after.length - start &&
    before[before.length - 1 - end] === after[after.length - 1 - end]
  ) {
    end++;
  }
  return [
    ...before.slice(start, before.length - end).map((line) => ({ kind: "removed" as const, line })),
    ...after.slice(start, after.length - end).map((line) => ({ kind: "added" as const, line })),
  ];
}
