import type { Page } from "@playwright/test";
import { sendEnvelope } from "../support/api.ts";
import { expect, openPage, type TestProject, test, waitForScript } from "../support/browser-test.ts";
import { makeLogEnvelope, makeTraceEnvelope, type SentSpan, toSpanId } from "../support/make-trace-envelope.ts";
import type { TestServer } from "../support/start-server.ts";

const tree = (page: Page) => page.getByRole("treegrid", { name: "Spans" });
const row = (page: Page, name: string) => tree(page).getByRole("row").filter({ hasText: name });

async function storeTrace(
  { page, server, project }: { page: Page; server: TestServer; project: TestProject },
  spans: readonly SentSpan[],
): Promise<string> {
  const traceId = crypto.randomUUID().replaceAll("-", "");
  const envelope = makeTraceEnvelope(traceId, spans, { atMs: Date.now() - 5_000 });
  await sendEnvelope({ url: server.url, dsn: project.dsn }, envelope);
  await expect.poll(async () => (await page.request.get(`/traces/${traceId}.md`)).status()).toBe(200);
  return traceId;
}

const CHECKOUT: readonly SentSpan[] = [
  ["root", null, "http.server", "POST /checkout", 0, 1_000],
  ["cart", "root", "function", "cart.load", 10, 100],
  ["one", "cart", "db", "SELECT * FROM carts", 20, 10],
  [
    "pay",
    "root",
    "http.client",
    "POST payments/charges",
    120,
    800,
    { status: "deadline_exceeded", data: { tries: 3 } },
  ],
];

test("a trace is read, folded, searched and opened by keyboard", async ({ page, server, project }) => {
  const traceId = await storeTrace({ page, server, project }, CHECKOUT);
  await openPage(page, `/traces/${traceId}`);
  await expect(page.getByRole("heading", { level: 1 })).toContainText("http.server POST /checkout");
  await waitForScript(page);
  await expect(tree(page).getByRole("row")).toHaveCount(4);
  await expect(row(page, "payments/charges")).toContainText("deadline exceeded");

  await tree(page).focus();
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("ArrowLeft");
  await expect(row(page, "cart.load")).toHaveAttribute("aria-expanded", "false");
  await expect(row(page, "FROM carts")).toHaveCount(0);
  await expect(page).toHaveURL(new RegExp(`fold=${toSpanId("cart")}`));
  await page.keyboard.press("j");
  await page.keyboard.press("Enter");
  const details = page.getByRole("region", { name: /^http.client/ });
  await expect(details).toContainText("tries");
  await expect(details).toContainText("80 % of the trace");
  await expect(page).toHaveURL(new RegExp(`span=${toSpanId("pay")}`));
  await page.keyboard.press("Escape");
  await expect(details).toHaveCount(0);

  await page.keyboard.press("/");
  await expect(page.getByRole("searchbox", { name: "Find spans" })).toBeFocused();
  await page.keyboard.type("span.op:[db, http.client]");
  await page.keyboard.press("Enter");
  await expect(page.getByText("2 spans", { exact: true })).toBeVisible();
  // The keys of the rows go on from what was found.
  await expect(tree(page)).toBeFocused();
  await expect(page.getByText("found 1 of 2")).toBeVisible();
  await page.keyboard.press("n");
  await expect(page.getByText("found 2 of 2")).toBeVisible();
  await page.getByRole("button", { name: "Next span that was found" }).click();
  await expect(page.getByText("found 1 of 2")).toBeVisible();
  await page.keyboard.press("/");
  await page.keyboard.type("x");
  await page.keyboard.press("Escape");
  await expect(page.getByRole("searchbox", { name: "Find spans" })).toHaveValue("span.op:[db, http.client]");
  await expect(page.getByRole("searchbox", { name: "Find spans" })).not.toBeFocused();
  await page.getByRole("searchbox", { name: "Find spans" }).fill("carts");
  await page.keyboard.press("Enter");
  await expect(page.getByText("1 span", { exact: true })).toBeVisible();
  // What was folded opens where something is found in it.
  await expect(row(page, "FROM carts")).toBeVisible();
  await page.getByRole("checkbox", { name: "Only what is found" }).check();
  await expect(row(page, "payments/charges")).toHaveCount(0);
});

