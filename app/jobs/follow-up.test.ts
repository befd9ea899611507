import { expect, test } from "vitest";
import { createAlertsWithoutEvents } from "../../tests/support/alerts-without-events.ts";
import { SLACK_TOKEN, startChatServices } from "../../tests/support/chat-services.ts";
import { DEFAULT_NOTIFICATION_SETTINGS } from "../domain/notification.ts";
import { MINUTE_MS } from "../domain/time.ts";
import type { Log } from "../log.server.ts";
import { createSendMessage } from "../notifications/send-message.server.ts";
import { createSendMail } from "../notifications/send-note.server.ts";
import { createSqliteStateDatabase } from "../stores/sqlite/sqlite-state-database.ts";
import { apply, EVERYTHING, NOON, occurrence } from "../stores/state/contract/fixture.ts";
import { createDeliverJob } from "./deliver.ts";
import { createFollowUpJob } from "./follow-up.ts";
import { ALERTS_READER } from "./route-alerts.ts";

const { signal } = new AbortController();

/** A project whose issues go to a Slack channel by its bot. */
async function open(later: string, channels: readonly string[] = ["#errors"]) {
  const services = await startChatServices();
  const database = await createSqliteStateDatabase();
  let now = NOON;
  const state = await database.connect({ now: () => now });
  const set = await state.people.setUp({
    organization: { slug: "o", name: "O" },
    owner: { email: "ada@example.com", name: "Ada", passwordHash: "x" },
    project: { slug: "shop", name: "Shop", platform: "node" },
    at: NOON,
  });
  const projectId = set.ok && set.project ? set.project.id : 0;
  async function addChannel(name: string): Promise<number> {
    const made = await state.channels.createChannel(EVERYTHING, {
      kind: "slack-bot",
      name,
      settings: { channel: name, later },
      secrets: { token: SLACK_TOKEN },
      projectIds: null,
      at: NOON,
    });
    return made.ok ? made.channel.id : 0;
  }
  const channelIds: number[] = [];
  for (const name of channels) channelIds.push(await addChannel(name));
  const settings = { ...DEFAULT_NOTIFICATION_SETTINGS, channelIds };
  await state.outbox.addReader(ALERTS_READER);
  await state.notifications.saveNotificationSettings(EVERYTHING, projectId, settings);
  const log = { warn: () => {} } as unknown as Log;
  const send = createSendMessage({ mail: null, allowsPrivate: true, now: () => now, hosts: services.hosts });
  const hanging: { channels: readonly string[]; until: Promise<void> } = { channels: [], until: Promise.resolve() };
  const told: string[] = [];
  const atOnce = { now: 0, most: 0 };
  let keys = 0;
  const createKey = () => (++keys).toString(16).padStart(32, "0");
  const parts = { state, findBaseUrl: async () => "https://errors.example.com", now: () => now, log };
  const jobs = [
    createAlertsWithoutEvents({ state, isMailSetUp: false, now: () => now, createKey }),
    createDeliverJob({
      ...parts,
      send,
      sendMail: createSendMail(null),
      sendPush: () => Promise.reject(new Error("nobody has a browser")),
      createKey,
      onSent: () => {},
    }),
    createFollowUpJob({
      ...parts,
      follow: async (to, followUp) => {
        atOnce.most = Math.max(atOnce.most, ++atOnce.now);
        if (hanging.channels.includes(to.name)) await hanging.until;
        const result = await send.follow(to, followUp);
        atOnce.now--;
        if (result.ok) told.push(to.name);
        return result;
      },
    }),
  ];
  let sequence = 0;
  return {
    state,
    services,
    /** Names of channels that took a change. */
    told,
    /** The channels that are told something now, and the most there ever were. */
    atOnce,
    /** Gives what lets the channels answer again. */
    hang: (...channels: string[]) => {
      const { promise, resolve } = Promise.withResolvers<void>();
      Object.assign(hanging, { channels, until: promise });
      return resolve;
    },
    report: (...hashes: string[]) =>
      apply(
        state,
        hashes.map((hash) => occurrence(sequence++, hash, { projectId, at: now })),
      ),
    resolve: (issueId = 0) =>
      state.issues.changeIssueStatus(EVERYTHING, { issueIds: [issueId], status: "resolved", userId: 1, at: ++now }),
    run: async () => {
      for (const job of jobs) await job.run(signal);
    },
    pass: (milliseconds: number) => {
      now += milliseconds;
    },
    calls: () => services.calls.map(({ path, body }) => [path.replace("/api/", ""), body.text]),
    async [Symbol.asyncDispose]() {
      await database[Symbol.asyncDispose]();
      await services[Symbol.asyncDispose]();
    },
  };
}

