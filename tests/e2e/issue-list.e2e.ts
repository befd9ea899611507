import type { Locator, Page } from "@playwright/test";
import { waitForEvent } from "../support/api.ts";
import { expect, openPage, sendEvent, test } from "../support/browser-test.ts";
import { makeError } from "../support/make-event.ts";

const row = (page: Page, name: string): Locator => page.getByRole("row").filter({ hasText: `${name}Error` });
const rows = (page: Page): Locator => page.getByRole("table", { name: "Issues" }).getByRole("row");

/** Names of the rows, in their order. */
async function readOrder(page: Page): Promise<string[]> {
  const texts = await rows(page).getByRole("strong").allTextContents();
  return texts.map((text) => text.replace(/Error$/, ""));
}

const HOUR_SECONDS = 3600;
const ago = (hours: number) => Date.now() / 1000 - hours * HOUR_SECONDS;

test("filters are in the URL, and a link shows the same", async ({ page, project }) => {
  await project.store(
    makeError("Alpha"),
    makeError("Beta", { environment: "staging", level: "warning" }),
    makeError("Gamma", { timestamp: ago(30), level: "fatal" }),
  );
  await openPage(page, "/issues");
  await page.getByRole("button", { name: "Projects: All projects" }).click();
  await page.getByRole("checkbox", { name: project.name, exact: true }).check();
  await expect(page).toHaveURL(new RegExp(`/issues\\?project=${project.slug}$`));
  await page.keyboard.press("Escape");
  await expect(rows(page)).toHaveCount(4);

  await page.getByRole("button", { name: "Environments: All envs" }).click();
  await page.getByRole("checkbox", { name: "staging" }).check();
  await expect(rows(page)).toHaveCount(2);
  await expect(row(page, "Beta")).toBeVisible();
  // The environment goes along to the issue.
  await expect(row(page, "Beta").getByRole("link")).toHaveAttribute("href", /^\/issues\/\d+\?environment=staging$/);
  await page.getByRole("checkbox", { name: "staging" }).uncheck();
  await page.keyboard.press("Escape");
  await page.getByLabel("Time range").selectOption("24h");
  await expect(rows(page)).toHaveCount(3);
  await expect(row(page, "Gamma")).toHaveCount(0);
  await page.getByLabel("Time range").selectOption("14d");

  const search = page.getByRole("combobox", { name: "Search issues" });
  await search.fill("is:unresolved level:fatal");
  await search.press("Enter");
  await expect(rows(page)).toHaveCount(2);
  await expect(row(page, "Gamma")).toBeVisible();
  await search.fill("chargeBeta");
  await search.press("Enter");
  await expect(rows(page)).toHaveCount(2);
  await expect(row(page, "Beta")).toBeVisible();
  await search.fill("be done");
  await search.press("Enter");
  await expect(rows(page)).toHaveCount(4);

  const url = page.url();
  const other = await page.context().newPage();
  await openPage(other, url);
  await expect(other.getByRole("combobox", { name: "Search issues" })).toHaveValue("be done");
  await expect(other.getByRole("button", { name: `Projects: ${project.name}` })).toBeVisible();
  await expect(rows(other)).toHaveCount(4);

  await search.fill("nothing like this");
  await search.press("Enter");
  await expect(page.getByRole("heading", { name: "No issue matches" })).toBeVisible();
  await page.goBack();
  await expect(search).toHaveValue("be done");
  await expect(rows(page)).toHaveCount(4);

  await search.fill("is:nonsense");
  await search.press("Enter");
  await expect(page.getByRole("main")).toContainText("“is:nonsense” is not known.");
});

test("rows sort by last seen, first seen, events and users", async ({ page, project }) => {
  await project.store(
    makeError("Old", { timestamp: ago(50) }),
    makeError("Middle", { timestamp: ago(20) }),
    makeError("Middle", { timestamp: ago(19) }),
    makeError("Middle", { timestamp: ago(18) }),
    makeError("Young", { timestamp: ago(4), user: { id: "1" } }),
    makeError("Young", { timestamp: ago(4), user: { id: "2" } }),
    makeError("Old", { timestamp: ago(1) }),
    makeError("Old", { timestamp: ago(1) }),
    makeError("Old", { timestamp: ago(1) }),
  );
  await openPage(page, `/issues?project=${project.slug}`);
  await expect.poll(() => readOrder(page)).toEqual(["Old", "Young", "Middle"]);
  const head = page.getByRole("columnheader");
  for (const [name, order] of [
    ["Age", ["Young", "Middle", "Old"]],
    ["Events", ["Old", "Middle", "Young"]],
    ["Users", ["Young", "Old", "Middle"]],
    ["Last seen", ["Old", "Young", "Middle"]],
  ] as const) {
    await head.getByRole("link", { name, exact: true }).click();
    await expect(page.getByRole("columnheader", { name, exact: true })).toHaveAttribute("aria-sort", "descending");
    await expect.poll(async () => (await readOrder(page)).at(0), name).toBe(order[0]);
    if (name !== "Users") expect(await readOrder(page), name).toEqual(order);
  }
  await page.getByRole("link", { name: "Trend of 24h" }).click();
  await expect(page).toHaveURL(/trend=24h/);
  await expect(row(page, "Old").getByRole("img")).toHaveAccessibleName("3 events in the last 24 hours");
});

