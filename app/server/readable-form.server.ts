const WEB_API = /^\/api\/0(\/|$)/;

/**
 * The request with its form, if its body is one; without, where it has no body or reads it itself. Null: it is none, or broken, and every
 * route would fail on it, which would be a fault of ours in the log for each request of a stranger. Forms are small (`refuseLargeForm`), so
 * they may be parsed twice.
 */
export async function withReadableForm(request: Request): Promise<{ request: Request; form: FormData | null } | null> {
  if (request.method === "GET" || request.method === "HEAD" || WEB_API.test(new URL(request.url).pathname)) {
    return { request, form: null };
  }
  // Browsers say of a request without a body that it has 0 bytes, others say nothing.
  const isEmpty = Number(request.headers.get("content-length") ?? 0) === 0 && !request.headers.has("transfer-encoding");
  if (request.headers.get("content-type") === null && isEmpty) {
    // Nothing was sent: a form without fields.
    const headers = new Headers(request.headers);
    headers.set("content-type", "application/x-www-form-urlencoded");
    return {
      request: new Request(request.url, { method: request.method, headers, signal: request.signal }),
      form: null,
    };
  }
  try {
    return { form: await request.clone().formData(), request };
  } catch {
    return null;
  }
}
