import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { makeTempFolder } from "../../tests/support/temp-folder.ts";
import { fitConnections, readOpenFileLimit } from "./connection-limit.server.ts";

test.each([
  { wanted: 3_000, openFiles: null, fits: 3_000 },
  { wanted: 3_000, openFiles: 4_096, fits: 3_000 },
  { wanted: 65_536, openFiles: 16_384, fits: 15_872 },
  { wanted: 3_000, openFiles: 1_024, fits: 512 },
  { wanted: 3_000, openFiles: 256, fits: 128 },
  { wanted: 16, openFiles: 256, fits: 16 },
])("of $openFiles files, $fits are left for $wanted connections", ({ wanted, openFiles, fits }) => {
  expect(fitConnections(wanted, openFiles)).toBe(fits);
});

test("reads the limit as Linux says it, and knows none elsewhere", () => {
  using folder = makeTempFolder();
  const path = join(folder.path, "limits");
  const line = (limit: string) =>
    `Limit  Soft Limit  Hard Limit  Units\nMax open files            ${limit}       4096    files\n`;
  writeFileSync(path, line("256"));
  expect(readOpenFileLimit(path)).toBe(256);
  writeFileSync(path, line("unlimited"));
  expect(readOpenFileLimit(path)).toBeNull();
  expect(readOpenFileLimit(join(folder.path, "none"))).toBeNull();
});
