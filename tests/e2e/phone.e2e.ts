import { devices, type Page } from "@playwright/test";
import { expect, openPage, test } from "../support/browser-test.ts";
import { listEveryPage } from "../support/every-page.ts";
import { findViolations } from "../support/find-violations.ts";
import { makeError } from "../support/make-event.ts";

const { userAgent, isMobile, hasTouch, deviceScaleFactor } = devices["Pixel 7"];
/** WCAG 2.2, 1.4.10. */
const NARROWEST = { width: 320, height: 640 };
const PHONE = { width: 390, height: 844 };
test.use({ viewport: PHONE, userAgent, isMobile, hasTouch, deviceScaleFactor });

for (const part of [0, 1]) {
  test(`no page scrolls sideways, and what is touched is large enough (${part + 1} of 2)`, async ({
    page,
    server,
    project,
    complaints,
  }) => {
    test.slow();
    complaints.expect(/status of 404/);
    const wrong: Record<string, unknown> = {};
    const pages = await listEveryPage(server, project);
    for (const { name, path, status = 200 } of pages.filter((_, index) => index % 2 === part)) {
      await page.setViewportSize(PHONE);
      const answer = await page.goto(path);
      expect(answer?.status(), name).toBe(status);
      await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
      const sideways = await readSideways(page);
      // WCAG 2.2, 2.5.8: 24 px, or as much room around it; links within a sentence are as high as its words.
      const violations = await findViolations(page, { rules: ["target-size"] });
      const small = violations.flatMap(({ nodes }) => nodes.map(({ html }) => html.slice(0, 160)));
      await page.setViewportSize(NARROWEST);
      await expect.poll(() => page.evaluate(() => document.documentElement.clientWidth)).toBe(NARROWEST.width);
      const sidewaysAtNarrowest = await readSideways(page);
      if (sideways > 0 || small.length > 0 || sidewaysAtNarrowest > 0)
        wrong[name] = { sideways, small, sidewaysAtNarrowest };
    }
    expect(wrong).toEqual({});
  });
}

/** By how many pixels. */
function readSideways(page: Page): Promise<number> {
  return page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
}

test("a long name of an environment makes no page wider", async ({ page, project }) => {
  await project.store(makeError("Alpha", { environment: "a-branch-of-a-review-app-".repeat(2) }));
  for (const path of [`/issues/${project.slug}-1`, `/issues?project=${project.slug}`]) {
    await openPage(page, path);
    const width = await page.evaluate(() => document.documentElement.scrollWidth);
    expect(width, path).toBe(390);
  }
});

test("what a search field suggests and what stands under a graph is cut off nowhere", async ({ page, project }) => {
  await project.store(makeError("Alpha"));
  const issue = `/issues/${project.slug}-1`;
  for (const path of [`/issues?project=${project.slug}&q=`, `${issue}/events`]) {
    await openPage(page, path);
    const field = page.getByRole("combobox", { name: /^Search/ });
    const widths = await field.evaluate((input: HTMLInputElement) => {
      const style = getComputedStyle(input);
      const context = document.createElement("canvas").getContext("2d");
      if (!context) throw new Error("there is no canvas");
      context.font = style.font;
      const room = input.clientWidth - Number.parseFloat(style.paddingLeft) - Number.parseFloat(style.paddingRight);
      return { room, text: context.measureText(input.placeholder).width };
    });
    expect(widths.text, path).toBeGreaterThan(0);
    expect(widths.room, path).toBeGreaterThanOrEqual(widths.text);
  }
  for (const path of [issue, "/arrived", `/projects/${project.slug}`]) {
    await openPage(page, path);
    const cut = await page.locator(".bar-graph-ticks > span").evaluateAll((labels) =>
      labels.flatMap((label) => {
        const [own, room] = [label, label.parentElement as Element].map((each) => each.getBoundingClientRect());
        return own && room && own.left >= room.left - 1 && own.right <= room.right + 1 ? [] : [label.textContent];
      }),
    );
    expect(cut, path).toEqual([]);
  }
});

test("every section, the search and the account are within reach, and no table hides its last column", async ({
  page,
  project,
}) => {
  await project.store(makeError("Alpha"));
  await openPage(page, "/arrived");
  const bar = page.getByRole("banner").locator("a:visible, button:visible, summary:visible");
  const outside = (width: number) =>
    bar.evaluateAll(
      (parts, most) =>
        parts
          .filter((part) => {
            const { left, right } = part.getBoundingClientRect();
            return left < 0 || right > most;
          })
          .map((part) => part.textContent),
      width,
    );
  await expect(bar.filter({ hasText: "More" })).toBeInViewport({ ratio: 1 });
  expect(await outside(390)).toEqual([]);
  const table = page.getByRole("region", { name: "Items by project" });
  expect(await table.evaluate((region) => region.scrollWidth - region.clientWidth)).toBe(0);
  const lines = await table.getByRole("link", { name: "Stored", exact: true }).evaluate((link) => {
    const words = document.createRange();
    words.selectNodeContents(link.firstChild ?? link);
    return words.getClientRects().length;
  });
  expect(lines, "a word is not broken").toBe(1);
  // The sections without room in the bar.
  await page.getByRole("button", { name: "More" }).tap();
  const sheet = page.getByRole("list", { name: "More sections" });
  await expect(sheet.getByRole("link", { name: "Settings" })).toBeInViewport({ ratio: 1 });
  expect(await outside(390)).toEqual([]);
  await sheet.getByRole("link", { name: "Projects" }).tap();
  await expect(page.getByRole("heading", { name: "Projects", level: 1 })).toBeVisible();
  await expect(sheet).toBeHidden();
});

test("on a phone one reads the list, opens an issue, resolves it and comes back", async ({ page, project }) => {
  await project.store(makeError("Alpha"), makeError("Beta"));
  await openPage(page, `/issues?project=${project.slug}`);
  const list = page.getByRole("table", { name: "Issues" });
  await expect(list.getByRole("row").filter({ hasText: "Alpha could not be done" })).toBeVisible();
  await list.getByRole("link", { name: /AlphaError/ }).tap();
  await expect(page.getByRole("heading", { name: "AlphaError", level: 1 })).toBeVisible();
  await page.getByRole("button", { name: "Resolve" }).tap();
  await expect(page.getByText("Resolved. It comes back by itself if it happens again.")).toBeVisible();
  await page.getByRole("navigation", { name: "Sections" }).getByRole("link", { name: "Issues" }).tap();
  await expect(page.getByRole("heading", { name: "Issues", level: 1 })).toBeVisible();
});

test.describe("set-up and sign-in", () => {
  test.use({ isSignedIn: false });

  test("fit a phone", async ({ page, startOwnServer, complaints }) => {
    complaints.expect(/status of 404/);
    const server = await startOwnServer({ project: null });
    for (const path of ["/set-up", "/no/such/page"]) {
      await page.goto(server.url + path);
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
    }
  });
});
