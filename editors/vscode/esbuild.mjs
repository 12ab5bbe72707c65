// Builds dist/extension.js; with --production small and with the licences of what is in it; with --tests the tests, into out/.

import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";

import { build } from "esbuild";

const tests = process.argv.includes("--tests");
const production = process.argv.includes("--production");
const folder = tests ? "out" : "dist";

rmSync(folder, { recursive: true, force: true });
const { metafile } = await build({
  entryPoints: tests
    ? readdirSync("test").filter((name) => name.endsWith(".test.ts")).map((name) => `test/${name}`)
    : ["src/extension.ts"],
  outdir: folder,
  bundle: true,
  platform: "node",
  // The Node.js of the oldest VS Code that package.json allows.
  target: "node20",
  format: "cjs",
  external: ["vscode"],
  sourcemap: !production,
  minify: production,
  metafile: true,
  logLevel: "warning",
});
if (production) {
  writeFileSync("THIRD_PARTY_NOTICES.txt", notices(Object.keys(metafile.inputs)));
}

/** The licences of the packages whose files were bundled. */
function notices(inputs) {
  const found = inputs.map((input) => /^(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(input)?.[1]);
  const packages = [...new Set(found.filter((each) => each !== undefined))].sort();
  return packages
    .map((place) => {
      const { name, version, license } = JSON.parse(readFileSync(`${place}/package.json`, "utf8"));
      const file = readdirSync(place).find((each) => /^(licen[sc]e|copying)(\.\w+)?$/i.test(each));
      if (file === undefined || !existsSync(`${place}/${file}`)) {
        throw new Error(`${name} ${version} (${license}) has no file with its licence`);
      }
      return `${name} ${version} (${license})\n\n${readFileSync(`${place}/${file}`, "utf8").trim()}\n`;
    })
    .join(`\n${"-".repeat(80)}\n\n`);
}
