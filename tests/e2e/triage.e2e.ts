import type { Page } from "@playwright/test";
import { expect, openPage, test } from "../support/browser-test.ts";
import { invitePerson } from "../support/invite-person.ts";
import { makeError } from "../support/make-event.ts";

/** The panel of the assignee, opened. */
async function openAssignees(page: Page) {
  await page.locator("summary, button").filter({ hasText: "Assignee: " }).click();
  return page.getByRole("dialog", { name: "Assignee" });
}

test("two people work on one issue at once: invited, joined, assigned, suggested, mentioned, resolved", async ({
  page,
  server,
  project,
  browser,
}) => {
  await project.store(makeError("Checkout broke"));
  await openPage(page, "/settings/invitations");
  const { page: guest, context, name } = await invitePerson(page, { browser, server, project, role: "member" });
  await guest.getByRole("link", { name: /Checkout broke/ }).click();
  await expect(guest).toHaveURL(/\/issues\/\d+/);
  const path = new URL(guest.url()).pathname;

  // Both look at the same issue. One assigns it and mentions the other.
  await openPage(page, path);
  await (await openAssignees(page)).getByRole("button", { name }).click();
  await expect(page.getByText(`Assigned to ${name}.`).first()).toBeVisible();
  // The other's page says who did what, and stays as it is until it is asked.
  const news = (of: Page, words: RegExp) => of.getByRole("button", { name: words });
  await expect(news(guest, /^owner assigned it to/)).toBeVisible();
  await page.getByLabel("Add a comment").pressSequentially(`Is it the queue, @${name.slice(0, 5)}`);
  // The keys of the field are for what is offered: Enter takes it, and writes no new line.
  const offer = page.getByRole("listbox", { name: "People to mention" });
  await expect(offer.getByRole("option", { selected: true })).toHaveText(new RegExp(name));
  await page.keyboard.press("Enter");
  await expect(page.getByLabel("Add a comment")).toHaveValue(`Is it the queue, @${name} `);
  await page.getByRole("button", { name: "Comment", exact: true }).click();
  await expect(page.getByRole("paragraph").filter({ hasText: "Is it the queue" })).toBeVisible();

  // The other is offered the news, answers, and resolves.
  await news(guest, /^owner commented and 1 more change/).click();
  await expect(guest.getByRole("paragraph").filter({ hasText: "Is it the queue" })).toBeVisible();
  await guest.getByLabel("Add a comment").fill("It is. Deployed.");
  await guest.getByRole("button", { name: "Comment", exact: true }).click();
  await expect(guest.getByRole("paragraph").filter({ hasText: "It is. Deployed." })).toBeVisible();
  await guest.getByRole("button", { name: "Resolve", exact: true }).click();
  await expect(guest.getByRole("button", { name: "Undo" })).toBeVisible();

  // What the first still shows is from before: the change of both is kept, in its order.
  await expect(news(page, new RegExp(`^${name} resolved it and 1 more change`))).toBeVisible();
  await (await openAssignees(page)).getByRole("button", { name: "Nobody" }).click();
  await expect(page.getByRole("status").filter({ hasText: "Nobody is assigned" })).toBeVisible();
  await page.reload();
  await expect(page.getByText("Resolved", { exact: true }).first()).toBeVisible();
  const suggested = (await openAssignees(page)).getByRole("group", { name: "Suggested" });
  await expect(suggested.getByRole("button", { name: `${name} wrote the last comment` })).toBeVisible();
  await context.close();
});

