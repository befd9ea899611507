import { spawn } from "node:child_process";
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
  const exited = new Promise<number | null>((resolve) => child.once("exit", resolve));
  const said: string[] = [];
  child.stderr.on("data", (chunk: Buffer) => said.push(chunk.toString("utf8")));
  const lines: string[] = [];
  createInterface({ input: child.stdout }).on("line", (line) => lines.push(line));
  const find = (text: string) => lines.find((line) => line.includes(text));

  try {
    await expect.poll(() => find('"msg":"ready"'), { timeout: 60_000 }).toBeDefined();
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
  await exited;
  expect(find("stopped")).toBeDefined();
});
