import type { Workspace } from "../../access/workspace.ts";
import type { ScopedProjectIds } from "../../domain/scope.ts";
import { LOG_VOCABULARY } from "../../domain/search/log-vocabulary.ts";
import { type FieldType, findField } from "../../domain/search/search-field.ts";
import { SPAN_VOCABULARY } from "../../domain/search/span-vocabulary.ts";
import type { AttributeSignal } from "../../stores/events/span-sums.ts";
import { nameChoices } from "../search/list-signal-values.server.ts";

const MAX_KEYS = 500;
const VOCABULARIES = { spans: SPAN_VOCABULARY, logs: LOG_VOCABULARY };

export type AttributeType = "string" | "number" | "boolean" | "array";

export interface AttributeQuestion {
  signal: AttributeSignal;
  projectIds: ScopedProjectIds;
  /** Milliseconds since 1970. */
  from: number;
  to: number;
}

/**
 * What spans or logs can be searched by: fields that each of them may have, and attributes of those in the range. Lists are left
 * out, because they have no values to search for.
 */
export async function listAttributes(
  { events }: Workspace,
  { type, part, ...whose }: AttributeQuestion & { type: AttributeType; part: string },
): Promise<Array<{ key: string; isKnown: boolean }>> {
  const vocabulary = VOCABULARIES[whose.signal];
  const known = vocabulary.fields
    .filter((field) => toAttributeType(field.type) === type)
    .map(({ key }) => ({ key, isKnown: true }));
  const sent = type === "string" ? await events.listAttributeKeys(whose, MAX_KEYS) : [];
  const others = sent.filter(({ key }) => !findField(vocabulary, key)).map(({ key }) => ({ key, isKnown: false }));
  return [...known, ...others].filter(({ key }) => key.toLowerCase().includes(part.toLowerCase()));
}

/** The most frequent values of a key, which can have any of its names. */
export async function listAttributeValues(
  { events }: Workspace,
  { key, prefix, limit, ...whose }: AttributeQuestion & { key: string; prefix: string; limit: number },
): Promise<Array<{ value: string; count: number }>> {
  const { key: field, choices } = findField(VOCABULARIES[whose.signal], key) ?? {};
  const asked = { ...whose, key: SUMMED_KEYS[whose.signal][field ?? ""] ?? field ?? key };
  if (choices === undefined) return await events.listAttributeValues({ ...asked, ...(prefix && { prefix }) }, limit);
  const named = nameChoices(await events.listAttributeValues(asked, limit), choices);
  return named.filter(({ value }) => value.startsWith(prefix));
}

/** Keys that have another name in the sums than in searches. */
const SUMMED_KEYS: Readonly<Record<AttributeSignal, Readonly<Record<string, string>>>> = {
  spans: {
    "span.group": "span.name",
    "span.origin": "sentry.origin",
    service: "service.name",
    sdk: "sdk.name",
  },
  logs: { service: "service.name", origin: "sentry.origin" },
};

function toAttributeType(type: FieldType): AttributeType {
  if (type === "number" || type === "duration" || type === "time") return "number";
  return type === "boolean" ? "boolean" : "string";
}
