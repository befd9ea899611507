import type { NoisyRule, SuggestedLine } from "../../domain/alerts/noise.ts";
import type { Scope } from "../../domain/scope.ts";

/** The firings from `from` to before `to`. `now` decides which are undecided. */
export interface NoiseQuery {
  from: number;
  to: number;
  now: number;
  /** Rules. */
  limit: number;
}

/** Finds the alert rules that fire often, and what people do about it. */
export interface NoiseStore {
  /** Enabled rules that the reader may change and that fired more than `MANY_FIRINGS` times, most first. */
  listNoisyRules(scope: Scope, query: NoiseQuery): Promise<NoisyRule[]>;
  /** The given issues that somebody acted on in the range. */
  listActedIssues(scope: Scope, of: { issueIds: readonly number[]; from: number; to: number }): Promise<number[]>;
  /** Whether the person wants the report by mail. */
  wantsReport(userId: number): Promise<boolean>;
  setWantsReport(userId: number, isWanted: boolean, now: number): Promise<void>;
}

/** A person who may get the report. */
export interface NoiseReader {
  userId: number;
  /** The time zone of the person's quiet hours. Null: unknown. */
  timezone: string | null;
  /** Null: nothing was noted about the person. */
  toldUntil: number | null;
}

/** The report as the server makes it. */
export interface NoiseWork {
  /** The same as for readers, but over all rules. */
  listNoisyRules(query: NoiseQuery): Promise<NoisyRule[]>;
  /** Issues for which the rule fired in the range, at most `MAX_FIRINGS`. */
  listFiredIssues(of: { ruleId: number; from: number; to: number }): Promise<number[]>;
  /** When a better line was last looked for, by rule. Rules that changed since are left out. */
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
