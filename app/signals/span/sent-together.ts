import { normalizeEventId } from "../../protocol/event-id.ts";
import { type Json, releaseAndEnvironment, toRecord, toShortText } from "../item-summary.ts";
import type { ArrivedItem } from "../signal.ts";

/**
 * The most characters that one row has about its sender. Longer texts would be cut, and stored whole beside each row (`bounded-row.ts`).
 */
const MAX_RESOURCE_CHARACTERS = 1_900;
/**
 * The most characters about the sender in all rows of a container together. Without the limit, 130 KB of short log lines would become 20 MB
 * of rows.
 */
const MAX_REPEATED_CHARACTERS = 4_000_000;

/** The facts from the envelope that all its spans and logs share. */
export interface SentTogether {
  traceId: string | null;
  release: string | null;
  environment: string | null;
  sampleRate: number | null;
  segment: string | null;
  sdkName: string | null;
  sdkVersion: string | null;
}

export function readSentTogether({ envelopeHeader }: ArrivedItem): SentTogether {
  const trace = toRecord(envelopeHeader.trace);
  const sdk = toRecord(envelopeHeader.sdk);
  return {
    ...releaseAndEnvironment(trace),
    traceId: normalizeEventId(trace.trace_id),
    sampleRate: readSampleRate(trace.sample_rate),
    segment: toShortText(trace.transaction),
    sdkName: toShortText(sdk.name),
    sdkVersion: toShortText(sdk.version),
  };
}

/** A number above 0 and at most 1, or its text. */
export function readSampleRate(value: unknown): number | null {
  const rate = typeof value === "string" && value.length <= 32 && value.trim() !== "" ? Number(value) : value;
  return typeof rate === "number" && rate > 0 && rate <= 1 ? rate : null;
}

/**
 * The sender of spans and logs that came together, as JSON for each of the `count` rows. If that is too long, it has only the SDK's name
 * and version and the request, without the SDK's lists of packages and settings.
 */
export function toResource(
  { envelopeHeader, entry }: ArrivedItem,
  { items: _, ...container }: Json,
  count: number,
): string {
  const { clientAddress, userAgent, clientHints } = entry;
  const request = { clientAddress, userAgent, ...(clientHints ? { clientHints } : {}) };
  const resource = { sdk: envelopeHeader.sdk, request, container };
  const text = JSON.stringify(resource);
  if (text.length <= Math.min(MAX_RESOURCE_CHARACTERS, MAX_REPEATED_CHARACTERS / count)) return text;
  const { name, version } = toRecord(envelopeHeader.sdk);
  return JSON.stringify({ sdk: { name: toShortText(name), version: toShortText(version) }, request });
}

/** Release and environment by the rules of events. */
export const toRelease = remember((release) => releaseAndEnvironment({ release }).release);
export const toEnvironment = remember((environment) => releaseAndEnvironment({ environment }).environment);

/** Each span of a container has the same value. */
const MAX_REMEMBERED = 500;

function remember(read: (value: unknown) => string | null): (value: unknown) => string | null {
  const known = new Map<unknown, string | null>();
  return (value) => {
    if (typeof value !== "string") return null;
    const before = known.get(value);
    if (before !== undefined) return before;
    const result = read(value);
    if (known.size >= MAX_REMEMBERED) known.clear();
    if (value.length <= 1_000) known.set(value, result);
    return result;
  };
}
