import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openPayloadFiles } from "../../app/stores/files/open-payload-files.ts";
import {
  type ApiIssue,
  getJson,
  listIssues,
  send,
  sendEnvelope,
  sumOutcomes,
  toEventEnvelope,
  waitForEvent,
} from "../support/api.ts";
import { runCommand } from "../support/run-command.ts";
import { startServer, type TestServer } from "../support/start-server.ts";
import { makeTempFolder } from "../support/temp-folder.ts";

const ERASE_AT_ONCE = { ERASE_AFTER_HOURS: "0" };

/** An event of the issue that the word names, with a text that nothing else has. */
async function report(server: TestServer, word: string, marker: string): Promise<string> {
  const { eventId, envelope } = toEventEnvelope({
    exception: {
      values: [
        {
          type: `Error${word}`,
          value: marker,
          stacktrace: { frames: [{ function: `fail${word}`, filename: `${word}.js`, lineno: 1, in_app: true }] },
        },
      ],
    },
    tags: { marker },
    extra: { marker },
  });
  expect((await sendEnvelope(server, envelope)).status).toBe(200);
  await waitForEvent(server, eventId);
  return eventId;
}

async function issueOf(server: TestServer, word: string): Promise<ApiIssue | undefined> {
  return (await listIssues(server)).find(({ metadata }) => metadata.type === `Error${word}`);
}

/**
 * Files of the data folder that hold the text, payloads as they were before they were compressed. Not the event database: it deletes rows,
 * and writes over their bytes when it needs the room.
 */
async function filesWith(dataDir: string, text: string): Promise<string[]> {
  const found: string[] = [];
  for (const entry of await readdir(dataDir, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile() || entry.name.startsWith("events.duckdb")) continue;
    const path = join(entry.parentPath, entry.name);
    if ((await readFile(path)).includes(text)) found.push(path.slice(dataDir.length + 1));
  }
  const payloads = await openPayloadFiles({ dir: join(dataDir, "payloads") });
  for (const { fileId } of await payloads.listFiles()) {
    for await (const part of payloads.readLog(fileId, 0)) {
      if (part.kind !== "entry") continue;
      const blocks = [part.bytes];
      for (let place = 0; part.refOf(place).index >= 0; place++)
        blocks.push((await payloads.read(part.refOf(place))) ?? new Uint8Array(0));
      if (blocks.some((bytes) => Buffer.from(bytes).includes(text))) found.push(`payloads of ${fileId}`);
    }
  }
  await payloads.close();
  return found;
}

const whenErased = (server: TestServer) =>
  server.waitForLog(({ msg }) => msg === "what was deleted is in no file any more");

test("an issue and an event are gone at once, soon from every file, and do not come back with a rebuild", async () => {
  using data = makeTempFolder();
  const server = await startServer({ dataDir: data.path, env: ERASE_AT_ONCE });
  await report(server, "Gone", "MARKERGONEONE");
  const second = await report(server, "Gone", "MARKERGONETWO");
  const first = await report(server, "Kept", "MARKERKEPTONE");
  const latest = await report(server, "Kept", "MARKERKEPTTWO");
  const [gone, kept] = [await issueOf(server, "Gone"), await issueOf(server, "Kept")];
  expect(kept?.metadata.value).toBe("MARKERKEPTTWO");
  expect(await filesWith(data.path, "MARKERGONETWO")).not.toEqual([]);

  expect((await send(server, "DELETE", `/organizations/default/issues/${gone?.id}/`)).status).toBe(202);
  expect((await send(server, "DELETE", `/projects/default/shop/events/${latest}/`)).status).toBe(202);
  expect(await issueOf(server, "Gone")).toBeUndefined();
  for (const path of [`/organizations/default/issues/${gone?.id}/`, `/projects/default/shop/events/${second}/`])
    await expect(getJson(server, path), path).rejects.toThrow("404");
  await expect(getJson(server, `/projects/default/shop/events/${latest}/`)).rejects.toThrow("404");
  expect((await send(server, "DELETE", `/projects/default/shop/events/${latest}/`)).status).toBe(404);
  // The issue says what the event that is left says, and goes on counting the other as seen.
  expect(await issueOf(server, "Kept")).toMatchObject({ count: "2", metadata: { value: "MARKERKEPTONE" } });
  expect(await sumOutcomes(server, { category: "error", outcome: "accepted" })).toBe(4);

  await whenErased(server);
  for (const marker of ["MARKERGONEONE", "MARKERGONETWO", "MARKERKEPTTWO"])
    expect(await filesWith(data.path, marker), marker).toEqual([]);
  expect(await waitForEvent(server, first)).toMatchObject({ eventID: first });
  expect(await server.stop()).toBe(0);

  const rebuilt = await runCommand("rebuild", data.path, []);
  expect(rebuilt.stdout).toContain("Done: 1 rows.");
  await using again = await startServer({ dataDir: data.path });
  expect(await waitForEvent(again, first)).toMatchObject({ eventID: first });
  expect((await listIssues(again)).map(({ metadata }) => metadata.type)).toEqual(["ErrorKept"]);
  // The same error again is a new issue.
  await report(again, "Gone", "again");
  const made = await issueOf(again, "Gone");
  expect(made?.count).toBe("1");
  expect(made?.id).not.toBe(gone?.id);
});

