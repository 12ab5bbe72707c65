// Compiles the Python files of an archive with the Python of the page, and takes a snapshot of the memory of that Python
// after it has imported tslint and looked at some models: a visitor's browser starts from there.
// Called as `node compile.mjs FOLDER`: reads FOLDER/python.zip and FOLDER/warm.json, writes the archive and snapshot.gz.

import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { loadPyodide } from "pyodide";

const folder = process.argv[2];
const path = join(folder, "python.zip");

const compiler = await loadPyodide();
compiler.unpackArchive(new Uint8Array(readFileSync(path)), "zip", { extractDir: "/made" });
// What all models need is imported into the snapshot; only some are looked at there, as their garbage would be in it.
compiler.globals.set("texts", readFileSync(join(folder, "warm.json"), "utf-8"));
const modules = compiler.runPython(`
import json, sys
sys.path.insert(0, "/made")
import playground
playground.warm_up(json.loads(texts))
json.dumps([name for name, module in sys.modules.items() if getattr(module, "__file__", None)])
`);
compiler.runPython(`
import compileall, py_compile, shutil
compileall.compile_dir("/made", ddir="", quiet=2, invalidation_mode=py_compile.PycInvalidationMode.UNCHECKED_HASH)
shutil.make_archive("/python", "zip", "/made")
`);
writeFileSync(path, compiler.FS.readFile("/python.zip"));

const started = await loadPyodide({ _makeSnapshot: true });
started.unpackArchive(new Uint8Array(readFileSync(path)), "zip");
started.globals.set("names", modules);
started.globals.set("texts", readFileSync(join(folder, "warm.json"), "utf-8"));
started.runPython(`
import importlib, json
for name in json.loads(names):
    importlib.import_module(name)
importlib.import_module("playground").warm_up(json.loads(texts)[::25])
del names, texts
`);
writeFileSync(join(folder, "snapshot.gz"), gzipSync(started.makeMemorySnapshot(), { level: 9 }));
