import type { Locator } from "@playwright/test";
import { getJson, sendEnvelope, waitFor } from "../support/api.ts";
import { expect, openPage, type TestProject, test, waitForScript } from "../support/browser-test.ts";
import { findViolations, isSerious } from "../support/find-violations.ts";
import { makeError } from "../support/make-event.ts";
import { makeLogEnvelope } from "../support/make-trace-envelope.ts";
import type { TestServer } from "../support/start-server.ts";

/**
 * Sends the lines of one envelope, and waits until a search finds them: a page that is opened before is not read again by
 * itself. An event that was sent later says nothing about it, for lines have a journal of their own.
 */
async function storeLines(server: TestServer, project: TestProject, envelope: string): Promise<void> {
  expect((await sendEnvelope({ url: server.url, dsn: project.dsn }, envelope)).status).toBe(200);
  const path = `/organizations/default/events/?dataset=logs&field=message&project=${project.id}`;
  await waitFor("the lines", async () => (await getJson<{ data: unknown[] }>(server, path)).data.length > 0);
}

test("log lines are filtered by facets, opened by keyboard, and lead to their issue", async ({
  page,
  server,
  project,
}) => {
  const traceId = crypto.randomUUID().replaceAll("-", "");
  const envelope = makeLogEnvelope(
    traceId,
    [
      [0, "info", "cart loaded", "load"],
      [40, "warn", "pool: 9 of 10 in use", "pay"],
      [90, "error", "charge was refused", "pay"],
    ],
    Date.now() - 5_000,
  );
  await storeLines(server, project, envelope);
  await project.store(
    makeError("Charge", { contexts: { trace: { trace_id: traceId, span_id: traceId.slice(0, 16) } } }),
  );
  const rows = page.getByRole("table", { name: /^Log lines/ }).getByRole("row");
  await openPage(page, `/logs?project=${project.slug}`);
  await expect(rows).toHaveCount(4);
  await expect(rows.nth(1)).toContainText("charge was refused");
  await expect(page.getByRole("img", { name: /1 error, 1 warning, 1 info/ })).toBeVisible();

  const facets = page.getByRole("complementary", { name: "Facets" });
  await facets.getByRole("link", { name: "Leave out severity info" }).click();
  await expect(rows).toHaveCount(3);
  await facets.getByRole("link", { name: /^error/ }).click();
  await expect(rows).toHaveCount(2);
  await expect(page.getByRole("combobox", { name: "Search logs" })).toHaveValue("!severity:info severity:error");

  await facets.getByRole("link", { name: "Leave out severity error" }).focus();
  await page.keyboard.press("Enter");
  await expect(page.getByRole("combobox", { name: "Search logs" })).toHaveValue("!severity:info !severity:error");
  await page.goBack();
  // The page before has as many rows.
  await expect(page.getByRole("combobox", { name: "Search logs" })).toHaveValue("!severity:info severity:error");
  await expect(rows.nth(1)).toContainText("charge was refused");

  await page.keyboard.press("j");
  const asked = page.waitForRequest(/\/logs\.data\?/);
  await page.keyboard.press("o");
  const line = page.getByRole("region", { name: /:/ }).filter({ hasText: "Around this line" });
  await expect(line).toContainText("cart loaded");
  // The line alone: nothing is searched for again.
  expect(new URL((await asked).url()).searchParams.get("_routes")?.split(",").slice(-2)).toEqual([
    "routes/app-layout",
    "routes/logs/open-line",
  ]);
  const frame = page.locator(".log-frame");
  expect(await frame.evaluate((each) => each.scrollWidth - each.clientWidth)).toBe(0);
  await expect(line.getByRole("link", { name: /Trace/ })).toHaveAttribute("href", `/traces/${traceId}`);
  await expect(line.getByRole("link", { name: /^Issue/ })).toBeVisible();
  // On a busy machine a search stops after its time, and asks whether it shall go on: one more stop before the line.
  if (await page.getByRole("link", { name: "Continue the search" }).isVisible()) await page.keyboard.press("Tab");
  // The rows are one stop of Tab.
  await page.keyboard.press("Tab");
  await expect(line.getByRole("button", { name: "Close" })).toBeFocused();
  expect(await findViolations(page)).toEqual([]);
  await page.keyboard.press("Escape");
  await expect(line).toHaveCount(0);
  await expect(rows.nth(1).getByRole("link")).toBeFocused();

  await openPage(page, `/logs?project=${project.slug}&q=${traceId}`);
  await expect(rows).toHaveCount(4);
  await page.emulateMedia({ colorScheme: "dark" });
  await page.setViewportSize({ width: 390, height: 844 });
  await openPage(page, `/logs?project=${project.slug}&q=is:new`);
  await expect(page.getByRole("heading", { name: "Nothing was searched for" })).toBeVisible();
});

