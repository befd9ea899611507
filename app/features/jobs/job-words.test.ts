import { globSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { wordsOfJob } from "./job-words.ts";

const JOBS = new URL("../../jobs/", import.meta.url).pathname;

test("every job is called by words, and the page says what it does", () => {
  const names = globSync("**/*.ts", { cwd: JOBS })
    .filter((file) => !file.endsWith(".test.ts"))
    .flatMap((file) => [...readFileSync(JOBS + file, "utf8").matchAll(/^\s*name: "([\w-]+)",\s+everyMs/gm)])
    .map(([, name = ""]) => name);
  expect(names.length).toBeGreaterThan(20);
  expect(names.filter((name) => wordsOfJob(name).what === "")).toEqual([]);
});
