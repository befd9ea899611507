import type { TimeWindow } from "./time-window.ts";
import type { SpanKind } from "./trace-spans.ts";
import { endOf, type TraceTree } from "./trace-tree.ts";

/** The part of a trace that is shown. */
export interface SpanChoice {
  /** Only spans that ran in this window. Null: at any time. */
  window: TimeWindow | null;
  /** Empty: spans of all services. */
  services: ReadonlySet<string>;
  /** Null: any. */
  op: string | null;
  /** By index: 1 for spans that remain. Null: all. */
  among: Uint8Array | null;
}

/** By index: 1 for each span that is shown. Null: all of them. */
export function chooseSpans({ spans, startedUs }: TraceTree, choice: SpanChoice): Uint8Array | null {
  const { window, services, op, among } = choice;
  if (window === null && services.size === 0 && op === null && among === null) return null;
  const isChosen = ({ service, op: own }: SpanKind) =>
    (services.size === 0 || services.has(service)) && (op === null || own === op);
  const kinds = spans.kinds.map(isChosen);
  const from = startedUs + (window?.fromUs ?? Number.NEGATIVE_INFINITY);
  const to = startedUs + (window?.toUs ?? Number.POSITIVE_INFINITY);
  const chosen = new Uint8Array(spans.count);
  for (let index = 0; index < spans.count; index++) {
    if (!kinds[spans.kindOf[index] as number] || (among !== null && among[index] !== 1)) continue;
    if ((spans.startedUs[index] as number) <= to && endOf(spans, index) >= from) chosen[index] = 1;
  }
  return chosen;
}
