import { gzipSync } from "node:zlib";
import { makeSpanEnvelope } from "./make-spans.ts";
import { type RequestPool, toRequest } from "./prepare-requests.ts";
import { createRandom } from "./random.ts";

export interface SpanRequestOptions {
  dsn: string;
  /** Of one trace in each request, as SDKs stream them: what they send together has one trace header. */
  spansPerRequest: number;
  /** How many requests are made beforehand. Each is sent once. */
  count: number;
  /** Requests a second: the traces begin so far apart, the first of them now. */
  rate: number;
}

/** Containers of streamed spans. They are compressed, as SDKs do with bodies of this size. */
export function prepareSpanRequests({ dsn, spansPerRequest, count, rate }: SpanRequestOptions): RequestPool {
  const random = createRandom(Date.now() & 0x7fffffff);
  const now = Date.now() / 1000;
  const requests = Array.from({ length: count }, (_, index) => {
    const { body, traceId } = makeSpanEnvelope(random, "container", now + index / rate, spansPerRequest);
    return { bytes: toRequest(gzipSync(body), { dsn, encoding: "gzip" }), id: traceId };
  });
  let used = 0;
  return { count, next: () => requests[used++] ?? null };
}
