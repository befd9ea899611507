import type { Page } from "@playwright/test";
import { listIssues, send } from "../support/api.ts";
import { expect, openPage, test } from "../support/browser-test.ts";
import { makeError } from "../support/make-event.ts";

const menu = (page: Page) => page.getByRole("dialog", { name: "Archive for a while" });
const opener = (page: Page) => page.locator("[data-shortcut='Shift+m']");
const activity = (page: Page) => page.getByRole("region", { name: "Activity" });

test("an issue is archived until more events, comes back with the last of them, and says why", async ({
  page,
  project,
  server,
}) => {
  await project.store(makeError("Loud"));
  const [issue] = await listIssues(server, "", project.slug);
  await openPage(page, `/issues/${issue?.id}`);
  await page.keyboard.press("Shift+m");
  await menu(page).getByRole("spinbutton", { name: "How many" }).fill("2");
  await menu(page).getByRole("button", { name: "Archive until so many" }).click();
  await expect(page.getByText("Archived until 2 more events. Then it comes back by itself.")).toBeVisible();
  await page.reload();
  await expect(page.getByText("until 2 more events (0 so far)")).toBeVisible();
  await project.store(makeError("Loud"));
  await page.reload();
  await expect(page.getByText("until 2 more events (1 so far)")).toBeVisible();
  await project.store(makeError("Loud"));
  await page.reload();
  await expect(page.getByRole("button", { name: "Resolve", exact: true })).toBeVisible();
  await expect(activity(page)).toContainText("Came back: 2 more events since it was archived");
});

test("an issue is archived for a day, and until a day and a time of one's own; undo puts it back", async ({
  page,
  project,
  server,
  complaints,
}) => {
  complaints.expect(/status of 400/);
  await project.store(makeError("Quiet"));
  const [issue] = await listIssues(server, "", project.slug);
  await openPage(page, `/issues/${issue?.id}`);
  await opener(page).click();
  await menu(page).getByRole("button", { name: "For 1 day" }).click();
  await expect(
    page.getByText(/Archived until \d{4}-\d\d-\d\d \d\d:\d\d UTC\. Then it comes back by itself\./),
  ).toBeVisible();
  await page.getByRole("button", { name: "Undo" }).click();
  await expect(page.getByText("Put back as it was.")).toBeVisible();

  const day = new Date(Date.now() + 3 * 86_400_000).toISOString().slice(0, 10);
  await opener(page).click();
  await menu(page).getByLabel("Until this day and time").fill(`${day}T09:30`);
  await menu(page).getByRole("button", { name: "Archive until then" }).click();
  const expected = await page.evaluate((local) => new Date(local).toISOString(), `${day}T09:30`);
  await expect(page.getByText(`Archived until ${expected.slice(0, 16).replace("T", " ")} UTC`)).toBeVisible();
  await expect(activity(page)).toContainText(`archived it until ${expected.slice(0, 16).replace("T", " ")} UTC`);

  await page.getByRole("button", { name: "Reopen" }).click();
  await expect(page.getByText("Reopened.")).toBeVisible();
  await opener(page).click();
  await menu(page).getByLabel("Until this day and time").fill("2020-01-01T00:00");
  await menu(page).getByRole("button", { name: "Archive until then" }).click();
  await expect(page.getByText("until: Must be in the future.")).toBeVisible();
});

