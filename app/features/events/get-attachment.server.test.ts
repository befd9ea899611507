import { expect, test } from "vitest";
import type { Workspace } from "../../access/workspace.ts";
import { MIB } from "../../domain/bytes.ts";
import { encodeStoredItem } from "../../protocol/stored-item.ts";
import { openAttachment } from "./get-attachment.server.ts";

const EVENT_ID = "e".repeat(32);

/** An event with one attachment. Its row says this size, whatever the file has. */
function createWorkspace(payloadBytes: number, file: Uint8Array | null = new Uint8Array(150_000).fill(7)): Workspace {
  const payload =
    file &&
    encodeStoredItem({
      envelopeHeader: {},
      header: { type: "attachment", filename: "core.dmp" },
      request: { clientAddress: null, userAgent: null },
      payload: file,
    });
  return {
    scope: { projectIds: [1] },
    events: {
      listItems: async () => [
        { type: "attachment", sequence: 3, itemIndex: 0, name: "core.dmp", payload: {}, payloadBytes },
      ],
    },
    payloads: { read: async () => payload },
  } as unknown as Workspace;
}

const open = (workspace: Workspace, init?: RequestInit) =>
  openAttachment(workspace, { eventId: EVENT_ID, item: "3-0" }, new Request("http://culprit.test/", init));

test("is sent in pieces, and whole", async () => {
  const opened = await open(createWorkspace(150_100));
  const sizes: number[] = [];
  const parts: Uint8Array[] = [];
  for await (const part of opened?.body ?? []) {
    sizes.push(part.length);
    parts.push(part);
  }
  expect(sizes).toEqual([65_536, 65_536, 18_928]);
  expect(Buffer.concat(parts).equals(Buffer.alloc(150_000, 7))).toBe(true);
});

test("clients that have yet to take large files hold so many bytes together, and none that they left", async () => {
  const large = createWorkspace(95 * MIB);
  const refused = { name: "ReadLimitError", limit: "downloads" };
  const [first, second] = [await open(large), await open(large)];
  await expect(open(large)).rejects.toMatchObject(refused);
  // A small file still fits beside them, and a missing file takes no space.
  await (await open(createWorkspace(1_000)))?.body?.cancel();
  expect(await open(createWorkspace(1_000, null))).toBeNull();
  await first?.body?.cancel();
  const third = await open(large);
  await expect(open(large)).rejects.toMatchObject(refused);
  // The answer is read to its end.
  await new Response(third?.body).arrayBuffer();
  await (await open(large))?.body?.cancel();
  await second?.body?.cancel();
  // A single file may be larger than the limit for all files together.
  await (await open(createWorkspace(400 * MIB)))?.body?.cancel();
});

test("a client that leaves before the answer begins holds nothing, and neither does one that asks for the head alone", async () => {
  const large = createWorkspace(400 * MIB);
  expect(await open(large, { method: "HEAD" })).toMatchObject({ name: "core.dmp", body: null });
  const leaving = new AbortController();
  await open(large, { signal: leaving.signal });
  await expect(open(large)).rejects.toMatchObject({ limit: "downloads" });
  leaving.abort();
  await open(large, { signal: leaving.signal });
  await (await open(large))?.body?.cancel();
});
