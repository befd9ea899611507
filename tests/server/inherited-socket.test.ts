import { Agent, request } from "node:http";
import { expect, test } from "vitest";
import { START_ARGS, START_ENV } from "../../scripts/start.ts";
import { toEventEnvelope } from "../support/api.ts";
import { startCommand } from "../support/start-command.ts";
import { makeTempFolder } from "../support/temp-folder.ts";

const TOKEN = "token-of-the-owner";
const root = new URL("../..", import.meta.url).pathname;

const RUNS = 3;
const SENDERS = 6;

test("no event is refused, cut off or lost while servers follow each other on the socket of systemd", {
  timeout: 240_000,
}, async () => {
  using data = makeTempFolder();
  const args = ["tests/support/hold-socket.mjs", process.execPath, ...START_ARGS, "build/node/server.js"];
  const holder = startCommand(process.execPath, args, {
    cwd: root,
    env: {
      ...START_ENV,
      RUNS: String(RUNS),
      // The socket that is inherited goes before it.
      PORT: "1",
      DATA_DIR: data.path,
      CULPRIT_ADMIN: "owner@example.com:correct horse battery",
      CULPRIT_TOKEN: TOKEN,
      CULPRIT_PROJECT: "shop",
    },
  });
  const port = Number((await holder.waitFor("holds")).port);
  const key = new URL(String((await holder.waitFor("DSN of shop")).dsn)).username;
  const stopRun = async (run: number) => process.kill(Number((await holder.waitFor("runs", run)).pid), "SIGTERM");
  let isOver = false;
  const statuses: number[] = [];

  /** One after the other over connections that it keeps, as SDKs do. */
  async function sendUntilOver(): Promise<void> {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    while (!isOver) statuses.push(await postEnvelope(port, key, agent));
    agent.destroy();
  }

  try {
    await holder.waitFor("ready");
    const sending = Promise.all(Array.from({ length: SENDERS }, sendUntilOver));
    for (let run = 1; run < RUNS; run++) {
      const before = statuses.length;
      await expect.poll(() => statuses.length).toBeGreaterThan(before + 5 * SENDERS);
      await stopRun(run);
      await holder.waitFor("stopped", run);
      // The next one starts at once, and takes a while until it accepts: this one connects, and waits for it.
      statuses.push(await postEnvelope(port, key));
      expect(await holder.waitFor("accepting events", run + 1)).toMatchObject({ port });
      await holder.waitFor("ready", run + 1);
    }
    isOver = true;
    await sending;
    expect(statuses).toEqual(statuses.map(() => 200));
    await expect.poll(() => countStored(port)).toBe(statuses.length);
  } finally {
    isOver = true;
    await stopRun(RUNS);
  }
  expect(await holder.ended).toBe(0);
});

/** Of the one issue that the events make. */
async function countStored(port: number): Promise<number> {
  const answer = await fetch(`http://127.0.0.1:${port}/api/0/projects/default/shop/issues/`, {
    headers: { authorization: `Bearer ${TOKEN}` },
  });
  const issues = (await answer.json()) as Array<{ count: string }>;
  return Number(issues[0]?.count);
}

/**
 * Resolves with the status. Fails when the connection is refused or cut; but one that was kept may have been closed before the request came to
 * it: it is sent once more then, over a new one, as browsers and SDKs do.
 */
async function postEnvelope(port: number, key: string, agent?: Agent): Promise<number> {
  const { envelope } = toEventEnvelope({ message: "sent during an upgrade" });
  try {
    return await post(port, key, envelope, agent);
  } catch (error) {
    if (!(error instanceof ClosedBefore)) throw error;
    return await post(port, key, envelope);
  }
}

class ClosedBefore extends Error {}

function post(port: number, key: string, envelope: string, agent?: Agent): Promise<number> {
  return new Promise((done, fail) => {
    const path = `/api/1/envelope/?sentry_key=${key}`;
    const sent = request({ host: "127.0.0.1", port, method: "POST", path, agent: agent ?? false }, (answer) => {
      answer.resume();
      answer.once("end", () => done(answer.statusCode ?? 0));
      answer.once("error", fail);
    });
    sent.once("error", (error) => fail(sent.reusedSocket ? new ClosedBefore() : error));
    sent.end(envelope);
  });
}