test("Ctrl K opens the choices, and the list archives what is selected for a time", async ({
  page,
  project,
  server,
}) => {
  await project.store(makeError("First"), makeError("Second"));
  const [issue] = await listIssues(server, "", project.slug);
  await openPage(page, `/issues/${issue?.id}`);
  await page.keyboard.press("Control+k");
  await page.getByRole("combobox", { name: /^Go to/ }).fill("archive for");
  await page.keyboard.press("Enter");
  await expect(menu(page)).toBeVisible();
  await page.keyboard.press("Escape");

  await openPage(page, `/issues?project=${project.slug}`);
  await page.getByRole("checkbox", { name: "Select all on this page" }).check();
  await page.locator("summary", { hasText: "Archive for a while" }).click();
  await menu(page).getByRole("button", { name: "For 7 days" }).click();
  await expect(page.getByText("2 issues archived for 7 days.")).toBeVisible();
  const details = await Promise.all(
    (await listIssues(server, "is:archived", project.slug)).map(({ statusDetails }) => statusDetails),
  );
  expect(details).toEqual([{ ignoreUntil: expect.any(String) }, { ignoreUntil: expect.any(String) }]);
  await page.getByRole("button", { name: "Undo" }).click();
  await expect(page.getByText("Undone: 2 issues as before.")).toBeVisible();
  await send(server, "PUT", `/issues/${issue?.id}/`, { status: "unresolved" });
});

test("the list archives what is selected until so many more events, or a day and a time", async ({
  page,
  project,
  server,
}) => {
  await project.store(makeError("Third"), makeError("Fourth"));
  await openPage(page, `/issues?project=${project.slug}`);
  const details = async () =>
    (await listIssues(server, "is:archived", project.slug)).map(({ statusDetails }) => statusDetails);
  await page.getByRole("checkbox", { name: "Select all on this page" }).check();
  await page.locator("summary", { hasText: "Archive for a while" }).click();
  await menu(page).getByRole("spinbutton", { name: "How many" }).fill("50");
  await menu(page).getByRole("combobox", { name: "Of what" }).selectOption("more users");
  await menu(page).getByRole("button", { name: "Archive until so many" }).click();
  await expect(page.getByText("2 issues archived until 50 more users.")).toBeVisible();
  await expect(menu(page)).toBeHidden();
  expect(await details()).toEqual([
    expect.objectContaining({ ignoreUserCount: 50 }),
    expect.objectContaining({ ignoreUserCount: 50 }),
  ]);
  await page.getByRole("button", { name: "Undo" }).click();
  await expect(page.getByText("Undone: 2 issues as before.")).toBeVisible();
  expect(await details()).toEqual([]);
});

test("Shift+M in the list archives the issue one is at, or what is selected, for a time", async ({ page, project }) => {
  await project.store(makeError("Fifth"), makeError("Sixth"), makeError("Seventh"));
  await openPage(page, `/issues?project=${project.slug}`);
  const rows = page.getByRole("table", { name: "Issues" }).getByRole("row");
  await page.keyboard.press("Shift+m");
  await expect(menu(page), "at no issue").toBeHidden();
  await page.keyboard.press("j");
  await page.keyboard.press("Shift+m");
  await menu(page).getByRole("button", { name: "For 7 days" }).click();
  await expect(page.getByText("1 issue archived for 7 days.")).toBeVisible();
  await expect(rows.filter({ hasText: "SeventhError" })).toHaveCount(0);
  await page.getByRole("checkbox", { name: "Select all on this page" }).check();
  await page.keyboard.press("Shift+m");
  await menu(page).getByRole("button", { name: "For 1 day" }).click();
  await expect(page.getByText("2 issues archived for 1 day.")).toBeVisible();
});

test("an archived issue gets another rule, and none", async ({ page, project, server }) => {
  await project.store(makeError("Patient"));
  const [issue] = await listIssues(server, "", project.slug);
  await send(server, "PUT", `/issues/${issue?.id}/`, { status: "ignored" });
  await openPage(page, `/issues/${issue?.id}`);
  const change = page.getByRole("dialog", { name: "Change when it comes back" });
  await opener(page).click();
  await expect(change.getByRole("button", { name: "For ever" })).toBeHidden();
  await change.getByRole("spinbutton", { name: "How many" }).fill("7");
  await change.getByRole("button", { name: "Archive until so many" }).click();
  await expect(page.getByText("Archived until 7 more events. Then it comes back by itself.")).toBeVisible();
  await expect(change).toBeHidden();
  await opener(page).click();
  await change.getByRole("button", { name: "For ever" }).click();
  await expect(page.getByText("Archived. It stays quiet until somebody reopens it.")).toBeVisible();
  await page.getByRole("button", { name: "Undo" }).click();
  // A page that is left at once may take the undo with it, before it was sent.
  await expect(page.getByText("Put back as it was.")).toBeVisible();
  await page.reload();
  await expect(page.getByText("until 7 more events (0 so far)")).toBeVisible();
});