/** One envelope of `count` lines, the last one now. */
const makeLines = (count: number, word: string, level = "info") =>
  makeLogEnvelope(
    crypto.randomUUID().replaceAll("-", ""),
    Array.from({ length: count }, (_, index) => [index, level, `${word} ${index}`, "a"] as const),
    Date.now() - count,
  );

test("a long value does not push the counts of facets under the lines", async ({ page, server, project }) => {
  const item = {
    timestamp: Date.now() / 1000 - 5,
    level: "info",
    body: "deployed",
    attributes: { "sentry.release": { type: "string", value: `shop@${"1234567890".repeat(15)}` } },
  };
  const header = { type: "log", item_count: 1, content_type: "application/vnd.sentry.items.log+json" };
  const parts = [{}, header, { items: [item] }].map((part) => JSON.stringify(part));
  await storeLines(server, project, `${parts.join("\n")}\n`);
  await openPage(page, `/logs?project=${project.slug}`);
  const facets = page.getByRole("complementary", { name: "Facets" });
  const right = async (of: Locator) =>
    Math.round(await of.evaluate((element) => element.getBoundingClientRect().right));
  const count = facets.getByRole("link", { name: "Leave out severity info" });
  expect(await right(count)).toBeLessThanOrEqual(await right(facets));
});

test("Tab leads from a row to its line above older lines, and back from it the row is in sight", async ({
  page,
  server,
  project,
}) => {
  await storeLines(server, project, makeLines(150, "busy"));
  await openPage(page, `/logs?project=${project.slug}`);
  await waitForScript(page);
  await expect(page.getByRole("link", { name: "Older lines" })).toHaveCount(1);
  await page.keyboard.press("j");
  await page.keyboard.press("o");
  const close = page.getByRole("region", { name: /:/ }).getByRole("button", { name: "Close" });
  await expect(close).toBeVisible();
  await page.keyboard.press("Tab");
  await expect(close).toBeFocused();
  await page.evaluate(() => window.scrollTo(0, document.body.scrollHeight));
  const row = page.getByRole("row").nth(1).getByRole("link");
  await expect(row).not.toBeInViewport();
  await page.keyboard.press("Escape");
  await expect(row).toBeFocused();
  await expect(row).toBeInViewport();
});

test("a live tail shows the lines that match, and holds them back while somebody reads", async ({
  page,
  server,
  project,
}) => {
  const send = (envelope: string) => sendEnvelope({ url: server.url, dsn: project.dsn }, envelope);
  await openPage(page, `/logs?project=${project.slug}&q=severity:error`);
  await waitForScript(page);
  await page.keyboard.press("l");
  await expect(page.getByRole("button", { name: "Live tail" })).toHaveAttribute("aria-pressed", "true");
  await expect(page).toHaveURL(/live=1/);
  await expect(page.getByText("New lines appear here.")).toBeVisible();
  const rows = page.getByRole("table", { name: /^Log lines/ }).getByRole("row");

  await send(makeLines(3, "not wanted"));
  await send(makeLines(2, "first", "error"));
  await expect(rows).toHaveCount(3);
  await expect(rows.nth(1)).toContainText("first 1");
  await expect(page.getByText("5 lines came in the last minute, 2 match · nothing left out")).toBeVisible();

  await page.keyboard.press("j");
  await expect(page.getByText("Paused while you read.")).toBeVisible();
  await send(makeLines(1, "second", "error"));
  const waiting = page.getByRole("button", { name: "1 newer line waits" });
  await expect(waiting).toBeVisible();
  await expect(rows).toHaveCount(3);
  expect(await findViolations(page)).toEqual([]);
  await page.keyboard.press("n");
  await expect(rows).toHaveCount(4);
  await expect(rows.nth(1)).toContainText("second 0");
  await expect(waiting).toHaveCount(0);
  await page.keyboard.press("Escape");
  await expect(page.getByText("New lines appear here.")).toBeVisible();

  await page.keyboard.press("l");
  await expect(page.getByRole("button", { name: "Live tail" })).toHaveAttribute("aria-pressed", "false");
});

