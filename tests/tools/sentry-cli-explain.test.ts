import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { getJson, sendEnvelope, toEventEnvelope, waitForEvent } from "../support/api.ts";
import { writeBuiltApp } from "../support/built-app.ts";
import { makeToken } from "../support/make-token.ts";
import { findSentryCli, runSentryCli } from "../support/sentry-cli.ts";
import { type CheckingProxy, startCheckingProxy } from "../support/start-checking-proxy.ts";
import { startServer, type TestServer } from "../support/start-server.ts";
import { makeTempFolder } from "../support/temp-folder.ts";

const SCRIPT = "https://shop.example/assets/app.js";

let server: TestServer;
let proxy: CheckingProxy;
let token: string;

beforeAll(async () => {
  server = await startServer();
  proxy = await startCheckingProxy(server);
  token = await makeToken(
    { ...server, url: proxy.url },
    { kind: "personal", scopes: ["org:read", "project:read", "project:releases", "event:read"] },
  );
});
afterEach(() => {
  expect(proxy.contradictions).toEqual([]);
});
afterAll(async () => {
  await proxy?.[Symbol.asyncDispose]();
  await server?.[Symbol.asyncDispose]();
});

interface Place {
  lineno?: number;
  abs_path?: string;
  dist?: string;
  debugId?: string;
}

/** Gives the id of an event with one frame, once it is stored. */
async function sendError(
  release: string | null,
  { lineno = 1, abs_path = SCRIPT, dist, debugId }: Place = {},
): Promise<string> {
  const frames = [{ abs_path, filename: abs_path, function: "a", lineno, colno: 20, in_app: true }];
  const { eventId, envelope } = toEventEnvelope({
    platform: "javascript",
    ...(release === null ? {} : { release }),
    ...(dist ? { dist } : {}),
    ...(debugId ? { debug_meta: { images: [{ type: "sourcemap", code_file: abs_path, debug_id: debugId }] } } : {}),
    exception: { values: [{ type: "Error", value: crypto.randomUUID(), stacktrace: { frames } }] },
  });
  await sendEnvelope(server, envelope);
  await waitForEvent(server, eventId);
  return eventId;
}

describe.runIf(findSentryCli("2.x") !== null)("sentry-cli 2.x sourcemaps explain", () => {
  const run = (...args: string[]) => runSentryCli("2.x", args, { url: proxy.url, token });
  const explain = async (eventId: string) => (await run("sourcemaps", "explain", eventId)).output;

  async function upload(release: string): Promise<void> {
    using folder = makeTempFolder();
    const dist = writeBuiltApp(folder.path, release);
    const { code, output } = await run("sourcemaps", "upload", "--release", release, dist);
    expect(code, output).toBe(0);
  }

  test("says where a mapped frame comes from", async () => {
    await upload("mapped");
    const output = await explain(await sendError("mapped"));
    expect(output).toContain("already source mapped");
    expect(output).toContain('>   throw new Error("mapped");');
  });

  test("says that nothing was uploaded for the release", async () => {
    expect(await explain(await sendError("nothing"))).toContain("Release has no artifacts uploaded");
  });

  test("says that the script was not uploaded", async () => {
    await upload("another");
    const eventId = await sendError("another", { abs_path: "https://shop.example/assets/other.js" });
    expect(await explain(eventId)).toContain("Uploaded artifacts do not include entry: ~/assets/other.js");
  });

  test("says that the dist is another", async () => {
    await upload("dist");
    const output = await explain(await sendError("dist", { dist: "b" }));
    expect(output).toContain("Artifact ~/assets/app.js found");
    expect(output).toContain("distribution mismatch. Event: b, Artifact: [none]");
  });

  test("goes the way to the source itself when it is told to", async () => {
    await upload("forced");
    const { code, output } = await run("sourcemaps", "explain", "--force", await sendError("forced"));
    expect(output).toContain("Successfully fetched ~/assets/app.js.map file from the server");
    expect(output).toContain("Sourcemap position resolves to:");
    expect(output).toContain('throw new Error("forced");');
    expect(code, output).toBe(0);
  });

  test("shows the nearest place where the map has none, which the doctor knows to be of another build", async () => {
    await upload("mismatch");
    const eventId = await sendError("mismatch", { lineno: 900 });
    expect(await explain(eventId)).toContain("Sourcemap position resolves to:");
    const doctor = await getJson<{ summary: string[] }>(
      server,
      `/projects/default/shop/sourcemaps/doctor/?event=${eventId}`,
    );
    expect(doctor.summary[0]).toContain("it belongs to another build of the file");
  });

  test("knows a frame that a debug id has mapped, and of others looks only at the release", async () => {
    using folder = makeTempFolder();
    const dist = writeBuiltApp(folder.path, "by debug id");
    await run("sourcemaps", "inject", dist);
    const script = readFileSync(join(dist, "assets", "app.js"), "utf8");
    const debugId = /debugId=([0-9a-f-]{36})/.exec(script)?.[1] ?? "";
    const lineno = script.split("\n").findIndex((line) => line.includes("throw")) + 1;
    expect((await run("sourcemaps", "upload", dist)).code).toBe(0);
    const release = "with debug ids";
    expect(await explain(await sendError(release, { debugId, lineno }))).toContain("already source mapped");
    const missing = await sendError(release, { debugId: crypto.randomUUID(), lineno });
    expect(await explain(missing)).toContain("Release has no artifacts uploaded");
    expect(await explain(await sendError(null, { debugId: crypto.randomUUID(), lineno }))).toContain(
      "Event is missing a release name",
    );
  });

  test("says that there is no such event", async () => {
    expect(await explain("0".repeat(31).concat("1"))).toContain("Could not retrieve event");
  });
});

test.runIf(findSentryCli("3.x") !== null)("sentry-cli 3.x has no sourcemaps explain, and says so", async () => {
  const { code, output } = await runSentryCli("3.x", ["sourcemaps", "explain", "1".repeat(32)], {
    url: proxy.url,
    token,
  });
  expect(code).not.toBe(0);
  expect(output).toContain("unrecognized subcommand 'explain'");
});
