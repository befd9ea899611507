import { randomUUID } from "node:crypto";
import { signIn } from "../tests/support/browse.ts";
import { makeProject } from "../tests/support/make-project.ts";
import type { TestServer } from "../tests/support/start-server.ts";
import { startWebhookReceiver } from "../tests/support/webhook-receiver.ts";
import { type Distribution, summarize } from "./distribution.ts";
import { GROUP_COUNT, plainRequestCount } from "./event-kinds.ts";
import type { Figure } from "./figure.ts";
import { startLoadGenerator } from "./load-generator.ts";
import { describeRefusals } from "./measure-accepts.ts";
import { CpuUses, type Measurement, requireDsn, sleep, startBenchServer } from "./measurement.ts";
import { waitForStored } from "./server-metrics.ts";

/** p95, in milliseconds. */
const GOAL_MS = 2_000;
const RATE = 1_000;
const SIZE_BYTES = 10_000;
/** A receiver gets one message a minute of each project, so each alert of a round is of another one. */
const PROJECTS = 60;
const QUICK_PROJECTS = 20;
/** As long after the first round, each project may tell of something again. */
const PAUSE_MS = 61_000;
const EVERY_MS = 1_000;
/** The jobs of the server look every so often. Steps by this share of it fall evenly into their pauses. */
const STEP = 0.618_034;
/** The load goes on for as long after the last alert of its round: longer than one takes that meets the goal. */
const LOADED_AFTER_S = 5;
const GIVE_UP_MS = 120_000;

/** How long after its 200 a new issue is told: the request has arrived at a webhook. */
export const measureAlerts: Measurement = {
  name: "alerts",
  what: `from the 200 of a new issue to a webhook that is told of it, alone and at ${RATE} events of 10 KB a second`,
  async run(bench) {
    const arrivedAt = new Map<string, number>();
    await using sink = await startWebhookReceiver({
      answer({ body }, res) {
        res.end("ok");
        for (const title of titlesOf(body)) arrivedAt.set(title, Date.now());
      },
    });
    await using load = startLoadGenerator();
    await using server = await startBenchServer(bench, { env: { ALLOW_PRIVATE_WEBHOOKS: "1" } });
    const uses = new CpuUses();
    await load.prepare({
      dsn: requireDsn(server),
      sizeBytes: SIZE_BYTES,
      encoding: "plain",
      groupCount: GROUP_COUNT,
      count: plainRequestCount(SIZE_BYTES),
    });
    const count = bench.isQuick ? QUICK_PROJECTS : PROJECTS;
    bench.say(`alerts: making ${count} projects`);
    const dsns: string[] = [];
    for (let index = 0; index < count; index++) dsns.push((await makeProject(server, `alerts-${index}`)).dsn);
    await tellOf(server, sink.url, count);

    bench.say(`alerts: one a second for ${count} s`);
    const roundBegan = performance.now();
    const alone = await uses.during([server.pid], () => measureRound(dsns, arrivedAt));
    bench.say(`alerts: ${RATE}/s for ${count} s`);
    const warm = await load.send({ url: server.url, rate: RATE, seconds: bench.isQuick ? 2 : 5 });
    await waitForStored(server, warm.accepted);
    await sleep(Math.max(0, PAUSE_MS - (performance.now() - roundBegan)));
    const sending = load.send({ url: server.url, rate: RATE, seconds: count + LOADED_AFTER_S });
    const loaded = await uses.during([server.pid, load.pid], () => measureRound(dsns, arrivedAt));
    load.stop();
    const sent = await sending;
    return {
      figures: [
        ...toFigures("alerts", "accepted to told", alone.result, ""),
        ...toFigures("alerts.loaded", `  and at ${RATE}/s`, loaded.result, describeRefusals(sent)),
      ],
      cpu: uses.worst,
    };
  },
};