test("a live tail goes on by itself after an answer that the browser gives up on", async ({
  page,
  server,
  project,
  complaints,
}) => {
  complaints.expect(/502 \(Bad Gateway\)/);
  await openPage(page, `/logs?project=${project.slug}`);
  await waitForScript(page);
  await page.route("**/logs/tail?*", (route) => route.fulfill({ status: 502, body: "Bad Gateway" }), { times: 1 });
  await page.keyboard.press("l");
  await expect(page.getByText("The server refuses the live tail.")).toBeVisible();
  await sendEnvelope({ url: server.url, dsn: project.dsn }, makeLines(2, "meanwhile"));
  await expect(page.getByText("New lines appear here.")).toBeVisible();
  await expect(page.getByRole("table", { name: /^Log lines/ }).getByRole("row")).toHaveCount(3);
});

test("lines that say an earlier time than the page shows are told of, and a search is asked for by its button", async ({
  page,
  server,
  project,
}) => {
  const now = Date.now();
  const lines = [
    [0, "info", "two days late", "a"],
    [2 * 86_400_000, "info", "in time", "a"],
  ] as const;
  const traceId = crypto.randomUUID().replaceAll("-", "");
  await storeLines(server, project, makeLogEnvelope(traceId, lines, now - 2 * 86_400_000 - 1_000));
  const rows = page.getByRole("table", { name: /^Log lines/ }).getByRole("row");
  await openPage(page, `/logs?project=${project.slug}`);
  await expect(rows).toHaveCount(2);
  await page.getByRole("link", { name: "1 line arrived in this time, dated earlier" }).click();
  await expect(rows).toHaveCount(3);
  await expect(rows.last()).toContainText("two days late");
  await expect(page.getByRole("link", { name: /came meanwhile/ })).toHaveCount(0);

  await page.getByRole("combobox", { name: "Search logs" }).fill("late");
  await page.getByRole("button", { name: "Search", exact: true }).click();
  await expect(rows).toHaveCount(2);
  for (const width of [800, 390]) {
    await page.setViewportSize({ width, height: 844 });
    const button = await page.getByRole("button", { name: "Search", exact: true }).boundingBox();
    const field = await page.getByRole("combobox", { name: "Search logs" }).boundingBox();
    expect((button?.x ?? 0) + (button?.width ?? 0)).toBeLessThanOrEqual(width);
    expect(Math.abs((button?.y ?? 0) - (field?.y ?? 0))).toBeLessThan(10);
    expect(field?.width).toBeGreaterThan(width / 2);
  }
});

