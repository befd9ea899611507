import { expect, test } from "vitest";
import { DEFAULT_REACH, MAX_PUSH_SUBSCRIPTIONS, type Reach } from "../../../domain/push/push-subscription.ts";
import { type CreateStateDatabase, createProject, EVERYTHING, NOON } from "./fixture.ts";

export function describePush(createDatabase: CreateStateDatabase): void {
  async function open() {
    const database = await createDatabase();
    const store = await database.connect();
    await createProject(store, "shop");
    const account = { passwordHash: "-", role: "manager", teamIds: [], projectIds: [], at: NOON } as const;
    const mia = await store.people.createMember({ ...account, email: "mia@shop.example", name: "Mia" });
    const sam = await store.people.createMember({ ...account, email: "sam@shop.example", name: "Sam" });
    if (mia === null || sam === null) throw new Error("the members are there already");
    await store.outbox.addReader("reader");
    let position = 0;
    const enqueue = (channel: "push" | "person", address: string) =>
      store.deliveries.enqueue({
        reader: "reader",
        position: ++position,
        news: [
          {
            target: { projectId: 1, channel, address },
            items: [{ transition: "new", issueId: 1, eventId: "e".repeat(32), at: NOON, release: null }],
          },
        ],
        now: NOON,
        createKey: () => `key-${position}`,
      });
    return {
      store,
      mia,
      sam,
      enqueue,
      claim: () => store.deliveries.claim({ now: NOON, retryAt: () => NOON + 60_000 }),
      [Symbol.asyncDispose]: () => database[Symbol.asyncDispose](),
    };
  }
  const browser = (name: string) => ({
    endpoint: `https://push.example/${name}`,
    p256dh: "B".repeat(87),
    auth: "a".repeat(22),
    browser: name,
  });

  test("the keys of the first call stay", async () => {
    await using world = await open();
    const { push } = world.store;
    const first = { publicKey: "a", privateKey: "b" };
    expect(await push.getKeys(() => first)).toEqual(first);
    expect(await push.getKeys(() => ({ publicKey: "c", privateKey: "d" }))).toEqual(first);
  });

  test("a browser is one person's, and keeps its results; a bound holds", async () => {
    await using world = await open();
    const { store, mia, sam } = world;
    const { push } = store;
    const id = await push.subscribe(mia, browser("Firefox"), NOON);
    if (id === null) throw new Error("there was no room");
    expect(await push.subscribe(mia, { ...browser("Firefox"), auth: "b".repeat(22) }, NOON + 1)).toBe(id);
    expect(await push.getSubscription(id)).toMatchObject({ userId: mia, auth: "b".repeat(22), createdAt: NOON });
    await push.noteResult(id, { at: NOON + 2, isOk: false, answer: "500 broken" });
    await push.noteResult(id, { at: NOON + 3, isOk: true, answer: "201" });
    expect(await push.listBrowsers(mia)).toEqual([
      {
        id,
        browser: "Firefox",
        endpoint: "https://push.example/Firefox",
        createdAt: NOON,
        lastDeliveredAt: NOON + 3,
        lastFailedAt: NOON + 2,
        lastFailure: "500 broken",
      },
    ]);
    const moved = await push.subscribe(sam, browser("Firefox"), NOON + 4);
    expect(moved).not.toBe(id);
    expect(await push.listBrowsers(mia)).toEqual([]);
    for (let index = 1; index < MAX_PUSH_SUBSCRIPTIONS; index++)
      expect(await push.subscribe(sam, browser(`Chrome ${index}`), NOON)).not.toBeNull();
    expect(await push.subscribe(sam, browser("Safari"), NOON)).toBeNull();
    expect(await push.unsubscribe(mia, moved ?? 0)).toBe(false);
    expect(await push.unsubscribe(sam, moved ?? 0)).toBe(true);
    expect(await push.getSubscription(moved ?? 0)).toBeNull();
  });

  test("what waits for a browser goes with it, and nothing else", async () => {
    await using world = await open();
    const { store, mia, enqueue, claim } = world;
    const ids: number[] = [];
    for (const name of ["Firefox", "Chrome"]) ids.push((await store.push.subscribe(mia, browser(name), NOON)) ?? 0);
    for (const id of ids) await enqueue("push", `${mia}/${id}`);
    await enqueue("person", String(mia));
    await store.push.unsubscribe(null, ids[0] ?? 0);
    expect((await claim())?.target).toMatchObject({ channel: "push", address: `${mia}/${ids[1]}` });
    expect((await claim())?.target).toMatchObject({ channel: "person", address: String(mia) });
    expect(await claim()).toBeNull();
  });

  test("browsers keep the quiet hours of their person", async () => {
    await using world = await open();
    const { store, mia, enqueue, claim } = world;
    const id = await store.push.subscribe(mia, browser("Firefox"), NOON);
    await enqueue("push", `${mia}/${id}`);
    const hours = { from: 12 * 60, to: 14 * 60, days: [1, 2, 3, 4, 5], timezone: "UTC", letsHighThrough: false };
    await store.quietHours.saveQuietHours(mia, hours);
    expect(await claim()).toBeNull();
    await store.quietHours.saveQuietHours(mia, null);
    expect(await claim()).not.toBeNull();
  });

  test("a person chooses what reaches them how", async () => {
    await using world = await open();
    const { store, mia, sam } = world;
    const { push } = store;
    expect(await push.getReach(mia)).toEqual(DEFAULT_REACH);
    const reach: Reach = {
      rules: { mail: false, browsers: true },
      acts: { mail: true, browsers: false },
      feedback: { mail: false, browsers: false },
    };
    await push.saveReach(mia, DEFAULT_REACH);
    await push.saveReach(mia, reach);
    expect(await push.getReach(mia)).toEqual(reach);
    const id = await push.subscribe(sam, browser("Firefox"), NOON);
    expect([...(await push.listReach())]).toEqual([
      [mia, { reach, browserIds: [] }],
      [sam, { reach: DEFAULT_REACH, browserIds: [id] }],
    ]);
  });

  test("a removed member has no browsers any more", async () => {
    await using world = await open();
    const { store, mia, sam } = world;
    const id = await store.push.subscribe(mia, browser("Firefox"), NOON);
    await store.members.removeMember(EVERYTHING, { userId: mia, actor: { userId: sam, role: "owner" }, at: NOON + 1 });
    expect(await store.push.getSubscription(id ?? 0)).toBeNull();
  });
}
