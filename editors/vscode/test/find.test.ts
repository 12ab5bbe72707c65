import assert from "node:assert/strict";
import { test } from "node:test";

import { candidates, expand, onPath, type Surroundings } from "../src/find";

function around(programs: readonly string[], more: Partial<Surroundings> = {}): Surroundings {
  return {
    platform: "linux",
    env: { PATH: "/usr/local/bin:/usr/bin" },
    home: "/home/me",
    folder: "/project",
    trusted: true,
    isProgram: (path) => programs.includes(path),
    ...more,
  };
}

const commands = (configured: string, interpreter: string | undefined, where: Surroundings): string[] =>
  candidates(configured, interpreter, where).map((each) => each.command);

test("the script beside the chosen Python comes first, then the folder's environments, then the PATH", () => {
  const programs = ["/envs/a/bin/tslint", "/project/.venv/bin/tslint", "/project/venv/bin/tslint", "/usr/bin/tslint"];
  assert.deepEqual(commands("", "/envs/a/bin/python", around(programs)), programs);
});

test("a Python without the script is asked for the package, and never reads modules of the working folder", () => {
  const [first] = candidates("", "/envs/a/bin/python", around([]));
  assert.equal(first?.command, "/envs/a/bin/python");
  assert.equal(first.args[0], "-c");
  assert.ok(!first.args.includes("-m"));
});

test("a chosen Python in the folder's own environment is one place, not two", () => {
  assert.deepEqual(commands("", "/project/.venv/bin/python", around(["/project/.venv/bin/tslint"])), [
    "/project/.venv/bin/tslint",
  ]);
});

test("tslint.path is the only place where it is set", () => {
  assert.deepEqual(commands("/opt/tslint", "/envs/a/bin/python", around(["/envs/a/bin/tslint", "/usr/bin/tslint"])), [
    "/opt/tslint",
  ]);
});

test("a workspace that is not trusted brings no program of its own", () => {
  const programs = ["/envs/a/bin/tslint", "/project/.venv/bin/tslint", "/project/bin/tslint", "/usr/bin/tslint"];
  const env = { PATH: "/project/bin:/usr/bin" };
  assert.deepEqual(commands("", "/envs/a/bin/python", around(programs, { trusted: false, env })), ["/usr/bin/tslint"]);
});

test("nothing is found where there is nothing", () => {
  assert.deepEqual(commands("", undefined, around([])), []);
});

test("relative entries of the PATH do not count, on no system", () => {
  assert.equal(onPath("tslint", around(["bin/tslint", "tslint", "./tslint"], { env: { PATH: ".:bin::" } })), undefined);
  const env = { Path: ".;bin;C:\\Python\\Scripts" };
  const windows = around(["tslint.exe", "C:\\Python\\Scripts\\tslint.exe"], { platform: "win32", env, folder: "C:\\p" });
  assert.equal(onPath("tslint", windows), "C:\\Python\\Scripts\\tslint.exe");
});

test("Windows: beside the Python, in Scripts, and in the folder's environments", () => {
  const programs = ["C:\\Python\\Scripts\\tslint.exe", "C:\\p\\.venv\\Scripts\\tslint.exe"];
  const windows = around(programs, { platform: "win32", env: {}, folder: "C:\\p" });
  assert.deepEqual(commands("", "C:\\Python\\python.exe", windows), programs);
});

test("paths of the settings: variables, the home folder, relative to the workspace, bare names", () => {
  const where = around(["/usr/bin/tslint"]);
  assert.equal(expand("${workspaceFolder}/tools/tslint", where), "/project/tools/tslint");
  assert.equal(expand("${userHome}/bin/tslint", where), "/home/me/bin/tslint");
  assert.equal(expand("~/bin/tslint", where), "/home/me/bin/tslint");
  assert.equal(expand(".venv/bin/tslint", where), "/project/.venv/bin/tslint");
  assert.equal(expand("tslint", where), "/usr/bin/tslint");
  assert.equal(expand("nowhere", where), "nowhere");
  assert.equal(expand("/a/$&/tslint", around([], { folder: "/b" })), "/a/$&/tslint");
});
