import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { Page } from "@playwright/test";
import { getLatestEvent, waitForIssues } from "../support/api.ts";
import { expect, openPage, type TestProject, test } from "../support/browser-test.ts";
import type { TestServer } from "../support/start-server.ts";

/** A page of an application, on an origin of its own. */
async function servePage(body: string) {
  const html = `<!doctype html><title>Shop</title>${body}`;
  const server = createServer((_, res) => res.writeHead(200, { "content-type": "text/html" }).end(html));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function tagOf(server: TestServer, project: TestProject, attributes = ""): string {
  const publicKey = new URL(project.dsn).username;
  return `<script src="${server.url}/js-sdk-loader/${publicKey}.min.js" crossorigin="anonymous" ${attributes}></script>`;
}

/** What the page asked this server for. */
function watchRequests(page: Page, server: TestServer): string[] {
  const asked: string[] = [];
  page.on("request", (request) => {
    const url = new URL(request.url());
    if (url.origin === server.url) asked.push(`${request.method()} ${url.pathname}`);
  });
  return asked;
}

test("one script tag reports what broke before the SDK was there, by the neutral path", async ({
  page,
  server,
  project,
  complaints,
}) => {
  complaints.expect(/broken at once|nobody caught/);
  await using site = await servePage(`${tagOf(server, project)}
<script>
  Sentry.setTag("plan", "pro");
  Sentry.captureMessage("said early");
  Promise.reject(new RangeError("nobody caught"));
  throw new TypeError("broken at once");
</script>`);
  const asked = watchRequests(page, server);
  await page.goto(site.url);
  const issues = await waitForIssues(server, 3, project.slug);
  expect(issues.map(({ title }) => title).sort()).toEqual([
    "RangeError: nobody caught",
    "TypeError: broken at once",
    "said early",
  ]);
  const broken = issues.find(({ title }) => title.startsWith("TypeError"));
  const event = await getLatestEvent<{ tags: Array<{ key: string; value: string }> }>(server, broken);
  const tags = Object.fromEntries(event.tags.map(({ key, value }) => [key, value]));
  expect(tags).toMatchObject({ plan: "pro", handled: "no", url: site.url });
  expect(asked).toContainEqual(expect.stringMatching(/^GET \/js-sdk\/[\d.]+\/bundle\.min\.js$/));
  expect(asked).toContain("POST /t/");
  expect(asked.filter((path) => path.includes("/api/"))).toEqual([]);
});

test("with errors alone the SDK comes with the first error, or at once where the tag says so", async ({
  page,
  server,
  project,
}) => {
  await using site = await servePage(tagOf(server, project));
  const asked = watchRequests(page, server);
  await page.goto(site.url);
  await page.waitForLoadState("networkidle");
  expect(asked.filter((path) => path.includes("/js-sdk/"))).toEqual([]);

  await using eager = await servePage(tagOf(server, project, 'data-lazy="no"'));
  await page.goto(eager.url);
  await expect.poll(() => asked.filter((path) => path.includes("/js-sdk/"))).toHaveLength(1);
  await expect.poll(() => page.evaluate("Sentry.isInitialized?.()")).toBe(true);
});

test("a key brings what was chosen for it, with the page's own options", async ({ page, server, project }) => {
  await openPage(page, `/projects/${project.slug}/settings`);
  await page.getByText("Script tag for a web page").click();
  for (const name of ["Tracing", "Replay", "Feedback"]) await page.getByRole("checkbox", { name }).check();
  await page.getByRole("button", { name: "Save script" }).click();
  await expect(page.getByText("brings errors, tracing, replay, feedback.")).toBeVisible();

  await using site = await servePage(`
<script>window.sentryOnLoad = () => Sentry.init({ release: "shop@7", replaysSessionSampleRate: 1 });</script>
${tagOf(server, project)}`);
  const asked = watchRequests(page, server);
  await page.goto(site.url);
  await expect.poll(() => page.evaluate("Sentry.isInitialized?.()")).toBe(true);
  expect(asked).toContainEqual(expect.stringMatching(/bundle\.tracing\.replay\.feedback\.min\.js$/));
  const options = await page.evaluate(
    "(({ release, tracesSampleRate, replaysSessionSampleRate, tunnel }) => ({ release, tracesSampleRate, replaysSessionSampleRate, tunnel }))(Sentry.getClient().getOptions())",
  );
  expect(options).toEqual({
    release: "shop@7",
    tracesSampleRate: 0.2,
    replaysSessionSampleRate: 1,
    tunnel: `${server.url}/t/`,
  });
  const integrations = await page.evaluate(
    '["BrowserTracing", "Replay", "Feedback"].filter((name) => Sentry.getClient().getIntegrationByName(name))',
  );
  expect(integrations).toEqual(["BrowserTracing", "Replay", "Feedback"]);
});

test("a function that the key does not bring says how to get it", async ({ page, server, project, complaints }) => {
  complaints.expect(/Sentry\.replayIntegration is not in this bundle/);
  await using site = await servePage(`
<script>window.sentryOnLoad = () => Sentry.init({ integrations: [Sentry.replayIntegration()] });</script>
${tagOf(server, project, 'data-lazy="no"')}`);
  const warnings: string[] = [];
  page.on("console", (message) => warnings.push(message.text()));
  await page.goto(site.url);
  await expect.poll(() => warnings.join()).toContain("turn on “replay” for the DSN key's loader script");
  await expect.poll(() => page.evaluate("Sentry.isInitialized?.()")).toBe(true);
});
