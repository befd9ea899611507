import { randomBytes } from "node:crypto";
import { parseArgs } from "node:util";
import { DEMO_SCENARIOS, type DemoScenario } from "./demo-scenarios.ts";

const DAY_MS = 86_400_000;
const RELEASES = ["shop@2.14.0", "shop@2.14.1", "shop@2.15.0"];
const ENVIRONMENTS = ["production", "production", "production", "staging"];

/** DSN for each project of the demo; where one is missing, the first takes its place. */
export type DemoDsns = Partial<Record<DemoScenario["project"], string>> & { web: string };

/**
 * Sends two weeks of life of a small shop as envelopes, oldest first, as its SDKs would have. Every event is stored as if
 * it had come late. Gives how many were accepted.
 * @throws when the server refuses one
 */
export async function sendDemoEvents(
  dsns: DemoDsns,
  { now, random }: { now: number; random: () => number },
): Promise<number> {
  const events = DEMO_SCENARIOS.flatMap((scenario) =>
    Array.from({ length: scenario.count }, (_, index) => ({
      dsn: dsns[scenario.project] ?? dsns.web,
      at: toInstant(scenario, index, now, random),
      scenario,
    })),
  ).sort((one, other) => one.at - other.at);
  for (const { dsn, at, scenario } of events) await send(dsn, toEvent(scenario, at, random));
  return events.length;
}

function toInstant({ days, count, rhythm }: DemoScenario, index: number, now: number, random: () => number): number {
  const span = days * DAY_MS;
  // The first and the last are where they belong, whatever chance says.
  const share = index === 0 ? 1 : index === count - 1 ? 0 : random();
  if (rhythm === "growing") return now - 20_000 - share ** 2.5 * span;
  if (rhythm === "steady") return now - 20_000 - share * span;
  const night = Math.floor((share * span) / DAY_MS) * DAY_MS;
  return now - 20_000 - Math.min(night + random() * 3 * 3_600_000, span);
}

function toEvent(
  scenario: DemoScenario,
  at: number,
  random: () => number,
): Record<string, unknown> & { event_id: string } {
  const pick = <Value>(values: readonly Value[]): Value => values[Math.floor(random() * values.length)] as Value;
  const user = Math.floor(random() * 240);
  return {
    event_id: randomBytes(16).toString("hex"),
    timestamp: at / 1000,
    environment: pick(ENVIRONMENTS),
    release: pick(RELEASES),
    sdk: { name: `sentry.${scenario.event.platform}`, version: "10.75.2" },
    ...(scenario.hasUsers && { user: { id: String(user), email: `customer${user}@example.com` } }),
    ...scenario.event,
  };
}

async function send(dsn: string, event: { event_id: string }): Promise<void> {
  const { protocol, host, username, pathname } = new URL(dsn);
  const body = [
    JSON.stringify({ event_id: event.event_id, sent_at: new Date().toISOString(), dsn }),
    JSON.stringify({ type: "event" }),
    JSON.stringify(event),
    "",
  ].join("\n");
  const answer = await fetch(`${protocol}//${host}/api${pathname}/envelope/?sentry_key=${username}&sentry_version=7`, {
    method: "POST",
    body,
  });
  if (!answer.ok) throw new Error(`${dsn} answered ${answer.status}: ${await answer.text()}`);
  await answer.body?.cancel();
}

/** The same numbers every time, so that pictures of two runs can be compared. */
export function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

if (import.meta.main) {
  const { positionals } = parseArgs({ allowPositionals: true });
  const [web, api, billing] = positionals;
  if (!web) {
    process.stderr.write("usage: node tests/support/seed-demo.ts DSN [DSN of the second project] [DSN of the third]\n");
    process.exit(1);
  }
  const sent = await sendDemoEvents(
    { web, ...(api && { api }), ...(billing && { billing }) },
    { now: Date.now(), random: createRandom(7) },
  );
  process.stdout.write(`${sent} events sent\n`);
}
