import { describe, expect, test } from "vitest";
import { digestRecords } from "../digest/digest-records.ts";
import { type EnvelopeEntry, encodeJournalEntry } from "../journal/journal-entry.ts";

const RECEIVED_AT = Date.UTC(2026, 5, 1, 12);
const seconds = RECEIVED_AT / 1000;
const id = (digit: string) => digit.repeat(32);

type Part = [type: string, payload: Record<string, unknown> | Uint8Array];

/** Identities of the items of an envelope with the id `eeee…`, unless told otherwise. */
function identitiesOf(parts: Part[], entry: Partial<EnvelopeEntry> = {}): Array<string | null | undefined> {
  const bytes = encodeJournalEntry({
    kind: "envelope",
    projectId: 1,
    keyId: 1,
    receivedAt: RECEIVED_AT,
    eventId: id("e"),
    clientAddress: null,
    userAgent: null,
    client: null,
    dropped: [],
    body: Buffer.concat([
      Buffer.from("{}\n"),
      ...parts.flatMap(([type, payload]) => {
        const body = payload instanceof Uint8Array ? payload : Buffer.from(JSON.stringify(payload));
        return [Buffer.from(`${JSON.stringify({ type, length: body.length })}\n`), body, Buffer.from("\n")];
      }),
    ]),
    ...entry,
  });
  const { items, setAside, outcomes } = digestRecords([{ sequence: 0, bytes: Buffer.concat(bytes) }]);
  expect({ setAside, outcomes }).toEqual({ setAside: [], outcomes: [] });
  return items.flatMap(({ occurrence, identity }) => (occurrence ? [] : [identity]));
}

const identityOf = (...part: Part) => identitiesOf([part])[0];

const trace = { contexts: { trace: { trace_id: id("7"), span_id: "a".repeat(16) } } };
const transaction = { type: "transaction", start_timestamp: seconds - 1, timestamp: seconds, ...trace };
const feedback = { timestamp: seconds, contexts: { feedback: { message: "help" } } };
const profile = { samples: [1], frames: [1], stacks: [1] };
const session = { sid: id("5"), seq: 1, started: seconds, status: "ok", attrs: { release: "a@1" } };
const checkIn = { check_in_id: id("c"), monitor_slug: "nightly", status: "in_progress" };
const recording = (segment: number) => Buffer.from(`{"segment_id":${segment}}\n[]`);

/** As the SDKs of phones write it: a map, its keys as `str 8`, its values as `bin 32`. */
function video(entries: Record<string, string>): Buffer {
  const span = (tag: number, lengthBytes: number, bytes: Buffer) => {
    const head = Buffer.alloc(1 + lengthBytes);
    head[0] = tag;
    head.writeUIntBE(bytes.length, 1, lengthBytes);
    return Buffer.concat([head, bytes]);
  };
  const pairs = Object.entries(entries).flatMap(([key, value]) => [
    span(0xd9, 1, Buffer.from(key)),
    span(0xc6, 4, Buffer.from(value)),
  ]);
  return Buffer.concat([Buffer.from([0x80 | Object.keys(entries).length]), ...pairs]);
}

