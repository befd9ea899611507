import type { Locator, Page } from "@playwright/test";
import { sendEnvelope, toEventEnvelope } from "../support/api.ts";
import { expect, openPage, test } from "../support/browser-test.ts";

const panel = (page: Page, name: string): Locator => page.getByRole("region", { name });
const keyOf = (page: Page, label: string): Locator =>
  panel(page, "DSN keys")
    .getByRole("listitem")
    .filter({ has: page.getByRole("heading", { name: label, exact: true }) });

/** What folds away below a key. */
async function unfold(key: Locator): Promise<void> {
  const isOpen = await key.getByRole("button", { name: "Delete key" }).isVisible();
  if (!isOpen) await key.getByText("Rate limit, name, delete").click();
}

/** The status that an event gets. */
async function tryDsn(url: string, dsn: string, headers: Record<string, string> = {}): Promise<number> {
  const { envelope } = toEventEnvelope({ message: "is this key good?" });
  return (await sendEnvelope({ url, dsn }, envelope, headers)).status;
}

test("a project is renamed, and its address goes with its slug", async ({ page, project, complaints }) => {
  complaints.expect(/status of 409/);
  await openPage(page, `/projects/${project.slug}/settings`);
  const general = panel(page, "General");
  await general.getByLabel("Name").fill("Renamed shop");
  await general.getByLabel("Platform").selectOption({ label: "Python" });
  await general.getByRole("button", { name: "Save" }).click();
  await expect(page.getByText("Saved.")).toBeVisible();

  await general.getByLabel("Slug").fill("culprit");
  await general.getByRole("button", { name: "Save" }).click();
  await expect(general.getByLabel("Slug")).toHaveAccessibleDescription(/There is a project with the slug “culprit”/);

  const slug = `moved-${project.slug}`;
  await general.getByLabel("Slug").fill(slug);
  await general.getByRole("button", { name: "Save" }).click();
  await expect(page).toHaveURL(new RegExp(`/projects/${slug}/settings$`));
  const setUp = page.getByRole("link", { name: "Set-up" });
  // The address of the page changes a moment before the page.
  await expect(setUp).toHaveAttribute("href", `/projects/${slug}/set-up`);
  await setUp.click();
  await expect(page.getByRole("heading", { name: "Renamed shop", level: 1 })).toBeVisible();
  await expect(
    page.getByRole("navigation", { name: "Platform" }).getByRole("link", { name: "Python", exact: true }),
  ).toHaveAttribute("aria-current", "true");
});

test("a key is made, renamed, disabled, enabled and deleted, and takes effect at once", async ({
  page,
  project,
  server,
}) => {
  await openPage(page, `/projects/${project.slug}/settings`);
  await page.getByLabel("Name of the new key").fill("Mobile");
  await page.getByRole("button", { name: "Create key" }).click();
  await expect(page.getByText("Key “Mobile” made.")).toBeVisible();
  const dsn = await page.getByLabel("DSN of Mobile").inputValue();
  expect(await tryDsn(server.url, dsn)).toBe(200);

  await unfold(keyOf(page, "Mobile"));
  await keyOf(page, "Mobile").getByLabel("Name of the key").fill("Phones");
  await keyOf(page, "Mobile").getByRole("button", { name: "Rename" }).click();
  await expect(page.getByText("Key renamed to “Phones”.")).toBeVisible();

  await keyOf(page, "Phones").getByRole("button", { name: "Disable" }).click();
  await expect(page.getByText("Key “Phones” disabled: what it sends is refused.")).toBeVisible();
  await expect(keyOf(page, "Phones")).toContainText("Disabled");
  expect(await tryDsn(server.url, dsn)).toBe(403);
  expect(await tryDsn(server.url, project.dsn)).toBe(200);

  await keyOf(page, "Phones").getByRole("button", { name: "Enable" }).click();
  await expect(page.getByText("Key “Phones” enabled.")).toBeVisible();
  expect(await tryDsn(server.url, dsn)).toBe(200);

  await unfold(keyOf(page, "Phones"));
  await keyOf(page, "Phones").getByRole("button", { name: "Delete key" }).click();
  await expect(page.getByText("Key “Phones” deleted.")).toBeVisible();
  await expect(keyOf(page, "Phones")).toHaveCount(0);
  expect(await tryDsn(server.url, dsn)).toBe(403);
});

