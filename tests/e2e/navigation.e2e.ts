import type { Page } from "@playwright/test";
import { DATA_LIMIT_MS } from "../../app/navigation/navigation-limits.ts";
import { expect, openPage, openPaused, waitForScript } from "../support/browser-test.ts";
import { makeError } from "../support/make-event.ts";
import { test } from "../support/network-test.ts";
import type { ProxiedRequest, TestProxy } from "../support/start-proxy.ts";

const isPrefetch = ({ headers }: ProxiedRequest): boolean => headers["sec-purpose"]?.includes("prefetch") ?? false;
const link = (page: Page, name: string) =>
  page.getByRole("navigation", { name: "Sections" }).getByRole("link", { name, exact: true });
const heading = (page: Page, name: string) => page.getByRole("heading", { name, level: 1 });

/** Points at a link until its page has been fetched. */
async function prefetch(page: Page, network: TestProxy, name: string, data: RegExp): Promise<void> {
  const before = network.count(data);
  await link(page, name).hover();
  await expect.poll(() => network.count(data)).toBe(before + 1);
  expect(network.requests.filter(({ path }) => data.test(path)).every(isPrefetch)).toBe(true);
  // The browser has the answer when the element that asked for it says so.
  await page.evaluate(
    async (pattern) => {
      const links = [...document.querySelectorAll<HTMLLinkElement>("link[rel=prefetch]")];
      const wanted = links.find(({ href }) => new RegExp(pattern).test(new URL(href).pathname));
      const isLoaded = () =>
        performance.getEntriesByType("resource").some(({ name }) => name === wanted?.href && wanted !== undefined);
      while (!isLoaded()) await new Promise((done) => requestAnimationFrame(done));
    },
    data.source.replace("\\?", ""),
  );
}

test.describe("a link that one points at", () => {
  test("is fetched once, and not again when it is pressed", async ({ page, network, server }) => {
    await openPage(page, "/settings");
    const onServer = async () =>
      (await server.pageRequests()).filter(({ url }) => url.startsWith("/arrived.data")).length;
    const before = await onServer();
    await prefetch(page, network, "Arrived", /^\/arrived\.data/);
    await link(page, "Arrived").click();
    await expect(heading(page, "What arrived")).toBeVisible();
    expect(network.count(/^\/arrived\.data/)).toBe(1);
    expect((await onServer()) - before).toBe(1);
  });

  test("brings the code of its page, and what that imports", async ({ page, network }) => {
    await openPage(page, "/settings");
    const learned = await page.waitForFunction(() => window.__reactRouterManifest?.routes["routes/arrived"]?.imports);
    const missing = ((await learned.jsonValue()) ?? []).filter(
      (path) => network.count((request) => request.path === path) === 0,
    );
    expect(missing.length).toBeGreaterThan(0);
    await link(page, "Arrived").hover();
    for (const path of missing) await expect(page.locator(`link[rel=modulepreload][href="${path}"]`)).toBeAttached();
  });

  test("is used for 30 s where data is live, and for 5 min where it rarely changes", async ({ page, network }) => {
    // Time passes at the proxy: an answer says how old it is.
    let ageSeconds = 0;
    network.changeAnswers(isPrefetch, {
      get age() {
        return String(ageSeconds);
      },
    });
    for (const [name, data, title, limitSeconds] of [
      ["Projects", /^\/projects\.data/, "Projects", 30],
      ["Settings", /^\/settings\.data/, "Settings", 300],
    ] as const) {
      for (const [age, requests] of [
        [limitSeconds - 10, 1],
        [limitSeconds + 1, 2],
      ] as const) {
        ageSeconds = age;
        await (await page.context().newCDPSession(page)).send("Network.clearBrowserCache");
        await page.mouse.move(600, 300);
        await openPage(page, "/issues");
        network.forget();
        await prefetch(page, network, name, data);
        await link(page, name).click();
        await expect(heading(page, title)).toBeVisible();
        expect(network.count(data), `${name}, ${age} s old`).toBe(requests);
      }
    }
  });

  test("is fetched again after an action has changed something, in another tab too", async ({
    page,
    network,
    project,
    context,
  }) => {
    await project.store(makeError("Changed"));
    await openPage(page, `/issues/${project.slug}-1`);
    const other = await context.newPage();
    await openPage(other, "/settings");
    await prefetch(page, network, "Projects", /^\/projects\.data/);
    await prefetch(other, network, "Arrived", /^\/arrived\.data/);
    await page.getByRole("button", { name: "Resolve" }).press("Enter");
    await expect(page.getByRole("button", { name: "Reopen" })).toBeVisible();
    await link(page, "Projects").click();
    await expect(heading(page, "Projects")).toBeVisible();
    expect(network.count(/^\/projects\.data/)).toBe(2);
    await link(other, "Arrived").click();
    await expect(heading(other, "What arrived")).toBeVisible();
    expect(network.count(/^\/arrived\.data/)).toBe(2);
  });
});

