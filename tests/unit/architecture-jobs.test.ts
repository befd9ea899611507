import { globSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";

/** Within `app/jobs`, an object or class with a name and a pause is a job. */
const JOB = /\bname(?::| =) "([a-z-]+)"[,;]\s+(?:readonly )?everyMs/g;

test("docs/architecture.md names every background job, and no other", () => {
  const files = globSync("app/jobs/**/*.ts").filter((file) => !file.endsWith(".test.ts"));
  const jobs = files.flatMap((file) => Array.from(readFileSync(file, "utf8").matchAll(JOB), ([, name]) => name));
  const list = /runs every job: ([^.]+)\./.exec(readFileSync("docs/architecture.md", "utf8"))?.[1] ?? "";
  expect(jobs.length).toBeGreaterThan(20);
  expect(list.split(/[,;]\s+/).sort()).toEqual(jobs.sort());
});
