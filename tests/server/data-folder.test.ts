import {
  chmodSync,
  chownSync,
  copyFileSync,
  existsSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { type ApiEvent, getJson, listIssues, sendEnvelope, toEventEnvelope, waitForEvent } from "../support/api.ts";
import { runCommand } from "../support/run-command.ts";
import { type LogLine, startServer } from "../support/start-server.ts";
import { makeTempFolder } from "../support/temp-folder.ts";

const EXIT_CONFIG = 78;

/** Starts a server that refuses to, without an owner to make; gives what it logged as an error. */
async function startRefused(dataDir: string, env: Record<string, string> = {}): Promise<LogLine[]> {
  const error: unknown = await startServer({ dataDir, project: null, env }).then(
    async (server) => {
      await server.stop();
      return new Error("the server has started");
    },
    (thrown: unknown) => thrown,
  );
  const [why, ...lines] = String(error instanceof Error ? error.message : error).split("\n");
  expect(why).toBe(`the server ended with code ${EXIT_CONFIG}`);
  return lines.map((line): LogLine => JSON.parse(line)).filter(({ level }) => level >= 50);
}

/** A folder in which one event is stored. */
async function fillFolder(dataDir: string): Promise<void> {
  const server = await startServer({ dataDir, env: { SENTRY_DSN: "off" } });
  const { eventId, envelope } = toEventEnvelope({ message: "kept" });
  await sendEnvelope(server, envelope);
  await waitForEvent(server, eventId);
  expect(await server.stop()).toBe(0);
}

test("a server refuses to start without one of its stores, in one line without a stack, and starts when it is put back", async () => {
  using data = makeTempFolder();
  await fillFolder(data.path);
  for (const name of ["state.sqlite", "journal", "payloads", "blobs"]) {
    const path = join(data.path, name);
    renameSync(path, `${path}.kept`);
    const errors = await startRefused(data.path);
    expect(errors).toHaveLength(1);
    expect(errors[0]?.msg).toContain(`${path} is missing`);
    expect(JSON.stringify(errors)).not.toContain("stack");
    expect(existsSync(path)).toBe(false);
    renameSync(`${path}.kept`, path);
  }
  await using server = await startServer({ dataDir: data.path });
  expect((await listIssues(server)).map(({ title, count }) => [title, count])).toEqual([["kept", "1"]]);
});

test("a server refuses a folder with a file of another user, and says whose it is", async () => {
  using data = makeTempFolder();
  await fillFolder(data.path);
  const path = join(data.path, "events.duckdb");
  chmodSync(path, 0o000);
  const isRoot = process.getuid?.() === 0;
  // Root may read everything: the server becomes another user.
  const env = { NODE_OPTIONS: "--import data:text/javascript,process.setuid?.(65534)" };
  if (isRoot) {
    for (const name of readdirSync(data.path, { recursive: true, encoding: "utf8" }))
      if (name !== "events.duckdb") chownSync(join(data.path, name), 65_534, 65_534);
    chownSync(data.path, 65_534, 65_534);
  }
  const errors = await startRefused(data.path, isRoot ? env : {});
  const whose = isRoot
    ? ": it belongs to the user 0, and Culprit runs as 65534. Give the folder to that user: chown -R"
    : ". ";
  expect(errors.map(({ msg }) => msg)).toEqual([
    expect.stringContaining(`${path} cannot be read and written (EACCES)${whose}`),
  ]);
});

test("a server refuses the event database of another folder", async () => {
  using data = makeTempFolder();
  using other = makeTempFolder();
  await fillFolder(data.path);
  await fillFolder(other.path);
  renameSync(join(other.path, "events.duckdb"), join(data.path, "events.duckdb"));
  const errors = await startRefused(data.path);
  expect(errors.map(({ msg }) => msg)).toEqual([expect.stringMatching(/events\.duckdb belongs to data folder \w{32}/)]);
});

test.each([
  { how: "missing", damage: (path: string) => rmSync(path) },
  { how: "garbage", damage: (path: string) => writeFileSync(path, "x".repeat(100_000)) },
  { how: "cut off", damage: (path: string) => truncateSync(path, statSync(path).size / 2) },
])("a server whose event database is $how makes it again, and takes events meanwhile", async ({ how, damage }) => {
  using data = makeTempFolder();
  const ids: string[] = [];
  await using first = await startServer({ dataDir: data.path, env: { SENTRY_DSN: "off" } });
  for (let index = 0; index < 5; index++) {
    const { eventId, envelope } = toEventEnvelope({ message: "kept", user: { id: index } });
    await sendEnvelope(first, envelope);
    await waitForEvent(first, eventId);
    ids.push(eventId);
  }
  expect(await first.stop()).toBe(0);
  damage(join(data.path, "events.duckdb"));

  await using server = await startServer({ dataDir: data.path, env: { SENTRY_DSN: "off" } });
  const { eventId, envelope } = toEventEnvelope({ message: "kept", user: { id: 5 } });
  await sendEnvelope(server, envelope);
  // Sent twice: the store knows it again.
  const repeat = toEventEnvelope({ message: "kept" }, ids[0]);
  await sendEnvelope(server, repeat.envelope);
  for (const id of [...ids, eventId]) await waitForEvent(server, id);
  expect((await listIssues(server)).map(({ title, count }) => [title, count])).toEqual([["kept", "6"]]);
  expect(server.logLines().some(({ msg }) => msg === "the event store is rebuilt")).toBe(true);
  expect(existsSync(join(data.path, "damaged"))).toBe(how !== "missing");
});

test("an event database that is older than the rest of its folder is told by check, and gets the missing rows back", async () => {
  using data = makeTempFolder();
  const env = { SENTRY_DSN: "off" };
  const run = async (message: string) => {
    await using server = await startServer({ dataDir: data.path, env });
    const { eventId, envelope } = toEventEnvelope({ message });
    await sendEnvelope(server, envelope);
    await waitForEvent(server, eventId);
    expect(await server.stop()).toBe(0);
  };
  await run("first");
  const path = join(data.path, "events.duckdb");
  copyFileSync(path, join(data.path, "older"));
  await run("second");
  renameSync(join(data.path, "older"), path);
  // As it goes when every store has applied the records of a segment.
  for (const name of readdirSync(join(data.path, "journal")))
    if (name.endsWith(".journal")) rmSync(join(data.path, "journal", name));

  const { code, stdout } = await runCommand("check", data.path, []);
  expect(code).toBe(2);
  expect(stdout).toMatch(/journal\n {2}what: it has no records, and the stores want those from 1 on/);
  await using server = await startServer({ dataDir: data.path, env });
  await server.waitForLog(({ msg }) => msg === "the event store is rebuilt");
  const events = await getJson<ApiEvent[]>(server, "/projects/default/shop/events/");
  expect(events.map(({ title }) => title)).toEqual(["second", "first"]);
});
