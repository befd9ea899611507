import { expect, test } from "vitest";
import { headerOf, partsOf, startMailServer } from "../../tests/support/mail-server.ts";
import { DEFAULT_REACH } from "../domain/push/push-subscription.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../domain/time.ts";
import type { Log } from "../log.server.ts";
import { createSendMessage } from "../notifications/send-message.server.ts";
import { createSendMail } from "../notifications/send-note.server.ts";
import type { EventGroupSum } from "../stores/events/error-events.ts";
import { createSqliteStateDatabase } from "../stores/sqlite/sqlite-state-database.ts";
import { apply, EVERYTHING, occurrence } from "../stores/state/contract/fixture.ts";
import { createDeliverJob } from "./deliver.ts";
import { createReportNoiseJob } from "./report-noise.ts";

const { signal } = new AbortController();
const WINDOW_MS = 10 * MINUTE_MS;
/** In Berlin it is one hour later. */
const MONDAY_AT_EIGHT = Date.UTC(2026, 10, 23, 8);

/** A rule with one number, an owner and a member, and nobody told of anything. */
async function open() {
  const mail = await startMailServer();
  const database = await createSqliteStateDatabase();
  let now = MONDAY_AT_EIGHT - 8 * DAY_MS;
  let keys = 0;
  const state = await database.connect({ now: () => now });
  const set = await state.people.setUp({
    organization: { slug: "o", name: "O" },
    owner: { email: "ada@example.com", name: "Ada", passwordHash: "x" },
    project: { slug: "shop", name: "Shop", platform: "node" },
    at: now,
  });
  const projectId = set.ok && set.project ? set.project.id : 0;
  const account = { email: "grace@example.com", name: "Grace", passwordHash: "x", role: "member" } as const;
  await state.people.createMember({ ...account, teamIds: [], projectIds: [projectId], at: now });
  const owner = (await state.people.getOwner())?.id ?? 0;
  const issues = await apply(
    state,
    Array.from({ length: 8 }, (_, index) => occurrence(index, `e${index}`, { projectId, at: now })),
  );
  const draft = {
    name: "Many <users>",
    projectIds: [projectId],
    triggers: [{ kind: "users", count: 20, minutes: 10 }],
    match: "all",
    conditions: [],
    actions: [{ kind: "members" }],
    steps: [],
    frequencyMinutes: 0,
    isEnabled: true,
  } as const;
  const made = await state.alerts.createRule(EVERYTHING, draft, now);
  if (!made.ok) throw new Error(made.reason);
  const ids = { owner, projectId, ruleId: made.rule.id, issueIds: issues.map(({ issueId }) => issueId ?? 0) };
  const createKey = () => (++keys).toString(16).padStart(32, "0");
  /** What the event store counts: windows of issues, by the end of each. */
  const windows: Array<{ issueId: number; at: number; users: number }> = [];
  const sumEvents = async ({ from, to }: { from: number | null; to: number | null }): Promise<EventGroupSum[]> =>
    windows
      .filter(({ at }) => at >= (from ?? 0) && at < (to ?? at))
      .map(({ issueId, at, users }) => ({
        group: [String(issueId)],
        at: (from ?? 0) + Math.floor((at - (from ?? 0)) / WINDOW_MS) * WINDOW_MS,
        events: users,
        users,
        issues: 1,
        firstAt: at,
        lastAt: at,
      }));
  const parts = { state, events: { sumEvents }, isMailSetUp: true, now: () => now, createKey };
  const config = { url: mail.url, from: "errors@example.com" };
  const deliver = createDeliverJob({
    state,
    createKey,
    send: createSendMessage({ mail: config, allowsPrivate: true, now: () => now }),
    sendMail: createSendMail(config),
    sendPush: () => Promise.reject(new Error("nobody has a browser")),
    findBaseUrl: async () => "https://errors.example.com",
    now: () => now,
    log: { warn() {} } as unknown as Log,
    onSent: () => {},
  });
  return {
    state,
    ids,
    mail,
    /** The rule fires for an issue that so many users have within ten minutes. */
    async fire(index: number, at: number, users: number) {
      const issueId = ids.issueIds[index] ?? 0;
      windows.push({ issueId, at, users });
      const item = { transition: "reached", issueId, eventId: "", at, release: null } as const;
      const of = {
        ruleId: ids.ruleId,
        projectId,
        issueId,
        trigger: "users",
        at,
        value: users,
        isPeriod: false,
      } as const;
      await state.alertWork.fire({ reader: null, found: [{ ...of, targets: [], item }], now: at, createKey });
    },
    async runAt(at: number) {
      now = at;
      const did = await createReportNoiseJob(parts).run(signal);
      await deliver.run(signal);
      return did;
    },
    async [Symbol.asyncDispose]() {
      await database[Symbol.asyncDispose]();
      await mail[Symbol.asyncDispose]();
    },
  };
}

