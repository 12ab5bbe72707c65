// Builds the page into dist/: its programs, what stands beside them, and Pyodide. The site's build adds python.zip.

import { cpSync, mkdirSync, readdirSync, rmSync } from "node:fs";
import { build } from "esbuild";

rmSync("dist", { recursive: true, force: true });
mkdirSync("dist/pyodide", { recursive: true });
await build({
  entryPoints: ["src/page.ts", "src/worker.ts", "src/service.ts"],
  outdir: "dist",
  bundle: true,
  format: "esm",
  target: "es2022",
  minify: true,
  // The parts of Pyodide find each other by their addresses.
  external: ["./pyodide/*"],
  logLevel: "warning",
});
for (const name of readdirSync("static")) {
  cpSync(`static/${name}`, `dist/${name}`);
}
for (const name of ["pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", "python_stdlib.zip", "pyodide-lock.json"]) {
  cpSync(`node_modules/pyodide/${name}`, `dist/pyodide/${name}`);
}
