import { describe, expect, test } from "vitest";
import { DEFAULT_NOTIFICATION_SETTINGS } from "../../../domain/notification.ts";
import { MINUTE_MS } from "../../../domain/time.ts";
import type { NewChannel } from "../channel-store.ts";
import type { DeliveryTarget } from "../delivery-store.ts";
import type { State } from "../state.ts";
import {
  apply,
  type CreateStateDatabase,
  createProject,
  EVERYTHING,
  NOON,
  occurrence,
  openStore,
  scopeOf,
} from "./fixture.ts";

const SLACK: NewChannel = {
  kind: "slack",
  name: "Shop on call",
  settings: {},
  secrets: { url: "https://hooks.slack.com/services/T0/B0/secret" },
  projectIds: null,
  at: NOON,
};

async function make(store: State, change: Partial<NewChannel> = {}) {
  const made = await store.channels.createChannel(EVERYTHING, { ...SLACK, ...change });
  if (!made.ok) throw new Error(made.reason);
  return made.channel;
}

/** A message that waits for the channel. */
async function enqueue(store: State, target: DeliveryTarget, position: number): Promise<void> {
  await store.outbox.addReader("reader");
  const item = { transition: "new" as const, issueId: 1, eventId: "e".repeat(32), at: NOON, release: null };
  const news = [{ target, items: [item] }];
  await store.deliveries.enqueue({ reader: "reader", position, news, now: NOON, createKey: () => `key-${position}` });
}

