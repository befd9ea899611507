import { scopeOfServer } from "../access/server-scope.ts";
import { coversProject } from "../domain/alerts/alert-rule.ts";
import { NOISE_MS, type NoisyRule } from "../domain/alerts/noise.ts";
import { previousDue } from "../domain/monitors/schedule.ts";
import { DEFAULT_REACH, type Reach } from "../domain/push/push-subscription.ts";
import { DAY_MS, MINUTE_MS } from "../domain/time.ts";
import { listNoiseOf } from "../notifications/noise-letter.ts";
import { hasOneLine, suggestLine } from "../rehearsal/suggest-line.ts";
import type { EventStore } from "../stores/events/event-store.ts";
import type { State } from "../stores/state/state.ts";
import type { Job } from "./runner.ts";

const EVERY_MS = 10 * MINUTE_MS;
/** When the report is sent: Monday at eight in the reader's time zone. */
const REPORTED = "0 8 * * 1";
/** The most rules for which a better line is looked for: those that fired most. Each rule once a day. */
const MAX_LOOKED_AT = 20;
/** The most time for the events of one rule. A rule that takes longer gets no suggestion. */
const LOOK_MS = 3_000;

export interface ReportNoiseParts {
  state: Pick<State, "alertNoise" | "alertNoiseWork" | "push" | "people" | "directory" | "issues">;
  events: Pick<EventStore, "sumEvents">;
  isMailSetUp: boolean;
  now: () => number;
  createKey: () => string;
}

/** Looks for better lines of rules that fire often. Once a week it tells the people who may change these rules. */
export function createReportNoiseJob({ state, events, isMailSetUp, now, createKey }: ReportNoiseParts): Job {
  async function look({ rule }: NoisyRule): Promise<void> {
    const lookedAt = now();
    const to = Math.floor(lookedAt / MINUTE_MS) * MINUTE_MS;
    const from = to - NOISE_MS;
    const projectIds = (await state.directory.listProjectIds()).filter((id) => coversProject(rule, id));
    const scope = scopeOfServer(projectIds);
    const issueIds = await state.alertNoiseWork.listFiredIssues({ ruleId: rule.id, from, to });
    const acted = await state.alertNoise.listActedIssues(scope, { issueIds, from, to });
    const startedAt = performance.now();
    const isLate = () => performance.now() - startedAt > LOOK_MS;
    const suggested = await suggestLine({ state, events }, { rule, acted, scope, from, to, isLate });
    await state.alertNoiseWork.saveLine({ ruleId: rule.id, ruleChangedAt: rule.changedAt, lookedAt, suggested });
  }

  /** Returns whether there was a rule to look at. */
  async function lookAtNoisy(signal: AbortSignal): Promise<boolean> {
    const at = now();
    const noisy = await state.alertNoiseWork.listNoisyRules({
      from: at - NOISE_MS,
      to: at,
      now: at,
      limit: MAX_LOOKED_AT,
    });
    const lookedAt = await state.alertNoiseWork.listLookedAt();
    const isDue = ({ rule }: NoisyRule) => {
      const last = lookedAt.get(rule.id);
      // A time in the future was written when the clock was ahead. It does not keep a rule from being looked at.
      return hasOneLine(rule) && (last === undefined || last > at || last <= at - DAY_MS);
    };
    const due = noisy.filter(isDue);
    for (const each of due) {
      if (signal.aborted) break;
      await look(each);
    }
    return due.length > 0;
  }

  /** Returns whether somebody was told. */
  async function tellReaders(): Promise<boolean> {
    const at = now();
    /** Readers without news, by the instant until which they are informed. */
    const untold = new Map<number, number[]>();
    const reaches = await state.push.listReach();
    let isTold = false;
    for (const { userId, timezone, toldUntil } of await state.alertNoiseWork.listReaders()) {
      const until = previousDue({ schedule: { type: "crontab", value: REPORTED }, timezone: timezone ?? "UTC" }, at);
      if (until === null || (toldUntil !== null && toldUntil <= at && toldUntil >= until)) continue;
      // A new reader gets the first report on the next Monday.
      const isNews = toldUntil !== null && toldUntil < until && isReached(reaches.get(userId)?.reach);
      if (isNews && (await listNoiseOf(state, { userId, to: until, now: at })).length > 0)
        isTold = (await state.alertNoiseWork.tellReader({ userId, until, now: at, createKey })) || isTold;
      else untold.set(until, [...(untold.get(until) ?? []), userId]);
    }
    for (const [until, userIds] of untold) await state.alertNoiseWork.noteReaders(userIds, until);
    return isTold;
  }

  /** The report is a mail, so only people who get mails of alert rules get it. */
  function isReached(reach: Reach = DEFAULT_REACH): boolean {
    return reach.rules.mail;
  }

  return {
    name: "report-noise",
    everyMs: EVERY_MS,
    firstAfterMs: MINUTE_MS,
    wakes: ["deliver"],
    async run(signal) {
      const hasLooked = await lookAtNoisy(signal);
      const isTold = isMailSetUp && !signal.aborted && (await tellReaders());
      return hasLooked || isTold ? "worked" : "idle";
    },
  };
}
