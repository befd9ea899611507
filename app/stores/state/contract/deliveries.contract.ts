import { expect, test } from "vitest";
import { MAX_NAMED_ISSUES, type TargetKind } from "../../../domain/notification.ts";
import { MINUTE_MS } from "../../../domain/time.ts";
import { type DeliveryStore, type DeliveryTarget, MAX_DEAD_DELIVERIES, type NewsItem } from "../delivery-store.ts";
import { apply, type CreateStateDatabase, EVERYTHING, NOON, occurrence } from "./fixture.ts";

const READER = "reader";
const ADA: DeliveryTarget = { projectId: 1, channel: "email", address: "ada@example.com" };
const HOOK: DeliveryTarget = { projectId: 1, channel: "channel", address: "7" };
const retryAt = (attempts: number) => NOON + attempts * 10 * MINUTE_MS;

function item(issueId: number, transition: NewsItem["transition"] = "new"): NewsItem {
  return { transition, issueId, eventId: "e".repeat(32), at: NOON, release: null };
}

export function describeDeliveries(createDatabase: CreateStateDatabase): void {
  async function open() {
    const database = await createDatabase();
    const store = await database.connect();
    const { outbox, deliveries } = store;
    await outbox.addReader(READER);
    let position = 0;
    let keys = 0;
    return {
      store,
      outbox,
      deliveries,
      /** As if the next entries of the outbox had been read. */
      enqueue: async (target: DeliveryTarget, items: NewsItem[], now = NOON) => {
        const news = [{ target, items }];
        await deliveries.enqueue({ reader: READER, position: ++position, news, now, createKey: () => `key-${++keys}` });
      },
      [Symbol.asyncDispose]: () => database[Symbol.asyncDispose](),
    };
  }

  const claim = (deliveries: DeliveryStore, now = NOON) => deliveries.claim({ now, retryAt });
  async function mustClaim(deliveries: DeliveryStore, now = NOON) {
    const delivery = await claim(deliveries, now);
    if (delivery === null) throw new Error("no delivery is due");
    return delivery;
  }

  test("a message is made together with the step of the reader, once", async () => {
    await using queue = await open();
    await apply(queue.store, [occurrence(0, "a"), occurrence(1, "b")]);
    const entries = await queue.outbox.readOutbox(READER, 10);
    const position = entries.at(-1)?.position ?? 0;
    const request = { reader: READER, position, news: [{ target: ADA, items: [item(1), item(2)] }], now: NOON };
    await queue.deliveries.enqueue({ ...request, createKey: () => "one" });
    // The process died before it knew, and did it again.
    await queue.deliveries.enqueue({ ...request, createKey: () => "two" });
    expect(await queue.outbox.readOutbox(READER, 10)).toEqual([]);
    expect(await mustClaim(queue.deliveries)).toEqual({
      id: expect.any(Number),
      key: "one",
      target: ADA,
      items: [item(1), item(2)],
      more: { new: 0, regressed: 0 },
      attempts: 1,
      createdAt: NOON,
    });
    expect(await claim(queue.deliveries)).toBeNull();
  });

  test("a clock that is set back holds nothing back: neither what was never tried, nor the next message, nor the next try", async () => {
    await using queue = await open();
    const ahead = NOON + 24 * 60 * MINUTE_MS;
    await queue.enqueue(ADA, [item(1)], ahead);
    const first = await mustClaim(queue.deliveries, NOON);
    await queue.deliveries.confirm(first, { at: ahead, answer: "ok", nextMessageAt: ahead + MINUTE_MS });
    await queue.enqueue(ADA, [item(2)], NOON);
    const second = await mustClaim(queue.deliveries, NOON);
    const failed = { at: ahead, failure: "busy", nextMessageAt: ahead + MINUTE_MS };
    await queue.deliveries.fail(second, { ...failed, retryAt: ahead + 10 * MINUTE_MS });
    expect((await mustClaim(queue.deliveries, NOON)).attempts).toBe(2);
  });

  test("a pause that is as long as pauses are holds", async () => {
    await using queue = await open();
    await queue.enqueue(ADA, [item(1)]);
    const first = await mustClaim(queue.deliveries);
    const failed = { at: NOON, failure: "busy", nextMessageAt: NOON + MINUTE_MS };
    await queue.deliveries.fail(first, { ...failed, retryAt: NOON + 6 * 60 * MINUTE_MS });
    expect(await claim(queue.deliveries, NOON + MINUTE_MS)).toBeNull();
  });

  test("is taken from one lane, and not to an address that is left out", async () => {
    await using queue = await open();
    await queue.enqueue(ADA, [item(1)]);
    await queue.enqueue(HOOK, [item(1)]);
    const take = (kind: TargetKind, hasFailed: boolean, { now = NOON, butNotTo = [] as string[] } = {}) =>
      queue.deliveries.claim({ now, retryAt, lane: { kinds: [kind], hasFailed }, butNotTo });
    expect(await take("channel", true)).toBeNull();
    expect(await take("channel", false, { butNotTo: ["7"] })).toBeNull();
    const taken = await take("channel", false);
    expect(taken).toMatchObject({ target: HOOK, attempts: 1 });
    const failed = { at: NOON, failure: "busy", retryAt: NOON + 1, nextMessageAt: NOON };
    if (taken) await queue.deliveries.fail(taken, failed);
    expect(await take("channel", false, { now: NOON + 1 })).toBeNull();
    expect(await take("channel", true, { now: NOON + 1 })).toMatchObject({ target: HOOK, attempts: 2 });
    expect(await take(ADA.channel, false)).toMatchObject({ target: ADA });
  });

  test("what happens while a message waits becomes part of it; the first issues are named, the others counted", async () => {
    await using queue = await open();
    for (let issue = 1; issue <= MAX_NAMED_ISSUES; issue++) await queue.enqueue(ADA, [item(issue)]);
    await queue.enqueue(ADA, [item(98), item(99, "regressed")]);
    await queue.enqueue(ADA, [item(100)]);
    const { items, more } = await mustClaim(queue.deliveries);
    expect(items.map(({ issueId }) => issueId)).toEqual(
      Array.from({ length: MAX_NAMED_ISSUES }, (_, index) => index + 1),
    );
    expect(more).toEqual({ new: 2, regressed: 1 });
    expect(await queue.deliveries.countDeliveries()).toEqual({ waiting: 1, failing: 0, dead: 0 });
  });

  test("what happens while a message is sent is in the next one, which waits for its minute", async () => {
    await using queue = await open();
    await queue.enqueue(ADA, [item(1)]);
    const first = await mustClaim(queue.deliveries);
    await queue.enqueue(ADA, [item(2)]);
    expect(await claim(queue.deliveries)).toBeNull();
    await queue.deliveries.confirm(first, { at: NOON, answer: "250 ok", nextMessageAt: NOON + MINUTE_MS });
    expect(await claim(queue.deliveries, NOON + MINUTE_MS - 1)).toBeNull();
    const second = await mustClaim(queue.deliveries, NOON + MINUTE_MS);
    expect(second.items).toEqual([item(2)]);
    expect(second.key).not.toBe(first.key);
  });

  test("targets do not wait for each other", async () => {
    await using queue = await open();
    await queue.enqueue(ADA, [item(1)]);
    await queue.enqueue(HOOK, [item(1)]);
    await queue.enqueue({ ...ADA, projectId: 2 }, [item(5)]);
    const claimed = [
      await mustClaim(queue.deliveries),
      await mustClaim(queue.deliveries),
      await mustClaim(queue.deliveries),
    ];
    expect(claimed.map(({ target }) => target)).toEqual([ADA, HOOK, { ...ADA, projectId: 2 }]);
    expect(await claim(queue.deliveries)).toBeNull();
  });

  test("a message that was claimed by a process that died is due again, under the same key", async () => {
    await using queue = await open();
    await queue.enqueue(ADA, [item(1)]);
    const first = await mustClaim(queue.deliveries);
    expect(await claim(queue.deliveries, retryAt(1) - 1)).toBeNull();
    expect(await mustClaim(queue.deliveries, retryAt(1))).toEqual({ ...first, attempts: 2 });
  });

  test("while the oldest message is tried again, one other collects, and is sent after it", async () => {
    await using queue = await open();
    await queue.enqueue(HOOK, [item(1)]);
    const first = await mustClaim(queue.deliveries);
    await queue.deliveries.fail(first, {
      at: NOON + 1,
      failure: "500 no",
      retryAt: NOON + MINUTE_MS,
      nextMessageAt: NOON,
    });
    await queue.enqueue(HOOK, [item(2)]);
    await queue.enqueue(HOOK, [item(3)]);
    expect(await queue.deliveries.listChannels(EVERYTHING, 1)).toEqual([
      {
        target: HOOK,
        lastDeliveredAt: null,
        lastAnswer: null,
        lastFailedAt: NOON + 1,
        lastFailure: "500 no",
        waiting: 2,
        nextAttemptAt: expect.any(Number),
      },
    ]);
    expect(await claim(queue.deliveries, NOON + MINUTE_MS - 1)).toBeNull();
    const again = await mustClaim(queue.deliveries, NOON + MINUTE_MS);
    expect([again.key, again.attempts]).toEqual([first.key, 2]);
    await queue.deliveries.confirm(again, { at: NOON + MINUTE_MS, answer: "200", nextMessageAt: NOON + 2 * MINUTE_MS });
    const next = await mustClaim(queue.deliveries, NOON + 2 * MINUTE_MS);
    expect(next.items).toEqual([item(2), item(3)]);
    expect((await queue.deliveries.listChannels(EVERYTHING, 1))[0]).toMatchObject({
      lastAnswer: "200",
      lastFailure: "500 no",
    });
  });

  test("a message that is given up is kept, can be tried again or deleted, and lets the next one pass", async () => {
    await using queue = await open();
    await queue.enqueue(ADA, [item(1)]);
    const first = await mustClaim(queue.deliveries);
    await queue.enqueue(ADA, [item(2)]);
    await queue.deliveries.fail(first, {
      at: NOON + 1,
      failure: `550 ${"x".repeat(1000)}`,
      retryAt: null,
      nextMessageAt: NOON + MINUTE_MS,
    });
    const [dead] = await queue.deliveries.listDead(EVERYTHING, 1);
    expect(dead).toMatchObject({ id: first.id, items: [item(1)], diedAt: NOON + 1, attempts: 1 });
    expect(dead?.failure).toHaveLength(500);
    // A receiver that refuses everything is asked once a minute, too.
    expect(await claim(queue.deliveries, NOON + MINUTE_MS - 1)).toBeNull();
    const second = await mustClaim(queue.deliveries, NOON + MINUTE_MS);
    expect(second.items).toEqual([item(2)]);
    await queue.deliveries.confirm(second, { at: NOON, answer: "250", nextMessageAt: NOON });
    const { undelivered } = queue.store;
    const ids = [first.id];
    expect(await undelivered.retry(EVERYTHING, { withPeople: false, ids: [99], now: NOON })).toBe(0);
    expect(await undelivered.retry(EVERYTHING, { withPeople: false, ids, now: NOON })).toBe(1);
    const again = await mustClaim(queue.deliveries);
    expect([again.key, again.attempts]).toEqual([first.key, 1]);
    await queue.deliveries.fail(again, { at: NOON + 2, failure: "550", retryAt: null, nextMessageAt: NOON });
    expect(await undelivered.drop(EVERYTHING, { withPeople: false, ids, now: NOON })).toEqual(ids);
    expect(await queue.deliveries.countDeliveries()).toEqual({ waiting: 0, failing: 0, dead: 0 });
  });

  test("of dead letters, the newest of each project are kept", async () => {
    await using queue = await open();
    for (let index = 0; index < MAX_DEAD_DELIVERIES + 3; index++) {
      await queue.enqueue({ ...ADA, address: `${index}@example.com` }, [item(index)]);
      await queue.deliveries.fail(await mustClaim(queue.deliveries), {
        at: NOON + index,
        failure: "550",
        retryAt: null,
        nextMessageAt: NOON,
      });
    }
    const dead = await queue.deliveries.listDead(EVERYTHING, 1);
    expect(dead).toHaveLength(MAX_DEAD_DELIVERIES);
    expect([dead[0]?.diedAt, dead.at(-1)?.diedAt]).toEqual([NOON + MAX_DEAD_DELIVERIES + 2, NOON + 3]);
  });

  test("after a change of settings, what waits for others goes, and what was being tried is due at once", async () => {
    await using queue = await open();
    await queue.enqueue(ADA, [item(1)]);
    await queue.enqueue(HOOK, [item(1)]);
    const [ada, hook] = [await mustClaim(queue.deliveries), await mustClaim(queue.deliveries)];
    await queue.deliveries.fail(ada, { at: NOON, failure: "421", retryAt: NOON + 60 * MINUTE_MS, nextMessageAt: NOON });
    await queue.deliveries.fail(hook, {
      at: NOON,
      failure: "500",
      retryAt: NOON + 60 * MINUTE_MS,
      nextMessageAt: NOON,
    });
    await queue.deliveries.keepTargets(EVERYTHING, 1, [HOOK], NOON + MINUTE_MS);
    expect((await mustClaim(queue.deliveries, NOON + MINUTE_MS)).target).toEqual(HOOK);
    // An attempt that is under way is not begun a second time.
    await queue.deliveries.keepTargets(EVERYTHING, 1, [HOOK], NOON + MINUTE_MS);
    expect(await claim(queue.deliveries, NOON + MINUTE_MS)).toBeNull();
    expect((await queue.deliveries.listChannels(EVERYTHING, 1)).map(({ target }) => target)).toEqual([HOOK]);
    expect(await queue.deliveries.countDeliveries()).toEqual({ waiting: 1, failing: 0, dead: 0 });
  });

  test("a discarded message is gone, and a test says what it found out", async () => {
    await using queue = await open();
    await queue.enqueue(ADA, [item(1)]);
    await queue.deliveries.discard(await mustClaim(queue.deliveries));
    expect((await queue.deliveries.countDeliveries()).waiting).toBe(0);
    await queue.deliveries.noteTest(EVERYTHING, HOOK, { at: NOON, isOk: true, answer: "200 ok" });
    await queue.deliveries.noteTest(EVERYTHING, ADA, { at: NOON + 1, isOk: false, answer: "no such user" });
    expect(await queue.deliveries.listChannels(EVERYTHING, 1)).toMatchObject([
      { target: HOOK, lastDeliveredAt: NOON, lastAnswer: "200 ok", lastFailedAt: null },
      { target: ADA, lastFailedAt: NOON + 1, lastFailure: "no such user", waiting: 0, nextAttemptAt: null },
    ]);
  });
}
