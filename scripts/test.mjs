// Everything that `npm test` is: makes the checkout ready (packages, build, browser), then types, lint, unit and server
// tests, and journeys in a browser. All of it runs, whatever fails; the last line sums up.
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const bin = join(root, "node_modules", ".bin");
const reports = mkdtempSync(join(tmpdir(), "culprit-test-"));
const env = { ...process.env, PATH: `${bin}${delimiter}${process.env.PATH ?? ""}` };
const total = { passed: 0, failed: 0, skipped: 0 };

if (!run("setup", process.execPath, ["scripts/setup.mjs", "--dev", "--build", "--browser"])) {
  total.failed += 1;
} else {
  check("types of routes", "react-router", ["typegen"]);
  check("types", "tsc", []);
  check("lint and format", "biome", ["check", "--error-on-warnings"]);
  const vitestReport = join(reports, "vitest.json");
  const isVitestGood = run("unit and server tests", "vitest", [
    "run",
    "--reporter=default",
    "--reporter=json",
    `--outputFile.json=${vitestReport}`,
  ]);
  count(isVitestGood, () => readVitest(vitestReport));
  const playwrightReport = join(reports, "playwright.json");
  const isPlaywrightGood = run("journeys in a browser", "playwright", ["test", "--reporter=list,json"], {
    PLAYWRIGHT_JSON_OUTPUT_FILE: playwrightReport,
  });
  count(isPlaywrightGood, () => readPlaywright(playwrightReport));
}

rmSync(reports, { recursive: true, force: true });
process.stdout.write(`\n${total.passed} passed, ${total.failed} failed, ${total.skipped} skipped\n`);
process.exitCode = total.failed > 0 ? 1 : 0;

/** A step that is one check: it counts as one test. */
function check(title, command, args) {
  if (run(title, command, args)) total.passed += 1;
  else total.failed += 1;
}

/** @returns {boolean} whether it ended well */
function run(title, command, args, more = {}) {
  process.stdout.write(`\n── ${title}\n`);
  const { status, error } = spawnSync(command, args, { cwd: root, stdio: "inherit", env: { ...env, ...more } });
  if (error) process.stdout.write(`${command}: ${error.message}\n`);
  return !error && status === 0;
}

/** Adds what a runner reports. One that ends badly without a failed test (it crashed, or a file did not load) failed once. */
function count(isGood, read) {
  let found = { passed: 0, failed: 0, skipped: 0 };
  try {
    found = read();
  } catch (error) {
    process.stdout.write(`the runner left no report: ${error.message}\n`);
    isGood = false;
  }
  if (!isGood && found.failed === 0) found.failed = 1;
  for (const key of Object.keys(total)) total[key] += found[key];
}

function readVitest(file) {
  const report = JSON.parse(readFileSync(file, "utf8"));
  const brokenFiles = report.testResults.filter(
    ({ status, assertionResults }) => status === "failed" && !assertionResults.some((test) => test.status === "failed"),
  );
  return {
    passed: report.numPassedTests,
    failed: report.numFailedTests + brokenFiles.length,
    skipped: report.numPendingTests + (report.numTodoTests ?? 0),
  };
}

function readPlaywright(file) {
  const { stats, errors } = JSON.parse(readFileSync(file, "utf8"));
  return {
    passed: stats.expected + stats.flaky,
    failed: stats.unexpected + (stats.unexpected === 0 && errors.length > 0 ? 1 : 0),
    skipped: stats.skipped,
  };
}
