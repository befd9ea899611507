import { afterAll, beforeAll, expect, test } from "vitest";
import {
  type ApiEvent,
  type ApiFrame,
  type ApiIssue,
  getJson,
  getLatestEvent,
  listIssues,
  send,
  sumOutcomes,
  waitFor,
} from "../support/api.ts";
import { type MadeProject, makeProject } from "../support/make-project.ts";
import { startServer, type TestServer } from "../support/start-server.ts";
import { type OpenBrowser, openBrowser, type WatchedPage } from "./open-browser.ts";
import { type BrowserApp, serveBrowserApp } from "./serve-browser-app.ts";

declare global {
  interface Window {
    /** What the applications of `browser-apps` leave for the test. */
    sdk: { capture(text: string): string; flush(): Promise<boolean> };
  }
}

let server: TestServer;
let browser: OpenBrowser;
let plainApp: BrowserApp;

beforeAll(async () => {
  [server, browser, plainApp] = await Promise.all([
    startServer({ watchesItself: true, env: { SENTRY_TRACES_SAMPLE_RATE: "1" } }),
    openBrowser(),
    serveBrowserApp("plain.js"),
  ]);
});
afterAll(async () => {
  await Promise.allSettled([
    server?.[Symbol.asyncDispose](),
    browser?.[Symbol.asyncDispose](),
    plainApp?.[Symbol.asyncDispose](),
  ]);
});

function waitForIssuesOf(project: MadeProject, count: number): Promise<ApiIssue[]> {
  return waitFor(`${count} issues of ${project.slug}`, async () => {
    const found = await listIssues(server, "", project.slug);
    return found.length >= count && found;
  });
}

function waitForCategory(project: MadeProject, category: string, outcome = "accepted"): Promise<number> {
  return waitFor(`${outcome} ${category}`, () => sumOutcomes(server, { project: project.id, outcome, category }));
}

function dataOf<Data>(event: ApiEvent, type: string): Data {
  return event.entries.find((entry) => entry.type === type)?.data as Data;
}

/** Of its exceptions, the cause first. */
function typesOf(event: ApiEvent): string[] {
  return dataOf<{ values: Array<{ type: string }> }>(event, "exception").values.map(({ type }) => type);
}

function framesOf(event: ApiEvent): ApiFrame[] {
  const { values } = dataOf<{ values: Array<{ stacktrace: { frames: ApiFrame[] } | null }> }>(event, "exception");
  return values.flatMap((value) => value.stacktrace?.frames ?? []);
}

/** Nothing failed on its way, and nothing of it was malformed, unknown, or left out. */
async function expectAllTaken(project: MadeProject, { sent }: WatchedPage): Promise<void> {
  expect(sent.map(({ status }) => status)).toEqual(sent.map(() => 200));
  for (const outcome of ["invalid", "filtered", "rate_limited", "client_discard"])
    expect(await sumOutcomes(server, { project: project.id, outcome }), outcome).toBe(0);
}

