import {
  appendFileSync,
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statfsSync,
  statSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { KIB, MIB } from "../../app/domain/bytes.ts";
import { type ApiIssue, getJson, sendEnvelope, toEventEnvelope, waitForEvent } from "../support/api.ts";
import { mountSmallDisk } from "../support/mount-small-disk.ts";
import { runCommand } from "../support/run-command.ts";
import { startServer, type TestServer } from "../support/start-server.ts";
import { makeTempFolder } from "../support/temp-folder.ts";

const QUIET = { SENTRY_DSN: "off" };

async function store(server: TestServer, message: string): Promise<string> {
  const { eventId, envelope } = toEventEnvelope({ message });
  expect((await sendEnvelope(server, envelope)).status).toBe(200);
  await waitForEvent(server, eventId, "shop");
  return eventId;
}

function listBackups(folder: string): string[] {
  return readdirSync(folder)
    .filter((name) => name.endsWith("Z"))
    .sort()
    .map((name) => join(folder, name));
}

function modeOf(...path: string[]): number {
  return statSync(join(...path)).mode & 0o777;
}

test("a running server is backed up, restored elsewhere, and has the same issues and events", async () => {
  using data = makeTempFolder();
  const folder = join(data.path, "backups");
  await using server = await startServer({ env: QUIET });
  const eventId = await store(server, "before the backup");
  const first = await runCommand("backup", server.dataDir, [folder]);
  expect(first).toMatchObject({ code: 0, stderr: "" });
  await store(server, "after the backup");
  expect((await runCommand("check", server.dataDir, [])).stdout).toMatch(/is whole\na server runs on it/);
  const [backup = ""] = listBackups(folder);
  for (const path of [folder, backup, join(backup, "payloads")]) expect(modeOf(path)).toBe(0o700);
  for (const name of ["state.sqlite", "events.duckdb", "manifest.json"]) expect(modeOf(backup, name)).toBe(0o600);
  expect(existsSync(join(backup, "control.sock"))).toBe(false);
  const checked = await runCommand("check", data.path, [backup]);
  expect(checked).toMatchObject({ code: 0, stdout: `the backup ${backup} is whole\n` });

  const restored = join(data.path, "restored");
  expect(await runCommand("restore", data.path, [folder, restored])).toMatchObject({ code: 0, stderr: "" });
  expect((await runCommand("check", data.path, [restored])).stdout).toBe(`the data folder ${restored} is whole\n`);
  await using again = await startServer({ dataDir: restored, env: QUIET });
  await waitForEvent(again, eventId, "shop");
  // The version is the same: nothing is upgraded.
  expect(existsSync(join(restored, "snapshots"))).toBe(false);
  const issues = await getJson<ApiIssue[]>(again, "/projects/default/shop/issues/?query=");
  expect(issues.map(({ title }) => title)).toEqual(["before the backup"]);
  // It goes on where the backup ends.
  await store(again, "after the restore");
  await store(server, "the first server goes on, too");
});

test("a second backup copies only what changed, and older ones go", async () => {
  using data = makeTempFolder();
  const folder = join(data.path, "backups");
  const server = await startServer({ dataDir: join(data.path, "data"), env: QUIET });
  await store(server, "an event");
  await server.stop();
  // As a server leaves it that dies during a checkpoint; DuckDB reads it only with a log that says so.
  writeFileSync(join(server.dataDir, "events.duckdb.wal.checkpoint"), "rows");
  const backup = async (...args: string[]) => {
    const done = await runCommand("backup", server.dataDir, [folder, ...args]);
    expect(done).toMatchObject({ code: 0, stderr: "" });
    return listBackups(folder).at(-1) ?? "";
  };
  const inode = (path: string) => statSync(path).ino;
  const first = await backup();
  expect(readFileSync(join(first, "events.duckdb.wal.checkpoint"), "utf8")).toBe("rows");
  const second = await backup();
  expect(inode(join(second, "events.duckdb"))).toBe(inode(join(first, "events.duckdb")));
  const other = await startServer({ dataDir: server.dataDir, env: QUIET });
  await store(other, "another event");
  await other.stop();
  const third = await backup("--keep", "2");
  expect(inode(join(third, "events.duckdb"))).not.toBe(inode(join(second, "events.duckdb")));
  expect(listBackups(folder)).toEqual([second, third]);
  for (const path of [second, third]) expect((await runCommand("check", data.path, [path])).code).toBe(0);
});

test("what cannot be done is refused in a sentence, and nothing is touched", async () => {
  using data = makeTempFolder();
  const dataDir = join(data.path, "data");
  const server = await startServer({ dataDir, env: QUIET });
  await server.stop();
  const folder = join(data.path, "backups");
  const refuses = async (name: "backup" | "restore" | "check", args: string[], words: string, env = {}) => {
    const done = await runCommand(name, dataDir, args, env);
    expect(done).toMatchObject({ code: 1, stdout: "" });
    expect(done.stderr).toContain(words);
  };
  await refuses("backup", [], "usage: npm run backup");
  await refuses("backup", [join(dataDir, "backups")], "lies in the data folder");
  await refuses("backup", [folder, "--keep", "0"], "--keep wants a whole number");
  await refuses("restore", [folder, join(data.path, "restored")], `there is no folder ${folder}`);
  mkdirSync(folder);
  await refuses("restore", [folder, join(data.path, "restored")], "there is no backup in");
  const taken = join(data.path, "a-file");
  writeFileSync(taken, "");
  await refuses("backup", [taken], `${taken} cannot be written: EEXIST`);
  expect((await runCommand("backup", dataDir, [taken])).stderr).not.toContain("DATA_DIR");
  expect((await runCommand("backup", dataDir, [folder])).code).toBe(0);
  await refuses("restore", [folder, dataDir], "is not empty, and a restore never writes over data");
  await refuses("check", [join(data.path, "nowhere")], "there is no folder");
  await refuses("check", [folder], "nothing was checked, because the folder for temporary files, ", {
    TMPDIR: join(data.path, "nowhere"),
  });

  const stranger = await startServer({ dataDir: join(data.path, "other"), env: QUIET });
  await stranger.stop();
  const mixed = await runCommand("backup", stranger.dataDir, [folder]);
  expect(mixed.stderr).toContain("holds backups of data folder");
  expect(listBackups(folder)).toHaveLength(1);
});

test.runIf(process.getuid?.() === 0)(
  "root makes nothing in the data folder of a user whose server could not open it",
  async () => {
    using data = makeTempFolder();
    chownSync(data.path, 65_534, 65_534);
    for (const name of ["rebuild", "go-back"] as const) {
      const done = await runCommand(name, data.path, []);
      expect(done).toMatchObject({ code: 1, stdout: "" });
      expect(done.stderr).toMatch(/belongs to the user 65534, .*sudo -u '#65534'/);
    }
    expect(readdirSync(data.path)).toEqual([]);
  },
);

test("a disk that is full is named with the file, and keeps nothing that looks whole", async (context) => {
  using data = makeTempFolder();
  using disk = mountSmallDisk(1 * MIB);
  if (disk === null) return context.skip("mounting a tmpfs needs rights that this process has not");
  await using server = await startServer({ env: QUIET });
  await store(server, "kept");
  const folder = join(data.path, "backups");
  expect(await runCommand("backup", server.dataDir, [folder])).toMatchObject({ code: 0 });
  // The event database fits, and the state does not; then not even that.
  for (const [name, room] of [
    ["state.sqlite", 768 * KIB],
    ["events.duckdb", 64 * KIB],
  ] as const) {
    const ballast = join(disk.dir, "ballast");
    rmSync(ballast, { force: true });
    const { bavail, bsize } = statfsSync(disk.dir);
    writeFileSync(ballast, Buffer.alloc(bavail * bsize - room));
    const backups = join(disk.dir, "backups");
    const refused = await runCommand("backup", server.dataDir, [backups]);
    expect(refused).toMatchObject({ code: 1, stdout: "" });
    expect(refused.stderr).toMatch(
      new RegExp(`^culprit: the disk of ${backups} has no room for this backup, .*${name}'\\. Earlier backups`),
    );
    expect(readdirSync(backups)).toEqual(["lock"]);
    const restored = join(disk.dir, "restored");
    const cutOff = await runCommand("restore", data.path, [folder, restored]);
    expect(cutOff).toMatchObject({ code: 1, stdout: "" });
    expect(cutOff.stderr).toMatch(
      new RegExp(
        `^culprit: the disk of ${restored} has no room for this backup: .*${name}(\\.new)?'\\. A server does not`,
      ),
    );
    expect(existsSync(join(restored, "state.sqlite"))).toBe(false);
    rmSync(restored, { recursive: true });
  }
});

test("check tells each damage, what it means and what to do, and a restore finds it", async () => {
  using data = makeTempFolder();
  const dataDir = join(data.path, "data");
  const server = await startServer({ dataDir, env: QUIET });
  for (let number = 0; number < 20; number++) await store(server, `event ${number} ${"x".repeat(2000)}`);
  await server.stop();
  const folder = join(data.path, "backups");
  expect((await runCommand("backup", dataDir, [folder])).code).toBe(0);
  const [backup = ""] = listBackups(folder);
  let copies = 0;
  const damaged = async (damage: (copy: string) => void) => {
    const copy = join(data.path, `copy-${copies++}`);
    expect((await runCommand("restore", dataDir, [backup, copy])).code).toBe(0);
    damage(copy);
    const { code, stdout } = await runCommand("check", copy, []);
    return { code, stdout };
  };
  const flip = (path: string, at: number) => {
    const bytes = readFileSync(path);
    bytes.writeUInt8((bytes[at] ?? 0) ^ 0xff, at);
    writeFileSync(path, bytes);
  };
  const payloadFile = (copy: string) => {
    const name = readdirSync(join(copy, "payloads")).find((each) => each.endsWith(".payloads"));
    return join(copy, "payloads", name ?? "");
  };
  const expectDamage = async (damage: (copy: string) => void, ...words: string[]) => {
    const { code, stdout } = await damaged(damage);
    for (const word of [...words, "means:", "do:"]) expect(stdout).toContain(word);
    expect(code).toBe(2);
  };
  await expectDamage((copy) => flip(payloadFile(copy), statSync(payloadFile(copy)).size >> 1), ".payloads", "damaged");
  await expectDamage((copy) => rmSync(payloadFile(copy)), "the file is missing, and 20 rows refer to it");
  await expectDamage(
    (copy) => truncateSync(payloadFile(copy), Math.floor(statSync(payloadFile(copy)).size / 3)),
    "rows refer to what came after",
  );
  await expectDamage((copy) => truncateSync(join(copy, "state.sqlite"), 40_960), "state.sqlite");
  await expectDamage((copy) => truncateSync(join(copy, "events.duckdb"), 8_192), "events.duckdb", "it cannot be read");
  await expectDamage((copy) => writeFileSync(join(copy, "blobs", "data-folder"), `${"0".repeat(32)}\n`), "belongs to");
  await expectDamage((copy) => rmSync(join(copy, "journal"), { recursive: true }), "there is no journal");

  // What a crash leaves is no damage.
  const torn = await damaged((copy) => {
    const segment = readdirSync(join(copy, "journal")).find((name) => name.endsWith(".journal"));
    appendFileSync(join(copy, "journal", segment ?? ""), "torn");
    appendFileSync(payloadFile(copy), Buffer.alloc(7));
  });
  expect(torn.code).toBe(0);

  // A backup that is damaged: details may be missing, the state may not.
  flip(payloadFile(backup), 100);
  const part = await runCommand("restore", dataDir, [backup, join(data.path, "part")]);
  expect(part).toMatchObject({ code: 2 });
  expect(part.stdout).toContain("damaged in the backup, and restored as it is: payloads/");
  flip(join(backup, "state.sqlite"), 5_000);
  expect((await runCommand("check", dataDir, [backup])).stdout).toContain("the file is not what was backed up");
  const refused = await runCommand("restore", dataDir, [backup, join(data.path, "refused")]);
  expect(refused.stderr).toContain("is damaged (state.sqlite)");
  expect(existsSync(join(data.path, "refused", "state.sqlite"))).toBe(false);
  // Once the manifest is there, it is believed no more than its files.
  const manifest = join(backup, "manifest.json");
  writeFileSync(manifest, readFileSync(manifest, "utf8").replace('"events.duckdb"', '"../events.duckdb"'));
  const outside = await runCommand("restore", dataDir, [backup, join(data.path, "outside")]);
  expect(outside.stderr).toContain("names a file outside of the backup");
});
