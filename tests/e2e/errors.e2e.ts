import type { Page } from "@playwright/test";
import { type ApiEvent, type ApiIssue, getJson, listIssues, send, sumOutcomes, waitFor } from "../support/api.ts";
import { breakServer } from "../support/break-server.ts";
import { expect, openPage, signIn, signInByForm, test } from "../support/browser-test.ts";
import { makeError } from "../support/make-event.ts";
import { startProxy } from "../support/start-proxy.ts";
import type { TestServer } from "../support/start-server.ts";

const SETTINGS = "/projects/shop/settings";
const heading = (page: Page, name: string) => page.getByRole("heading", { name, level: 1 });

test.describe("an address that leads nowhere", () => {
  test("is answered 404, with a page that says so and leads on", async ({ page, complaints }) => {
    complaints.expect(/status of 404/);
    const answer = await page.goto("/no/such/page");
    expect(answer?.status()).toBe(404);
    await expect(heading(page, "Nothing here")).toBeVisible();
    await expect(page.getByRole("main")).toContainText("/no/such/page");
    await expect(page).toHaveTitle("Nothing here · Culprit");
    await page.getByRole("link", { name: "Projects" }).click();
    await expect(heading(page, "Projects")).toBeVisible();
    expect((await page.goto("/issues/999999"))?.status()).toBe(404);
    await expect(page.getByRole("main")).toContainText("There is no such issue.");
    expect((await page.goto("/projects/no-such-project"))?.status()).toBe(404);
    await page.getByRole("link", { name: "To Projects" }).click();
    await expect(heading(page, "Projects")).toBeVisible();
    expect((await page.goto("/no/such/page"))?.status()).toBe(404);
    await page.getByRole("link", { name: "To Issues" }).click();
    await expect(heading(page, "Issues")).toBeVisible();
    expect((await page.goto("/no/%E0%A4%A"))?.status()).toBeLessThan(500);
  });

  test("is told of an id that nothing has, in the list of issues", async ({ page }) => {
    await openPage(page, "/projects");
    await page.keyboard.press("Control+k");
    await page.getByRole("combobox", { name: /^Go to/ }).fill("0".repeat(32));
    await page.keyboard.press("Enter");
    await expect(page.getByText(/^No event and no trace has the id “0{32}”\.$/)).toBeVisible();
  });

  test.describe("signed out", () => {
    test.use({ isSignedIn: false });

    test("is not found for strangers either", async ({ page, complaints }) => {
      complaints.expect(/status of 404/);
      expect((await page.goto("/no/such/page"))?.status()).toBe(404);
      await expect(heading(page, "Nothing here")).toBeVisible();
      await page.getByRole("navigation", { name: "Sections" }).getByRole("link", { name: "Issues" }).click();
      await expect(heading(page, "Sign in")).toBeVisible();
    });
  });
});