export function describeChannels(createDatabase: CreateStateDatabase): void {
  test("a channel is kept with its secrets, is listed by name, changed and deleted", async () => {
    await using store = await openStore(createDatabase);
    const shop = await createProject(store, "shop");
    const made = await make(store);
    expect(made).toMatchObject({ kind: "slack", name: "Shop on call", projectIds: null, createdAt: NOON });
    const { id: channelId } = made;
    await make(store, { name: "a mail", kind: "email", settings: { address: "ops@example.com" }, secrets: {} });
    expect((await store.channels.listChannels(EVERYTHING)).map(({ name }) => name)).toEqual(["a mail", "Shop on call"]);
    const change = { channelId, name: "Shop", projectIds: [shop], secrets: { url: "https://x.example/" }, at: NOON };
    expect(await store.channels.changeChannel(EVERYTHING, change)).toMatchObject({ ok: true });
    expect(await store.channels.getChannel(EVERYTHING, channelId)).toMatchObject({
      name: "Shop",
      settings: {},
      secrets: { url: "https://x.example/" },
      projectIds: [shop],
    });
    expect(await store.channels.deleteChannel(EVERYTHING, channelId)).toBe(true);
    expect(await store.channels.deleteChannel(EVERYTHING, channelId)).toBe(false);
    expect(await store.channels.getChannel(EVERYTHING, channelId)).toBeNull();
  });

  test("a name belongs to one channel, in whatever case", async () => {
    await using store = await openStore(createDatabase);
    const first = await make(store);
    const second = await make(store, { name: "Other" });
    const taken = { ok: false, reason: "name-taken" };
    expect(await store.channels.createChannel(EVERYTHING, { ...SLACK, name: "SHOP ON CALL" })).toEqual(taken);
    const rename = { channelId: second.id, name: "shop on call", at: NOON };
    expect(await store.channels.changeChannel(EVERYTHING, rename)).toEqual(taken);
    expect(
      await store.channels.changeChannel(EVERYTHING, { channelId: first.id, name: "shop on call", at: NOON }),
    ).toMatchObject({ ok: true });
  });

  test("a scope has the channels of all projects, and those of its own", async () => {
    await using store = await openStore(createDatabase);
    const [shop, web] = [await createProject(store, "shop"), await createProject(store, "web")];
    const all = await make(store, { name: "all" });
    const ofWeb = await make(store, { name: "web", projectIds: [web] });
    const scope = scopeOf(shop);
    expect((await store.channels.listChannels(scope)).map(({ name }) => name)).toEqual(["all"]);
    expect(await store.channels.getChannel(scope, all.id)).not.toBeNull();
    expect(await store.channels.getChannel(scope, ofWeb.id)).toBeNull();
    expect(await store.channels.changeChannel(scope, { channelId: ofWeb.id, name: "mine", at: NOON })).toEqual({
      ok: false,
      reason: "gone",
    });
    expect(await store.channels.deleteChannel(scope, ofWeb.id)).toBe(false);
  });

  test("a project chooses among the channels that serve it, and loses those that do not any more", async () => {
    await using store = await openStore(createDatabase);
    const [shop, web] = [await createProject(store, "shop"), await createProject(store, "web")];
    const all = await make(store, { name: "all" });
    const ofWeb = await make(store, { name: "web", projectIds: [web] });
    const choose = (projectId: number, channelIds: number[]) =>
      store.notifications.saveNotificationSettings(EVERYTHING, projectId, {
        ...DEFAULT_NOTIFICATION_SETTINGS,
        channelIds,
      });
    const chosen = async (projectId: number) =>
      (await store.notifications.getNotificationSettings(EVERYTHING, projectId)).channelIds;
    await choose(shop, [all.id, ofWeb.id, 99]);
    await choose(web, [all.id, ofWeb.id]);
    expect([await chosen(shop), await chosen(web)]).toEqual([[all.id], [all.id, ofWeb.id]]);
    await store.channels.changeChannel(EVERYTHING, { channelId: all.id, projectIds: [shop], at: NOON });
    expect([await chosen(shop), await chosen(web)]).toEqual([[all.id], [ofWeb.id]]);
    await store.channels.deleteChannel(EVERYTHING, all.id);
    expect(await chosen(shop)).toEqual([]);
  });

  test("what waits for a channel is due at once when it changes, and goes with it or with its project", async () => {
    await using store = await openStore(createDatabase);
    const [shop, web] = [await createProject(store, "shop"), await createProject(store, "web")];
    const { id } = await make(store);
    const target = { projectId: shop, channel: "channel" as const, address: String(id) };
    await enqueue(store, target, 1);
    const retryAt = () => NOON + 60 * MINUTE_MS;
    const delivery = await store.deliveries.claim({ now: NOON, retryAt });
    if (!delivery) throw new Error("nothing is due");
    await store.deliveries.fail(delivery, { at: NOON, failure: "404 gone", retryAt: retryAt(), nextMessageAt: NOON });
    const scopedTo = async (projectId: number) => (await store.channels.listChannels(scopeOf(projectId)))[0];
    expect(await scopedTo(shop)).toMatchObject({ waiting: 1, lastFailure: "404 gone", nextAttemptAt: retryAt() });
    expect(await scopedTo(web)).toMatchObject({ waiting: 0, lastFailure: null });
    await store.channels.changeChannel(EVERYTHING, { channelId: id, secrets: { url: "https://y.example/" }, at: NOON });
    expect(await store.deliveries.claim({ now: NOON, retryAt })).toMatchObject({ target });
    await enqueue(store, { ...target, projectId: web }, 2);
    await store.channels.changeChannel(EVERYTHING, { channelId: id, projectIds: [web], at: NOON });
    expect(await store.deliveries.countDeliveries()).toEqual({ waiting: 1, failing: 0, dead: 0 });
    await store.channels.deleteChannel(EVERYTHING, id);
    expect(await store.deliveries.countDeliveries()).toEqual({ waiting: 0, failing: 0, dead: 0 });
  });

  test("a test of the channel by itself is seen with it", async () => {
    await using store = await openStore(createDatabase);
    const { id } = await make(store);
    const target = { projectId: 0, channel: "channel" as const, address: String(id) };
    await store.deliveries.noteTest(scopeOf(1), target, { at: NOON, isOk: true, answer: "200 ok" });
    expect((await store.channels.listChannels(scopeOf(1)))[0]).toMatchObject({
      lastDeliveredAt: NOON,
      lastAnswer: "200 ok",
      waiting: 0,
    });
  });

  describe("messages that channels have", () => {
    async function open() {
      const store = await openStore(createDatabase);
      const [first, second] = await apply(store, [occurrence(0, "a"), occurrence(1, "b")]);
      const { id: channelId } = await make(store);
      const items = [first, second].map((assignment) => ({
        transition: "new" as const,
        issueId: assignment?.issueId ?? 0,
        eventId: "e".repeat(32),
        at: NOON,
        release: null,
      }));
      const message = {
        channelId,
        place: "#payments",
        projectId: 1,
        ref: "C1 1.2",
        key: "k1",
        items,
        more: { new: 0, regressed: 0 },
        sentAt: NOON,
      };
      await store.channelMessages.remember(message);
      const change = (issueId: number, status: "resolved" | "unresolved", at = NOON + 1) =>
        store.issues.changeIssueStatus(EVERYTHING, { issueIds: [issueId], status, userId: null, at });
      const claim = (now = NOON + 10) => store.channelMessages.claimFollowUp({ now, retryAt: () => now + MINUTE_MS });
      return { store, channelId, message, change, claim, issueIds: items.map(({ issueId }) => issueId) };
    }

    test("are due when one of their issues changes, with what has changed, once", async () => {
      const { store, change, claim, message, issueIds } = await open();
      await using _ = store;
      const [first = 0, second = 0] = issueIds;
      expect(await claim()).toBeNull();
      await change(first, "resolved");
      const underWay = { now: NOON + 10, retryAt: () => NOON + MINUTE_MS, butNotOf: [message.channelId] };
      expect(await store.channelMessages.claimFollowUp(underWay)).toBeNull();
      const due = await claim();
      if (!due) throw new Error("nothing is due");
      const resolved = { issueId: first, kind: "resolved", by: null, assignee: null };
      expect(due).toMatchObject({ message, changes: [resolved], untold: [resolved], attempts: 1 });
      // It is claimed, and changes again while it is told.
      expect(await claim()).toBeNull();
      await change(second, "resolved", NOON + 5);
      await store.channelMessages.finish(due);
      const again = await claim();
      if (!again) throw new Error("the second change is due");
      expect(again.changes).toHaveLength(2);
      expect(again.untold).toMatchObject([{ issueId: second, kind: "resolved" }]);
      await store.channelMessages.finish(again);
      expect(await claim(NOON + 60 * MINUTE_MS)).toBeNull();
    });

    test("stay due after a failure, until they are given up; the next change is told again", async () => {
      const { store, change, claim, issueIds } = await open();
      await using _ = store;
      const [first = 0] = issueIds;
      await change(first, "resolved");
      const due = await claim();
      if (!due) throw new Error("nothing is due");
      await store.channelMessages.fail(due, { retryAt: NOON + MINUTE_MS });
      expect(await claim(NOON + MINUTE_MS - 1)).toBeNull();
      const second = await claim(NOON + MINUTE_MS);
      expect(second).toMatchObject({ attempts: 2 });
      if (second) await store.channelMessages.fail(second, { retryAt: null });
      expect(await claim(NOON + 60 * MINUTE_MS)).toBeNull();
      await change(first, "unresolved", NOON + 2);
      expect((await claim())?.untold.map(({ kind }) => kind)).toEqual(["resolved", "reopened"]);
    });

    test("are due at once when the clock is set back", async () => {
      const { store, change, claim, issueIds } = await open();
      await using _ = store;
      const ahead = NOON + 24 * 60 * MINUTE_MS;
      await change(issueIds[0] ?? 0, "resolved", ahead);
      const due = await claim(NOON - MINUTE_MS);
      if (!due) throw new Error("nothing is due");
      await store.channelMessages.fail(due, { retryAt: ahead });
      await change(issueIds[1] ?? 0, "resolved", NOON - MINUTE_MS);
      expect((await claim(NOON - MINUTE_MS))?.untold).toHaveLength(2);
    });

    test("are remembered once for each delivery, and go with their channel", async () => {
      const { store, change, claim, channelId, message, issueIds } = await open();
      await using _ = store;
      expect(await store.channelMessages.isRemembered(channelId, "k1")).toBe(true);
      expect(await store.channelMessages.isRemembered(channelId, "k2")).toBe(false);
      await store.channelMessages.remember({ ...message, ref: "C1 9.9" });
      await change(issueIds[0] ?? 0, "resolved");
      expect((await claim())?.message.ref).toBe("C1 1.2");
      await store.channels.deleteChannel(EVERYTHING, channelId);
      await change(issueIds[1] ?? 0, "resolved");
      expect(await claim(NOON + 60 * MINUTE_MS)).toBeNull();
      // The channel is gone: there is nothing to remember.
      await store.channelMessages.remember({ ...message, key: "k3" });
      expect(await store.channelMessages.isRemembered(channelId, "k3")).toBe(false);
    });
  });
}
