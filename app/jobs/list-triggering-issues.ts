import { type AlertRule, type AlertTrigger, type CountTrigger, isCountTrigger } from "../domain/alerts/alert-rule.ts";
import { countWithUnstored } from "../domain/alerts/count-unstored.ts";
import { bindRuleConditions } from "../domain/alerts/rule-conditions.ts";
import { type AlertSilence, findSilence } from "../domain/alerts/silence.ts";
import type { Issue } from "../domain/issue.ts";
import type { Scope } from "../domain/scope.ts";
import { ALWAYS, allOf, type Condition, isAlways, mapTests, negate } from "../domain/search/condition.ts";
import { isOfIssue } from "../domain/search/issue-vocabulary.ts";
import { matchesCondition } from "../domain/search/matches-condition.ts";
import { type Alternative, splitCondition } from "../domain/search/split-condition.ts";
import { MAX_AHEAD_MS, MINUTE_MS } from "../domain/time.ts";
import type { EventFilter } from "../stores/events/error-events.ts";
import type { EventStore } from "../stores/events/event-store.ts";
import { toSearchedIssue } from "../stores/state/issue-store.ts";
import type { State } from "../stores/state/state.ts";

/** The most issues of one project that one look at a number can find, those with most events first. Source: `sumEvents`. */
const MAX_ISSUES = 100;
/** As for searches: each alternative reads the events of the window once. */
const MAX_ALTERNATIVES = 16;
const MAX_VERSIONS = 5_000;
/** The most issues of high priority that one look reads. */
const MAX_HIGH = 1_000;

export interface TriggeringParts {
  state: Pick<State, "issues" | "releases" | "volumes">;
  events: Pick<EventStore, "sumEvents" | "findEdge">;
  now: () => number;
}

export interface TriggeringIssue {
  issue: Issue;
  /** The number of its events or users. Null: the trigger is not a number. */
  value: number | null;
  /** The silence of an environment without whose events the number would not be reached. */
  silenceId?: number;
}

/**
 * Lists the unresolved issues of a project for which a trigger of an alert rule holds now: they reach its number, or have a high priority. For
 * numbers, events of silenced environments do not count. An issue that reaches the number only with such events has a `silenceId`.
 * @param scope of one project
 */
export async function listTriggeringIssues(
  parts: TriggeringParts,
  rule: AlertRule,
  trigger: AlertTrigger,
  { scope, silences }: { scope: Scope; silences: readonly AlertSilence[] },
): Promise<TriggeringIssue[]> {
  if (!isCountTrigger(trigger)) return await listHighPriority(parts, rule, scope);
  const [projectId = 0] = scope.projectIds;
  const held = await listAbove(parts, rule, trigger, { scope });
  const ofEnvironments = silences.filter(
    (silence) =>
      silence.environment !== null &&
      findSilence([silence], { ruleId: rule.id, projectId, environment: silence.environment, at: parts.now() }) !==
        null,
  );
  const [silence] = ofEnvironments;
  if (held.length === 0 || silence === undefined) return held;
  const silenced = ofEnvironments.map(({ environment }) => environment ?? "");
  const without = negate(isOneOf("environment", silenced));
  const left = new Set((await listAbove(parts, rule, trigger, { scope, without })).map(({ issue }) => issue.id));
  return held.map((each) => (left.has(each.issue.id) ? each : { ...each, silenceId: silence.id }));
}

/** The unresolved issues that are above the line and fit the conditions. */
async function listAbove(
  parts: TriggeringParts,
  rule: AlertRule,
  trigger: Extract<AlertTrigger, { count: number }>,
  { scope, without = ALWAYS }: { scope: Scope; without?: Condition },
): Promise<TriggeringIssue[]> {
  const at = parts.now();
  const bound = allOf([bindRuleConditions(rule, at), without]);
  const alternatives = splitCondition(bound, isOfIssue, MAX_ALTERNATIVES) ?? [];
  const held = new Map<number, TriggeringIssue>();
  for (const alternative of alternatives)
    for (const each of await listAboveFor(parts, alternative, trigger, { scope, at })) held.set(each.issue.id, each);
  return [...held.values()];
}

