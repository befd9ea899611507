import { globSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, type TestContext, test } from "vitest";
import type { OpenBrowser } from "../sdk/open-browser.ts";
import { getJson, getLatestEvent, waitForIssues } from "../support/api.ts";
import { type MadeProject, makeProject } from "../support/make-project.ts";
import { makeToken } from "../support/make-token.ts";
import { type CheckingProxy, startCheckingProxy } from "../support/start-checking-proxy.ts";
import { startServer, type TestServer } from "../support/start-server.ts";
import { openBrowserIfThere, requireBrowser } from "./open-browser-if-there.ts";
import { checkOutApp, findLine, type PluginApp } from "./plugin-app.ts";
import { expectReleased, ownFramesOf, readOpenSource } from "./plugin-results.ts";
import { serveFolder } from "./serve-folder.ts";

let server: TestServer;
let proxy: CheckingProxy;
let browser: OpenBrowser | null;
/** Of the organization, as a build has it. */
let token: string;
/** Of a person who may only read events. */
let readersToken: string;

beforeAll(async () => {
  [server, browser] = await Promise.all([startServer(), openBrowserIfThere()]);
  proxy = await startCheckingProxy(server);
  const asked = { ...server, url: proxy.url };
  token = await makeToken(asked, { scopes: ["org:ci"] });
  readersToken = await makeToken(asked, { kind: "personal", scopes: ["event:read"] });
});
afterEach(() => {
  expect(proxy.contradictions).toEqual([]);
});
afterAll(async () => {
  await browser?.[Symbol.asyncDispose]();
  await proxy?.[Symbol.asyncDispose]();
  await server?.[Symbol.asyncDispose]();
});

/** In Node: it fails as a program does, and the SDK reports that. */
async function failInNode(app: PluginApp, project: MadeProject, script: string): Promise<void> {
  const { code, output } = await app.run([script, "20", "15"], { SENTRY_DSN: project.dsn });
  expect(output).toContain("no discount on 35");
  expect(code).toBe(1);
}

/** Runs what was built until it throws. The project's DSN was in the build where there is no environment later. */
const BUNDLERS = [
  {
    name: "vite",
    /** As the plugin calls it where nobody does. */
    version: (app: PluginApp) => app.checkout.commits()[0] ?? "",
    extension: "ts",
    async fail(app: PluginApp, _: MadeProject, context: TestContext) {
      await using site = await serveFolder(join(app.folder, "dist"));
      const { page, sent } = await requireBrowser(browser, context).openPage(server.url);
      await page.goto(site.origin);
      await page.getByRole("button", { name: "Pay" }).click();
      await expect.poll(() => sent.map(({ status }) => status)).toContain(200);
      await page.close();
    },
  },
  {
    name: "webpack",
    version: (_: PluginApp, major: number) => (major === 11 ? "shop@11.0.0" : "shop@2.1.0"),
    extension: "js",
    fail: (app: PluginApp, project: MadeProject) => failInNode(app, project, "dist/main.cjs"),
  },
  {
    name: "esbuild",
    version: () => "worker@3.0.1",
    extension: "ts",
    fail: (app: PluginApp, project: MadeProject) => failInNode(app, project, "dist/main.js"),
  },
] as const;

/** The newest of esbuild's is 5.4. */
const PLUGINS = [
  ...BUNDLERS.map((bundler) => ({ ...bundler, major: 5, isNextMajor: false })),
  ...BUNDLERS.filter(({ name }) => name !== "esbuild").map((bundler) => ({ ...bundler, major: 11, isNextMajor: true })),
];

