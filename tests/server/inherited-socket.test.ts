import { request } from "node:http";
import { expect, test } from "vitest";
import { START_ARGS, START_ENV } from "../../scripts/start.ts";
import { toEventEnvelope } from "../support/api.ts";
import { startCommand } from "../support/start-command.ts";
import { makeTempFolder } from "../support/temp-folder.ts";

const root = new URL("../..", import.meta.url).pathname;

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

  try {
    await holder.waitFor("ready");
    expect(await postEnvelope(port, key)).toBe(200);
    await stopRun(1);
    await holder.waitFor("stopped");
    // The next one starts at once, and takes a while until it accepts: these connect, and wait for it.
    const answers = Array.from({ length: 10 }, () => postEnvelope(port, key));
    expect(await holder.waitFor("accepting events", 2)).toMatchObject({ port });
    expect(await Promise.all(answers)).toEqual(answers.map(() => 200));
    await holder.waitFor("ready", 2);
  } finally {
    await stopRun(2);
  }
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
        answer.once("error", fail);
      },
    );
    sent.once("error", fail);
    sent.end(toEventEnvelope({ message: "sent during an upgrade" }).envelope);
  });
}
