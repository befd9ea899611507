import { createProject, expect, openPage, test, waitForScript } from "../support/browser-test.ts";
import { makeError } from "../support/make-event.ts";

test("a project with events opens on its overview, and set-up is a tab", async ({ page, project }) => {
  await project.store(
    makeError("Frequent", { user: { id: "1" }, release: "shop@2.0.0", environment: "production" }),
    makeError("Frequent", { user: { id: "2" }, release: "shop@2.0.0", environment: "production" }),
    makeError("Rare", { user: { id: "1" }, release: "shop@1.0.0", environment: "staging" }),
  );
  await openPage(page, `/projects/${project.slug}`);
  const main = page.getByRole("main");
  const figure = (label: string) => main.locator("dl > div").filter({ hasText: label });
  await expect(figure("Events")).toContainText("3");
  await expect(figure("Users who met an error")).toContainText("2");
  await expect(figure("New issues")).toContainText("2");
  await expect(page.getByRole("figure", { name: /^Events and users in 14 days: 3 events/ })).toBeVisible();
  const top = page.getByRole("list", { name: "Top issues" }).getByRole("listitem");
  await expect(top).toHaveCount(2);
  await expect(top.first()).toContainText("2 events");
  await expect(page.getByRole("region", { name: "Newest releases" })).toContainText("2.0.0");
  await expect(page.getByRole("region", { name: "Errors that arrived" })).toContainText("Stored");

  await waitForScript(page);
  await page.getByRole("combobox", { name: "Environment" }).selectOption("staging");
  await expect(page).toHaveURL(/environment=staging/);
  await expect(top).toHaveCount(1);
  await expect(figure("Events")).toContainText("1");
  await page.getByRole("link", { name: "All issues", exact: true }).click();
  await expect(page).toHaveURL(/\/issues\?.*environment=staging/);

  await page.goBack();
  await page.getByRole("navigation", { name: "Pages of the project" }).getByRole("link", { name: "Set-up" }).click();
  await expect(page.getByRole("textbox", { name: "DSN" })).toHaveValue(project.dsn);
});

test("a project that waits for its first event opens on its set-up", async ({ page, project }) => {
  await page.goto(`/projects/${project.slug}`);
  await expect(page).toHaveURL(new RegExp(`/projects/${project.slug}/set-up$`));
  await expect(page.getByText("Waiting for the first event")).toBeVisible();
  const tabs = page.getByRole("navigation", { name: "Pages of the project" }).getByRole("link");
  await expect(tabs.first()).toHaveText("Set-up");
  await expect(tabs.filter({ hasText: "Overview" })).toHaveCount(0);
});

test("projects are searched, put in order and paged", async ({ page, server, project }) => {
  for (const letter of "abcdefghijklmnopqrstuvwxyz") await createProject(server, `${project.slug}-many-${letter}`);
  await openPage(page, `/projects?q=${project.slug}-many`);
  await expect(page.getByText(/^1 to 24 of 26 projects$/)).toBeVisible();
  await page.getByRole("link", { name: "Next" }).click();
  await expect(page.getByText(/^25 to 26 of 26 projects$/)).toBeVisible();
  await waitForScript(page);
  await page.getByRole("combobox", { name: "Order" }).selectOption("By name");
  await expect(page).toHaveURL(/sort=name/);
  await expect(page.getByRole("main").getByRole("heading", { level: 2 }).first()).toContainText("many");

  await page.getByRole("searchbox", { name: "Search projects" }).fill(`${project.slug}-many-q`);
  await page.getByRole("button", { name: "Search" }).click();
  await expect(page.getByRole("main").getByRole("heading", { level: 2 })).toHaveCount(1);
  await page.getByRole("searchbox", { name: "Search projects" }).fill("nothing like this");
  await page.getByRole("button", { name: "Search" }).click();
  await expect(page.getByRole("heading", { name: "No project matches" })).toBeVisible();
});
