import { spawn } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { getJson, listIssues, waitFor } from "../support/api.ts";
import { makeTempFolder } from "../support/temp-folder.ts";

const root = new URL("../..", import.meta.url).pathname;
const TOKEN = "token-of-the-demo";

/** As `npm run demo` does, on a checkout that is built. */
function startDemo(dataDir: string) {
  const child = spawn(process.execPath, ["scripts/start.ts", "scripts/demo.ts"], {
    cwd: root,
    env: {
      PATH: process.env.PATH,
      PORT: "0",
      DATA_DIR: dataDir,
      CULPRIT_TOKEN: TOKEN,
      LOG_FORMAT: "json",
      MIN_FREE_DISK_BYTES: "0",
    },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let said = "";
  const collect = (chunk: Buffer) => {
    said += chunk.toString("utf8");
  };
  child.stdout.on("data", collect);
  child.stderr.on("data", collect);
  const ended = new Promise<number | null>((done) => child.once("exit", done));
  return { child, ended, said: () => said };
}

test("npm run demo fills an empty folder with the life of a shop, and says how to sign in", async () => {
  using folder = makeTempFolder();
  const demo = startDemo(join(folder.path, "data"));
  try {
    await expect.poll(demo.said, { timeout: 60_000 }).toMatch(/Sign in as demo@example\.com with the password \S{8,}/);
    const count = Number(/culprit: (\d+) events/.exec(demo.said())?.[1]);
    const server = { url: `http://127.0.0.1:${/"port":(\d+)/.exec(demo.said())?.[1]}`, token: TOKEN };
    await waitFor("all events", async () => {
      const lists = await Promise.all(["web", "api", "billing"].map((project) => listIssues(server, "", project)));
      expect(lists.every((issues) => issues.length > 1)).toBe(true);
      return lists.flat().reduce((sum, issue) => sum + Number(issue.count), 0) === count;
    });
    const projects = await getJson<Array<{ slug: string; platform: string }>>(server, "/projects/");
    const platforms = projects.map(({ slug, platform }) => [slug, platform]);
    expect(platforms).toEqual(
      expect.arrayContaining([
        ["web", "javascript-react"],
        ["billing", "python"],
      ]),
    );
  } finally {
    demo.child.kill("SIGTERM");
  }
  expect(await demo.ended).toBe(0);
});

test("npm run demo does not touch a folder that holds anything", async () => {
  using folder = makeTempFolder();
  writeFileSync(join(folder.path, "state.sqlite"), "");
  const demo = startDemo(folder.path);
  expect(await demo.ended).toBe(1);
  expect(demo.said()).toContain(`${folder.path} holds data already`);
});