test("keys lead into the rows of a trace, and what goes while it has the focus gives it back", async ({
  page,
  server,
  project,
}) => {
  const traceId = await storeTrace({ page, server, project }, CHECKOUT);
  await openPage(page, `/traces/${traceId}`);
  await waitForScript(page);
  await page.keyboard.press("j");
  await expect(tree(page)).toBeFocused();
  await page.keyboard.press("Enter");
  const details = page.getByRole("region", { name: /^function/ });
  await expect(details).toBeVisible();
  await details.getByRole("button", { name: "Close" }).focus();
  await page.keyboard.press("Escape");
  await expect(details).toHaveCount(0);
  await expect(tree(page)).toBeFocused();

  await page.keyboard.press("/");
  await page.keyboard.type("carts");
  await page.keyboard.press("Enter");
  await expect(page.getByText("found 1 of 1")).toBeVisible();
  // Other rows are another tree.
  await page.keyboard.press("f");
  await expect(row(page, "payments/charges")).toHaveCount(0);
  await expect(tree(page)).toBeFocused();
  await page.keyboard.press("2");
  await expect(page.getByRole("tree", { name: "Flame graph" })).toBeFocused();
  await page.keyboard.press("3");
  await expect(page.getByRole("link", { name: "Statistics" })).toBeFocused();
});

test("Back closes the details of a span, however many were opened, and then leaves the trace", async ({
  page,
  server,
  project,
}) => {
  const traceId = await storeTrace({ page, server, project }, CHECKOUT);
  await openPage(page, "/traces");
  await openPage(page, `/traces/${traceId}`);
  await waitForScript(page);
  const details = page.locator(".trace-drawer");
  const entries = () => page.evaluate(() => history.length);
  const before = await entries();
  await row(page, "payments/charges").click();
  await expect(page).toHaveURL(new RegExp(`span=${toSpanId("pay")}`));
  await tree(page).focus();
  await page.keyboard.press("k");
  await page.keyboard.press("Enter");
  await expect(page).not.toHaveURL(new RegExp(`span=${toSpanId("pay")}`));
  await expect(details).toBeVisible();
  expect(await entries()).toBe(before + 1);
  await page.goBack();
  await expect(page).toHaveURL(new RegExp(`/traces/${traceId}$`));
  await expect(details).toHaveCount(0);
  await page.goForward();
  await expect(details).toBeVisible();
  // What closes the details leaves no entry behind that looks the same.
  await page.keyboard.press("Escape");
  await expect(details).toHaveCount(0);
  await page.goBack();
  await expect(page).toHaveURL(/\/traces$/);
});

test("statistics and logs are tabs with addresses", async ({ page, server, project }) => {
  const traceId = await storeTrace({ page, server, project }, CHECKOUT);
  await openPage(page, `/traces/${traceId}`);
  await page.getByRole("link", { name: "Statistics" }).click();
  await expect(page.getByRole("row", { name: /payments\/charges/ })).toContainText("800 ms");
  // Not the section of the navigation: the tab says how many lines there are.
  await page.getByRole("link", { name: /^Logs \d/ }).click();
  await expect(page.getByText("No log lines")).toBeVisible();
});

test("the flame graph is read, zoomed and opened by keyboard, and all views share what is selected", async ({
  page,
  server,
  project,
}) => {
  const traceId = await storeTrace({ page, server, project }, CHECKOUT);
  await openPage(page, `/traces/${traceId}?view=flame`);
  await waitForScript(page);
  const graph = page.getByRole("tree", { name: "Flame graph" });
  const frame = (name: string) => graph.getByRole("treeitem", { name: new RegExp(name) });
  await expect(graph.getByRole("treeitem")).toHaveCount(4);
  await graph.focus();
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("region", { name: /^http.client/ })).toContainText("tries");
  await page.keyboard.press("Escape");
  // The time of cart.load: the call of the other service is not in it.
  await page.keyboard.press("ArrowLeft");
  await page.keyboard.press("z");
  await expect(page).toHaveURL(/from=10&to=110/);
  await expect(frame("payments/charges")).toHaveCount(0);
  await expect(frame("cart.load")).toBeVisible();
  await page.getByRole("link", { name: "Waterfall" }).click();
  await expect(row(page, "cart.load")).toBeVisible();
  await expect(row(page, "payments/charges")).toHaveCount(0);
  await page.keyboard.press("0");
  await expect(row(page, "payments/charges")).toBeVisible();
  await expect(page).not.toHaveURL(/from=/);

  await page.getByRole("combobox", { name: "Kind of span" }).selectOption("db");
  await expect(row(page, "payments/charges")).toHaveCount(0);
  await page.getByRole("link", { name: "Statistics" }).click();
  await expect(page.getByRole("row", { name: /FROM carts/ })).toBeVisible();
  await expect(page.getByRole("row", { name: /payments/ })).toHaveCount(0);
});

