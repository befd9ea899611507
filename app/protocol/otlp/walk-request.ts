import { isRecord } from "../../domain/is-record.ts";
import { type MessageType, OTLP_NAMES, type OtlpSignal, RESOURCE, SCOPE } from "./messages.ts";
import { countDataPoints, NOT_AN_OBJECT, refuseOtlpItem, refuseResource, refuseScope } from "./refuse-item.ts";

type Json = Record<string, unknown>;

/**
 * Characters that resources and scopes may bring to the spans or logs of a request, where each has those of its own; ours. 10,000 of them may have 6,400
 * each: what Kubernetes and a runtime say has 2,000. Without a bound, 2 KB of gzip became 9 GB.
 */
export const MAX_RESOURCE_CHARACTERS = 64_000_000;
/** Of one resource with one scope: each span or log with more is too large by that alone. */
const MAX_CHARACTERS_OF_RESOURCE = 1_048_576;
/** What is beyond that counts as this in the ledger, and in the answer. */
export const RESOURCE_SIZE = "resource_size";

/** What came together: some spans, logs or metrics that are stored, with their resource and scope. */
export interface OtlpGroup {
  /** As it came, one for all scopes of a resource. */
  resource: unknown;
  scope: Json;
  items: Json[];
}

/** Measures a resource or a scope, which the type tells. */
export type MeasureOrigin = (part: unknown, type: MessageType) => number;

export interface WalkedRequest {
  /** Without those that have nothing to store. */
  groups: OtlpGroup[];
  /** Spans, logs or data points, refused ones among them. */
  count: number;
  /** Those that are not stored, by reason. */
  refused: ReadonlyMap<string, number>;
}

/** Walks through the resources and scopes of a request, and decides what is stored. A glance and the digest come to the same. */
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
        // A metric that is refused counts, too, when its data points cannot be counted.
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
 * Characters that what is stored of a resource or a scope has as JSON, or some more, without making it: JSON of 15 MB of control characters took two
 * seconds. Counting ends beyond what one may have.
 */
export function measureOrigin(part: unknown): number {
  return isRecord(part) ? measureValue([part.name, part.version, part.attributes], 0) : 0;
}

const CHARACTERS_OF_CONTAINER = 8;
const CHARACTERS_OF_NUMBER = 25;
/** Of a control character, a quote or a backslash in JSON within JSON. */
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
