import { z } from "zod";
import { DAY_MS, HOUR_MS } from "../../domain/time.ts";
import { answer, refusal } from "../answers.ts";
import { type Endpoint, endpoint } from "../endpoint.ts";
import { period } from "../query.ts";

/** In a longer range, each step is a day instead of an hour. */
const HOURS_UP_TO_MS = 14 * DAY_MS;
const MAX_STEPS = 1_000;

const count = z.int();
const stepAnswer = z.object({
  ts: z.int().describe("When the step begins: seconds since 1970"),
  ...{ ok: count, error: count, missed: count, timeout: count, in_progress: count, unknown: count },
  duration: z.number().describe("Milliseconds, the mean of the runs that say it; 0: none does"),
});

const seconds = z.coerce.number().int().min(0).max(99_999_999_999).optional();
const statsQuery = z.object({
  since: seconds.describe("Seconds since 1970; a day before `until`, if not given"),
  until: seconds.describe("Seconds since 1970; now, if not given"),
  resolution: period.optional().describe("Of a step, like `1h`; up to 14 days an hour, beyond a day, if not given"),
  environment: z.string().optional(),
});

const PATHS = [
  "/organizations/{organization}/monitors/{monitor}/stats/",
  "/projects/{organization}/{project}/monitors/{monitor}/stats/",
] as const;

export const MONITOR_STATS_ENDPOINTS: readonly Endpoint[] = PATHS.map((path) =>
  endpoint({
    method: "GET",
    path,
    scopes: ["event:read"],
    summary: "How many of its runs ended in which way, by steps of time, oldest first.",
    query: statsQuery,
    answers: { 200: { what: "Every step of the range", json: z.array(stepAnswer) } },
    async handle({ workspace: { state, scope }, monitor, query, now }) {
      const { from, to, stepMs } = toSteps(query, now);
      const sums = await state.monitors.sumRuns(scope, monitor.id, {
        ...(query.environment === undefined ? {} : { environment: query.environment }),
        ...{ from, to, stepMs },
      });
      const steps = new Map<number, z.input<typeof stepAnswer> & { timedCount: number }>();
      for (let at = from; at < to; at += stepMs) steps.set(at, emptyStep(at));
      for (const { at, status, ...sum } of sums) {
        const step = steps.get(at);
        if (step === undefined) continue;
        step[status] += sum.count;
        step.duration += sum.durationMs;
        step.timedCount += sum.timedCount;
      }
      return answer(
        [...steps.values()].map(({ timedCount, duration, ...step }) => ({
          ...step,
          duration: timedCount === 0 ? 0 : duration / timedCount,
        })),
      );
    },
  }),
);

function emptyStep(at: number) {
  const counts = { ok: 0, error: 0, missed: 0, timeout: 0, in_progress: 0, unknown: 0 };
  return { ts: at / 1000, ...counts, duration: 0, timedCount: 0 };
}

/** @throws a 400 answer. */
function toSteps({ since, until, resolution }: z.output<typeof statsQuery>, now: number) {
  const to = until === undefined ? now : until * 1000;
  const asked = since === undefined ? to - DAY_MS : since * 1000;
  if (asked >= to) throw refusal(400, "since: must be before until");
  const stepMs = resolution ?? (to - asked <= HOURS_UP_TO_MS ? HOUR_MS : DAY_MS);
  const from = Math.floor(asked / stepMs) * stepMs;
  if ((to - from) / stepMs > MAX_STEPS)
    throw refusal(400, `resolution: must give at most ${MAX_STEPS} steps between since and until`);
  return { from, to, stepMs };
}
