import type { IncomingMessage } from "node:http";
import { readClientAddress } from "../domain/client-address.ts";
import type { RequestFacts } from "../protocol/stored-item.ts";

const CLIENT_HINTS = [
  "sec-ch-ua",
  "sec-ch-ua-platform",
  "sec-ch-ua-platform-version",
  "sec-ch-ua-model",
  "sec-ch-ua-mobile",
];
const MAX_USER_AGENT_CHARS = 1024;
const MAX_HINT_CHARS = 256;

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
