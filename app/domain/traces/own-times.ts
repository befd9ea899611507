import { endOf, type TraceTree } from "./trace-tree.ts";

/**
 * The periods in which a span ran and none of its children did, in order, within a part of the trace. In microseconds since 1970.
 * Periods less than `minUs` apart become one, and shorter ones are left out: a span may have a hundred thousand children.
 */
export function listOwnTimes(
  { spans, firstChild, nextSibling }: TraceTree,
  index: number,
  within: { fromUs: number; toUs: number; minUs: number },
): Array<[fromUs: number, toUs: number]> {
  const times: Array<[number, number]> = [];
  const end = Math.min(endOf(spans, index), within.toUs);
  const add = (from: number, to: number) => {
    const last = times.at(-1);
    if (last !== undefined && from - last[1] < within.minUs && to > from) last[1] = to;
    else if (to - from >= within.minUs) times.push([from, to]);
  };
  let until = Math.max(spans.startedUs[index] as number, within.fromUs);
  for (let child = firstChild[index] as number; child >= 0 && until < end; child = nextSibling[child] as number) {
    add(until, Math.min(spans.startedUs[child] as number, end));
    until = Math.max(until, endOf(spans, child));
  }
  add(until, end);
  return times;
}
