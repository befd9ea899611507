import { scopeOfServer } from "../access/server-scope.ts";
import {
  type AlertRule,
  type AlertTrigger,
  type CountTrigger,
  coversProject,
  isCountTrigger,
} from "../domain/alerts/alert-rule.ts";
import { countWithUnstored } from "../domain/alerts/count-unstored.ts";
import { bindRuleConditions } from "../domain/alerts/rule-conditions.ts";
import { type AlertSilence, findSilence } from "../domain/alerts/silence.ts";
import type { Issue } from "../domain/issue.ts";
import type { Scope } from "../domain/scope.ts";
import { ALWAYS, allOf, type Condition, mapTests } from "../domain/search/condition.ts";
import { isOfIssue } from "../domain/search/issue-vocabulary.ts";
import { matchesCondition } from "../domain/search/matches-condition.ts";
import { type Alternative, splitCondition } from "../domain/search/split-condition.ts";
import { MAX_AHEAD_MS, MINUTE_MS } from "../domain/time.ts";
import type { EventFilter } from "../stores/events/error-events.ts";
import type { EventStore } from "../stores/events/event-store.ts";
import type { FoundFiring } from "../stores/state/alert-store.ts";
import { toSearchedIssue } from "../stores/state/issue-store.ts";
import type { State } from "../stores/state/state.ts";
import { createFiringPlanner, type FiringParts } from "./fire-alerts.ts";
import type { Job } from "./runner.ts";

/** A number is told within half a minute of the event that reached it. */
const EVERY_MS = 15_000;
/** The most issues of one project that one look at a number can find, those with most events first. Source: `sumEvents`. */
const MAX_ISSUES = 100;
/** As for searches: each alternative reads the events of the window once. */
const MAX_ALTERNATIVES = 16;
const MAX_VERSIONS = 5_000;

export interface WatchIssuesParts extends FiringParts {
  state: FiringParts["state"] & Pick<State, "alertWork" | "issues" | "directory" | "releases" | "volumes">;
  events: FiringParts["events"] & Pick<EventStore, "sumEvents" | "findEdge">;
  now: () => number;
  createKey: () => string;
}

interface Held {
  issue: Issue;
  value: number | null;
  /** The silence of an environment without whose events the number would not be reached. */
  silenceId?: number;
}

type Planner = ReturnType<typeof createFiringPlanner>;

