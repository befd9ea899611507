import { gzipSync } from "node:zlib";
import { encode } from "@msgpack/msgpack";
import { expect, test } from "vitest";
import { makeMinidump } from "../../tests/support/make-minidump.ts";
import { parseEnvelope } from "../protocol/parse-envelope.ts";
import { createBodyDecoder } from "./decode-body.ts";
import { createInFlightBytes } from "./in-flight-bytes.ts";
import { readMinidumpBody, toMinidumpAnswer } from "./minidump-body.ts";
import { Refusal } from "./refusal.ts";

const EVENT_ID = "0123456789abcdef0123456789abcdef";
const DUMP = makeMinidump();

async function read(body: Uint8Array, contentType: string) {
  const read = await readMinidumpBody(body, {
    contentType,
    randomId: () => EVENT_ID,
    decodeBody: createBodyDecoder(),
    lease: createInFlightBytes(100_000_000).open(),
  });
  if (read instanceof Refusal) return read.detail;
  const { header, items } = parseEnvelope(read.envelope);
  expect(header.event_id).toBe(read.eventId);
  const [event, ...attachments] = items;
  return {
    event: JSON.parse(Buffer.from(event?.payload ?? []).toString()) as Record<string, unknown>,
    attachments: attachments.map(({ header: { type, length, ...said }, payload }) => ({
      ...said,
      bytes: Buffer.from(payload),
    })),
  };
}

async function readForm(parts: ReadonlyArray<[name: string, value: string | Uint8Array, fileName?: string]>) {
  const form = new FormData();
  for (const [name, value, fileName] of parts)
    if (typeof value === "string") form.append(name, value);
    else form.append(name, new Blob([Uint8Array.from(value)]), fileName ?? name);
  const request = new Response(form);
  return await read(await request.bytes(), request.headers.get("content-type") ?? "");
}

test("a dump alone becomes an event of a crash, with the dump beside it", async () => {
  expect(await read(DUMP, "application/octet-stream")).toEqual({
    event: { platform: "native", level: "fatal", event_id: EVENT_ID },
    attachments: [
      {
        filename: "minidump.dmp",
        content_type: "application/octet-stream",
        attachment_type: "event.minidump",
        bytes: DUMP,
      },
    ],
  });
});

test("Crashpad's form has the event and the breadcrumbs of the SDK for C and C++, which are in the order of their times", async () => {
  const said = { event_id: "f".repeat(32), release: "shop@1.2.0", tags: { plan: "pro" }, level: "error" };
  const crumbs = (...times: string[]) =>
    Buffer.concat(times.map((timestamp) => encode({ timestamp, message: `at ${timestamp}` })));
  const answered = await readForm([
    ["upload_file_minidump", gzipSync(DUMP), "crash.dmp.gz"],
    ["__sentry-event", encode(said)],
    ["__sentry-breadcrumb1", crumbs("2026-11-30T08:00:03Z")],
    ["__sentry-breadcrumb2", crumbs("2026-11-30T08:00:01Z", "2026-11-30T08:00:02Z")],
    ["view-hierarchy.json", Buffer.from("{}")],
    ["log", Buffer.from("the last words"), "shop.log"],
    ["guid", "12ab"],
  ]);
  expect(answered).toMatchObject({
    event: {
      ...said,
      platform: "native",
      extra: { guid: "12ab" },
      breadcrumbs: [1, 2, 3].map((second) => ({ timestamp: `2026-11-30T08:00:0${second}Z` })),
    },
    attachments: [
      { filename: "crash.dmp", attachment_type: "event.minidump", bytes: DUMP },
      { filename: "view-hierarchy.json", attachment_type: "event.view_hierarchy" },
      { filename: "shop.log", bytes: Buffer.from("the last words") },
    ],
  });
});

test.each([
  ["in one field", [["sentry", '{"release":"shop@1","tags":{"plan":"pro"}}']]],
  [
    "in brackets",
    [
      ["sentry[release]", "shop@1"],
      ["sentry[tags][plan]", "pro"],
    ],
  ],
  [
    "in pieces",
    [
      ["sentry__2", '"tags":{"plan":"pro"}}'],
      ["sentry__1", '{"release":"shop@1",'],
    ],
  ],
] as Array<[string, Array<[string, string]>]>)("fields say %s what the event is", async (_, fields) => {
  expect(await readForm([["upload_file_minidump", DUMP], ...fields])).toMatchObject({
    event: { release: "shop@1", tags: { plan: "pro" } },
  });
});

