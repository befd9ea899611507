import { expect, openPage, test } from "../support/browser-test.ts";
import { makeError } from "../support/make-event.ts";
import { makeProject } from "../support/make-project.ts";
import { NARROWEST, ON_A_PHONE } from "../support/phone.ts";

// Every page is looked at as a phone shows it in accessibility.e2e.ts.
test.use(ON_A_PHONE);

test("a long name of an environment makes no page wider", async ({ page, project }) => {
  await project.store(makeError("Alpha", { environment: "a-branch-of-a-review-app-".repeat(2) }));
  for (const path of [`/issues/${project.slug}-1`, `/issues?project=${project.slug}`]) {
    await openPage(page, path);
    const width = await page.evaluate(() => document.documentElement.scrollWidth);
    expect(width, path).toBe(390);
  }
});

test("the choice of a project is not as wide as the longest name", async ({ page, server, project }) => {
  await makeProject(server, `${project.slug}-of-a-team-with-a-long-name`);
  await openPage(page, "/releases");
  const box = await page.getByRole("combobox", { name: "Project", exact: true }).boundingBox();
  expect(box?.width).toBeGreaterThan(0);
  expect(box?.width).toBeLessThan(200);
});

test("what a search field suggests and what stands under a graph is cut off nowhere", async ({ page, project }) => {
  await project.store(makeError("Alpha"));
  const issue = `/issues/${project.slug}-1`;
  for (const path of [`/issues?project=${project.slug}&q=`, `${issue}/events`]) {
    await openPage(page, path);
    const field = page.getByRole("combobox", { name: /^Search/ });
    const widths = await field.evaluate((input: HTMLInputElement) => {
      const style = getComputedStyle(input);
      const context = document.createElement("canvas").getContext("2d");
      if (!context) throw new Error("there is no canvas");
      context.font = style.font;
      const room = input.clientWidth - Number.parseFloat(style.paddingLeft) - Number.parseFloat(style.paddingRight);
      return { room, text: context.measureText(input.placeholder).width };
    });
    expect(widths.text, path).toBeGreaterThan(0);
    expect(widths.room, path).toBeGreaterThanOrEqual(widths.text);
  }
  for (const path of [issue, "/arrived", `/projects/${project.slug}`]) {
    await openPage(page, path);
    const cut = await page.locator(".bar-graph-ticks > span").evaluateAll((labels) =>
      labels.flatMap((label) => {
        const [own, room] = [label, label.parentElement as Element].map((each) => each.getBoundingClientRect());
        return own && room && own.left >= room.left - 1 && own.right <= room.right + 1 ? [] : [label.textContent];
      }),
    );
    expect(cut, path).toEqual([]);
  }
});

test("on the narrowest phone no word of the bar and of the list's columns is broken, and no field leaves its panel", async ({
  page,
  project,
}) => {
  await page.setViewportSize(NARROWEST);
  await project.store(makeError("Alpha"));
  await openPage(page, `/issues?project=${project.slug}`);
  const broken = await page.locator("a.rail-item:visible > span:last-child, .sort-link:visible").evaluateAll((parts) =>
    parts.flatMap((part) => {
      const words = document.createRange();
      words.selectNodeContents(part.firstChild ?? part);
      const { right } = part.getBoundingClientRect();
      return words.getClientRects().length === 1 && right <= innerWidth ? [] : [part.textContent];
    }),
  );
  expect(broken).toEqual([]);
  await openPage(page, "/alerts/file");
  const form = await page.locator("form", { has: page.getByLabel("File") }).boundingBox();
  const field = await page.getByRole("textbox", { name: "Or its text" }).boundingBox();
  expect(field?.width).toBe(form?.width);
});

test("every section, the search and the account are within reach, and no table hides its last column", async ({
  page,
  project,
}) => {
  await project.store(makeError("Alpha"));
  await openPage(page, "/arrived");
  const bar = page.getByRole("banner").locator("a:visible, button:visible, summary:visible");
  const outside = (width: number) =>
    bar.evaluateAll(
      (parts, most) =>
        parts
          .filter((part) => {
            const { left, right } = part.getBoundingClientRect();
            return left < 0 || right > most;
          })
          .map((part) => part.textContent),
      width,
    );
  await expect(bar.filter({ hasText: "More" })).toBeInViewport({ ratio: 1 });
  expect(await outside(390)).toEqual([]);
  const table = page.getByRole("region", { name: "Items by project" });
  expect(await table.evaluate((region) => region.scrollWidth - region.clientWidth)).toBe(0);
  const lines = await table.getByRole("link", { name: "Stored", exact: true }).evaluate((link) => {
    const words = document.createRange();
    words.selectNodeContents(link.firstChild ?? link);
    return words.getClientRects().length;
  });
  expect(lines, "a word is not broken").toBe(1);
  // The sections without room in the bar.
  await page.getByRole("button", { name: "More" }).tap();
  const sheet = page.getByRole("list", { name: "More sections" });
  await expect(sheet.getByRole("link", { name: "Settings" })).toBeInViewport({ ratio: 1 });
  expect(await outside(390)).toEqual([]);
  await sheet.getByRole("link", { name: "Projects" }).tap();
  await expect(page.getByRole("heading", { name: "Projects", level: 1 })).toBeVisible();
  await expect(sheet).toBeHidden();
});

