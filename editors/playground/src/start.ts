// Starts Python in the worker: from the snapshot that the build has taken, or from the archive where that fails.

export interface Python {
  check(request: string): string;
  // What is still to be done once there is time.
  finish(): Promise<void>;
  // Load libcst's compiled parser from Pyodide's distribution, for syntax that the page's own does not know.
  compiled(): Promise<boolean>;
}

interface Places {
  pyodide: string;
  python: string;
  // The address of Pyodide's distribution; empty where the site's build names none.
  distribution: string;
}

interface Pyodide {
  pyimport(name: string): any;
  loadPackage(name: string, options: object): Promise<unknown>;
  unpackArchive(buffer: ArrayBuffer, format: string): void;
  FS: { writeFile(path: string, content: Uint8Array): void };
}

const address = (path: string): string => new URL(path, import.meta.url).href;

async function bytes(path: string): Promise<ArrayBuffer> {
  const found = await fetch(address(path));
  if (!found.ok) {
    throw new Error(`${path}: ${found.status}`);
  }
  return found.arrayBuffer();
}

async function unpacked(path: string, progress: (percent: number) => void): Promise<Uint8Array> {
  const found = await fetch(address(path));
  if (!found.ok || found.body === null) {
    throw new Error(`${path}: ${found.status}`);
  }
  const whole = Number(found.headers.get("content-length"));
  let loaded = 0;
  const counted = new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
    transform(chunk, controller) {
      loaded += chunk.length;
      if (whole > 0) {
        progress(Math.min(100, Math.round((100 * loaded) / whole)));
      }
      controller.enqueue(chunk);
    },
  });
  const plain = found.body.pipeThrough(counted).pipeThrough(new DecompressionStream("gzip"));
  return new Uint8Array(await new Response(plain).arrayBuffer());
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

const compiled = (pyodide: Pyodide, { distribution }: Places): (() => Promise<boolean>) => async () => {
  if (distribution === "") {
    return false;
  }
  try {
    await pyodide.loadPackage("libcst", { messageCallback: () => undefined, errorCallback: () => undefined });
    return pyodide.pyimport("pure_parser").use_compiled();
  } catch (error) {
    console.warn("libcst cannot be loaded:", error);
    return false;
  }
};

/** Starts it, and tells how much of the snapshot is there. */
export async function start(progress: (percent: number) => void): Promise<Python> {
  const places: Places = await (await fetch(address("places.json"))).json();
  const { loadPyodide } = await import(address(`${places.pyodide}pyodide.mjs`));
  const indexURL = address(places.pyodide);
  const where = places.distribution === "" ? { indexURL } : { indexURL, packageBaseUrl: places.distribution };
  const archive = `${places.python}python.zip`;
  try {
    const snapshot = await unpacked(`${places.python}snapshot.gz`, progress);
    const undo = growTo(snapshot.length);
    const pyodide: Pyodide = await loadPyodide({ ...where, _loadSnapshot: snapshot }).finally(undo);
    const playground = pyodide.pyimport("playground");
    // A snapshot holds modules, not files: those are there for what is imported late, and written between two checks.
    const finish = async (): Promise<void> => {
      pyodide.FS.writeFile("/python.zip", new Uint8Array(await bytes(archive)));
      for (const _ of playground.unpack("/python.zip")) {
        await new Promise((done) => setTimeout(done));
      }
    };
    return { check: playground.check, finish, compiled: compiled(pyodide, places) };
  } catch (error) {
    console.warn("The snapshot cannot be used:", error);
    const [pyodide, python]: [Pyodide, ArrayBuffer] = await Promise.all([loadPyodide(where), bytes(archive)]);
    pyodide.unpackArchive(python, "zip");
    const { check } = pyodide.pyimport("playground");
    return { check, finish: async () => undefined, compiled: compiled(pyodide, places) };
  }
}
