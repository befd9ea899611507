import { cleanText } from "../../protocol/otlp/attributes.ts";
import { readSpanKind } from "../../protocol/otlp/enum-numbers.ts";
import type { Json } from "../item-summary.ts";
import { readSpanId } from "../span/span-ids.ts";

/** The span by which a service was entered. */
export interface Segment {
  id: string;
  name: string;
}

const SERVER = 2;
const CONSUMER = 5;
const IS_REMOTE = 0x200;
const MAX_NAME = 200;

/**
 * The segment of each span of a request, by span id. A segment has no parent, or its parent is another process. Spans whose way up
 * leaves the request have none: their parents may be on the way.
 */
export function findSegments(spans: readonly Json[]): ReadonlyMap<string, Segment> {
  const byId = new Map<string, Json>();
  for (const span of spans) {
    const id = readSpanId(span.spanId);
    if (id !== null) byId.set(id, span);
  }
  const found = new Map<string, Segment>();
  const known = new Set<string>();
  for (const start of byId.keys()) {
    const way: string[] = [];
    let at: string | null = start;
    let segment: Segment | undefined;
    // Each span is visited once: a path ends at a known span, which also ends circles.
    while (at !== null && !known.has(at)) {
      known.add(at);
      way.push(at);
      const span = byId.get(at);
      if (span === undefined) break;
      if (isSegment(span)) {
        segment = { id: at, name: typeof span.name === "string" ? cleanText(span.name).slice(0, MAX_NAME) : "" };
        break;
      }
      at = readSpanId(span.parentSpanId);
    }
    segment ??= at === null ? undefined : found.get(at);
    if (segment !== undefined) for (const id of way) found.set(id, segment);
  }
  return found;
}

function isSegment({ parentSpanId, flags, kind }: Json): boolean {
  if (readSpanId(parentSpanId) === null) return true;
  if (typeof flags === "number" && (flags & IS_REMOTE) !== 0) return true;
  return [SERVER, CONSUMER].includes(readSpanKind(kind));
}
