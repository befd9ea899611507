import type { RequestInterface } from "../../domain/event.ts";
import { quoteWord as quote } from "../../domain/quote-for-shell.ts";

/** Headers that curl makes itself, or that would break the repeated request. */
const LEFT_OUT = new Set(["content-length", "host", "connection", "accept-encoding"]);

/** The request as a shell command, quoted for POSIX shells. Scrubbed values stay scrubbed. */
export function toCurl(request: RequestInterface): string {
  const query = (request.query_string ?? [])
    .map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`)
    .join("&");
  const url = `${request.url ?? ""}${query === "" ? "" : `?${query}`}`;
  const parts = ["curl"];
  if (/[[\]{}]/.test(url)) parts.push("--globoff");
  const method = request.method ?? "GET";
  if (method !== "GET") parts.push(`-X ${quote(method)}`);
  for (const [name, value] of request.headers ?? []) {
    if (!LEFT_OUT.has(name.toLowerCase())) parts.push(`-H ${quote(`${name}: ${value}`)}`);
  }
  const cookies = (request.cookies ?? []).map(([name, value]) => `${name}=${value}`).join("; ");
  if (cookies !== "") parts.push(`-b ${quote(cookies)}`);
  if (request.data !== undefined && request.data !== null && request.data !== "") {
    parts.push(`--data-raw ${quote(typeof request.data === "string" ? request.data : JSON.stringify(request.data))}`);
  }
  parts.push(quote(url));
  return parts.join(" \\\n  ");
}
