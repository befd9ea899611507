import type { TunnelForward, TunnelForwardAnswer } from "../protocol/tunnel-forward.ts";

/** A browser that waits longer has long given its page up. */
const FORWARD_TIMEOUT_MS = 10_000;
/** Answers of the protocol are an id or a sentence. */
const MAX_ANSWER_BYTES = 64 * 1024;

/**
 * Sends envelopes of the tunnel to the configured server, and to no other: the address is this one, whatever the
 * envelope's own DSN says besides its key and project. Redirects are not followed.
 */
export function createEnvelopeForwarder(envelopeUrl: string): (request: TunnelForward) => Promise<TunnelForwardAnswer> {
  return async ({ body, headers }) => {
    const response = await fetch(envelopeUrl, {
      method: "POST",
      body: Buffer.from(body.buffer, body.byteOffset, body.byteLength) as BodyInit,
      headers,
      redirect: "error",
      signal: AbortSignal.timeout(FORWARD_TIMEOUT_MS),
    });
    const retryAfter = Number(response.headers.get("retry-after") ?? Number.NaN);
    return {
      status: response.status,
      body: await readStart(response),
      retryAfterSeconds: Number.isFinite(retryAfter) ? retryAfter : null,
      rateLimits: response.headers.get("x-sentry-rate-limits"),
    };
  };
}

async function readStart(response: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of response.body ?? []) {
    chunks.push(chunk);
    bytes += chunk.length;
    if (bytes > MAX_ANSWER_BYTES) break;
  }
  return Buffer.concat(chunks).subarray(0, MAX_ANSWER_BYTES).toString("utf8");
}
