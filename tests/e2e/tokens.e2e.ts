import { expect, openPage, test } from "../support/browser-test.ts";

test("a token is made, shown once and copied from, works, and is revoked after a second thought", async ({
  page,
  server,
  project,
}) => {
  await openPage(page, `/projects/${project.slug}/set-up`);
  await page.getByRole("link", { name: "Tokens" }).click();
  await expect(page.getByRole("heading", { name: "Tokens", level: 1 })).toBeVisible();
  const name = `Pipeline of ${project.slug}`;
  await page.getByLabel("Name").fill(name);
  await expect(page.getByRole("checkbox", { name: "org:ci" })).toBeChecked();
  await page.getByRole("checkbox", { name: "org:read" }).check();
  await page.getByRole("button", { name: "Create token" }).click();

  const notice = page.getByRole("status").filter({ hasText: "it is not shown again" });
  await expect(notice).toBeInViewport();
  const secret = await notice.getByLabel("Token").inputValue();
  await expect(notice).toContainText(`SENTRY_PROJECT=${project.slug}`);
  await expect(notice).toContainText(`SENTRY_AUTH_TOKEN=${secret}`);
  const ask = async () => {
    const headers = { authorization: `Bearer ${secret}` };
    return (await fetch(`${server.url}/api/0/organizations/`, { headers })).status;
  };
  expect(await ask()).toBe(200);

  await page.reload();
  await expect(page.getByText(secret)).toHaveCount(0);
  const token = page.getByRole("listitem").filter({ has: page.getByRole("heading", { name }) });
  await expect(token).toContainText("org:read org:ci");
  await expect(token).toContainText("last used");
  await token.getByText("Revoke", { exact: true }).click();
  await token.getByRole("button", { name: `Revoke “${name}”` }).click();
  await expect(page.getByText(`Token “${name}” is revoked.`)).toBeVisible();
  await expect(token).toHaveCount(0);
  expect(await ask()).toBe(401);
});
