import type { IncomingMessage } from "node:http";
import type { Readable } from "node:stream";
import { createBrotliDecompress, createGunzip, createInflate } from "node:zlib";
import {
  describeProblem,
  OutboundProblem,
  type PublicTargetOptions,
  parseOutboundUrl,
  requestPublic,
} from "./request-public.server.ts";

/** Reasons are for people. */
export type PublicFileAnswer =
  | {
      kind: "fetched";
      /** Decompressed. */
      bytes: Buffer;
      /** Header `sourcemap` (or `x-sourcemap`), as sent. */
      sourceMapUrl: string | null;
    }
  | { kind: "refused" | "failed"; reason: string };

/** Each redirect is checked like the first address. */
export interface FetchPublicFileOptions extends PublicTargetOptions {
  /** The largest size of the file, decompressed. */
  maxBytes?: number;
  /** For all hops together. */
  timeoutMs?: number;
}

const MAX_REDIRECTS = 3;
/** The largest map that is read from uploads has 128 MB; what strangers serve is kept smaller. */
const DEFAULT_MAX_BYTES = 32 * 1024 * 1024;
const DEFAULT_TIMEOUT_MS = 10_000;
/** An empty port is that of the protocol. */
const PORTS: ReadonlySet<string> = new Set(["", "80", "443"]);
const HEADERS = { accept: "*/*", "accept-encoding": "gzip, br, deflate", "user-agent": "Culprit (source maps)" };
const REDIRECTS = new Set([301, 302, 303, 307, 308]);

/**
 * Fetches a file that the public internet serves, for a URL that a stranger chose (`requestPublic`). Each redirect starts over.
 * Nothing is sent that could identify anyone. Never throws.
 */
export async function fetchPublicFile(text: string, options: FetchPublicFileOptions = {}): Promise<PublicFileAnswer> {
  const signal = AbortSignal.timeout(options.timeoutMs ?? DEFAULT_TIMEOUT_MS);
  try {
    let url = parseOutboundUrl(text);
    for (let hop = 0; ; hop++) {
      const response = await requestPublic(url, {
        ...options,
        ports: options.ports ?? PORTS,
        headers: HEADERS,
        signal,
      });
      try {
        const { statusCode = 0, headers } = response;
        if (REDIRECTS.has(statusCode) && headers.location !== undefined) {
          if (hop === MAX_REDIRECTS)
            throw new OutboundProblem("failed", `it redirects more than ${MAX_REDIRECTS} times`);
          url = parseOutboundUrl(headers.location, url);
          continue;
        }
        if (statusCode !== 200) throw new OutboundProblem("failed", `the server answered ${statusCode}`);
        const bytes = await readBody(response, options.maxBytes ?? DEFAULT_MAX_BYTES, signal);
        const header = headers.sourcemap ?? headers["x-sourcemap"];
        return { kind: "fetched", bytes, sourceMapUrl: typeof header === "string" ? header : null };
      } finally {
        response.destroy();
      }
    }
  } catch (error) {
    return describeProblem(error, signal);
  }
}

async function readBody(response: IncomingMessage, maxBytes: number, signal: AbortSignal): Promise<Buffer> {
  const tooLarge = new OutboundProblem("failed", `it has over ${maxBytes} bytes`);
  if (Number(response.headers["content-length"] ?? 0) > maxBytes) throw tooLarge;
  const body = decompress(response, signal);
  const parts: Buffer[] = [];
  let length = 0;
  for await (const part of body as AsyncIterable<Buffer>) {
    length += part.length;
    if (length > maxBytes) throw tooLarge;
    parts.push(part);
  }
  return Buffer.concat(parts, length);
}

function decompress(response: IncomingMessage, signal: AbortSignal): Readable {
  const encoding = response.headers["content-encoding"]?.trim().toLowerCase() ?? "";
  if (encoding === "" || encoding === "identity") return response;
  const decoder =
    encoding === "gzip" || encoding === "x-gzip"
      ? createGunzip()
      : encoding === "br"
        ? createBrotliDecompress()
        : encoding === "deflate"
          ? createInflate()
          : null;
  if (decoder === null)
    throw new OutboundProblem("failed", `it is encoded as ${encoding.slice(0, 40)}, which is not known`);
  const stop = (error: Error) => decoder.destroy(error);
  response.once("error", stop);
  // A body that ends early does not end its decoder.
  response.once("aborted", () => stop(new OutboundProblem("failed", "the answer was cut off")));
  signal.addEventListener("abort", () => decoder.destroy(new OutboundProblem("failed", "it took too long")), {
    once: true,
  });
  return response.pipe(decoder);
}