/** Tells, by alert rules, that an issue reached a number within some minutes, or that its priority became high. */
export function createWatchIssuesJob(parts: WatchIssuesParts): Job {
  const { state, events, now, createKey } = parts;

  /** The unresolved issues that are above the line and fit the conditions. */
  async function listAbove(
    rule: AlertRule,
    trigger: Extract<AlertTrigger, { count: number }>,
    { scope, without = ALWAYS }: { scope: Scope; without?: Condition },
  ): Promise<Held[]> {
    const at = now();
    const bound = allOf([bindRuleConditions(rule, at), without]);
    const alternatives = splitCondition(bound, isOfIssue, MAX_ALTERNATIVES) ?? [];
    const held = new Map<number, Held>();
    for (const alternative of alternatives)
      for (const each of await listAboveFor(alternative, trigger, { scope, at })) held.set(each.issue.id, each);
    return [...held.values()];
  }

  async function listAboveFor(
    { issue: ofIssue, event }: Alternative,
    { kind, count, minutes }: Extract<AlertTrigger, { count: number }>,
    { scope, at }: { scope: Scope; at: number },
  ): Promise<Held[]> {
    const where = await resolveVersions(event, scope);
    // Events further ahead came before the clock was set back. They do not belong to these minutes.
    const filter = { projectIds: scope.projectIds, from: at - minutes * MINUTE_MS, to: at + MAX_AHEAD_MS, where };
    const sums = await sumByIssue(filter, kind);
    const counts = kind === "events" ? await addUnstored(sums, filter, scope) : sums;
    const above = new Map([...counts].filter(([, value]) => value >= count));
    if (above.size === 0) return [];
    const issues = await state.issues.getIssues(scope, [...above.keys()]);
    return issues.flatMap((issue) => {
      const fits = issue.status === "unresolved" && matchesCondition(ofIssue, toSearchedIssue(issue));
      return fits ? [{ issue, value: above.get(issue.id) ?? count }] : [];
    });
  }

  async function sumByIssue(filter: EventFilter, kind: CountTrigger): Promise<Map<number, number>> {
    const by = [{ name: "issueId", isTag: false }];
    const options = { by, bucketMs: null, limit: MAX_ISSUES, largest: kind, onlyLargest: true };
    const sums = await events.sumEvents(filter, options);
    return new Map(sums.map((sum) => [Number(sum.group[0]), sum[kind]]));
  }

  /** Adds events that were counted and not stored (spike protection, a sample of loud issues). */
  async function addUnstored(
    sums: ReadonlyMap<number, number>,
    { where = ALWAYS, ...filter }: EventFilter & { from: number; to: number },
    scope: Scope,
  ): Promise<ReadonlyMap<number, number>> {
    const unstored = await state.volumes.listLeftOut(scope, {
      since: filter.from,
      until: filter.to,
      limit: MAX_ISSUES,
    });
    if (unstored.size === 0) return sums;
    const isOfAllEvents = where.kind === "all" && where.parts.length === 0;
    const issueIds = [...unstored.keys()];
    // Issues with few stored events are not among the largest.
    const found = new Map([...sums, ...(await sumByIssue({ ...filter, where, issueIds }, "events"))]);
    const all = isOfAllEvents ? found : await sumByIssue({ ...filter, issueIds }, "events");
    const stored = [...found].map(([issueId, fitting]) => ({ issueId, fitting, all: all.get(issueId) ?? fitting }));
    return countWithUnstored(stored, unstored, isOfAllEvents);
  }

  /** Replaces conditions on versions by the names of the releases, because the event store cannot compare versions. */
  async function resolveVersions(condition: Condition, scope: Scope): Promise<Condition> {
    const tests: Array<Promise<[Condition, readonly string[]]>> = [];
    mapTests(condition, (each) => {
      if (each.test.kind === "version")
        tests.push(state.releases.findVersions(scope, each.test, MAX_VERSIONS).then((values) => [each, values]));
      return each;
    });
    const found = new Map(await Promise.all(tests));
    return mapTests(condition, (each) => {
      const values = found.get(each);
      return values === undefined ? each : { ...each, test: { kind: "in", values } };
    });
  }

  async function listHighPriority(rule: AlertRule, scope: Scope): Promise<Held[]> {
    const at = now();
    const alternatives = splitCondition(bindRuleConditions(rule, at), isOfIssue, MAX_ALTERNATIVES) ?? [];
    const held = new Map<number, Held>();
    const isHigh: Condition = {
      kind: "test",
      field: "priority",
      isTag: false,
      isNegated: false,
      test: { kind: "in", values: ["high"] },
    };
    for (const { issue: ofIssue, event } of alternatives) {
      const where = allOf([isHigh, ofIssue]);
      let cursor: string | null = null;
      do {
        const page = await state.issues.listIssues(scope, {
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
          const fits =
            (event.kind === "all" && event.parts.length === 0) || (await events.findEdge(ofEvents, "latest")) !== null;
          if (fits) held.set(issue.id, { issue, value: null });
        }
        cursor = page.nextCursor;
      } while (cursor !== null && held.size < MAX_HIGH);
    }
    return [...held.values()];
  }

  /** For numbers, events of silenced environments do not count. An issue that reaches the line only with such events is held back. */
  async function listHeld(
    rule: AlertRule,
    trigger: AlertTrigger,
    { scope, silences }: { scope: Scope; silences: readonly AlertSilence[] },
  ): Promise<Held[]> {
    if (!isCountTrigger(trigger)) return await listHighPriority(rule, scope);
    const [projectId = 0] = scope.projectIds;
    const held = await listAbove(rule, trigger, { scope });
    const ofEnvironments = silences.filter(
      (silence) =>
        silence.environment !== null &&
        findSilence([silence], { ruleId: rule.id, projectId, environment: silence.environment, at: now() }) !== null,
    );
    const [silence] = ofEnvironments;
    if (held.length === 0 || silence === undefined) return held;
    const without = isNoneOf(
      "environment",
      ofEnvironments.map(({ environment }) => environment ?? ""),
    );
    const left = new Set((await listAbove(rule, trigger, { scope, without })).map(({ issue }) => issue.id));
    return held.map((each) => (left.has(each.issue.id) ? each : { ...each, silenceId: silence.id }));
  }

  async function look(
    rule: AlertRule & { isPrimed: boolean },
    trigger: AlertTrigger,
    { scopes, planner, silences }: { scopes: readonly Scope[]; planner: Planner; silences: readonly AlertSilence[] },
  ): Promise<number> {
    const held: Held[] = [];
    for (const scope of scopes) held.push(...(await listHeld(rule, trigger, { scope, silences })));
    const at = now();
    const found: FoundFiring[] = [];
    for (const { issue, value, silenceId: ofNumber } of held) {
      const scope = scopeOfServer([issue.projectId]);
      const event = await events.findEdge(
        { projectIds: scope.projectIds, issueId: issue.id, from: null, to: null },
        "latest",
      );
      const facts = {
        issue,
        eventId: event?.eventId ?? "",
        at,
        release: event?.release ?? null,
        value,
        isPeriod: true,
      };
      // An issue that was urgent before the rule began has not become urgent now.
      const isKnown = !rule.isPrimed && trigger.kind === "high-priority";
      const environment = isCountTrigger(trigger) ? null : (event?.environment ?? null);
      const { projectId } = issue;
      const silenceId = ofNumber ?? findSilence(silences, { ruleId: rule.id, projectId, environment, at })?.id;
      const planned = await planner.plan(rule, trigger, facts);
      found.push({ ...planned, isKnown, ...(silenceId === undefined || isKnown ? {} : { silenceId }) });
    }
    const exceptIssueIds = held.map(({ issue }) => issue.id);
    const ended = await state.alertWork.endPeriods({ ruleId: rule.id, trigger: trigger.kind, exceptIssueIds, at });
    return ended + (found.length === 0 ? 0 : await state.alertWork.fire({ reader: null, found, now: at, createKey }));
  }

  async function noteFailure({ id, projectIds }: AlertRule, { kind }: AlertTrigger, error: unknown): Promise<void> {
    const detail = error instanceof Error ? error.message : String(error);
    // A failure for all projects is noted in the first one, so that everybody who sees that project sees the failure.
    const projectId = projectIds?.[0] ?? (await state.directory.listProjects())[0]?.id ?? 0;
    const seen = { ruleId: id, projectId, issueId: 0, trigger: kind, at: now(), outcome: "error", detail } as const;
    await state.alertWork.fire({ reader: null, found: [], seen: [{ ...seen, isRepeat: true }], now: now(), createKey });
  }

  return {
    name: "watch-issues",
    everyMs: EVERY_MS,
    wakes: ["deliver"],
    async run(signal) {
      const rules = (await state.alertWork.listEnabledRules()).filter(({ triggers }) => triggers.some(isWatched));
      if (rules.length === 0) return "idle";
      const projects = await state.directory.listProjects();
      const planner = createFiringPlanner(parts);
      const silences = await state.alertWork.listSilences({ from: now(), to: now() });
      const failures: unknown[] = [];
      let changes = 0;
      for (const rule of rules) {
        const scopes = projects.filter(({ id }) => coversProject(rule, id)).map(({ id }) => scopeOfServer([id]));
        for (const trigger of rule.triggers.filter(isWatched)) {
          if (signal.aborted) return "worked";
          try {
            changes += await look(rule, trigger, { scopes, planner, silences });
          } catch (error) {
            // A rule that fails does not keep the others from telling.
            failures.push(error);
            await noteFailure(rule, trigger, error);
          }
        }
        if (!rule.isPrimed) await state.alertWork.notePrimed(rule.id);
      }
      if (failures.length > 0) throw new AggregateError(failures, `${failures.length} looks of alert rules failed`);
      return changes > 0 ? "worked" : "idle";
    },
  };
}

function isNoneOf(field: string, values: readonly string[]): Condition {
  return { kind: "test", field, isTag: false, isNegated: true, test: { kind: "in", values } };
}

/** The most issues of high priority that one look reads. */
const MAX_HIGH = 1_000;

function isWatched(trigger: AlertTrigger): boolean {
  return isCountTrigger(trigger) || trigger.kind === "high-priority";
}
