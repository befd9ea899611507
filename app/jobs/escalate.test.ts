import { expect, test } from "vitest";
import { headerOf, partsOf, startMailServer } from "../../tests/support/mail-server.ts";
import type { AlertStep } from "../domain/alerts/alert-rule.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../domain/time.ts";
import type { Log } from "../log.server.ts";
import { createSendMessage } from "../notifications/send-message.server.ts";
import { createSendMail } from "../notifications/send-note.server.ts";
import { createSqliteStateDatabase } from "../stores/sqlite/sqlite-state-database.ts";
import { apply, EVERYTHING, NOON, occurrence } from "../stores/state/contract/fixture.ts";
import type { NewsItem } from "../stores/state/delivery-store.ts";
import { createDeliverJob } from "./deliver.ts";
import { createEscalateJob } from "./escalate.ts";

const { signal } = new AbortController();
const ADA = "ada@example.com";
const GRACE = "grace@example.com";

/** A state database with an issue that a rule has just told Ada, the two jobs, and a mail server. */
async function open(toSteps: (people: { ada: number; grace: number }) => AlertStep[]) {
  const mail = await startMailServer();
  const database = await createSqliteStateDatabase();
  let now = NOON;
  let keys = 0;
  const state = await database.connect({ now: () => now });
  const set = await state.people.setUp({
    organization: { slug: "o", name: "O" },
    owner: { email: ADA, name: "Ada", passwordHash: "x" },
    project: { slug: "shop", name: "Shop", platform: "node" },
    at: NOON,
  });
  const projectId = set.ok && set.project ? set.project.id : 0;
  const ada = (await state.people.getOwner())?.id ?? 0;
  const account = { email: GRACE, name: "Grace", passwordHash: "x", role: "member" } as const;
  const grace = await state.people.createMember({ ...account, teamIds: [], projectIds: [projectId], at: NOON });
  const [made] = await apply(state, [occurrence(0, "a", { projectId })]);
  const issueId = made?.issueId ?? 0;
  const rule = await state.alerts.createRule(
    EVERYTHING,
    {
      name: "Checkout",
      projectIds: [projectId],
      triggers: [{ kind: "new" }],
      match: "all",
      conditions: [],
      actions: [{ kind: "person", id: ada }],
      steps: toSteps({ ada, grace }),
      frequencyMinutes: 0,
      isEnabled: true,
    },
    NOON,
  );
  const ruleId = rule.ok ? rule.rule.id : 0;
  const createKey = () => (++keys).toString(16).padStart(32, "0");
  const behind = async () => Promise.reject(new Error("no event is stored"));
  const escalate = createEscalateJob({
    state,
    events: { getEvent: behind },
    payloads: { readEvent: behind },
    isMailSetUp: true,
    now: () => now,
    createKey,
  });
  const config = { url: mail.url, from: "errors@example.com" };
  const deliver = createDeliverJob({
    state,
    createKey,
    send: createSendMessage({ mail: config, allowsPrivate: true, now: () => now }),
    sendMail: createSendMail(config),
    sendPush: () => Promise.reject(new Error("nobody has a browser")),
    findBaseUrl: async () => "https://errors.example.com",
    openActLinks: async () => (link) => `https://errors.example.com/act/${link.act}`,
    now: () => now,
    log: { warn() {} } as unknown as Log,
    onSent: () => {},
  });
  const item: NewsItem = { transition: "new", issueId, eventId: "", at: NOON, release: null };
  const firing = { ruleId, projectId, issueId, trigger: "new", at: NOON, value: null, isPeriod: false } as const;
  const targets = [{ projectId, channel: "person", address: String(ada) }] as const;
  await state.alertWork.fire({ reader: null, found: [{ ...firing, targets, item }], now, createKey });
  await deliver.run(signal);
  return {
    state,
    ids: { issueId, ruleId, projectId, ada, grace },
    /** `who subject` of each mail so far. */
    told: () => mail.received.map((each) => `${each.to[0]} ${headerOf(each, "subject")}`),
    textOf: (index: number) => {
      const received = mail.received[index];
      return received ? (partsOf(received)["text/plain"] ?? "") : "";
    },
    async run() {
      const did = await escalate.run(signal);
      await deliver.run(signal);
      return did;
    },
    setClock: (at: number) => {
      now = at;
    },
    async [Symbol.asyncDispose]() {
      await database[Symbol.asyncDispose]();
      await mail[Symbol.asyncDispose]();
    },
  };
}

