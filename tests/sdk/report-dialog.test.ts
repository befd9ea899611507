import type { Locator, Page } from "@playwright/test";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { getJson, send, sumOutcomes, waitFor, waitForEvent } from "../support/api.ts";
import { findViolations } from "../support/find-violations.ts";
import { type MadeProject, makeProject } from "../support/make-project.ts";
import { startServer, type TestServer } from "../support/start-server.ts";
import { type OpenBrowser, openBrowser } from "./open-browser.ts";
import { type BrowserApp, serveBrowserApp } from "./serve-browser-app.ts";

declare global {
  interface Window {
    /** What `report-dialog.js` leaves for the test. */
    happened: string[];
    fail(): string;
    ask(options: Record<string, unknown>): void;
  }
}

/** Of a page that does its worst to what is put into it. */
const STYLE = `
  html { font-size: 5px; } * { all: unset; } body { display: grid; gap: 50px; }
  body > div:not(#root) { display: none !important; opacity: 0 !important; }
  dialog, input, button, h2 { color: red !important; background: red !important; font-size: 60px !important; }`;

interface Report {
  eventID: string;
  name: string | null;
  email: string | null;
  comments: string;
  issue: { id: string } | null;
}

let server: TestServer;
let browser: OpenBrowser;
let app: BrowserApp;
let project: MadeProject;
let page: Page;
let dialog: Locator;
let projectCount = 0;

beforeAll(async () => {
  [server, browser] = await Promise.all([startServer(), openBrowser()]);
  const policy = `default-src 'none'; script-src 'self' ${server.url}; connect-src ${server.url}; style-src 'self'`;
  app = await serveBrowserApp("report-dialog.js", { policy, style: STYLE });
});
afterAll(async () => {
  await Promise.allSettled([
    server?.[Symbol.asyncDispose](),
    browser?.[Symbol.asyncDispose](),
    app?.[Symbol.asyncDispose](),
  ]);
});
beforeEach(async () => {
  projectCount += 1;
  project = await makeProject(server, `asked-${projectCount}`);
  ({ page } = await browser.openPage(server.url));
  dialog = page.getByRole("dialog");
  await page.goto(app.pageUrl({ dsn: project.dsn }));
});

/** Gives the event's id. */
async function ask(options: Record<string, unknown> = {}): Promise<string> {
  const eventId = await page.evaluate((given) => {
    const id = window.fail();
    window.ask({ eventId: id, ...given });
    return id;
  }, options);
  await dialog.waitFor();
  return eventId;
}

const happened = () => page.evaluate(() => window.happened);
const focused = () =>
  page.evaluate(() => document.querySelector("[data-report-dialog]")?.shadowRoot?.activeElement?.id);
const sendReport = () => dialog.getByRole("button", { name: "Send report" }).click();
const listReports = () => getJson<Report[]>(server, `/projects/default/${project.slug}/user-feedback/`);

test("what a user writes is joined with the error, below a strict policy and beside a hostile style", async () => {
  const complaints: string[] = [];
  page.on("console", (message) => complaints.push(message.text()));
  page.on("pageerror", (error) => complaints.push(String(error)));
  const eventId = await ask({ user: { email: "sam@shop.example" } });
  expect(await happened()).toEqual(["load"]);
  expect(await dialog.getByLabel("Email").inputValue()).toBe("sam@shop.example");
  expect(await focused()).toBe("name");
  await dialog.getByLabel("Name").fill("Sam & <b>Söhne</b>");
  await dialog.getByLabel("What happened?").fill("I pressed “Buy”.\n100 % gone + lost");
  await sendReport();
  await dialog.getByText("Thank you. Your report has been sent.").waitFor();
  expect(await focused()).toBe("close");
  await page.keyboard.press("Enter");
  await expect.poll(() => dialog.count()).toBe(0);
  await expect.poll(happened).toEqual(["load", "close"]);
  const report = await waitFor("the report with its issue", async () => {
    const [first] = await listReports();
    return first?.issue && first;
  });
  expect(report).toMatchObject({
    eventID: eventId,
    name: "Sam & <b>Söhne</b>",
    email: "sam@shop.example",
    comments: "I pressed “Buy”.\n100 % gone + lost",
  });
  expect(await sumOutcomes(server, { project: project.id, outcome: "accepted", category: "default" })).toBe(1);
  expect(complaints).toEqual([]);
});

test("a report that comes before its event finds it later", async () => {
  const eventId = "5".repeat(32);
  await ask({ eventId });
  await dialog.getByLabel("What happened?").fill("It was early");
  await sendReport();
  await dialog.getByText("Thank you").waitFor();
  await waitFor("the report", async () => (await listReports())[0]);
  const event = JSON.stringify({ event_id: eventId, message: "late" });
  const sent = await fetch(`${server.url}/api/${project.id}/store/?sentry_key=${new URL(project.dsn).username}`, {
    method: "POST",
    body: event,
  });
  expect(sent.status).toBe(200);
  await waitForEvent(server, eventId, project.slug);
  await waitFor("its issue", async () => (await listReports())[0]?.issue);
});

