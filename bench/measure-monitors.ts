import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { GROUP_COUNT, plainRequestCount } from "./event-kinds.ts";
import { formatNumber } from "./figure.ts";
import { startLoadGenerator } from "./load-generator.ts";
import { describeRefusals } from "./measure-accepts.ts";
import { CpuUses, type Measurement, requireDsn, startBenchServer } from "./measurement.ts";
import { readMetrics } from "./server-metrics.ts";
import type { ApiServer } from "./web-api.ts";

const RATE = 1_000;
const SIZE_BYTES = 10_000;
const MONITORS = 1_000;
const RULES = 500;
const MINUTE_MS = 60_000;
/** A window is looked at 15 seconds after its end, and within the minute after that. */
const LATE_AFTER_MS = 15_000 + MINUTE_MS;
const AT_ONCE = 8;

/** What 500 alert rules with a number and 1,000 metric monitors cost, and whether each is looked at within its minute. */
export const measureMonitors: Measurement = {
  name: "monitors",
  what: `processor time of ${RULES} alert rules and ${MONITORS} metric monitors at ${RATE} events of 10 KB a second`,
  async run(bench) {
    await using load = startLoadGenerator();
    await using server = await startBenchServer(bench);
    const uses = new CpuUses();
    const count = plainRequestCount(SIZE_BYTES);
    await load.prepare({
      dsn: requireDsn(server),
      sizeBytes: SIZE_BYTES,
      encoding: "plain",
      groupCount: GROUP_COUNT,
      count,
    });
    const seconds = bench.isQuick ? 75 : 180;
    const measure = async (what: string) => {
      bench.say(`monitors: ${RATE}/s for ${seconds} s ${what}`);
      const before = (await readMetrics(server)).sum("process_cpu_seconds_total");
      const { result } = await uses.during([server.pid, load.pid], () =>
        load.send({ url: server.url, rate: RATE, seconds }),
      );
      const used = (await readMetrics(server)).sum("process_cpu_seconds_total") - before;
      return { result, msAMinute: (used / seconds) * MINUTE_MS };
    };
    const bare = await measure("without them");
    bench.say(`monitors: making ${RULES} rules`);
    // A new server has some already.
    await makeMany(RULES - countRules(server.dataDir), (index) => postRule(server, index));
    const ruled = await measure(`with ${RULES} rules`);
    const lookSeconds = (await readMetrics(server)).sum("culprit_job_last_duration_seconds", { job: "watch-issues" });
    bench.say(`monitors: making ${MONITORS} metric monitors`);
    await makeMany(MONITORS, (index) => postMonitor(server, index));
    const whole = await measure(`with ${RULES} rules and ${MONITORS} monitors`);
    const { late, failed } = readLooks(server.dataDir);
    return {
      figures: [
        {
          name: "monitors.rules.cpu",
          what: `processor time of ${RULES} rules, a minute`,
          value: ruled.msAMinute - bare.msAMinute,
          unit: "ms",
          better: "lower",
          note: `one look at all of them took ${formatNumber(lookSeconds)} s; the server without them ${formatNumber(bare.msAMinute)} ms a minute${describeRefusals(bare.result)}`,
        },
        {
          name: "monitors.metrics.cpu",
          what: `processor time of ${MONITORS} monitors, a minute`,
          value: whole.msAMinute - ruled.msAMinute,
          unit: "ms",
          better: "lower",
          note: describeRefusals(whole.result),
        },
        {
          name: "monitors.late",
          what: "monitors that were not looked at within their minute",
          value: late,
          unit: "×",
          better: "lower",
          goal: 0,
          note: `${failed} could not be evaluated at their last look`,
        },
      ],
      cpu: uses.worst,
    };
  },
};

async function makeMany(count: number, make: (index: number) => Promise<void>): Promise<void> {
  for (let from = 0; from < count; from += AT_ONCE)
    await Promise.all(Array.from({ length: Math.min(AT_ONCE, count - from) }, (_, index) => make(from + index)));
}

function postRule(server: ApiServer, index: number): Promise<void> {
  return post(server, "/projects/default/shop/rules/", {
    name: `Rule ${index}`,
    conditions: [
      {
        id: "sentry.rules.conditions.event_frequency.EventFrequencyCondition",
        value: 900_000 - index,
        interval: `${[5, 10, 15, 60][index % 4]}m`,
      },
    ],
    filters: index % 2 === 0 ? [] : [{ id: "sentry.rules.filters.level.LevelFilter", match: "eq", level: "40" }],
    actions: [{ id: "culprit.rules.actions.MembersAction" }],
    frequency: 30,
  });
}

/** As teams would have them: most count within some minutes, some within hours. */
function postMonitor(server: ApiServer, index: number): Promise<void> {
  const kinds = [
    { aggregate: "count()", dataset: "events", query: "level:error" },
    { aggregate: "count_unique(user)", dataset: "events", query: "" },
    { aggregate: "p95(transaction.duration)", dataset: "transactions", query: "" },
    { aggregate: "count()", dataset: "events_analytics_platform", query: "", eventTypes: ["trace_item_log"] },
    { aggregate: "percentage(sessions_crashed, sessions)", dataset: "metrics", query: "" },
  ];
  return post(server, "/organizations/default/alert-rules/", {
    ...kinds[index % kinds.length],
    name: `Monitor ${index}`,
    projects: ["shop"],
    timeWindow: [5, 10, 10, 15, 30, 60, 60, 240][index % 8],
    thresholdType: 0,
    triggers: [{ label: "critical", alertThreshold: index % 5 === 4 ? 99 : 100_000_000 }],
  });
}

async function post(server: ApiServer, path: string, body: unknown): Promise<void> {
  const response = await fetch(`${server.url}/api/0${path}`, {
    method: "POST",
    headers: { authorization: `Bearer ${server.token}`, "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  if (!response.ok) throw new Error(`POST ${path} answered ${response.status}: ${await response.text()}`);
  await response.body?.cancel();
}

function countRules(dataDir: string): number {
  const state = new DatabaseSync(join(dataDir, "state.sqlite"), { readOnly: true });
  try {
    return Number(state.prepare("SELECT count(*) AS count FROM alert_rules").get()?.count);
  } finally {
    state.close();
  }
}

/** From the state of the server, which nothing else says: monitors whose next window ended too long ago. */
function readLooks(dataDir: string): { late: number; failed: number } {
  const db = new DatabaseSync(join(dataDir, "state.sqlite"), { readOnly: true });
  try {
    const countOf = (condition: string, values: Record<string, number> = {}) =>
      Number(db.prepare(`SELECT count(*) AS count FROM metric_monitors WHERE ${condition}`).get(values)?.count);
    return {
      late: countOf("next_at < :before", { before: Date.now() - LATE_AFTER_MS }),
      failed: countOf("state ->> '$.last.decision' = 'failed'"),
    };
  } finally {
    db.close();
  }
}
