// Starts Python in the worker: from the snapshot that the build has taken, or from the archive where that fails.

export interface Python {
  check(request: string): string;
  // What is still to be done once there is time.
  finish(): Promise<void>;
}

interface Places {
  pyodide: string;
  python: string;
}

const address = (path: string): string => new URL(path, import.meta.url).href;

async function bytes(path: string): Promise<ArrayBuffer> {
  const found = await fetch(address(path));
  if (!found.ok) {
    throw new Error(`${path}: ${found.status}`);
  }
  return found.arrayBuffer();
}

async function unpacked(path: string): Promise<Uint8Array> {
  const found = await fetch(address(path));
  if (!found.ok || found.body === null) {
    throw new Error(`${path}: ${found.status}`);
  }
  return new Uint8Array(await new Response(found.body.pipeThrough(new DecompressionStream("gzip"))).arrayBuffer());
}

// Pyodide copies a snapshot into the memory that it begins with, which has to be as large as the snapshot by then.
function growTo(size: number): () => void {
  const grown = ({ instance }: WebAssembly.WebAssemblyInstantiatedSource): void => {
    const memory = instance.exports["memory"] as WebAssembly.Memory;
    memory.grow(Math.max(0, Math.ceil((size - memory.buffer.byteLength) / 65536)));
  };
  const original = WebAssembly.instantiateStreaming;
  WebAssembly.instantiateStreaming = async (...given) => {
    const made = await original(...given);
    // It also makes small modules of its own, without a memory.
    if (made.instance.exports["memory"] !== undefined) {
      grown(made);
    }
    return made;
  };
  return () => {
    WebAssembly.instantiateStreaming = original;
  };
}

export async function start(): Promise<Python> {
  const places: Places = await (await fetch(address("places.json"))).json();
  const { loadPyodide } = await import(address(`${places.pyodide}pyodide.mjs`));
  const indexURL = address(places.pyodide);
  const archive = `${places.python}python.zip`;
  try {
    const snapshot = await unpacked(`${places.python}snapshot.gz`);
    const undo = growTo(snapshot.length);
    const pyodide = await loadPyodide({ indexURL, _loadSnapshot: snapshot }).finally(undo);
    const playground = pyodide.pyimport("playground");
    // A snapshot holds modules, not files: those are there for what is imported late, and written between two checks.
    const finish = async (): Promise<void> => {
      pyodide.FS.writeFile("/python.zip", new Uint8Array(await bytes(archive)));
      for (const _ of playground.unpack("/python.zip")) {
        await new Promise((done) => setTimeout(done));
      }
    };
    return { check: playground.check, finish };
  } catch (error) {
    console.warn("The snapshot cannot be used:", error);
    const [pyodide, python] = await Promise.all([loadPyodide({ indexURL }), bytes(archive)]);
    pyodide.unpackArchive(python, "zip");
    return { check: pyodide.pyimport("playground").check, finish: async () => undefined };
  }
}