describe("the identity of an item", () => {
  test("of a transaction is the event id that the sender was told, whatever the payload says", () => {
    expect(identityOf("transaction", { ...transaction, event_id: id("b") })).toBe(id("e"));
    expect(identityOf("event", transaction)).toBe(id("e"));
  });

  test("of feedback is its own event id, or else the envelope's", () => {
    expect(identityOf("feedback", { ...feedback, event_id: id("b") })).toBe(id("b"));
    expect(identityOf("feedback", feedback)).toBe(id("e"));
    expect(identityOf("event", { ...feedback, type: "feedback" })).toBe(id("e"));
  });

  test("of feedback that comes with an event is never the event's", () => {
    const own = identitiesOf([
      ["event", { message: "x" }],
      ["feedback", { ...feedback, event_id: id("e") }],
    ]);
    const none = identitiesOf([
      ["feedback", feedback],
      ["event", { message: "x" }],
    ]);
    expect(own).toEqual(none);
    expect(own[0]).toMatch(/^[0-9a-f]{32}$/);
    expect(own[0]).not.toBe(id("e"));
  });

  test("is the same for the same thing, and another for another", () => {
    const things: Array<Part[]> = [
      [["profile", { event_id: id("1"), profile }]],
      [["profile", { event_id: id("2"), profile }]],
      [["profile_chunk", { profiler_id: id("1"), chunk_id: id("1"), profile }]],
      [["profile_chunk", { profiler_id: id("1"), chunk_id: id("2"), profile }]],
      [["replay_event", { replay_id: id("e"), segment_id: 0 }]],
      [["replay_event", { replay_id: id("e"), segment_id: 1 }]],
      [["replay_event", { replay_id: id("1"), segment_id: 1 }]],
      [["replay_recording", recording(0)]],
      [["replay_recording", recording(1)]],
      [["replay_video", video({ replay_event: JSON.stringify({ replay_id: id("e"), segment_id: 0 }) })]],
      [["replay_video", video({ replay_event: JSON.stringify({ replay_id: id("e"), segment_id: 1 }) })]],
      [["replay_video", video({ replay_event: JSON.stringify({ replay_id: id("1"), segment_id: 1 }) })]],
      [["check_in", checkIn]],
      [["check_in", { ...checkIn, status: "ok" }]],
      [["check_in", { ...checkIn, status: "ok", duration: 3 }]],
      [["check_in", { ...checkIn, environment: "prod" }]],
      [["check_in", { ...checkIn, monitor_slug: "hourly" }]],
      [["session", session]],
      [["session", { ...session, seq: 2 }]],
      [["session", { ...session, sid: id("6") }]],
    ];
    const identities = things.map((parts) => identitiesOf(parts)[0]);
    for (const identity of identities) expect(identity).toMatch(/^[0-9a-f]{32}$/);
    expect(new Set(identities).size).toBe(things.length);
    expect(things.map((parts) => identitiesOf(parts)[0])).toEqual(identities);
  });

  test("of an update of a session is not that of the update before", () => {
    const init = { ...session, init: true, seq: 0 };
    const updates = [
      init,
      // What an SDK sends that threw the first one away, which had arrived all the same.
      { ...init, status: "crashed", errors: 1 },
      { ...session, seq: undefined, timestamp: seconds },
      { ...session, seq: undefined, timestamp: seconds + 1 },
      { ...session, seq: undefined, timestamp: seconds + 1, errors: 1 },
    ];
    const identities = updates.map((update) => identityOf("session", update));
    expect(identities).not.toContain(null);
    expect(new Set(identities).size).toBe(updates.length);
    expect(identityOf("session", { ...init, attrs: { release: "a@1", user_agent: "x" } })).toBe(identities[0]);
    expect(identityOf("session", { ...init, seq: undefined })).toBe(identities[0]);
  });

  test("of a video is read from its recording when its event does not say the segment", () => {
    const read = (entries: Record<string, string>) => identityOf("replay_video", video(entries));
    const full = read({ replay_event: JSON.stringify({ segment_id: 4 }), replay_video: "mp4" });
    expect(full).not.toBeNull();
    expect(read({ replay_video: "mp4", replay_recording: '{"segment_id":4}\n[]', replay_event: "{}" })).toBe(full);
  });

  const without: Array<[name: string, ...part: Part]> = [
    ["a session without a sequence or time", "session", { ...session, seq: undefined }],
    ["a session with an invalid id", "session", { ...session, sid: "a" }],
    ["the latest check-in in progress", "check_in", { ...checkIn, check_in_id: id("0") }],
    ["a check-in without an id", "check_in", { ...checkIn, check_in_id: undefined }],
    ["a profile without an id", "profile", { profile }],
    ["a profile chunk without an id", "profile_chunk", { profiler_id: id("1"), profile }],
    ["a replay event without a segment", "replay_event", { replay_id: id("e") }],
    ["a replay event whose segment is no number", "replay_event", { replay_id: id("e"), segment_id: -1 }],
    ["a recording without a segment", "replay_recording", Buffer.from("[]")],
    ["a recording whose segment is too long to be one", "replay_recording", Buffer.from('{"segment_id":1234567890}\n')],
    ["a video that is no map", "replay_video", Buffer.from("mp4")],
    ["a video that ends too early", "replay_video", video({ replay_event: '{"segment_id":1}' }).subarray(0, -1)],
    ["a video whose event is no JSON", "replay_video", video({ replay_event: "{" })],
    ["an empty video", "replay_video", Buffer.alloc(0)],
    ["a container of logs", "log", { items: [{ timestamp: seconds, trace_id: id("7"), level: "info", body: "a" }] }],
    [
      "a container of spans",
      "span",
      { items: [{ trace_id: id("7"), span_id: "a".repeat(16), start_timestamp: seconds, end_timestamp: seconds }] },
    ],
    ["a user report, of which the newest counts", "user_report", { event_id: id("e"), comments: "it broke" }],
    ["an attachment", "attachment", Buffer.from("hi")],
    ["an aggregate of sessions", "sessions", { aggregates: [{ started: seconds }], attrs: { release: "a@1" } }],
    ["a client report", "client_report", {}],
  ];
  for (const [name, ...part] of without) {
    test(`${name} has none`, () => {
      expect(identitiesOf([part])).toEqual([null]);
    });
  }

  test("a kind that nobody knows has none", () => {
    expect(identitiesOf([["constructor", {}]])).toEqual([null]);
  });
});
