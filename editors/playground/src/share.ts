// A link that holds the files: JSON, deflated, in the address's fragment, which is never sent to a server.

/** What a file may be called. */
export const NAME = /^\w+\.py$/;

async function through(bytes: Uint8Array, stream: CompressionStream | DecompressionStream): Promise<Uint8Array> {
  const piped = new Blob([bytes as Uint8Array<ArrayBuffer>]).stream().pipeThrough(stream);
  return new Uint8Array(await new Response(piped).arrayBuffer());
}

export async function packed(files: Record<string, string>): Promise<string> {
  const bytes = await through(new TextEncoder().encode(JSON.stringify(files)), new CompressionStream("deflate-raw"));
  let text = "";
  for (const byte of bytes) {
    text += String.fromCharCode(byte);
  }
  return btoa(text).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

/** The files of a fragment; undefined where it holds none. */
export async function unpacked(fragment: string): Promise<Record<string, string> | undefined> {
  try {
    const text = atob(fragment.replaceAll("-", "+").replaceAll("_", "/"));
    const bytes = Uint8Array.from(text, (each) => each.charCodeAt(0));
    const found: unknown = JSON.parse(new TextDecoder().decode(await through(bytes, new DecompressionStream("deflate-raw"))));
    if (typeof found !== "object" || found === null || Array.isArray(found)) {
      return undefined;
    }
    const files = Object.entries(found).filter(
      ([name, content]) => NAME.test(name) && typeof content === "string",
    );
    return files.length > 0 ? Object.fromEntries(files) : undefined;
  } catch {
    return undefined;
  }
}