async function listAboveFor(
  parts: TriggeringParts,
  { issue: ofIssue, event }: Alternative,
  { kind, count, minutes }: Extract<AlertTrigger, { count: number }>,
  { scope, at }: { scope: Scope; at: number },
): Promise<TriggeringIssue[]> {
  const where = await resolveVersions(parts, event, scope);
  // Events further ahead came before the clock was set back. They do not belong to these minutes.
  const filter = { projectIds: scope.projectIds, from: at - minutes * MINUTE_MS, to: at + MAX_AHEAD_MS, where };
  const sums = await sumByIssue(parts, filter, kind);
  const counts = kind === "events" ? await addUnstored(parts, sums, filter, scope) : sums;
  const above = new Map([...counts].filter(([, value]) => value >= count));
  if (above.size === 0) return [];
  const issues = await parts.state.issues.getIssues(scope, [...above.keys()]);
  return issues.flatMap((issue) => {
    const fits = issue.status === "unresolved" && matchesCondition(ofIssue, toSearchedIssue(issue));
    return fits ? [{ issue, value: above.get(issue.id) ?? count }] : [];
  });
}

async function sumByIssue(
  parts: TriggeringParts,
  filter: EventFilter,
  kind: CountTrigger,
): Promise<Map<number, number>> {
  const by = [{ name: "issueId", isTag: false }];
  const options = { by, bucketMs: null, limit: MAX_ISSUES, largest: kind, onlyLargest: true };
  const sums = await parts.events.sumEvents(filter, options);
  return new Map(sums.map((sum) => [Number(sum.group[0]), sum[kind]]));
}

/** Adds events that were counted and not stored (spike protection, a sample of loud issues). */
async function addUnstored(
  parts: TriggeringParts,
  sums: ReadonlyMap<number, number>,
  { where = ALWAYS, ...filter }: EventFilter & { from: number; to: number },
  scope: Scope,
): Promise<ReadonlyMap<number, number>> {
  const unstored = await parts.state.volumes.listLeftOut(scope, {
    since: filter.from,
    until: filter.to,
    limit: MAX_ISSUES,
  });
  if (unstored.size === 0) return sums;
  const isOfAllEvents = isAlways(where);
  const issueIds = [...unstored.keys()];
  // Issues with few stored events are not among the largest.
  const found = new Map([...sums, ...(await sumByIssue(parts, { ...filter, where, issueIds }, "events"))]);
  const all = isOfAllEvents ? found : await sumByIssue(parts, { ...filter, issueIds }, "events");
  const stored = [...found].map(([issueId, fitting]) => ({ issueId, fitting, all: all.get(issueId) ?? fitting }));
  return countWithUnstored(stored, unstored, isOfAllEvents);
}

/** Replaces conditions on versions by the names of the releases, because the event store cannot compare versions. */
async function resolveVersions(parts: TriggeringParts, condition: Condition, scope: Scope): Promise<Condition> {
  const tests: Array<Promise<[Condition, readonly string[]]>> = [];
  mapTests(condition, (each) => {
    if (each.test.kind === "version")
      tests.push(parts.state.releases.findVersions(scope, each.test, MAX_VERSIONS).then((values) => [each, values]));
    return each;
  });
  const found = new Map(await Promise.all(tests));
  return mapTests(condition, (each) => {
    const values = found.get(each);
    return values === undefined ? each : { ...each, test: { kind: "in", values } };
  });
}

async function listHighPriority(parts: TriggeringParts, rule: AlertRule, scope: Scope): Promise<TriggeringIssue[]> {
  const at = parts.now();
  const alternatives = splitCondition(bindRuleConditions(rule, at), isOfIssue, MAX_ALTERNATIVES) ?? [];
  const held = new Map<number, TriggeringIssue>();
  for (const { issue: ofIssue, event } of alternatives) {
    const where = allOf([isOneOf("priority", ["high"]), ofIssue]);
    let cursor: string | null = null;
    do {
      const page = await parts.state.issues.listIssues(scope, {
        from: null,
        to: null,
        statuses: ["unresolved"],
        where,
        sort: "last_seen",
        cursor,
        limit: MAX_ISSUES,
      });
      for (const issue of page.issues) {
        const ofEvents = { projectIds: scope.projectIds, issueId: issue.id, from: null, to: null, where: event };
        const fits = isAlways(event) || (await parts.events.findEdge(ofEvents, "latest")) !== null;
        if (fits) held.set(issue.id, { issue, value: null });
      }
      cursor = page.nextCursor;
    } while (cursor !== null && held.size < MAX_HIGH);
  }
  return [...held.values()];
}

function isOneOf(field: string, values: readonly string[]): Condition {
  return { kind: "test", field, isTag: false, isNegated: false, test: { kind: "in", values } };
}
