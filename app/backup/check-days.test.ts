import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { makeTempFolder } from "../../tests/support/temp-folder.ts";
import { checkMissingDays } from "./check-days.server.ts";

test("names each file of a day that was set aside or is gone, and none that is there or was written again", async () => {
  using folder = makeTempFolder();
  const paths = { days: join(folder.path, "days"), damaged: join(folder.path, "damaged") };
  expect(await checkMissingDays(paths, [])).toEqual([]);
  await mkdir(paths.days);
  await mkdir(paths.damaged);
  await writeFile(join(paths.days, "2026-05-20-logs-0001.parquet"), "");
  await writeFile(join(paths.days, "2026-05-20-spans-0000.parquet"), "");
  await writeFile(join(paths.damaged, "2026-05-20-spans-0000-0001.parquet"), "");
  await writeFile(join(paths.damaged, "events-1.duckdb"), "");
  const noted = ["2026-05-20-logs-0000.parquet", "2026-05-20-spans-0000.parquet", "2026-05-21-spans-0000.parquet"];
  expect(await checkMissingDays(paths, noted)).toMatchObject([
    { path: join(paths.days, "2026-05-20-spans-0000-0001.parquet"), what: expect.stringContaining(paths.damaged) },
    { path: join(paths.days, "2026-05-21-spans-0000.parquet"), what: "the file is missing" },
  ]);
});
