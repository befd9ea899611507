import { type ChildProcessByStdio, spawn } from "node:child_process";
import { on, once } from "node:events";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { draftFirstRule } from "../../app/domain/alerts/first-rule.ts";
import { createSqliteStateDatabase } from "../../app/stores/sqlite/sqlite-state-database.ts";
import { createProject, EVERYTHING, JOURNAL, NOON } from "../../app/stores/state/contract/fixture.ts";
import { headerOf, startMailServer } from "../support/mail-server.ts";
import { startWebhookReceiver } from "../support/webhook-receiver.ts";

/** A run of 100 and more: `CRASH_KILLS=100`. */
const KILLS = Number(process.env.CRASH_KILLS ?? 50);
/** Each has a mailbox and a webhook, so that much is on its way at once. */
const PROJECTS = 12;
/** Of these, projects whose issues wait for answers: more than 500 of a rule do not wait at a time. */
const WAITING = 4;
const CHILD = join(import.meta.dirname, "deliver-until-killed.ts");

/** Numbers from 0 up to the bound, the same for the same seed. */
function createRandom(seed: number): (bound: number) => number {
  let state = seed;
  return (bound) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return (state >>> 8) % bound;
  };
}

/** A moment after one of the first messages has begun to leave, however quick the machine is; the first batch is there by then. */
async function killWhileSending(child: ChildProcessByStdio<null, Readable, null>, random: (bound: number) => number) {
  const wanted = random(5);
  let sending = 0;
  // Nothing may be due: the receivers have had their message of this minute.
  const signal = AbortSignal.timeout(3_000);
  const lines = on(child.stdout.setEncoding("utf8"), "data", { signal });
  try {
    for await (const [chunk] of lines) {
      sending += String(chunk).split("sending").length - 1;
      if (sending >= wanted) break;
    }
  } catch (error) {
    if (!signal.aborted) throw error;
  }
  await sleep(random(25));
  child.kill("SIGKILL");
}

/** How many new issues a mail tells of. */
function countOf(subject: string): number {
  const many = /^\[[\w-]+\] ([\d,]+) new issues$/.exec(subject)?.[1];
  if (many !== undefined) return Number(many.replaceAll(",", ""));
  if (!/^\[[\w-]+\] New issue: /.test(subject)) throw new Error(`unexpected subject: ${subject}`);
  return 1;
}

