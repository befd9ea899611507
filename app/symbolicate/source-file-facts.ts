import { type ByteRange, JsonBytes, JsonBytesError } from "./read-json-bytes.ts";
import { toDebugId } from "./source-map.ts";

/** Tools append their comments at the end. Only another such comment can follow. */
const DEBUG_ID_TAIL_BYTES = 4_096;
const MAX_REFERENCE_CHARACTERS = 2_048;
/** Code that handles source maps has the words in a few texts. */
const MAX_MARKS = 1_000;

/** The debug id in a file's `//# debugId=` comment: 32 lower-case hex characters, or null. */
export function readDebugIdComment(bytes: Uint8Array): string | null {
  const all = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  // An inline map may stand behind it.
  const reference = findReference(all);
  const end = reference === null ? all.length : reference.start;
  const tails = [all.subarray(Math.max(0, end - DEBUG_ID_TAIL_BYTES), end), all.subarray(-DEBUG_ID_TAIL_BYTES)];
  for (const tail of tails) {
    const matches = [...tail.toString("latin1").matchAll(/\/\/[#@]\s*debugId\s*=\s*([0-9a-fA-F-]{32,36})/g)];
    const id = toDebugId(matches.at(-1)?.[1]);
    if (id !== null) return id;
  }
  return null;
}

/** The URL in a file's last `//# sourceMappingURL=` comment. For an inline map it is the whole `data:…` URL. Null: there is none. */
export function readSourceMappingUrl(bytes: Uint8Array): string | null {
  const all = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const reference = findReference(all);
  if (reference === null) return null;
  const text = all.toString("utf8", reference.valueStart, reference.end);
  return text.startsWith("data:") || text.length <= MAX_REFERENCE_CHARACTERS ? text : null;
}

function findReference(all: Buffer): { start: number; valueStart: number; end: number } | null {
  const mark = "sourceMappingURL=";
  // The last one that is a comment of its own; code may hold the words as a text.
  for (let from = all.length, tried = 0; from >= 0 && tried < MAX_MARKS; tried++) {
    const at = all.lastIndexOf(mark, from, "latin1");
    if (at === -1) return null;
    const before = all.toString("latin1", Math.max(0, at - 8), at);
    const comment = /\/[/*][#@]\s*$/.exec(before);
    if (comment !== null) {
      const valueStart = at + mark.length;
      let end = valueStart;
      while (end < all.length && !isValueEnd(all, end)) end++;
      if (end > valueStart) return { start: at - comment[0].length, valueStart, end };
    }
    from = at - 1;
  }
  return null;
}

function isValueEnd(all: Buffer, at: number): boolean {
  const byte = all[at] as number;
  return byte <= 0x20 || byte === 0x22 || byte === 0x27 || (byte === 0x2a && all[at + 1] === 0x2f);
}

const DEBUG_ID_KEYS: readonly string[] = ["debug_id", "debugId"];

/** The debug id that a source map names; null: none, or it is no map. */
export function readMapDebugId(bytes: Uint8Array): string | null {
  const all = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (!DEBUG_ID_KEYS.some((key) => all.includes(`"${key}"`))) return null;
  try {
    const json = new JsonBytes(bytes);
    const root = json.root();
    if (!json.isObject(root)) return null;
    const found = new Map<string, ByteRange>();
    json.eachMember(root, (key, value) => {
      if (DEBUG_ID_KEYS.includes(key)) found.set(key, value);
    });
    for (const key of DEBUG_ID_KEYS) {
      const value = found.get(key);
      const id = value === undefined || value.end - value.start > 100 ? null : toDebugId(json.readString(value));
      if (id !== null) return id;
    }
    return null;
  } catch (error) {
    if (error instanceof JsonBytesError) return null;
    throw error;
  }
}

const DATA_URL = /^data:(?:application|text)\/(?:json|octet-stream|plain)?[^,]*?(;base64)?,/i;

/** The map in a `data:` reference. Null: it holds none that can be read. */
export function readInlineMap(reference: string): Buffer | null {
  const match = DATA_URL.exec(reference) ?? /^data:[^,]*?(;base64)?,/i.exec(reference);
  if (match === null) return null;
  const content = reference.slice(match[0].length);
  if (match[1] !== undefined) {
    if (!/^[A-Za-z0-9+/_-]*={0,2}$/.test(content)) return null;
    return Buffer.from(content, "base64");
  }
  try {
    return Buffer.from(decodeURIComponent(content), "utf8");
  } catch {
    return null;
  }
}
