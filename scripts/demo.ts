// `npm run demo`: Culprit with two weeks of life of a small shop, to look around in. Runs as `scripts/start.ts` starts it, in the
// place of the server, and sends its events from within: no port is asked, and no other server can get them.

import { randomBytes } from "node:crypto";
import { existsSync, readdirSync } from "node:fs";
import { scopeOfServer } from "../app/access/server-scope.ts";
import { requireEngine } from "../app/server/engine.ts";
import { DEMO_SCENARIOS, type DemoScenario } from "./demo-scenarios.ts";

const DAY_MS = 86_400_000;
const RELEASES = ["shop@2.14.0", "shop@2.14.1", "shop@2.15.0"];
const ENVIRONMENTS = ["production", "production", "production", "staging"];
const PROJECTS = [
  { slug: "web", name: "Web", platform: "javascript-react" },
  { slug: "api", name: "API", platform: "node" },
  { slug: "billing", name: "Billing", platform: "python" },
] as const;
/** Events that wait for the disk together. */
const SENT_AT_ONCE = 50;

process.env.DATA_DIR ||= "demo-data";
// Anybody may know that there is a demo. Those who set HOST want it seen.
process.env.HOST ||= "127.0.0.1";
process.env.CULPRIT_ADMIN ||= `demo@example.com:${randomBytes(9).toString("base64url")}`;
process.env.CULPRIT_PROJECT = PROJECTS[0].slug;

const folder = process.env.DATA_DIR;
if (existsSync(folder) && readdirSync(folder).length > 0) {
  process.stderr.write(
    `culprit: ${folder} holds data already, and the demo's would get mixed into it. Start what is there with ` +
      `\`DATA_DIR=${folder} npm start\`, delete the folder, or name an empty one: \`DATA_DIR=<folder> npm run demo\`.\n`,
  );
  process.exit(1);
}
await import(new URL("../build/node/server.js", import.meta.url).href);
const count = await sendDemoEvents({ now: Date.now(), random: createRandom(7) });
const [email, password] = process.env.CULPRIT_ADMIN.split(/:(.*)/s);
process.stdout.write(
  `culprit: ${count} events of the demo are on their way to its pages. Sign in as ${email} with the password ${password}\n` +
    `culprit: its data is in ${folder}; \`DATA_DIR=${folder} npm start\` starts it again\n`,
);

/**
 * Makes the projects and sends what their SDKs would have sent, oldest first. Every event is stored as one that comes late.
 * Gives how many were accepted.
 * @throws when one is refused.
 */
async function sendDemoEvents({ now, random }: { now: number; random: () => number }): Promise<number> {
  const engine = requireEngine();
  const { projects, directory } = engine.state;
  const keys = new Map<string, string>();
  for (const { slug, name, platform } of PROJECTS) {
    await projects.createProject({ slug, name, platform, at: now });
    const project = await directory.getProjectBySlug(slug);
    const [key] = (await directory.listKeys()).filter(({ projectId }) => projectId === project?.id);
    if (!project || !key) throw new Error(`the project ${slug} of the demo has no key`);
    // Set-up made the first one with its slug alone.
    await projects.changeProject(scopeOfServer([project.id]), project.id, { name, platform });
    keys.set(slug, key.publicKey);
  }
  await engine.reloadKeys();

  const events = DEMO_SCENARIOS.flatMap((scenario) =>
    Array.from({ length: scenario.count }, (_, index) => ({ at: toInstant(scenario, index, now, random), scenario })),
  ).sort((one, other) => one.at - other.at);
  for (let start = 0; start < events.length; start += SENT_AT_ONCE) {
    await Promise.all(
      events.slice(start, start + SENT_AT_ONCE).map(async ({ at, scenario }) => {
        const envelope = toEnvelope(toEvent(scenario, at, random));
        const accepted = await engine.acceptEnvelope(keys.get(scenario.project) ?? "", Buffer.from(envelope));
        if (!accepted.ok) throw new Error(`an event of the demo was answered ${accepted.status}: ${accepted.detail}`);
      }),
    );
  }
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

function toEnvelope(event: { event_id: string }): string {
  const header = { event_id: event.event_id, sent_at: new Date().toISOString() };
  return `${JSON.stringify(header)}\n{"type":"event"}\n${JSON.stringify(event)}\n`;
}

/** The same numbers every time, so that pictures of two runs can be compared. */
function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}
