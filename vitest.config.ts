import { availableParallelism } from "node:os";
import { join } from "node:path";
import { defineConfig } from "vitest/config";
import { LongestFirst } from "./tests/support/longest-first.ts";
import { makeMemoryFolder } from "./tests/support/memory-folder.ts";

// For everything that the tests start: threads and commands of ours begin in a third of the time when they are compiled.
process.env.NODE_COMPILE_CACHE ??= join(import.meta.dirname, "tests", ".cache", "compiled");

// `TMPDIR=/tmp npm test` keeps all of it on the disk.
const memoryFolder = makeMemoryFolder();
const IN_MEMORY = memoryFolder === null ? {} : { TMPDIR: memoryFolder };

/** Unit tests that kill processes while they write: what a disk makes them wait for is part of what they prove. */
const KILLING = [
  "app/stores/duckdb/crash.test.ts",
  "app/stores/files/payload-files.test.ts",
  "app/stores/sqlite/crash.test.ts",
];
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
    // MB. From V8's own start a heap grows to what tests keep through collection after collection: a twentieth of the processor time (decision 085).
    execArgv: ["--initial-old-space-size=384"],
    // Five on two cores, where the default is one: many files wait for servers and commands that they have started (decision 085).
    maxWorkers: Math.max(5, availableParallelism()),
    sequence: { sequencer: LongestFirst },
    // For machines that are busy with something else, where a test of 12 s has taken 60: what hangs is found all the same.
    testTimeout: 180_000,
    expect: { poll: { timeout: 60_000 } },
    hookTimeout: 180_000,
    projects: [
      // What a unit test imports is most of its time: files that run one after the other share it, but for those that look at
      // what their process takes.
      {
        extends: true,
        test: {
          name: "unit",
          environment: "node",
          include: ["app/**/*.test.ts", "tests/unit/**/*.test.ts"],
          exclude: [...MEASURING, ...KILLING],
          isolate: false,
          env: IN_MEMORY,
        },
      },
      { extends: true, test: { name: "apart", environment: "node", include: [...MEASURING, ...KILLING] } },
      {
        extends: true,
        test: {
          name: "dom",
          environment: "jsdom",
          include: ["app/**/*.test.tsx"],
          setupFiles: "tests/support/empty-page.ts",
          isolate: false,
        },
      },
      {
        extends: true,
        test: {
          name: "server",
          environment: "node",
          globalSetup: "tests/support/build-server.ts",
          include: ["tests/server/**/*.test.ts", "tests/sdk/**/*.test.ts", "tests/tools/**/*.test.ts"],
          env: IN_MEMORY,
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
        },
      },
    ],
  },
});
