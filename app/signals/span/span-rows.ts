import { BARE_METHODS } from "../../domain/spans/request-name.ts";
import { type NewRow, toNewRow } from "../../stores/events/rows.ts";
import { SPAN_ROWS } from "../../stores/events/span-table.ts";
import type { SpanRow } from "../../stores/events/spans.ts";
import type { Digested, SequencedOutcome } from "../digested.ts";
import { type Json, toRecord } from "../item-summary.ts";
import { type ArrivedItem, toOutcomeBase } from "../signal.ts";
import { MAX_SPAN_CHARACTERS, type ReadSpan } from "./read-span.ts";
import type { ShiftOf } from "./span-times.ts";

/** Counts the parts of an item that could not be stored, by reason. */
export class Losses {
  readonly #byReason: Map<string, number>;

  constructor(before: Iterable<readonly [reason: string, quantity: number]> = []) {
    this.#byReason = new Map(before);
  }

  add(reason: string, quantity = 1): void {
    if (quantity > 0) this.#byReason.set(reason, (this.#byReason.get(reason) ?? 0) + quantity);
  }

  /** The counts as outcomes for the ledger. */
  outcomes(item: ArrivedItem, category = item.signal.category): SequencedOutcome[] {
    return [...this.#byReason].map(([reason, quantity]) => ({
      ...toOutcomeBase(item),
      category,
      outcome: TOO_LARGE.has(reason) ? "too_large" : "malformed",
      reason,
      quantity,
    }));
  }
}

const TOO_LARGE = new Set(["span_size", "span_count", "log_size", "log_count", "resource_size", "exception_count"]);

/** Spans of one item. */
export interface ReadSpans {
  spans: ReadSpan[];
  /** Values that have no row. */
  left: unknown[];
}

/** Reads each span; those that cannot be stored are counted. */
export function readEach(
  values: readonly unknown[],
  losses: Losses,
  read: (value: Json) => ReadSpan | string,
): ReadSpans {
  const spans: ReadSpan[] = [];
  const left: unknown[] = [];
  for (const value of values) {
    // SDKs leave null in the list if a hook dropped a span.
    const span = value === null ? null : read(toRecord(value));
    if (span !== null && typeof span !== "string" && charactersOf(span) <= MAX_SPAN_CHARACTERS) {
      spans.push(span);
      continue;
    }
    left.push(value);
    if (span !== null) losses.add(typeof span === "string" ? span : "span_size");
  }
  return { spans, left };
}

/** @param common `shiftOf`: of the time at which a span ended, see `findShifts` */
export function toSpanRows(
  spans: readonly ReadSpan[],
  { sequence, entry }: ArrivedItem,
  common: Pick<SpanRow, "category" | "resource"> & { shiftOf: ShiftOf },
): NewRow[] {
  const { shiftOf, category, resource } = common;
  const segmentGroups = findRequestGroups(spans);
  return spans.map((span) => {
    const shiftUs = shiftOf(endOf(span));
    return toNewRow(SPAN_ROWS, {
      ...span,
      category,
      resource,
      segmentGroup: segmentGroups.get(span.segmentId ?? span.spanId),
      sequence,
      projectId: entry.projectId,
      receivedAt: entry.receivedAt,
      startedUs: span.startedUs + shiftUs,
      shiftUs: shiftUs === 0 ? null : shiftUs,
    });
  });
}

/** The groups of segments that their SDK calls by the method alone, by the segment's id. The spans within them do not say their URL. */
function findRequestGroups(spans: readonly ReadSpan[]): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const { isSegment, spanId, segment, name, nameGroup } of spans)
    if (isSegment && segment !== null && segment === name && nameGroup !== null && BARE_METHODS.includes(name))
      found.set(spanId, nameGroup);
  return found;
}

/** The end of a span in microseconds since 1970, as sent. */
export function endOf({ startedUs, durationUs }: ReadSpan): number {
  return startedUs + durationUs;
}

/** The rows of spans or logs that came together. They have no payload. */
export function toDigestedRows(
  item: ArrivedItem,
  { rows, environment, losses }: { rows: readonly NewRow[]; environment: string | null; losses: Losses },
): Digested {
  const outcomes = losses.outcomes(item);
  if (rows.length === 0) return { items: [], outcomes, setAside: [] };
  const { sequence, entry } = item;
  return {
    items: [
      {
        sequence,
        projectId: entry.projectId,
        receivedAt: entry.receivedAt,
        identity: null,
        dependsOnEvent: false,
        hasDependents: false,
        outcome: { ...toOutcomeBase(item), outcome: "accepted", reason: "", quantity: rows.length },
        environment,
        rows,
        payload: null,
      },
    ],
    outcomes,
    setAside: [],
  };
}

export function charactersOf({ name, attributes, rest }: ReadSpan): number {
  return (name?.length ?? 0) + (attributes?.length ?? 0) + (rest?.length ?? 0);
}
