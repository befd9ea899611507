import type { Locator, Page, Route } from "@playwright/test";
import { listIssues, waitForEvent } from "../support/api.ts";
import { expect, openPage, sendEvent, waitForScript } from "../support/browser-test.ts";
import { makeError } from "../support/make-event.ts";
import { test } from "../support/network-test.ts";

// A slow machine, a slow network: answers, code and messages that come later than what somebody does meanwhile.
const row = (page: Page, name: string): Locator => page.getByRole("row").filter({ hasText: `${name}Error` });
const search = (page: Page) => page.getByRole("combobox", { name: "Search issues" });
const news = (page: Page) => page.getByRole("status").getByRole("link");

test.describe("a new issue is announced", () => {
  test("when it came before the page's feed was open", async ({ page, project, server, network }) => {
    await project.store(makeError("Alpha"));
    const feed = network.hold(/^\/live\?http=1\.1$/);
    await openPage(page, `/issues?project=${project.slug}`);
    await feed.caught;
    const eventId = await sendEvent({ url: server.url, dsn: project.dsn }, makeError("Beta"));
    await waitForEvent(server, eventId, project.slug);
    // Messages are sent a quarter of a second after what they tell of, at the latest: another one has passed it.
    await passMessage(page, network.url, () => sendEvent({ url: server.url, dsn: project.dsn }, makeError("Beta")));
    feed.release();
    await expect(news(page)).toHaveText("1 new issueShow");
    await expect(row(page, "Alpha")).toBeVisible();
  });

  test("when it came while the list was on its way, also by a late clock", async ({
    page,
    project,
    server,
    network,
  }) => {
    await project.store(makeError("Alpha"));
    const feed = page.waitForResponse(/\/live\?http=1\.1$/);
    await openPage(page, `/settings?project=${project.slug}`);
    await feed;
    const list = network.hold(/^\/issues\.data/, "within");
    await page
      .getByRole("navigation", { name: "Sections" })
      .getByRole("link", { name: "Issues" })
      .dispatchEvent("click");
    await list.caught;
    await passMessage(page, network.url, () =>
      sendEvent({ url: server.url, dsn: project.dsn }, makeError("Beta", { timestamp: Date.now() / 1000 - 120 })),
    );
    list.release();
    await expect(row(page, "Alpha")).toBeVisible();
    await expect(news(page)).toHaveText("1 new issueShow");
  });
});

test("an event that comes while the list asks what is new is counted", async ({ page, project, server, network }) => {
  const target = { url: server.url, dsn: project.dsn };
  const count = (total: number) =>
    row(page, "Alpha")
      .getByRole("cell")
      .filter({ hasText: `(${total} in all)` });
  await project.store(makeError("Alpha"));
  const feed = page.waitForResponse(/\/live\?http=1\.1$/);
  await openPage(page, `/issues?project=${project.slug}`);
  await feed;
  const answer = network.hold(/^\/issue-news\?/, "within");
  await sendEvent(target, makeError("Beta"));
  await answer.caught;
  await sendEvent(target, makeError("Alpha"));
  await expect(count(2)).toBeVisible();
  answer.release();
  await expect(news(page)).toHaveText("1 new issueShow");
  // Once all that the answer sets off is drawn.
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
  expect(await count(2).isVisible()).toBe(true);
});

test("an event that comes while the issue is on its way again is announced", async ({
  page,
  project,
  server,
  network,
}) => {
  const [eventId] = await project.store(makeError("Alpha"));
  const feed = page.waitForResponse(/\/live\?http=1\.1$/);
  await openPage(page, `/issues/${project.slug}-1/events/${eventId}`);
  await feed;
  const reading = network.hold(/^\/issues\/.*\/events\/\w+\.data/, "within");
  await page.getByRole("button", { name: "Resolve" }).click();
  await reading.caught;
  const asked = page.waitForResponse(/\/state\?/);
  await sendEvent({ url: server.url, dsn: project.dsn }, makeError("Alpha"));
  await (await asked).finished();
  const facts = page.getByRole("list", { name: "Facts of this issue" });
  await expect(facts).not.toContainText("Resolved");
  reading.release();
  // As the reading has it, which began before the event.
  await expect(facts).toContainText("Resolved");
  await expect(page.getByRole("status").getByRole("button", { name: /Show$/ })).toHaveText(
    "Regressed: it happened again, 1 new eventShow",
  );
});