test("a message is changed when one of its issues is resolved; an issue that comes back is a new message", async () => {
  await using world = await open("edit");
  const [issue] = await world.report("a", "b");
  await world.run();
  await world.resolve(issue?.issueId);
  await world.run();
  await world.run();
  expect(world.calls()).toEqual([
    ["chat.postMessage", "[shop] 2 new issues"],
    ["chat.update", "[shop] 2 new issues"],
  ]);
  const edit = world.services.calls[1]?.body;
  expect(edit.blocks[0].text.text).toMatch(/^\*Resolved by Ada\* in Shop/);
  expect(edit.blocks[1].text.text).toMatch(/^\*New issue\* in Shop/);
  world.pass(2 * MINUTE_MS);
  await world.report("a");
  await world.run();
  expect(world.calls().at(-1)).toEqual(["chat.postMessage", "[shop] Came back: Error of a"]);
});

test("in a thread, only what has changed is said", async () => {
  await using world = await open("thread");
  const [issue] = await world.report("a", "b");
  await world.run();
  await world.resolve(issue?.issueId);
  await world.run();
  const { body } = world.services.calls[1] ?? {};
  expect(world.calls().at(-1)).toEqual(["chat.postMessage", "[shop] Resolved by Ada: Error of a"]);
  expect(body.thread_ts).toMatch(/^\d+\.\d+$/);
});

test("a channel that hangs holds up no change of another one, however many it has", async () => {
  await using world = await open("thread", ["#hangs", "#well"]);
  const issues = await world.report("a", "b", "c");
  await world.run();
  const answer = world.hang("#hangs");
  await world.resolve(issues[0]?.issueId);
  const running = world.run();
  await expect.poll(() => world.told).toEqual(["#well"]);
  // It comes while the first one hangs.
  await world.resolve(issues[1]?.issueId);
  await expect.poll(() => world.told).toEqual(["#well", "#well"]);
  answer();
  await running;
  expect(world.told).toEqual(["#well", "#well", "#hangs", "#hangs"]);
});

test("eight channels at most are told something at a time, and the others after them", async () => {
  const channels = Array.from({ length: 10 }, (_, index) => `#c${index}`);
  await using world = await open("thread", channels);
  const [issue] = await world.report("a");
  await world.run();
  const answer = world.hang(...channels);
  await world.resolve(issue?.issueId);
  const running = world.run();
  await expect.poll(() => world.atOnce.now).toBeGreaterThanOrEqual(8);
  answer();
  await running;
  expect(world.told.toSorted()).toEqual(channels);
  expect(world.atOnce.most).toBe(8);
});

test("a change that does not arrive is tried again; a channel that wants none is not told", async () => {
  await using world = await open("edit");
  const [issue] = await world.report("a");
  await world.run();
  world.services.become("refuses");
  await world.resolve(issue?.issueId);
  await world.run();
  expect((await world.state.channels.listChannels(EVERYTHING))[0]?.lastFailure).toBe(
    "Slack refused it: channel_not_found",
  );
  world.services.become("takes");
  world.pass(30_000);
  await world.run();
  expect(world.calls().map(([method]) => method)).toEqual(["chat.postMessage", "chat.update", "chat.update"]);

  await using silent = await open("none");
  const [other] = await silent.report("a");
  await silent.run();
  await silent.resolve(other?.issueId);
  await silent.run();
  expect(silent.calls()).toHaveLength(1);
});
