import { existsSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { listIssues, sendEnvelope, toEventEnvelope, waitForEvent } from "../support/api.ts";
import { type LogLine, startServer } from "../support/start-server.ts";
import { makeTempFolder } from "../support/temp-folder.ts";

const EXIT_CONFIG = 78;

/** Starts a server that refuses to, without an owner to make; gives what it logged as an error. */
async function startRefused(dataDir: string): Promise<LogLine[]> {
  const error: unknown = await startServer({ dataDir, project: null }).then(
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
  for (const name of ["state.sqlite", "journal", "payloads", "blobs", "events.duckdb"]) {
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

test("a server refuses the event database of another folder, and goes on without its own when the operator accepts it", async () => {
  using data = makeTempFolder();
  using other = makeTempFolder();
  await fillFolder(data.path);
  await fillFolder(other.path);
  const path = join(data.path, "events.duckdb");
  renameSync(join(other.path, "events.duckdb"), path);
  const errors = await startRefused(data.path);
  expect(errors.map(({ msg }) => msg)).toEqual([expect.stringMatching(/events\.duckdb belongs to data folder \w{32}/)]);

  renameSync(path, `${path}.foreign`);
  writeFileSync(`${path}.accept-loss`, "");
  await using server = await startServer({ dataDir: data.path, env: { SENTRY_DSN: "off" } });
  expect(server.logLines().some(({ msg }) => msg === "the loss of a store is accepted")).toBe(true);
  expect(existsSync(`${path}.accept-loss`)).toBe(false);
  // Counts are in state, and stay.
  expect((await listIssues(server)).map(({ title, count }) => [title, count])).toEqual([["kept", "1"]]);
});