const at = (minutes: number) => NOON + minutes * MINUTE_MS;
const twoSteps = ({ ada, grace }: { ada: number; grace: number }): AlertStep[] => [
  { afterMinutes: 15, actions: [{ kind: "person", id: grace }] },
  { afterMinutes: 60, actions: [{ kind: "person", id: ada }] },
];
const ASKED = "[shop] Nobody acknowledged this: Error of a";

test("steps are told when they are due, each once, with a link that acknowledges", async () => {
  await using world = await open(twoSteps);
  expect(world.told()).toEqual([`${ADA} [shop] New issue: Error of a`]);
  expect(world.textOf(0)).toContain("Acknowledge: https://errors.example.com/act/acknowledge");
  world.setClock(at(14));
  expect(await world.run()).toBe("idle");
  world.setClock(at(15));
  expect(await world.run()).toBe("worked");
  expect(await world.run()).toBe("idle");
  expect(world.told().slice(1)).toEqual([`${GRACE} ${ASKED}`]);
  expect(world.textOf(1)).toContain("Nobody acknowledged this for 15 minutes: Error of a");
  expect(world.textOf(1)).toContain("You get this mail by the alert rule “Checkout”.");
  world.setClock(at(60));
  await world.run();
  expect(world.told().slice(2)).toEqual([`${ADA} ${ASKED}`]);
  expect(world.textOf(2)).toContain("for 1 hour");
});

test("after somebody has acknowledged, nobody else is told, and mails have no link for it", async () => {
  await using world = await open(twoSteps);
  const { issueId, projectId, ada } = world.ids;
  const by = { issueId, userId: ada, via: "page", at: at(1) } as const;
  await world.state.alertPeriods.acknowledge(EVERYTHING, by);
  world.setClock(at(600));
  expect(await world.run()).toBe("idle");
  expect(world.told()).toHaveLength(1);
  const item: NewsItem = { transition: "priority", issueId, eventId: "", at: at(600), release: null };
  const target = { projectId, channel: "person", address: String(ada) } as const;
  const news = [{ target, items: [item] }];
  await world.state.deliveries.enqueue({
    reader: "x",
    position: 1,
    news,
    now: at(600),
    createKey: () => "f".repeat(32),
  });
  await world.run();
  expect(world.textOf(1)).toContain("Resolve: ");
  expect(world.textOf(1)).not.toContain("Acknowledge: ");
});

test("steps that came due while the server was down are told together, and once", async () => {
  await using world = await open(twoSteps);
  world.setClock(at(500));
  await world.run();
  await world.run();
  expect(world.told().slice(1).sort()).toEqual([`${ADA} ${ASKED}`, `${GRACE} ${ASKED}`]);
});

test("a clock that jumps forward and back tells no step twice", async () => {
  await using world = await open(twoSteps);
  world.setClock(at(20));
  await world.run();
  expect(world.told()).toHaveLength(2);
  world.setClock(NOON - DAY_MS);
  await world.run();
  world.setClock(NOON - DAY_MS + 59 * MINUTE_MS);
  await world.run();
  expect(world.told()).toHaveLength(2);
  world.setClock(NOON - DAY_MS + HOUR_MS);
  await world.run();
  world.setClock(at(600));
  await world.run();
  expect(world.told().slice(2)).toEqual([`${ADA} ${ASKED}`]);
});

test("a silence holds steps back until it ends", async () => {
  await using world = await open(twoSteps);
  const { ruleId } = world.ids;
  const silence = { ruleId, projectId: null, environment: null, reason: "", madeBy: "Ada", endsAt: at(30) };
  await world.state.silences.createSilence(EVERYTHING, silence, at(1));
  world.setClock(at(20));
  expect(await world.run()).toBe("idle");
  world.setClock(at(30));
  expect(await world.run()).toBe("worked");
  expect(world.told().slice(1)).toEqual([`${GRACE} ${ASKED}`]);
});
