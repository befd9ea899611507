import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { makeTempFolder } from "../../tests/support/temp-folder.ts";
import { canOthersRead } from "./can-others-read.server.ts";

test("others read a file that is readable for them, in folders that all let them in", () => {
  using temp = makeTempFolder();
  const parent = temp.path;
  const folder = join(parent, "data");
  mkdirSync(folder);
  const file = join(folder, "state.sqlite");
  writeFileSync(file, "");
  const withModes = (ofParent: number, ofFolder: number, ofFile: number) => {
    chmodSync(parent, ofParent);
    chmodSync(folder, ofFolder);
    chmodSync(file, ofFile);
    return canOthersRead(file);
  };
  expect(withModes(0o755, 0o755, 0o644)).toBe(true);
  expect(withModes(0o755, 0o711, 0o644)).toBe(true);
  expect(withModes(0o755, 0o755, 0o640)).toBe(false);
  expect(withModes(0o755, 0o750, 0o644)).toBe(false);
  expect(withModes(0o700, 0o755, 0o644)).toBe(false);
});
