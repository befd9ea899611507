import type { Page } from "@playwright/test";
import { expect, openPage, test, waitForScript } from "../support/browser-test.ts";
import { findViolations, isSerious } from "../support/find-violations.ts";
import { makeError } from "../support/make-event.ts";

const views = (page: Page) => page.getByRole("navigation", { name: "Saved views" });

test("a view is saved, counted, made the default, renamed, and deleted with an undo", async ({ page, project }) => {
  await project.store(makeError("Alpha", { level: "fatal" }), makeError("Beta"));
  await openPage(page, `/issues?project=${project.slug}&q=level%3Afatal`);
  await waitForScript(page);
  await page.getByText("Save view").click();
  const name = `Fatal of ${project.slug}`;
  await page.getByLabel("Name", { exact: true }).fill(name);
  await page.getByLabel("My default").check();
  await page.keyboard.press("Enter");
  const link = views(page).getByRole("link", { name });
  await expect(link).toHaveAttribute("aria-current", "page");
  await expect(link).toHaveText(`Default: ${name}1`);
  await expect(page).toHaveURL(/q=level%3Afatal/);

  // The navigation begins with it where no filter goes along, and Ctrl K finds it.
  await openPage(page, "/views");
  await waitForScript(page);
  expect((await findViolations(page)).filter(isSerious), "saved views").toEqual([]);
  await expect(
    page.getByRole("navigation", { name: "Sections" }).getByRole("link", { name: "Issues" }),
  ).toHaveAttribute("href", /q=level%3Afatal/);
  await page.keyboard.press("Control+k");
  await page.keyboard.type(name);
  await page.getByRole("option", { name: `${name} View of issues` }).click();
  await expect(link).toHaveAttribute("aria-current", "page");

  await openPage(page, "/views");
  await page.getByRole("button", { name: `No default: ${name}` }).click();
  await expect(page.getByRole("button", { name: `Make default: ${name}` })).toBeVisible();
  await page.locator("summary", { hasText: "Rename" }).click();
  await page.getByRole("textbox", { name: "Name", exact: true }).fill(`${name}!`);
  await page.keyboard.press("Enter");
  await expect(page.getByRole("status").filter({ hasText: `is called ${name}! now` })).toBeVisible();
  await page.getByRole("button", { name: `Delete: ${name}!` }).focus();
  await page.keyboard.press("Enter");
  await expect(page.getByRole("link", { name: `${name}!` })).toHaveCount(0);
  await page.keyboard.press("Tab");
  await expect(page.getByRole("button", { name: "Undo" })).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(page.getByRole("link", { name: `${name}!` })).toBeVisible();
  await page.getByRole("button", { name: `Delete: ${name}!` }).click();
});

test("a name that is taken is said on the list, which stays as it is", async ({ page, project, complaints }) => {
  complaints.expect(/409/);
  const name = `Slow of ${project.slug}`;
  const save = async (query: string) => {
    await openPage(page, `/logs?project=${project.slug}&q=${query}`);
    await waitForScript(page);
    await page.getByText("Save view").click();
    await page.getByLabel("Name", { exact: true }).fill(name);
    await page.keyboard.press("Enter");
  };
  await save("timeout");
  const link = views(page).getByRole("link", { name });
  await expect(link).toHaveAttribute("aria-current", "page");
  await save("slow");
  await expect(page.getByRole("alert")).toHaveText("This list has a view of that name already.");
  await expect(page).toHaveURL(/\/logs\?.*q=slow/);
  await page.keyboard.press("Enter");
  await page.getByLabel("Name", { exact: true }).fill(`${name} again`);
  await page.keyboard.press("Enter");
  await expect(views(page).getByRole("link", { name: `${name} again` })).toHaveAttribute("aria-current", "page");
});

test.describe("without script", () => {
  test.use({ javaScriptEnabled: false });

  test("a view is saved and deleted", async ({ page, project }) => {
    await page.goto(`/logs?project=${project.slug}&q=timeout`);
    await page.getByText("Save view").click();
    await page.getByLabel("Name", { exact: true }).fill(`Slow ${project.slug}`);
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await expect(views(page).getByRole("link", { name: `Slow ${project.slug}` })).toBeVisible();
    await page.goto("/views");
    await page.getByRole("button", { name: `Delete: Slow ${project.slug}` }).click();
    await expect(page.getByRole("status").filter({ hasText: "deleted" })).toBeVisible();
  });
});
