import type { Profile, ProfileFrame } from "./profile.ts";
import type { WeighedStack } from "./weigh-samples.ts";

/** Time and samples of a function, over all of a thread. */
export interface ProfileFunction extends Omit<ProfileFrame, "line"> {
  /** The line in which most of its time went. */
  line: number | null;
  /** Time in the function itself. */
  selfUs: number;
  /** Microseconds in the function and in everything that it called. Recursive calls are not counted again. */
  totalUs: number;
  samples: number;
}

/** A function, called along one path from the outermost one. */
export interface ProfileCall {
  /** Index of its function. */
  function: number;
  /** Index of the call around it. Null: it is the outermost. */
  parent: number | null;
  /** The row, counted from the top, from 0. */
  row: number;
  /** Left edge of the call in the graph. Calls with the same parent are beside each other, the longest first. */
  fromUs: number;
  totalUs: number;
  selfUs: number;
}

export interface MergedStacks {
  functions: ProfileFunction[];
  /** Sorted by row, then from left to right. */
  calls: ProfileCall[];
  rowCount: number;
  /** Time of all stacks that are not empty. */
  totalUs: number;
  /** Time in which the thread had no stack. */
  idleUs: number;
  /** Calls that are too short to be drawn, or too deep. */
  callsLeftOut: number;
  /** Time of stacks that are not merged, because there are too many. */
  leftOutUs: number;
}

/** Calls that a page can draw. */
export const MAX_CALLS = 2_000;
export const MAX_ROWS = 120;
/** Frames of all stacks that are merged. */
const MAX_STEPS = 500_000;
const MAX_NODES = 50_000;

interface Node {
  function: number;
  row: number;
  totalUs: number;
  selfUs: number;
  children: Map<number, Node>;
}

interface KnownFunction extends Omit<ProfileFunction, "line"> {
  lines: Map<number, number>;
  /** The last stack in which it was counted. */
  seenIn: WeighedStack | null;
}

/** Merges the stacks of a thread over time: how long each function ran, and along which path. */
export function mergeStacks(stacks: readonly WeighedStack[]): MergedStacks {
  const functions = new Functions();
  const root: Node = { function: -1, row: -1, totalUs: 0, selfUs: 0, children: new Map() };
  let [steps, nodes, idleUs, leftOutUs, callsLeftOut] = [0, 0, 0, 0, 0];
  // The longest first: where there are too many, the shortest are left out.
  for (const weighed of stacks.toSorted((a, b) => b.us - a.us)) {
    const { us, profile } = weighed;
    const frames = profile.stacks[weighed.stack] ?? [];
    if (frames.length === 0) {
      idleUs += us;
      continue;
    }
    steps += frames.length;
    if (steps > MAX_STEPS) {
      leftOutUs += us;
      continue;
    }
    root.totalUs += us;
    let at: Node | null = root;
    for (let place = frames.length - 1; place >= 0; place--) {
      const index = functions.count(frames[place] as number, weighed, place === 0);
      if (at === null) continue;
      let next: Node | undefined = at.children.get(index);
      if (next === undefined) {
        if (nodes === MAX_NODES || at.row + 1 === MAX_ROWS) {
          callsLeftOut++;
          at = null;
          continue;
        }
        next = { function: index, row: at.row + 1, totalUs: 0, selfUs: 0, children: new Map() };
        at.children.set(index, next);
        nodes++;
      }
      next.totalUs += us;
      if (place === 0) next.selfUs += us;
      at = next;
    }
  }
  const calls = layOut(root);
  return {
    functions: functions.list(),
    calls,
    rowCount: calls.reduce((rows, { row }) => Math.max(rows, row + 1), 0),
    totalUs: root.totalUs,
    idleUs,
    callsLeftOut: callsLeftOut + nodes - calls.length,
    leftOutUs,
  };
}

class Functions {
  readonly #known: KnownFunction[] = [];
  /** By frame of a profile: the index of its function plus 1. 0: not known yet. */
  readonly #byFrame = new Map<Profile, Int32Array>();
  readonly #byName = new Map<string, number>();

  /** Adds the time of a stack to the function of one of its frames. Returns the index of the function. */
  count(place: number, weighed: WeighedStack, isInnermost: boolean): number {
    const frame = weighed.profile.frames[place] as ProfileFrame;
    const ofProfile = this.#ofProfile(weighed.profile);
    const found = ofProfile[place] as number;
    const index = found > 0 ? found - 1 : this.#find(frame);
    ofProfile[place] = index + 1;
    const known = this.#known[index] as KnownFunction;
    if (known.seenIn !== weighed) {
      known.seenIn = weighed;
      known.totalUs += weighed.us;
      known.samples += weighed.samples;
    }
    if (isInnermost) known.selfUs += weighed.us;
    if (frame.line !== null) known.lines.set(frame.line, (known.lines.get(frame.line) ?? 0) + weighed.us);
    return index;
  }

  list(): ProfileFunction[] {
    return this.#known.map(({ lines, seenIn: _, ...known }) => ({
      ...known,
      line: [...lines].reduce((most, each) => (each[1] > most[1] ? each : most), [null, -1] as [
        number | null,
        number,
      ])[0],
    }));
  }

  #ofProfile(profile: Profile): Int32Array {
    const known = this.#byFrame.get(profile) ?? new Int32Array(profile.frames.length);
    this.#byFrame.set(profile, known);
    return known;
  }

  /** Frames of a function differ by their line, and each chunk has a list of its own. */
  #find(frame: ProfileFrame): number {
    const { line: _, ...named } = frame;
    const key = JSON.stringify([named.name, named.module, named.file]);
    const index = this.#byName.get(key) ?? this.#known.length;
    if (index === this.#known.length)
      this.#known.push({ ...named, selfUs: 0, totalUs: 0, samples: 0, lines: new Map(), seenIn: null });
    this.#byName.set(key, index);
    return index;
  }
}

/** Lays out the longest calls. A call is never shorter than the calls inside, so each has its parent. */
function layOut(root: Node): ProfileCall[] {
  const all: Node[] = [];
  const waiting = [...root.children.values()];
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    all.push(node);
    for (const child of node.children.values()) waiting.push(child);
  }
  const chosen = new Set(all.sort((a, b) => b.totalUs - a.totalUs || a.row - b.row).slice(0, MAX_CALLS));
  const calls: ProfileCall[] = [];
  let row: Array<{ node: Node; parent: number | null; fromUs: number }> = toPlaces(root, null, 0, chosen);
  while (row.length > 0) {
    row = row.flatMap(({ node, parent, fromUs }) => {
      const { children: _, ...call } = node;
      calls.push({ ...call, parent, fromUs });
      return toPlaces(node, calls.length - 1, fromUs, chosen);
    });
  }
  return calls;
}

function toPlaces(node: Node, parent: number | null, fromUs: number, chosen: ReadonlySet<Node>) {
  let at = fromUs;
  return [...node.children.values()]
    .filter((child) => chosen.has(child))
    .sort((a, b) => b.totalUs - a.totalUs)
    .map((child) => {
      const place = { node: child, parent, fromUs: at };
      at += child.totalUs;
      return place;
    });
}
