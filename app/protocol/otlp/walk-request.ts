import { isRecord } from "../../domain/is-record.ts";
import { toAttributes } from "./attributes.ts";
import { OTLP_NAMES, type OtlpSignal } from "./messages.ts";
import { countDataPoints, NOT_AN_OBJECT, refuseOtlpItem, refuseResource, refuseScope } from "./refuse-item.ts";

type Json = Record<string, unknown>;

/**
 * Characters that resources may bring to the spans or logs of a request, where each has those of its own; ours. 10,000 of them may have 6,400
 * each: what Kubernetes and a runtime say has 2,000. Without a bound, 2 KB of gzip became 9 GB.
 */
export const MAX_RESOURCE_CHARACTERS = 64_000_000;
/** What is beyond that counts as this in the ledger, and in the answer. */
export const RESOURCE_SIZE = "resource_size";

/** What came together: some spans, logs or metrics that are stored, with their resource and scope. */
export interface OtlpGroup {
  /** As it came, one for all scopes of a resource. */
  resource: unknown;
  /** Those of the resource, by their names. */
  attributes: Json;
  scope: Json;
  items: Json[];
}

export interface WalkedRequest {
  /** Without those that have nothing to store. */
  groups: OtlpGroup[];
  /** Spans, logs or data points, refused ones among them. */
  count: number;
  /** Those that are not stored, by reason. */
  refused: ReadonlyMap<string, number>;
}

export interface ReadResource {
  attributes: Json;
  /** Of their JSON. */
  characters: number;
}

/** Walks through the resources and scopes of a request, and decides what is stored. A glance and the digest come to the same. */
export function walkRequest(
  request: Json,
  signal: OtlpSignal,
  readResource: (resource: unknown) => ReadResource = readWhole,
): WalkedRequest {
  const [resources, scopes, items] = OTLP_NAMES[signal];
  const groups: OtlpGroup[] = [];
  const refused = new Map<string, number>();
  let count = 0;
  let charactersLeft = MAX_RESOURCE_CHARACTERS;
  for (const { resource, [scopes]: ofResource } of records(request[resources])) {
    let read: ReadResource | null = null;
    const wrongResource = refuseResource(resource);
    for (const { scope, [items]: ofScope } of records(ofResource)) {
      const stored: Json[] = [];
      const wrongOrigin = wrongResource ?? refuseScope(scope);
      for (const item of records(ofScope)) {
        let reason = refuseOtlpItem(item, signal, count) ?? wrongOrigin;
        if (reason === null) {
          read ??= readResource(resource);
          // Metrics are stored with their resource once.
          if (signal !== "metrics") charactersLeft -= read.characters;
          if (charactersLeft < 0) {
            charactersLeft += read.characters;
            reason = RESOURCE_SIZE;
          }
        }
        // A metric that is refused counts, too, when its data points cannot be counted.
        const quantity = signal === "metrics" ? countDataPoints(item) || Number(reason !== null) : 1;
        count += quantity;
        if (reason === null) stored.push(item);
        else refused.set(reason, (refused.get(reason) ?? 0) + quantity);
      }
      if (read !== null && stored.length > 0)
        groups.push({ resource, attributes: read.attributes, scope: isRecord(scope) ? scope : {}, items: stored });
    }
  }
  return { groups, count, refused };
}

export function readWhole(resource: unknown): ReadResource {
  const attributes = toAttributes(isRecord(resource) ? resource.attributes : undefined);
  return { attributes, characters: JSON.stringify(attributes).length };
}

function records(value: unknown): Json[] {
  return Array.isArray(value) ? value.map((each) => (isRecord(each) ? each : NOT_AN_OBJECT)) : [];
}