describe.each(PLUGINS)("@sentry/$name-plugin $major", ({ name, major, isNextMajor, version, extension, fail }) => {
  test("makes the release with its commits, and errors of what it built are readable", async (context) => {
    const project = await makeProject(server, `${name}-${major}`);
    using app = checkOutApp(name, { isNextMajor });
    const target = { url: proxy.url, project: project.slug, token };
    const built = await app.build(target, { VITE_SENTRY_DSN: project.dsn });
    expect(built.output).toContain("Successfully uploaded source maps to Sentry");
    expect(built.code, built.output).toBe(0);
    expect(globSync("dist/**/*.{js,cjs}", { cwd: app.folder })).toHaveLength(1);
    expect(globSync("dist/**/*.map", { cwd: app.folder })).toEqual([]);
    // From 11 on, the plugins send commits only of repositories that the server knows.
    const sendsCommits = major < 11;
    await expectReleased(server, { app, project: project.slug, version: version(app, major), sendsCommits });

    await fail(app, project, context);
    const [issue] = await waitForIssues(server, 1, project.slug);
    expect(issue).toMatchObject({ title: "RangeError: no discount on 35", isUnhandled: true });
    const event = await getLatestEvent(server, issue);
    expect(event.release?.version).toBe(version(app, major));
    const thrown = findLine(name, `src/total.${extension}`, "throw new RangeError");
    expect(ownFramesOf(event).slice(0, 2)).toMatchObject([
      { function: "totalOf", filename: `src/total.${extension}`, ...thrown },
      { function: "pay", filename: `src/main.${extension}`, ...findLine(name, `src/main.${extension}`, "totalOf(") },
    ]);
    expect(await readOpenSource(server, issue?.id ?? "")).toEqual({
      place: expect.stringMatching(new RegExp(`^src/total\\.${extension}:${thrown.lineNo}:\\d+$`)),
      line: thrown.source,
    });
  });
});

// The plugins of a major share what asks the server, and their command-line tool: the quickest one of each says it for all.
test.each([
  { name: "esbuild", major: 5, isNextMajor: false },
  { name: "vite", major: 11, isNextMajor: true },
] as const)(
  "@sentry/$name-plugin $major says what is wrong with a token, and builds all the same unless it must not",
  async ({ name, major, isNextMajor }) => {
    const project = await makeProject(server, `${name}-${major}-refused`);
    const build = async (secret: string, env: Record<string, string> = {}) => {
      using app = checkOutApp(name, { isNextMajor });
      return await app.build({ url: proxy.url, project: project.slug, token: secret }, env);
    };
    const [wrong, reader] = await Promise.all([
      build(`sntryu_${"0".repeat(64)}`),
      build(readersToken, { MUST_UPLOAD: "1" }),
    ]);
    // From 11 on, the plugins say no more of it.
    expect(wrong.output).toContain(major === 11 ? "401 Unauthorized" : "Invalid token");
    expect(wrong.output).toContain("401");
    expect(wrong.code, wrong.output).toBe(0);
    expect(reader.output).toContain(
      major === 11 ? "403 Forbidden" : "needs the scope project:releases; this token has event:read.",
    );
    expect(reader.output).toContain("403");
    expect(reader.code, reader.output).not.toBe(0);
  },
);

test("a build that knows no release uploads for all its projects, and no release is made of nothing", async () => {
  const projects = [await makeProject(server, "nameless-1"), await makeProject(server, "nameless-2")];
  using app = checkOutApp("vite");
  rmSync(join(app.folder, ".git"), { recursive: true });
  const built = await app.build({ url: proxy.url, project: "nameless-1,nameless-2", token });
  expect(built.output).toContain("Successfully uploaded source maps to Sentry");
  expect(built.code, built.output).toBe(0);
  const [file = ""] = globSync("dist/assets/*.js", { cwd: app.folder });
  const debugId = /sentry-dbid-([0-9a-f-]{36})/.exec(readFileSync(join(app.folder, file), "utf8"))?.[1];
  for (const { slug } of projects) {
    expect(await getJson(server, `/projects/default/${slug}/sourcemaps/doctor/?debugId=${debugId}`)).toMatchObject({
      ok: true,
    });
    expect(await getJson(server, `/projects/default/${slug}/releases/`)).toEqual([]);
  }
});
