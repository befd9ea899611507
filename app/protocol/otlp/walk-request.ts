import { isRecord } from "../../domain/is-record.ts";
import { type MessageType, OTLP_NAMES, type OtlpSignal, RESOURCE, SCOPE } from "./messages.ts";
import { countDataPoints, NOT_AN_OBJECT, refuseOtlpItem, refuseResource, refuseScope } from "./refuse-item.ts";

type Json = Record<string, unknown>;

/**
 * Characters that resources and scopes may bring to the spans or logs of a request, where each has those of its own; ours. 10,000 of them may have 6,400
 * each: what Kubernetes and a runtime say has 2,000. Without a bound, 2 KB of gzip became 9 GB.
 */
export const MAX_RESOURCE_CHARACTERS = 64_000_000;
/** The most characters of a resource together with a scope. Beyond it, each span or log of the group is too large for that reason alone. */
const MAX_CHARACTERS_OF_RESOURCE = 1_048_576;
/** The reason for items beyond that limit, in the ledger and in the answer. */
export const RESOURCE_SIZE = "resource_size";

/** Some spans, logs or metrics to store, with their common resource and scope. */
export interface OtlpGroup {
  /** The resource as it came, the same object for all of its scopes. */
  resource: unknown;
  scope: Json;
  items: Json[];
}

/** Measures a resource or a scope, which the type tells. */
export type MeasureOrigin = (part: unknown, type: MessageType) => number;

export interface WalkedRequest {
  /** The groups with at least one item to store. */
  groups: OtlpGroup[];
  /** Spans, logs or data points, refused ones among them. */
  count: number;
  /** The number of items that are not stored, by reason. */
  refused: ReadonlyMap<string, number>;
}

/**
 * Walks through the resources and scopes of a request, and decides which items are stored. The glance and the digest both use it, so they
 * agree.
 */
export function walkRequest(request: Json, signal: OtlpSignal, measure: MeasureOrigin = measureOrigin): WalkedRequest {
  const [resources, scopes, items] = OTLP_NAMES[signal];
  const groups: OtlpGroup[] = [];
  const refused = new Map<string, number>();
  let count = 0;
  let charactersLeft = MAX_RESOURCE_CHARACTERS;
  for (const { resource, [scopes]: ofResource } of records(request[resources])) {
    let ofResourceAlone: number | null = null;
    const wrongResource = refuseResource(resource);
    for (const { scope, [items]: ofScope } of records(ofResource)) {
      const stored: Json[] = [];
      let characters: number | null = null;
      const wrongOrigin = wrongResource ?? refuseScope(scope);
      for (const item of records(ofScope)) {
        let reason = refuseOtlpItem(item, signal, count) ?? wrongOrigin;
        if (reason === null) {
          ofResourceAlone ??= measure(resource, RESOURCE);
          characters ??= ofResourceAlone + measure(scope, SCOPE);
          // Metrics are stored with their resource once.
          const brought = signal === "metrics" ? 0 : characters;
          if (characters > MAX_CHARACTERS_OF_RESOURCE || brought > charactersLeft) reason = RESOURCE_SIZE;
          else charactersLeft -= brought;
        }
        // A refused metric counts as one if its data points cannot be counted.
        const quantity = signal === "metrics" ? countDataPoints(item) || Number(reason !== null) : 1;
        count += quantity;
        if (reason === null) stored.push(item);
        else refused.set(reason, (refused.get(reason) ?? 0) + quantity);
      }
      if (stored.length > 0) groups.push({ resource, scope: isRecord(scope) ? scope : {}, items: stored });
    }
  }
  return { groups, count, refused };
}

/**
 * An upper bound for the characters of a resource or a scope as stored JSON, without making the JSON: for 15 MB of control characters that
 * took two seconds. Counting stops above the limit.
 */
export function measureOrigin(part: unknown): number {
  return isRecord(part) ? measureValue([part.name, part.version, part.attributes], 0) : 0;
}

const CHARACTERS_OF_CONTAINER = 8;
const CHARACTERS_OF_NUMBER = 25;
/** The characters of a control character, a quote or a backslash in JSON within JSON. */
const CHARACTERS_OF_ESCAPE = 7;

function measureValue(value: unknown, before: number): number {
  if (before > MAX_CHARACTERS_OF_RESOURCE) return before;
  if (typeof value === "string") return before + measureText(value);
  if (typeof value === "number") return before + CHARACTERS_OF_NUMBER;
  if (typeof value !== "object" || value === null) return before + "false,".length;
  let sum = before + CHARACTERS_OF_CONTAINER;
  for (const part of Array.isArray(value) ? value : Object.values(value)) sum = measureValue(part, sum);
  return sum;
}

function measureText(text: string): number {
  let sum = text.length + '"",'.length;
  for (let at = 0; at < text.length && sum <= MAX_CHARACTERS_OF_RESOURCE; at++) {
    const code = text.charCodeAt(at);
    if (code < 0x20 || code === 0x22 || code === 0x5c) sum += CHARACTERS_OF_ESCAPE - 1;
  }
  return sum;
}

function records(value: unknown): Json[] {
  return Array.isArray(value) ? value.map((each) => (isRecord(each) ? each : NOT_AN_OBJECT)) : [];
}
