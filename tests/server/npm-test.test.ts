import { spawnSync } from "node:child_process";
import { stripVTControlCharacters } from "node:util";
import { expect, test } from "vitest";

const root = new URL("../..", import.meta.url).pathname;

function runTests(parts: string[], cwd = root) {
  // Without what this run has put into the environment for its own tests.
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^(VITEST|NODE_ENV|TEST)/.test(name)));
  const { status, stdout, stderr } = spawnSync(process.execPath, [`${root}scripts/test.mjs`, ...parts], {
    cwd,
    env,
    encoding: "utf8",
  });
  return { status, said: stripVTControlCharacters(stdout + stderr) };
}

test("npm test runs the test files that are named, and neither types nor lint nor a browser", () => {
  const { status, said } = runTests(["app/protocol/dsn", "rate-limits.test"]);
  expect(said).toMatch(/\n\d+ passed, 0 failed, 0 skipped\n$/);
  expect(said).toMatch(/Test Files\s+2 passed \(2\)/);
  expect(said).not.toMatch(/── (types|lint|tests in a browser)/);
  expect(status).toBe(0);
});

test("a path is one from where npm test is called", () => {
  expect(runTests(["./dsn.test.ts"], `${root}app/protocol`).said).toMatch(/Test Files\s+1 passed \(1\)/);
});

test("npm test names what is in no test file's path, and runs nothing", () => {
  expect(runTests(["app/protocol", "no-such-file"])).toEqual({
    status: 1,
    said: "no test file has no-such-file in its path. Usage: npm test [-- <part of a path>…]\n",
  });
});
