import type { Browser, BrowserContext, Page } from "@playwright/test";
import { expect, openPage, type TestProject } from "./browser-test.ts";
import type { TestServer } from "./start-server.ts";

/** Somebody who was invited, in a browser of their own. */
export interface Guest {
  context: BrowserContext;
  page: Page;
  name: string;
  email: string;
  password: string;
}

/** From the page of invitations, which `page` shows: invites somebody to the project, who joins by the link. */
export async function invitePerson(
  page: Page,
  { browser, server, project, role }: { browser: Browser; server: TestServer; project: TestProject; role: string },
): Promise<Guest> {
  await expect(page.getByRole("heading", { name: "Invitations", level: 1 })).toBeVisible();
  await page.getByLabel("Role").selectOption(role);
  await page.getByRole("checkbox", { name: project.name, exact: true }).check();
  await page.getByRole("button", { name: "Invite" }).click();
  const link = await page.getByLabel("Link", { exact: true }).inputValue();
  const context = await browser.newContext({ baseURL: server.url });
  const guest = {
    context,
    page: await context.newPage(),
    name: `Grace ${project.slug}`,
    email: `grace@${project.slug}.example`,
    password: "a long password",
  };
  await openPage(guest.page, link);
  await guest.page.getByLabel("Name", { exact: true }).fill(guest.name);
  await guest.page.getByLabel("E-mail").fill(guest.email);
  await guest.page.getByLabel("Password").fill(guest.password);
  await guest.page.getByRole("button", { name: /^Join/ }).click();
  await expect(guest.page.getByRole("heading", { name: "Issues", level: 1 })).toBeVisible();
  return guest;
}
