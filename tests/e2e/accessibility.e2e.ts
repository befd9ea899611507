import { DatabaseSync } from "node:sqlite";
import type { Page } from "@playwright/test";
import { dataPaths } from "../../app/data-folder/data-paths.ts";
import { breakServer } from "../support/break-server.ts";
import { expect, openPage, sendEvent, signInByForm, test } from "../support/browser-test.ts";
import { listEveryPage } from "../support/every-page.ts";
import { findViolations, isSerious } from "../support/find-violations.ts";
import { makeError } from "../support/make-event.ts";

/** What axe finds serious or critical, in words: every rule in the light, and in the dark what depends on colours. */
async function findSerious(page: Page): Promise<string[]> {
  await page.emulateMedia({ colorScheme: "light" });
  const light = await findViolations(page);
  await page.emulateMedia({ colorScheme: "dark" });
  await settleColors(page);
  const dark = await findViolations(page, { rules: ["color-contrast", "link-in-text-block"] });
  return [...light, ...dark]
    .filter(isSerious)
    .flatMap(({ id, nodes }) => nodes.map(({ target, failureSummary }) => `${id} at ${target}: ${failureSummary}`));
}

/** Buttons change colour within a tenth of a second: in between, they have text of the light on a ground of the dark. */
async function settleColors(page: Page): Promise<void> {
  await page.evaluate(async () => {
    const changes = document.getAnimations().filter((each) => each instanceof CSSTransition);
    await Promise.allSettled(changes.map((each) => each.finished));
  });
}

for (const part of [0, 1, 2, 3]) {
  test(`axe finds nothing serious on any page (${part + 1} of 4)`, async ({ page, server, project, complaints }) => {
    test.slow();
    complaints.expect(/status of 404/);
    const found: Record<string, string[]> = {};
    const pages = await listEveryPage(server, project);
    for (const { name, path } of pages.filter((_, index) => index % 4 === part)) {
      await openPage(page, path);
      const serious = await findSerious(page);
      if (serious.length > 0) found[name] = serious;
    }
    expect(found).toEqual({});
  });
}

test("axe finds nothing serious in what opens above a page", async ({ page, project }) => {
  await project.store(makeError("Alpha"), makeError("Beta"));
  await openPage(page, `/issues?project=${project.slug}`);
  await page.getByRole("checkbox", { name: "Select all on this page" }).check();
  await expect(page.getByRole("status").filter({ hasText: "2 selected" })).toBeVisible();
  expect(await findSerious(page), "selection").toEqual([]);
  await page.keyboard.press("e");
  await page.getByRole("status").filter({ hasText: "2 issues resolved." }).hover();
  expect(await findSerious(page), "toast").toEqual([]);
  await page.keyboard.press("Control+k");
  await expect(page.getByRole("listbox", { name: "Places" })).toBeVisible();
  expect(await findSerious(page), "palette").toEqual([]);
  await page.keyboard.press("Escape");
  await page.keyboard.press("?");
  await expect(page.getByRole("dialog", { name: "Shortcuts" })).toBeVisible();
  expect(await findSerious(page), "shortcuts").toEqual([]);
  await page.keyboard.press("Escape");
  await page.locator("summary", { hasText: "Account of" }).click();
  await expect(page.getByRole("menu")).toBeVisible();
  expect(await findSerious(page), "menu").toEqual([]);
});

test.describe("without a healthy server", () => {
  test.use({ isSignedIn: false });

  test("axe finds nothing serious before set-up, at the door, while one waits, and where a page broke", async ({
    page,
    startOwnServer,
    complaints,
  }) => {
    test.slow();
    complaints.expect(/status of [45]\d\d|Unexpected Server Error/);
    const fresh = await startOwnServer({ project: null });
    await openPage(page, `${fresh.url}/set-up`);
    expect(await findSerious(page), "set-up").toEqual([]);
    await page.getByLabel("Set-up code").fill(await fresh.setUpCode());
    await page.getByLabel("Name", { exact: true }).fill("Ada");
    await page.getByLabel("E-mail").fill("ada@example.com");
    await page.getByLabel("Password").fill("correct horse");
    await page.getByLabel("Project name").fill("!!!");
    await page.getByRole("button", { name: "Set up" }).click();
    await expect(page.getByText("The name needs a letter.")).toBeVisible();
    expect(await findSerious(page), "set-up with an error").toEqual([]);

    const server = await startOwnServer();
    await openPage(page, `${server.url}/sign-in`);
    await page.getByLabel("E-mail").fill("nobody@example.com");
    await page.getByLabel("Password").fill("not the password");
    await page.getByRole("button", { name: "Sign in" }).click();
    await expect(page.getByRole("alert")).toBeVisible();
    expect(await findSerious(page), "sign-in with an error").toEqual([]);
    await openPage(page, `${server.url}/no/such/page`);
    expect(await findSerious(page), "not found, signed out").toEqual([]);

    await signInByForm(page, server);
    expect(await findSerious(page), "waiting for the first event").toEqual([]);
    const database = new DatabaseSync(dataPaths(server.dataDir).state, { timeout: 10_000 });
    database.exec("BEGIN IMMEDIATE");
    const eventId = await sendEvent(server, makeError("Waiting"));
    await openPage(page, `${server.url}/events/${eventId}`);
    await expect(page.getByRole("heading", { name: "Received, being processed" })).toBeVisible();
    expect(await findSerious(page), "received, being processed").toEqual([]);
    database.exec("COMMIT");
    database.close();

    breakServer(server, "reading keys");
    await openPage(page, `${server.url}/projects/shop/settings`);
    await expect(page.getByRole("heading", { name: "This page broke" })).toBeVisible();
    expect(await findSerious(page), "a page that broke").toEqual([]);
    breakServer(server, "sessions");
    await openPage(page, `${server.url}/arrived`);
    await expect(page.getByRole("heading", { name: "This page broke" })).toBeVisible();
    expect(await findSerious(page), "a page that broke, without its frame").toEqual([]);
  });
});
