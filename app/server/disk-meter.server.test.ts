import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { makeTempFolder } from "../../tests/support/temp-folder.ts";
import { createDiskMeter } from "./disk-meter.server.ts";

test("a data folder is measured by part, and its files not at every look", async () => {
  using folder = makeTempFolder();
  const write = (name: string, bytes: number) => writeFileSync(join(folder.path, name), Buffer.alloc(bytes, 1));
  mkdirSync(join(folder.path, "payloads", "2026-01-01"), { recursive: true });
  write("payloads/2026-01-01/one", 100_000);
  write("state.sqlite", 50_000);
  write("state.sqlite-wal", 50_000);
  let now = 0;
  const { read: measure, forget } = createDiskMeter(folder.path, () => now);

  const { partBytes, freeBytes, sizeBytes } = await measure();
  expect([...partBytes.keys()].sort()).toEqual(["payloads", "state"]);
  expect(partBytes.get("payloads")).toBeGreaterThanOrEqual(100_000);
  expect(partBytes.get("state")).toBeGreaterThanOrEqual(100_000);
  expect(partBytes.get("state")).toBeLessThan(150_000);
  expect(freeBytes).toBeGreaterThan(0);
  expect(sizeBytes).toBeGreaterThanOrEqual(freeBytes);

  write("payloads/2026-01-01/two", 100_000);
  now = 1_999;
  expect((await measure()).partBytes.get("payloads")).toBeLessThan(200_000);
  now = 2_000;
  expect((await measure()).partBytes.get("payloads")).toBeGreaterThanOrEqual(200_000);
  write("payloads/2026-01-01/three", 100_000);
  forget();
  expect((await measure()).partBytes.get("payloads")).toBeGreaterThanOrEqual(300_000);
});
