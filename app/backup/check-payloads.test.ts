import { randomBytes } from "node:crypto";
import { truncate } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createPayloadFileFolder } from "../stores/files/payload-file-folder.ts";
import { toFileName } from "../stores/files/payload-file-names.ts";
import { checkPayloads } from "./check-payloads.server.ts";

const at = { receivedAt: Date.UTC(2026, 4, 20, 12), signal: "errors" as const };

test("a file from which payloads were erased ends where references say, and one without its map is damaged", async () => {
  await using folder = await createPayloadFileFolder();
  const store = await folder.open();
  const entry = Promise.resolve(Buffer.from("entry"));
  await store.append([randomBytes(5_000)], { ...at, entry });
  const [kept] = await store.append([randomBytes(100)], at);
  await store.seal();
  const { fileId = 0, offset = 0 } = kept ?? {};
  const whole = await checkPayloads(folder.dir);
  const erased = await store.erase(fileId, async () => ({ places: new Set([0]), entry: Buffer.from("kept") }));
  expect(erased).toBe(1);
  const shorter = await checkPayloads(folder.dir);
  expect([whole.findings, shorter.findings]).toEqual([[], []]);
  expect(whole.ends.get(fileId)).toBeGreaterThan(offset);
  expect(shorter.ends.get(fileId)).toBeGreaterThan(offset);

  const [file] = await store.listFiles();
  const path = join(folder.dir, toFileName(fileId));
  await truncate(path, (file?.bytes ?? 0) - 1);
  const cut = await checkPayloads(folder.dir);
  expect(cut.findings).toMatchObject([{ path, what: expect.stringContaining("ends before") }]);
  expect(cut.ends.get(fileId)).toBe(Number.POSITIVE_INFINITY);
});