test("issues are merged, a new event joins, the merge is undone; a rule is previewed and saved", async ({
  page,
  project,
}) => {
  const cart = (word: string) =>
    makeError("CartError", { exception: { values: [{ type: "CartError", value: word }] }, fingerprint: [word] });
  await project.store(cart("the cart is empty"), cart("the cart is lost"));
  const key = project.slug.toUpperCase();
  const [kept, merged] = [`${key}-1`, `${key}-2`];
  await openPage(page, `/issues/${kept}/similar`);
  await page.getByRole("button", { name: `Merge into ${kept}: ${merged}` }).click();
  await expect(page.getByText("No issue of the project is like this one.")).toBeVisible();

  // What comes joins it: the address of the merged issue leads to the one that went on, with all events.
  await project.store(cart("the cart is lost"));
  await openPage(page, `/issues/${merged}`);
  await expect(page).toHaveURL(/\/issues\/\d+$/);
  await expect(
    page.getByRole("navigation", { name: "Views of this issue" }).getByRole("link", { name: /^Events/ }),
  ).toContainText("3");

  // Where the merge is still being applied, undo waits for it.
  await openPage(page, `/projects/${project.slug}/grouping`);
  await page.getByRole("button", { name: /^Undo / }).click();
  await expect(page).toHaveURL(/\/issues\/\d+$/);
  await expect(page.getByText(/undid the merge into/)).toBeVisible();
  // Its events are there with it, and are gone from the other, which is looked at first.
  const countOfEvents = page
    .getByRole("navigation", { name: "Views of this issue" })
    .getByRole("link", { name: /^Events/ });
  await openPage(page, `/issues/${kept}`);
  await expect(countOfEvents).toContainText("1");
  await openPage(page, `/issues/${merged}`);
  await expect(countOfEvents).toContainText("2");

  await openPage(page, `/projects/${project.slug}/grouping`);
  await page.getByLabel("Fingerprint rules, one a line").fill("error.type:CartError -> cart");
  await page.getByRole("button", { name: "Preview", exact: true }).click();
  await expect(page.getByRole("heading", { name: /^Preview/ })).toBeVisible();
  await page.getByRole("button", { name: "Save rules" }).click();
  await expect(page.getByText(/^Last changed by owner/)).toBeVisible();
});

/** Presses what Ctrl K offers for these letters first. */
async function run(page: Page, letters: string, option: string | RegExp) {
  await page.keyboard.press("Control+k");
  await page.getByRole("combobox", { name: /^Go to/ }).fill(letters);
  const places = page.getByRole("listbox", { name: "Places and actions" });
  await expect(places.getByRole("option", { selected: true })).toHaveAccessibleName(option);
  await page.keyboard.press("Enter");
}

