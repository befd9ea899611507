import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  type ApiEvent,
  type ApiFrame,
  type ApiIssue,
  getJson,
  listIssues,
  sumOutcomes,
  waitFor,
} from "../support/api.ts";
import { type MadeProject, makeProject } from "../support/make-project.ts";
import { startServer, type TestServer } from "../support/start-server.ts";
import { hasProgram, INSTALL_TIMEOUT_MS } from "./run-toolchain.ts";
import { SDK_APPS, type SdkApp } from "./sdk-apps.ts";

let server: TestServer;

beforeAll(async () => {
  server = await startServer();
});
afterAll(async () => {
  await server?.[Symbol.asyncDispose]();
});

/** A language whose toolchain is missing is skipped by name, so that the run says what it did not prove. */
function testSdk(
  { language, program, versionArgument, prepare, run }: SdkApp,
  title: string,
  expectArrived: (project: MadeProject) => Promise<void>,
): void {
  const isThere = hasProgram(program, versionArgument);
  if (!isThere) console.info(`SDK of ${language}: skipped, there is no ${program}`);
  describe(`the SDK of ${language}${isThere ? "" : ` (skipped: no ${program})`}`, () => {
    test.skipIf(!isThere)(title, { timeout: 2 * INSTALL_TIMEOUT_MS }, async (context) => {
      const problem = await prepare();
      if (problem !== null) {
        console.info(`SDK of ${language}: skipped, ${problem}`);
        return context.skip(problem);
      }
      const project = await makeProject(server, language.toLowerCase());
      await run({ SENTRY_DSN: project.dsn });
      await expectArrived(project);
      for (const outcome of ["invalid", "filtered", "rate_limited"])
        expect(await sumOutcomes(server, { project: project.id, outcome }), outcome).toBe(0);
    });
  });
}

/** Its issues, each with its latest event. */
function waitForReports(project: MadeProject, count: number): Promise<Array<{ issue: ApiIssue; event: ApiEvent }>> {
  return waitFor(`${count} issues of ${project.slug}`, async () => {
    const issues = await listIssues(server, "", project.slug);
    if (issues.length < count) return false;
    return Promise.all(
      issues.map(async (issue) => ({
        issue,
        event: await getJson<ApiEvent>(server, `/issues/${issue.id}/events/latest/`),
      })),
    );
  });
}

function waitForCategory({ id }: MadeProject, category: string): Promise<number> {
  return waitFor(category, () => sumOutcomes(server, { project: id, outcome: "accepted", category }));
}

/** What the SDK put beside its errors, each in a category of its own. */
async function expectCategories(project: MadeProject, categories: readonly string[]): Promise<void> {
  for (const category of categories) expect(await waitForCategory(project, category), category).toBe(1);
}

const SCOPE = "what a scope may carry";

function find(found: Array<{ issue: ApiIssue; event: ApiEvent }>, title: string): ApiEvent | undefined {
  return found.find(({ issue }) => issue.title === title)?.event;
}

function framesOf(event: ApiEvent | undefined): ApiFrame[] {
  const entry = event?.entries.find(({ type }) => type === "exception") as unknown as
    | { data: { values: Array<{ stacktrace: { frames: ApiFrame[] } | null }> } }
    | undefined;
  return entry?.data.values.flatMap((value) => value.stacktrace?.frames ?? []) ?? [];
}

