import { describe, expect, test } from "vitest";
import { makeMinidump } from "../../tests/support/make-minidump.ts";
import { splitDigested } from "../../tests/support/split-digested.ts";
import { type EnvelopeEntry, encodeJournalEntry } from "../journal/journal-entry.ts";
import { decodeStoredItem } from "../protocol/stored-item.ts";
import { digestRecords as digestUnsplit } from "./digest-records.ts";

const digestRecords = (...records: Parameters<typeof digestUnsplit>) => splitDigested(digestUnsplit(...records));

const RECEIVED_AT = Date.UTC(2026, 5, 1, 12);
const EVENT_ID = "9ec79c33ec9942ab8353589fcb2e04dc";
const TRACE_ID = "771a43a4192642f0b136d5159a501700";

function record(envelope: string | Uint8Array, entry: Partial<EnvelopeEntry> = {}, sequence = 7) {
  const parts = encodeJournalEntry({
    kind: "envelope",
    projectId: 1,
    keyId: 1,
    receivedAt: RECEIVED_AT,
    eventId: EVENT_ID,
    clientAddress: "203.0.113.7",
    userAgent: null,
    client: null,
    dropped: [],
    body: typeof envelope === "string" ? Buffer.from(envelope) : envelope,
    ...entry,
  });
  return { sequence, bytes: Buffer.concat(parts) };
}

function item(header: Record<string, unknown>, payload: unknown) {
  const text = typeof payload === "string" ? payload : JSON.stringify(payload);
  return digestRecords([record(`{"event_id":"${EVENT_ID}"}\n${JSON.stringify(header)}\n${text}\n`)]);
}

const seconds = RECEIVED_AT / 1000;
const failure = { exception: { values: [{ type: "TypeError", value: "x" }] }, timestamp: seconds, platform: "node" };

describe("the digest of an event", () => {
  test("reads from a minidump what an event without an exception does not say", () => {
    const dump = makeMinidump();
    const envelope = (event: object) => {
      const text = `{"event_id":"${EVENT_ID}"}\n{"type":"event"}\n${JSON.stringify(event)}\n`;
      const header = { type: "attachment", attachment_type: "event.minidump", length: dump.length };
      return Buffer.concat([Buffer.from(`${text}${JSON.stringify(header)}\n`), dump, Buffer.from("\n")]);
    };
    const read = (event: object) => digestRecords([record(envelope(event))]);
    const crash = read({ timestamp: seconds, level: "error", contexts: { runtime: { name: "Electron" } } });
    expect(crash.events[0]?.occurrence).toMatchObject({
      title: "SIGSEGV in shop",
      culprit: "shop +0x12ec",
      level: "fatal",
    });
    expect(crash.items).toHaveLength(1);
    expect(read(failure).events[0]?.occurrence.title).toBe("TypeError: x");
  });

  test("gives an error of a browser the keys by which other engines find it, and no other event any", () => {
    const frames = [{ function: "onClick" }, { function: "load" }].map((frame) => ({
      ...frame,
      filename: "https://shop.example/a.js",
      in_app: true,
    }));
    const exception = { values: [{ type: "Error", value: "x", stacktrace: { frames } }] };
    const kinOf = (platform: string) =>
      item({ type: "event" }, { ...failure, platform, exception }).events[0]?.occurrence.kin;
    expect(kinOf("javascript")?.seek.length).toBeGreaterThan(0);
    expect(kinOf("javascript")?.leave.length).toBeGreaterThan(0);
    expect(kinOf("node")).toBeNull();
  });

  test("gives row, occurrence and payload of the same event", () => {
    const { events, outcomes, setAside } = item(
      { type: "event" },
      {
        ...failure,
        event_id: EVENT_ID,
        user: { id: 5 },
        release: "a@1",
        environment: "prod",
        contexts: { trace: { trace_id: TRACE_ID, span_id: "a".repeat(16) } },
      },
    );
    expect(setAside).toEqual([]);
    expect(outcomes).toEqual([]);
    const [event] = events;
    expect(event?.outcome.category).toBe("error");
    expect(event?.row).toMatchObject({
      sequence: 7,
      projectId: 1,
      eventId: EVENT_ID,
      title: "TypeError: x",
      userKey: "id:5",
      release: "a@1",
      environment: "prod",
      traceId: TRACE_ID,
      occurredAt: RECEIVED_AT,
    });
    expect(event?.occurrence).toMatchObject({ eventId: EVENT_ID, title: "TypeError: x", type: "TypeError" });
    const stored = JSON.parse(Buffer.from(event?.payload ?? []).toString());
    expect(stored.event.event_id).toBe(EVENT_ID);
    expect(stored.grouping.hash).toBe(event?.occurrence.hashes[0]);
  });

  test("is the same when the record is read again", () => {
    const envelope = `{}\n{"type":"event"}\n${JSON.stringify(failure)}\n`;
    expect(digestRecords([record(envelope)])).toEqual(digestRecords([record(envelope)]));
  });

  test("removes secrets before anything is stored", () => {
    const { events } = item({ type: "event" }, { ...failure, extra: { password: "hunter2" } });
    expect(Buffer.from(events[0]?.payload ?? []).toString()).not.toContain("hunter2");
  });

  test("that is no JSON is counted as malformed, and the other items of the envelope are kept", () => {
    const digested = digestRecords([
      record(
        `{}\n{"type":"event"}\n{"a":\n{"type":"session"}\n{"sid":"a","started":${seconds},"attrs":{"release":"a@1"}}\n`,
      ),
    ]);
    expect(digested.events).toEqual([]);
    expect(digested.outcomes).toMatchObject([{ outcome: "malformed", category: "error", quantity: 1, sequence: 7 }]);
    expect(digested.items).toHaveLength(1);
  });

  test("that says it is a transaction becomes one", () => {
    const { events, items } = item(
      { type: "event" },
      {
        type: "transaction",
        transaction: "/",
        start_timestamp: seconds - 1,
        timestamp: seconds,
        contexts: { trace: { trace_id: TRACE_ID, span_id: "b".repeat(16) } },
      },
    );
    expect(events).toEqual([]);
    expect(items[0]?.row).toMatchObject({ type: "transaction", category: "transaction", name: "/", traceId: TRACE_ID });
  });

  test("of a security report is an event of the category security", () => {
    const { events } = item(
      { type: "raw_security", sentry_release: "web@2" },
      {
        "csp-report": {
          "effective-directive": "img-src",
          "blocked-uri": "https://evil.example/x.png",
          "document-uri": "https://shop.example/",
        },
      },
    );
    expect(events[0]).toMatchObject({ outcome: { category: "security" }, row: { release: "web@2" } });
    expect(events[0]?.row.title).toContain("evil.example");
  });
});

