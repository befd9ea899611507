import type { AlertRule, AlertTrigger } from "../domain/alerts/alert-rule.ts";
import { applyFrequency, type CountedWindow, findPeriods, type RehearsedFiring } from "../domain/alerts/rehearsal.ts";
import { bindRuleConditions } from "../domain/alerts/rule-conditions.ts";
import type { Scope } from "../domain/scope.ts";
import { isOfIssue } from "../domain/search/issue-vocabulary.ts";
import { matchesCondition } from "../domain/search/matches-condition.ts";
import { splitCondition } from "../domain/search/split-condition.ts";
import { MINUTE_MS } from "../domain/time.ts";
import type { EventStore } from "../stores/events/event-store.ts";
import { toSearchedIssue } from "../stores/state/issue-store.ts";
import type { State } from "../stores/state/state.ts";

const MAX_ISSUES = 100;
const MAX_ALTERNATIVES = 16;
/** Buckets of one question to the event store: a hundred issues, 144,000 sums. */
const MAX_BUCKETS = 1_440;
/** Looks within one window. */
const LOOKS = 5;
const MAX_WINDOWS = 200_000;

type CountingTrigger = Extract<AlertTrigger, { count: number }>;

/** What to count. `isLate`: whether it has taken long enough. */
export interface CountingRequest {
  rule: Pick<AlertRule, "match" | "conditions">;
  trigger: CountingTrigger;
  scope: Scope;
  from: number;
  to: number;
  isLate: () => boolean;
}

/** How far the windows of a rehearsal are apart. */
export function stepOf(minutes: number): number {
  return (minutes * MINUTE_MS) / looksOf(minutes);
}

function looksOf(minutes: number): number {
  return Math.min(LOOKS, minutes);
}

/**
 * The largest numbers of issues that fit, over windows that end `stepOf` apart. Counts the newest first; `isWhole` false: it was late, or there was too
 * much, so the older part is missing.
 */
export async function countWindows(
  { state, events }: { state: { issues: Pick<State["issues"], "getIssues"> }; events: Pick<EventStore, "sumEvents"> },
  { rule, trigger, scope, from, to, isLate }: CountingRequest,
): Promise<{ windows: CountedWindow[]; isWhole: boolean }> {
  const windowMs = trigger.minutes * MINUTE_MS;
  const stepMs = stepOf(trigger.minutes);
  const alternatives = splitCondition(bindRuleConditions(rule, to), isOfIssue, MAX_ALTERNATIVES) ?? [];
  const found = new Map<string, CountedWindow>();
  for (let end = to; end > from; end -= windowMs * MAX_BUCKETS) {
    const begin = Math.max(from, end - windowMs * MAX_BUCKETS);
    for (const { issue: ofIssue, event } of alternatives)
      for (let look = 0; look < looksOf(trigger.minutes); look++) {
        if (isLate() || found.size > MAX_WINDOWS) return { windows: [...found.values()], isWhole: false };
        const filter = { projectIds: scope.projectIds, from: begin + look * stepMs, to: end, where: event };
        const sums = await events.sumEvents(filter, {
          by: [{ name: "issueId", isTag: false }],
          bucketMs: windowMs,
          limit: MAX_ISSUES,
          largest: trigger.kind,
        });
        const ids = [...new Set(sums.map(({ group }) => Number(group[0])))];
        const issues = await state.issues.getIssues(scope, ids);
        const fitting = new Set(
          issues.filter((issue) => matchesCondition(ofIssue, toSearchedIssue(issue))).map(({ id }) => id),
        );
        for (const sum of sums) {
          const issueId = Number(sum.group[0]);
          const at = (sum.at ?? begin) + windowMs;
          if (!fitting.has(issueId) || at > to) continue;
          found.set(`${issueId} ${at}`, { issueId, at, value: sum[trigger.kind] });
        }
      }
  }
  return { windows: [...found.values()], isWhole: true };
}

/** When a rule with this one trigger would have fired at a line. */
export function toFiringsAt(
  windows: readonly CountedWindow[],
  { trigger, frequencyMinutes, until }: { trigger: CountingTrigger; frequencyMinutes: number; until: number },
): (line: number) => RehearsedFiring[] {
  const { kind, minutes } = trigger;
  return (count) =>
    applyFrequency(findPeriods(windows, { kind, count, stepMs: stepOf(minutes), until }), frequencyMinutes);
}
