import type { LookupAddress } from "node:dns";
import { lookup } from "node:dns/promises";
import { type IncomingMessage, request as requestHttp } from "node:http";
import { request as requestHttps } from "node:https";
import { isIP, type LookupFunction } from "node:net";
import { isPublicAddress } from "./public-address.ts";

export interface PublicTargetOptions {
  /** Gives why the URL may not be requested, or null. */
  refuse?: (url: URL) => string | null;
  /** Addresses that may be reached. Absent: those of the public internet. */
  isPublic?: (address: string) => boolean;
  /** Absent: any. An empty one is that of the protocol. */
  ports?: ReadonlySet<string>;
  /** Absent: `resolveName`. */
  resolve?: ResolveName;
}

/** All addresses of a name. The signal says that nobody waits for them any more. */
export type ResolveName = (hostname: string, signal: AbortSignal) => Promise<LookupAddress[]>;

export interface PublicRequest extends PublicTargetOptions {
  method?: "GET" | "HEAD" | "POST" | "PATCH" | "PUT";
  headers: Readonly<Record<string, string>>;
  body?: string | Uint8Array;
  signal: AbortSignal;
}

const MAX_HEADER_BYTES = 16 * 1024;

/** A request that is not allowed, or that failed. The message is for people, and names no address of the network. */
export class OutboundProblem extends Error {
  readonly kind: "refused" | "failed";

  constructor(kind: "refused" | "failed", message: string) {
    super(message);
    this.kind = kind;
  }
}

/** An error of `requestPublic` in words. `took too long` when the signal was aborted. */
export function describeProblem(error: unknown, signal: AbortSignal): { kind: "refused" | "failed"; reason: string } {
  if (error instanceof OutboundProblem) return { kind: error.kind, reason: error.message };
  if (signal.aborted) return { kind: "failed", reason: "it took too long" };
  const code = error instanceof Error && "code" in error ? String(error.code) : null;
  return { kind: "failed", reason: code === null ? "the connection failed" : `the connection failed (${code})` };
}

export function parseOutboundUrl(text: string, base?: URL): URL {
  const url = URL.parse(text, base?.href);
  if (url === null) throw new OutboundProblem("refused", "the address is no URL");
  return url;
}

/**
 * Sends one request to an address that somebody else chose, and resolves with the response, whose body is still to be read or
 * destroyed. A name is resolved once, every address it has must be public, and the connection goes to one of those that were
 * checked, so that a second answer of the name server changes nothing. A redirect is a response like any other: a
 * caller who follows it asks here again.
 * @throws {OutboundProblem} and errors of the connection
 */
export async function requestPublic(url: URL, options: PublicRequest): Promise<IncomingMessage> {
  const addresses = await checkTarget(url, options);
  return await openResponse(url, addresses, options);
}

/** The addresses to connect to. @throws when one of them, or the URL, must not be reached. */
async function checkTarget(url: URL, options: PublicRequest): Promise<[LookupAddress, ...LookupAddress[]]> {
  const { resolve, isPublic, ports, refuse, signal } = options;
  if (url.protocol !== "http:" && url.protocol !== "https:")
    throw new OutboundProblem("refused", `only http and https are requested, not ${url.protocol}`);
  if (url.username !== "" || url.password !== "")
    throw new OutboundProblem("refused", "the address carries credentials");
  if (ports !== undefined && !ports.has(url.port))
    throw new OutboundProblem("refused", `port ${url.port} is neither 80 nor 443`);
  const refusal = refuse?.(url) ?? null;
  if (refusal !== null) throw new OutboundProblem("refused", refusal);
  // The URL parser has made dotted decimals of every spelling of an IPv4 address.
  return await findAddresses(url.hostname.replace(/^\[(.*)\]$/, "$1"), { resolve, isPublic, signal });
}

/**
 * All addresses of a name, which are checked: a connection must go to one of these.
 * @throws {OutboundProblem} when it has none, or one that must not be reached, or when the signal is aborted before it is known
 */
export async function findAddresses(
  host: string,
  { resolve = resolveName, isPublic = isPublicAddress, signal }: Pick<PublicRequest, "resolve" | "isPublic" | "signal">,
): Promise<[LookupAddress, ...LookupAddress[]]> {
  const family = isIP(host);
  if (family !== 0) {
    if (isPublic(host)) return [{ address: host, family }];
    throw new OutboundProblem("refused", `${host} is not at a public address`);
  }
  const [first, ...others] = await raceAbort(resolve(host, signal), signal);
  // The same words for both: whoever chose the name must not learn which names an inner network has.
  const reason = `${host} was not found, or is not at a public address`;
  if (first === undefined) throw new OutboundProblem("failed", reason);
  if (![first, ...others].every(({ address }) => isPublic(address))) throw new OutboundProblem("refused", reason);
  return [first, ...others];
}

/** Leads a connection to addresses that were checked: one that does not answer is followed by the next. */
export function toLookup(addresses: readonly [LookupAddress, ...LookupAddress[]]): LookupFunction {
  const [first] = addresses;
  return (_, options, callback) => {
    if (options.all) callback(null, [...addresses]);
    else callback(null, first.address, first.family);
  };
}

/** Asks the system, which cannot be stopped: it may hold its thread for half a minute. Empty: the name was not found. */
export async function resolveName(hostname: string): Promise<LookupAddress[]> {
  try {
    return await lookup(hostname, { all: true });
  } catch {
    return [];
  }
}

function openResponse(
  url: URL,
  addresses: readonly [LookupAddress, ...LookupAddress[]],
  { isPublic = isPublicAddress, method = "GET", headers, body, signal }: PublicRequest,
): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const request = (url.protocol === "https:" ? requestHttps : requestHttp)(
      url,
      {
        method,
        // A connection of its own: none that something else has opened.
        agent: false,
        lookup: toLookup(addresses),
        maxHeaderSize: MAX_HEADER_BYTES,
        signal,
        headers: { ...headers, ...(body !== undefined && { "content-length": String(Buffer.byteLength(body)) }) },
      },
      resolve,
    );
    request.once("socket", (socket) => {
      socket.once("connect", () => {
        if (isPublic(socket.remoteAddress ?? "")) return;
        request.destroy(new OutboundProblem("refused", `${url.hostname} is not at a public address`));
      });
    });
    // Without a listener, Node closes the connection and reports no error.
    request.once("upgrade", (_, socket) => {
      socket.destroy();
      reject(new OutboundProblem("failed", "the server answered 101 and changed the protocol"));
    });
    request.once("error", reject);
    request.end(body);
  });
}

function raceAbort<Value>(promise: Promise<Value>, signal: AbortSignal): Promise<Value> {
  return new Promise((resolve, reject) => {
    const stop = () => reject(new OutboundProblem("failed", "it took too long"));
    if (signal.aborted) stop();
    signal.addEventListener("abort", stop, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener("abort", stop));
  });
}
