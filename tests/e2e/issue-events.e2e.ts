import type { Locator, Page } from "@playwright/test";
import { expect, openPage, test } from "../support/browser-test.ts";
import { makeError } from "../support/make-event.ts";

const table = (page: Page): Locator => page.getByRole("region", { name: "Events of this issue" });
const search = (page: Page): Locator => page.getByRole("combobox", { name: "Search events" });
const options = (page: Page): Locator =>
  page.getByRole("listbox", { name: "What could be searched for" }).getByRole("option");
const ago = (minutes: number) => Date.now() / 1000 - minutes * 60;
/** Three events of one issue, the oldest first. */
const shop = () => [
  makeError("Shop", {
    timestamp: ago(30),
    release: "shop@1",
    tags: { plan: "pro", store: "berlin" },
    user: { id: "4711", email: "lena@example.com" },
  }),
  makeError("Shop", {
    timestamp: ago(20),
    release: "shop@2",
    tags: { plan: "trial", store: "berlin" },
    user: { id: "4712", name: "Grace Hopper" },
  }),
  makeError("Shop", {
    timestamp: ago(10),
    release: "shop@2",
    tags: { plan: "pro", store: "berlin" },
    user: { id: "4713" },
  }),
];

test("the table shows what differs, users as people know them, and what is the same once", async ({
  page,
  project,
}) => {
  await project.store(...shop());
  await openPage(page, `/issues/${project.slug}-1/events`);
  const heads = table(page).getByRole("columnheader");
  await expect(heads).toHaveText(["Compare", "Event", "Time", "User", "release", "plan"]);
  const cells = table(page).getByRole("row").nth(2).getByRole("cell");
  await expect(cells.nth(3)).toHaveText("Grace Hopper");
  await expect(cells.nth(5)).toHaveText("trial");
  await expect(table(page)).toContainText("lena@example.com");
  const alike = page.getByRole("list", { name: "Tags that are the same in all events" });
  await expect(alike).toContainText("store berlin");
  await expect(alike).not.toContainText("plan");
});

test("tags name users as people know them, and so does what is filtered by them", async ({ page, project }) => {
  await project.store(...shop());
  const issue = `/issues/${project.slug}-1`;
  await openPage(page, `${issue}/tags`);
  const link = page.getByRole("link", { name: "lena@example.com 33%" });
  await expect(page.getByRole("link", { name: "Grace Hopper 33%" })).toBeVisible();
  await expect(page.getByRole("link", { name: "4713 33%", exact: true })).toBeVisible();
  await expect(page.getByRole("link", { name: "Delete what lena@example.com sent…" })).toBeVisible();
  await link.click();
  await expect(page.getByRole("link", { name: "Stop filtering by user lena@example.com" })).toBeVisible();
  await expect(table(page).locator("tbody tr")).toHaveCount(1);
  await openPage(page, `${issue}/events/first`);
  await expect(
    page.getByRole("region", { name: "Tags" }).getByRole("link", { name: "lena@example.com" }),
  ).toBeVisible();
});

test("events are searched by what one sees of them, and a mistake is a sentence", async ({ page, project }) => {
  const ids = await project.store(...shop());
  await openPage(page, `/issues/${project.slug}-1/events`);
  const find = async (text: string, count: number) => {
    await search(page).fill(text);
    await search(page).press("Enter");
    await expect(page).toHaveURL((url) => url.searchParams.get("q") === text);
    await expect(table(page).locator("tbody tr")).toHaveCount(count);
  };
  await find("lena@", 1);
  await find("user:4712", 1);
  await find('user:"Grace Hopper" plan:trial', 1);
  await find("!plan:trial", 2);
  await find(ids[1]?.slice(0, 8) ?? "", 1);
  await find(ids[2] ?? "", 1);
  await find("nothing:here", 0);
  await expect(page.getByRole("alert")).toContainText("“nothing:” is not known.");
  await expect(page.getByText("The search is not understood")).toBeVisible();
  await page.goBack();
  await expect(table(page).locator("tbody tr")).toHaveCount(1);
  await expect(search(page)).toHaveValue(ids[2] ?? "");
});

test("tags are offered by keyboard, before a letter is typed and after", async ({ page, project }) => {
  await project.store(...shop());
  await openPage(page, `/issues/${project.slug}-1/events?q=user:4712`);
  await page.keyboard.press("/");
  await expect(search(page)).toBeFocused();
  // Nothing is selected: what one types goes on.
  await page.keyboard.type(" ");
  await expect(search(page)).toHaveValue("user:4712 ");
  await expect(options(page).filter({ hasText: /^plan:/ })).toBeVisible();
  await page.keyboard.type("plan");
  await expect(options(page)).toHaveText([/^plan:tag100% of events/]);
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  await expect(options(page)).toHaveText([/^plan:pro67% of events/, /^plan:trial33% of events/]);
  await page.keyboard.press("ArrowUp");
  await page.keyboard.press("Enter");
  await expect(search(page)).toHaveValue("user:4712 plan:trial ");
  await page.keyboard.press("Enter");
  await expect(table(page).locator("tbody tr")).toHaveCount(1);
});

