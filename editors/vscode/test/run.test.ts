import assert from "node:assert/strict";
import { tmpdir } from "node:os";
import { test } from "node:test";

import type { Launch } from "../src/find";
import { firstThatWorks, lastLine, probe, run } from "../src/run";

/** A program that ignores its arguments and does what the script says: Node.js is there on every system. */
const program = (script: string): Launch => ({ command: process.execPath, args: ["-e", script, "--"], origin: "a test" });
const nowhere: Launch = { command: "/no/such/folder/tslint", args: [], origin: "a test" };
const tslint = program("console.log('tslint 1.2.3')");

test("the version of tslint", async () => {
  assert.deepEqual(await probe(tslint, tmpdir()), { launch: tslint, version: "1.2.3" });
});

test("the TypeScript linter of the same name is not taken for it", async () => {
  assert.deepEqual(await probe(program("console.log('6.1.3')"), tmpdir()), {
    reason: "another program of the same name: its version is 6.1.3",
  });
});

test("why a place does not work", async () => {
  const reason = async (launch: Launch): Promise<unknown> => {
    const result = await probe(launch, tmpdir());
    return "reason" in result ? result.reason : result.version;
  };
  assert.equal(await reason(nowhere), "there is no such file");
  const missing = "console.error(\"ModuleNotFoundError: No module named 'tslint'\"); process.exit(1)";
  assert.equal(await reason(program(missing)), "tslint is not installed there");
  assert.equal(await reason(program("console.error('first\\nlast'); process.exit(3)")), "last");
  assert.equal(await reason(program("process.exit(3)")), "it ended with status 3");
  assert.equal(await reason(program("")), "another program of the same name: its version is empty");
});

test("the first place that works, and what was wrong with those before", async () => {
  const { found, rejected } = await firstThatWorks([nowhere, tslint, program("process.exit(1)")], tmpdir());
  assert.equal(found?.version, "1.2.3");
  assert.deepEqual(
    rejected.map((each) => each.launch),
    [nowhere],
  );
});

test("no place works", async () => {
  const { found, rejected } = await firstThatWorks([nowhere, nowhere], tmpdir());
  assert.equal(found, undefined);
  assert.equal(rejected.length, 2);
});

test("a program that hangs is ended", async () => {
  const { status, stderr } = await run(program("setInterval(() => {}, 1000)"), [], tmpdir(), 0.2);
  assert.equal(status, null);
  assert.equal(stderr, "it did not answer within 0.2 s");
});

test("what a run prints, and how it ends", async () => {
  const outcome = await run(program("console.log(process.argv.slice(1).join()); process.exit(1)"), ["a", "b c"], tmpdir());
  assert.deepEqual(outcome, { status: 1, stdout: "a,b c\n", stderr: "" });
});

test("an error's last line", () => {
  assert.equal(lastLine("note\r\nerror: it is wrong\r\n"), "it is wrong");
  assert.equal(lastLine(""), "");
});
