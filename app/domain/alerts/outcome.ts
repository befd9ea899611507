import type { TargetKind } from "../notification.ts";
import type { AlertTrigger } from "./alert-rule.ts";

/** The possible results when a rule looks at something that may trigger it. */
export const OUTCOMES = ["fired", "unfit", "silenced", "frequency", "acknowledged", "known", "error"] as const;
export type AlertOutcomeKind = (typeof OUTCOMES)[number];

/** What a rule decided about one issue. Equal decisions in a row are one entry. */
export interface AlertOutcome {
  id: number;
  ruleId: number;
  projectId: number;
  /** 0: the rule failed before it came to an issue. */
  issueId: number;
  trigger: AlertTrigger["kind"];
  outcome: AlertOutcomeKind;
  /** For `unfit`: the condition that did not fit. For `error`: what went wrong. Otherwise empty. */
  detail: string;
  /** For `fired`: who was told. */
  targets: ReadonlyArray<{ channel: TargetKind; address: string }>;
  silenceId: number | null;
  /** When first, when last, and how often. Milliseconds since 1970. */
  at: number;
  lastAt: number;
  times: number;
}

/** Entries that are kept of a rule. */
export const MAX_OUTCOMES = 1_000;
export const MAX_DETAIL = 300;

export function isOutcome(word: string | null): word is AlertOutcomeKind {
  return OUTCOMES.some((each) => each === word);
}