test("on a phone one reads the list, opens an issue, resolves it and comes back", async ({ page, project }) => {
  await project.store(makeError("Alpha"), makeError("Beta"));
  await openPage(page, `/issues?project=${project.slug}`);
  const list = page.getByRole("table", { name: "Issues" });
  await expect(list.getByRole("row").filter({ hasText: "Alpha could not be done" })).toBeVisible();
  await list.getByRole("link", { name: /AlphaError/ }).tap();
  await expect(page.getByRole("heading", { name: "AlphaError", level: 1 })).toBeVisible();
  await page.getByRole("button", { name: "Resolve" }).tap();
  await expect(page.getByText("Resolved. It comes back by itself if it happens again.")).toBeVisible();
  await page.getByRole("navigation", { name: "Sections" }).getByRole("link", { name: "Issues" }).tap();
  await expect(page.getByRole("heading", { name: "Issues", level: 1 })).toBeVisible();
});

test("on a phone one reaches every action of an issue by touch, and sees what became of it", async ({
  page,
  project,
}) => {
  test.slow();
  await project.store(makeError("Alpha"), makeError("Beta"));
  await openPage(page, `/issues/${project.slug}-1`);
  const opener = (words: string) => page.locator("summary, button").filter({ hasText: words });
  /** Opens a panel, and gives it once all of it is in sight. */
  const open = async (words: string, name = words) => {
    await opener(words).filter({ visible: true }).first().tap();
    const panel = page.getByRole("dialog", { name, exact: true });
    await expect(panel).toBeInViewport({ ratio: 0.99 });
    return panel;
  };
  /** A message with its undo, in sight wherever the page is. */
  const undo = async (words: RegExp) => {
    const said = page.getByRole("status").filter({ hasText: words });
    await expect(said.first()).toBeInViewport({ ratio: 0.99 });
    await said.getByRole("button", { name: "Undo" }).tap();
    await expect(said).toHaveCount(0);
  };
  await (await open("Assignee: ", "Assignee")).getByRole("button", { name: "owner" }).tap();
  await undo(/^Assigned to you/);
  await (await open("Priority: ", "Priority")).getByRole("button", { name: "High" }).tap();
  await undo(/^Priority/);
  await (await open("Fixed in a release or commit")).getByRole("button", { name: /^Fixed in the next/ }).tap();
  await undo(/^Resolved/);
  await (await open("Archive for a while")).getByRole("button", { name: "For 1 day" }).tap();
  await undo(/^Archived/);

  // Comments, snooze and the rest stand below the event: one tap leads there.
  await page.getByRole("link", { name: "Activity", exact: true }).tap();
  await expect(page.getByRole("heading", { name: "Activity" })).toBeInViewport();
  await page.getByLabel("Add a comment").fill("Looking at it.");
  await page.getByRole("button", { name: "Comment", exact: true }).tap();
  await page.getByRole("button", { name: "Delete", exact: true }).tap();
  await undo(/Comment deleted/);
  await expect(page.getByRole("paragraph").filter({ hasText: "Looking at it." })).toBeVisible();
  await page.getByLabel("Address of an issue elsewhere").fill("https://github.com/acme/shop/issues/12");
  await page.getByRole("button", { name: "Link", exact: true }).tap();
  await expect(page.getByRole("link", { name: "acme/shop#12" })).toBeVisible();
  await expect(page.getByLabel("Address of an issue elsewhere")).toHaveValue("");
  await page.getByRole("button", { name: "Bookmark", exact: true }).tap();
  await expect(page.getByRole("button", { name: "Remove bookmark" })).toBeVisible();
  await (await open("Snooze", "Snooze for me alone")).getByRole("button", { name: "For 1 hour" }).tap();
  await expect(page.getByText(/^You have snoozed it until/)).toBeInViewport();

  await (await open("More actions")).getByRole("link", { name: "Share by a link…" }).tap();
  await page.getByRole("button", { name: "Make a link" }).tap();
  await expect(page.getByRole("button", { name: "End", exact: true })).toBeVisible();
  await (await open("More actions")).getByRole("button", { name: "Delete…" }).tap();
  await expect(page.getByRole("button", { name: "Delete issue" })).toBeInViewport({ ratio: 0.99 });

  // The snoozed one is in none of the reader's lists.
  await openPage(page, `/issues?project=${project.slug}&q=`);
  await page.getByRole("checkbox", { name: "Select all on this page" }).tap();
  await (await open("Assign")).getByRole("button", { name: "owner" }).tap();
  await expect(page.getByText(/^1 issue assigned to/)).toBeInViewport({ ratio: 0.99 });
});

test.describe("set-up and sign-in", () => {
  test.use({ isSignedIn: false });

  test("fit a phone", async ({ page, startOwnServer, complaints }) => {
    complaints.expect(/status of 404/);
    const server = await startOwnServer({ project: null });
    for (const path of ["/set-up", "/no/such/page"]) {
      await page.goto(server.url + path);
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
    }
  });
});