test("lines are counted by an attribute, and a range of its numbers narrows the search, by keyboard", async ({
  page,
  server,
  project,
}) => {
  const now = Date.now() / 1000;
  const items = Array.from({ length: 40 }, (_, index) => ({
    timestamp: now - 60 + index,
    trace_id: crypto.randomUUID().replaceAll("-", ""),
    level: "info",
    body: `taken in ${index} ms`,
    attributes: {
      "took.ms": { value: index, type: "integer" },
      plan: { value: index % 4 === 0 ? "pro" : "free", type: "string" },
    },
  }));
  const header = { type: "log", item_count: items.length, content_type: "application/vnd.sentry.items.log+json" };
  await storeLines(server, project, [JSON.stringify({}), JSON.stringify(header), JSON.stringify({ items })].join("\n"));
  const rows = page.getByRole("table", { name: /^Log lines/ }).getByRole("row");
  await openPage(page, `/logs?project=${project.slug}`);
  await waitForScript(page);
  await expect(rows).toHaveCount(41);
  await page.getByRole("combobox", { name: "Count by" }).selectOption("took.ms");
  const counted = page.getByRole("region", { name: "Lines by took.ms" });
  await expect(counted).toContainText(/min\s*0\s*median\s*19\s*p95\s*38\s*max\s*39/);
  const ranges = counted.getByRole("toolbar", { name: "Values of took.ms" });
  await expect(ranges.getByRole("link")).toHaveCount(8);
  await expect(ranges.getByRole("link", { name: /^10 to 15 ?13 %$/ })).toBeVisible();
  await ranges.getByRole("link").first().focus();
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  await expect(rows).toHaveCount(6);
  await expect(page).toHaveURL(/q=took\.ms%3A%3E%3D10\+took\.ms%3A%3C15/);
  // Of few numbers, each is counted by itself.
  await expect(ranges.getByRole("link", { name: /^1\d ?1$/ })).toHaveCount(5);

  await page.getByRole("combobox", { name: "Count by" }).selectOption("plan");
  const plans = page.getByRole("toolbar", { name: "Values of plan" });
  await expect(plans.getByRole("link", { name: /free ?4|pro ?1/ })).toHaveCount(2);
  await plans.getByRole("link", { name: "Leave out plan free" }).click();
  await expect(rows).toHaveCount(2);
  expect((await findViolations(page)).filter(isSerious)).toEqual([]);
  await page.getByRole("link", { name: "Count no more by plan" }).click();
  await expect(plans).toHaveCount(0);
  await expect(page).not.toHaveURL(/by=/);
});

test("a drag over bars of the histogram narrows the time to them", async ({ page, server, project }) => {
  const traceId = crypto.randomUUID().replaceAll("-", "");
  const lines = [
    [0, "info", "earlier", "a"],
    [3_600_000 * 8, "info", "later", "a"],
  ] as const;
  await storeLines(server, project, makeLogEnvelope(traceId, lines, Date.now() - 3_600_000 * 8 - 1_000));
  const rows = page.getByRole("table", { name: /^Log lines/ }).getByRole("row");
  await openPage(page, `/logs?project=${project.slug}`);
  await waitForScript(page);
  await expect(rows).toHaveCount(3);
  const box = await page.getByRole("region", { name: "Lines over time" }).getByRole("img").boundingBox();
  const at = (share: number) => [(box?.x ?? 0) + share * (box?.width ?? 0), (box?.y ?? 0) + 20] as const;
  await page.mouse.move(...at(0.5));
  await page.mouse.down();
  await page.mouse.move(...at(0.6));
  await page.mouse.move(...at(0.75));
  await page.mouse.up();
  await expect(rows).toHaveCount(2);
  await expect(rows.last()).toContainText("earlier");
  const [from, to] = (new URL(page.url()).searchParams.get("range") ?? "").split("-").map(Number);
  expect([Number(from) % 3_600_000, Number(to) % 3_600_000]).toEqual([0, 0]);
});

test("each list of facets is one stop of Tab, and arrow keys go on in it", async ({ page, server, project }) => {
  await storeLines(
    server,
    project,
    makeLogEnvelope(
      crypto.randomUUID().replaceAll("-", ""),
      ["info", "warn", "error"].map((level, index) => [index, level, `line ${index}`, "a"] as const),
      Date.now() - 5_000,
    ),
  );
  await openPage(page, `/logs?project=${project.slug}`);
  await waitForScript(page);
  const severity = page.getByRole("toolbar", { name: "severity" });
  const value = (name: RegExp) => severity.getByRole("link", { name });
  await value(/^error/).focus();
  await page.keyboard.press("ArrowDown");
  await expect(value(/^warning/)).toBeFocused();
  await page.keyboard.press("ArrowRight");
  await expect(value(/^Leave out severity warning/)).toBeFocused();
  await page.keyboard.press("End");
  await expect(value(/^Leave out severity info/)).toBeFocused();
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("ArrowLeft");
  await expect(value(/^info/)).toBeFocused();
  await page.keyboard.press("Tab");
  await expect(severity.locator(":focus")).toHaveCount(0);
  await page.keyboard.press("Shift+Tab");
  await expect(value(/^info/)).toBeFocused();
  const lists = await page.getByRole("complementary", { name: "Facets" }).getByRole("toolbar").count();
  for (let tab = 0; tab < lists; tab++) await page.keyboard.press("Tab");
  await expect(page.getByRole("complementary", { name: "Facets" }).locator(":focus")).toHaveCount(0);
  expect(await findViolations(page)).toEqual([]);
});

