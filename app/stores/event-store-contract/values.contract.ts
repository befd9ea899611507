import { expect, test } from "vitest";
import {
  append,
  type CreateEventDatabase,
  event,
  eventId,
  filter,
  item,
  listSequences,
  NOON,
  openStore,
  projects,
} from "./fixture.ts";

/** Texts that have broken stores before: separators, quotes, wildcards, escapes, NUL, emoji, and texts that look like numbers or SQL. */
const STRANGE_TEXTS = [
  "",
  " ",
  "a=b=c",
  "=",
  "line\nfeed\r\n",
  "back\\slash\\n\\e\\\\",
  "quote ' double \" tick `",
  "'; DROP TABLE events; --",
  "100% _like_ * ?",
  "nul\0in the middle",
  "\x1c\x1d\x1e\x1f,\t",
  "emoji 👩‍👩‍👧 𝒳 Ünïcödé ‮ right to left",
  "NULL",
  "null",
  "0123",
  "1e309",
  "$1 $2",
  '{"json": [true]}',
  "x".repeat(200),
];

export function describeValues(createDatabase: CreateEventDatabase): void {
  test("gives an event back as it was appended", async () => {
    await using store = await openStore(createDatabase);
    const full = event(3, {
      projectId: 4_503_599_627_370_497,
      issueId: 812,
      eventId: "fc6d8c0c43fc4630ad850ee518f1b9d0",
      occurredAt: NOON - 1234,
      receivedAt: NOON,
      level: "fatal",
      platform: "python",
      environment: "production",
      release: "web@1.2.3+build.7",
      dist: "7",
      transaction: "GET /orders/:id",
      title: "ValueError: no such order",
      userKey: "email:ann@example.com",
      traceId: "771a43a4192642f0b136d5159a501700",
      spanId: "b0e6f15b45c36b12",
      replayId: "12312012123120121231201212312012",
      sdkName: "sentry.python.flask",
      isUnhandled: true,
      tags: [
        ["os", "Linux 6.1"],
        ["browser", "Firefox 140"],
      ],
      payload: { fileId: 20_593_999, offset: 268_435_455, index: 1_023 },
      payloadBytes: 104_857_600,
    });
    await append(store, [full]);
    expect(await store.getEvent(full.eventId, projects(full.projectId))).toEqual(full);
    expect(
      (await store.listEvents(filter({ projectIds: projects(full.projectId) }), { cursor: null, limit: 5 })).events,
    ).toEqual([full]);
  });

  test("gives an item back as it was appended", async () => {
    await using store = await openStore(createDatabase);
    const full = item(3, {
      itemIndex: 2,
      type: "transaction",
      category: "transaction_indexed",
      quantity: 12,
      eventId: "fc6d8c0c43fc4630ad850ee518f1b9d0",
      traceId: "771a43a4192642f0b136d5159a501700",
      occurredAt: NOON - 1234,
      environment: "staging",
      release: "web@1.2.3",
      identity: "fc6d8c0c43fc4630ad850ee518f1b9d0",
      name: "GET /orders/:id",
      expiresAt: NOON + 5_000,
      payload: { fileId: 20_593_999, offset: 268_435_455, index: 1_023 },
      payloadBytes: 104_857_600,
      contentBytes: 104_857_123,
      contentType: "image/png",
      attachmentType: "event.view_hierarchy",
      contentSha1: "da39a3ee5e6b4b0d3255bfef95601890afd80709",
    });
    await append(store, [], [full]);
    expect(await store.listItems({ projectIds: projects(1), eventId: full.eventId ?? "" })).toEqual([full]);
  });

  test("keeps texts to the character, whatever they are", async () => {
    await using store = await openStore(createDatabase);
    const events = STRANGE_TEXTS.map((text, sequence) =>
      event(sequence, {
        at: NOON + sequence,
        title: text,
        environment: text,
        release: text,
        dist: text,
        transaction: text,
        userKey: text,
        traceId: text,
        platform: text,
        tags: [
          ["key", text],
          [text, "value"],
          [`${text}.${text}`, text],
        ],
      }),
    );
    const items = STRANGE_TEXTS.map((text, sequence) =>
      item(sequence, { at: NOON + sequence, type: text, name: text, release: text, eventId: text, traceId: "t" }),
    );
    await append(store, events, items);
    const page = await store.listEvents(filter(), { cursor: null, limit: 100, order: "oldest" });
    expect(page.events).toEqual(events);
    expect(await store.listItems({ projectIds: projects(1), traceId: "t" })).toEqual(items);
  });

  test("replaces half a surrogate pair, which no UTF-8 can hold", async () => {
    await using store = await openStore(createDatabase);
    await append(store, [event(0, { title: "a\ud83db", tags: [["k", "\udc00"]] })]);
    const stored = await store.getEvent(eventId(0), projects(1, 2, 3));
    expect(stored?.title).toBe("a\ufffdb");
    expect(stored?.tags).toEqual([["k", "\ufffd"]]);
    expect(await listSequences(store, { tags: [{ key: "k", value: "\udc00" }] })).toEqual([0]);
  });

  test("finds an event by a tag, whatever its text", async () => {
    await using store = await openStore(createDatabase);
    await append(
      store,
      STRANGE_TEXTS.map((text, sequence) =>
        event(sequence, {
          tags: [
            ["key", text],
            [`k${text}`, "value"],
          ],
        }),
      ),
    );
    for (const [sequence, text] of STRANGE_TEXTS.entries()) {
      expect(await listSequences(store, { tags: [{ key: "key", value: text }] })).toEqual([sequence]);
      expect(await listSequences(store, { tags: [{ key: `k${text}`, value: "value" }] })).toEqual([sequence]);
    }
  });

  test("keeps the first of many long tags, which the payload has all of", async () => {
    await using store = await openStore(createDatabase);
    const tags = Array.from({ length: 200 }, (_, index): [string, string] => [`key.${index}`, "v".repeat(200)]);
    await append(store, [event(0, { tags })]);
    const kept = (await store.getEvent(eventId(0), projects(1, 2, 3)))?.tags ?? [];
    expect(kept.length).toBeGreaterThan(8);
    expect(kept).toEqual(tags.slice(0, kept.length));
  });

  test("keeps a list of two hundred tags in order, and tags with the same key", async () => {
    await using store = await openStore(createDatabase);
    const tags = Array.from({ length: 200 }, (_, index): [string, string] => [`key.${index % 150}`, `v${index}`]);
    await append(store, [event(0, { tags })]);
    expect((await store.getEvent(eventId(0), projects(1, 2, 3)))?.tags).toEqual(tags);
  });

  test("tells the empty text from none", async () => {
    await using store = await openStore(createDatabase);
    await append(store, [event(0, { release: "", dist: null }), event(1, { release: null, dist: "" })]);
    expect(await store.getEvent(eventId(0), projects(1, 2, 3))).toMatchObject({ release: "", dist: null });
    expect(await store.getEvent(eventId(1), projects(1, 2, 3))).toMatchObject({ release: null, dist: "" });
  });

  test("keeps instants before 1970 and far ahead", async () => {
    await using store = await openStore(createDatabase);
    await append(store, [event(0, { occurredAt: -5 }), event(1, { occurredAt: 253_402_300_799_999 })]);
    expect((await store.getEvent(eventId(0), projects(1, 2, 3)))?.occurredAt).toBe(-5);
    expect((await store.getEvent(eventId(1), projects(1, 2, 3)))?.occurredAt).toBe(253_402_300_799_999);
    expect(await listSequences(store)).toEqual([1, 0]);
  });

  test("gives null for an event id that is not one", async () => {
    await using store = await openStore(createDatabase);
    await append(store, [event(0)]);
    expect(await store.getEvent(eventId(1), projects(1, 2, 3))).toBeNull();
    expect(await store.getEvent("", projects(1, 2, 3))).toBeNull();
    expect(await store.getEvent("' OR 1=1 --", projects(1, 2, 3))).toBeNull();
    expect(await store.getEvent(eventId(0), projects())).toBeNull();
    expect(await store.getEvent(eventId(0), projects(2))).toBeNull();
  });
}
