import type { IncomingMessage, ServerResponse } from "node:http";

/** Bytes. The longest form is the list of allowed origins; what people write fits many times over. */
const MAX_FORM_BYTES = 1024 * 1024;

/**
 * Forms are read into memory whole, also those of people who are not signed in. Answers 413 when one is too large, or 411
 * when it does not say how large it is, which no browser does. The web API streams, and has limits of its own.
 */
export function refuseLargeForm(req: IncomingMessage, res: ServerResponse): boolean {
  if (req.method === "GET" || req.method === "HEAD" || /^\/api\/0(\/|\?|$)/.test(req.url ?? "")) return false;
  const isUnbounded = req.headers["transfer-encoding"] !== undefined;
  if (!isUnbounded && Number(req.headers["content-length"] ?? 0) <= MAX_FORM_BYTES) return false;
  const text = isUnbounded
    ? "A form must say how long it is.\n"
    : `This form is over ${MAX_FORM_BYTES} bytes, which is too large.\n`;
  // What is still on its way would be read to its end otherwise, for the next request on the connection.
  res.writeHead(isUnbounded ? 411 : 413, { "content-type": "text/plain; charset=utf-8", connection: "close" });
  res.end(text);
  return true;
}