test("several are resolved at once, undone, archived and reopened", async ({ page, project }) => {
  await project.store(makeError("Alpha"), makeError("Beta"), makeError("Gamma"));
  await openPage(page, `/issues?project=${project.slug}`);
  await row(page, "Alpha").getByRole("checkbox").check();
  await row(page, "Beta").getByRole("checkbox").check();
  await expect(page.getByRole("status").filter({ hasText: "2 selected" })).toBeVisible();
  const actions = page.getByRole("group", { name: "Change the selected issues" });
  await actions.getByRole("button", { name: "Resolve" }).click();
  await expect(rows(page)).toHaveCount(2);
  const toast = page.getByRole("status").filter({ hasText: "2 issues resolved." });
  await expect(toast).toBeVisible();
  await toast.getByRole("button", { name: "Undo" }).click();
  await expect(rows(page)).toHaveCount(4);
  await expect(page.getByRole("status").filter({ hasText: "Undone: 2 issues as before." })).toBeVisible();
  await expect(row(page, "Alpha")).toContainText("New");

  await page.getByRole("checkbox", { name: "Select all on this page" }).check();
  await expect(page.getByRole("status").filter({ hasText: "3 selected" })).toBeVisible();
  await actions.getByRole("button", { name: "Archive" }).click();
  await expect(page.getByRole("status").filter({ hasText: "3 issues archived." })).toBeVisible();
  await expect(rows(page)).toHaveCount(0);
  await page.getByRole("navigation", { name: "Views" }).getByRole("link", { name: "Archived" }).click();
  await expect(rows(page)).toHaveCount(4);
  await row(page, "Gamma").getByRole("checkbox").check();
  await actions.getByRole("button", { name: "Reopen" }).click();
  await expect(page.getByRole("status").filter({ hasText: "1 issue reopened." })).toBeVisible();
  await expect(rows(page)).toHaveCount(3);
});

test("the list pages by cursor, there and back, and all that match can be taken at once", async ({ page, project }) => {
  const names = Array.from({ length: 30 }, (_, index) => `N${String(index).padStart(2, "0")}x`);
  await project.store(...names.map((name, index) => makeError(name, { timestamp: ago(40 - index) })));
  await openPage(page, `/issues?project=${project.slug}`);
  await expect(rows(page)).toHaveCount(26);
  const pages = page.getByRole("navigation", { name: "Pages" });
  await expect(pages).toContainText("30 issues match");
  await expect(pages.getByRole("link", { name: "Previous" })).toHaveCount(0);
  const first = await readOrder(page);
  await pages.getByRole("link", { name: "Next" }).click();
  await expect(rows(page)).toHaveCount(6);
  const second = await readOrder(page);
  expect([...first, ...second]).toEqual([...names].reverse());
  await expect(pages.getByRole("link", { name: "Next" })).toHaveCount(0);
  await pages.getByRole("link", { name: "Previous" }).click();
  await expect(rows(page)).toHaveCount(26);
  await expect.poll(() => readOrder(page)).toEqual(first);

  await page.getByRole("checkbox", { name: "Select all on this page" }).check();
  await page.getByRole("button", { name: "Select all 30" }).click();
  await expect(page.getByRole("status").filter({ hasText: "All 30 that match" })).toBeVisible();
  await page
    .getByRole("group", { name: "Change the selected issues" })
    .getByRole("button", { name: "Resolve" })
    .click();
  await expect(page.getByRole("status").filter({ hasText: "30 issues resolved." })).toBeVisible();
  await expect(rows(page)).toHaveCount(0);
});

test("what is new announces itself, and nothing moves until one asks for it", async ({ page, project, server }) => {
  const target = { url: server.url, dsn: project.dsn };
  await project.store(makeError("Alpha"), makeError("Beta"));
  await openPage(page, `/issues?project=${project.slug}`);
  await expect.poll(() => readOrder(page)).toEqual(["Beta", "Alpha"]);
  await expect(row(page, "Alpha").getByRole("cell").filter({ hasText: "(1 in all)" })).toBeVisible();
  const place = await row(page, "Beta").boundingBox();

  await sendEvent(target, makeError("Gamma"));
  const strip = page.getByRole("status").getByRole("link", { name: /^1 new issue/ });
  await expect(strip).toBeVisible();
  expect(await readOrder(page)).toEqual(["Beta", "Alpha"]);

  // One more of the second: its count changes where it stands.
  await sendEvent(target, makeError("Alpha"));
  await expect(row(page, "Alpha").getByRole("cell").filter({ hasText: "(2 in all)" })).toBeVisible();
  expect(await readOrder(page)).toEqual(["Beta", "Alpha"]);
  expect(await row(page, "Beta").boundingBox()).toEqual(place);

  await strip.click();
  await expect.poll(() => readOrder(page)).toEqual(["Alpha", "Gamma", "Beta"]);
  await expect(strip).toHaveCount(0);
});

