import { existsSync } from "node:fs";
import { findHeadlessShell } from "./headless-shell.mjs";

/**
 * A Chromium that is on this machine already, for tests in a browser; null when there is none. One that draws no window
 * comes before those that do. `$CHROMIUM_PATH` wins, so that a test run can be pointed at another one.
 */
export function findChromium() {
  const candidates = [
    process.env.CHROMIUM_PATH,
    "/usr/bin/chromium-headless-shell",
    findHeadlessShell(),
    "/usr/bin/chromium",
    "/usr/bin/chromium-browser",
    "/usr/bin/google-chrome",
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
  ];
  return candidates.find((path) => path && existsSync(path)) ?? null;
}
