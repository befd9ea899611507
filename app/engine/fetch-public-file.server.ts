import type { LookupAddress } from "node:dns";
import { lookup } from "node:dns/promises";
import { type IncomingMessage, request as requestHttp } from "node:http";
import { request as requestHttps } from "node:https";
import { isIP, type LookupFunction } from "node:net";
import type { Readable } from "node:stream";
import { createBrotliDecompress, createGunzip, createInflate } from "node:zlib";
import { isPublicAddress } from "./public-address.ts";

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

export interface FetchPublicFileOptions {
  /** Asked for each hop; gives why the URL may not be fetched, or null. */
  refuse?: (url: URL) => string | null;
  /** Of the file, decompressed. */
  maxBytes?: number;
  /** For all hops together. */
  timeoutMs?: number;
  /** For tests, which have no public addresses. */
  resolve?: (hostname: string) => Promise<LookupAddress[]>;
  isPublic?: (address: string) => boolean;
  ports?: ReadonlySet<string>;
}

const MAX_REDIRECTS = 3;
/** The largest map that is read from uploads has 128 MB; what strangers serve is kept smaller. */
const DEFAULT_MAX_BYTES = 32 * 1024 * 1024;
const DEFAULT_TIMEOUT_MS = 10_000;
const MAX_HEADER_BYTES = 16 * 1024;
/** An empty port is that of the protocol. */
const PORTS: ReadonlySet<string> = new Set(["", "80", "443"]);
const REDIRECTS = new Set([301, 302, 303, 307, 308]);

/** What must not be fetched, or could not. The message is for people, and does not name addresses of the network. */
class FetchProblem extends Error {
  readonly kind: "refused" | "failed";

  constructor(kind: "refused" | "failed", message: string) {
    super(message);
    this.kind = kind;
  }
}

/**
 * Fetches a file that the public internet serves, for a URL that a stranger chose. A name is resolved once, every address
 * it has must be public, and the connection goes to one of those that were checked, so that a second answer of the name
 * server changes nothing. Each redirect starts over. Nothing is sent that could identify anyone. Never throws.
 */
export async function fetchPublicFile(text: string, options: FetchPublicFileOptions = {}): Promise<PublicFileAnswer> {
  const signal = AbortSignal.timeout(options.timeoutMs ?? DEFAULT_TIMEOUT_MS);
  try {
    let url = parseUrl(text);
    for (let hop = 0; ; hop++) {
      const addresses = await raceAbort(checkTarget(url, options), signal);
      const response = await openResponse(url, addresses, options, signal);
      try {
        const { statusCode = 0, headers } = response;
        if (REDIRECTS.has(statusCode) && headers.location !== undefined) {
          if (hop === MAX_REDIRECTS) throw new FetchProblem("failed", `it redirects more than ${MAX_REDIRECTS} times`);
          url = parseUrl(headers.location, url);
          continue;
        }
        if (statusCode !== 200) throw new FetchProblem("failed", `the server answered ${statusCode}`);
        const bytes = await readBody(response, options.maxBytes ?? DEFAULT_MAX_BYTES, signal);
        const header = headers.sourcemap ?? headers["x-sourcemap"];
        return { kind: "fetched", bytes, sourceMapUrl: typeof header === "string" ? header : null };
      } finally {
        response.destroy();
      }
    }
  } catch (error) {
    if (error instanceof FetchProblem) return { kind: error.kind, reason: error.message };
    if (signal.aborted) return { kind: "failed", reason: "it took too long" };
    const code = error instanceof Error && "code" in error ? String(error.code) : null;
    return { kind: "failed", reason: code === null ? "the connection failed" : `the connection failed (${code})` };
  }
}

function parseUrl(text: string, base?: URL): URL {
  const url = URL.parse(text, base?.href);
  if (url === null) throw new FetchProblem("refused", "the address is no URL");
  return url;
}

/** The addresses to connect to. @throws when one of them, or the URL, is not to be fetched. */
async function checkTarget(url: URL, options: FetchPublicFileOptions): Promise<LookupAddress[]> {
  const { resolve = resolveAll, isPublic = isPublicAddress, ports = PORTS, refuse } = options;
  if (url.protocol !== "http:" && url.protocol !== "https:")
    throw new FetchProblem("refused", `only http and https are fetched, not ${url.protocol}`);
  if (url.username !== "" || url.password !== "") throw new FetchProblem("refused", "the address carries credentials");
  if (!ports.has(url.port)) throw new FetchProblem("refused", `port ${url.port} is none of 80 and 443`);
  const refusal = refuse?.(url) ?? null;
  if (refusal !== null) throw new FetchProblem("refused", refusal);
  // The URL parser has made dotted decimals of every spelling of an IPv4 address.
  const host = url.hostname.replace(/^\[(.*)\]$/, "$1");
  const family = isIP(host);
  const addresses = family === 0 ? await resolve(host) : [{ address: host, family }];
  if (addresses.length === 0) throw new FetchProblem("failed", `${host} has no address`);
  if (!addresses.every(({ address }) => isPublic(address)))
    throw new FetchProblem("refused", `${host} is not at a public address`);
  return addresses;
}

async function resolveAll(hostname: string): Promise<LookupAddress[]> {
  try {
    return await lookup(hostname, { all: true });
  } catch {
    throw new FetchProblem("failed", `${hostname} was not found`);
  }
}

function openResponse(
  url: URL,
  addresses: readonly LookupAddress[],
  { isPublic = isPublicAddress }: FetchPublicFileOptions,
  signal: AbortSignal,
): Promise<IncomingMessage> {
  const [first] = addresses as [LookupAddress, ...LookupAddress[]];
  const lookupChecked: LookupFunction = (_, options, callback) => {
    if (options.all) callback(null, [...addresses]);
    else callback(null, first.address, first.family);
  };
  return new Promise((resolve, reject) => {
    const request = (url.protocol === "https:" ? requestHttps : requestHttp)(
      url,
      {
        // A connection of its own: none that something else has opened.
        agent: false,
        lookup: lookupChecked,
        maxHeaderSize: MAX_HEADER_BYTES,
        signal,
        headers: { accept: "*/*", "accept-encoding": "gzip, br, deflate", "user-agent": "Culprit (source maps)" },
      },
      resolve,
    );
    request.once("socket", (socket) => {
      socket.once("connect", () => {
        if (isPublic(socket.remoteAddress ?? "")) return;
        request.destroy(new FetchProblem("refused", `${url.hostname} is not at a public address`));
      });
    });
    request.once("error", reject);
    request.end();
  });
}

async function readBody(response: IncomingMessage, maxBytes: number, signal: AbortSignal): Promise<Buffer> {
  const tooLarge = new FetchProblem("failed", `it has over ${maxBytes} bytes`);
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
    throw new FetchProblem("failed", `it is encoded as ${encoding.slice(0, 40)}, which is not known`);
  const stop = (error: Error) => decoder.destroy(error);
  response.once("error", stop);
  // A body that ends early does not end its decoder.
  response.once("aborted", () => stop(new FetchProblem("failed", "the answer was cut off")));
  signal.addEventListener("abort", () => decoder.destroy(new FetchProblem("failed", "it took too long")), {
    once: true,
  });
  return response.pipe(decoder);
}

function raceAbort<Value>(promise: Promise<Value>, signal: AbortSignal): Promise<Value> {
  return new Promise((resolve, reject) => {
    const stop = () => reject(new FetchProblem("failed", "it took too long"));
    if (signal.aborted) stop();
    signal.addEventListener("abort", stop, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener("abort", stop));
  });
}
