import { existsSync } from "node:fs";
import { findHeadlessShell } from "./headless-shell.mjs";

/**
 * A Chromium on this machine, for tests in a browser. Null when there is none. A headless one comes before others. `$CHROMIUM_PATH` wins,
 * so that a test run can use another one.
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
