import { test as base, type Cookie, expect, type Page } from "@playwright/test";
import { getJson, listIssues, sendEnvelope, toEventEnvelope, waitForEvent } from "./api.ts";
import { type MadeProject, makeProject } from "./make-project.ts";
import { startServer, type TestServer, type TestServerOptions } from "./start-server.ts";

export { expect };

/** A project of its own for a test, on the server that the worker's tests share. */
export interface TestProject extends MadeProject {
  name: string;
  /** Sends events as an SDK does, one after the other; gives their ids once all are stored. */
  store(...events: Array<Record<string, unknown>>): Promise<string[]>;
}

/** What the browser complained about: uncaught errors, errors in the console. Whatever a test does not expect fails it. */
export interface Complaints {
  expect(pattern: RegExp): void;
}

interface TestFixtures {
  /** Whether pages are opened as the owner; `test.use({ isSignedIn: false })`. */
  isSignedIn: boolean;
  project: TestProject;
  /** Starts a server for this test alone; it stops when the browser has left. */
  startOwnServer: (options?: TestServerOptions) => Promise<TestServer>;
  complaints: Complaints;
}

interface WorkerFixtures {
  /** Set up, and healthy: a test that breaks something starts one of its own. */
  server: TestServer;
  session: Cookie[];
}

let projectCount = 0;

export const test = base.extend<TestFixtures, WorkerFixtures>({
  server: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of the fixtures from the pattern
    async ({}, use) => {
      await using server = await startServer({ watchesItself: true });
      await use(server);
      // Nothing was broken on purpose, so nothing may have been reported.
      const faults = server.logLines().filter(({ level }) => level >= 50);
      const reported = await listIssues(server, "", "culprit");
      const events = await Promise.all(reported.map(({ id }) => getJson(server, `/issues/${id}/events/latest/`)));
      expect({ faults, events }).toEqual({ faults: [], events: [] });
    },
    { scope: "worker" },
  ],
  session: [async ({ server }, use) => use([await openSession(server)]), { scope: "worker" }],
  isSignedIn: [true, { option: true }],
  baseURL: async ({ server }, use) => use(server.url),
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of the fixtures from the pattern
  startOwnServer: async ({}, use) => {
    const servers: TestServer[] = [];
    await use(async (options) => {
      const server = await startServer({ watchesItself: true, ...options });
      servers.push(server);
      return server;
    });
    await Promise.all(servers.map((server) => server[Symbol.asyncDispose]()));
  },
  // The servers come first, so that they go last: a page that loses its server complains.
  context: async ({ startOwnServer: _, context, isSignedIn, session }, use) => {
    if (isSignedIn) await context.addCookies(session);
    // `SLOWDOWN=6 playwright test …` finds what holds on a quick machine only.
    const rate = Number(process.env.SLOWDOWN ?? 1);
    if (rate > 1) {
      context.on("page", async (page) => {
        const devtools = await context.newCDPSession(page);
        await devtools.send("Emulation.setCPUThrottlingRate", { rate });
      });
    }
    await use(context);
  },
  project: async ({ server }, use, { workerIndex }) => {
    projectCount += 1;
    await use(await createProject(server, `shop-${workerIndex}-${projectCount}`));
  },
  complaints: [
    async ({ context }, use) => {
      const expected: RegExp[] = [];
      const heard: string[] = [];
      context.on("weberror", (error) => heard.push(String(error.error().stack)));
      context.on("console", (message) => {
        if (message.type() === "error") heard.push(`${message.text()} (${message.location().url})`);
      });
      await use({ expect: (pattern) => expected.push(pattern) });
      expect(heard.filter((text) => !expected.some((pattern) => pattern.test(text)))).toEqual([]);
    },
    { auto: true },
  ],
});

export async function createProject(server: TestServer, slug: string): Promise<TestProject> {
  const project = await makeProject(server, slug);
  return {
    ...project,
    name: slug,
    async store(...events) {
      const ids: string[] = [];
      for (const event of events) ids.push(await sendEvent({ url: server.url, dsn: project.dsn }, event));
      for (const eventId of ids) await waitForEvent(server, eventId, slug);
      return ids;
    },
  };
}

/** Gives the event's id, which the server has accepted. */
export async function sendEvent(
  target: { url: string; dsn: string | null },
  event: Record<string, unknown>,
): Promise<string> {
  const { eventId, envelope } = toEventEnvelope(event);
  const answer = await sendEnvelope(target, envelope);
  if (!answer.ok) throw new Error(`the event was answered ${answer.status}: ${await answer.text()}`);
  return eventId;
}

/** Opens a page, and waits until script has taken it over: what is pressed from then on is handled by it. */
export async function openPage(page: Page, path: string): Promise<void> {
  await page.goto(path);
  await waitForScript(page);
}

export async function waitForScript(page: Page): Promise<void> {
  // The router takes the place in the page over in the last of the effects that follow the first drawing.
  await page.waitForFunction(() => window.history.scrollRestoration === "manual");
}

/** Opens a page whose clock only moves when it is told to (`page.clock.runFor`). */
export async function openPaused(page: Page, path: string): Promise<void> {
  await page.clock.install();
  await openPage(page, path);
  await page.clock.pauseAt(Date.now() + 60_000);
}

/** Signs in as the owner of a server other than the worker's, without the two pages that the form loads. */
export async function signIn(page: Page, server: Pick<TestServer, "url" | "owner">): Promise<void> {
  await page.context().addCookies([await openSession(server)]);
}

async function openSession({ url, owner }: Pick<TestServer, "url" | "owner">): Promise<Cookie> {
  const response = await fetch(`${url}/sign-in`, {
    method: "POST",
    redirect: "manual",
    headers: { origin: url },
    body: new URLSearchParams(owner),
  });
  const [name = "", value = ""] = response.headers.getSetCookie()[0]?.split(";")[0]?.split("=") ?? [];
  if (!value) throw new Error(`signing in was answered ${response.status}: ${await response.text()}`);
  return { name, value, domain: "127.0.0.1", path: "/", expires: -1, httpOnly: true, secure: false, sameSite: "Lax" };
}

/** Signs in by the form, on a server other than the worker's. What is pressed afterwards is handled by script, if there is any. */
export async function signInByForm(page: Page, { url, owner }: Pick<TestServer, "url" | "owner">): Promise<void> {
  await page.goto(`${url}/sign-in`);
  await page.getByLabel("E-mail").fill(owner.email);
  await page.getByLabel("Password").fill(owner.password);
  await page.getByRole("button", { name: "Sign in" }).click();
  await expect(page.getByRole("heading", { name: "Issues", level: 1 })).toBeVisible();
  // Sent before script was there, the form has led to a page of its own.
  if (await page.evaluate(() => window.matchMedia("(scripting: enabled)").matches)) await waitForScript(page);
}