test("who may change a rule hears on Monday at eight what it did, with a better line, once", async () => {
  await using world = await open();
  const { state, ids, mail } = world;
  const quiet = { from: 0, to: 60, days: [7], timezone: "America/New_York", letsHighThrough: false } as const;
  await state.quietHours.saveQuietHours(ids.owner, quiet);
  // The zone of one's mails comes first.
  await state.push.saveReach(ids.owner, { ...DEFAULT_REACH, timezone: "Europe/Berlin" });
  // Somebody new hears nothing of the time before.
  expect(await world.runAt(MONDAY_AT_EIGHT - 6.9 * DAY_MS)).toBe("idle");
  for (let index = 0; index < 8; index++)
    await world.fire(index, MONDAY_AT_EIGHT - (6 - index * 0.7) * DAY_MS, index === 7 ? 90 : 20 + index);
  await state.issues.changeIssueStatus(EVERYTHING, {
    issueIds: [ids.issueIds[7] ?? 0],
    status: "resolved",
    userId: ids.owner,
    at: MONDAY_AT_EIGHT - DAY_MS,
  });
  expect(await world.runAt(MONDAY_AT_EIGHT - HOUR_MS - 1)).toBe("worked");
  expect(mail.received).toEqual([]);
  expect(await world.runAt(MONDAY_AT_EIGHT - HOUR_MS)).toBe("worked");
  expect(await world.runAt(MONDAY_AT_EIGHT)).toBe("idle");
  expect(mail.received.map(({ to }) => to)).toEqual([["ada@example.com"]]);
  const [letter] = mail.received;
  if (!letter) throw new Error("no mail came");
  expect(headerOf(letter, "subject")).toBe("1 alert rule fires often");
  const { "text/plain": plain = "", "text/html": html = "" } = partsOf(letter);
  const text = plain.replaceAll("\r\n", "\n");
  expect(text).toContain("the seven days before Monday, November 23 at 08:00 (Europe/Berlin)");
  expect(text).toContain("Many <users>\nFired 8 times, 0 messages. ");
  expect(text).toContain("after 1 of them");
  expect(text).toContain(
    "At 30 instead of 20 it would have fired 1 time instead of 8, and for each issue that somebody dealt with.",
  );
  expect(text).toContain(`Look at 30: https://errors.example.com/alerts/${ids.ruleId}?line=30`);
  expect(html).toContain("Many &lt;users&gt;");
});

test("a line that would have missed what somebody dealt with is not suggested", async () => {
  await using world = await open();
  const { state, ids } = world;
  for (let index = 0; index < 8; index++)
    await world.fire(index, MONDAY_AT_EIGHT - (index + 1) * 0.5 * DAY_MS, index === 7 ? 90 : 20 + index);
  await state.issues.changeIssueStatus(EVERYTHING, {
    issueIds: [ids.issueIds[2] ?? 0],
    status: "resolved",
    userId: ids.owner,
    at: MONDAY_AT_EIGHT - DAY_MS,
  });
  await world.runAt(MONDAY_AT_EIGHT);
  const week = { from: MONDAY_AT_EIGHT - 7 * DAY_MS, to: MONDAY_AT_EIGHT, now: MONDAY_AT_EIGHT, limit: 1 };
  expect(await state.alertNoiseWork.listNoisyRules(week)).toMatchObject([{ noise: { fired: 8 }, suggested: null }]);
});

test("nobody gets mail who wants none, for a quiet week, or for the past when a clock was ahead", async () => {
  await using world = await open();
  const { state, ids, mail } = world;
  await world.runAt(MONDAY_AT_EIGHT - 6.9 * DAY_MS);
  await world.fire(0, MONDAY_AT_EIGHT - DAY_MS, 20);
  await world.runAt(MONDAY_AT_EIGHT);
  expect(mail.received).toEqual([]);
  // A year ahead, and back: the next Monday is told.
  await world.runAt(MONDAY_AT_EIGHT + 365 * DAY_MS);
  await world.runAt(MONDAY_AT_EIGHT + DAY_MS);
  for (let index = 0; index < 8; index++) await world.fire(index, MONDAY_AT_EIGHT + (index * 0.5 + 1) * DAY_MS, 20);
  await world.runAt(MONDAY_AT_EIGHT + 7 * DAY_MS);
  expect(mail.received).toHaveLength(1);
  await state.alertNoise.setWantsReport(ids.owner, false, MONDAY_AT_EIGHT + 8 * DAY_MS);
  for (let index = 0; index < 8; index++) await world.fire(index, MONDAY_AT_EIGHT + (index * 0.5 + 8) * DAY_MS, 20);
  await world.runAt(MONDAY_AT_EIGHT + 14 * DAY_MS);
  expect(mail.received).toHaveLength(1);
  // Who has chosen no mail of what rules tell gets no report, either.
  await state.alertNoise.setWantsReport(ids.owner, true, MONDAY_AT_EIGHT + 15 * DAY_MS);
  const reach = { ...DEFAULT_REACH, rules: { mail: false, browsers: true } };
  await state.push.saveReach(ids.owner, reach);
  for (let index = 0; index < 8; index++) await world.fire(index, MONDAY_AT_EIGHT + (index * 0.5 + 15) * DAY_MS, 20);
  await world.runAt(MONDAY_AT_EIGHT + 21 * DAY_MS);
  expect(mail.received).toHaveLength(1);
});
