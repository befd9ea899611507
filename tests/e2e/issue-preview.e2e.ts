import type { Page } from "@playwright/test";
import { expect, openPage, openPaused, test } from "../support/browser-test.ts";
import { findViolations, isSerious } from "../support/find-violations.ts";
import { makeError } from "../support/make-event.ts";

const title = (page: Page, name: string) =>
  page.getByRole("table", { name: "Issues" }).getByRole("link", { name: new RegExp(`${name}Error|${name} `) });
const card = (page: Page) => page.getByRole("group", { name: /^Preview of / });
const press = async (page: Page, ...keys: string[]) => {
  for (const key of keys) await page.keyboard.press(key);
};

test("a mouse that rests on a title sees what broke, and the page it leads to is prefetched all the same", async ({
  page,
  project,
}) => {
  await project.store(makeError("Alpha", { tags: { plan: "gold" } }));
  await page.clock.install();
  await openPage(page, `/issues?project=${project.slug}`);
  await title(page, "Alpha").hover();
  const shown = card(page);
  await expect(shown).toBeVisible();
  await expect(shown).toHaveAccessibleName(`Preview of ${project.slug.toUpperCase()}-1`);
  await expect(shown.getByRole("listitem")).toHaveCount(3);
  await expect(shown.getByRole("listitem").first()).toContainText("chargeAlpha");
  await expect(shown.getByRole("listitem").first()).toContainText("src/charge.js:12:9");
  await expect(shown.getByRole("listitem").first()).toContainText('throw new AlphaError("could not be done");');
  await expect(shown).toContainText("Alpha could not be done");
  await expect(shown).toContainText("2 more frames");
  await expect(shown).toContainText("plangold");
  await expect(shown).toContainText("environmentproduction");
  await expect(page.locator('link[rel="prefetch"][href*=".data"]').first()).toBeAttached();

  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme });
    const violations = await findViolations(page);
    expect(violations.filter(isSerious)).toEqual([]);
  }

  // One may go to the card itself, and away from it.
  await shown.hover();
  await page.clock.runFor(2_000);
  await expect(shown).toBeVisible();
  await page.mouse.move(5, 5);
  await expect(shown).toBeHidden();

  await title(page, "Alpha").hover();
  await expect(shown).toBeVisible();
  await press(page, "Escape");
  await expect(shown).toBeHidden();
  await title(page, "Alpha").click();
  await expect(page.getByRole("heading", { name: "AlphaError", level: 1 })).toBeVisible();
  await expect(card(page)).toHaveCount(0);
});

test("passing over titles asks for nothing, and leaving ends what was asked", async ({ page, project }) => {
  await project.store(makeError("Alpha"), makeError("Beta"));
  await openPaused(page, `/issues?project=${project.slug}`);
  const asked: string[] = [];
  page.on("request", (request) => request.url().includes("/preview") && asked.push(request.url()));
  // An answer that never comes.
  await page.route("**/preview*", () => undefined);
  // The code comes with the first title that is pointed at.
  await title(page, "Alpha").hover();
  await expect(page.getByRole("group", { name: /^Preview of /, includeHidden: true })).toBeAttached();
  await page.mouse.move(5, 5);
  await page.clock.runFor(1_000);
  await title(page, "Alpha").hover();
  await page.clock.runFor(250);
  await page.mouse.move(5, 5);
  await title(page, "Beta").hover();
  await page.clock.runFor(250);
  expect(asked).toEqual([]);
  const failed = page.waitForEvent("requestfailed", (request) => request.url().includes("/preview"));
  await page.clock.runFor(100);
  await expect(card(page)).toContainText("Looking at the latest event");
  await expect.poll(() => asked.length).toBe(1);
  await page.mouse.move(5, 5);
  await page.clock.runFor(250);
  expect((await failed).failure()?.errorText).toContain("ABORTED");
  await expect(card(page)).toBeHidden();
});

