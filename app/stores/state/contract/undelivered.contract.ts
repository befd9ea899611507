import { expect, test } from "vitest";
import { MINUTE_MS } from "../../../domain/time.ts";
import type { DeliveryTarget, NewsItem } from "../delivery-store.ts";
import type { State } from "../state.ts";
import { FAILING_ATTEMPTS } from "../undelivered-store.ts";
import { type CreateStateDatabase, createProject, EVERYTHING, NOON, openStore } from "./fixture.ts";

const ADA: DeliveryTarget = { projectId: 1, channel: "email", address: "ada@example.com" };
const BOB: DeliveryTarget = { projectId: 1, channel: "email", address: "bob@example.com" };
const WITH_PEOPLE = { withPeople: true };

const item = (issueId: number, transition: NewsItem["transition"] = "new"): NewsItem => ({
  transition,
  issueId,
  eventId: "e".repeat(32),
  at: NOON,
  release: null,
});

export function describeUndelivered(createDatabase: CreateStateDatabase): void {
  async function open() {
    const store = await openStore(createDatabase);
    await createProject(store, "shop");
    await store.outbox.addReader("reader");
    return store;
  }
  let position = 0;
  let keys = 0;
  const createKey = () => `key-${++keys}`;
  const enqueue = (store: State, target: DeliveryTarget, ...items: NewsItem[]) =>
    store.deliveries.enqueue({
      reader: "reader",
      position: ++position,
      news: [{ target, items }],
      now: NOON,
      createKey,
    });
  const addChannel = async (store: State, name: string, projectIds: readonly number[] | null = null) => {
    const made = await store.channels.createChannel(EVERYTHING, {
      kind: "ntfy",
      name,
      settings: {},
      secrets: {},
      projectIds,
      at: NOON,
    });
    if (!made.ok) throw new Error(made.reason);
    return made.channel.id;
  };
  /** Tries what is due first. `retryAt` null: it is given up. */
  async function fail(store: State, failure: string, retryAt: number | null = null, now = NOON) {
    const delivery = await store.deliveries.claim({ now, retryAt: () => now + MINUTE_MS });
    if (delivery === null) throw new Error("no delivery is due");
    const isForwarded = retryAt === null || delivery.attempts >= FAILING_ATTEMPTS;
    const forwardKey = isForwarded ? createKey : undefined;
    await store.deliveries.fail(delivery, { at: now, failure, retryAt, nextMessageAt: now, forwardKey });
    return delivery;
  }
  const claim = (store: State) => store.deliveries.claim({ now: NOON, retryAt: () => NOON + MINUTE_MS });

  test("what was given up is listed with its receiver's name, sent again, dropped and brought back", async () => {
    await using store = await open();
    await enqueue(store, ADA, item(1));
    const { id } = await fail(store, "550 no such user");
    const [letter] = await store.undelivered.list(EVERYTHING, WITH_PEOPLE);
    expect(letter).toMatchObject({ id, name: ADA.address, failure: "550 no such user", diedAt: NOON, attempts: 1 });
    expect(await store.undelivered.drop(EVERYTHING, { ...WITH_PEOPLE, now: NOON })).toEqual([id]);
    expect(await store.undelivered.count(EVERYTHING, WITH_PEOPLE)).toEqual({ failing: 0, dead: 0 });
    expect(await store.undelivered.retry(EVERYTHING, { ...WITH_PEOPLE, now: NOON })).toBe(0);
    expect(await store.undelivered.restore(EVERYTHING, { ...WITH_PEOPLE, ids: [id] })).toBe(1);
    expect(await store.undelivered.retry(EVERYTHING, { ...WITH_PEOPLE, now: NOON })).toBe(1);
    expect(await claim(store)).toMatchObject({ id, attempts: 1 });
  });

  test("a dropped message can be brought back for an hour", async () => {
    await using store = await open();
    await enqueue(store, ADA, item(1));
    const { id } = await fail(store, "550");
    await store.undelivered.drop(EVERYTHING, { ...WITH_PEOPLE, now: NOON });
    await store.undelivered.drop(EVERYTHING, { ...WITH_PEOPLE, now: NOON + 61 * MINUTE_MS });
    expect(await store.undelivered.restore(EVERYTHING, { ...WITH_PEOPLE, ids: [id] })).toBe(0);
  });

  test("a message that is still tried counts after three failures; mails to persons are left out where asked", async () => {
    await using store = await open();
    await enqueue(store, { ...ADA, channel: "person", address: "1" }, item(1, "assigned"));
    for (let attempt = 1; attempt <= FAILING_ATTEMPTS; attempt++) {
      expect(await store.undelivered.count(EVERYTHING, WITH_PEOPLE)).toEqual({ failing: 0, dead: 0 });
      await fail(store, "421", NOON);
    }
    expect(await store.undelivered.count(EVERYTHING, WITH_PEOPLE)).toEqual({ failing: 1, dead: 0 });
    expect(await store.deliveries.countDeliveries()).toEqual({ waiting: 1, failing: 1, dead: 0 });
    expect(await store.undelivered.list(EVERYTHING, { withPeople: false })).toEqual([]);
  });

  test("the fallback channel serves all projects, and is one", async () => {
    await using store = await open();
    const narrow = await addChannel(store, "Narrow", [1]);
    const wide = await addChannel(store, "Wide");
    expect(await store.undelivered.setFallback(EVERYTHING, narrow)).toBe(false);
    expect(await store.undelivered.setFallback(EVERYTHING, wide)).toBe(true);
    expect(await store.undelivered.getFallback()).toEqual({ id: wide, name: "Wide" });
    const other = await addChannel(store, "Other");
    expect(await store.undelivered.setFallback(EVERYTHING, other)).toBe(true);
    expect(await store.undelivered.getFallback()).toEqual({ id: other, name: "Other" });
    await store.channels.changeChannel(EVERYTHING, { channelId: other, projectIds: [1], at: NOON });
    expect(await store.undelivered.getFallback()).toBeNull();
  });

  test("the fallback channel is told once what several targets cannot be told, and what comes for them meanwhile", async () => {
    await using store = await open();
    const fallback = await addChannel(store, "Phone");
    await store.undelivered.setFallback(EVERYTHING, fallback);
    for (const target of [ADA, BOB]) await enqueue(store, target, item(1), item(2, "mentioned"));
    for (let attempt = 1; attempt <= FAILING_ATTEMPTS; attempt++)
      for (const _ of [ADA, BOB])
        await fail(store, "451 mail is down", NOON + attempt * MINUTE_MS, NOON + (attempt - 1) * MINUTE_MS);
    // Both fail on: what comes now is told at once, and what the fallback channel has heard is not.
    await enqueue(store, ADA, item(1), item(3));
    const told = await store.deliveries.claim({ now: NOON + 2 * MINUTE_MS, retryAt: () => NOON + 9 * MINUTE_MS });
    expect(told?.target).toEqual({ projectId: 1, channel: "channel", address: String(fallback) });
    expect(told?.items.map(({ transition, issueId, insteadOf }) => [transition, issueId, insteadOf])).toEqual([
      ["undelivered", 0, ADA.address],
      ["new", 1, ADA.address],
      ["undelivered", 0, BOB.address],
      ["new", 3, ADA.address],
    ]);
    expect(told?.items[0]?.failure).toBe("451 mail is down");
  });

  test("what the fallback channel was told itself, and its own failures, are not told to it", async () => {
    await using store = await open();
    const fallback = await addChannel(store, "Phone");
    await store.undelivered.setFallback(EVERYTHING, fallback);
    await enqueue(store, { projectId: 1, channel: "channel", address: String(fallback) }, item(1));
    await fail(store, "404 gone");
    await enqueue(store, ADA, item(1));
    await fail(store, "550");
    expect((await claim(store))?.items.map(({ transition }) => transition)).toEqual(["undelivered"]);
  });
}
