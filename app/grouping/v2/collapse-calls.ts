import type { Frame } from "../../domain/event.ts";
import type { CountedFrame } from "../v1/counted-frame.ts";
import { keyPart } from "../v1/key.ts";
import type { CollapsedFrames } from "../v1/rules.ts";

/**
 * Functions that call each other in turn count once each: the number of turns depends on the data. If the stack was full, even their order
 * and its end are random: then repeated functions count in the order of their names, after the calls that led to them.
 */
export function collapse(
  counted: readonly CountedFrame[],
  frames: readonly Frame[],
  isExhausted: boolean,
): CollapsedFrames | null {
  return isExhausted ? collapseExhausted(counted, frames) : collapseCycles(counted, frames);
}

/** Functions in one turn of a recursion. */
const MAX_PERIOD = 8;

/** Removes each turn that follows a turn of the same functions in the same order, on any lines. */
function collapseCycles(counted: readonly CountedFrame[], frames: readonly Frame[]): CollapsedFrames | null {
  if (!mayRepeat(counted)) return null;
  const kept: CountedFrame[] = [];
  const leftOut: number[] = [];
  for (const frame of counted) {
    kept.push(frame);
    const period = findPeriod(kept, frames);
    if (period > 0) for (const { index } of kept.splice(-period)) leftOut.push(index);
  }
  return leftOut.length === 0 ? null : { kept, leftOut: leftOut.sort((a, b) => b - a) };
}

/** The number of last frames whose functions are the same as those right before them. 0: none. */
function findPeriod(kept: readonly CountedFrame[], frames: readonly Frame[]): number {
  for (let period = 2; period <= MAX_PERIOD && 2 * period <= kept.length; period++) {
    let same = 0;
    while (same < period) {
      const last = kept[kept.length - 1 - same];
      const before = kept[kept.length - 1 - same - period];
      if (last === undefined || before === undefined || !isSameFunction(last, before, frames)) break;
      same++;
    }
    if (same === period) return period;
  }
  return 0;
}

/** A cheap test by the names alone: most stacks call no function twice. */
function mayRepeat(counted: readonly CountedFrame[]): boolean {
  if (counted.length < 4) return false;
  const seen = new Set<string>();
  for (const { functionName, key } of counted) seen.add(functionName ?? key);
  return seen.size < counted.length - 1;
}

/** Without a name, only the exact same place is the same. */
function isSameFunction(a: CountedFrame, b: CountedFrame, frames: readonly Frame[]): boolean {
  if (a.functionName !== b.functionName) return false;
  if (a.functionName !== null) return a.module === b.module && a.filename === b.filename;
  if (a.key !== b.key) return false;
  const one = frames[a.index];
  const other = frames[b.index];
  return one?.function === other?.function && one?.lineno === other?.lineno && one?.colno === other?.colno;
}

/** A function in a full stack that came so often came by recursion, and not by chance at its end. */
const MIN_CALLS = 3;

function collapseExhausted(counted: readonly CountedFrame[], frames: readonly Frame[]): CollapsedFrames | null {
  const names = counted.map((frame) => nameOf(frame, frames[frame.index]));
  const calls = new Map<string, number>();
  for (const name of names) calls.set(name, (calls.get(name) ?? 0) + 1);
  const isRecursive = (at: number) => (calls.get(names[at] ?? "") ?? 0) >= MIN_CALLS;
  const start = counted.findIndex((_, at) => isRecursive(at));
  if (start < 0) return null;
  const entry = counted.slice(0, start);
  const byName = new Map<string, CountedFrame>();
  const leftOut: number[] = [];
  for (let at = counted.length - 1; at >= start; at--) {
    const frame = counted[at];
    const name = names[at] ?? "";
    if (frame === undefined) continue;
    if (isRecursive(at) && !byName.has(name)) byName.set(name, withoutLine(frame));
    else leftOut.push(frame.index);
  }
  const recursive = [...byName].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, frame]) => frame);
  return { kept: [...entry, ...recursive], leftOut };
}

/** Which of its calls a function was at is chance; one that is known by its line alone keeps it. */
function withoutLine(frame: CountedFrame): CountedFrame {
  const { contextLine, functionName } = frame;
  return contextLine === null || functionName === null
    ? frame
    : { ...frame, contextLine: null, key: keyPart("F", functionKey(frame)) };
}

function nameOf(counted: CountedFrame, frame: Frame | undefined): string {
  if (counted.functionName !== null) return functionKey(counted);
  return counted.address === null
    ? `${counted.key}${frame?.function ?? ""} ${frame?.lineno ?? ""} ${frame?.colno ?? ""}`
    : counted.key;
}

function functionKey({ module, filename, functionName }: CountedFrame): string {
  const place = module !== null ? keyPart("m", module) : filename !== null ? keyPart("f", filename) : "";
  return place + keyPart("n", functionName ?? "");
}