test.describe("an event of an issue is announced", () => {
  const strip = (page: Page) => page.getByRole("status").getByRole("button", { name: /Show$/ });

  test("when it came before the page's feed was open", async ({ page, project, server, network }) => {
    const [first] = await project.store(makeError("Alpha"));
    const feed = network.hold(/^\/live\?http=1\.1$/);
    await openPage(page, `/issues/${project.slug}-1/events/${first}`);
    await feed.caught;
    await passMessage(page, network.url, () => sendEvent({ url: server.url, dsn: project.dsn }, makeError("Alpha")));
    feed.release();
    await expect(strip(page)).toHaveText("1 new eventShow");
  });

  test("when it came while the issue was on its way", async ({ page, project, server, network }) => {
    await project.store(makeError("Alpha"));
    const feed = page.waitForResponse(/\/live\?http=1\.1$/);
    await openPage(page, `/issues?project=${project.slug}`);
    await feed;
    const reading = network.hold(/^\/issues\/.*\.data/, "within");
    await row(page, "Alpha").getByRole("link").dispatchEvent("click");
    await reading.caught;
    const counted = row(page, "Alpha").getByRole("cell").filter({ hasText: "(2 in all)" });
    await sendEvent({ url: server.url, dsn: project.dsn }, makeError("Alpha"));
    // The list was told of it, and so the page has heard of it before the issue is there.
    await expect(counted).toBeVisible();
    reading.release();
    await expect(page.getByRole("heading", { name: "AlphaError", level: 1 })).toBeVisible();
    await expect(strip(page)).toHaveText("1 new eventShow");
  });
});

/** Does something, and waits until the feed has told a page of it. */
async function passMessage(page: Page, url: string, act: () => Promise<unknown>): Promise<void> {
  const other = await page.context().newPage();
  await other.goto(`${url}/favicon.svg`);
  const told = other.evaluate(
    () =>
      new Promise<void>((done) => {
        const source = new EventSource("/live?other");
        source.onopen = () => document.documentElement.setAttribute("data-open", "");
        source.onmessage = ({ data }) => {
          const { kind } = JSON.parse(data) as { kind: string };
          if (kind !== "issues") return;
          source.close();
          done();
        };
      }),
  );
  await expect(other.locator("[data-open]")).toBeAttached();
  await act();
  await told;
  await other.close();
}

test("issues that are resolved one right after the other are all resolved, whichever answer comes first", async ({
  page,
  project,
  server,
}) => {
  await project.store(makeError("Alpha"), makeError("Beta"), makeError("Gamma"));
  await openPage(page, `/issues?project=${project.slug}`);
  const posts: Route[] = [];
  await page.route("**/issues.data*", (route) =>
    route.request().method() === "POST" ? void posts.push(route) : route.continue(),
  );
  for (const key of ["j", "e", "e", "j", "e"]) await page.keyboard.press(key);
  // Twice on the same issue is once.
  await expect.poll(() => posts.length).toBe(2);
  await expect(row(page, "Gamma")).toHaveAttribute("data-leaving");
  await expect(row(page, "Beta")).toHaveAttribute("data-leaving");
  await posts[1]?.continue();
  await expect(row(page, "Beta")).toHaveCount(0);
  await expect(row(page, "Gamma")).toHaveAttribute("data-leaving");
  // What is selected meanwhile stays so.
  await row(page, "Alpha").getByRole("checkbox").check();
  await posts[0]?.continue();
  await expect(row(page, "Gamma")).toHaveCount(0);
  await expect(page.getByRole("status").filter({ hasText: "1 issue resolved." })).toBeVisible();
  await expect(row(page, "Alpha").getByRole("checkbox")).toBeChecked();
  const statuses = (await listIssues(server, "", project.slug)).map(({ title, status }) => [
    title.split(":")[0],
    status,
  ]);
  expect(Object.fromEntries(statuses)).toEqual({
    AlphaError: "unresolved",
    BetaError: "resolved",
    GammaError: "resolved",
  });
  expect(posts).toHaveLength(2);
});

