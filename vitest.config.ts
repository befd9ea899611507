import { availableParallelism } from "node:os";
import { join } from "node:path";
import { defineConfig } from "vitest/config";
import { LongestFirst } from "./tests/support/longest-first.ts";

// For everything that the tests start: threads and commands of ours begin in a third of the time when they are compiled.
process.env.NODE_COMPILE_CACHE ??= join(import.meta.dirname, "tests", ".cache", "compiled");

/** Unit tests that count the threads, the processor time or the memory of their process. */
const MEASURING = [
  "app/features/auth/password-hasher.server.test.ts",
  "app/stores/duckdb/duckdb-database.test.ts",
  "app/symbolicate/open-symbolicator.test.ts",
];

// Apart from vite.config.ts on purpose: tests of the parts need neither the router plugin nor the engine of the dev server.
export default defineConfig({
  test: {
    pool: "forks",
    // Three on two cores, where the default is one: many files wait for servers and commands that they have started.
    maxWorkers: Math.max(3, availableParallelism()),
    sequence: { sequencer: LongestFirst },
    // For machines that are busy with something else: what hangs is found all the same.
    testTimeout: 60_000,
    expect: { poll: { timeout: 20_000 } },
    hookTimeout: 60_000,
    projects: [
      // What a unit test imports is most of its time: files that run one after the other share it, but for those that look at
      // what their process takes.
      {
        extends: true,
        test: {
          name: "unit",
          environment: "node",
          include: ["app/**/*.test.ts", "tests/unit/**/*.test.ts"],
          exclude: MEASURING,
          isolate: false,
        },
      },
      { extends: true, test: { name: "measured", environment: "node", include: MEASURING } },
      { extends: true, test: { name: "dom", environment: "jsdom", include: ["app/**/*.test.tsx"], isolate: false } },
      {
        extends: true,
        test: {
          name: "server",
          environment: "node",
          globalSetup: "tests/support/build-server.ts",
          include: ["tests/server/**/*.test.ts", "tests/sdk/**/*.test.ts", "tests/tools/**/*.test.ts"],
          testTimeout: 120_000,
          hookTimeout: 120_000,
          // As in a browser (playwright.config.ts): several real processes share the machine with whatever else runs there.
          // What fails twice is wrong; what fails once is reported as tried again.
          retry: process.env.CI ? 1 : 0,
        },
      },
      {
        extends: true,
        test: {
          name: "endurance",
          environment: "node",
          globalSetup: "tests/support/build-server.ts",
          include: ["tests/crash/**/*.test.ts", "tests/fuzz/**/*.test.ts"],
          testTimeout: 120_000,
          hookTimeout: 120_000,
        },
      },
    ],
  },
});
