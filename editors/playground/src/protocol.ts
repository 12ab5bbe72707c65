// What the page and its worker say to each other, and what tslint says of a text.

export interface Place {
  row: number;
  column: number;
}

export interface Edit {
  location: Place;
  end_location: Place;
  content: string;
}

export interface Finding {
  code: string;
  name: string;
  severity: "error" | "warning" | "info";
  message: string;
  filename: string;
  location: Place;
  end_location: Place;
  compiled_via: { name: string }[];
  help: string | null;
  // Its edits are there where they were asked for.
  fix: { applicability: "safe" | "unsafe" | "display"; message: string; risks: string[]; edits: Edit[] } | null;
}

export interface Hint {
  filename: string;
  location: Place;
  type: string;
}

export interface Request {
  id: number;
  files: Record<string, string>;
  settings: { targetTorch: string; select: string[] };
  // Whether the edits of fixes are wanted, and no hints: to write them takes as long as to find what is wrong.
  edits: boolean;
}

export type Answer =
  | { kind: "progress"; percent: number }
  | { kind: "ready" }
  // Everything is there that the page needs offline, at these addresses.
  | { kind: "loaded"; addresses: string[] }
  | { kind: "failed"; text: string }
  // newer: some code is in syntax that cannot be read, and rules that look at it are left out.
  | { kind: "checked"; id: number; edits: boolean; findings: Finding[]; hints: Hint[]; newer: boolean };
