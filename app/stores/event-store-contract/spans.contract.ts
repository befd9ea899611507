import { expect, test } from "vitest";
import { ALWAYS, type Condition } from "../../domain/search/condition.ts";
import { TYPED_ATTRIBUTES } from "../../domain/spans/typed-attributes.ts";
import { toCutoffs } from "../../domain/stored-signal.ts";
import { DAY_MS } from "../../domain/time.ts";
import { toNewRow, toRowsByTable } from "../events/rows.ts";
import { SPAN_ROWS } from "../events/span-table.ts";
import { type CreateEventDatabase, eventId, JOURNAL, NOON, openStore, projects } from "./fixture.ts";
import { appendSpans, listWholeLogs, log, span, spanId, TRACE } from "./span-fixture.ts";

const ALL = { projectIds: projects(1), traceId: TRACE, limit: 100 };

export function describeSpans(createDatabase: CreateEventDatabase): void {
  test("gives back what was written, to the last value", async () => {
    await using store = await openStore(createDatabase);
    const full = span(0, {
      category: "transaction",
      form: "root",
      spanId: "ffffffffffffffff",
      parentSpanId: "8000000000000000",
      segmentId: "0000000000000001",
      isSegment: true,
      startedUs: NOON * 1000 + 123_456,
      durationUs: 0,
      shiftUs: -3,
      name: "a \x1f and \x1c, “quoted”, 'so', 😀\nline",
      status: "",
      kind: "server",
      origin: "auto.http",
      segment: "GET /",
      release: "shop@1",
      environment: "production",
      sampleRate: 0.001,
      service: "checkout",
      sdkName: "sentry.javascript.node",
      sdkVersion: "10",
      typed: TYPED_ATTRIBUTES.map(({ type, column }) => (type === "text" ? column : type === "integer" ? 500 : false)),
      attributes: '{"a":{"b":[1,null]}}',
      rest: "{}",
      resource: '{"sdk":{}}',
    });
    const line = log(0, { spanId: spanId(5), tieBreaker: 0, shiftUs: 7, body: "", template: "%s", attributes: "{}" });
    await appendSpans(store, [full, span(1)], [line]);
    expect(await store.listSpans(ALL)).toEqual([span(1), full]);
    expect(await listWholeLogs(store)).toEqual([line]);
  });

  test("lists the oldest of a trace, and nothing of other traces and projects", async () => {
    await using store = await openStore(createDatabase);
    const at = (ms: number) => (NOON + ms) * 1000;
    await appendSpans(
      store,
      [
        span(0, { startedUs: at(3) }),
        span(1, { startedUs: at(1) }),
        span(2, { startedUs: at(2), projectId: 2 }),
        span(3, { startedUs: at(0), traceId: eventId(78) }),
        span(4, { startedUs: at(5) }),
      ],
      [log(5, { occurredUs: at(2) }), log(6, { occurredUs: at(1) }), log(7, { traceId: null })],
    );
    const sequences = (rows: ReadonlyArray<{ sequence: number }>) => rows.map(({ sequence }) => sequence);
    expect(sequences(await store.listSpans({ ...ALL, limit: 2 }))).toEqual([1, 0]);
    expect(sequences(await store.listSpans({ ...ALL, projectIds: projects(1, 2) }))).toEqual([1, 2, 0, 4]);
    expect(await store.listSpans({ ...ALL, projectIds: projects() })).toEqual([]);
    expect(sequences(await store.listTraceLogs(ALL))).toEqual([6, 5]);
  });

  test("gives the spans of a trace by their begin as columns, and each of them whole", async () => {
    await using store = await openStore(createDatabase);
    const at = (ms: number) => (NOON + ms) * 1000;
    const status = TYPED_ATTRIBUTES.findIndex(({ column }) => column === "http_status");
    const typed = span(1).typed.with(status, 502);
    await appendSpans(
      store,
      [
        span(0, { startedUs: at(3), parentSpanId: "ffffffffffffffff", service: null, op: null }),
        span(1, { startedUs: at(1), durationUs: 7, service: "checkout", typed }),
        span(2, { startedUs: at(1), durationUs: 9, receivedAt: NOON + 5 }),
        span(3, { startedUs: at(2), projectId: 2, receivedAt: NOON + 6 }),
      ],
      [],
    );
    const spans = await store.readTraceSpans(ALL);
    expect(spans.arrivedAt).toBe(NOON + 5);
    expect([...spans.ids]).toEqual([3n, 2n, 1n]);
    expect([...spans.parentIds]).toEqual([0n, 0n, 0xffffffffffffffffn]);
    expect([...spans.startedUs]).toEqual([at(1), at(1), at(3)]);
    expect([...spans.durationUs].slice(0, 2)).toEqual([9, 7]);
    expect(spans.kinds[spans.kindOf[1] ?? -1]).toMatchObject({ service: "checkout", httpStatus: 502 });
    expect(spans.kinds[spans.kindOf[2] ?? -1]).toMatchObject({ service: "", op: null });
    expect((await store.readTraceSpans({ ...ALL, limit: 2 })).count).toBe(2);
    expect(await store.readTraceSpans({ ...ALL, projectIds: projects() })).toMatchObject({ count: 0, arrivedAt: null });
    expect(await store.readTraceSpans({ ...ALL, traceId: eventId(78) })).toMatchObject({ count: 0, arrivedAt: null });
    const ordinal = spans.ordinals[1] ?? -1;
    expect(await store.readSpan(ALL, ordinal)).toMatchObject({ sequence: 1, durationUs: 7, typed });
    expect(await store.readSpan({ ...ALL, projectIds: projects(2) }, ordinal)).toBeNull();
    expect(await store.readSpan({ ...ALL, traceId: eventId(78) }, ordinal)).toBeNull();
  });

  test("names a request without a route by its path", async () => {
    await using store = await openStore(createDatabase);
    const url = TYPED_ATTRIBUTES.findIndex(({ column }) => column === "url");
    const typed = span(1).typed.with(url, "https://shop.example/pay?card=1");
    const within = { typed, segment: "POST", segmentGroup: "POST /pay" };
    const bare = span(0, { name: "POST", nameGroup: "POST /pay", ...within });
    await appendSpans(store, [bare, span(1, { name: "POST /pay/:id", ...within, parentSpanId: bare.spanId })], []);
    const { kinds } = await store.readTraceSpans(ALL);
    expect(kinds.map(({ name }) => name).sort()).toEqual(["POST /pay", "POST /pay/:id"]);
    const range = { projectIds: ALL.projectIds, from: 0, to: NOON * 2, where: ALWAYS };
    const { spans } = await store.findSpans(range, { order: "newest", cursor: null, limit: 5 });
    expect(spans.map(({ name }) => name).sort()).toEqual(["POST /pay", "POST /pay/:id"]);
    expect(spans.map(({ segment }) => segment)).toEqual(["POST /pay", "POST /pay"]);
    expect((await store.findTrace(ALL))?.root?.name).toBe("POST /pay");
  });

  test("finds those of a trace that a search means", async () => {
    await using store = await openStore(createDatabase);
    await appendSpans(
      store,
      [
        span(0, { op: "db" }),
        span(1, { op: "http" }),
        span(2, { op: "db", traceId: eventId(9) }),
        span(3, { op: "db", projectId: 2 }),
      ],
      [],
    );
    const where: Condition = {
      kind: "test",
      field: "op",
      isTag: false,
      isNegated: false,
      test: { kind: "in", values: ["db"] },
    };
    const spans = await store.readTraceSpans(ALL);
    const found = await store.findTraceSpans(ALL, where);
    expect([...found].map((ordinal) => spans.kinds[spans.kindOf[spans.ordinals.indexOf(ordinal)] ?? -1]?.op)).toEqual([
      "db",
    ]);
    expect(await store.findTraceSpans({ ...ALL, projectIds: projects() }, where)).toHaveLength(0);
    expect(await store.findTraceSpans({ ...ALL, projectIds: projects(1, 2), limit: 1 }, where)).toHaveLength(1);
  });

  test("finds spans by what they link to", async () => {
    await using store = await openStore(createDatabase);
    const links = (id: string) => JSON.stringify({ links: [{ trace_id: TRACE, span_id: id }] });
    const named = JSON.stringify({ events: [{ name: spanId(1), links: 0 }], links: [] });
    await appendSpans(
      store,
      [
        span(1, { spanId: spanId(1), startedUs: NOON }),
        span(2, { spanId: spanId(2), traceId: eventId(9), op: "queue.task", rest: links(spanId(1)) }),
        span(3, { spanId: spanId(3), rest: links(spanId(2)) }),
        span(4, { spanId: spanId(4), rest: named }),
        span(5, { spanId: spanId(5), projectId: 2, rest: links(spanId(1)) }),
      ],
      [],
    );
    const { ordinals } = await store.readTraceSpans(ALL);
    const linked = { spanId: spanId(1), ordinal: ordinals[0] ?? -1 };
    const found = await store.findLinkingSpans(projects(1), linked);
    expect(found).toMatchObject([{ traceId: eventId(9), spanId: spanId(2), op: "queue.task" }]);
    expect(await store.findLinkingSpans(projects(), linked)).toEqual([]);
  });

  test("gives the spans of a large trace as it gives those of a small one", async () => {
    await using store = await openStore(createDatabase);
    const at = (ms: number) => (NOON + ms) * 1000;
    const count = 6_000;
    const idOf = (index: number) => (BigInt(index) * 0x9e37_79b9_7f4a_7c15n + 1n) & 0xffff_ffff_ffff_ffffn;
    const toId = (index: number) => idOf(index).toString(16).padStart(16, "0");
    const sent = Array.from({ length: count }, (_, index) =>
      span(index, {
        receivedAt: NOON + (index % 100),
        spanId: toId(index),
        parentSpanId: index === 0 ? null : toId(Math.floor(index / 3)),
        startedUs: at(count - index),
        durationUs: index,
        service: index % 2 === 0 ? null : "checkout",
        op: index % 5 === 0 ? null : "db",
        name: index === 1 ? "GET" : `${"long ".repeat(index % 7 === 0 ? 100 : 0)}step ${index % 11}`,
        nameGroup: index === 1 ? "GET /pay" : null,
        status: index % 13 === 0 ? "internal_error" : null,
      }),
    );
    await appendSpans(store, sent, []);
    const spans = await store.readTraceSpans({ ...ALL, limit: count });
    const read = Array.from(spans.ids, (id, place) => {
      const { service, op, name, status } = spans.kinds[spans.kindOf[place] ?? -1] ?? {};
      return [id, spans.parentIds[place], spans.startedUs[place], spans.durationUs[place], service, op, name, status];
    });
    const expected = sent.toReversed().map(({ startedUs, durationUs, service, op, name, status }, place) => {
      const index = count - 1 - place;
      const parent = index === 0 ? 0n : idOf(Math.floor(index / 3));
      return [
        idOf(index),
        parent,
        startedUs,
        durationUs,
        service ?? "",
        op,
        index === 1 ? "GET /pay" : name?.slice(0, 300),
        status,
      ];
    });
    expect(read).toEqual(expected);
    expect(spans.kinds.length).toBeLessThan(400);
    expect(spans.arrivedAt).toBe(NOON + 99);
    expect(await store.readSpan(ALL, spans.ordinals[1] ?? -1)).toMatchObject({ sequence: count - 2 });
    expect((await store.readTraceSpans({ ...ALL, limit: 5_500 })).count).toBe(5_500);
  });

  test("gives those nearest to an instant, and none that ran outside of a range", async () => {
    await using store = await openStore(createDatabase);
    const at = (ms: number) => (NOON + ms) * 1000;
    await appendSpans(
      store,
      [
        span(0, { startedUs: at(0), durationUs: 500_000 }),
        span(1, { startedUs: at(100), durationUs: 10 }),
        span(2, { startedUs: at(390), durationUs: 1_000 }),
        span(3, { startedUs: at(420), durationUs: 10 }),
        span(4, { startedUs: at(-900), durationUs: 10 }),
      ],
      [log(5, { occurredUs: at(100) }), log(6, { occurredUs: at(401) }), log(7, { occurredUs: at(900) })],
    );
    const near = { atUs: at(400), fromUs: at(-100), toUs: at(500) };
    const ordinals = async (limit: number) => [...(await store.readTraceSpans({ ...ALL, limit, near })).startedUs];
    expect(await ordinals(9)).toEqual([at(0), at(100), at(390), at(420)]);
    // The first one runs at that moment, so it is nearer than those around it.
    expect(await ordinals(2)).toEqual([at(0), at(390)]);
    const sequences = (rows: ReadonlyArray<{ sequence: number }>) => rows.map(({ sequence }) => sequence);
    expect(sequences(await store.listTraceLogs({ ...ALL, near }))).toEqual([5, 6]);
    expect(sequences(await store.listTraceLogs({ ...ALL, near, limit: 1 }))).toEqual([6]);
    expect(sequences(await store.listSpans({ ...ALL, near, limit: 2 }))).toEqual([0, 2]);
  });

  test("gives the spans of a trace with its log lines around them, also of spans that came after others were summed", async () => {
    await using store = await openStore(createDatabase);
    const at = (ms: number) => (NOON + ms) * 1000;
    const lines = [-101, -100, 0, 150, 250, 251, 350, 351].map((ms, sequence) => log(sequence, { occurredUs: at(ms) }));
    const read = async (limit = 100) => {
      const { spans, logs } = await store.readTrace(ALL, { aroundUs: 100_000, limit });
      return [[...spans.startedUs], logs.map(({ occurredUs }) => occurredUs)];
    };
    const occurred = (from: number, to: number) => lines.slice(from, to).map(({ occurredUs }) => occurredUs);
    await appendSpans(store, [], lines);
    expect(await read()).toEqual([[], occurred(0, 8)]);
    await appendSpans(store, [span(8, { startedUs: at(0), durationUs: 150_000 })], []);
    expect(await read()).toEqual([[at(0)], occurred(1, 5)]);
    while (await store.rollUp(NOON + DAY_MS));
    expect(await read()).toEqual([[at(0)], occurred(1, 5)]);
    expect(await read(2)).toEqual([[at(0)], occurred(1, 3)]);
    await appendSpans(store, [span(9, { startedUs: at(200), durationUs: 50_000 })], []);
    expect(await read()).toEqual([[at(0), at(200)], occurred(1, 7)]);
    expect(await store.readTrace({ ...ALL, projectIds: projects() }, { aroundUs: 0, limit: 1 })).toMatchObject({
      spans: { count: 0 },
      logs: [],
    });
  });

  test("writes a record once, however often it is read from the journal", async () => {
    await using store = await openStore(createDatabase);
    await appendSpans(store, [span(0), span(1)], [log(1)]);
    expect(await appendSpans(store, [span(0), span(1), span(2)], [log(1), log(2)])).toEqual({
      stored: 2,
      duplicates: 3,
    });
    expect(await store.listSpans(ALL)).toHaveLength(3);
    expect(await store.listTraceLogs(ALL)).toHaveLength(2);
  });

  test("leaves out all rows of an item that came before", async () => {
    await using store = await openStore(createDatabase);
    const rows = toRowsByTable([
      { rows: [toNewRow(SPAN_ROWS, span(0)), toNewRow(SPAN_ROWS, span(0, { spanId: spanId(2) }))] },
      { rows: [toNewRow(SPAN_ROWS, span(1, { spanId: spanId(3) }))] },
    ]);
    await store.append({ journalId: JOURNAL, upTo: 2, rows, leftOut: [0], environments: [] });
    expect((await store.listSpans(ALL)).map((row) => row.spanId)).toEqual([spanId(3)]);
  });

  test("drops what came before the instant of its signal; a transaction's spans go with it and are not counted", async () => {
    await using store = await openStore(createDatabase);
    await appendSpans(
      store,
      [span(0), span(1), span(2, { category: "transaction" }), span(3, { receivedAt: NOON + DAY_MS })],
      [log(4), log(5, { receivedAt: NOON + DAY_MS })],
    );
    const after = (signals: readonly string[]) => toCutoffs((signal) => (signals.includes(signal) ? NOON + 1 : 0));
    const nothing = toCutoffs(() => 0);
    expect(await store.countExpired(after(["spans", "transactions", "logs"]), nothing)).toEqual([
      { projectId: 1, category: "span", quantity: 2 },
      { projectId: 1, category: "log_item", quantity: 1 },
    ]);
    expect(await store.dropBefore(after(["transactions"]), NOON)).toBe(1);
    expect(await store.dropBefore(after(["spans", "logs"]), NOON)).toBe(3);
    expect((await store.listSpans(ALL)).map(({ sequence }) => sequence)).toEqual([3]);
    expect((await store.listTraceLogs(ALL)).map(({ sequence }) => sequence)).toEqual([5]);
  });

  test("tells how many rows of a day there are, by signal", async () => {
    await using store = await openStore(createDatabase);
    await appendSpans(store, [span(0), span(1, { category: "transaction" })], [log(2)]);
    const day = Math.floor(NOON / DAY_MS);
    const none = { projectId: 1, day, rows: 1, payloadBytes: 0 };
    expect((await store.sumStored()).toSorted((a, b) => a.signal.localeCompare(b.signal))).toEqual([
      { ...none, signal: "logs" },
      { ...none, signal: "spans" },
      { ...none, signal: "transactions" },
    ]);
  });

  test("deletes those of a project", async () => {
    await using store = await openStore(createDatabase);
    await appendSpans(store, [span(0), span(1, { projectId: 2 })], [log(2), log(3, { projectId: 2 })]);
    expect(await store.deletion.deleteProject(1)).toBe(2);
    const both = { ...ALL, projectIds: projects(1, 2) };
    expect((await store.listSpans(both)).map(({ projectId }) => projectId)).toEqual([2]);
    expect((await store.listTraceLogs(both)).map(({ projectId }) => projectId)).toEqual([2]);
  });
}
