import type { GroupingExplanation } from "../../domain/grouping.ts";
import type { Issue } from "../../domain/issue.ts";
import { explainPart } from "../issues/explain-grouping.ts";

/** The properties by which issues are compared. */
export interface IssueTraits {
  type: string | null;
  /** Frames in the form that keys have: `toTotal in to-total`. */
  frames: ReadonlySet<string>;
  words: ReadonlySet<string>;
}

/** The properties that two issues share. */
export interface SharedTraits {
  type: string | null;
  frames: string[];
  words: string[];
}

const MIN_WORD_CHARS = 4;

export function traitsOf(
  issue: Pick<Issue, "type" | "value" | "title">,
  keys: readonly GroupingExplanation[],
): IssueTraits {
  const frames = keys.flatMap(({ contributions }) =>
    contributions.flatMap((part) => (part.kind === "frame" ? [explainPart(part, null).text] : [])),
  );
  const words = `${issue.title} ${issue.value}`.toLowerCase().match(/[\p{L}_]{2,}/gu) ?? [];
  return {
    type: issue.type,
    frames: new Set(frames),
    words: new Set(words.filter((word) => word.length >= MIN_WORD_CHARS && word !== issue.type?.toLowerCase())),
  };
}

/** Null: they share too little to be called similar. */
export function findShared(a: IssueTraits, b: IssueTraits): { shared: SharedTraits; score: number } | null {
  const frames = [...a.frames].filter((frame) => b.frames.has(frame));
  const words = [...a.words].filter((word) => b.words.has(word));
  const type = a.type !== null && a.type === b.type ? a.type : null;
  // The share of common elements among all elements of both: a long stack has something in common with everything.
  const share = (common: number, one: number, other: number) => (common === 0 ? 0 : common / (one + other - common));
  const score =
    2 * share(frames.length, a.frames.size, b.frames.size) +
    2 * share(words.length, a.words.size, b.words.size) +
    (type === null ? 0 : 0.5);
  return score < MIN_SCORE ? null : { shared: { type, frames, words }, score };
}

/** A common type alone is not enough. With a third of the words or frames it is. */
const MIN_SCORE = 0.8;