test("a pasted issue or event leads to it, and a trace to its lines", async ({ page, server, project }) => {
  const traceId = crypto.randomUUID().replaceAll("-", "");
  await storeLines(server, project, makeLogEnvelope(traceId, [[0, "info", "a line", "a"]], Date.now() - 5_000));
  const [eventId] = await project.store(makeError("Pasted"));
  const paste = async (text: string) => {
    await openPage(page, `/logs?project=${project.slug}`);
    const field = page.getByRole("combobox", { name: "Search logs" });
    await field.fill(text);
    await field.press("Enter");
  };
  await paste(`${project.slug}-1`);
  await expect(page).toHaveURL(/\/issues\/\d+$/);
  const issue = page.url();
  await paste(issue);
  await expect(page).toHaveURL(issue);
  await paste(eventId ?? "");
  await expect(page).toHaveURL(new RegExp(`/issues/\\d+/events/${eventId}$`));
  const { origin } = new URL(page.url());
  for (const text of [traceId, `https://sentry.example/traces/${traceId}/`, `${origin}/traces/${traceId}?view=flame`]) {
    await paste(text);
    await expect(page).toHaveURL(new RegExp(`/logs\\?.*q=trace%3A${traceId}`));
    await expect(page.getByRole("table", { name: /^Log lines/ })).toContainText("a line");
  }
});

test("a very long attribute of a line leaves the rest in sight", async ({ page, server, project }) => {
  const envelope = makeLogEnvelope(
    crypto.randomUUID().replaceAll("-", ""),
    [[0, "info", "a line", "a"]],
    Date.now() - 5_000,
  );
  const attributes = {
    "a.long": { value: "x ".repeat(50_000), type: "string" },
    "z.short": { value: "here", type: "string" },
  };
  await storeLines(server, project, envelope.replace('"attributes":{}', `"attributes":${JSON.stringify(attributes)}`));
  await openPage(page, `/logs?project=${project.slug}`);
  await waitForScript(page);
  await page.keyboard.press("j");
  await page.keyboard.press("o");
  const line = page.getByRole("region", { name: /:/ }).filter({ hasText: "Around this line" });
  const long = line.locator("dd").filter({ hasText: "x x x" });
  await expect(long).toBeVisible();
  expect((await long.boundingBox())?.height).toBeLessThan(280);
  await expect(line.locator("dd").filter({ hasText: "here" })).toBeVisible();
  const value = long.locator("pre");
  await value.focus();
  await page.keyboard.press("End");
  await expect.poll(() => value.evaluate((pre) => pre.scrollTop)).toBeGreaterThan(0);
});

test("attributes that no line has are named", async ({ page, server, project }) => {
  await storeLines(server, project, makeLines(1, "line"));
  const rows = page.getByRole("table", { name: /^Log lines/ }).getByRole("row");
  await openPage(page, `/logs?project=${project.slug}`);
  await expect(rows).toHaveCount(2);
  // On a busy machine, the time for looking may be over before every line was looked at.
  await expect(async () => {
    await openPage(page, `/logs?project=${project.slug}&q=nowhere.at.all:1`);
    const sentence = page.getByText("No log of this time has the attribute “nowhere.at.all”.");
    await expect(sentence).toBeVisible({ timeout: 500 });
  }).toPass();
});

