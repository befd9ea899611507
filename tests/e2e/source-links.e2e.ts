import type { Locator, Page } from "@playwright/test";
import { expect, openPage, type TestProject, test } from "../support/browser-test.ts";
import { findViolations } from "../support/find-violations.ts";
import { makeError } from "../support/make-event.ts";

const settings = (page: Page): Locator => page.getByRole("region", { name: "Links to the code" });
const stackRoot = (page: Page, row: number) => settings(page).getByLabel(`Paths in stacks that begin with, row ${row}`);
const sourceRoot = (page: Page, row: number) =>
  settings(page).getByLabel(`are in the folder of the repository, row ${row}`);
const press = (page: Page, name: string) => settings(page).getByRole("button", { name, exact: true }).click();

/** `Linked` has frames of `src/charge.js` and `src/pay.js`. */
async function openSettings(page: Page, project: TestProject): Promise<void> {
  await project.store(makeError("Linked"));
  await openPage(page, `/projects/${project.slug}/settings`);
  await settings(page).getByLabel("Host").selectOption("github");
  await settings(page).getByLabel("Repository", { exact: true }).fill("https://github.com/acme/shop");
}

test("frames that came show where they would lead as one types, and the first row that fits is taken", async ({
  page,
  project,
}) => {
  await openSettings(page, project);
  const examples = settings(page).getByRole("region", { name: "Examples" });
  const link = (path: string) =>
    examples.getByRole("link", { name: `https://github.com/acme/shop/blob/main/${path}`, exact: true });
  await expect(link("src/charge.js#L12")).toBeVisible();
  await expect(settings(page).getByLabel("Template")).toBeHidden();

  await press(page, "Add row");
  await expect(stackRoot(page, 1)).toBeFocused();
  await page.keyboard.type("src");
  await page.keyboard.press("Tab");
  await page.keyboard.type("packages/web");
  await expect(link("packages/web/charge.js#L12")).toBeVisible();
  await press(page, "Add row");
  await stackRoot(page, 2).fill("src/charge.js");
  await stackRoot(page, 2).fill("lib/");
  await sourceRoot(page, 2).fill("packages/lib");
  await expect(examples.getByText("by row 1").first()).toBeVisible();
  await press(page, "Try row 2 earlier");
  await expect(stackRoot(page, 1)).toHaveValue("lib/");
  await expect(settings(page).getByRole("button", { name: "Try row 1 later" })).toBeFocused();
  await expect(examples.getByText("by row 2").first()).toBeVisible();
  await press(page, "Remove row 2");
  await expect(stackRoot(page, 1)).toBeFocused();
  await expect(examples.getByText("no link: no row fits").first()).toBeVisible();
  await press(page, "Add row");
  await sourceRoot(page, 2).fill("/");
  await expect(link("src/charge.js#L12")).toBeVisible();
  const violations = await findViolations(page, { within: "#source-links" });
  expect(violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`)).toEqual([]);

  // Enter saves; it is no press on the button of a row.
  await sourceRoot(page, 2).press("Enter");
  await expect(page.getByText("Links to the code saved.")).toBeVisible();
  await page.reload();
  await expect(stackRoot(page, 1)).toHaveValue("lib/");
  await expect(sourceRoot(page, 2)).toHaveValue("/");
  await page.goto(`/issues/${project.slug}-1`);
  await expect(page.getByRole("link", { name: "Open src/charge.js:12:9 in GitHub" })).toHaveAttribute(
    "href",
    "https://github.com/acme/shop/blob/main/src/charge.js#L12",
  );
});

test("a row that cannot be is refused where it stands, and nothing that was typed is lost", async ({
  page,
  project,
  complaints,
}) => {
  complaints.expect(/status of 400/);
  await openSettings(page, project);
  await press(page, "Add row");
  await stackRoot(page, 1).fill("src");
  await sourceRoot(page, 1).fill("../elsewhere");
  await expect(settings(page).getByText("Complete the fields above to see examples.")).toBeVisible();
  await press(page, "Save links");
  await expect(sourceRoot(page, 1)).toHaveAccessibleDescription(/A folder of the repository/);
  await expect(stackRoot(page, 1)).toHaveValue("src");
  await page.getByRole("region", { name: "General" }).getByRole("button", { name: "Save" }).click();
  await expect(page.getByText("Saved.")).toBeVisible();
  await expect(stackRoot(page, 1)).toHaveValue("src");
});

test.describe("without script", () => {
  test.use({ javaScriptEnabled: false });

  test("rows are added, moved, removed, tried and saved", async ({ page, project }) => {
    await project.store(makeError("Linked"));
    await page.goto(`/projects/${project.slug}/settings`);
    await settings(page).getByLabel("Host").selectOption("github");
    await settings(page).getByLabel("Repository", { exact: true }).fill("https://github.com/acme/shop");
    for (const [row, root] of ["src", "lib", "gone"].entries()) {
      await press(page, "Add row");
      await stackRoot(page, row + 1).fill(root);
      await sourceRoot(page, row + 1).fill(`packages/${root}`);
    }
    await press(page, "Remove row 3");
    await press(page, "Try row 2 earlier");
    await expect(stackRoot(page, 1)).toHaveValue("lib");
    await press(page, "Try without saving");
    await expect(settings(page)).toBeInViewport();
    await expect(
      settings(page).getByRole("link", { name: "https://github.com/acme/shop/blob/main/packages/src/charge.js#L12" }),
    ).toBeVisible();
    await page.goto(`/projects/${project.slug}/settings`);
    await expect(settings(page).getByLabel("Host")).toHaveValue("");

    await settings(page).getByLabel("Host").selectOption("github");
    await settings(page).getByLabel("Repository", { exact: true }).fill("https://github.com/acme/shop");
    await press(page, "Add row");
    await sourceRoot(page, 1).fill("apps/shop");
    await press(page, "Save links");
    await expect(page.getByText("Links to the code saved.")).toBeVisible();
    await expect(sourceRoot(page, 1)).toHaveValue("apps/shop");
  });
});
