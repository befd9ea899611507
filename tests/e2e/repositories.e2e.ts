import { getJson, send } from "../support/api.ts";
import { expect, openPage, test } from "../support/browser-test.ts";
import { findViolations, isSerious } from "../support/find-violations.ts";

test("a repository is added, gets an address, is disabled and deleted", async ({
  page,
  server,
  project,
  complaints,
}) => {
  complaints.expect(/status of 400/);
  const name = `acme/${project.slug}`;
  await openPage(page, "/settings");
  await page.getByRole("link", { name: "Repositories" }).click();
  await expect(page.getByRole("heading", { name: "Repositories", level: 1 })).toBeVisible();
  const form = page.locator("form").filter({ has: page.getByRole("button", { name: "Add repository" }) });
  await form.getByLabel("Name").fill(name);
  await form.getByLabel("Host").selectOption("GitHub");
  await form.getByLabel("Address for tools").fill("nowhere");
  await form.getByRole("button").click();
  await expect(form.getByLabel("Address for tools")).toHaveAccessibleDescription(/Must be the address of a page/);
  await form.getByLabel("Address for tools").fill("");
  await form.getByRole("button").click();
  await expect(page.getByRole("status").filter({ hasText: `${name} added.` })).toBeVisible();
  await expect(form.getByLabel("Name")).toHaveValue("");

  const entry = page.getByRole("listitem").filter({ has: page.getByRole("heading", { name, exact: true }) });
  await expect(entry).toContainText("set-commits --auto sends its commits");
  await expect(entry.getByRole("link")).toHaveAttribute("href", `https://github.com/${name}`);
  await entry.getByText("Change", { exact: true }).click();
  await entry.getByLabel("Address for tools").fill(`https://github.com/${name}.git`);
  await entry.getByRole("button", { name: `Save ${name}` }).click();
  await expect(entry).toContainText("set-commits --auto names its newest commit alone");
  const violations = await findViolations(page);
  expect(violations.filter(isSerious)).toEqual([]);

  const list = () => getJson<Array<{ url: string }>>(server, `/organizations/default/repos/?query=${project.slug}`);
  expect(await list()).toMatchObject([{ url: `https://github.com/${name}` }]);
  await entry.getByRole("button", { name: `Disable ${name}` }).click();
  await expect(entry).toContainText("Tools are not told of it.");
  expect(await list()).toEqual([]);
  await entry.getByRole("button", { name: `Enable ${name}` }).click();
  await expect(page.getByText(`${name} enabled.`)).toBeVisible();

  // The page of the project offers its address for links.
  await openPage(page, `/projects/${project.slug}/settings`);
  await expect(page.locator(`#repository-pages option[value="https://github.com/${name}"]`)).toBeAttached();

  await openPage(page, "/settings/repositories");
  await entry.getByText("Change", { exact: true }).click();
  await entry.getByRole("button", { name: `Delete ${name}` }).click();
  await expect(page.getByText(`${name} deleted.`)).toBeVisible();
  await expect(entry).toHaveCount(0);
});

test("a release says that its build named a commit and sent no list", async ({ page, server, project }) => {
  const [to, from] = ["b".repeat(40), "a".repeat(40)];
  const refs = [{ repository: `acme/${project.slug}`, commit: to, previousCommit: from }];
  const version = `${project.slug}@1.0.0`;
  await send(server, "POST", "/organizations/default/releases/", { version, projects: [project.slug], refs });
  await openPage(page, `/releases/${version}/commits`);
  const note = page.getByRole("status").filter({ hasText: "The build sent no list of commits" });
  await expect(note).toContainText(`Of acme/${project.slug} it named bbbbbbb`);
  await expect(note).toContainText("after aaaaaaa");
  await expect(page.getByRole("list", { name: "Commits" }).getByRole("listitem")).toHaveCount(1);

  const commits = [{ id: to, repository: refs[0]?.repository, message: "all of it" }];
  await send(server, "PUT", `/organizations/default/releases/${version}/`, { commits });
  await page.reload();
  await expect(page.getByRole("list", { name: "Commits" })).toContainText("all of it");
  await expect(note).toHaveCount(0);
});
