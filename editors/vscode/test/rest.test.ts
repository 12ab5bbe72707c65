import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

import { installCommand } from "../src/install";
import { isRule, rulePage, ruleTable } from "../src/rules";
import { readSettings, RESTARTING } from "../src/settings";
import { configuredTargets, targetsOfFile } from "../src/targets";

const read = (values: Record<string, unknown>) => readSettings((name) => values[name]);

test("settings: what is not set is left to the configuration file", () => {
  assert.deepEqual(read({}), { enable: true, path: "", args: [], server: {} });
  assert.deepEqual(read({ select: null, ignore: null, mode: null, configuration: "" }).server, {});
});

test("settings: what is set reaches the server, as it is", () => {
  const server = { select: ["TS4"], ignore: [], mode: "trace", run: "onSave", unsafeFixes: false, configuration: "c" };
  const settings = read({ ...server, enable: false, args: ["--x"], path: "p" });
  assert.deepEqual(settings, { enable: false, path: "p", args: ["--x"], server });
});

test("settings: values of the wrong type count as not set", () => {
  const wrong = { enable: "no", path: 3, args: "--x", select: "TS4", ignore: [1, "TS5"], mode: "eager", codeLens: 1 };
  assert.deepEqual(read(wrong), { enable: true, path: "", args: [], server: { ignore: ["TS5"] } });
});

test("settings: package.json declares the settings that are read, with values that are valid", () => {
  const manifest = JSON.parse(readFileSync("package.json", "utf8"));
  const declared: Record<string, { default: unknown }> = manifest.contributes.configuration.properties;
  const asked: string[] = [];
  const settings = readSettings((name) => {
    asked.push(name);
    return declared[`tslint.${name}`]?.default;
  });
  assert.deepEqual(Object.keys(declared).sort(), [...asked.map((name) => `tslint.${name}`), "tslint.trace.server"].sort());
  assert.deepEqual([...RESTARTING].sort(), asked.sort());
  const server = { run: "onType", unsafeFixes: true, inlayHints: true, codeLens: true };
  assert.deepEqual(settings, { enable: true, path: "", args: [], server });
});

test("the command that installs tslint can be pasted into a shell", () => {
  assert.equal(installCommand(undefined), 'python -m pip install --upgrade "tslint[server]"');
  assert.equal(
    installCommand("C:\\Program Files\\Python\\python.exe"),
    '"C:\\Program Files\\Python\\python.exe" -m pip install --upgrade "tslint[server]"',
  );
});

test("targets of the configuration", () => {
  const printed = JSON.stringify({ targets: { net: { target: "pkg.net:build" }, other: {} } });
  assert.deepEqual(configuredTargets(printed), [
    { name: "net", detail: "pkg.net:build" },
    { name: "other", detail: "" },
  ]);
  for (const nothing of ["", "null", "[]", "{}", '{"targets": null}']) {
    assert.deepEqual(configuredTargets(nothing), []);
  }
});

test("targets of a file: classes with bases and functions without parameters, that of the cursor first", () => {
  const text = [
    "class Net(nn.Module):",
    "    def forward(self, x):",
    "        return x",
    "class Plain:",
    "class _Hidden(nn.Module):",
    "def build():",
    "    return Net()",
    "def helper(x):",
    "class Box[T](nn.Module):",
  ].join("\r\n");
  const names = (line: number) => targetsOfFile(text, "pkg/net.py", line).map((each) => each.name);
  assert.deepEqual(names(1), ["pkg/net.py:Net", "pkg/net.py:build", "pkg/net.py:Box"]);
  assert.deepEqual(names(6), ["pkg/net.py:build", "pkg/net.py:Net", "pkg/net.py:Box"]);
  assert.deepEqual(targetsOfFile("", "empty.py", 0), []);
});

test("rules: the table and the page", () => {
  const rule = { code: "TS101", name: "try-block", severity: "error", summary: "`try`", page: "# Try\n\n## What\n" };
  assert.deepEqual(ruleTable(JSON.stringify([rule])), [{ code: "TS101", name: "try-block", summary: "`try`" }]);
  assert.equal(rulePage(JSON.stringify(rule)), "# Try\n\n`TS101` `try-block` · error\n\n## What\n");
  assert.deepEqual(ruleTable("error"), []);
  assert.equal(rulePage("error"), undefined);
});

test("rules: what may be given to the command", () => {
  assert.ok(isRule("TS101"));
  assert.ok(isRule("try-block"));
  for (const wrong of ["--help", "TS1", "", 101, undefined, { code: "TS101" }]) {
    assert.ok(!isRule(wrong), String(wrong));
  }
});
