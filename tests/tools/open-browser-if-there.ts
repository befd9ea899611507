import type { TestContext } from "vitest";
import { type OpenBrowser, openBrowser } from "../sdk/open-browser.ts";

/** Null where neither this machine nor Playwright has a Chromium; the run says so. */
export async function openBrowserIfThere(): Promise<OpenBrowser | null> {
  try {
    return await openBrowser();
  } catch (error) {
    if (!String(error).includes("Executable doesn't exist")) throw error;
    console.info("bundler plugins: what runs in a browser is skipped, there is no Chromium");
    return null;
  }
}

/** Skips the test by name where there is no browser. */
export function requireBrowser(browser: OpenBrowser | null, context: TestContext): OpenBrowser {
  return browser ?? context.skip("there is no Chromium");
}
