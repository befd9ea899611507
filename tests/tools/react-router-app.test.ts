import { spawn } from "node:child_process";
import { globSync } from "node:fs";
import { createInterface } from "node:readline";
import type { Page } from "@playwright/test";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import type { OpenBrowser } from "../sdk/open-browser.ts";
import { type ApiIssue, getLatestEvent, listIssues, waitFor } from "../support/api.ts";
import { type MadeProject, makeProject } from "../support/make-project.ts";
import { makeToken } from "../support/make-token.ts";
import type { ProgramResult } from "../support/run-to-end.ts";
import { type CheckingProxy, startCheckingProxy } from "../support/start-checking-proxy.ts";
import { startServer, type TestServer } from "../support/start-server.ts";
import { openBrowserIfThere, requireBrowser } from "./open-browser-if-there.ts";
import { checkOutApp, findLine, type PluginApp } from "./plugin-app.ts";
import { expectReleased, ownFramesOf, readOpenSource } from "./plugin-results.ts";

const VERSION = "storefront@1.2.0";

let server: TestServer;
let proxy: CheckingProxy;
let browser: OpenBrowser | null;
let project: MadeProject;
/** Built and running. */
let app: PluginApp;
let built: ProgramResult;
let site: { origin: string } & AsyncDisposable;

beforeAll(async () => {
  [server, browser] = await Promise.all([startServer(), openBrowserIfThere()]);
  proxy = await startCheckingProxy(server);
  project = await makeProject(server, "storefront");
  const token = await makeToken({ ...server, url: proxy.url }, { scopes: ["org:ci"] });
  app = checkOutApp("react-router");
  built = await app.build({ url: proxy.url, project: project.slug, token }, { VITE_SENTRY_DSN: project.dsn });
  expect(built.code, built.output).toBe(0);
  site = await serveSite(app, project);
});
afterEach(() => {
  expect(proxy.contradictions).toEqual([]);
});
afterAll(async () => {
  await site?.[Symbol.asyncDispose]();
  app?.[Symbol.dispose]();
  await browser?.[Symbol.asyncDispose]();
  await proxy?.[Symbol.asyncDispose]();
  await server?.[Symbol.asyncDispose]();
});

