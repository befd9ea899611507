import { existsSync, mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { makeTempFolder } from "../../tests/support/temp-folder.ts";
import { createLog } from "../log.server.ts";
import { runRebuild } from "./run-rebuild.ts";

test("a folder without data is refused, and nothing is made in it", async () => {
  using temp = makeTempFolder();
  const options = { day: null, log: createLog({ level: "silent", format: "json" }), say: () => {} };
  const missing = join(temp.path, "mistyped");
  const refusal = `there is no folder ${missing}: set DATA_DIR`;
  await expect(runRebuild(missing, options)).rejects.toThrow(refusal);
  expect(existsSync(missing)).toBe(false);

  const empty = join(temp.path, "empty");
  mkdirSync(empty);
  await expect(runRebuild(empty, options)).rejects.toThrow("there is no data of Culprit");
  expect(readdirSync(empty)).toEqual([]);
});