test.describe("a fault of Culprit's own", () => {
  test.use({ isSignedIn: false });

  for (const way of ["a whole page", "a navigation"] as const) {
    test(`in a loader, on the way by ${way}, is shown, can be commented on, and arrives once`, async ({
      page,
      startOwnServer,
      complaints,
    }) => {
      complaints.expect(/status of 500|Unexpected Server Error/);
      const server = await startOwnServer();
      await (way === "a whole page" ? signIn : signInByForm)(page, server);
      const mend = breakServer(server, "reading keys");
      let traceId: string | undefined;
      if (way === "a whole page") {
        expect((await page.goto(server.url + SETTINGS))?.status()).toBe(500);
      } else {
        const asked = page.waitForRequest(/settings\.data/);
        await goToSettings(page);
        traceId = (await (await asked).headerValue("sentry-trace"))?.slice(0, 32);
      }
      const event = await expectFault(page, server, /^Error: no such table: .*project_keys/);
      expect(event.platform).toBe("node");
      expect(event.tags).toContainEqual({ key: "handled", value: "no" });
      // The browser's navigation and the fault of the server are one trace.
      if (traceId) expect(event.contexts.trace?.trace_id).toBe(traceId);
      await comment(page, server);

      await page.getByRole("link", { name: "Projects" }).first().click();
      await expect(heading(page, "Projects")).toBeVisible();
      await page.goto(server.url + SETTINGS);
      await expect(heading(page, "This page broke")).toBeVisible();
      mend();
      await page.getByRole("link", { name: "Load it again" }).click();
      await expect(heading(page, "Project settings")).toBeVisible();
    });
  }

  for (const [way, isScripted] of [
    ["the page's script", true],
    ["the browser alone", false],
  ] as const) {
    test.describe(`sent by ${way}`, () => {
      test.use({ javaScriptEnabled: isScripted });

      test("in an action is shown, and arrives once", async ({ page, startOwnServer, complaints }) => {
        complaints.expect(/status of 500|Unexpected Server Error/);
        const server = await startOwnServer();
        await signIn(page, server);
        await (isScripted ? openPage(page, server.url + SETTINGS) : page.goto(server.url + SETTINGS));
        breakServer(server, "changing keys");
        const answer = page.waitForResponse(
          (response) => response.request().method() === "POST" && response.url().includes(SETTINGS),
        );
        await page.getByRole("button", { name: "Disable" }).click();
        expect((await answer).status()).toBe(500);
        if (isScripted) {
          // The page stays, with what was typed into its forms.
          await expect(
            page.getByText("Culprit broke. Check whether this was saved, then send it again."),
          ).toBeVisible();
          await expectReport(page, server, /^Error: the disk is on fire/);
          await expect(heading(page, "Project settings")).toBeVisible();
          return;
        }
        await expectFault(page, server, /^Error: the disk is on fire/);
        await comment(page, server);
        await expect(heading(page, "Issues")).toBeVisible();
      });
    });
  }

  test("in a component, while the server draws it, is shown, and arrives once", async ({
    page,
    startOwnServer,
    complaints,
  }) => {
    complaints.expect(/status of 500|Unexpected Server Error|Minified React error/);
    const server = await startOwnServer();
    await signIn(page, server);
    breakServer(server, "drawing keys");
    expect((await page.goto(server.url + SETTINGS))?.status()).toBe(500);
    const event = await expectFault(page, server, /^RangeError: Invalid time value/);
    expect(event.platform).toBe("node");
    await comment(page, server);
    await page.getByRole("link", { name: "Projects" }).first().click();
    await expect(heading(page, "Projects")).toBeVisible();
  });

  test("in a component, while the browser draws it, is shown, can be commented on, and arrives once", async ({
    page,
    startOwnServer,
    complaints,
  }) => {
    complaints.expect(/RangeError: Invalid time value/);
    const server = await startOwnServer();
    await signInByForm(page, server);
    breakServer(server, "drawing keys");
    await goToSettings(page);
    const event = await expectFault(page, server, /^RangeError: Invalid time value/);
    expect(event.platform).toBe("javascript");
    expect(event.release?.version).toMatch(/^culprit@/);
    await comment(page, server);
    await page.getByRole("link", { name: "Issues", exact: true }).first().click();
    await expect(heading(page, "Issues")).toBeVisible();
  });

  test("that takes the frame away leaves a way out, too", async ({ page, startOwnServer, complaints }) => {
    complaints.expect(/status of 500|Unexpected Server Error/);
    const server = await startOwnServer();
    await signIn(page, server);
    const mend = breakServer(server, "sessions");
    expect((await page.goto(`${server.url}/arrived`))?.status()).toBe(500);
    // The web API knows its caller by another way.
    await expectFault(page, server, /^Error: no such table: .*sessions/);
    mend();
    await page.getByRole("navigation", { name: "Sections" }).getByRole("link", { name: "Projects" }).click();
    await expect(heading(page, "Projects")).toBeVisible();
  });

  test("in the page's script is kept until the SDK has come, and arrives once", async ({
    page,
    startOwnServer,
    complaints,
  }) => {
    complaints.expect(/an early fault|an early rejection|a late fault/);
    const server = await startOwnServer();
    await using proxy = await startProxy(server);
    const sdk = proxy.hold(/^\/assets\/sentry\.client/);
    await openPage(page, `${proxy.url}/sign-in`);
    await sdk.caught;
    const thrown = ["an early fault", "an early rejection"].map((text) =>
      page.waitForEvent("pageerror", ({ message }) => message === text),
    );
    await page.evaluate(() => {
      setTimeout(() => {
        throw new Error("an early fault");
      });
      setTimeout(() => void Promise.reject(new Error("an early rejection")));
    });
    await Promise.all(thrown);
    expect(proxy.count(/^\/monitoring/)).toBe(0);
    sdk.release();
    const titles = async () => (await listFaults(server)).map(({ title }) => title).sort();
    await expect.poll(titles).toEqual(["Error: an early fault", "Error: an early rejection"]);
    await page.evaluate(() => {
      setTimeout(() => {
        throw new Error("a late fault");
      });
    });
    await expect.poll(titles).toEqual(["Error: a late fault", "Error: an early fault", "Error: an early rejection"]);
    await passBarrier(page, server);
    for (const { title, count } of await listFaults(server)) expect([title, count]).toEqual([title, "1"]);
    await page.close();
  });
});

