import { type ChildProcess, spawn } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { afterAll, beforeAll, expect, test } from "vitest";
import { getLatestEvent, listIssues, waitFor } from "../support/api.ts";
import { signIn } from "../support/browse.ts";
import { makeProject } from "../support/make-project.ts";
import { startServer, type TestServer } from "../support/start-server.ts";
import { makeTempFolder } from "../support/temp-folder.ts";
import { openBrowser } from "./open-browser.ts";
import { hasProgram, INSTALL_TIMEOUT_MS } from "./run-toolchain.ts";
import { PYTHON, SDK_APPS } from "./sdk-apps.ts";
import { bundle } from "./serve-browser-app.ts";

const FOLDER = join(import.meta.dirname, "checkout");
const started: ChildProcess[] = [];
let server: TestServer;
let pythonProblem: string | null;

beforeAll(async () => {
  server = await startServer();
  pythonProblem = hasProgram("python3") ? await SDK_APPS.python.prepare() : "there is no python3";
}, INSTALL_TIMEOUT_MS);
afterAll(async () => {
  for (const child of started) child.kill("SIGKILL");
  await server?.[Symbol.asyncDispose]();
});

/** A service in a process of its own. Resolves with its origin, the first line that it prints. */
async function startService(program: string, args: string[], env: Record<string, string>): Promise<string> {
  const child = spawn(program, args, {
    cwd: FOLDER,
    env: { PATH: process.env.PATH, ...env },
    stdio: ["ignore", "pipe", "inherit"],
  });
  started.push(child);
  const lines = createInterface({ input: child.stdout as NodeJS.ReadableStream });
  return new Promise((done, fail) => {
    lines.once("line", done);
    child.once("exit", (code) => fail(new Error(`${program} ended with ${code}`)));
  });
}

test("a page of the React Router SDK, a Node service and a Python service are lanes of one failure", async ({
  skip,
}) => {
  skip(pythonProblem !== null, pythonProblem ?? "");
  const [shop, web, payments] = await Promise.all(
    ["web-shop", "shop-web", "payments"].map((slug) => makeProject(server, slug)),
  );
  if (!shop || !web || !payments) throw new Error("three projects were asked for");
  const paymentsOrigin = await startService(PYTHON, ["payments.py"], { SENTRY_DSN: payments.dsn });
  using folder = makeTempFolder();
  const script = join(folder.path, "app.js");
  writeFileSync(script, await bundle("checkout.js"));
  const webOrigin = await startService(process.execPath, ["--import", "./instrument.mjs", "web.mjs"], {
    SENTRY_DSN: web.dsn,
    PAYMENTS: paymentsOrigin,
    BROWSER_APP: script,
  });
  await using browser = await openBrowser();
  const { page } = await browser.openPage(server.url);
  await page.goto(`${webOrigin}/?options=${encodeURIComponent(JSON.stringify({ dsn: shop.dsn }))}`);
  await page.click("#pay");
  const issue = await waitFor("the browser's error", async () => (await listIssues(server, "", "web-shop"))[0]);
  await page.evaluate(() => window.sdk.flush());
  const { eventID } = await getLatestEvent(server, issue);

  const owner = await signIn(server);
  const read = async () => (await owner.open(`/events/${eventID}/timeline.md`)).html;
  for (const words of ["Errors**: 3 errors", "web-shop · browser", "Queries**: 2 queries", "Logs**: 3 lines"])
    await expect.poll(read, { interval: 500 }).toContain(words);
  const markdown = await read();
  // The order in which it went wrong, told by three SDKs in three projects.
  expect(markdown).toMatch(
    /What failed, in order\*\*: `SELECT \* FROM charges.*internal error after .*→ .*QueryCanceled.*→ .*PaymentUnavailable.*→ TypeError /,
  );
  expect(markdown).toMatch(/\*\*Network\*\*: \d+ requests?/);
  expect(markdown).toMatch(/\*\*What the user did\*\*: \d+ actions?/);
  expect(markdown).toMatch(/shop-web: .*POST \/api\/checkout \[502\]/);
  expect(markdown).toMatch(/payments: .*\[502\]/);
  expect(markdown).toMatch(/Replay\*\*: not sent.*replaysOnErrorSampleRate/);
}, 240_000);
