// Everything that `npm test` is: makes the checkout ready (packages, build, browser), then types, lint, unit and server
// tests, and journeys in a browser. All of it runs, whatever fails; the last line sums up.
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { stripVTControlCharacters } from "node:util";

const root = fileURLToPath(new URL("..", import.meta.url));
const bin = join(root, "node_modules", ".bin");
const reports = mkdtempSync(join(tmpdir(), "culprit-test-"));
const env = { ...process.env, PATH: `${bin}${delimiter}${process.env.PATH ?? ""}` };
const total = { passed: 0, failed: 0, skipped: 0 };
/** What failed, and what passed only when tried again, said once more at the end: the runners' own words scroll away. */
const failures = [];
const retries = [];
/** Of a failure's message: enough to know which one it is. */
const MESSAGE_LINES = 12;
const CHECK_LINES = 40;

if (!run("setup", process.execPath, ["scripts/setup.mjs", "--dev", "--build", "--browser"])) {
  total.failed += 1;
  failures.push({ name: "setup", message: "" });
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
  count("unit and server tests", isVitestGood, () => readVitest(vitestReport));
  const playwrightReport = join(reports, "playwright.json");
  const isPlaywrightGood = run("journeys in a browser", "playwright", ["test", "--reporter=list,json"], {
    PLAYWRIGHT_JSON_OUTPUT_FILE: playwrightReport,
  });
  count("journeys in a browser", isPlaywrightGood, () => readPlaywright(playwrightReport));
}

rmSync(reports, { recursive: true, force: true });
for (const name of retries) process.stdout.write(`\npassed when tried again: ${name}`);
for (const { name, message } of failures) process.stdout.write(`\n\nfailed: ${name}\n${message}`.trimEnd());
process.stdout.write(`\n\n${total.passed} passed, ${total.failed} failed, ${total.skipped} skipped\n`);
process.exitCode = total.failed > 0 ? 1 : 0;

/** A step that is one check: it counts as one test. */
function check(title, command, args) {
  process.stdout.write(`\n── ${title}\n`);
  const { status, error, stdout, stderr } = spawnSync(command, args, { cwd: root, encoding: "utf8", env });
  const said = error ? `${command}: ${error.message}\n` : stdout + stderr;
  process.stdout.write(said);
  if (!error && status === 0) {
    total.passed += 1;
    return;
  }
  total.failed += 1;
  fail(title, said, CHECK_LINES);
}

/** @returns {boolean} whether it ended well */
function run(title, command, args, more = {}) {
  process.stdout.write(`\n── ${title}\n`);
  const { status, error } = spawnSync(command, args, { cwd: root, stdio: "inherit", env: { ...env, ...more } });
  if (error) process.stdout.write(`${command}: ${error.message}\n`);
  return !error && status === 0;
}

/** Adds what a runner reports. One that ends badly without a failed test (it crashed, or a file did not load) failed once. */
function count(title, isGood, read) {
  let found = { passed: 0, failed: 0, skipped: 0 };
  try {
    found = read();
  } catch (error) {
    process.stdout.write(`the runner left no report: ${error.message}\n`);
    isGood = false;
  }
  if (!isGood && found.failed === 0) {
    found.failed = 1;
    failures.push({ name: title, message: "the runner ended badly, and named no test" });
  }
  for (const key of Object.keys(total)) total[key] += found[key];
}

function readVitest(file) {
  const report = JSON.parse(readFileSync(file, "utf8"));
  let brokenFiles = 0;
  for (const { name, status, message, assertionResults } of report.testResults) {
    const failed = assertionResults.filter((test) => test.status === "failed");
    for (const test of failed) fail(`${relative(root, name)}: ${test.fullName}`, test.failureMessages[0]);
    if (status !== "failed" || failed.length > 0) continue;
    brokenFiles += 1;
    fail(relative(root, name), message);
  }
  return {
    passed: report.numPassedTests,
    failed: report.numFailedTests + brokenFiles,
    skipped: report.numPendingTests + (report.numTodoTests ?? 0),
  };
}

function readPlaywright(file) {
  const { stats, errors, suites } = JSON.parse(readFileSync(file, "utf8"));
  for (const { spec, test } of listTests(suites)) {
    const name = `${spec.file}: ${spec.title}`;
    const [first] = test.results.filter(({ status }) => status !== "passed");
    if (test.status === "unexpected") fail(name, first?.error?.message);
    else if (test.status === "flaky") retries.push(`${name}\n${shorten(first?.error?.message)}`);
  }
  for (const { message } of errors) fail("journeys in a browser", message);
  return {
    passed: stats.expected + stats.flaky,
    failed: stats.unexpected + (stats.unexpected === 0 && errors.length > 0 ? 1 : 0),
    skipped: stats.skipped,
  };
}

function* listTests(suites) {
  for (const suite of suites) {
    for (const spec of suite.specs) for (const test of spec.tests) yield { spec, test };
    yield* listTests(suite.suites ?? []);
  }
}

function fail(name, message, lines = MESSAGE_LINES) {
  failures.push({ name, message: shorten(message, lines) });
}

function shorten(message = "", lines = MESSAGE_LINES) {
  return stripVTControlCharacters(message).trim().split("\n").slice(0, lines).join("\n");
}