/** As by a press, but without pointing first: a page that is fetched in advance may fail in advance, too. */
async function goToSettings(page: Page): Promise<void> {
  await page.getByRole("link", { name: "Projects" }).click();
  await expect(heading(page, "Projects")).toBeVisible();
  await page
    .getByRole("link", { name: "Settings" })
    .and(page.locator(`[href="${SETTINGS}"]`))
    .dispatchEvent("click");
}

/** The page says that it broke, and under which id; Culprit's own project has the fault under that id, once. */
async function expectFault(page: Page, server: TestServer, title: RegExp): Promise<ApiEvent> {
  await expect(heading(page, "This page broke")).toBeVisible();
  const shown = page.getByText(/The fault was reported as [0-9a-f]{8}/);
  await expect(shown).toBeVisible();
  const id = /[0-9a-f]{8}/.exec((await shown.textContent())?.replace("The fault was reported as", "") ?? "")?.[0] ?? "";
  const event = await expectReport(page, server, title);
  expect(event.eventID.slice(0, 8)).toBe(id);
  return event;
}

async function expectReport(page: Page, server: TestServer, title: RegExp): Promise<ApiEvent> {
  const issue = await waitFor("the fault", async () => (await listFaults(server)).find((one) => title.test(one.title)));
  await passBarrier(page, server);
  expect((await listFaults(server)).map(({ title: each, count }) => [each, count])).toEqual([[issue.title, "1"]]);
  return getJson<ApiEvent>(server, `/issues/${issue.id}/events/latest/`);
}

const BARRIER = "barrier of a test";

function listFaults(server: TestServer): Promise<ApiIssue[]> {
  return listIssues(server, "", "culprit").then((issues) => issues.filter(({ title }) => !title.startsWith(BARRIER)));
}

/** Whatever the page has reported so far is stored when this resolves: a message goes the same way behind it. */
async function passBarrier(page: Page, server: TestServer): Promise<void> {
  const html = await (await fetch(`${server.url}/sign-in`)).text();
  const content = /<meta name="culprit-monitoring" content="([^"]*)"/.exec(html)?.[1]?.replaceAll("&quot;", '"');
  const { dsn } = JSON.parse(content ?? "{}") as { dsn: string };
  const eventId = crypto.randomUUID().replaceAll("-", "");
  const envelope = `${JSON.stringify({ event_id: eventId, dsn })}\n{"type":"event"}\n${JSON.stringify({ event_id: eventId, message: BARRIER })}\n`;
  const status = await page.request.post(`${server.url}/monitoring`, {
    data: envelope,
    headers: { "content-type": "text/plain" },
  });
  expect(status.status()).toBe(200);
  await waitFor("the barrier", () => getJson(server, `/projects/default/culprit/events/${eventId}/`));
}

/** Says what one was doing. Without script, the form leads on to the issues. */
async function comment(page: Page, server: TestServer): Promise<void> {
  await page.getByLabel("What were you doing?").fill("I only looked at the keys.");
  await page.getByRole("button", { name: "Send" }).click();
  await expect(
    page.getByText("Thank you. Your answer is stored with the report.").or(heading(page, "Issues")),
  ).toBeVisible();
  await waitFor(
    "the comment",
    async () => (await sumOutcomes(server, { outcome: "accepted", category: "feedback" })) === 1,
  );
}