/** The built application on a server of its own, which reports to the project. */
async function serveSite({ folder }: PluginApp, { dsn }: MadeProject): Promise<typeof site> {
  const child = spawn(process.execPath, ["--import", "./instrument.server.mjs", "server.mjs"], {
    cwd: folder,
    env: { PATH: process.env.PATH, NODE_ENV: "production", SENTRY_DSN: dsn },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const ended = new Promise<void>((done) => child.once("exit", () => done()));
  const port = await new Promise<string>((done, fail) => {
    createInterface({ input: child.stdout }).on("line", (line) => {
      const found = /^listening on (\d+)$/.exec(line)?.[1];
      if (found) done(found);
    });
    ended.then(() => fail(new Error("the application's server ended")));
  });
  return {
    origin: `http://127.0.0.1:${port}`,
    async [Symbol.asyncDispose]() {
      child.kill("SIGKILL");
      await ended;
    },
  };
}

function waitForIssue(title: string): Promise<ApiIssue> {
  return waitFor(title, async () =>
    (await listIssues(server, "", project.slug)).find((issue) => issue.title === title),
  );
}

async function openShop(context: Parameters<typeof requireBrowser>[1]): Promise<Page> {
  const { page } = await requireBrowser(browser, context).openPage(server.url);
  await page.goto(site.origin, { waitUntil: "networkidle" });
  return page;
}

/** The page of an issue, as its owner sees it. */
async function openIssue(page: Page, issue: ApiIssue): Promise<void> {
  await page.goto(`${server.url}/sign-in`);
  await page.getByLabel("E-mail").fill(server.owner.email);
  await page.getByLabel("Password").fill(server.owner.password);
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.getByRole("heading", { name: "Issues", level: 1 }).waitFor();
  await page.goto(`${server.url}/issues/${issue.id}`);
}

test("the build makes the release with its commits, uploads both sides' source maps, and leaves none", async () => {
  expect(built.output).not.toContain("[Sentry] Could not");
  await expectReleased(server, { app, project: project.slug, version: VERSION });
  expect(globSync("build/{client,server}/**/*.js", { cwd: app.folder }).length).toBeGreaterThan(4);
  expect(globSync("build/**/*.map", { cwd: app.folder })).toEqual([]);
});

test("an error of a click is readable on the issue's page, beside what was sent, and as plain text", async (context) => {
  const page = await openShop(context);
  await page.getByRole("button", { name: "Pay" }).click();
  const issue = await waitForIssue("RangeError: no discount on 35");
  expect((await getLatestEvent(server, issue)).release?.version).toBe(VERSION);

  await openIssue(page, issue);
  const { lineNo, source: failing } = findLine("react-router", "app/total.ts", "throw new RangeError");
  const stack = page.getByRole("region", { name: "Stack trace", exact: true });
  const source = stack.getByRole("region", { name: new RegExp(`^Source of app/total\\.ts:${lineNo}:\\d+$`) });
  await source.waitFor();
  expect(await source.getByRole("listitem").and(page.locator("[aria-current]")).innerText()).toContain(failing);
  const frames = stack.getByRole("list", { name: "Stack trace of RangeError, newest call first" });
  const [thrower, caller] = await frames.getByRole("listitem").filter({ hasText: "In app" }).allInnerTexts();
  expect(thrower).toMatch(/^app\/total\.ts:\d+:\d+\s+in\s+totalOf/);
  expect(caller).toMatch(/^app\/routes\/cart\.tsx:\d+:\d+\s+in\s+pay/);

  const choose = (name: string, option: string) =>
    stack.getByRole("navigation", { name }).getByRole("link", { name: option, exact: true }).click();
  await choose("Frames shown", "Raw");
  await stack.getByText(`at totalOf (app/total.ts:${lineNo}:`).waitFor();
  await choose("Source of frames", "As sent");
  await stack.getByText(/at \S+ \(\S*\/assets\/\S+\.js:\d+:\d+\)/).waitFor();
  expect(await stack.getByText("app/total.ts").count()).toBe(0);
});

test("an error of a component is readable, reported once, and the boundary is shown", async (context) => {
  const page = await openShop(context);
  await page.getByRole("button", { name: "Show the receipt" }).click();
  await page.getByRole("alert").waitFor();
  const issue = await waitForIssue("TypeError: Cannot read properties of null (reading 'map')");
  expect(issue.count).toBe("1");
  const event = await getLatestEvent(server, issue);
  expect(ownFramesOf(event)[0]).toMatchObject({
    function: "Receipt",
    filename: "app/routes/cart.tsx",
    ...findLine("react-router", "app/routes/cart.tsx", "const items ="),
  });
});

test("an error of a loader is readable by the maps of the server's build", async () => {
  const response = await fetch(`${site.origin}/orders/17`);
  expect(response.status).toBe(500);
  const issue = await waitForIssue("Error: order 17 is not in the books");
  const event = await getLatestEvent(server, issue);
  expect(event).toMatchObject({ platform: "node", release: { version: VERSION } });
  const file = "app/routes/order.tsx";
  const thrown = findLine("react-router", file, "throw new Error");
  expect(ownFramesOf(event).slice(0, 2)).toMatchObject([
    { function: "findOrder", filename: file, ...thrown },
    { function: "loader", filename: file, ...findLine("react-router", file, "return findOrder(") },
  ]);
  expect(await readOpenSource(server, issue.id)).toEqual({
    place: expect.stringMatching(new RegExp(`^${file}:${thrown.lineNo}:\\d+$`)),
    line: thrown.source,
  });
});

test("the hook says what is wrong with a token, and builds all the same", async () => {
  const reader = await makeToken({ ...server, url: proxy.url }, { kind: "personal", scopes: ["event:read"] });
  const build = async (token: string) => {
    using other = checkOutApp("react-router");
    return await other.build({ url: proxy.url, project: project.slug, token });
  };
  const [wrong, lacking] = await Promise.all([build(`sntryu_${"0".repeat(64)}`), build(reader)]);
  expect(wrong.output).toContain("[Sentry] Could not upload sourcemaps");
  expect(wrong.output).toContain("Invalid token");
  expect(wrong.code, wrong.output).toBe(0);
  expect(lacking.output).toContain("needs the scope project:releases; this token has event:read.");
  expect(lacking.code, lacking.output).toBe(0);
});