test.describe("a navigation that hangs", () => {
  const documents = (network: TestProxy) => network.count(/^\/arrived(\?|$)/);

  test("becomes a whole page load when its code has not come after 3.8 s", async ({ page, network }) => {
    await openPaused(page, "/settings");
    // Not what it shares with others: a browser has six connections, and the whole page needs one.
    const code = network.hold(/^\/assets\/arrived-.*\.js$/);
    await link(page, "Arrived").click();
    await code.caught;
    await page.clock.runFor(3_700);
    expect(documents(network)).toBe(0);
    await page.clock.runFor(200);
    await expect.poll(() => documents(network)).toBe(1);
    await expect(heading(page, "What arrived")).toBeVisible();
    code.release();
    await waitForScript(page);
    expect(documents(network)).toBe(1);
    await page.goBack();
    await expect(heading(page, "Settings")).toBeVisible();
  });

  test("becomes a whole page load when its data has not come after its own limit", async ({ page, network }) => {
    await openPaused(page, "/settings");
    // Once before, so that its code is there.
    await link(page, "Arrived").click();
    await expect(heading(page, "What arrived")).toBeVisible();
    await link(page, "Settings").click();
    await expect(heading(page, "Settings")).toBeVisible();
    network.forget();
    const data = network.hold(/^\/arrived\.data/);
    await link(page, "Arrived").click();
    await data.caught;
    await page.clock.runFor(DATA_LIMIT_MS - 100);
    expect(documents(network)).toBe(0);
    await page.clock.runFor(200);
    await expect.poll(() => documents(network)).toBe(1);
    await expect(heading(page, "What arrived")).toBeVisible();
    data.release();
  });

  test("is left alone when it is a form: nothing is sent twice", async ({ page, network, project }) => {
    await openPaused(page, `/projects/${project.slug}/settings`);
    const isPost = ({ method }: ProxiedRequest) => method === "POST";
    network.forget();
    const form = network.hold(/^\/projects\/.*\.data/);
    await page.getByRole("region", { name: "General" }).getByRole("button", { name: "Save" }).click();
    await form.caught;
    await page.clock.runFor(4 * DATA_LIMIT_MS);
    expect(network.count(({ method, path }) => method === "GET" && path.startsWith("/projects/"))).toBe(0);
    form.release();
    await expect(page.getByText("Saved.")).toBeVisible();
    expect(network.count((request) => isPost(request) && request.path.startsWith("/projects/"))).toBe(1);
  });

  test("says so after 100 ms, and not before", async ({ page, network }) => {
    await openPaused(page, "/settings");
    const data = network.hold(/^\/arrived\.data/);
    const loading = page.getByRole("status").filter({ hasText: "Loading" });
    await link(page, "Arrived").click();
    await data.caught;
    // The time is counted from the drawing that follows the press, and what is to be done after that drawing.
    await expect(link(page, "Arrived")).toHaveClass(/\bpending\b/);
    await page.evaluate(async () => {
      const { port1, port2 } = new MessageChannel();
      for (let turn = 0; turn < 3; turn += 1) {
        await new Promise((done) => {
          port1.onmessage = done;
          port2.postMessage(null);
        });
      }
    });
    await page.clock.runFor(95);
    await expect(loading).toHaveCount(0);
    await page.clock.runFor(10);
    await expect(loading).toHaveCount(1);
    data.release();
    await expect(heading(page, "What arrived")).toBeVisible();
    await expect(loading).toHaveCount(0);
  });
});