test("what one has typed stays when the server is away, the session has ended or the issue is gone", async ({
  page,
  context,
  server,
  project,
  complaints,
}) => {
  complaints.expect(/status of 40[14]|net::ERR_|Error loading route module|dynamically imported module/);
  await project.store(makeError("Alpha"), makeError("Beta"));
  const field = page.getByLabel("Add a comment");
  const post = async (said: RegExp) => {
    await field.fill("It is the queue");
    await page.getByRole("button", { name: "Comment", exact: true }).click();
    await expect(page.getByRole("status").filter({ hasText: said })).toBeVisible();
    await expect(field).toHaveValue("It is the queue");
  };
  await openPage(page, `/issues/${project.slug}-1`);
  await context.setOffline(true);
  await post(/^The server does not answer\. Check whether this was saved/);
  await page.locator("summary", { hasText: "Account of" }).click();
  await expect(page.getByRole("button", { name: "Sign out" })).toBeVisible();
  const missing = page.waitForEvent("requestfailed", (request) => request.url().includes("/assets/"));
  await page.getByRole("navigation", { name: "Sections" }).getByRole("link", { name: "Releases" }).hover();
  await missing;
  await expect(field).toHaveValue("It is the queue");
  await context.setOffline(false);
  const [issue] = await listIssues(server, "Alpha", project.slug);
  expect((await send(server, "DELETE", `/issues/${issue?.id}/`)).ok).toBe(true);
  await post(/^There is no such issue\. Nothing was saved\./);
  await openPage(page, `/issues/${project.slug}-2`);
  await context.clearCookies();
  await post(/^You are signed out, and nothing was saved\./);
});

test("a page that reads by itself does not lead to the sign-in, and links of it do", async ({
  page,
  context,
  project,
  complaints,
}) => {
  complaints.expect(/status of 401/);
  const path = `/projects/${project.slug}/set-up`;
  const live = page.waitForResponse((answer) => new URL(answer.url()).pathname === "/live");
  await openPage(page, path);
  await live;
  await context.clearCookies();
  const refused = page.waitForResponse(
    async (answer) => new URL(answer.url()).pathname === `${path}.data` && (await answer.text()).includes("/sign-in"),
  );
  await project.store(makeError("Alpha"));
  await refused;
  await expect(page.getByText("Waiting for the first event")).toBeVisible();
  await page.getByRole("navigation", { name: "Sections" }).getByRole("link", { name: "Settings" }).click();
  await expect(page).toHaveURL(/\/sign-in\?to=%2Fsettings$/);
});

test("what somebody types into the form of a monitor stays when the session has ended", async ({
  page,
  context,
  complaints,
}) => {
  complaints.expect(/status of 401/);
  await openPage(page, "/crons/new");
  const name = page.getByLabel("Name", { exact: true });
  await context.clearCookies();
  const answered = page.waitForResponse((answer) => new URL(answer.url()).pathname === "/crons/preview");
  await name.fill("Nightly invoices");
  await (await answered).finished();
  await page.getByLabel("Slug", { exact: true }).fill("invoices");
  await expect(name).toHaveValue("Nightly invoices");
});

test("a change of listed issues that was refused can be made again", async ({
  page,
  context,
  session,
  project,
  complaints,
}) => {
  complaints.expect(/status of 401/);
  await project.store(makeError("Alpha"), makeError("Beta"));
  await openPage(page, `/issues?project=${project.slug}`);
  await context.clearCookies();
  await page.keyboard.press("j");
  await page.keyboard.press("e");
  const said = page.getByRole("status");
  await expect(said.filter({ hasText: /^You are signed out, and nothing was saved\./ })).toBeVisible();
  await expect(page.locator(".issue-row[data-leaving]")).toHaveCount(0);
  await context.addCookies(session);
  await page.keyboard.press("e");
  await expect(said.filter({ hasText: "1 issue resolved." })).toBeVisible();
});
