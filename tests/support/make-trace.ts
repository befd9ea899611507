import { type ReadSpan, toTraceSpans } from "../../app/domain/traces/trace-spans.ts";
import { growTraceTree, type TraceTree } from "../../app/domain/traces/trace-tree.ts";

/** A span in milliseconds, as `[id, parent, start, duration, more]`. Parent 0: none. */
export type SpanOfTest = readonly [
  id: number,
  parent: number,
  start: number,
  duration: number,
  more?: Partial<ReadSpan>,
];

export function makeTrace(...spans: readonly SpanOfTest[]): TraceTree {
  return makeTraceOf(spans);
}

export function makeTraceOf(spans: readonly SpanOfTest[]): TraceTree {
  const read = spans.map(
    ([id, parent, start, duration, more], ordinal): ReadSpan => ({
      ordinal,
      id: BigInt(id),
      parentId: parent === 0 ? null : BigInt(parent),
      startedUs: start * 1000,
      durationUs: duration * 1000,
      projectId: 1,
      service: "web",
      op: "function",
      name: `span ${id}`,
      status: null,
      httpStatus: null,
      ...more,
    }),
  );
  read.sort((a, b) => a.startedUs - b.startedUs || b.durationUs - a.durationUs);
  return growTraceTree(toTraceSpans(read.length, read));
}

/** Ids instead of indexes. */
export function toIds({ spans }: TraceTree, indexes: Iterable<number>): number[] {
  return Array.from(indexes, (index) => (index < 0 ? -Number(spans.ids[-1 - index]) : Number(spans.ids[index])));
}

export function indexOfId({ spans }: TraceTree, id: number): number {
  return spans.ids.indexOf(BigInt(id));
}
