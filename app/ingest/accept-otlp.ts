import { writeOtlpFailure, writeOtlpSuccess } from "../protocol/otlp/answer.ts";
import type { OtlpSignal } from "../protocol/otlp/messages.ts";
import { glanceAtOtlp } from "../protocol/otlp/read-request.ts";
import { parseEnvelope } from "../protocol/parse-envelope.ts";
import type { EnvelopeAcceptor, EnvelopeSource, RefusalTarget } from "./accept-envelope.ts";
import type { IngestAnswer } from "./answers.ts";
import { wrapItem } from "./reframe-envelope.ts";
import { Refusal } from "./refusal.ts";

/**
 * Accepts a request of OTLP. It is journaled as it came, in an envelope of one item, and the digest translates it. Here it is only
 * counted, to tell the sender at once what will be rejected; the digest rejects and counts the same.
 */
export async function acceptOtlp(
  body: Uint8Array,
  { signal, contentType }: { signal: OtlpSignal; contentType: string },
  source: EnvelopeSource,
  { acceptor, target }: { acceptor: EnvelopeAcceptor; target: RefusalTarget },
): Promise<IngestAnswer> {
  const read = glanceAtOtlp(body, signal, contentType);
  if (!read.ok) return acceptor.refuse(new Refusal("malformed_otlp", read.detail, { reason: read.reason }), target);
  const { count, refused } = read.glance;
  if (count === 0) return succeed(contentType, signal, refused);
  const header = { type: `otlp_${signal}`, content_type: contentType.slice(0, 200), item_count: count };
  const envelope = wrapItem(header, body);
  const answer = await acceptor.accept(envelope, parseEnvelope(envelope), source);
  return answer.status === 200 ? { ...answer, ...succeed(contentType, signal, refused) } : answer;
}

function succeed(contentType: string, signal: OtlpSignal, refused: ReadonlyMap<string, number>): IngestAnswer {
  const content = writeOtlpSuccess(contentType, signal, refused);
  return { status: 200, body: null, content, retryAfterSeconds: null, rateLimits: null, error: null };
}

/** An answer as OTLP wants it: a failure has a `Status`, in the encoding of the request. */
export function toOtlpAnswer(answer: IngestAnswer, contentType: string): IngestAnswer {
  if (answer.content !== undefined || answer.error === null) return answer;
  return { ...answer, body: null, content: writeOtlpFailure(contentType, answer.error) };
}
