import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { mountSmallDisk } from "../../tests/support/mount-small-disk.ts";
import { DataFolderError } from "../domain/data-folder.ts";
import { lockDataFolder } from "./lock-data-folder.server.ts";

const folder = mkdtempSync(join(tmpdir(), "culprit-lock-"));
afterAll(() => rmSync(folder, { recursive: true }));

/** The message for another process. */
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

describe("a folder that cannot be written is refused with its path and the reason", () => {
  test("where something else has its name", () => {
    const path = join(folder, "a-file");
    writeFileSync(path, "");
    expect(() => lockDataFolder(path)).toThrow(DataFolderError);
    expect(() => lockDataFolder(path)).toThrow(/the data folder .*a-file cannot be written: EEXIST.*DATA_DIR/);
  });

  // In a process of its own: what tries for ever can be stopped there.
  test.runIf(existsSync("/proc/self"))("where no file can be made", () => {
    const code = `
      import { lockDataFolder } from "${import.meta.resolve("./lock-data-folder.server.ts")}";
      try { lockDataFolder("/proc/culprit/data"); } catch (error) { console.log(error.name, error.message); }`;
    const { stdout, signal } = spawnSync(process.execPath, ["--input-type=module", "-e", code], {
      encoding: "utf8",
      timeout: 10_000,
    });
    expect([signal, stdout]).toEqual([
      null,
      expect.stringMatching(
        /^DataFolderError the data folder \/proc\/culprit\/data cannot be written: E\w+: .*DATA_DIR/,
      ),
    ]);
  });

  test("on a disk that is mounted read-only", ({ skip }) => {
    using disk = mountSmallDisk(1_000_000);
    if (disk === null) return skip("mounting a tmpfs needs rights that this process has not");
    const inside = join(disk.dir, "data");
    mkdirSync(inside);
    execFileSync("mount", ["-o", "remount,ro", disk.dir]);
    for (const path of [inside, join(disk.dir, "new")]) {
      expect(() => lockDataFolder(path)).toThrow(DataFolderError);
      expect(() => lockDataFolder(path)).toThrow(
        `the data folder ${path} cannot be written: EROFS: read-only file system`,
      );
    }
  });
});