test(`after ${KILLS} kills in the delivery, every issue and every step was told, and nothing twice under another key`, {
  timeout: Math.max(300_000, KILLS * 6_000),
}, async () => {
  const random = createRandom(Number(process.env.CRASH_SEED ?? 7));
  let areReceiversWell = false;
  const isBroken = () => !areReceiversWell && random(6) === 0;
  await using mail = await startMailServer({
    refuse: () => (isBroken() ? { code: 451, message: "try again later" } : null),
  });
  /** A webhook, and what it was told by the key of each message. */
  const startReceiver = async () => {
    const told = new Map<string, { named: string[]; count: number; times: number }>();
    const receiver = await startWebhookReceiver({
      answer: ({ headers, body }, res) => {
        if (isBroken()) return void res.writeHead(500).end("down");
        const key = String(headers["webhook-id"]);
        const { issues, more } = JSON.parse(body).data;
        const named: string[] = issues.map(({ shortId }: { shortId: string }) => shortId);
        const count = named.length + more.new + (more.escalated ?? 0);
        told.set(key, { named, count, times: (told.get(key)?.times ?? 0) + 1 });
        // Between what it has done and what the other side knows of it is where a kill hurts.
        setTimeout(() => res.end("ok"), random(15));
      },
    });
    return { told, url: receiver.url, [Symbol.asyncDispose]: () => receiver[Symbol.asyncDispose]() };
  };
  await using receiver = await startReceiver();
  await using second = await startReceiver();
  await using third = await startReceiver();
  await using database = await createSqliteStateDatabase();
  const state = await database.connect();
  await state.people.setUp({
    organization: { slug: "o", name: "O" },
    owner: { email: "ada@example.com", name: "Ada", passwordHash: "x" },
    project: null,
    at: NOON,
  });
  for (let index = 1; index < PROJECTS; index++) await createProject(state, `shop-${index}`);
  const addHook = async (name: string, url: string): Promise<number> => {
    const hook = await state.channels.createChannel(EVERYTHING, {
      kind: "webhook",
      name,
      settings: {},
      secrets: { url, secret: "whsec_c2VjcmV0" },
      projectIds: null,
      at: NOON,
    });
    if (!hook.ok) throw new Error(hook.reason);
    return hook.channel.id;
  };
  const hookId = await addHook("Hook", receiver.url);
  // Two rules tell the same: together they are one piece of news.
  for (const { id } of await state.alerts.listRules(EVERYTHING, NOON)) await state.alerts.deleteRule(EVERYTHING, id);
  for (const name of ["One", "Other"]) {
    const draft = {
      ...draftFirstRule({ id: 0, slug: "" }),
      name,
      projectIds: null,
      actions: [{ kind: "recipients" }],
    } as const;
    await state.alerts.createRule(EVERYTHING, draft, NOON);
  }
  const projects = await state.projects.listProjects(EVERYTHING);
  // Answers never come.
  const steps = [second, third].map(async ({ url }, index) => ({
    afterMinutes: 1 + index,
    actions: [{ kind: "channel", id: await addHook(`Step ${index}`, url) } as const],
  }));
  await state.alerts.createRule(
    EVERYTHING,
    {
      ...draftFirstRule({ id: 0, slug: "" }),
      name: "Steps",
      projectIds: projects
        .slice(0, WAITING)
        .map(({ id }) => id)
        .sort((one, other) => one - other),
      actions: [{ kind: "recipients" }],
      steps: await Promise.all(steps),
    },
    NOON,
  );
  for (const { id } of projects) {
    await state.notifications.saveNotificationSettings(EVERYTHING, id, {
      emails: null,
      channelIds: [hookId],
    });
  }

  const startedAt = String(Date.now());
  for (let kill = 0; kill < KILLS; kill++) {
    const args = [CHILD, database.path, mail.url, startedAt];
    const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"] });
    const closed = once(child, "close");
    await killWhileSending(child, random);
    const [, signal] = await closed;
    expect(signal).toBe("SIGKILL");
  }
  areReceiversWell = true;
  const drain = spawn(process.execPath, [CHILD, database.path, mail.url, startedAt, "drain"], {
    stdio: ["ignore", "ignore", "inherit"],
  });
  expect((await once(drain, "close"))[0]).toBe(0);

  const issues = await state.batches.appliedSequence(JOURNAL);
  expect(issues).toBeGreaterThan(KILLS);
  expect(await state.outbox.countOutbox()).toEqual({ entries: 0, lost: 0 });
  expect(await state.deliveries.countDeliveries()).toEqual({ waiting: 0, failing: 0, dead: 0 });

  /** Each issue once; a message comes again under its key, of those that were on their way at a kill: four at most. Gives how many did. */
  const expectEachOnce = ({ told }: { told: typeof receiver.told }, expected: number): number => {
    const hooks = [...told.values()];
    expect(hooks.reduce((sum, { count }) => sum + count, 0)).toBe(expected);
    const named = hooks.flatMap((hook) => hook.named);
    expect(new Set(named).size).toBe(named.length);
    const repeats = hooks.reduce((sum, { times }) => sum + times - 1, 0);
    expect(repeats).toBeLessThanOrEqual(KILLS * 4);
    return repeats;
  };
  const hookRepeats = expectEachOnce(receiver, issues);
  const waited = Array.from({ length: issues }, (_, sequence) => sequence % projects.length).filter(
    (index) => index < WAITING,
  ).length;
  const stepRepeats = expectEachOnce(second, waited) + expectEachOnce(third, waited);

  const mails = new Map(
    mail.received.map((received) => [headerOf(received, "message-id"), headerOf(received, "subject")]),
  );
  expect([...mails.values()].reduce((sum, subject) => sum + countOf(subject), 0)).toBe(issues);
  expect(mail.received.length - mails.size).toBeLessThanOrEqual(KILLS * 4);
  console.info(
    `${issues} issues, ${KILLS} kills: ${receiver.told.size} webhooks (${hookRepeats} came again), two steps of ${waited} (${stepRepeats} came again), ${mails.size} mails (${mail.received.length - mails.size} came again)`,
  );
});
