import { readByteRange } from "./byte-range.ts";
import { MIB } from "./bytes.ts";
import { ReadLimitError } from "./read-limit.ts";
import { MINUTE_MS } from "./time.ts";

/** Bytes of files in memory that clients have not taken yet: room for two of the largest files. */
const MAX_HELD_BYTES = 256 * MIB;
/** The last quarter of that is for smaller files only. */
const LARGE_FROM_BYTES = MIB;
const MAX_HELD_BY_LARGE = 192 * MIB;
/** A client that takes a file slower than this gets the beginning of it. */
const MAX_HELD_MS = 10 * MINUTE_MS;
const PIECE_BYTES = 64 * 1024;

let heldBytes = 0;

export type DownloadRequest = Pick<Request, "method" | "signal" | "headers">;
type Body = ReadableStream<Uint8Array<ArrayBuffer>>;
export type Download<Content> = Content & {
  body: Body | null;
  status: 200 | 206 | 416;
  /** Its length and range. Compression would make others of them. */
  headers: Record<string, string>;
};

/**
 * Reads a file that a client wants, to be sent in pieces as the client takes them. It is held until the client has it all or leaves. Nobody reads
 * the body of an answer to HEAD, so it has none. A client that asks for a range gets that of the file.
 *
 * @param size in bytes
 * @throws {ReadLimitError} when clients have yet to take too much of other files
 */
export async function openDownload<Content extends { bytes: Uint8Array; etag: string }>(
  size: number,
  { method, signal, headers: asked }: DownloadRequest,
  read: () => Promise<Content | null>,
): Promise<Download<Content> | null> {
  const release = hold(size);
  let body: Body | null = null;
  try {
    const file = await read();
    if (file === null) return null;
    const { bytes, etag } = file;
    const range = method === "GET" ? readByteRange(asked, { bytes: bytes.length, etag }) : null;
    const headers = { "accept-ranges": "bytes", "cache-control": "private, no-store, no-transform", etag };
    if (range === "unsatisfiable")
      return { ...file, body, status: 416, headers: { ...headers, "content-range": `bytes */${bytes.length}` } };
    const sent = range ? bytes.subarray(range.from, range.upTo) : bytes;
    if (method !== "HEAD") body = toBody(sent, { release, signal });
    return {
      ...file,
      body,
      status: range ? 206 : 200,
      headers: {
        ...headers,
        "content-length": String(sent.length),
        ...(range && { "content-range": `bytes ${range.from}-${range.upTo - 1}/${bytes.length}` }),
      },
    };
  } finally {
    if (body === null) release();
  }
}

/** Gives the function that ends it. */
function hold(size: number): () => void {
  const most = size >= LARGE_FROM_BYTES ? MAX_HELD_BY_LARGE : MAX_HELD_BYTES;
  if (heldBytes > 0 && heldBytes + size > most) throw new ReadLimitError("downloads");
  heldBytes += size;
  let isHeld = true;
  return () => {
    if (isHeld) heldBytes -= size;
    isHeld = false;
  };
}

/** @param signal of the request: a client that leaves before the answer begins reads nothing of it, and cancels nothing */
function toBody(bytes: Uint8Array, { release, signal }: { release: () => void; signal: AbortSignal }): Body {
  let left: Uint8Array | null = bytes;
  const end = () => {
    clearTimeout(timer);
    signal.removeEventListener("abort", end);
    left = null;
    release();
  };
  let timer: NodeJS.Timeout;
  return new ReadableStream({
    start(controller) {
      timer = setTimeout(() => {
        end();
        controller.error(new Error("the client took too long"));
      }, MAX_HELD_MS).unref();
      if (signal.aborted) end();
      else signal.addEventListener("abort", end);
    },
    pull(controller) {
      if (left !== null && left.length > 0) controller.enqueue(Uint8Array.from(left.subarray(0, PIECE_BYTES)));
      left = left?.subarray(PIECE_BYTES) ?? null;
      if (left !== null && left.length > 0) return;
      end();
      controller.close();
    },
    cancel: end,
  });
}