test("Space shows it for the row one is at, and it follows j and k", async ({ page, project }) => {
  await project.store(
    makeError("Alpha"),
    makeError("Message", { exception: undefined, level: "info", message: "Message of no stack" }),
  );
  await openPage(page, `/issues?project=${project.slug}`);
  await press(page, "j", "Space");
  const shown = card(page);
  await expect(shown).toContainText("Message of no stack");
  await expect(shown).toContainText("It came with no stack.");
  await expect(shown).toHaveAttribute("aria-live", "polite");
  expect(await page.evaluate(() => window.scrollY)).toBe(0);
  await press(page, "j");
  await expect(title(page, "Alpha")).toBeFocused();
  await expect(shown).toContainText("chargeAlpha");
  await press(page, "Space");
  await expect(shown).toBeHidden();
  await press(page, "x", "Space");
  await expect(shown).toBeVisible();
  // Escape closes the card, and only the next one unselects.
  await press(page, "Escape");
  await expect(shown).toBeHidden();
  await expect(page.getByText("1 selected")).toBeVisible();
  await press(page, "Escape");
  await expect(page.getByText("1 selected")).toBeHidden();
  // When the row goes, so does its card; the focus goes on to the next, and the card with it.
  await press(page, "k", "Space");
  await expect(shown).toContainText("Message of no stack");
  await press(page, "e");
  await expect(shown).toContainText("chargeAlpha");
  await press(page, "Tab");
  await expect(shown).toBeHidden();
});

test("rows that come under a mouse at rest are not pointed at", async ({ page, project }) => {
  await project.store(makeError("Alpha"), makeError("Beta"));
  await page.clock.install();
  await openPage(page, `/issues?project=${project.slug}`);
  await title(page, "Alpha").hover();
  await expect(card(page)).toContainText("chargeAlpha");
  // By key it goes on from there.
  await title(page, "Alpha").focus();
  await press(page, "Space", "k");
  await expect(card(page)).toContainText("chargeBeta");
  // What a browser tells when a page has scrolled: the pointer is over something else, and has not moved.
  const { x, y } = (await title(page, "Alpha").boundingBox()) ?? { x: 0, y: 0 };
  const told = { bubbles: true, pointerType: "mouse", clientX: x, clientY: y };
  await title(page, "Alpha").dispatchEvent("pointerover", told);
  await page.clock.runFor(2_000);
  await expect(card(page)).toContainText("chargeBeta");
});

test("what cannot be read is said", async ({ page, project, complaints }) => {
  complaints.expect(/status of 500/);
  await project.store(makeError("Alpha"));
  await openPage(page, `/issues?project=${project.slug}`);
  await page.route("**/preview*", (route) => route.fulfill({ status: 500, body: "no" }));
  await title(page, "Alpha").hover();
  await expect(card(page)).toContainText("could not be read");
});

test("of the environments chosen, the latest event is shown", async ({ page, project }) => {
  await project.store(makeError("Alpha", { environment: "staging", user: { id: "7" } }), makeError("Alpha"));
  await openPage(page, `/issues?project=${project.slug}&environment=staging`);
  await title(page, "Alpha").hover();
  await expect(card(page)).toContainText("environmentstaging");
});

test.describe("signed out", () => {
  test.use({ isSignedIn: false });

  test("nothing is told", async ({ request, server }) => {
    const answer = await request.get(`${server.url}/issues/1/preview`);
    expect(answer.status()).toBe(401);
    expect(await answer.text()).toBe("Sign in first.");
  });
});

test.describe("by touch", () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });

  test("a title opens the issue, and no card", async ({ page, project }) => {
    await project.store(makeError("Alpha"));
    await openPage(page, `/issues?project=${project.slug}`);
    const asked: string[] = [];
    page.on("request", (request) => request.url().includes("/preview") && asked.push(request.url()));
    // The page that it opens comes late, as on a phone.
    await page.route("**/issues/*.data*", async (route) => {
      await new Promise((done) => setTimeout(done, 1_000));
      await route.continue();
    });
    await title(page, "Alpha").tap();
    await expect(page.getByRole("heading", { name: "AlphaError", level: 1 })).toBeVisible();
    expect(asked).toEqual([]);
  });
});