test("every action on an issue stands in Ctrl K, and does what its button does", async ({ page, project }) => {
  await project.store(makeError("Alpha"));
  const panel = (name: string) => page.getByRole("dialog", { name, exact: true });
  await openPage(page, `/issues/${project.slug}-1`);
  await run(page, "resolve", /^Resolve/);
  await expect(page.getByText(/^Resolved\. /).first()).toBeVisible();
  await run(page, "undo", /^Undo/);
  await expect(page.getByText("Put back as it was.").first()).toBeVisible();
  for (const [letters, name] of [
    ["commit", "Fixed in a release or commit"],
    ["archive for", "Archive for a while"],
    ["priority:", "Priority"],
    ["assignee:", "Assignee"],
    ["snooze", "Snooze for me alone"],
    ["delete", `Delete ${project.slug.toUpperCase()}-1?`],
  ] as const) {
    await run(page, letters, /./);
    await expect(panel(name), letters).toBeVisible();
    await page.keyboard.press("Escape");
    await expect(panel(name), letters).toBeHidden();
  }
  // Also while the panel's code is on its way: the key is meant for the panel, and not for the page behind it.
  await openPage(page, `/issues/${project.slug}-1`);
  await page.route(/popover-overlay/, async (route) => {
    await new Promise((done) => setTimeout(done, 500));
    await route.continue();
  });
  const code = page.waitForResponse(/popover-overlay/);
  await page.keyboard.press("p");
  await page.keyboard.press("Escape");
  await code;
  await expect(panel("Priority")).toBeHidden();
  await expect(page).toHaveURL(/\/issues\//);
  await run(page, "subscribe", /^Subscribe/);
  await expect(page.getByRole("button", { name: "Unsubscribe" })).toBeVisible();
  await run(page, "bookmark", /^Bookmark b/);
  await expect(page.getByRole("button", { name: "Remove bookmark" })).toBeVisible();
  await run(page, "comment", /^Add a comment/);
  await expect(page.getByLabel("Add a comment")).toBeFocused();
  await run(page, "elsewhere", /^Address of an issue elsewhere/);
  await expect(page.getByLabel("Address of an issue elsewhere")).toBeFocused();
  for (const [letters, path] of [
    ["merge", "similar"],
    ["split", "split"],
    ["share", "share"],
  ] as const) {
    await run(page, letters, /Action$/);
    await expect(page, letters).toHaveURL(new RegExp(`/${path}$`));
  }
});

test("what is selected on the list, or the row one is at, is changed by Ctrl K and put back", async ({
  page,
  project,
}) => {
  await project.store(makeError("Alpha"), makeError("Beta"));
  await openPage(page, `/issues?project=${project.slug}`);
  await page.keyboard.press("j");
  await run(page, "resolve this", /^Resolve: this issue/);
  await expect(page.getByText("1 issue resolved.")).toBeVisible();
  await page.keyboard.press("u");
  await expect(page.getByRole("row")).toHaveCount(3);
  await page.getByRole("checkbox", { name: "Select all on this page" }).check();
  await run(page, "more selected", /^More: 2 selected/);
  await page.getByRole("dialog", { name: "More" }).getByRole("button", { name: "Subscribe", exact: true }).click();
  await expect(page.getByText("Subscribed to 2 issues.")).toBeVisible();
  await page.keyboard.press("u");
  await expect(page.getByText("Undone: 2 issues as before.")).toBeVisible();
});

test("a link for strangers is ended and works again, by keyboard", async ({ page, project, browser }) => {
  await project.store(makeError("Alpha"));
  await openPage(page, `/issues/${project.slug}-1/share`);
  await page.getByRole("button", { name: "Make a link" }).press("Enter");
  const link = await page.getByLabel("Link", { exact: true }).inputValue();
  await page.getByRole("button", { name: "End", exact: true }).press("Enter");
  await expect(page.getByText("The link leads nowhere any more.")).toBeVisible();
  const context = await browser.newContext();
  const stranger = await context.newPage();
  expect((await stranger.goto(link))?.status()).toBe(404);
  await page.keyboard.press("u");
  await expect(page.getByText("The link works again.")).toBeVisible();
  expect((await stranger.goto(link))?.status()).toBe(200);
  await context.close();
});

test("a viewer is offered what viewers may do", async ({ page, server, project, browser }) => {
  await project.store(makeError("Alpha"));
  await openPage(page, "/settings/invitations");
  const { page: guest, context } = await invitePerson(page, { browser, server, project, role: "viewer" });
  await openPage(guest, `/issues/${project.slug}-1`);
  await guest.keyboard.press("Control+k");
  const places = guest.getByRole("listbox", { name: "Places and actions" });
  await expect(places.getByRole("option", { name: /^Snooze/ })).toBeVisible();
  await expect(places.getByRole("option", { name: /^(Merge|Split|Resolve|Archive|Assign|Delete)/ })).toHaveCount(0);
  await openPage(guest, `/issues?project=${project.slug}`);
  await guest.keyboard.press("j");
  for (const key of ["e", "Shift+m", "Shift+a", "p"]) await guest.keyboard.press(key);
  await expect(guest.getByRole("group", { name: "Change the selected issues" }), "none of it is theirs").toBeHidden();
  await guest.keyboard.press("f");
  const more = guest.getByRole("dialog", { name: "More" });
  await expect(more.getByRole("button", { name: "Mark as seen" })).toBeVisible();
  await expect(more.getByRole("button", { name: /Fixed/ })).toHaveCount(0);
  await more.getByRole("button", { name: "Bookmark", exact: true }).click();
  await expect(guest.getByText("1 issue bookmarked.")).toBeVisible();
  await guest.getByRole("checkbox", { name: "Select all on this page" }).check();
  await expect(guest.getByRole("button", { name: /^(Resolve|Archive|Reopen|Assign|Priority|Delete)/ })).toHaveCount(0);
  await guest.keyboard.press("z");
  await guest.getByRole("dialog", { name: "Snooze" }).getByRole("button", { name: "For 1 week" }).click();
  await expect(guest.getByText(/^1 issue snoozed for you until /)).toBeVisible();
  const row = guest.getByRole("table", { name: "Issues" }).getByRole("row").filter({ hasText: "AlphaError" });
  await expect(row).toHaveCount(0);
  await guest.keyboard.press("u");
  await expect(guest.getByText("Undone: 1 issue as before.")).toBeVisible();
  await expect(row).toContainText("Bookmarked");
  for (const tab of ["owners", "grouping"]) {
    await openPage(guest, `/projects/${project.slug}/${tab}`);
    await expect(guest.getByPlaceholder("Nobody has written any.").first()).toBeVisible();
  }
  await context.close();
});