test("@sentry/browser reports errors, rejections, messages, feedback, logs, a page load, a session and a replay", async () => {
  const project = await makeProject(server, "plain");
  const watched = await browser.openPage(server.url);
  const { page } = watched;
  await page.goto(plainApp.pageUrl({ dsn: project.dsn }));
  for (const action of ["fetch", "log", "message", "feedback", "fail", "reject"]) await page.click(`#${action}`);
  for (const category of ["transaction", "session"]) await waitForCategory(project, category);
  await page.evaluate(() => window.sdk.flush());

  const issues = await waitForIssuesOf(project, 3);
  expect(issues.map(({ title }) => title).sort()).toEqual([
    "Error: payment was refused",
    expect.stringMatching(/^TypeError: Cannot read properties of undefined \(reading 'amount'\)$/),
    "browser says hello 6",
  ]);
  const [refused, failed, said] = ["Error", "TypeError", undefined].map((type) =>
    issues.find(({ metadata }) => metadata.type === type),
  );
  expect([failed, refused, said].map((issue) => [issue?.isUnhandled, issue?.level])).toEqual([
    [true, "error"],
    [true, "error"],
    [false, "warning"],
  ]);

  const event = await getLatestEvent(server, failed);
  expect(event.sdk?.name).toBe("sentry.javascript.browser");
  expect(event.release?.version).toBe("browser-app@1.0.0");
  expect(event.environment).toBe("sdk-test");
  expect(event.user).toMatchObject({ id: "4711", email: "ada@example.com" });
  expect(event.tags).toContainEqual({ key: "plan", value: "pro" });
  expect(event.tags).toContainEqual({ key: "browser", value: "Chrome 142.0.0.0" });
  expect(framesOf(event).some((frame) => frame.function === "total" && frame.inApp)).toBe(true);
  expect(dataOf<{ url: string }>(event, "request").url).toContain(plainApp.origin);
  const { values } = dataOf<{ values: Array<{ category?: string; message?: string; data?: { url?: string } }> }>(
    event,
    "breadcrumbs",
  );
  expect(values.map(({ category }) => category)).toEqual(expect.arrayContaining(["cart", "fetch", "ui.click"]));
  expect(values.find(({ category }) => category === "fetch")?.data?.url).toBe("/cart.json");

  for (const category of ["error", "feedback", "log_item", "replay"]) await waitForCategory(project, category);
  await expectAllTaken(project, watched);
});

test("@sentry/react reports what a component throws once, what a handler throws, and each navigation", async () => {
  await using app = await serveBrowserApp("react.js");
  const project = await makeProject(server, "react");
  const watched = await browser.openPage(server.url);
  const { page } = watched;
  await page.goto(app.pageUrl({ dsn: project.dsn }));
  await page.click("#handler");
  await page.click("#open");
  await page.getByRole("alert").waitFor();
  await waitForCategory(project, "transaction");
  await page.click("a");
  await page.getByRole("heading").waitFor();
  await waitFor("two transactions", async () => (await waitForCategory(project, "transaction")) >= 2);
  await page.evaluate(() => window.sdk.flush());

  const issues = await waitForIssuesOf(project, 2);
  expect(issues.map(({ metadata, count }) => [metadata.type, count]).sort()).toEqual([
    ["SyntaxError", "1"],
    ["TypeError", "1"],
  ]);
  const event = await getLatestEvent(
    server,
    issues.find(({ metadata }) => metadata.type === "TypeError"),
  );
  expect(event.sdk?.name).toBe("sentry.javascript.react");
  // The SDK gives the stack of components as a cause of the error.
  expect(typesOf(event)).toEqual(["React ErrorBoundary TypeError", "TypeError"]);
  expect(framesOf(event).some((frame) => frame.function === "Cart")).toBe(true);
  // The server counts what it was sent before the page knows of the answer.
  const names = () => watched.sent.flatMap(({ body }) => /"transaction":"([^"]+)"/.exec(body)?.[1] ?? []);
  await waitFor("both pages' names", async () => ["/", "/products/:id"].every((name) => names().includes(name)));
  await expectAllTaken(project, watched);
});

test("the client of @sentry/react-router reports an error with its cause, and the page load", async () => {
  await using app = await serveBrowserApp("react-router.js");
  const project = await makeProject(server, "react-router");
  const watched = await browser.openPage(server.url);
  const { page } = watched;
  await page.goto(app.pageUrl({ dsn: project.dsn }));
  await page.click("#fail");
  const [issue] = await waitForIssuesOf(project, 1);
  expect(issue?.title).toBe("Error: the loader failed");
  const event = await getLatestEvent(server, issue);
  expect(event.sdk?.name).toBe("sentry.javascript.react-router");
  expect(typesOf(event)).toEqual(["SyntaxError", "Error"]);
  await waitForCategory(project, "transaction");
  await expectAllTaken(project, watched);
});

