import { request } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { START_ARGS, START_ENV } from "../../scripts/start.ts";
import { toEventEnvelope } from "../support/api.ts";
import { startCommand } from "../support/start-command.ts";
import { makeTempFolder } from "../support/temp-folder.ts";

const root = new URL("../..", import.meta.url).pathname;
const SEND_EVERY_MS = 20;

test("no event is refused while one server follows another on the socket of systemd", async () => {
  using data = makeTempFolder();
  const args = ["tests/support/hold-socket.mjs", process.execPath, ...START_ARGS, "server.ts"];
  const holder = startCommand(process.execPath, args, {
    cwd: root,
    env: {
      ...START_ENV,
      // The socket that is inherited goes before it.
      PORT: "1",
      DATA_DIR: data.path,
      CULPRIT_ADMIN: "owner@example.com:correct horse battery",
      CULPRIT_PROJECT: "shop",
    },
  });
  const port = Number((await holder.waitFor("holds")).port);
  const key = new URL(String((await holder.waitFor("DSN of shop")).dsn)).username;
  const stopRun = async (run: number) => process.kill(Number((await holder.waitFor("runs", run)).pid), "SIGTERM");

  const answers: Array<Promise<number>> = [];
  let isSending = true;
  const sending = (async () => {
    while (isSending) {
      answers.push(postEnvelope(port, key));
      await sleep(SEND_EVERY_MS);
    }
  })();
  await holder.waitFor("ready");
  await stopRun(1);
  await holder.waitFor("stopped");
  const sentBefore = answers.length;
  expect(await holder.waitFor("accepting events", 2)).toMatchObject({ port });
  isSending = false;
  await sending;
  expect(answers.length).toBeGreaterThan(sentBefore);
  expect(new Set(await Promise.all(answers))).toEqual(new Set([200]));
  await holder.waitFor("ready", 2);
  await stopRun(2);
  expect(await holder.ended).toBe(0);
});

/** Over a connection of its own, as a new client makes it. Resolves with the status; fails when it is refused or cut. */
function postEnvelope(port: number, key: string): Promise<number> {
  return new Promise((done, fail) => {
    const sent = request(
      { host: "127.0.0.1", port, method: "POST", path: `/api/1/envelope/?sentry_key=${key}`, agent: false },
      (answer) => {
        answer.resume();
        answer.once("end", () => done(answer.statusCode ?? 0));
      },
    );
    sent.once("error", fail);
    sent.end(toEventEnvelope({ message: "sent during an upgrade" }).envelope);
  });
}
