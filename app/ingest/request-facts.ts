import type { IncomingMessage } from "node:http";

/** What a request says about its sender, apart from its credentials. */
export interface RequestFacts {
  /** IPv4 addresses in their own form also where the socket speaks IPv6; null when the socket is gone. */
  clientAddress: string | null;
  userAgent: string | null;
  clientHints?: Record<string, string>;
}

const CLIENT_HINTS = [
  "sec-ch-ua",
  "sec-ch-ua-platform",
  "sec-ch-ua-platform-version",
  "sec-ch-ua-model",
  "sec-ch-ua-mobile",
];
const MAX_USER_AGENT_CHARS = 1024;
const MAX_HINT_CHARS = 256;
/** The longest IPv6 address, in brackets and with a port. */
const MAX_ADDRESS_CHARS = 53;

/** `trustProxy`: the first address of `X-Forwarded-For` is the sender's, because a proxy of ours wrote it. */
export function readRequestFacts(req: IncomingMessage, trustProxy: boolean): RequestFacts {
  const { headers } = req;
  const facts: RequestFacts = {
    clientAddress: readClientAddress(req, trustProxy),
    userAgent: headers["user-agent"]?.slice(0, MAX_USER_AGENT_CHARS) || null,
  };
  for (const name of CLIENT_HINTS) {
    const value = headers[name];
    if (typeof value !== "string" || value === "") continue;
    facts.clientHints ??= {};
    facts.clientHints[name] = value.slice(0, MAX_HINT_CHARS);
  }
  return facts;
}

function readClientAddress(req: IncomingMessage, trustProxy: boolean): string | null {
  if (trustProxy) {
    const forwarded = req.headers["x-forwarded-for"];
    const list = Array.isArray(forwarded) ? forwarded.join(",") : (forwarded ?? "");
    const first = (list.split(",", 1)[0] ?? "").trim();
    if (first !== "" && first.length <= MAX_ADDRESS_CHARS) return unmapped(withoutPort(first));
  }
  const address = req.socket.remoteAddress;
  return address === undefined ? null : unmapped(address);
}

function unmapped(address: string): string {
  return address.startsWith("::ffff:") && address.includes(".") ? address.slice(7) : address;
}

/** Some proxies add the port: `192.0.2.1:4711`, `[2001:db8::1]:4711`. */
function withoutPort(address: string): string {
  return address.replace(/^\[(.+)\](?::\d+)?$/, "$1").replace(/^(\d+\.\d+\.\d+\.\d+):\d+$/, "$1");
}