test("two events are ticked and compared: what differs, then everything", async ({ page, project }) => {
  const ids = await project.store(...shop());
  await openPage(page, `/issues/${project.slug}-1/events`);
  const compare = page.getByRole("button", { name: "Compare" });
  await expect(compare).toBeDisabled();
  const boxes = page.getByRole("checkbox", { name: /^Compare event/ });
  await boxes.nth(0).focus();
  await page.keyboard.press("Space");
  await expect(page.getByText("Tick another one.")).toBeVisible();
  await boxes.nth(2).check();
  await compare.click();
  await expect(page).toHaveURL(
    (url) => url.searchParams.get("left") === ids[0] && url.searchParams.get("right") === ids[2],
  );

  const tags = page.getByRole("region", { name: /^Tags/ });
  const release = page.getByRole("region", { name: /^Event \d/ }).getByRole("row", { name: /release/ });
  await expect(release).toContainText("shop@1");
  await expect(release.locator("mark")).toHaveText(["1", "2"]);
  await expect(tags.getByRole("row", { name: /store/ })).toHaveCount(0);
  await expect(page.getByRole("region", { name: /^User/ })).toContainText("not there");
  await expect(page.getByRole("region", { name: /^Stack trace/ })).toContainText("= the same in both");

  await page.getByRole("link", { name: "Everything" }).click();
  await expect(tags.getByRole("row", { name: /Same: store/ })).toBeVisible();
  await page.getByRole("link", { name: "Swap" }).click();
  await expect(page).toHaveURL((url) => url.searchParams.get("left") === ids[2]);
  await expect(tags.getByRole("row", { name: /store/ })).toBeVisible();
  const markdown = await page.request.get(`/issues/${project.slug}-1/compare.md?left=${ids[0]}&right=${ids[2]}`);
  expect(await markdown.text()).toMatch(/\*\*release\*\*: A `shop@1`, B `shop@2`/);
});

test("an event is compared with a neighbour, or with one of the list", async ({ page, project, complaints }) => {
  complaints.expect(/status of 40/);
  const ids = await project.store(...shop());
  await openPage(page, `/issues/${project.slug}-1/events/${ids[1]}`);
  const words = "Compare with another event";
  const trigger = page.getByRole("button", { name: words }).or(page.locator("summary", { hasText: words }));
  const open = () => trigger.click();
  await open();
  await page.getByRole("menuitem", { name: "Previous event" }).click();
  await expect(page).toHaveURL((url) => url.searchParams.get("right") === ids[0]);
  await expect(page.getByRole("region", { name: /^Tags/ })).toContainText("trial");
  await page.goBack();
  await open();
  await page.getByRole("menuitem", { name: "One of the list…" }).click();
  await page.getByRole("link", { name: `Compare with event ${ids[2]?.slice(0, 8)}` }).click();
  await expect(page).toHaveURL((url) => url.searchParams.get("right") === ids[2]);

  await page.goto(`/issues/${project.slug}-1/compare?left=${ids[0]}`);
  await expect(page.getByText("Choose exactly two events to compare.")).toBeVisible();
  const gone = await page.goto(`/issues/${project.slug}-1/compare?left=${ids[0]}&right=${"0".repeat(32)}`);
  expect(gone?.status()).toBe(404);
});

test.describe("without script", () => {
  test.use({ javaScriptEnabled: false });

  test("one searches events and compares two", async ({ page, project }) => {
    const ids = await project.store(...shop());
    await page.goto(`/issues/${project.slug}-1/events?period=7d`);
    await page.getByRole("searchbox", { name: "Search events" }).fill("plan:pro");
    await page.getByRole("button", { name: "Search", exact: true }).click();
    await expect(table(page).locator("tbody tr")).toHaveCount(2);
    await expect(page).toHaveURL(/period=7d/);
    for (const box of await page.getByRole("checkbox", { name: /^Compare event/ }).all()) await box.check();
    await page.getByRole("button", { name: "Compare" }).click();
    await expect(page).toHaveURL((url) => url.searchParams.get("left") === ids[0]);
    await expect(page.getByRole("region", { name: /^User/ })).toContainText("lena@example.com");
  });
});

test("the tags lead from a user to what would be deleted of them", async ({ page, project }) => {
  await project.store(makeError("Named", { user: { email: "ann@example.com" } }));
  await openPage(page, `/issues/${project.slug}-1/tags`);
  await page.getByRole("link", { name: "Delete what ann@example.com sent…" }).click();
  await expect(page.getByRole("heading", { name: "Deletions", level: 1 })).toBeVisible();
  await expect(page.getByRole("textbox", { name: "User" })).toHaveValue("ann@example.com");
  await expect(page.getByRole("list", { name: "Projects" })).toContainText(`${project.slug}1 event`);
});
