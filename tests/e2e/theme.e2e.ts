import type { Page } from "@playwright/test";
import { expect, openPage, test } from "../support/browser-test.ts";

/** Whether the page is drawn dark: its words are then bright. */
function isDark(page: Page): Promise<boolean> {
  return page.evaluate(() => {
    const context = document.createElement("canvas").getContext("2d");
    if (!context) throw new Error("no canvas");
    context.fillStyle = getComputedStyle(document.body).color;
    context.fillRect(0, 0, 1, 1);
    const [red = 0, green = 0, blue = 0] = context.getImageData(0, 0, 1, 1).data;
    return red + green + blue > 3 * 128;
  });
}

async function choose(page: Page, theme: string): Promise<void> {
  const summary = page.locator("summary", { hasText: "Account of" });
  const button = page.getByRole("button", { name: /^Account of/ });
  await summary.or(button).click();
  await page.getByRole("menuitem", { name: theme }).click();
}

test("the theme is the device's until one chooses, and again when one leaves it to the device", async ({ page }) => {
  await page.emulateMedia({ colorScheme: "light" });
  await openPage(page, "/projects");
  expect(await isDark(page)).toBe(false);
  await page.emulateMedia({ colorScheme: "dark" });
  expect(await isDark(page)).toBe(true);

  await choose(page, "Light");
  await expect.poll(() => isDark(page)).toBe(false);
  await expect(page).toHaveURL(/\/projects$/);
  await openPage(page, "/settings");
  expect(await isDark(page)).toBe(false);
  await choose(page, "Dark");
  await page.emulateMedia({ colorScheme: "light" });
  await expect.poll(() => isDark(page)).toBe(true);
  // Paper is light for everybody, and has no use for links to other pages.
  await page.emulateMedia({ media: "print" });
  expect(await isDark(page)).toBe(false);
  await expect(page.getByRole("navigation", { name: "Sections" })).toBeHidden();
  await page.emulateMedia({ media: "screen" });
  await choose(page, "As the device");
  await expect.poll(() => isDark(page)).toBe(false);
});
