import type { Page } from "@playwright/test";
import { expect, openPage, type TestProject, test } from "../support/browser-test.ts";

const failure = (name: string, more: Record<string, unknown> = {}) => ({
  platform: "javascript",
  level: "error",
  exception: {
    values: [{ type: name, value: `${name} happened`, mechanism: { type: "generic", handled: true } }],
  },
  ...more,
});

const names = (page: Page) => page.locator("[data-issue] strong").allTextContents();
const row = (page: Page, name: string) => page.getByRole("row").filter({ hasText: name });
async function storeIssues(project: TestProject, ...issues: string[]): Promise<void> {
  for (const name of issues) await project.store(failure(name));
}

test("by keys alone: move, select, resolve, undo, search and open", async ({ page, project }) => {
  await storeIssues(project, "AlphaError", "BetaError", "GammaError", "DeltaError");
  await openPage(page, `/issues?project=${project.slug}`);
  await expect(page.getByRole("row")).toHaveCount(5);
  expect(await names(page)).toEqual(["DeltaError", "GammaError", "BetaError", "AlphaError"]);

  await page.keyboard.press("j");
  await page.keyboard.press("j");
  await expect(row(page, "GammaError").getByRole("link")).toBeFocused();
  await page.keyboard.press("x");
  await page.keyboard.press("j");
  await page.keyboard.press("Shift+X");
  await expect(page.getByText("2 selected", { exact: true })).toBeVisible();

  await page.keyboard.press("e");
  await expect(page.getByText("2 issues resolved.")).toBeVisible();
  await expect(page.getByRole("row")).toHaveCount(3);
  await page.keyboard.press("u");
  await expect(page.getByRole("row")).toHaveCount(5);

  await page.keyboard.press("/");
  await expect(page.getByRole("combobox", { name: "Search issues" })).toBeFocused();
  // Behind what is there: another word.
  await page.keyboard.type("alpha");
  await expect(page.getByRole("combobox", { name: "Search issues" })).toHaveValue("is:unresolved alpha");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("row")).toHaveCount(2);
  await page.keyboard.type("level:error");
  await expect(page.getByRole("combobox", { name: "Search issues" })).toHaveValue("is:unresolved alpha level:error");
  await page.keyboard.press("Escape");
  await page.keyboard.press("Escape");
  await page.keyboard.press("j");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("heading", { name: "AlphaError", level: 1 })).toBeVisible();

  await page.keyboard.press("g");
  await page.keyboard.press("i");
  await expect(page.getByRole("heading", { name: "Issues", level: 1 })).toBeVisible();
  await page.keyboard.press("?");
  await expect(page.getByRole("dialog", { name: "Shortcuts" })).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(page.getByRole("dialog")).toBeHidden();
});

test("what is done quickly, one thing after the other, is all done, and undone", async ({ page, project }) => {
  await storeIssues(project, "AlphaError", "BetaError", "GammaError", "DeltaError");
  // A network on which nothing is there before the next key is pressed.
  await page.route(/\/issues\.data/, async (route) => {
    await new Promise((done) => setTimeout(done, 300));
    await route.continue().catch(() => undefined);
  });
  await openPage(page, `/issues?project=${project.slug}`);
  await expect(page.getByRole("row")).toHaveCount(5);
  for (const key of ["j", "e", "j", "m", "j", "e"]) await page.keyboard.press(key);
  await expect.poll(() => names(page)).toEqual(["AlphaError"]);
  const other = await page.context().newPage();
  await openPage(other, `/issues?project=${project.slug}&q=is%3Aarchived`);
  expect(await names(other)).toEqual(["GammaError"]);
  await openPage(other, `/issues?project=${project.slug}&q=is%3Aresolved`);
  expect((await names(other)).sort()).toEqual(["BetaError", "DeltaError"]);

  // Undone before it is done: that is meant, and not what came before.
  await row(page, "AlphaError").getByRole("link").focus();
  await page.keyboard.press("e");
  await page.keyboard.press("u");
  await expect(page.getByText("Undone: 1 issue as before.")).toBeVisible();
  await expect.poll(() => names(page)).toEqual(["AlphaError"]);
});

test("Enter on a check box changes nothing", async ({ page, project }) => {
  await storeIssues(project, "AlphaError");
  await openPage(page, `/issues?project=${project.slug}`);
  await row(page, "AlphaError").getByRole("checkbox").check();
  await page.keyboard.press("Enter");
  // What comes after it in the same queue is there, and that is not.
  await page.keyboard.press("?");
  await expect(page.getByRole("dialog", { name: "Shortcuts" })).toBeVisible();
  await expect(page.getByText("1 issue resolved.")).toHaveCount(0);
  await expect(row(page, "AlphaError")).toBeVisible();
});

test("after several issues went the focus is on the next one, and back from an issue that went, too", async ({
  page,
  project,
}) => {
  await storeIssues(project, "AlphaError", "BetaError", "GammaError", "DeltaError", "OmegaError");
  await openPage(page, `/issues?project=${project.slug}`);
  for (const key of ["j", "x", "j", "x", "m"]) await page.keyboard.press(key);
  await expect.poll(() => names(page)).toEqual(["GammaError", "BetaError", "AlphaError"]);
  await expect(row(page, "GammaError").getByRole("link")).toBeFocused();
  await page.keyboard.press("Shift+E");
  await expect.poll(() => names(page)).toEqual(["BetaError", "AlphaError"]);
  await expect(row(page, "BetaError").getByRole("link")).toBeFocused();

  await page.keyboard.press("Enter");
  await expect(page.getByRole("heading", { name: "BetaError", level: 1 })).toBeVisible();
  await page.keyboard.press("e");
  await expect(page.getByRole("button", { name: "Reopen" })).toBeVisible();
  await page.keyboard.press("Escape");
  await expect.poll(() => names(page)).toEqual(["AlphaError"]);
  await expect(row(page, "AlphaError").getByRole("link")).toBeFocused();
});

test("the theme is chosen in the account's menu, and is there from the first byte of the next page", async ({
  page,
}) => {
  await openPage(page, "/issues");
  await page.locator("summary").filter({ hasText: "Account of" }).click();
  await page.getByRole("menuitem", { name: "Dark" }).click();
  await expect(page.locator("html")).toHaveAttribute("data-theme", "dark");
  const response = await page.reload();
  expect(await response?.text()).toContain('data-theme="dark"');
});

test.describe("without script", () => {
  test.use({ javaScriptEnabled: false });

  test("issues are selected, resolved and brought back, and the theme is chosen", async ({ page, project }) => {
    await storeIssues(project, "PlainError", "OtherError");
    await page.goto(`/issues?project=${project.slug}`);
    await page
      .getByRole("checkbox", { name: /^Select / })
      .first()
      .check();
    await page.getByRole("button", { name: "Resolve" }).click();
    await expect(page.getByText("1 issue resolved.")).toBeVisible();
    await expect(page.getByRole("row")).toHaveCount(2);
    await page.getByRole("button", { name: "Undo" }).click();
    await expect(page.getByRole("row")).toHaveCount(3);

    await page.getByRole("searchbox").fill("plain");
    await page.getByRole("button", { name: "Apply" }).click();
    await expect.poll(() => names(page)).toEqual(["PlainError"]);

    await page.locator("summary").filter({ hasText: "Account of" }).click();
    await page.getByRole("button", { name: "Light" }).click();
    await expect(page.locator("html")).toHaveAttribute("data-theme", "light");
    await expect.poll(() => names(page)).toEqual(["PlainError"]);
  });
});