test("what is pressed while a form is on its way is sent once, and none of it is lost", async ({ page, project }) => {
  await openPage(page, `/projects/${project.slug}/settings`);
  await page.route("**/settings**", async (route) => {
    if (route.request().method() === "POST") await new Promise((resolve) => setTimeout(resolve, 500));
    await route.continue();
  });
  await page.getByLabel("Name of the new key").fill("Twice");
  await page.getByRole("button", { name: "Create key" }).dblclick();
  const general = panel(page, "General");
  await general.getByLabel("Name").fill("Renamed meanwhile");
  await general.getByRole("button", { name: "Save" }).click();
  await expect(page.getByText("Saved.")).toBeVisible();
  await page.unroute("**/settings**");
  await page.reload();
  await expect(page.getByLabel("DSN of Twice")).toHaveCount(1);
  await expect(general.getByLabel("Name")).toHaveValue("Renamed meanwhile");
});

test("a key is limited: what is over is refused with the time to wait", async ({
  page,
  project,
  server,
  complaints,
}) => {
  complaints.expect(/status of 400/);
  await openPage(page, `/projects/${project.slug}/settings`);
  const key = keyOf(page, "Default");
  await unfold(key);
  await key.getByLabel("At most").fill("two");
  await key.getByRole("button", { name: "Save limit" }).click();
  await expect(key.getByRole("alert")).toHaveText(/The limit must be a whole number/);
  await key.getByLabel("At most").fill("2");
  await key.getByLabel("items per").selectOption({ label: "hour" });
  await key.getByRole("button", { name: "Save limit" }).click();
  await expect(page.getByText("Limit of key “Default” saved.")).toBeVisible();
  await expect(key).toContainText("2 per hour");

  expect(await tryDsn(server.url, project.dsn)).toBe(200);
  expect(await tryDsn(server.url, project.dsn)).toBe(200);
  const { envelope } = toEventEnvelope({ message: "one too many" });
  const refused = await sendEnvelope({ url: server.url, dsn: project.dsn }, envelope);
  expect(refused.status).toBe(429);
  const seconds = Number(refused.headers.get("retry-after"));
  expect(seconds).toBeGreaterThan(0);
  expect(refused.headers.get("x-sentry-rate-limits")).toContain(`${seconds}:`);

  await unfold(key);
  await key.getByLabel("At most").fill("");
  await key.getByRole("button", { name: "Save limit" }).click();
  await expect(page.getByText("Key “Default” has no limit.")).toBeVisible();
  expect(await tryDsn(server.url, project.dsn)).toBe(200);
});

test("browsers may only send from the origins that are allowed", async ({ page, project, server, complaints }) => {
  complaints.expect(/status of 400/);
  await openPage(page, `/projects/${project.slug}/settings`);
  const origins = page.getByLabel("Origins, one a line");
  await origins.fill("https://shop.example.com\nnot an origin!");
  await page.getByRole("button", { name: "Save origins" }).click();
  await expect(origins).toHaveAccessibleDescription(/is not an origin like/);
  await origins.fill("https://shop.example.com\n*.shops.example.com");
  await page.getByRole("button", { name: "Save origins" }).click();
  await expect(page.getByText("Allowed origins saved.")).toBeVisible();
  const threshold = page.getByLabel("Apdex threshold in milliseconds");
  await threshold.fill("soon");
  await page.getByRole("button", { name: "Save the threshold" }).click();
  await expect(threshold).toHaveAccessibleDescription(/Must be a whole number of milliseconds/);
  await threshold.fill("1200");
  await page.getByRole("button", { name: "Save the threshold" }).click();
  await expect(page.getByText("Apdex threshold saved.")).toBeVisible();
  await expect(threshold).toHaveValue("1200");

  const { url } = server;
  expect(await tryDsn(url, project.dsn, { origin: "https://shop.example.com" })).toBe(200);
  expect(await tryDsn(url, project.dsn, { origin: "https://a.shops.example.com" })).toBe(200);
  expect(await tryDsn(url, project.dsn, { origin: "https://evil.example.com" })).toBe(403);
  expect(await tryDsn(url, project.dsn)).toBe(200);
});

test("a project is made, and one with a slug that is taken is not", async ({ page, project, complaints }) => {
  complaints.expect(/status of 409/);
  await openPage(page, "/projects");
  await page.getByRole("link", { name: "New project" }).first().click();
  await page.getByLabel("Platform").selectOption({ label: "Go" });
  await page.getByLabel("Name", { exact: true }).fill(project.name);
  await page.getByRole("button", { name: "Create project" }).click();
  await expect(page.getByLabel("Slug")).toHaveAccessibleDescription(/There is a project with the slug/);
  await page.getByLabel("Slug").fill(`other-${project.slug}`);
  await page.getByRole("button", { name: "Create project" }).click();
  await expect(page).toHaveURL(new RegExp(`/projects/other-${project.slug}/set-up$`));
  await expect(page.getByRole("main")).toContainText("go get github.com/getsentry/sentry-go");
});
