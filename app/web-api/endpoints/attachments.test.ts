import { expect, test, vi } from "vitest";
import { scopeOfServer } from "../../access/server-scope.ts";
import { item, NOON } from "../../stores/event-store-contract/fixture.ts";
import type { AnyCall } from "../endpoint.ts";
import { ATTACHMENT_ENDPOINTS } from "./attachments.ts";

test("the list of files reads only those whose rows do not say what they are", async () => {
  const eventId = "e".repeat(32);
  const rows = [
    item(1, { eventId, contentType: "image/png", attachmentType: "event.screenshot", contentBytes: 9 }),
    item(2, { eventId }),
  ];
  const read = vi.fn(async () => null);
  const workspace = { scope: scopeOfServer([1]), events: { listItems: async () => rows }, payloads: { read } };
  const call = { workspace, project: { id: 1 }, params: { event: eventId }, query: {}, now: NOON };
  const response = await ATTACHMENT_ENDPOINTS[0]?.handle(call as unknown as AnyCall);
  expect(await response?.json()).toMatchObject([
    { mimetype: "image/png", type: "event.screenshot", size: 9 },
    { mimetype: "application/octet-stream", type: "event.attachment" },
  ]);
  expect(read.mock.calls).toEqual([[rows[1]?.payload]]);
});
