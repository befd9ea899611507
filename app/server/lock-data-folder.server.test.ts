import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { lockDataFolder } from "./lock-data-folder.server.ts";

const folder = mkdtempSync(join(tmpdir(), "culprit-lock-"));
afterAll(() => rmSync(folder, { recursive: true }));

/** What another process is told. */
function lockElsewhere(killItself: boolean): string {
  const code = `
    import { lockDataFolder } from "${import.meta.resolve("./lock-data-folder.server.ts")}";
    try { lockDataFolder(${JSON.stringify(folder)}); console.log("locked"); } catch (error) { console.log(error.message); }
    ${killItself ? "process.kill(process.pid, 'SIGKILL')" : ""}`;
  try {
    return execFileSync(process.execPath, ["--input-type=module", "-e", code], { encoding: "utf8" });
  } catch (error) {
    return String((error as { stdout: unknown }).stdout);
  }
}

describe("the lock of the data folder", () => {
  test("keeps another process out, and names the folder to it", () => {
    const lock = lockDataFolder(folder);
    expect(lockElsewhere(false)).toContain(`another Culprit runs on the data in ${folder}`);
    lock.unlock();
    expect(lockElsewhere(false)).toContain("locked");
  });

  test("ends with a process that is killed", () => {
    expect(lockElsewhere(true)).toContain("locked");
    lockDataFolder(folder).unlock();
  });
});
