// Builds the page into dist/: its programs, what stands beside them, and Pyodide. The site's build adds python.zip.

import { cpSync, mkdirSync, readFileSync, readdirSync, rmSync } from "node:fs";
import { build } from "esbuild";

rmSync("dist", { recursive: true, force: true });
// An address below kept/ always gives the same bytes.
const { version } = JSON.parse(readFileSync("node_modules/pyodide/package.json", "utf-8"));
const pyodide = `dist/kept/pyodide-${version}`;
mkdirSync(pyodide, { recursive: true });
await build({
  entryPoints: ["src/page.ts", "src/worker.ts", "src/service.ts"],
  outdir: "dist",
  bundle: true,
  format: "esm",
  target: "es2022",
  minify: true,
  logLevel: "warning",
});
for (const name of readdirSync("static")) {
  cpSync(`static/${name}`, `dist/${name}`);
}
for (const name of ["pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", "python_stdlib.zip", "pyodide-lock.json"]) {
  cpSync(`node_modules/pyodide/${name}`, `${pyodide}/${name}`);
}