test("what cannot be read of the event stays as a file, or as a text", async () => {
  const answered = await readForm([
    ["upload_file_minidump", DUMP],
    ["__sentry-event", Buffer.from([0xc1])],
    ["__sentry-breadcrumb1", encode(["no", "object"])],
    ["__sentry-breadcrumb2", new Uint8Array()],
    ["sentry", "{no json"],
    ["sentry[__proto__][polluted]", "yes"],
  ]);
  expect(answered).toMatchObject({
    event: { extra: { sentry: "{no json" } },
    attachments: [{}, { filename: "__sentry-event" }, { filename: "__sentry-breadcrumb1" }],
  });
  expect(({} as Record<string, unknown>).polluted).toBeUndefined();
});

test("what is no minidump is refused, and says what one is", async () => {
  expect(await readForm([["upload_file_minidump", Buffer.from("PK")]])).toContain("those begin with MDMP");
  expect(await readForm([["file", DUMP]])).toContain("has no file upload_file_minidump");
  expect(await read(DUMP, "application/json")).toContain("is taken as multipart/form-data");
  expect(await read(DUMP, "multipart/form-data")).toContain("names no boundary");
  expect(await read(DUMP, "multipart/form-data; boundary=x")).toContain("not well-formed");
  expect(await readForm(Array.from({ length: 41 }, (_, index) => [`file${index}`, DUMP]))).toContain("over 40 files");
});

test("a form of millions of parts is refused as soon as it has too many", async () => {
  const empty = Buffer.alloc(8 * 1024 * 1024, "\r\n\r\n\r\n--x");
  const answered = await read(Buffer.concat([Buffer.from("--x"), empty]), "multipart/form-data; boundary=x");
  // Read to its end, it takes a gigabyte of memory.
  expect(answered).toContain("over 540 parts");
});

test("fields that are larger than an event are refused", async () => {
  const fields = Array.from({ length: 3 }, (_, index): [string, string] => [`sentry__${index}`, "[1,".repeat(150_000)]);
  expect(await readForm([["upload_file_minidump", DUMP], ...fields])).toContain("fields have over 1048576 bytes");
});

test.each([
  ["too many breadcrumbs", { "__sentry-breadcrumb1": Buffer.alloc(1_001, 0x80) }],
  ["a million breadcrumbs", { "__sentry-breadcrumb1": Buffer.alloc(1024 * 1024, 0x80) }],
  ["deep lists", { "__sentry-event": Buffer.concat([Buffer.of(0x81, 0xa1, 0x61), Buffer.alloc(20_000, 0x91)]) }],
])("%s stay a file", async (_, files) => {
  const answered = await readForm([["upload_file_minidump", DUMP], ...Object.entries(files)]);
  expect(answered).toMatchObject({ attachments: [{}, { filename: Object.keys(files)[0] }] });
  expect(answered).not.toHaveProperty("event.breadcrumbs");
});

test("the SDK's files are read once, and the same names again stay files", async () => {
  const answered = await readForm([
    ["upload_file_minidump", DUMP],
    ["__sentry-event", encode({ release: "shop@1" })],
    ["__sentry-event", encode({ release: "shop@2" })],
  ]);
  expect(answered).toMatchObject({ event: { release: "shop@1" }, attachments: [{}, { filename: "__sentry-event" }] });
});

test("JSON that is nested too deeply to be written is refused", async () => {
  const deep = `{"a":${"[".repeat(15_000)}${"]".repeat(15_000)}}`;
  expect(
    await readForm([
      ["upload_file_minidump", DUMP],
      ["sentry", deep],
    ]),
  ).toContain("nested too deeply");
});

test("a very long name of a file is cut, and does not break the envelope", async () => {
  const answered = await readForm([["upload_file_minidump", DUMP, `${"\u0001".repeat(50_000)}.dmp`]]);
  expect(answered).toMatchObject({ attachments: [{ filename: "\u0001".repeat(1_000) }] });
});

test("a form that is cut anywhere is refused, or has all that came", async () => {
  const form = new FormData();
  form.append("guid", "12ab");
  form.append("upload_file_minidump", new Blob([Uint8Array.from(DUMP)]), "crash.dmp");
  const request = new Response(form);
  const contentType = request.headers.get("content-type") ?? "";
  const body = await request.bytes();
  for (let length = 0; length < body.length - 4; length += 13) {
    const answered = await read(body.subarray(0, length), contentType);
    expect(typeof answered === "string" || answered.attachments[0]?.bytes.length === DUMP.length, `${length}`).toBe(
      true,
    );
  }
});

test("the answer is the id of the event with dashes, as crash reporters keep it; a refusal stays as it is", () => {
  const answer = { status: 200, body: `{"id":"${EVENT_ID}"}`, retryAfterSeconds: null, rateLimits: null, error: null };
  expect(Buffer.from(toMinidumpAnswer(answer).content?.bytes ?? []).toString()).toBe(
    "01234567-89ab-cdef-0123-456789abcdef",
  );
  const refused = { ...answer, status: 429, body: '{"detail":"no"}' };
  expect(toMinidumpAnswer(refused)).toBe(refused);
});