test("the last event of an issue takes the issue with it, and lists of issues are deleted by id or query", async () => {
  await using server = await startServer();
  const only = await report(server, "Only", "alone");
  expect((await send(server, "DELETE", `/projects/default/shop/events/${only}/`)).status).toBe(202);
  expect(await issueOf(server, "Only")).toBeUndefined();

  for (const word of ["One", "Two", "Three", "Four"]) await report(server, word, `text of ${word}`);
  const [one, two] = [await issueOf(server, "One"), await issueOf(server, "Two")];
  expect((await send(server, "DELETE", "/projects/default/shop/issues/")).status).toBe(400);
  const named = await send(server, "DELETE", `/projects/default/shop/issues/?id=${one?.id}&id=${two?.id}`);
  expect(named.status).toBe(204);
  expect((await listIssues(server)).map(({ metadata }) => metadata.type).sort()).toEqual(["ErrorFour", "ErrorThree"]);
  expect((await send(server, "DELETE", "/organizations/default/issues/?query=ErrorFour")).status).toBe(204);
  expect((await listIssues(server)).map(({ metadata }) => metadata.type)).toEqual(["ErrorThree"]);
});

test("a project is gone with everything in it, and its DSN is an unknown one", async () => {
  using data = makeTempFolder();
  await using server = await startServer({ dataDir: data.path, env: ERASE_AT_ONCE });
  await report(server, "Project", "MARKERPROJECT");
  const { envelope } = toEventEnvelope({ message: "MARKERPROJECT late" });
  expect((await send(server, "DELETE", "/projects/default/culprit/")).status).toBe(409);
  expect((await send(server, "DELETE", "/projects/default/shop/")).status).toBe(204);
  await expect(getJson(server, "/projects/default/shop/")).rejects.toThrow("404");
  expect([401, 403]).toContain((await sendEnvelope(server, envelope)).status);
  await whenErased(server);
  expect(await filesWith(data.path, "MARKERPROJECT")).toEqual([]);
});

test("a deletion that is killed anywhere is done after the next start", async () => {
  using data = makeTempFolder();
  let server = await startServer({ dataDir: data.path });
  for (let number = 0; number < 20; number++) await report(server, "Killed", `MARKERKILLED${number}.`);
  await report(server, "Kept", "kept");
  const issue = await issueOf(server, "Killed");
  const asked = send(server, "DELETE", `/organizations/default/issues/${issue?.id}/`).catch(() => undefined);
  for (let kill = 0; kill < 3; kill++) {
    // The first one as early as it may come, the others in the job.
    if (kill === 0) await asked;
    await server.kill9();
    server = await startServer({ dataDir: data.path, env: ERASE_AT_ONCE });
  }
  await whenErased(server);
  expect(await filesWith(data.path, "MARKERKILLED")).toEqual([]);
  expect((await listIssues(server)).map(({ metadata }) => metadata.type)).toEqual(["ErrorKept"]);
  await server.stop();
});
