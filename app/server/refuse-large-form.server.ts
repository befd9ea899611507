import type { IncomingMessage, ServerResponse } from "node:http";
import { MIB } from "../domain/bytes.ts";

/** Bytes. The longest form is the list of allowed origins; what people write fits many times over. */
const MAX_FORM_BYTES = MIB;
/**
 * Bytes, for sign-in and set-up, which strangers send. The longest valid form has a password of 1,024 characters, an address of
 * 254 and names of 164, each character nine bytes when it is percent-encoded: 13 KB.
 */
const MAX_STRANGERS_FORM_BYTES = 16 * 1024;
/** Paths as the router understands them: in any case, with more slashes, and as the data request of a page. */
const STRANGERS_FORM = /^\/+(sign-in|set-up)\/*(\.data)?$/i;

/**
 * Forms are read into memory whole, also those of people who are not signed in. Answers 413 when one is too large, or 411
 * when it does not say how large it is, which no browser does. The web API streams, and has limits of its own.
 */
export function refuseLargeForm(req: IncomingMessage, res: ServerResponse): boolean {
  if (req.method === "GET" || req.method === "HEAD" || /^\/api\/0(\/|\?|$)/.test(req.url ?? "")) return false;
  const maxBytes = STRANGERS_FORM.test(decodePath(req.url ?? "")) ? MAX_STRANGERS_FORM_BYTES : MAX_FORM_BYTES;
  const isUnbounded = req.headers["transfer-encoding"] !== undefined;
  if (!isUnbounded && Number(req.headers["content-length"] ?? 0) <= maxBytes) return false;
  const text = isUnbounded
    ? "A form must say how long it is.\n"
    : `This form is over ${maxBytes} bytes, which is too large.\n`;
  // What is still on its way would be read to its end otherwise, for the next request on the connection.
  res.writeHead(isUnbounded ? 411 : 413, { "content-type": "text/plain; charset=utf-8", connection: "close" });
  res.end(text);
  return true;
}

function decodePath(url: string): string {
  const path = url.split("?", 1)[0] ?? "";
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