test("a page of an older build gets the newer one when code that it names is gone", async ({
  page,
  network,
  complaints,
}) => {
  complaints.expect(/status of 404|Error loading route module|Failed to fetch dynamically imported module/);
  const isDocument = ({ path }: ProxiedRequest): boolean => path === "/settings" || path === "/arrived";
  await openPage(page, "/settings");
  network.forget();
  network.refuse(({ path }) => /^\/assets\/arrived-/.test(path) && network.count(isDocument) === 0, 404);
  // Without pointing at it first: what the router prefetches then asks for the same code, and may begin the load once more.
  await link(page, "Arrived").dispatchEvent("click");
  await expect.poll(() => network.count(isDocument)).toBe(1);
  await expect(async () => {
    if (await heading(page, "Settings").isVisible()) await link(page, "Arrived").click();
    await expect(heading(page, "What arrived")).toBeVisible({ timeout: 2000 });
  }).toPass();
  expect(network.count(isDocument)).toBe(1);
});

test.describe("a panel whose code is gone after a deploy", () => {
  const isCode = ({ path }: ProxiedRequest) => /^\/assets\/(?:menu|popover)-overlay-/.test(path);
  const isDocument = ({ path, headers }: ProxiedRequest) =>
    path === "/projects/new" && headers["sec-fetch-dest"] === "document";
  const account = (page: Page) => page.locator("summary", { hasText: "Account of" });

  test("is none of one's business while one only points at it; pressed, it loads the page whole, once", async ({
    page,
    network,
    complaints,
  }) => {
    complaints.expect(/status of 404|Failed to load module script/);
    const thrown: string[] = [];
    page.on("pageerror", (error) => thrown.push(error.message));
    await openPage(page, "/projects/new");
    network.forget();
    network.refuse(isCode, 404);
    await account(page).hover();
    await expect.poll(() => network.count(isCode)).toBeGreaterThan(0);
    await page.getByLabel("Name", { exact: true }).fill("kept");
    expect(network.count(isDocument)).toBe(0);

    const loaded = page.waitForEvent("load");
    await account(page).click();
    await loaded;
    await waitForScript(page);
    expect(network.count(isDocument)).toBe(1);
    // Still gone: loading the page whole again would not help, and what the page has brought is used.
    await account(page).click();
    await expect(page.getByRole("button", { name: "Sign out" })).toBeVisible();
    expect(network.count(isDocument)).toBe(1);
    expect(thrown).toEqual([]);
  });
});

test("forms and links work while the page's script is still on its way", async ({ page, network, project }) => {
  const script = network.hold(/^\/assets\/entry\.client/);
  await page.goto("/issues", { waitUntil: "commit" });
  await expect(heading(page, "Issues")).toBeVisible();
  await link(page, "Projects").click();
  await expect(heading(page, "Projects")).toBeVisible();
  expect(network.count(/^\/projects$/)).toBe(1);
  expect(network.count(/\.data/)).toBe(0);

  await page.goto(`/projects/${project.slug}/settings`, { waitUntil: "commit" });
  const general = page.getByRole("region", { name: "General" });
  await general.getByLabel("Name").fill("Renamed without script");
  await general.getByRole("button", { name: "Save" }).click();
  await expect(page.getByText("Saved.")).toBeVisible();
  script.release();
  await waitForScript(page);
  await expect(page.getByText("Saved.")).toBeVisible();
  await expect(general.getByLabel("Name")).toHaveValue("Renamed without script");
});
