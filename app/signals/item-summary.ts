import { isRecord } from "../domain/is-record.ts";
import { MetaRecorder } from "../normalize/meta.ts";
import { normalizeEnvironment, normalizeRelease } from "../normalize/release-environment.ts";
import { normalizeEventId } from "../protocol/event-id.ts";

export type Json = Record<string, unknown>;

/** The facts about an item that lists show. */
export interface ItemSummary {
  /** How much it counts: 1, or the length of a container. */
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

/** Summarizes a payload `{items: […]}` by its first item. A text is the reason why the item is malformed. */
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

/** The environment and release by the rules of events (protocol 5.6). Null: absent, or not allowed as a name. */
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

/** A text of at most 200 characters; the payload keeps longer ones. Null for a blank text, and for values that are no text. */
export function toShortText(value: unknown): string | null {
  return typeof value === "string" && value.trim() !== "" ? value.trim().slice(0, 200).toWellFormed() : null;
}