test("the time is chosen by pointer", async ({ page, server, project }) => {
  const traceId = await storeTrace({ page, server, project }, CHECKOUT);
  await openPage(page, `/traces/${traceId}`);
  await waitForScript(page);
  const minimap = page.locator(".trace-minimap");
  const box = await minimap.boundingBox();
  if (!box) throw new Error("there is no minimap");
  const at = (share: number) => [box.x + share * box.width, box.y + box.height / 2] as const;
  await page.mouse.move(...at(0.5));
  await page.mouse.down();
  await page.mouse.move(...at(0.75), { steps: 3 });
  await page.mouse.up();
  await expect(page).toHaveURL(/from=(49|50)\d?(\.\d+)?&to=7(4|5)\d/);
  await expect(row(page, "cart.load")).toHaveCount(0);
  const before = page.url();
  await page.mouse.move(...at(0.6));
  await page.keyboard.down("Control");
  await tree(page).hover();
  await page.mouse.wheel(0, -200);
  await page.keyboard.up("Control");
  await expect(page).not.toHaveURL(before);
  await page.getByRole("button", { name: "Whole trace" }).click();
  await expect(row(page, "cart.load")).toBeVisible();
});

test("only the rows in sight are in the page, and others come when one scrolls", async ({ page, server, project }) => {
  const many = Array.from({ length: 950 }, (_, at): SentSpan => [`s${at}`, "root", "function", `step ${at}.`, at, 5]);
  const traceId = await storeTrace({ page, server, project }, [["root", null, "task", "Large", 0, 2_000], ...many]);
  await openPage(page, `/traces/${traceId}`);
  await waitForScript(page);
  await expect(page.getByText(/^Rows 1 to \d+ of 951/)).toBeVisible();
  await tree(page).focus();
  await page.keyboard.press("End");
  await expect(row(page, "step 949.")).toBeVisible();
  // A screen reader hears the row, and not with each row which ones are in sight.
  await expect(page.getByText(/^Rows \d+ to 951 of 951/)).toBeVisible();
  await expect(page.getByRole("status").filter({ hasText: "951" })).toHaveText("951 rows");
  expect(await tree(page).getByRole("row").count()).toBeLessThan(200);
});

test("on a phone the name stands above its bar, and nothing is wider than the page", async ({
  page,
  server,
  project,
}) => {
  await page.setViewportSize({ width: 390, height: 844 });
  const traceId = await storeTrace({ page, server, project }, CHECKOUT);
  await openPage(page, `/traces/${traceId}`);
  await expect(row(page, "payments/charges")).toBeVisible();
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
  await waitForScript(page);
  await row(page, "cart.load").click();
  const details = page.getByRole("region", { name: /^function/ });
  await expect(details.getByRole("button", { name: "Close" })).toBeInViewport();
  // Nor do they cover the span.
  await expect
    .poll(async () => {
      const [span, sheet] = [await row(page, "cart.load").boundingBox(), await details.boundingBox()];
      return span && sheet && span.y + span.height <= sheet.y;
    })
    .toBe(true);
  await details.getByRole("button", { name: "Close" }).click();
  await expect(details).toHaveCount(0);

  // Of a sample in the list, everything is in sight within three lines, and nothing is found by scrolling to the side.
  await openPage(page, `/traces?project=${project.slug}`);
  const list = page.getByRole("region", { name: "Spans", exact: true });
  const sample = list.getByRole("row").nth(1);
  await expect(sample.getByRole("link").first()).toBeVisible();
  await expect(sample.getByRole("time")).toBeVisible();
  expect((await sample.boundingBox())?.height).toBeLessThan(90);
  expect(await list.evaluate((element) => element.scrollWidth - element.clientWidth)).toBe(0);
});

test("a trace that is not there says why that may be", async ({ page, complaints }) => {
  complaints.expect(/404/);
  await page.goto("/traces/1af7651916cd43dd8448eb211c80319c");
  await expect(page.getByText("There is no such trace.")).toBeVisible();
});

