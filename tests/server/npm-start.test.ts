import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { expect, test } from "vitest";
import { makeTempFolder } from "../support/temp-folder.ts";

const root = new URL("../..", import.meta.url).pathname;

test("npm start on a checkout that is built installs and builds nothing, serves, and stops when it is told to", async () => {
  using folder = makeTempFolder();
  const child = spawn("npm", ["start"], {
    cwd: root,
    env: {
      ...process.env,
      // What npm test has put there for its own run.
      NODE_ENV: undefined,
      PORT: "0",
      HOST: "127.0.0.1",
      DATA_DIR: folder.path,
      LOG_FORMAT: "json",
      CULPRIT_ADMIN: "owner@example.com:correct horse battery",
      CULPRIT_PROJECT: "shop",
      MIN_FREE_DISK_BYTES: "0",
    },
    stdio: ["ignore", "pipe", "pipe"],
  });
  // Not when npm has ended: what the server has said last may not have been read then.
  const closed = new Promise<void>((resolve) => child.once("close", () => resolve()));
  const said: string[] = [];
  child.stderr.on("data", (chunk: Buffer) => said.push(chunk.toString("utf8")));
  const lines: string[] = [];
  createInterface({ input: child.stdout }).on("line", (line) => lines.push(line));
  const find = (text: string) => lines.find((line) => line.includes(text));

  try {
    await expect.poll(() => find('"msg":"ready"')).toBeDefined();
    const { port }: { port: number } = JSON.parse(find('"msg":"accepting events"') ?? "{}");
    expect(find('"dsn":"')).toMatch(/"dsn":"http:\/\/[0-9a-f]{32}@[^/"]+\/1"/);
    expect((await fetch(`http://127.0.0.1:${port}/healthz`)).status).toBe(200);
    const page = await fetch(`http://127.0.0.1:${port}/`);
    expect([page.status, new URL(page.url).pathname]).toEqual([200, "/sign-in"]);
    expect(said.join("")).not.toMatch(/installing|building/);
  } finally {
    child.kill("SIGTERM");
  }
  // npm tells how its script ended; what the server had to do is told by its last line.
  await closed;
  expect(find("stopped")).toBeDefined();
});

test("the server takes the place of the script: signals and the exit code are its own", async () => {
  using folder = makeTempFolder();
  const start = (env: Record<string, string>) => {
    const child = spawn(process.execPath, ["scripts/start.ts"], {
      cwd: root,
      env: { PATH: process.env.PATH, HOST: "127.0.0.1", DATA_DIR: folder.path, LOG_FORMAT: "json", ...env },
      stdio: ["ignore", "pipe", "pipe"],
    });
    const said: Buffer[] = [];
    child.stdout.on("data", (chunk: Buffer) => said.push(chunk));
    child.stderr.on("data", (chunk: Buffer) => said.push(chunk));
    const ended = new Promise<[number | null, string | null]>((done) => child.once("exit", (...how) => done(how)));
    return { child, ended, said: () => Buffer.concat(said).toString("utf8") };
  };

  const refused = start({ PORT: "none" });
  expect(await refused.ended).toEqual([1, null]);
  expect(refused.said()).toContain("PORT");
  expect(refused.said()).not.toContain("Warning");

  const { child, ended, said } = start({ PORT: "0" });
  await expect.poll(said).toContain('"msg":"ready"');
  const started = readFileSync(`/proc/${child.pid}/cmdline`, "utf8").split("\0");
  expect(started).toContain(`${root}build/node/server.js`);
  expect(started).not.toContain("scripts/start.ts");
  expect(readFileSync(`/proc/${child.pid}/environ`, "utf8").split("\0")).toContain("MALLOC_ARENA_MAX=2");
  child.kill("SIGTERM");
  expect(await ended).toEqual([0, null]);
  expect(said()).toContain('"msg":"stopped"');
});