testSdk(
  SDK_APPS.python,
  "reports a chained exception with locals, a log call, what a scope carries, and an item of each other kind",
  async (project) => {
    const found = await waitForReports(project, 3);
    const failure = found.find(({ issue }) => issue.metadata.type === "RuntimeError");
    expect(failure?.issue.title).toBe("RuntimeError: checkout failed");
    expect(failure?.event.release?.version).toBe("python-app@1.0.0");
    expect(failure?.event.environment).toBe("sdk-test");
    expect(failure?.event.user).toMatchObject({ id: "4711", email: "ada@example.com" });
    expect(failure?.event.sdk?.name).toBe("sentry.python");
    const total = framesOf(failure?.event).find((frame) => frame.function === "total");
    expect(total?.context.find(([line]) => line === total.lineNo)?.[1]).toContain('self.discount["amount"]');
    expect(total?.vars).toHaveProperty("password");
    expect(JSON.stringify(total?.vars)).not.toContain("hunter2");
    expect(found.some(({ issue }) => issue.title.includes("payment"))).toBe(true);
    const scope = find(found, SCOPE);
    expect(scope?.contexts.odd).toMatchObject({ largest: "18446744073709551615", half: "\ufffd", nul: "" });
    expect(scope?.errors.map(({ type }) => type)).toEqual(["invalid_json", "invalid_json"]);
    const crumbs = scope?.entries.find(({ type }) => type === "breadcrumbs")?.data as { values: unknown[] } | undefined;
    expect(crumbs?.values).toHaveLength(100);
    expect(crumbs?.values.at(-1)).toMatchObject({ message: "step 119" });
    await expectCategories(project, ["transaction", "trace_metric", "attachment", "session", "feedback"]);
    // The call of the logging module is one, too.
    await expect.poll(() => sumOutcomes(server, { project: project.id, category: "log_item" })).toBe(2);
    await expect.poll(() => sumOutcomes(server, { project: project.id, category: "monitor" })).toBe(2);
  },
);

testSdk(
  SDK_APPS.go,
  "reports an error chain, messages, a recovered panic, and items of other kinds",
  async (project) => {
    const found = await waitForReports(project, 4);
    const titles = found.map(({ issue }) => issue.title);
    expect(titles.some((title) => title.includes("cannot compute the total"))).toBe(true);
    expect(titles).toContain("go says hello");
    expect(titles.some((title) => title.includes("index out of range"))).toBe(true);
    for (const { event } of found) {
      expect(event.release?.version).toBe("go-app@1.0.0");
      expect(event.tags).toContainEqual({ key: "plan", value: "pro" });
    }
    expect(find(found, SCOPE)?.contexts.odd).toMatchObject({ largest: "18446744073709551615" });
    await expectCategories(project, ["transaction", "log_item", "trace_metric", "attachment", "monitor"]);
  },
);

testSdk(SDK_APPS.rust, "reports a panic with its backtrace, messages, an attachment and a session", async (project) => {
  const found = await waitForReports(project, 3);
  expect(found.map(({ issue }) => issue.title)).toContain("rust says hello");
  const panic = found.find(({ issue }) => issue.metadata.type === "panic");
  expect(panic?.issue.title).toContain("a cart without a discount code");
  expect(panic?.issue.isUnhandled).toBe(true);
  expect(panic?.event.release?.version).toBe("rust-app@1.0.0");
  expect(framesOf(panic?.event).some((frame) => frame.function?.includes("total") && frame.inApp)).toBe(true);
  expect(panic?.event.tags.find(({ key }) => key === "runtime")?.value).toMatch(/^rustc /);
  await expectCategories(project, ["attachment"]);
  await waitForCategory(project, "session");
});

testSdk(
  SDK_APPS.java,
  "reports a chained exception with in-app frames, and an item of each other kind",
  async (project) => {
    const found = await waitForReports(project, 2);
    const failure = found.find(({ issue }) => issue.metadata.type === "IllegalStateException");
    expect(failure?.event.release?.version).toBe("java-app@1.0.0");
    expect(failure?.event.platform).toBe("java");
    expect(failure?.event.user?.id).toBe("4711");
    expect(framesOf(failure?.event).some((frame) => frame.function === "total" && frame.inApp)).toBe(true);
    expect(find(found, SCOPE)?.title).toBe(SCOPE);
    await expectCategories(project, ["transaction", "log_item", "attachment", "monitor", "feedback"]);
  },
);