describe("the digest of other items", () => {
  const cases: Array<[name: string, header: Record<string, unknown>, payload: unknown, row: Record<string, unknown>]> =
    [
      [
        "metrics",
        { type: "trace_metric" },
        { items: [{ timestamp: seconds, trace_id: TRACE_ID, name: "n", type: "counter", value: 1 }] },
        { category: "trace_metric", name: "n" },
      ],
      [
        "a check-in",
        { type: "check_in" },
        { check_in_id: EVENT_ID, monitor_slug: "nightly", status: "ok" },
        { category: "monitor", name: "nightly", eventId: EVENT_ID },
      ],
      [
        "a user report",
        { type: "user_report" },
        { event_id: EVENT_ID, name: "Ada", comments: "it broke" },
        { name: "Ada", eventId: EVENT_ID },
      ],
      [
        "feedback",
        { type: "feedback" },
        { contexts: { feedback: { message: "help" } }, timestamp: seconds },
        { category: "feedback", name: "help" },
      ],
      [
        "a profile chunk",
        { type: "profile_chunk", platform: "python" },
        { platform: "python", profiler_id: EVENT_ID, profile: { samples: [1], frames: [1], stacks: [1] } },
        { category: "profile_chunk", eventId: EVENT_ID },
      ],
      [
        "a replay event",
        { type: "replay_event" },
        { replay_id: EVENT_ID, segment_id: 3, timestamp: seconds },
        { category: "replay", name: "segment 3" },
      ],
      ["statsd", { type: "statsd" }, "a@none:1|c|T1735787040", { category: "metric_bucket" }],
    ];

  for (const [name, header, payload, row] of cases) {
    test(`${name}: stored whole, and counted as accepted`, () => {
      const { items, outcomes, setAside } = item(header, payload);
      expect({ outcomes, setAside }).toEqual({ outcomes: [], setAside: [] });
      expect(items[0]?.row).toMatchObject({ type: header.type, sequence: 7, itemIndex: 0, expiresAt: null, ...row });
      expect(items[0]?.outcome).toMatchObject({ outcome: "accepted", quantity: items[0]?.row.quantity });
      const stored = decodeStoredItem(items[0]?.payload ?? new Uint8Array());
      expect(stored.envelopeHeader).toEqual({ event_id: EVENT_ID });
      expect(stored.header).toMatchObject(header);
      expect(Buffer.from(stored.payload).toString()).toBe(
        typeof payload === "string" ? payload : JSON.stringify(payload),
      );
    });
  }

  test("bytes of an attachment stay as they are", () => {
    const bytes = Buffer.from([0, 10, 123, 255]);
    const head = Buffer.from(`{}\n{"type":"attachment","length":4,"filename":"dump.bin"}\n`);
    const { items } = digestRecords([record(Buffer.concat([head, bytes]))]);
    expect(items[0]?.row).toMatchObject({ type: "attachment", name: "dump.bin", eventId: EVENT_ID, contentBytes: "4" });
    expect(items[0]?.row).toMatchObject({
      contentType: "application/octet-stream",
      attachmentType: "event.attachment",
    });
    expect([...decodeStoredItem(items[0]?.payload ?? new Uint8Array()).payload]).toEqual([...bytes]);
  });

  test("a secret is neither in the payload nor in what a list shows of it", () => {
    const { items } = item(
      { type: "feedback" },
      { contexts: { feedback: { message: "my card 4111 1111 1111 1111 fails" } }, timestamp: seconds },
    );
    expect(items[0]?.row.name).toContain("[Filtered");
    expect(items[0]?.row.name).not.toContain("4111");
    expect(Buffer.from(items[0]?.payload ?? []).toString()).not.toContain("4111 1111");
  });

  test("an unknown kind is kept raw for seven days, and counted as not supported", () => {
    const { items } = item({ type: "brand_new" }, "anything");
    expect(items[0]?.row).toMatchObject({
      type: "brand_new",
      category: "unknown",
      expiresAt: RECEIVED_AT + 7 * 86_400_000,
    });
    expect(items[0]?.outcome).toMatchObject({ outcome: "unsupported", reason: "unknown_item_type" });
  });

  test("only the words of client reports are marked as such", () => {
    const { outcomes } = item({ type: "session" }, { started: seconds, attrs: {} });
    expect(outcomes).toHaveLength(1);
    expect(outcomes[0]?.isFromClientReport).toBeUndefined();
  });

  test("what an SDK dropped goes into the ledger beside its report", () => {
    const { items, outcomes } = item(
      { type: "client_report" },
      { discarded_events: [{ reason: "before_send", category: "error", quantity: 5 }] },
    );
    expect(items).toHaveLength(1);
    expect(outcomes).toMatchObject([
      { outcome: "client_discard", reason: "before_send", category: "error", quantity: 5, isFromClientReport: true },
    ]);
  });

  const wrong: Array<[name: string, header: Record<string, unknown>, payload: unknown, reason: string]> = [
    [
      "a transaction without a trace",
      { type: "transaction" },
      { start_timestamp: 1, timestamp: 2 },
      "missing_trace_id",
    ],
    ["a session without a release", { type: "session" }, { started: seconds, attrs: {} }, "missing_release"],
    [
      "a session whose release is none",
      { type: "session" },
      { started: seconds, attrs: { release: "latest" } },
      "invalid_release",
    ],
    [
      "a batch of sessions whose release is none",
      { type: "sessions" },
      { aggregates: [{ started: seconds, exited: 1 }], attrs: { release: "a/b" } },
      "invalid_release",
    ],
    [
      "a session from the future",
      { type: "session" },
      { started: seconds + 3600, attrs: { release: "a@1" } },
      "session_in_future",
    ],
    [
      "a session of last month",
      { type: "session" },
      { started: seconds - 2_600_000, attrs: { release: "a@1" } },
      "session_too_old",
    ],
    ["a check-in without a monitor", { type: "check_in" }, { status: "ok" }, "missing_monitor_slug"],
    ["a user report without words", { type: "user_report" }, { event_id: EVENT_ID, comments: " " }, "empty_comments"],
    ["a list where an object belongs", { type: "log" }, [1], "not_an_object"],
  ];
  for (const [name, header, payload, reason] of wrong) {
    test(`${name} is malformed, and the ledger says why`, () => {
      const { items, outcomes } = item(header, payload);
      expect(items).toEqual([]);
      expect(outcomes).toMatchObject([{ outcome: "malformed", reason, quantity: 1 }]);
    });
  }

  test("spans and logs that cannot be stored are counted, and the others of their container are stored", () => {
    const span = { trace_id: TRACE_ID, span_id: "a".repeat(16), start_timestamp: seconds - 1, end_timestamp: seconds };
    const spans = [
      span,
      { ...span, span_id: "1" },
      null,
      { ...span, end_timestamp: seconds - 2 },
      { ...span, name: "x".repeat(1 << 21) },
    ];
    const mixed = item({ type: "span" }, { items: spans });
    expect(mixed.items).toMatchObject([{ outcome: { category: "span", quantity: 1 }, payload: null }]);
    expect(mixed.outcomes).toMatchObject([
      { category: "span", outcome: "malformed", reason: "missing_span_id", quantity: 1 },
      { category: "span", outcome: "malformed", reason: "ends_before_start", quantity: 1 },
      { category: "span", outcome: "too_large", reason: "span_size", quantity: 1 },
    ]);
    const logs = item({ type: "log" }, { items: [...Array(10_000).fill({ body: "a" }), { body: "b" }, {}] });
    expect(logs.items).toMatchObject([{ outcome: { category: "log_item", quantity: 10_000 } }]);
    expect(logs.outcomes).toMatchObject([{ outcome: "too_large", reason: "log_count", quantity: 2 }]);
  });

  test("spans of a transaction that cannot be stored are counted, and the transaction is stored", () => {
    const trace = { trace_id: TRACE_ID, span_id: "b".repeat(16) };
    const child = { span_id: "c".repeat(16), start_timestamp: seconds - 1, timestamp: seconds };
    const { items, outcomes } = item(
      { type: "transaction" },
      {
        contexts: { trace },
        start_timestamp: seconds - 2,
        timestamp: seconds,
        spans: [child, { ...child, span_id: null }],
      },
    );
    expect(items).toMatchObject([{ outcome: { category: "transaction", outcome: "accepted", quantity: 1 } }]);
    expect(items[0]?.rows.map(({ table }) => table.name)).toEqual(["items", "spans", "spans"]);
    expect(outcomes).toMatchObject([{ category: "span", outcome: "malformed", quantity: 1 }]);
  });

  test("a container that is worth nothing counts as the number of what it holds", () => {
    const spans = Array.from({ length: 1001 }, () => ({ trace_id: TRACE_ID, span_id: "a".repeat(16) }));
    const header = { type: "span", content_type: "application/vnd.sentry.items.span.v2+json", item_count: 1001 };
    expect(item(header, { items: spans }).outcomes).toMatchObject([{ reason: "too_many_spans", quantity: 1001 }]);
    const broken = `{"items":[${'{"body":"x"},'.repeat(7)}`;
    expect(item({ type: "log", item_count: 5 }, broken).outcomes).toMatchObject([
      { category: "log_item", reason: "json_not_json", quantity: 5 },
    ]);
  });

  test("times of a sender whose clock is off are put right, and sessions are judged by its own clock", () => {
    const driftMs = 10 * 86_400_000;
    const sentAt = new Date(RECEIVED_AT - driftMs).toISOString();
    const { items, outcomes } = digestRecords([
      record(
        `{"sent_at":"${sentAt}"}
{"type":"session"}
${JSON.stringify({ sid: EVENT_ID, started: seconds - driftMs / 1000 - 5, attrs: { release: "a@1" } })}
{"type":"log"}
${JSON.stringify({ items: [{ timestamp: seconds - driftMs / 1000 - 7, body: "x" }] })}
`,
      ),
    ]);
    expect(outcomes).toEqual([]);
    expect(items[0]?.rows[0]?.cells).toContain(Math.floor((RECEIVED_AT - 5000) / 60_000) * 60_000);
    expect(items[1]?.row).toMatchObject({ occurredUs: (RECEIVED_AT - 7000) * 1000 });
  });

  test("release and environment of an item follow the rules of events", () => {
    const attributes = {
      "sentry.release": { type: "string", value: " a@1 " },
      "sentry.environment": { type: "string", value: "x".repeat(65) },
    };
    const { items } = item({ type: "log" }, { items: [{ timestamp: seconds, body: "x", attributes }] });
    expect(items[0]?.row).toMatchObject({ release: "a@1", environment: null });
    const session = { started: seconds, attrs: { release: 5, environment: "none" } };
    expect(item({ type: "session" }, session).items[0]?.row).toMatchObject({ release: "5", environment: null });
  });

  test("text that no store gives back as it was is cleaned in headers as in payloads", () => {
    const deep = `${"[".repeat(5000)}${"]".repeat(5000)}`;
    const { items, setAside } = digestRecords([
      record(
        `{"sdk":{"name":"a\\u0000b\\ud800"},"__proto__":{"x":1},"trace":${deep}}
{"type":"new\\u0000 type","filename":"\\udc00.txt"}
x
`,
      ),
    ]);
    expect(setAside).toEqual([]);
    expect(items[0]?.row).toMatchObject({ type: "new type", name: "\ufffd.txt" });
    const stored = decodeStoredItem(items[0]?.payload ?? new Uint8Array());
    expect(stored.envelopeHeader.sdk).toEqual({ name: "ab\ufffd" });
    expect(Object.keys(stored.envelopeHeader)).toEqual(["sdk", "trace"]);
  });

  test("nothing is cut inside a character that a store looks things up by", () => {
    const faces = "😀".repeat(500);
    const { events } = item({ type: "event" }, { ...failure, user: { id: faces } });
    expect(events[0]?.row.userKey).toBe(`id:${"😀".repeat(98)}\ufffd`);
    expect(item({ type: `x${faces}` }, "y").items[0]?.row.type).toBe(`x${"😀".repeat(31)}\ufffd`);
  });

  test("each report of a list is counted, whether it makes an event or not", () => {
    const csp = { type: "csp-violation", body: { effectiveDirective: "img-src" } };
    const mixed = item({ type: "raw_security" }, [csp, { type: "deprecation", body: {} }, csp, 7]);
    expect(mixed.events).toHaveLength(2);
    expect(mixed.outcomes).toMatchObject([
      { category: "security", outcome: "malformed", reason: "unknown_security_report", quantity: 2 },
    ]);
    const many = item({ type: "raw_security" }, Array(103).fill(csp));
    expect(many.events).toHaveLength(100);
    expect(many.outcomes).toMatchObject([{ outcome: "too_large", reason: "security_count", quantity: 3 }]);
    expect(item({ type: "raw_security" }, []).outcomes).toMatchObject([{ outcome: "malformed", quantity: 1 }]);
  });

  test("JSON that had to be repaired says so among the errors of its event, and not its item's bytes that are no UTF-8", () => {
    const { events } = item({ type: "event" }, '{"message":"a","extra":{"x":NaN}}');
    expect(JSON.parse(Buffer.from(events[0]?.payload ?? []).toString()).event.errors).toEqual([
      { type: "invalid_json", reason: "NaN and Infinity became null" },
    ]);
    const bytes = Buffer.concat([Buffer.from('{"items":[{"name":"'), Buffer.from([0xff]), Buffer.from('"}]}')]);
    const { items } = digestRecords([record(Buffer.concat([Buffer.from('{}\n{"type":"trace_metric"}\n'), bytes]))]);
    expect([...decodeStoredItem(items[0]?.payload ?? new Uint8Array()).payload]).toEqual([...bytes]);
  });

  test("counts of what was refused pass through, and so do the items that ingest left out", () => {
    const dropped = {
      projectId: 1,
      category: "attachment",
      outcome: "too_large",
      reason: "attachment_bytes",
      quantity: 1,
      receivedAt: RECEIVED_AT,
    } as const;
    const outcomes = encodeJournalEntry({
      kind: "outcomes",
      receivedAt: RECEIVED_AT,
      outcomes: [{ ...dropped, quantity: 4 }],
    });
    const digested = digestRecords([
      record("{}\n", { dropped: [dropped] }, 1),
      { sequence: 2, bytes: Buffer.concat(outcomes) },
    ]);
    expect(digested.outcomes).toEqual([
      { ...dropped, sequence: 1 },
      { ...dropped, quantity: 4, sequence: 2 },
    ]);
  });

  test("a record that cannot be read is set aside and does not stop the next", () => {
    const digested = digestRecords([
      { sequence: 1, bytes: Buffer.from("garbage") },
      record(`{}\n{"type":"event"}\n${JSON.stringify(failure)}\n`, {}, 2),
    ]);
    expect(digested.setAside).toMatchObject([{ sequence: 1, itemIndex: null }]);
    expect(digested.events).toHaveLength(1);
  });
});
