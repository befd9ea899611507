import { MAX_SPLIT_ISSUES } from "../grouping-rules/issue-split.ts";
import type { IssueOccurrence } from "./occurrence.ts";

/** Counts the issues of splits, so that a split with enough issues makes no more. */
export class SplitLimit {
  readonly #counts: Map<number, number>;

  /** @param counts issues by the id of the split; absent: none */
  constructor(counts: ReadonlyMap<number, number>) {
    this.#counts = new Map(counts);
  }

  /** The keys by which an event finds its issue: its own, or those without the split when a further issue would be one too many. */
  keysOf(
    { hashes, grouping }: Pick<IssueOccurrence, "hashes" | "grouping">,
    isKnown: (hash: string) => boolean,
  ): string[] {
    const split = grouping.ruling?.split;
    if (split === undefined || hashes.some(isKnown)) return hashes;
    const count = this.#counts.get(split.id) ?? 0;
    if (count >= MAX_SPLIT_ISSUES) return [split.rest];
    this.#counts.set(split.id, count + 1);
    return hashes;
  }
}