test.describe("what is typed stays", () => {
  for (const [things, path] of [
    ["issues", "/issues"],
    ["releases", "/releases"],
  ] as const) {
    test(`when a search for ${things} was typed before script was there`, async ({ page, network, project }) => {
      await project.store(makeError("Alpha", { release: `${project.slug}@1.0.0` }));
      const script = network.hold(/^\/assets\/entry\.client/);
      await page.goto(`${path}?project=${project.slug}`, { waitUntil: "commit" });
      const field = page.locator("[role=search] input[name=q]");
      await field.fill("typed early");
      await script.caught;
      script.release();
      await waitForScript(page);
      await expect(field).toHaveValue("typed early");
    });
  }

  test("when the page that was asked for comes while one types on", async ({ page, network, project }) => {
    await project.store(makeError("Alpha"), makeError("Beta"));
    await openPage(page, `/issues?project=${project.slug}&q=`);
    const list = network.hold(/^\/issues\.data/);
    await search(page).fill("alpha");
    await page.keyboard.press("Enter");
    await list.caught;
    await page.keyboard.type(" could");
    list.release();
    await expect(row(page, "Beta")).toHaveCount(0);
    await expect(row(page, "Alpha")).toBeVisible();
    await expect(search(page)).toHaveValue("alpha could");
    await page.keyboard.press("Enter");
    await expect(page).toHaveURL(/q=alpha\+could$/);
    // Another page sets it anew.
    await page.goBack();
    await expect(search(page)).toHaveValue("alpha");
  });
});

test.describe("what opens late opens only for who waits for it", () => {
  test("completion does not open over the list that was asked for", async ({ page, network, project }) => {
    await project.store(makeError("Alpha"));
    await openPage(page, `/issues?project=${project.slug}&q=`);
    const code = network.hold(/^\/assets\/search-completion/);
    const list = network.hold(/^\/issues\.data/);
    await search(page).focus();
    await code.caught;
    await page.keyboard.type("l");
    await page.keyboard.press("Enter");
    await list.caught;
    const loaded = page.waitForResponse(/search-completion/);
    code.release();
    await (await loaded).finished();
    await page.waitForTimeout(200);
    expect(await search(page).getAttribute("aria-expanded")).toBe("false");
    // It is there.
    await page.keyboard.type("e");
    await expect(search(page)).toHaveAttribute("aria-expanded", "true");
    list.release();
  });

  test("Escape is for the shortcuts as soon as they are asked for, and not for the page behind", async ({
    page,
    network,
    project,
  }) => {
    await project.store(makeError("Alpha"));
    await openPage(page, `/issues/${project.slug}-1`);
    const url = page.url();
    const code = network.hold(/^\/assets\/shortcut-sheet/);
    const dialog = page.getByRole("dialog", { name: "Shortcuts" });
    await page.keyboard.press("?");
    await code.caught;
    await page.keyboard.press("Escape");
    await page.keyboard.press("?");
    await expect(dialog).toBeVisible();
    code.release();
    await expect(dialog.getByText("Go to anything (Ctrl K)")).toBeVisible();
    await page.keyboard.press("Escape");
    await expect(dialog).toBeHidden();
    await expect(page.getByRole("heading", { name: "AlphaError", level: 1 })).toBeVisible();
    await expect(page).toHaveURL(url);
  });
});
