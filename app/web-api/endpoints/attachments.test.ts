import { expect, test, vi } from "vitest";
import { scopeOfServer } from "../../access/server-scope.ts";
import { encodeStoredItem } from "../../protocol/stored-item.ts";
import { item, NOON } from "../../stores/event-store-contract/fixture.ts";
import type { AnyCall } from "../endpoint.ts";
import { ATTACHMENT_ENDPOINTS } from "./attachments.ts";

test("the list of files reads only those whose rows do not say what they are", async () => {
  const eventId = "e".repeat(32);
  const rows = [
    item(1, {
      ...{ eventId, contentType: "image/png", attachmentType: "event.screenshot", contentBytes: 9 },
      contentSha1: "da39a3ee5e6b4b0d3255bfef95601890afd80709",
    }),
    item(2, { eventId }),
  ];
  const url = new URL("http://culprit.test/");
  const read = vi.fn(async () => null);
  const workspace = { scope: scopeOfServer([1]), events: { listItems: async () => rows }, payloads: { read } };
  const call = { workspace, project: { id: 1 }, params: { event: eventId }, query: {}, now: NOON, url };
  const response = await ATTACHMENT_ENDPOINTS[0]?.handle(call as unknown as AnyCall);
  expect(await response?.json()).toMatchObject([
    { mimetype: "image/png", type: "event.screenshot", size: 9, sha1: rows[0]?.contentSha1 },
    { mimetype: "application/octet-stream", type: "event.attachment", sha1: "" },
  ]);
  expect(read.mock.calls).toEqual([[rows[1]?.payload]]);
});

const PIXEL = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

test.each([
  ["image/png", Buffer.from(PIXEL, "base64"), "image/png"],
  ["text/html", Buffer.from("<script>"), "text/plain"],
  ["image/svg+xml", Buffer.from("<svg/>"), "application/octet-stream"],
  ["application/json", Buffer.from("{}"), "application/octet-stream"],
])("a download that was sent as %s says by its type what it is, and cannot run", async (contentType, bytes, type) => {
  const eventId = "e".repeat(32);
  const row = item(1, { eventId, contentType });
  const sender = { clientAddress: null, userAgent: null };
  const read = async () =>
    encodeStoredItem({ envelopeHeader: {}, header: { type: "attachment" }, request: sender, payload: bytes });
  const workspace = { scope: scopeOfServer([1]), events: { listItems: async () => [row] }, payloads: { read } };
  const params = { event: eventId, attachment: "1-1" };
  const request = new Request("http://culprit.test/");
  const call = { workspace, project: { id: 1 }, params, query: { download: "1" }, request, now: NOON };
  const response = await ATTACHMENT_ENDPOINTS[1]?.handle(call as unknown as AnyCall);
  expect(Object.fromEntries(response?.headers ?? [])).toMatchObject({
    "content-type": type,
    "content-disposition": expect.stringMatching(/^attachment;/),
    "x-content-type-options": "nosniff",
    "content-security-policy": "sandbox; default-src 'none'",
  });
});