test("a rate limit stops the SDK, which says afterwards what it held back, and the ledger shows it", async () => {
  const project = await makeProject(server, "limited", { rateLimit: { count: 2, window: 60 } });
  const { page, sent } = await browser.openPage(server.url);
  await page.goto(plainApp.pageUrl({ dsn: project.dsn, isBare: true }));
  const capture = (text: string) =>
    page.evaluate(async (message) => {
      window.sdk.capture(message);
      await window.sdk.flush();
    }, text);
  for (const text of ["one", "two", "three"]) await capture(text);
  await expect.poll(() => sent.map(({ status }) => status)).toEqual([200, 200, 429]);
  // It could read the headers, across origins: what comes now is not even sent.
  for (const text of ["four", "five"]) await capture(text);
  expect(sent).toHaveLength(3);

  // Its client report goes when the page does.
  await page.goto("about:blank");
  expect(await waitForCategory(project, "error", "client_discard")).toBe(2);
  expect(
    await sumOutcomes(server, { project: project.id, outcome: "client_discard", reason: "ratelimit_backoff" }),
  ).toBe(2);
  expect(await waitForCategory(project, "error", "rate_limited")).toBe(1);
  expect(await waitForCategory(project, "error")).toBe(2);
  expect(await listIssues(server, "", project.slug)).toHaveLength(2);
});

test("a page of an origin that is not allowed is refused where it can see it, and one that is allowed is not", async () => {
  const project = await makeProject(server, "origins");
  const allow = (allowedDomains: string[]) => send(server, "PUT", `/projects/default/origins/`, { allowedDomains });
  const { page, sent } = await browser.openPage(server.url);
  await page.goto(plainApp.pageUrl({ dsn: project.dsn, isBare: true }));

  expect((await allow(["https://elsewhere.example"])).status).toBe(200);
  await page.click("#message");
  await page.evaluate(() => window.sdk.flush());
  await expect.poll(() => sent.map(({ status }) => status)).toEqual([403]);
  await waitFor("the ledger", () => sumOutcomes(server, { project: project.id, reason: "origin_not_allowed" }));

  expect((await allow([plainApp.origin])).status).toBe(200);
  await page.click("#fail");
  const [issue] = await waitForIssuesOf(project, 1);
  expect(issue?.metadata.type).toBe("TypeError");
});

test("a page that adds a header of its own asks first, and may", async () => {
  const project = await makeProject(server, "preflight");
  const { page, sent } = await browser.openPage(server.url);
  await page.goto(plainApp.pageUrl({ dsn: project.dsn, isBare: true, headers: { "X-Requested-With": "shop" } }));
  await page.click("#fail");
  await waitForIssuesOf(project, 1);
  // The server has stored it before the page knows of the answer.
  await expect.poll(() => sent.map(({ method, status }) => `${method} ${status}`)).toContain("POST 200");
});

test("Culprit's own pages and its server report to it, and a page load is one trace across both", async () => {
  const { page } = await browser.openPage(server.url);
  const tunnelled: string[] = [];
  page.on("request", (request) => {
    if (request.method() === "POST" && request.url() === `${server.url}/monitoring`)
      tunnelled.push(request.postData() ?? "");
  });
  const [culprit] = (await getJson<Array<{ id: string; slug: string }>>(server, "/projects/")).filter(
    ({ slug }) => slug === "culprit",
  );
  await page.goto(`${server.url}/sign-in`);
  const html = await page.content();
  const serverTrace = /<meta name="sentry-trace" content="([0-9a-f]{32})/.exec(html)?.[1];
  expect(serverTrace).toBeDefined();
  const pageLoad = await waitFor("the page's own trace", async () =>
    tunnelled.find((body) => body.includes('"type":"transaction"')),
  );
  expect(pageLoad).toContain(`"trace_id":"${serverTrace}"`);
  await waitFor(
    "both transactions",
    async () =>
      (await sumOutcomes(server, {
        project: culprit?.id ?? "",
        outcome: "accepted",
        category: "transaction",
      })) >= 2,
  );

  await page.evaluate(() => {
    setTimeout(() => {
      throw new Error("a page of Culprit failed");
    });
  });
  const issue = await waitFor("its own issue", async () => {
    const found = await listIssues(server, "", "culprit");
    return found.find(({ title }) => title === "Error: a page of Culprit failed");
  });
  expect((await getLatestEvent(server, issue)).sdk?.name).toBe("sentry.javascript.react-router");
  expect(issue.count).toBe("1");
});
