// `npm test` prepares the checkout (packages, build, browser), then runs types, lint, unit and server tests, and tests in a browser.
// `npm test -- <part of a path>…` runs the test files whose paths contain one of the parts, and prepares what they need. A failure does
// not stop the other steps; the last line sums up.
import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { constants, setPriority, tmpdir } from "node:os";
import { delimiter, join, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { stripVTControlCharacters } from "node:util";

const root = fileURLToPath(new URL("..", import.meta.url));
const bin = join(root, "node_modules", ".bin");
const env = { ...process.env, PATH: `${bin}${delimiter}${process.env.PATH ?? ""}` };
const total = { passed: 0, failed: 0, skipped: 0 };
/** The failures, and tests that only passed at a second try. They are repeated at the end, because the runners' output scrolls away. */
const failures = [];
const retries = [];
/** The lines of a failure's message that are repeated: enough to recognize it. */
const MESSAGE_LINES = 12;
const CHECK_LINES = 40;

const parts = process.argv.slice(2);
const files = parts.length > 0 ? findTestFiles(parts) : null;
const vitestFiles = files?.filter((file) => !file.endsWith(".e2e.ts"));
const playwrightFiles = files?.filter((file) => file.endsWith(".e2e.ts"));
const reports = mkdtempSync(join(tmpdir(), "culprit-test-"));

if (files === null) compileAhead();
if (!(await run("setup", process.execPath, ["scripts/setup.mjs", "--dev"]))) {
  failSetup();
} else {
  // Types and lint need no build, and nothing waits for them: they take what the build and the tests leave of the processor.
  const checks = files === null ? startChecks() : [];
  const needs = listNeeds(files);
  const isReady =
    needs.length === 0 || (await run("build", process.execPath, ["scripts/setup.mjs", "--dev", ...needs]));
  if (isReady) await runTests();
  else failSetup();
  for (const ended of checks) report(await ended);
}

rmSync(reports, { recursive: true, force: true });
for (const name of retries) process.stdout.write(`\npassed when tried again: ${name}`);
for (const { name, message } of failures) process.stdout.write(`\n\nfailed: ${name}\n${message}`.trimEnd());
process.stdout.write(`\n\n${total.passed} passed, ${total.failed} failed, ${total.skipped} skipped\n`);
process.exitCode = total.failed > 0 ? 1 : 0;

/** Paths from the root. Ends the run when a part of a path names no test file. @param {string[]} parts */
function findTestFiles(parts) {
  const all = ["app", "tests"]
    .flatMap((folder) => readdirSync(join(root, folder), { recursive: true }).map((name) => join(folder, String(name))))
    .filter((file) => /\.(test\.tsx?|e2e\.ts)$/.test(file));
  const found = parts.map((part) => {
    const path = resolve(part);
    const text = existsSync(path) ? relative(root, path) : part;
    return all.filter((file) => file.includes(text));
  });
  const unknown = parts.filter((_, index) => found[index].length === 0);
  if (unknown.length === 0) return [...new Set(found.flat())].sort();
  process.stderr.write(
    `no test file has ${unknown.join(" or ")} in its path. Usage: npm test [-- <part of a path>…]\n`,
  );
  process.exit(1);
}

/** The things that setup must provide besides packages: tests of whole servers run the build. @param {string[] | null} files */
function listNeeds(files) {
  const needsBuild = files === null || files.some((file) => !/^(app|tests\/unit)\//.test(file));
  const needsBrowser = files === null || files.some((file) => /^tests\/(e2e|sdk|tools)\//.test(file));
  return [...(needsBuild ? ["--build"] : []), ...(needsBrowser ? ["--browser"] : [])];
}

function failSetup() {
  total.failed += 1;
  failures.push({ name: "setup", message: "" });
}

/**
 * Starts to compile the Rust SDK, which takes the tests the longest. It needs none of the packages, and fetching these leaves half a core
 * unused. The test (tests/sdk/sdk-apps.ts) runs the same command, waits for this one, and reports what is wrong.
 */
function compileAhead() {
  const target = join(root, "tests", ".cache", "sdk", "rust");
  const args = ["build", "--quiet", "--locked", "--jobs=1", "--target-dir", target];
  spawn("cargo", args, { cwd: join(root, "tests", "sdk", "rust"), stdio: "ignore" }).once("error", () => {});
}

/**
 * Runs the checks one after the other. The order is that in which they end. A single thread checks types, because each of several threads
 * would work out for itself what is used everywhere, and Go's collector waits for more garbage: that is 15 s of processor instead of 27
 * (decision 085).
 */
function startChecks() {
  const routes = check("types of routes", "react-router", ["typegen"]);
  const types = routes.then(() => check("types", "tsc", ["--checkers", "1"], { GOGC: "400" }));
  const lint = types.then(() => check("lint and format", "biome", ["check", "--error-on-warnings"]));
  return [routes, types, lint];
}

async function runTests() {
  if (vitestFiles?.length !== 0) {
    const path = join(reports, "vitest.json");
    const reporters = ["--reporter=default", "--reporter=json", `--outputFile.json=${path}`];
    const isGood = await run("unit and server tests", "vitest", ["run", ...reporters, ...(vitestFiles ?? [])]);
    count("unit and server tests", isGood, () => readVitest(path));
  }
  if (playwrightFiles?.length !== 0) {
    const path = join(reports, "playwright.json");
    const args = ["test", "--reporter=list,json", ...(playwrightFiles ?? [])];
    const isGood = await run("tests in a browser", "playwright", args, { PLAYWRIGHT_JSON_OUTPUT_FILE: path });
    count("tests in a browser", isGood, () => readPlaywright(path));
  }
}

/** Runs a step that is a single check beside others. It prints nothing, and has a low priority. */
async function check(title, command, args, more = {}) {
  const child = spawn(command, args, { cwd: root, stdio: ["ignore", "pipe", "pipe"], env: { ...env, ...more } });
  if (child.pid !== undefined) setPriority(child.pid, constants.priority.PRIORITY_LOW);
  let said = "";
  for (const output of [child.stdout, child.stderr]) output.setEncoding("utf8").on("data", (text) => (said += text));
  const isGood = await endOf(child).catch((error) => {
    said += `${command}: ${error.message}\n`;
    return false;
  });
  return { title, isGood, said };
}

/** Reports such a step as one test. */
function report({ title, isGood, said }) {
  process.stdout.write(`\n── ${title}\n${said}`);
  if (isGood) {
    total.passed += 1;
    return;
  }
  total.failed += 1;
  fail(title, said, CHECK_LINES);
}

/** @returns {Promise<boolean>} whether it ended well */
async function run(title, command, args, more = {}) {
  process.stdout.write(`\n── ${title}\n`);
  return endOf(spawn(command, args, { cwd: root, stdio: "inherit", env: { ...env, ...more } })).catch((error) => {
    process.stdout.write(`${command}: ${error.message}\n`);
    return false;
  });
}

/** @param {import("node:child_process").ChildProcess} child @returns {Promise<boolean>} whether it ended well */
function endOf(child) {
  return new Promise((done, fail) => {
    child.once("error", fail);
    child.once("close", (code) => done(code === 0));
  });
}

/** Adds the results of a runner. A runner that fails without a failed test (it crashed, or a file did not load) counts as one failure. */
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
  for (const { message } of errors) fail("tests in a browser", message);
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
