import type { Page } from "@playwright/test";
import { expect, openPage, test } from "../support/browser-test.ts";
import { makeError } from "../support/make-event.ts";

const ago = (minutes: number) => Date.now() / 1000 - minutes * 60;
const row = (page: Page, name: string) => page.getByRole("row").filter({ hasText: `${name}Error` });
const press = async (page: Page, ...keys: string[]) => {
  for (const key of keys) await page.keyboard.press(key);
};

test("the first Tab skips to the content", async ({ page, project }) => {
  await project.store(makeError("Alpha"));
  await openPage(page, `/issues?project=${project.slug}`);
  await press(page, "Tab");
  const skip = page.getByRole("link", { name: "Skip to the content" });
  await expect(skip).toBeFocused();
  await expect(skip).toBeInViewport();
  await press(page, "Enter");
  await expect(page.getByRole("main")).toBeFocused();
  await press(page, "Tab");
  await expect(page.getByText("Save view", { exact: true })).toBeFocused();
  await press(page, "Tab");
  await expect(page.getByRole("button", { name: /^Projects:/ })).toBeFocused();
});

test("a page that a link leads to is said by its title, and the next Tab goes on from its content", async ({
  page,
  project,
}) => {
  const said: string[] = [];
  await page.exposeFunction("hear", (text: string) => said.push(text));
  await page.addInitScript(() => {
    document.ariaNotify = (text) => (window as unknown as { hear(text: string): void }).hear(text);
  });
  await project.store(makeError("Alpha"));
  await openPage(page, `/issues?project=${project.slug}`);
  // What says it is fetched once the page is at rest.
  await page.waitForFunction(() => window.__reactRouterManifest?.routes["routes/arrived"]?.imports);
  await row(page, "Alpha").getByRole("link").press("Enter");
  await expect(page.getByRole("main")).toBeFocused();
  await press(page, "Shift+Tab");
  await expect(page.locator("summary").filter({ hasText: "Account of" })).toBeFocused();
  await page.goBack();
  await expect.poll(() => said).toEqual([expect.stringMatching(/AlphaError/), expect.stringMatching(/^Issues/)]);
});

test("an issue is opened, walked through, resolved and left by keys, and the list is where it was", async ({
  page,
  project,
}) => {
  const names = Array.from({ length: 25 }, (_, index) => `N${String(index).padStart(2, "0")}x`);
  await project.store(
    ...names.map((name, index) => makeError(name, { timestamp: ago(90 - index) })),
    // Between the others: two at the same instant could stand in either order.
    makeError("N03x", { timestamp: ago(86.5) }),
  );
  await openPage(page, `/issues?project=${project.slug}`);
  await expect(page.getByRole("row")).toHaveCount(26);
  for (let step = 0; step < 22; step += 1) await press(page, "j");
  await expect(row(page, "N03x").getByRole("link")).toBeFocused();
  await press(page, "k", "j");
  const scrolled = await page.evaluate(() => window.scrollY);
  expect(scrolled).toBeGreaterThan(300);
  await press(page, "o");
  await expect(page.getByRole("heading", { name: "N03xError", level: 1 })).toBeVisible();

  const events = page.getByRole("navigation", { name: "Events of this issue" });
  await expect(events).toContainText("2 of 2");
  await press(page, "[");
  await expect(events).toContainText("1 of 2");
  await press(page, "]");
  await expect(events).toContainText("2 of 2");
  await press(page, "Escape");
  await expect(row(page, "N03x")).toBeInViewport();
  expect(await page.evaluate(() => window.scrollY)).toBe(scrolled);

  await row(page, "N03x").getByRole("link").press("Enter");
  await expect(page.getByRole("heading", { name: "N03xError", level: 1 })).toBeVisible();
  await press(page, "e");
  await expect(page.getByText("Resolved. It comes back by itself if it happens again.")).toBeVisible();
  await press(page, "u");
  await expect(page.getByText("Put back as it was.")).toBeVisible();
  await press(page, "m");
  await expect(page.getByText("Archived. It stays quiet until somebody reopens it.")).toBeVisible();
  await press(page, "Escape");
  await expect(page.getByRole("heading", { name: "Issues", level: 1 })).toBeVisible();
  await expect(row(page, "N04x")).toBeVisible();
  await expect(row(page, "N03x")).toHaveCount(0);
});

