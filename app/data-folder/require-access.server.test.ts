import { spawnSync } from "node:child_process";
import { chmodSync, chownSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { makeTempFolder } from "../../tests/support/temp-folder.ts";

/** Nobody's, on Linux and macOS: for a test that is run by root, who may read everything. */
const OTHER_USER = 65_534;
const isRoot = process.getuid?.() === 0;
const FILES = [
  "state.sqlite",
  "lock",
  "journal/0.journal",
  "journal/bulk/1.journal",
  "payloads/a.payloads",
  "days/a.parquet",
];

/** What the check says, in a process of a user who is not root. */
function check(dataDir: string): string {
  const code = `
    import { requireAccess } from "${import.meta.resolve("./require-access.server.ts")}";
    if (${isRoot}) process.setuid(${OTHER_USER});
    try { requireAccess(${JSON.stringify(dataDir)}); console.log("fine"); } catch (error) { console.log(error.name, error.message); }`;
  const { stdout, stderr } = spawnSync(process.execPath, ["--input-type=module", "-e", code], { encoding: "utf8" });
  return stdout.trim() || stderr;
}

function makeFolder(dataDir: string): void {
  for (const name of FILES) {
    mkdirSync(dirname(join(dataDir, name)), { recursive: true });
    writeFileSync(join(dataDir, name), "");
  }
  const all = ["", "journal", "journal/bulk", "payloads", "days", ...FILES];
  if (isRoot) for (const name of all) chownSync(join(dataDir, name), OTHER_USER, OTHER_USER);
}

test("a folder that this user may write is fine, and so is one that is not there yet", () => {
  using folder = makeTempFolder();
  makeFolder(folder.path);
  expect(check(folder.path)).toBe("fine");
  expect(check(join(folder.path, "none"))).toBe("fine");
});

test.each(["state.sqlite", "journal/bulk/1.journal", "payloads", "days/a.parquet"])(
  "%s that is out of reach is named",
  (name) => {
    using folder = makeTempFolder();
    makeFolder(folder.path);
    const path = join(folder.path, name);
    if (isRoot) chownSync(path, 0, 0);
    chmodSync(path, isRoot ? 0o700 : 0o000);
    const remedy = isRoot
      ? `: it belongs to the user 0, and Culprit runs as ${OTHER_USER}. Give the folder to that user: chown -R ${OTHER_USER} ${folder.path}`
      : ". Allow it to its owner (chmod)";
    expect(check(folder.path)).toBe(`DataFolderError ${path} cannot be read and written (EACCES)${remedy}`);
    if (!isRoot) chmodSync(path, 0o700);
  },
);