test("an issue is archived until it escalates, by key, Ctrl K and from the list, and says what brings it back", async ({
  page,
  project,
  server,
}) => {
  await project.store(makeError("Steady"), makeError("Steady"), makeError("Other"));
  const issues = await listIssues(server, "SteadyError", project.slug);
  await openPage(page, `/issues/${issues[0]?.id}`);
  await page.keyboard.press("Control+k");
  await page.getByRole("combobox", { name: /^Go to/ }).fill("escalates");
  await page.keyboard.press("Enter");
  await expect(page.getByText("Archived until it escalates. It comes back when an hour has more than")).toBeVisible();
  await expect(activity(page)).toContainText("archived it until it escalates");
  await page.reload();
  await expect(page.getByText("It comes back when an hour has more than")).toBeVisible();
  await page.getByRole("button", { name: "Reopen" }).click();
  await expect(page.getByText("Reopened.")).toBeVisible();

  await openPage(page, `/issues?project=${project.slug}`);
  await page.getByRole("checkbox", { name: "Select all on this page" }).check();
  await page.locator("summary", { hasText: "Archive for a while" }).click();
  await menu(page).getByRole("button", { name: "Until it escalates" }).click();
  await expect(page.getByText("2 issues archived until they escalate.")).toBeVisible();
  await page.getByRole("button", { name: "Undo" }).click();
  await expect(page.getByText("Undone: 2 issues as before.")).toBeVisible();
});

test("somebody snoozes an issue for themselves by its page and the list, sees until when, and ends it", async ({
  page,
  project,
  server,
}) => {
  await project.store(makeError("Later"), makeError("Now"));
  const [issue] = await listIssues(server, "LaterError", project.slug);
  const rows = page.getByRole("table", { name: "Issues" }).getByRole("row");
  await openPage(page, `/issues/${issue?.id}`);
  await page.keyboard.press("z");
  await page.getByRole("dialog", { name: "Snooze for me alone" }).getByRole("button", { name: "For 1 day" }).click();
  await expect(page.getByText("You have snoozed this issue until")).toBeVisible();
  await openPage(page, `/issues?project=${project.slug}`);
  await expect(rows.filter({ hasText: "NowError" })).toHaveCount(1);
  await expect(rows.filter({ hasText: "LaterError" })).toHaveCount(0);
  expect(await listIssues(server, "is:unresolved", project.slug), "for others nothing changes").toHaveLength(2);
  await openPage(page, `/issues?project=${project.slug}&q=is:snoozed`);
  await expect(rows.filter({ hasText: "LaterError" })).toContainText("Snoozed until");
  await openPage(page, `/issues/${issue?.id}`);
  await page.getByRole("button", { name: "End the snooze" }).click();
  await expect(page.getByText("You have snoozed this issue until")).toBeHidden();

  await openPage(page, `/issues?project=${project.slug}`);
  await page.getByRole("checkbox", { name: "Select all on this page" }).check();
  await page.keyboard.press("z");
  await page.getByRole("dialog", { name: "Snooze" }).getByRole("button", { name: "For 1 week" }).click();
  await expect(page.getByText(/^2 issues snoozed for you until /)).toBeVisible();
  await expect(rows.filter({ hasText: "Error" })).toHaveCount(0);
  await page.getByRole("button", { name: "Undo" }).click();
  await expect(page.getByText("Undone: 2 issues as before.")).toBeVisible();
  await expect(rows.filter({ hasText: "LaterError" })).toHaveCount(1);
});
