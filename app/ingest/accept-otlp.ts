import type { ProjectKey } from "../domain/project.ts";
import { writeOtlpFailure, writeOtlpSuccess } from "../protocol/otlp/answer.ts";
import type { OtlpSignal } from "../protocol/otlp/messages.ts";
import { glanceAtOtlp, type OtlpRefusal } from "../protocol/otlp/read-request.ts";
import { type OtlpPart, splitByService } from "../protocol/otlp/split-by-service.ts";
import { parseEnvelope } from "../protocol/parse-envelope.ts";
import type { EnvelopeAcceptor, EnvelopeSource, RefusalTarget } from "./accept-envelope.ts";
import { acceptedAnswer, type IngestAnswer } from "./answers.ts";
import type { KeyRingEntry } from "./key-ring.ts";
import { wrapItem } from "./reframe-envelope.ts";
import { Refusal } from "./refusal.ts";

/**
 * Accepts an OTLP request. It is journaled as it came, as the only item of an envelope, and the digest translates it. Here its items are
 * only counted, to tell the sender at once which will be rejected; the digest rejects and counts the same ones. If services have projects
 * of their own, each project gets an envelope with its resources, under the limits of its key.
 *
 * If one project refuses its part and another accepts a part, the partial success names the refusal: exporters would send a failed request
 * again as a whole.
 */
export async function acceptOtlp(
  body: Uint8Array,
  { signal, contentType }: { signal: OtlpSignal; contentType: string },
  source: EnvelopeSource,
  { acceptor, target, keyOfService }: OtlpContext,
): Promise<IngestAnswer> {
  const read = splitByKey(body, signal, contentType, source.key, keyOfService);
  if (!read.ok) return acceptor.refuse(new Refusal("malformed_otlp", read.detail, { reason: read.reason }), target);
  const refused = new Map<string, number>();
  const failures: IngestAnswer[] = [];
  let accepted: IngestAnswer | null = null;
  for (const { target: key, bytes, glance } of read.parts) {
    for (const [reason, count] of glance.refused) add(refused, reason, count);
    if (glance.count === 0) continue;
    const header = { type: `otlp_${signal}`, content_type: contentType.slice(0, 200), item_count: glance.count };
    const envelope = wrapItem(header, bytes);
    const answer = await acceptor.accept(envelope, parseEnvelope(envelope), { ...source, key });
    if (answer.status === 200) {
      accepted = answer;
      continue;
    }
    failures.push(answer);
    // Items that cannot be stored are counted above. The rest of the part is lost with the refusal.
    const rest = glance.count - [...glance.refused.values()].reduce((sum, count) => sum + count, 0);
    add(refused, answer.error ?? `status ${answer.status}`, rest);
  }
  const firstFailure = failures[0];
  if (firstFailure !== undefined && accepted === null) return firstFailure;
  return { ...(accepted ?? acceptedAnswer(null)), body: null, content: writeOtlpSuccess(contentType, signal, refused) };
}

interface OtlpContext {
  acceptor: EnvelopeAcceptor;
  target: RefusalTarget;
  /** `keyOfService` of the key that was sent. */
  keyOfService: KeyRingEntry["keyOfService"];
}

function splitByKey(
  bytes: Uint8Array,
  signal: OtlpSignal,
  contentType: string,
  key: ProjectKey,
  keyOfService: OtlpContext["keyOfService"],
): { ok: true; parts: OtlpPart<ProjectKey>[] } | OtlpRefusal {
  if (keyOfService !== null)
    return splitByService(bytes, signal, contentType, (service) => (service === null ? key : keyOfService(service)));
  const read = glanceAtOtlp(bytes, signal, contentType);
  return read.ok ? { ok: true, parts: [{ target: key, bytes, glance: read.glance }] } : read;
}

function add(counts: Map<string, number>, reason: string, count: number): void {
  if (count > 0) counts.set(reason, (counts.get(reason) ?? 0) + count);
}

/** The answer in the form that OTLP wants: a failure has a `Status`, in the encoding of the request. */
export function toOtlpAnswer(answer: IngestAnswer, contentType: string): IngestAnswer {
  if (answer.content !== undefined || answer.error === null) return answer;
  return { ...answer, body: null, content: writeOtlpFailure(contentType, answer.error) };
}
