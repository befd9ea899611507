import { setTimeout as sleep } from "node:timers/promises";
import { summarize } from "./distribution.ts";
import { type Figure, formatNumber } from "./figure.ts";
import type { Visitor } from "./visitor.ts";

/** A person does not ask for the next page the moment the last byte of one has come. */
const PAUSE_MS = 20;

export interface Page {
  name: string;
  what: string;
  /** The address of the next visit. */
  next(): string;
  /** A text of the page that ends a visit; absent: its last byte. */
  until?: string;
}

/**
 * Each page in turn, so that what happens meanwhile happens to all of them alike: so many rounds, or what can be done of
 * them in so many seconds. Milliseconds by name.
 */
export async function visitPages(
  visitor: Visitor,
  pages: readonly Page[],
  { rounds, seconds }: { rounds: number; seconds: number },
): Promise<Map<string, number[]>> {
  const times = new Map<string, number[]>(pages.map(({ name }) => [name, []]));
  const endAt = performance.now() + seconds * 1000;
  for (let round = 0; round < rounds && performance.now() < endAt; round++) {
    for (const { name, next, until } of pages) {
      times.get(name)?.push(await visitor.time(next(), until));
      await sleep(PAUSE_MS);
    }
  }
  return times;
}

/** p95 with its goal, p50, and p95 without load. */
export function toPageFigures(
  { name, what }: Page,
  { part, goal, loaded, atRest }: { part: string; goal: number; loaded: readonly number[]; atRest: readonly number[] },
): Figure[] {
  const { p50, p95, p99, max, count } = summarize(loaded);
  const rest = summarize(atRest);
  const note =
    `p50 ${formatNumber(p50)} p99 ${formatNumber(p99)} max ${formatNumber(max)} ms of ${count}; ` +
    `without load p50 ${formatNumber(rest.p50)} p95 ${formatNumber(rest.p95)}`;
  return [
    { name: `${part}.${name}.p95`, what: `${what}, p95`, value: p95, unit: "ms", better: "lower", goal, note },
    { name: `${part}.${name}.p50`, what: "  p50", value: p50, unit: "ms", better: "lower" },
    { name: `${part}.${name}.rest.p95`, what: "  p95 without load", value: rest.p95, unit: "ms", better: "lower" },
  ];
}