test("spans are searched, grouped and opened from the list of traces", async ({ page, server, project }) => {
  const traceId = await storeTrace({ page, server, project }, CHECKOUT);
  await openPage(page, `/traces?project=${project.slug}`);
  await waitForScript(page);
  await expect(page.getByRole("region", { name: "Spans", exact: true }).getByRole("row")).toHaveCount(5);

  const search = page.getByRole("combobox", { name: "Search spans" });
  await search.fill("span.duration:>500ms tries:3");
  await search.press("Enter");
  const found = page
    .getByRole("region", { name: "Spans", exact: true })
    .getByRole("row")
    .filter({ hasText: "payments/charges" });
  await expect(found).toContainText("deadline_exceeded");
  await expect(page.getByRole("region", { name: "Spans", exact: true }).getByRole("row")).toHaveCount(2);

  await search.fill("");
  await search.press("Enter");
  await expect(page.getByRole("region", { name: "Spans", exact: true }).getByRole("row")).toHaveCount(5);
  await page.getByRole("combobox", { name: "Group by, key 1" }).selectOption("span.group");
  await expect(page).toHaveURL(/by=span\.group/);
  const aggregates = page
    .getByRole("navigation", { name: "Views of the spans" })
    .getByRole("link", { name: "Aggregates" });
  // The address changes shortly before the page does, and the link of the page before would ask for no groups.
  await expect(aggregates).toHaveAttribute("href", /by=span\.group/);
  await aggregates.click();
  const group = page
    .getByRole("region", { name: "Groups of spans" })
    .getByRole("row")
    .filter({ hasText: "FROM carts" });
  await expect(group).toContainText("10 ms");
  await expect(page.getByRole("region", { name: "Charts" }).getByRole("figure")).toHaveCount(3);
  await group.getByRole("link").click();
  await page.getByRole("region", { name: "Spans", exact: true }).getByRole("link", { name: "FROM carts" }).click();
  await expect(page).toHaveURL(new RegExp(`/traces/${traceId}\\?span=${toSpanId("one")}`));

  await openPage(page, `/traces?project=${project.slug}&q=is%3Aunresolved`);
  await expect(page.getByRole("alert")).toContainText("It says something about issues");
});

test("the title of an error cannot turn itself round, and what is said above log lines keeps off the border", async ({
  page,
  server,
  project,
}) => {
  const traceId = await storeTrace({ page, server, project }, CHECKOUT);
  const eventId = crypto.randomUUID().replaceAll("-", "");
  const event = {
    event_id: eventId,
    exception: { values: [{ type: "Error", value: "no photo\u202egnp.exe" }] },
    contexts: { trace: { trace_id: traceId, span_id: toSpanId("cart") } },
  };
  const parts = [{ event_id: eventId }, { type: "event" }, event].map((part) => JSON.stringify(part));
  const to = { url: server.url, dsn: project.dsn };
  await sendEnvelope(to, `${parts.join("\n")}\n`);
  await sendEnvelope(to, makeLogEnvelope(traceId, [[0, "info", "cart is full", "cart"]], Date.now() - 5_000));
  await expect
    .poll(async () => (await page.request.get(`/traces/${traceId}.md`)).text())
    .toMatch(/no photo[\s\S]*cart is/);

  await openPage(page, `/traces/${traceId}?view=logs`);
  await expect(page.getByRole("link", { name: "no photo" })).toHaveText("Error: no photo\\u202Egnp.exe");
  expect(await page.locator("body").innerText()).not.toMatch(/\u202e/);
  for (const width of [1_280, 390]) {
    await page.setViewportSize({ width, height: 844 });
    const left = await page.getByText("From an hour before the first span").evaluate((sentence) => {
      const text = document.createRange();
      text.selectNodeContents(sentence);
      return text.getBoundingClientRect().left - sentence.getBoundingClientRect().left;
    });
    expect(left).toBeGreaterThanOrEqual(8);
  }
});

test("a name cannot turn itself round, and a long value of a span leaves the rest in sight", async ({
  page,
  server,
  project,
}) => {
  const name = "GET photo\u202egnp.exe";
  const data = { "a.long": "x".repeat(200_000), "z.short": "here" };
  const traceId = await storeTrace({ page, server, project }, [
    ["root", null, "http.server", name, 0, 1_000, { data }],
  ]);
  await openPage(page, `/traces/${traceId}?span=${toSpanId("root")}`);
  const shown = "GET photo\\u202Egnp.exe";
  await expect(page.getByRole("heading", { level: 1 })).toContainText(shown);
  await expect(page).toHaveTitle(`http.server ${shown} · Culprit`);
  await expect(row(page, shown)).toHaveCount(1);
  const details = page.getByRole("region", { name: /^http.server/ });
  await expect(details).toContainText(shown);
  expect(await page.locator("body").innerText()).not.toMatch(/\u202e/);

  const long = details.locator("dd").filter({ hasText: "xxxx" });
  expect((await long.boundingBox())?.height).toBeLessThan(250);
  const value = long.locator("pre");
  await value.focus();
  await page.keyboard.press("End");
  await expect.poll(() => value.evaluate((pre) => pre.scrollTop)).toBeGreaterThan(0);
});