/** A webhook and a rule that tells it of new issues of the projects. */
async function tellOf(server: TestServer, url: string, count: number): Promise<void> {
  const person = await signIn(server);
  const { status, html } = await person.post("/settings/channels/new", {
    intent: "add",
    kind: "webhook",
    name: "Sink",
    url,
    serves: "all",
  });
  const channel = Number(/\/settings\/channels\/(\d+)/.exec(html)?.[1]);
  if (status !== 200 || !Number.isInteger(channel)) throw new Error(`adding the webhook answered ${status}`);
  for (let index = 0; index < count; index++) {
    const response = await fetch(`${server.url}/api/0/projects/default/alerts-${index}/rules/`, {
      method: "POST",
      headers: { authorization: `Bearer ${server.token}`, "content-type": "application/json" },
      body: JSON.stringify({
        name: `Tell the sink of ${index}`,
        conditions: [{ id: "sentry.rules.conditions.first_seen_event.FirstSeenEventCondition" }],
        actions: [{ id: "culprit.rules.actions.ChannelAction", channel }],
        frequency: 5,
      }),
    });
    if (!response.ok) throw new Error(`making a rule answered ${response.status}: ${await response.text()}`);
    await response.body?.cancel();
  }
}

/** Sends a new issue to each project, one about every second. Gives the milliseconds from each 200 to the sink. */
async function measureRound(dsns: readonly string[], arrivedAt: ReadonlyMap<string, number>): Promise<Distribution> {
  const began = performance.now();
  const acceptedAt = new Map<string, number>();
  for (const [index, dsn] of dsns.entries()) {
    const dueAt = (index + ((index * STEP) % 1)) * EVERY_MS;
    await sleep(Math.max(0, dueAt - (performance.now() - began)));
    const title = `alert ${makeWord()}`;
    await sendNew(dsn, title);
    acceptedAt.set(title, Date.now());
  }
  const lastAt = Date.now();
  while ([...acceptedAt.keys()].some((title) => !arrivedAt.has(title))) {
    if (Date.now() - lastAt > GIVE_UP_MS) {
      const missing = [...acceptedAt.keys()].filter((title) => !arrivedAt.has(title)).length;
      throw new Error(
        `${missing} alerts of ${acceptedAt.size} did not arrive within ${GIVE_UP_MS / 1_000} s of the last`,
      );
    }
    await sleep(50);
  }
  return summarize([...acceptedAt].map(([title, at]) => (arrivedAt.get(title) ?? Number.NaN) - at));
}

/** Letters only, never the same: the grouping takes ids and numbers for the same issue. */
function makeWord(): string {
  const fromHex = (digit: string) => String.fromCharCode("g".charCodeAt(0) + Number.parseInt(digit, 16));
  return randomUUID().replaceAll("-", "").replace(/./g, fromHex);
}

async function sendNew(dsn: string, title: string): Promise<void> {
  const { origin, username, pathname } = new URL(dsn);
  const eventId = randomUUID().replaceAll("-", "");
  const event = { event_id: eventId, platform: "node", level: "error", message: title };
  const body = [{ event_id: eventId, dsn }, { type: "event" }, event].map((line) => JSON.stringify(line)).join("\n");
  const response = await fetch(`${origin}/api${pathname}/envelope/`, {
    method: "POST",
    headers: { "x-sentry-auth": `Sentry sentry_version=7, sentry_key=${username}`, "content-type": "text/plain" },
    body,
  });
  await response.arrayBuffer();
  if (response.status !== 200) throw new Error(`an event was answered ${response.status}`);
}

function titlesOf(body: string): string[] {
  const message: { type: string; data: { issues: Array<{ title: string }> } } = JSON.parse(body);
  return message.type === "issues" ? message.data.issues.map(({ title }) => title) : [];
}

function toFigures(name: string, what: string, told: Distribution, note: string): Figure[] {
  return (["p50", "p95", "max"] as const).map((percentile) => ({
    name: `${name}.${percentile}`,
    what: `${what}, ${percentile}`,
    value: told[percentile],
    unit: "ms",
    better: "lower",
    ...(percentile === "p95" ? { goal: GOAL_MS } : {}),
    note: percentile === "p50" ? `${told.count} alerts, each of another project${note}` : "",
  }));
}
