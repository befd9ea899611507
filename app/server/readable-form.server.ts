/**
 * The largest form is an undo of some hundred issues. Reading fields takes more than its share of time the more there are: half a million in a
 * megabyte, which strangers can send, held the thread for 40 seconds.
 */
const MAX_FIELDS = 10_000;
/** What stands between the fields of the two kinds of forms. */
const SEPARATORS = ["&", "\r\n--"];
const WEB_API = /^\/api\/0(\/|$)/;

/**
 * Reads the form of a request. Returns the request with its form, or without one if it has no body or its route reads the body itself.
 * Null: the body is no valid form. Every route would fail on it, and each request of a stranger would log a fault of ours. Forms are small
 * (`refuseLargeForm`), so they may be parsed twice. A form with more than 10,000 fields counts as none.
 */
export async function withReadableForm(request: Request): Promise<{ request: Request; form: FormData | null } | null> {
  if (request.method === "GET" || request.method === "HEAD" || WEB_API.test(new URL(request.url).pathname)) {
    return { request, form: null };
  }
  // Browsers say of a request without a body that it has 0 bytes, others say nothing.
  const isEmpty = Number(request.headers.get("content-length") ?? 0) === 0 && !request.headers.has("transfer-encoding");
  if (request.headers.get("content-type") === null && isEmpty) {
    // The request has no body: it counts as a form without fields.
    const headers = new Headers(request.headers);
    headers.set("content-type", "application/x-www-form-urlencoded");
    return {
      request: new Request(request.url, { method: request.method, headers, signal: request.signal }),
      form: null,
    };
  }
  try {
    const body = Buffer.from(await request.clone().arrayBuffer());
    if (SEPARATORS.some((separator) => hasMoreThan(MAX_FIELDS, separator, body))) return null;
    const headers = { "content-type": request.headers.get("content-type") ?? "" };
    return { form: await new Response(body, { headers }).formData(), request };
  } catch {
    return null;
  }
}

function hasMoreThan(most: number, separator: string, body: Buffer): boolean {
  let count = 0;
  for (let at = body.indexOf(separator); at !== -1; at = body.indexOf(separator, at + separator.length))
    if (++count > most) return true;
  return false;
}