test("its texts are those of the options, and none of them becomes markup or code", async () => {
  const hostile = `</script><img src=x onerror="window.happened.push('hacked')">`;
  await ask({
    ...{ title: hostile, subtitle: "", subtitle2: undefined, labelName: "Naam", labelComments: "Wat is er gebeurd?" },
    ...{ labelSubmit: "Sturen", labelClose: "Sluiten", errorFormEntry: "Vul alles in.", successMessage: hostile },
    ...{ lang: "nl", user: { name: `"><b>x`, email: "javascript:alert(1)" } },
  });
  expect(await dialog.getByRole("heading").textContent()).toBe(hostile);
  expect(await dialog.locator("#subtitle").textContent()).toBe("");
  expect(await dialog.locator("#subtitle2").textContent()).toContain("Tell us");
  expect(await dialog.getByLabel("Naam").inputValue()).toBe(`"><b>x`);
  expect(await dialog.getByRole("heading").getAttribute("lang")).toBe("nl");
  expect(await dialog.locator("#subtitle2").getAttribute("lang")).toBe("en");
  await dialog.getByRole("button", { name: "Sturen" }).click();
  await dialog.getByRole("alert").getByText("Vul alles in.").waitFor();
  expect(await focused()).toBe("email");
  await dialog.getByLabel("Email").fill("");
  await dialog.getByRole("button", { name: "Sturen" }).click();
  expect(await focused()).toBe("comments");
  expect(await dialog.getByLabel("Wat is er gebeurd?").getAttribute("aria-invalid")).toBe("true");
  await dialog.getByLabel("Wat is er gebeurd?").fill(hostile);
  await dialog.getByRole("button", { name: "Sturen" }).click();
  await dialog.getByText(hostile).waitFor();
  expect(await happened()).toEqual(["load"]);
  expect(await dialog.locator("img, b, script").count()).toBe(0);
});

test("keys stay in the dialog, Escape closes it, and the page has its focus back", async () => {
  await page.getByLabel("Search").focus();
  await ask();
  const stops: unknown[] = [];
  for (let at = 0; at < 6; at++) {
    stops.push(await focused());
    await page.keyboard.press("Tab");
  }
  expect(stops).toEqual(["name", "email", "comments", "close", "submit", "name"]);
  await page.keyboard.press("Shift+Tab");
  await page.keyboard.press("Shift+Tab");
  expect(await focused()).toBe("submit");
  // A second error does not take away what is being written.
  await dialog.getByLabel("What happened?").fill("half a sen");
  await page.evaluate(() => window.ask({ eventId: "7".repeat(32) }));
  await expect.poll(happened).toEqual(["load", "load"]);
  expect(await dialog.getByLabel("What happened?").inputValue()).toBe("half a sen");
  await page.keyboard.press("Escape");
  await expect.poll(happened).toEqual(["load", "load", "close", "close"]);
  expect(await dialog.count()).toBe(0);
  expect(await page.getByLabel("Search").evaluate((input) => input === document.activeElement)).toBe(true);
});

test("what is refused is said in the dialog, and what was written stays", async () => {
  await send(server, "PUT", `/projects/default/${project.slug}/keys/${project.keyId}/`, {
    rateLimit: { count: 1, window: 3600 },
  });
  await ask();
  await waitFor("the error", () => sumOutcomes(server, { project: project.id, category: "error" }));
  await dialog.getByLabel("What happened?").fill("Again");
  await sendReport();
  const alert = dialog.getByRole("alert");
  await alert.getByText(/The server takes no reports right now\. Try again in \d+ minutes\./).waitFor();
  expect(await alert.textContent()).toContain("The report could not be sent.");
  expect(await dialog.getByLabel("What happened?").inputValue()).toBe("Again");
  await waitFor("the ledger", () =>
    sumOutcomes(server, { project: project.id, outcome: "rate_limited", category: "default" }),
  );
  await send(server, "PUT", `/projects/default/${project.slug}/`, { allowedDomains: ["https://elsewhere.example"] });
  await sendReport();
  await alert.getByText("The server takes no reports of this page.").waitFor();
  await page.route(`${server.url}/**`, (route) => route.abort());
  await sendReport();
  await alert.getByText("The server cannot be reached.").waitFor();
});

test.each(["light", "dark"] as const)("it can be read and used in %s on a phone", async (colorScheme) => {
  await page.setViewportSize({ width: 390, height: 700 });
  await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
  await ask({ title: "Unbreakable".repeat(9), subtitle: "words ".repeat(90) });
  const back = await dialog.evaluate((element) => getComputedStyle(element).backgroundColor);
  expect(back).toBe(colorScheme === "dark" ? "rgb(29, 32, 39)" : "rgb(255, 255, 255)");
  expect(await dialog.evaluate((element) => element.getAnimations().length)).toBe(0);
  const box = await dialog.boundingBox();
  expect(box?.x).toBeGreaterThanOrEqual(0);
  expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThanOrEqual(390);
  expect((box?.y ?? 0) + (box?.height ?? 0)).toBeLessThanOrEqual(700);
  expect(await dialog.evaluate((element) => element.scrollWidth - element.clientWidth)).toBe(0);
  await sendReport();
  await dialog.getByRole("alert").getByText("Please check").waitFor();
  const found = await findViolations(page, { within: "[data-report-dialog]" });
  expect(found.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)])).toEqual([]);
  if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/${colorScheme}.png` });
});
