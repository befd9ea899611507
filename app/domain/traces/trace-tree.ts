import { type FindId, indexSpans, toHalves } from "./index-spans.ts";
import type { TraceSpans } from "./trace-spans.ts";

/** No parent was named. */
const NO_PARENT = -1;
/** The parent that was named did not arrive. */
const MISSING = -2;
/** The parent that was named is the span itself, or below it. */
const BELOW = -3;

/** Indexes; negative: there is none. The child that started first is the first. */
interface Links {
  readonly firstChild: Int32Array;
  readonly nextSibling: Int32Array;
}

/** The spans of a trace as trees, in columns beside those of `TraceSpans`. */
export interface TraceTree extends Links {
  readonly spans: TraceSpans;
  /** See `SpanIndex`. */
  readonly places: Uint32Array | null;
  /** Index of the parent; negative: it has none here. */
  readonly parents: Int32Array;
  /** Indexes in the order of a waterfall: parents before their children, siblings by start; orphans after the roots. */
  readonly order: Int32Array;
  /** By place in `order`: the number of places that the span and everything below it take. */
  readonly sizes: Int32Array;
  readonly depths: Int32Array;
  readonly childCounts: Int32Array;
  /** Microseconds in which the span ran and none of its children did. */
  readonly selfUs: Float64Array;
  readonly rootCount: number;
  readonly orphanCount: number;
  /** The number of spans that are placed beside the roots because their parents form a circle. */
  readonly circleCount: number;
  /** Microseconds since 1970. */
  readonly startedUs: number;
  readonly endedUs: number;
}

/**
 * Spans whose parent did not arrive are orphans, and are placed beside the roots. Spans that are each other's ancestors cannot form
 * a tree: the first of them is also placed beside the roots.
 */
export function growTraceTree(spans: TraceSpans): TraceTree {
  const steps = growInSteps(spans);
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
  }
}

/** Like `growTraceTree`, with pauses: each step takes some tens of milliseconds for a million spans. */
export function* growInSteps(spans: TraceSpans): Generator<void, TraceTree> {
  const { find, places: placesOfId } = indexSpans(spans.ids);
  const parents = findParents(spans, find);
  yield;
  cutCircles(parents);
  yield;
  const { links, childCounts } = linkChildren(parents);
  yield;
  const roots = indexesOf(parents, NO_PARENT);
  const orphans = indexesOf(parents, MISSING);
  const ofCircles = indexesOf(parents, BELOW);
  // Times may be before 1970.
  let endedUs = spans.count === 0 ? 0 : endOf(spans, 0);
  for (let index = 1; index < spans.count; index++) endedUs = Math.max(endedUs, endOf(spans, index));
  yield;
  const places = walk([...roots, ...orphans, ...ofCircles], links, parents);
  yield;
  return {
    spans,
    places: placesOfId,
    ...links,
    parents,
    ...places,
    childCounts,
    selfUs: measureSelf(spans, links),
    rootCount: roots.length,
    orphanCount: orphans.length,
    circleCount: ofCircles.length,
    startedUs: spans.count === 0 ? 0 : (spans.startedUs[0] as number),
    endedUs,
  };
}

export function isOrphan(tree: TraceTree, index: number): boolean {
  return tree.parents[index] === MISSING;
}

export function endOf(spans: TraceSpans, index: number): number {
  return (spans.startedUs[index] as number) + (spans.durationUs[index] as number);
}

function findParents({ count, parentIds }: TraceSpans, find: FindId): Int32Array {
  const named = toHalves(parentIds);
  const parents = new Int32Array(count).fill(NO_PARENT);
  for (let index = 0; index < count; index++) {
    const [low, high] = [named[2 * index] as number, named[2 * index + 1] as number];
    if (low === 0 && high === 0) continue;
    const parent = find(low, high);
    parents[index] = parent < 0 ? MISSING : parent;
  }
  return parents;
}

function cutCircles(parents: Int32Array): void {
  /** 0: not looked at; otherwise the number of the walk that came by. */
  const seenBy = new Int32Array(parents.length);
  for (let start = 0; start < parents.length; start++) {
    let at = start;
    while (at >= 0 && seenBy[at] === 0) {
      seenBy[at] = start + 1;
      at = parents[at] as number;
    }
    if (at >= 0 && seenBy[at] === start + 1) parents[firstOfCircle(parents, at)] = BELOW;
  }
}

