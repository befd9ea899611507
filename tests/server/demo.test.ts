import { spawn } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { getJson, listIssues, waitFor } from "../support/api.ts";
import { makeTempFolder } from "../support/temp-folder.ts";

const root = new URL("../..", import.meta.url).pathname;
const TOKEN = "token-of-the-demo";
const ORGANIZATION = "/organizations/default";

/** Of docs/search.md: who reads it tries them on the demo. */
const EXAMPLES = {
  issues: [
    "connection failed",
    '"connection failed"',
    "plan:pro",
    'plan:[pro, "free trial"]',
    'plan:"free trial"',
    "!plan:pro",
    "url:*/checkout*",
    "*:pro",
    'message:"Cannot read"*',
    "release:>shop@2.3",
    "plan:pro os.name:macOS",
  ],
  spans: [
    "span.op:db span.duration:>500ms customer.tier:gold",
    "cart.items:>20 cart.items:<=50",
    "roles:admin",
    "!roles:admin has:roles",
  ],
  logs: ["duration.ms:>2s"],
};

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
    await expect.poll(demo.said).toMatch(/Sign in as demo@example\.com with the password \S{8,}/);
    const [errors = 0, transactions = 0, lines = 0] = (
      /has (\d+) errors, (\d+) transactions and (\d+) log lines/.exec(demo.said())?.slice(1) ?? []
    ).map(Number);
    const server = { url: `http://127.0.0.1:${/"port":(\d+)/.exec(demo.said())?.[1]}`, token: TOKEN };
    const lists = await Promise.all(["web", "api", "billing"].map((project) => listIssues(server, "", project)));
    expect(lists.every((issues) => issues.length > 1)).toBe(true);
    const events = lists.flat().filter(({ title }) => !title.startsWith("send-reminders"));
    expect(events.reduce((sum, issue) => sum + Number(issue.count), 0)).toBe(errors);

    const count = async (dataset: string, query: string) => {
      const asked = `dataset=${dataset}&field=count()&statsPeriod=30d&query=${encodeURIComponent(query)}`;
      const { data } = await getJson<{ data: Array<Record<string, number>> }>(
        server,
        `${ORGANIZATION}/events/?${asked}`,
      );
      return data[0]?.["count()"];
    };
    await waitFor("its traces and logs", async () => {
      expect(await count("spans", "is_transaction:true !project:culprit")).toBe(transactions);
      return (await count("logs", "!project:culprit")) === lines;
    });
    const find = (query: string) =>
      getJson<unknown[]>(server, `${ORGANIZATION}/issues/?query=${encodeURIComponent(query)}`);
    for (const query of EXAMPLES.issues) expect([query, (await find(query)).length > 0]).toEqual([query, true]);
    for (const query of EXAMPLES.spans) expect([query, Number(await count("spans", query)) > 0]).toEqual([query, true]);
    for (const query of EXAMPLES.logs) expect([query, Number(await count("logs", query)) > 0]).toEqual([query, true]);
    const people = await getJson<unknown[]>(server, `${ORGANIZATION}/members/`);
    expect(people).toHaveLength(4);
    const projects = await getJson<Array<{ slug: string; platform: string }>>(server, "/projects/");
    const platforms = projects.map(({ slug, platform }) => [slug, platform]);
    expect(platforms).toEqual(
      expect.arrayContaining([
        ["web", "javascript-react"],
        ["api", "python-django"],
        ["billing", "node"],
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