test("on a later page, and in another order, new issues are announced with the way to them", async ({
  page,
  project,
  server,
}) => {
  const target = { url: server.url, dsn: project.dsn };
  const names = Array.from({ length: 27 }, (_, index) => `N${String(index).padStart(2, "0")}x`);
  await project.store(...names.map((name, index) => makeError(name, { timestamp: ago(40 - index) })));
  await openPage(page, `/issues?project=${project.slug}`);
  await page.getByRole("navigation", { name: "Pages" }).getByRole("link", { name: "Next" }).click();
  await expect(rows(page)).toHaveCount(3);

  // What happens to an issue of the first page is no news here; a new issue is, and of its own time it says nothing.
  await sendEvent(target, makeError("N26x"));
  await sendEvent(target, makeError("Newer", { timestamp: Date.now() / 1000 - 120 }));
  const strip = page.getByRole("status").getByRole("link");
  await expect(strip).toHaveText("1 new issueFirst page");
  await sendEvent(target, makeError("Newest"));
  await expect(strip).toHaveText("2 new issuesFirst page");
  expect(await readOrder(page)).toEqual(["N01x", "N00x"]);
  await strip.click();
  await expect(page).toHaveURL(new RegExp(`/issues\\?project=${project.slug}$`));
  await expect.poll(async () => (await readOrder(page)).slice(0, 3)).toEqual(["Newest", "N26x", "Newer"]);

  // An issue with one event is the last by events: the strip leads to where it is the first.
  await page.getByRole("columnheader", { name: "Events" }).getByRole("link").click();
  await expect(page).toHaveURL(/sort=events/);
  await expect.poll(async () => (await readOrder(page)).at(0)).toBe("N26x");
  await sendEvent(target, makeError("Latest"));
  await expect(strip).toHaveText("1 new issueNewest first");
  await strip.click();
  await expect(page).toHaveURL(/sort=first_seen/);
  await expect.poll(async () => (await readOrder(page)).at(0)).toBe("Latest");
});

test("going back restores the list as it was left, and the place in it", async ({ page, project, server }) => {
  const names = Array.from({ length: 25 }, (_, index) => `N${String(index).padStart(2, "0")}x`);
  await project.store(...names.map((name, index) => makeError(name, { timestamp: ago(40 - index) })));
  await openPage(page, `/issues?project=${project.slug}`);
  const order = await readOrder(page);
  await row(page, "N02x").scrollIntoViewIfNeeded();
  const scrolled = await page.evaluate(() => window.scrollY);
  expect(scrolled).toBeGreaterThan(300);
  await row(page, "N02x").getByRole("link").click();
  await expect(page.getByRole("heading", { name: "N02xError", level: 1 })).toBeVisible();
  expect(await page.evaluate(() => window.scrollY)).toBe(0);

  // Meanwhile something new would be on top.
  const eventId = await sendEvent({ url: server.url, dsn: project.dsn }, makeError("Newer"));
  await waitForEvent(server, eventId, project.slug);
  await page.goBack();
  await expect(row(page, "N02x")).toBeInViewport();
  expect(await readOrder(page)).toEqual(order);
  expect(await page.evaluate(() => window.scrollY)).toBe(scrolled);
  await expect(page.getByRole("status").getByRole("link", { name: /^1 new issue/ })).toBeAttached();
});

test("an issue is found by its short id through “Go to”, and an event by its id", async ({ page, project }) => {
  const [eventId] = await project.store(makeError("Wanted"));
  await openPage(page, "/projects");
  await page.getByRole("button", { name: "Go to" }).click();
  const field = page.getByRole("combobox", { name: /^Go to/ });
  await field.fill(`${project.slug}-1`);
  await field.press("Enter");
  await expect(page.getByRole("heading", { name: "WantedError", level: 1 })).toBeVisible();
  await openPage(page, "/projects");

  await page.keyboard.press("Control+k");
  await field.fill(eventId ?? "");
  await field.press("Enter");
  await expect(page.getByRole("heading", { name: "WantedError", level: 1 })).toBeVisible();
  await expect(page).toHaveURL(new RegExp(`/events/${eventId}$`));
});

test("before anything has arrived the list says what to do", async ({ page, startOwnServer, context }) => {
  const server = await startOwnServer();
  await context.clearCookies();
  await page.goto(`${server.url}/sign-in`);
  await page.getByLabel("E-mail").fill(server.owner.email);
  await page.getByLabel("Password").fill(server.owner.password);
  await page.getByRole("button", { name: "Sign in" }).click();
  await expect(page.getByRole("heading", { name: "Waiting for the first event of shop" })).toBeVisible();
  await expect(page.getByRole("link", { name: "Connect the application" })).toBeVisible();
  const eventId = await sendEvent(server, makeError("First"));
  await expect(row(page, "First")).toBeVisible();
  await waitForEvent(server, eventId);
});