test("older lines come as one scrolls, and links of before lines had ids lead to their line", async ({
  page,
  server,
  project,
}) => {
  await storeLines(server, project, makeLines(750, "line"));
  const table = page.getByRole("table", { name: /^Log lines/ });
  const rows = table.getByRole("row");
  await openPage(page, `/logs?project=${project.slug}`);
  await expect(rows.nth(1)).toContainText("line 749");
  await expect(async () => {
    await page.mouse.wheel(0, 20_000);
    // On a busy machine a search stops after its time, and asks whether it shall go on; or it has read nothing, and is tried again.
    const more = page.getByRole("link", { name: "Continue the search" });
    const again = page.getByText("could not be loaded").getByRole("link", { name: "Older lines" });
    if (await more.or(again).isVisible()) await more.or(again).click();
    await expect(table).toHaveAttribute("aria-rowcount", "751", { timeout: 500 });
    await expect(rows.last()).toContainText("line 0", { timeout: 500 });
  }).toPass();
  // Only those near what is in sight are there, and keys go on from row to row.
  expect(await rows.count()).toBeLessThan(300);
  await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight / 2));
  await expect(rows.last()).not.toContainText("line 0");
  await page.keyboard.press("j");
  const focused = page.locator(".log-row:has(a:focus)");
  const first = Number(await focused.getAttribute("aria-rowindex"));
  for (let step = 0; step < 60; step++) await page.keyboard.press("j");
  await expect(focused).toHaveAttribute("aria-rowindex", String(first + 60));
  await expect(focused).toBeInViewport();
  const drawer = page.getByRole("region", { name: /:/ }).filter({ hasText: "Around this line" });
  for (const width of [1_280, 390]) {
    await page.setViewportSize({ width, height: 844 });
    await page.keyboard.press("j");
    await page.keyboard.press("Enter");
    await expect(drawer.getByRole("button", { name: "Close" })).toBeInViewport();
    await page.keyboard.press("Escape");
    await expect(drawer).toHaveCount(0);
  }
  await page.setViewportSize({ width: 1_280, height: 720 });
  await page.evaluate(() => scrollTo(0, 0));
  await expect(rows.nth(1)).toContainText("line 749");
  await expect(page.getByRole("link", { name: "Older lines" })).toHaveCount(0);

  const link = rows.nth(1).getByRole("link");
  const id = new URL((await link.getAttribute("href")) ?? "", server.url).searchParams.get("line") ?? "";
  const us = Number.parseInt(id.slice(0, 14), 16);
  await openPage(page, `/logs?project=${project.slug}&line=${us}.99999`);
  await expect(page).toHaveURL(new RegExp(`line=${id}`));
  await expect(page.getByRole("region", { name: /:/ }).filter({ hasText: "Around this line" })).toContainText(
    "line 749",
  );
  await openPage(page, `/logs?project=${project.slug}&line=12345.6`);
  await expect(page.getByText("This link was made by an earlier version")).toBeVisible();
});

test("a line cannot turn itself round, and a long word leaves the rest of its trace's lines as they are", async ({
  page,
  server,
  project,
}) => {
  const traceId = crypto.randomUUID().replaceAll("-", "");
  const lines = [
    [0, "warn", "sent photo\u202egnp.exe", "a"],
    [10, "info", "x".repeat(4_000), "a"],
  ] as const;
  await storeLines(server, project, makeLogEnvelope(traceId, lines, Date.now() - 5_000));
  const shown = "sent photo\\u202Egnp.exe";
  await openPage(page, `/logs?project=${project.slug}&q=severity:warning`);
  await waitForScript(page);
  await page.keyboard.press("j");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("region", { name: /:/ }).locator("pre")).toHaveText(shown);
  expect(await page.locator("body").innerText()).not.toMatch(/\u202e/);

  for (const width of [1_280, 390]) {
    await page.setViewportSize({ width, height: 844 });
    await openPage(page, `/traces/${traceId}?view=logs`);
    const table = page.getByRole("region", { name: "Log lines" });
    const row = table.getByRole("row").filter({ hasText: "sent photo" });
    await expect(row).toContainText(shown);
    // The word of its level is not broken into letters.
    expect((await row.boundingBox())?.height).toBeLessThan(60);
    if (width > 390) expect(await table.evaluate((each) => each.scrollWidth - each.clientWidth)).toBe(0);
  }
});

test("five windows with a live tail leave the browser connections for its pages", async ({
  page,
  context,
  project,
}) => {
  const states: Locator[] = [];
  for (let index = 0; index < 5; index++) {
    const window = index === 0 ? page : await context.newPage();
    await openPage(window, `/logs?project=${project.slug}&live=1`);
    states.push(window.locator(".log-tail-state"));
  }
  for (const state of states.slice(0, 4)) await expect(state).toHaveText("New lines appear here.");
  for (const state of states.slice(4)) await expect(state).toContainText("Too many live tails are open.");
  await page.close();
  await expect(async () => {
    const shown = await Promise.all(states.slice(4).map((state) => state.textContent()));
    expect(shown).toContain("New lines appear here.");
  }).toPass();
});
