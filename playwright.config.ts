import { defineConfig, devices } from "@playwright/test";
import { CHROMIUM_LAUNCH } from "./tests/support/chromium-launch.ts";
import { makeMemoryFolder } from "./tests/support/memory-folder.ts";

// For the workers, which load this file with it, and for the profiles of browsers.
const memoryFolder = makeMemoryFolder();
if (memoryFolder !== null) process.env.TMPDIR = memoryFolder;

// The tests of a worker share a server, each with a project of its own (tests/support/browser-test.ts).
export default defineConfig({
  testDir: "tests/e2e",
  testMatch: "*.e2e.ts",
  globalSetup: "./tests/support/build-server.ts",
  fullyParallel: true,
  // Four on two cores: tests wait for servers to start, for what is stored and for what moves on a page (decision 085).
  workers: 4,
  timeout: 120_000,
  // How long something may take to appear, on a machine that is busy with other tests.
  expect: { timeout: 30_000 },
  forbidOnly: Boolean(process.env.CI),
  // On shared machines a page may be starved for seconds: what fails twice is wrong, what fails once is reported as flaky.
  retries: process.env.CI ? 1 : 0,
  outputDir: "test-results",
  use: {
    ...devices["Desktop Chrome"],
    // Headless Chromium's own name counts as a crawler, and crawlers get no streamed pages.
    userAgent: "Mozilla/5.0 (X11; Linux x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/146.0.0.0 Safari/537.36",
    // Recording costs a third of the time. A failure leaves the page in words; `playwright test --trace on` shows it all.
    trace: "off",
    launchOptions: CHROMIUM_LAUNCH,
  },
  projects: [{ name: "chromium" }],
});
