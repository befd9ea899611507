import type { NoisyRule, SuggestedLine } from "../../domain/alerts/noise.ts";
import type { Scope } from "../../domain/scope.ts";

/** Which firings: those at `from` or after, and before `to`. `now` decides which are undecided. */
export interface NoiseQuery {
  from: number;
  to: number;
  now: number;
  /** Rules. */
  limit: number;
}

/** Which alert rules fire often, and what comes of it. */
export interface NoiseStore {
  /** Enabled rules that the reader may change and that fired more than `MANY_FIRINGS` times; those that fired most come first. */
  listNoisyRules(scope: Scope, query: NoiseQuery): Promise<NoisyRule[]>;
  /** Those of the issues that somebody did something with in the range. */
  listActedIssues(scope: Scope, of: { issueIds: readonly number[]; from: number; to: number }): Promise<number[]>;
  /** Whether the person wants the report by mail. */
  wantsReport(userId: number): Promise<boolean>;
  setWantsReport(userId: number, isWanted: boolean, now: number): Promise<void>;
}

/** Somebody who may get the report. */
export interface NoiseReader {
  userId: number;
  /** As the person's quiet hours have it; null: not known. */
  timezone: string | null;
  /** Null: nothing was noted about the person. */
  toldUntil: number | null;
}

/** The report as the server makes it. */
export interface NoiseWork {
  /** As for readers, of all rules. */
  listNoisyRules(query: NoiseQuery): Promise<NoisyRule[]>;
  /** Those for which the rule fired in the range; at most `MAX_FIRINGS`. */
  listFiredIssues(of: { ruleId: number; from: number; to: number }): Promise<number[]>;
  /** When a line was looked for. Rules that have changed since are not in it. */
  listLookedAt(): Promise<ReadonlyMap<number, number>>;
  saveLine(found: {
    ruleId: number;
    ruleChangedAt: number;
    lookedAt: number;
    suggested: SuggestedLine | null;
  }): Promise<void>;
  /** Members who want the report. */
  listReaders(): Promise<NoiseReader[]>;
  /** Notes until when the persons know, and nothing else. */
  noteReaders(userIds: readonly number[], until: number): Promise<void>;
  /** Atomic: adds the message to the queue and notes it, once for each `until`. False: it was told. */
  tellReader(told: { userId: number; until: number; now: number; createKey: () => string }): Promise<boolean>;
}