test.describe("copies", () => {
  test.use({ permissions: ["clipboard-read", "clipboard-write"] });

  test("y copies the link, and Shift y the event as Markdown", async ({ page, project }) => {
    await project.store(makeError("Copied"));
    await openPage(page, `/issues/${project.slug}-1`);
    const read = () => page.evaluate(() => navigator.clipboard.readText());
    await press(page, "y");
    await expect(page.getByRole("status").filter({ hasText: "Link copied." })).toBeVisible();
    expect(await read()).toBe(page.url());
    await press(page, "Shift+Y");
    await expect.poll(read).toMatch(/^# CopiedError/);
  });
});

test("a dialog that has just closed does not close the next one", async ({ page }) => {
  await openPage(page, "/projects");
  const shortcuts = page.getByRole("dialog", { name: "Shortcuts" });
  const palette = page.getByRole("dialog", { name: "Go to" });
  for (let round = 0; round < 3; round++) {
    await page.keyboard.press("Control+k");
    await expect(palette).toBeVisible();
    await page.keyboard.press("Escape");
    await page.keyboard.press("?");
    await expect(shortcuts).toBeVisible();
    await page.keyboard.press("Escape");
    await page.keyboard.press("Control+k");
    await expect(palette).toBeVisible();
    // The browser tells a page later that a dialog was closed. Nothing comes between the two lines here.
    await page.evaluate(() => {
      document.querySelector("dialog")?.close();
      document.body.dispatchEvent(new KeyboardEvent("keydown", { key: "?", bubbles: true }));
    });
    await expect(shortcuts).toBeVisible();
    await page.waitForTimeout(100);
    await expect(shortcuts).toBeVisible();
    await shortcuts.getByRole("button", { name: "Close" }).click();
    await expect(shortcuts).toBeHidden();
  }
});

test("what is typed right after Ctrl K goes to the palette", async ({ page }) => {
  await openPage(page, "/projects");
  await page.keyboard.press("Control+k");
  await page.keyboard.type("arr");
  await expect(
    page.getByRole("listbox", { name: "Places and actions" }).getByRole("option", { selected: true }),
  ).toContainText("Arrived");
});

test("the palette finds issues and releases, and does what the open page can do", async ({ page, project }) => {
  await project.store(makeError("Palette", { release: `${project.slug}@7.7.7` }), makeError("Other"));
  await openPage(page, "/projects");
  const options = page.getByRole("listbox", { name: "Places and actions" }).getByRole("option");
  await page.keyboard.press("Control+k");
  await page.keyboard.type(`${project.slug}@7.7`);
  await expect(options.filter({ hasText: `${project.slug}@7.7.7` }).filter({ hasText: "Release" })).toBeVisible();
  await page.getByRole("combobox", { name: /^Go to a page/ }).fill("PaletteError could");
  await expect(options.first()).toContainText(/PaletteError.*Issue \S+-\d/s);
  await page.keyboard.press("Enter");
  await expect(page.getByRole("heading", { level: 1 })).toContainText("PaletteError");

  await page.keyboard.press("Control+k");
  await expect(options.first()).toContainText("Resolve");
  expect(await options.allInnerTexts()).toEqual(expect.arrayContaining([expect.stringContaining("Copy link")]));
  await page.keyboard.type("archi");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("button", { name: "Reopen" })).toBeVisible();
  await page.keyboard.press("Control+k");
  await page.keyboard.type("reop");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("button", { name: "Resolve", exact: true })).toBeVisible();
});

test("who presses a button of an issue that is gone then goes on from the one in its place", async ({
  page,
  project,
}) => {
  await project.store(makeError("Alpha"));
  await openPage(page, `/issues?project=${project.slug}`);
  await page.getByRole("link", { name: /AlphaError/ }).click();
  const button = (name: string) => page.getByRole("button", { name, exact: true });
  await button("Resolve").focus();
  await press(page, "Enter");
  await expect(button("Reopen")).toBeFocused();
  await button("Undo").focus();
  await press(page, "Enter");
  await expect(button("Resolve")).toBeFocused();
  await button("Assign to me").focus();
  await press(page, "Enter");
  await expect(page.locator(":focus")).toHaveText(/Assignee: /);
});

test("menus and dialogs open, are walked through and close by keys, and give the focus back", async ({ page }) => {
  await openPage(page, "/projects");
  await press(page, "?");
  const dialog = page.getByRole("dialog", { name: "Shortcuts" });
  await expect(dialog).toBeVisible();
  await expect(dialog.getByRole("heading", { level: 3 }).first()).toHaveText("Everywhere");
  // What belongs to the page behind rests meanwhile.
  await press(page, "g", "s");
  await expect(dialog).toBeVisible();
  await press(page, "Escape");
  await expect(dialog).toBeHidden();

  // Where the page has keys of its own, they come first.
  await openPage(page, "/logs");
  await press(page, "?");
  await expect(dialog.getByRole("heading", { level: 3 }).first()).toHaveText("Logs");
  await press(page, "Escape");
  await openPage(page, "/projects");

  const goTo = page.getByRole("button", { name: "Go to" });
  await goTo.focus();
  await press(page, "?");
  await dialog.getByRole("button", { name: "Close" }).click();
  await expect(goTo).toBeFocused();
  await press(page, "Enter");
  await expect(page.getByRole("combobox", { name: /^Go to/ })).toBeFocused();
  await page.keyboard.type("arr");
  await expect(
    page.getByRole("listbox", { name: "Places and actions" }).getByRole("option", { selected: true }),
  ).toContainText("Arrived");
  await press(page, "Escape");
  await expect(goTo).toBeFocused();
  await press(page, "Control+k");
  await page.keyboard.type("set");
  await press(page, "ArrowDown", "ArrowUp", "Enter");
  await expect(page.getByRole("heading", { name: "Settings", level: 1 })).toBeVisible();

  const account = page.locator("summary", { hasText: "Account of" });
  await account.focus();
  await press(page, "Enter");
  const menu = page.getByRole("menu");
  await expect(menu).toBeVisible();
  await press(page, "ArrowDown");
  await press(page, "End");
  await expect(page.getByRole("menuitem", { name: "Sign out" })).toBeFocused();
  await press(page, "Escape");
  await expect(menu).toBeHidden();
  await expect(page.getByRole("button", { name: "Account of owner" })).toBeFocused();
  await press(page, "g", "p");
  await expect(page.getByRole("heading", { name: "Projects", level: 1 })).toBeVisible();
});

