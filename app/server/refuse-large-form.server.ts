import type { IncomingMessage, ServerResponse } from "node:http";
import { MIB } from "../domain/bytes.ts";

/** Bytes. The longest form is the list of allowed origins; what people write fits many times over. */
const MAX_FORM_BYTES = MIB;
/**
 * Bytes, for sign-in and set-up, which strangers send. The longest valid form has a password of 1,024 characters, an address of
 * 254 and names of 164, each character nine bytes when it is percent-encoded: 13 KB.
 */
const MAX_STRANGERS_FORM_BYTES = 16 * 1024;
/** Bytes. The largest form is feedback about a broken page: 4,096 characters and an address of 2,000, percent-encoded. */
const MAX_FEEDBACK_BYTES = 64 * 1024;
/** Paths as the router understands them: in any case, with more slashes, and as the data request of a page. */
const STRANGERS_FORMS: ReadonlyArray<[path: RegExp, maxBytes: number]> = [
  [/^\/+(sign-in|set-up)\/*(\.data)?$/i, MAX_STRANGERS_FORM_BYTES],
  [/^\/+error-feedback\/*(\.data)?$/i, MAX_FEEDBACK_BYTES],
];

/**
 * Forms are read into memory whole, also those of people who are not signed in. Answers 413 when one is too large, or 411
 * when it does not say how large it is, which no browser does. The web API streams, and has limits of its own.
 */
export function refuseLargeForm(req: IncomingMessage, res: ServerResponse): boolean {
  const sent = toSentPath(req.url ?? "");
  if (req.method === "GET" || req.method === "HEAD" || /^\/api\/0(\/|$)/.test(sent)) return false;
  const path = decodePath(sent);
  const maxBytes = STRANGERS_FORMS.find(([form]) => form.test(path))?.[1] ?? MAX_FORM_BYTES;
  const isUnbounded = req.headers["transfer-encoding"] !== undefined;
  if (!isUnbounded && Number(req.headers["content-length"] ?? 0) <= maxBytes) return false;
  const text = isUnbounded
    ? "A form must say how long it is.\n"
    : `This form is over ${maxBytes} bytes, which is too large.\n`;
  // Closes the connection. Otherwise Node would read the rest of the body to its end, for the next request.
  res.writeHead(isUnbounded ? 411 : 413, { "content-type": "text/plain; charset=utf-8", connection: "close" });
  res.end(text);
  return true;
}

/** The path as the router gets it, without `..` and `\`: `/api/0/../../sign-in` is no path of the web API. */
function toSentPath(url: string): string {
  return URL.parse(`http://host${url}`)?.pathname ?? url;
}

function decodePath(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
