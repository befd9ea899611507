import { DatabaseSync } from "node:sqlite";
import type { Page } from "@playwright/test";
import { dataPaths } from "../../app/data-folder/data-paths.ts";
import { breakServer } from "../support/break-server.ts";
import { expect, openPage, sendEvent, signInByForm, test, waitForScript } from "../support/browser-test.ts";
import { listEveryPage } from "../support/every-page.ts";
import { findViolations, isSerious } from "../support/find-violations.ts";
import { makeError } from "../support/make-event.ts";
import { NARROWEST, openPhoneView, PHONE, type PhoneView } from "../support/phone.ts";

/** What axe finds serious or critical, in words: every rule in the light, and in the dark what depends on colours. */
async function findSerious(page: Page): Promise<string[]> {
  await page.emulateMedia({ colorScheme: "light" });
  const light = await findViolations(page);
  await page.emulateMedia({ colorScheme: "dark" });
  const dark = await findViolations(page, { rules: ["color-contrast", "link-in-text-block"] });
  return [...light, ...dark]
    .filter(isSerious)
    .flatMap(({ id, nodes }) => nodes.map(({ target, failureSummary }) => `${id} at ${target}: ${failureSummary}`));
}

/** By how many pixels. */
function readSideways(page: Page): Promise<number> {
  return page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
}

/** What is wrong with the page on a phone. */
async function findTooLarge(page: Page, phone: PhoneView) {
  await phone.show(PHONE);
  const sideways = await readSideways(page);
  // WCAG 2.2, 2.5.8: 24 px, or as much room around it; links within a sentence are as high as its words.
  const violations = await findViolations(page, { rules: ["target-size"] });
  const small = violations.flatMap(({ nodes }) => nodes.map(({ html }) => html.slice(0, 160)));
  await phone.show(NARROWEST);
  const sidewaysAtNarrowest = await readSideways(page);
  await phone.end();
  return { sideways, small, sidewaysAtNarrowest };
}

// One load of a page serves all of it: loading it again would take as long as what is looked at (decision 085).
for (const part of [0, 1, 2, 3, 4, 5, 6, 7]) {
  test(`on no page axe finds something serious, and on a phone none scrolls sideways, and what is touched is large enough (${part + 1} of 8)`, async ({
    page,
    server,
    project,
    complaints,
  }) => {
    test.slow();
    complaints.expect(/status of 404/);
    const phone = await openPhoneView(page);
    const wrong: Record<string, unknown> = {};
    const pages = await listEveryPage(server, project);
    for (const { name, path, status = 200 } of pages.filter((_, index) => index % 8 === part)) {
      const answer = await page.goto(path);
      expect(answer?.status(), name).toBe(status);
      await waitForScript(page);
      await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
      expect(await page.evaluate(() => window.matchMedia("(pointer: fine) and (hover: hover)").matches), name).toBe(
        true,
      );
      const serious = await findSerious(page);
      const { sideways, small, sidewaysAtNarrowest } = await findTooLarge(page, phone);
      if (serious.length > 0 || sideways > 0 || small.length > 0 || sidewaysAtNarrowest > 0)
        wrong[name] = { serious, sideways, small, sidewaysAtNarrowest };
    }
    expect(wrong).toEqual({});
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
