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
