import { isRecord } from "../domain/is-record.ts";
import { MetaRecorder } from "../normalize/meta.ts";
import { normalizeEnvironment, normalizeRelease } from "../normalize/release-environment.ts";
import { normalizeEventId } from "../protocol/event-id.ts";

export type Json = Record<string, unknown>;

/** What a list of items needs to know of one. */
export interface ItemSummary {
  /** How many things it holds: 1, or the length of a container. */
  quantity: number;
  eventId: string | null;
  traceId: string | null;
  /** Milliseconds since 1970. */
  occurredAt: number | null;
  environment: string | null;
  release: string | null;
  name: string | null;
}

export function toSummary(known: Partial<ItemSummary>): ItemSummary {
  return {
    quantity: 1,
    eventId: null,
    traceId: null,
    occurredAt: null,
    environment: null,
    release: null,
    name: null,
    ...known,
  };
}

/** Of a payload `{items: […]}`: what the first one says stands for all. A text is the reason why it is worth nothing. */
export function summarizeContainer(
  { items }: Json,
  summarizeFirst: (first: Json) => Partial<ItemSummary>,
): ItemSummary | string {
  if (!Array.isArray(items)) return "not_a_container";
  if (items.length === 0) return "empty_container";
  const first = toRecord(items[0]);
  const attributes = toRecord(first.attributes);
  const attribute = (name: string) => toRecord(attributes[name]).value ?? attributes[name];
  return toSummary({
    quantity: items.length,
    traceId: normalizeEventId(first.trace_id),
    ...releaseAndEnvironment({
      environment: attribute("sentry.environment"),
      release: attribute("sentry.release"),
    }),
    ...summarizeFirst(first),
  });
}

/** By the rules of events (protocol 5.6). Null: it has none, or one that may not be a name. */
export function releaseAndEnvironment({ environment, release }: Json): Pick<ItemSummary, "environment" | "release"> {
  const unheard = new MetaRecorder();
  return {
    environment: normalizeEnvironment(environment, unheard) ?? null,
    release: normalizeRelease(release, unheard) ?? null,
  };
}

export function toRecord(value: unknown): Json {
  return isRecord(value) ? value : {};
}

/** Null for what is not a text, or a blank one. At most 200 characters: what is longer is for the payload. */
export function toShortText(value: unknown): string | null {
  return typeof value === "string" && value.trim() !== "" ? value.trim().slice(0, 200).toWellFormed() : null;
}
