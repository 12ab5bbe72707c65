// Compiles the Python files of an archive with the Python of the page, which saves its visitors most of the wait.

import { readFileSync, writeFileSync } from "node:fs";
import { loadPyodide } from "pyodide";

const path = process.argv[2];
const pyodide = await loadPyodide();
pyodide.unpackArchive(new Uint8Array(readFileSync(path)), "zip", { extractDir: "/made" });
pyodide.runPython(`
import compileall, py_compile, shutil
compileall.compile_dir("/made", ddir="", quiet=2, invalidation_mode=py_compile.PycInvalidationMode.UNCHECKED_HASH)
shutil.make_archive("/python", "zip", "/made")
`);
writeFileSync(path, pyodide.FS.readFile("/python.zip"));