function firstOfCircle(parents: Int32Array, member: number): number {
  let first = member;
  for (let at = parents[member] as number; at !== member; at = parents[at] as number) first = Math.min(first, at);
  return first;
}

function linkChildren(parents: Int32Array): { links: Links; childCounts: Int32Array } {
  const count = parents.length;
  const firstChild = new Int32Array(count).fill(-1);
  const nextSibling = new Int32Array(count).fill(-1);
  const childCounts = new Int32Array(count);
  // Backwards, so that each list begins with the child that started first.
  for (let index = count - 1; index >= 0; index--) {
    const parent = parents[index] as number;
    if (parent < 0) continue;
    nextSibling[index] = firstChild[parent] as number;
    firstChild[parent] = index;
    childCounts[parent] = (childCounts[parent] as number) + 1;
  }
  return { links: { firstChild, nextSibling }, childCounts };
}

/** Children of a span, the one that started first before the others. */
export function* childrenOf({ firstChild, nextSibling }: Links, index: number): Generator<number> {
  for (let child = firstChild[index] as number; child >= 0; child = nextSibling[child] as number) yield child;
}

function indexesOf(parents: Int32Array, kind: number): number[] {
  const found: number[] = [];
  for (let index = 0; index < parents.length; index++) if (parents[index] === kind) found.push(index);
  return found;
}

/** Without recursion, because a trace can be a chain of a million spans. */
function walk(tops: readonly number[], { firstChild, nextSibling }: Links, parents: Int32Array) {
  const count = parents.length;
  const order = new Int32Array(count);
  const sizes = new Int32Array(count);
  const depths = new Int32Array(count);
  const placeOf = new Int32Array(count);
  let length = 0;
  for (const top of tops) {
    let at = top;
    while (at >= 0) {
      placeOf[at] = length;
      const parent = parents[at] as number;
      depths[at] = parent < 0 ? 0 : (depths[parent] as number) + 1;
      order[length++] = at;
      let next = firstChild[at] as number;
      while (next < 0 && at !== top) {
        sizes[placeOf[at] as number] = length - (placeOf[at] as number);
        next = nextSibling[at] as number;
        if (next < 0) at = parents[at] as number;
      }
      if (at === top && next < 0) break;
      at = next;
    }
    sizes[placeOf[top] as number] = length - (placeOf[top] as number);
  }
  return { order, sizes, depths };
}

function measureSelf(spans: TraceSpans, links: Links): Float64Array {
  const selfUs = new Float64Array(spans.count);
  for (let index = 0; index < spans.count; index++) {
    const fromUs = spans.startedUs[index] as number;
    selfUs[index] = measureOwn({ spans, ...links }, index, { fromUs, toUs: endOf(spans, index) });
  }
  return selfUs;
}

/** Microseconds of a time in which no child of the span ran. */
function measureOwn(
  { spans, firstChild, nextSibling }: Links & { spans: TraceSpans },
  index: number,
  { fromUs, toUs }: { fromUs: number; toUs: number },
): number {
  let covered = 0;
  let until = fromUs;
  for (let child = firstChild[index] as number; child >= 0; child = nextSibling[child] as number) {
    const from = Math.max(until, spans.startedUs[child] as number);
    const to = Math.min(toUs, endOf(spans, child));
    if (to <= from) continue;
    covered += to - from;
    until = to;
  }
  return toUs - fromUs - covered;
}

/** Microseconds that the span, and the span by itself, ran within a time (microseconds since 1970). */
export function timesWithin(
  tree: TraceTree,
  index: number,
  within: { fromUs: number; toUs: number },
): { totalUs: number; selfUs: number } {
  const fromUs = Math.max(within.fromUs, tree.spans.startedUs[index] as number);
  const toUs = Math.min(within.toUs, endOf(tree.spans, index));
  if (toUs <= fromUs) return { totalUs: 0, selfUs: 0 };
  return { totalUs: toUs - fromUs, selfUs: measureOwn(tree, index, { fromUs, toUs }) };
}
