import { expect, test } from "vitest";
import type { QuietHours } from "../../../domain/people/quiet-hours.ts";
import { HOUR_MS, MINUTE_MS } from "../../../domain/time.ts";
import type { DeliveryTarget, NewsItem } from "../delivery-store.ts";
import type { State } from "../state.ts";
import { apply, type CreateStateDatabase, createProject, EVERYTHING, NOON, occurrence, scopeOf } from "./fixture.ts";

/** In UTC: from noon to two. */
const HOURS: QuietHours = {
  from: 12 * 60,
  to: 14 * 60,
  days: [1, 2, 3, 4, 5],
  timezone: "UTC",
  letsHighThrough: false,
};
const END = NOON + 2 * HOUR_MS;

export function describeQuietHours(createDatabase: CreateStateDatabase): void {
  async function open() {
    const database = await createDatabase();
    const store = await database.connect();
    await createProject(store, "shop");
    const account = { passwordHash: "-", role: "manager", teamIds: [], projectIds: [], at: NOON } as const;
    const mia = await store.people.createMember({ ...account, email: "Mia@shop.example", name: "Mia" });
    await store.outbox.addReader("reader");
    let keys = 0;
    let position = 0;
    return {
      store,
      mia,
      toMia: { projectId: 1, channel: "person", address: String(mia) } satisfies DeliveryTarget,
      connect: database.connect,
      enqueue: (target: DeliveryTarget, ...items: NewsItem[]) =>
        store.deliveries.enqueue({
          reader: "reader",
          position: ++position,
          news: [{ target, items }],
          now: NOON,
          createKey: () => `key-${++keys}`,
        }),
      [Symbol.asyncDispose]: () => database[Symbol.asyncDispose](),
    };
  }
  const item = (issueId: number): NewsItem => ({
    transition: "new",
    issueId,
    eventId: "e".repeat(32),
    at: NOON,
    release: null,
  });
  const claim = ({ deliveries }: State, now: number) => deliveries.claim({ now, retryAt: () => now + MINUTE_MS });
  const idsOf = (delivery: Awaited<ReturnType<typeof claim>>) => delivery?.items.map(({ issueId }) => issueId) ?? null;

  test("a person has none until there are some, and they can be changed and taken away", async () => {
    await using world = await open();
    const { quietHours } = world.store;
    expect(await quietHours.getQuietHours(world.mia)).toBeNull();
    await quietHours.saveQuietHours(world.mia, HOURS);
    const other = { ...HOURS, days: [6, 7], timezone: "Europe/Berlin", letsHighThrough: true };
    await quietHours.saveQuietHours(world.mia, other);
    expect(await quietHours.getQuietHours(world.mia)).toEqual(other);
    await quietHours.saveQuietHours(world.mia, null);
    expect(await quietHours.getQuietHours(world.mia)).toBeNull();
  });

  test("what is told in them waits for their end as one message, by another process too", async () => {
    await using world = await open();
    await world.store.quietHours.saveQuietHours(world.mia, HOURS);
    await world.enqueue(world.toMia, item(1));
    expect(await claim(world.store, NOON)).toBeNull();
    await world.enqueue(world.toMia, item(2));
    expect(await claim(world.store, END - 1)).toBeNull();
    const held = [{ projectId: 1, changeCount: 2, since: NOON }];
    expect(await world.store.quietHours.listHeld(EVERYTHING, world.mia, END - 1)).toEqual(held);
    expect(await world.store.quietHours.listHeld(scopeOf(2), world.mia, END - 1)).toEqual([]);
    expect(await world.store.quietHours.listHeld(EVERYTHING, world.mia, END)).toEqual([]);
    const next = await world.connect();
    expect(idsOf(await claim(next, END))).toEqual([1, 2]);
    expect(await claim(next, END)).toBeNull();
  });

  test("others are told meanwhile; the person's own address of a project waits, too", async () => {
    await using world = await open();
    await world.store.quietHours.saveQuietHours(world.mia, HOURS);
    await world.enqueue({ projectId: 1, channel: "email", address: "mia@shop.example" }, item(1));
    await world.enqueue({ projectId: 1, channel: "person", address: String(world.mia + 1) }, item(2));
    await world.enqueue({ projectId: 1, channel: "email", address: "team@shop.example" }, item(3));
    await world.enqueue({ projectId: 1, channel: "channel", address: String(world.mia) }, item(4));
    expect(idsOf(await claim(world.store, NOON))).toEqual([2]);
    expect(idsOf(await claim(world.store, NOON))).toEqual([3]);
    expect(idsOf(await claim(world.store, NOON))).toEqual([4]);
    expect(await claim(world.store, NOON)).toBeNull();
    expect(idsOf(await claim(world.store, END))).toEqual([1]);
  });

  test("a message that failed before is tried again after them", async () => {
    await using world = await open();
    await world.store.quietHours.saveQuietHours(world.mia, HOURS);
    await world.enqueue(world.toMia, item(1));
    const morning = NOON + 21 * HOUR_MS;
    const tried = await claim(world.store, morning);
    if (tried === null) throw new Error("nothing is due");
    const retryAt = NOON + 24 * HOUR_MS;
    await world.store.deliveries.fail(tried, { at: morning, failure: "451", retryAt, nextMessageAt: morning });
    expect(await claim(world.store, retryAt)).toBeNull();
    expect(await claim(world.store, END + 24 * HOUR_MS)).toMatchObject({ key: tried.key, attempts: 2 });
  });

  test("without quiet hours, or with another clock, what waits is due", async () => {
    await using world = await open();
    await world.store.quietHours.saveQuietHours(world.mia, HOURS);
    await world.enqueue(world.toMia, item(1));
    // The clock was a year ahead for a moment: nothing of that is kept.
    expect(await claim(world.store, NOON + 365 * 24 * HOUR_MS)).toBeNull();
    expect(await claim(world.store, NOON)).toBeNull();
    await world.store.quietHours.saveQuietHours(world.mia, null);
    expect(idsOf(await claim(world.store, NOON))).toEqual([1]);
  });

  test("an issue of high priority comes through where the person says so, with what waits", async () => {
    await using world = await open();
    await apply(world.store, [occurrence(0, "a"), occurrence(1, "b", { level: "fatal" })]);
    await world.store.quietHours.saveQuietHours(world.mia, HOURS);
    await world.enqueue(world.toMia, item(1));
    await world.enqueue(world.toMia, item(2));
    expect(await claim(world.store, NOON)).toBeNull();
    await world.store.quietHours.saveQuietHours(world.mia, { ...HOURS, letsHighThrough: true });
    expect(await world.store.quietHours.listHeld(EVERYTHING, world.mia, NOON)).toEqual([]);
    const message = await claim(world.store, NOON);
    expect(idsOf(message)).toEqual([1, 2]);
    if (message) await world.store.deliveries.confirm(message, { at: NOON, answer: "250", nextMessageAt: NOON });
    await world.enqueue(world.toMia, item(1));
    expect(await claim(world.store, NOON)).toBeNull();
    expect(idsOf(await claim(world.store, END))).toEqual([1]);
  });
}