test("whatever Tab reaches shows that it has the focus, and all that can be pressed is reached", async ({
  page,
  project,
}) => {
  // Some hundred presses, each of which is looked at.
  test.slow();
  await project.store(makeError("Alpha"), makeError("Beta"));
  for (const path of [
    `/issues?project=${project.slug}`,
    `/issues/${project.slug}-1`,
    `/projects/${project.slug}/settings`,
  ]) {
    await openPage(page, path);
    const unseen: string[] = [];
    for (;;) {
      await press(page, "Tab");
      const at = await page.evaluate(() => {
        const element = document.activeElement;
        if (!element || element === document.body || element.hasAttribute("data-reached")) return null;
        element.setAttribute("data-reached", "");
        const hasRing = ({ outlineStyle, outlineWidth, boxShadow }: CSSStyleDeclaration) =>
          (outlineStyle !== "none" && Number.parseFloat(outlineWidth) > 0) || boxShadow !== "none";
        // The ring may be drawn around what the link fills, like a row.
        const places = [element, element.closest("tr") ?? element].map((place) => getComputedStyle(place));
        const isSeen = [...places, getComputedStyle(element, "::after")].some(hasRing);
        return { isSeen, html: element.outerHTML.slice(0, 120) };
      });
      if (!at) break;
      if (!at.isSeen) unseen.push(at.html);
    }
    expect(unseen, path).toEqual([]);
    const missed = await page.evaluate(() =>
      [...document.querySelectorAll("a[href], button, input:not([type=hidden]), select, textarea, summary")]
        .filter((element) => element.checkVisibility({ visibilityProperty: true }))
        .filter((element) => !element.hasAttribute("data-reached"))
        // What a group that has the focus reaches by keys of its own, which its name says.
        .filter(
          (element) =>
            !(element.getAttribute("tabindex") === "-1" && element.closest("[role=group][tabindex='0'][aria-label]")),
        )
        .map((element) => element.outerHTML.slice(0, 120)),
    );
    expect(missed, path).toEqual([]);
  }
});

test.describe("who wants less motion", () => {
  test("sees nothing move", async ({ page, project }) => {
    await page.emulateMedia({ reducedMotion: "reduce" });
    for (const path of [`/projects/${project.slug}`, `/issues?project=${project.slug}`, "/projects"]) {
      await openPage(page, path);
      await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
      const moving = await page.evaluate(() =>
        document
          .getAnimations()
          .filter(
            ({ playState, effect }) => playState === "running" && Number(effect?.getComputedTiming().endTime) > 20,
          )
          .map((animation) => String((animation as CSSAnimation).animationName)),
      );
      expect(moving, path).toEqual([]);
    }
  });
});

test("who saves a form goes on from it", async ({ page, project }) => {
  await openPage(page, `/crons/new?project=${project.slug}`);
  await page.getByLabel("Name", { exact: true }).fill("Nightly");
  await page.getByLabel("Crontab", { exact: true }).fill("30 2 * * *");
  await page.getByRole("button", { name: "Make the monitor" }).press("Enter");
  await expect(page.getByRole("heading", { name: "Nightly", level: 1 })).toBeVisible();
  await page.getByLabel("Margin (minutes)").fill("7");
  await page.getByRole("button", { name: "Save" }).press("Enter");
  await expect(page.getByRole("status").filter({ hasText: "Saved." })).toBeVisible();
  // The form began again with what is saved.
  await expect(page.locator(":focus:has(form)").getByLabel("Margin (minutes)")).toHaveValue("7");
  await press(page, "Tab");
  await expect(page.getByLabel("Name", { exact: true })).toBeFocused();

  await openPage(page, "/settings");
  const quiet = page.locator("#quiet-hours");
  await quiet.getByRole("button", { name: "Turn on quiet hours" }).press("Enter");
  await expect(page.locator(":focus:has(#quiet-hours)")).toHaveCount(1);
  await quiet.getByRole("button", { name: "Turn off" }).press("Enter");
  await expect(page.locator(":focus:has(#quiet-hours)")).toHaveCount(1);
});
