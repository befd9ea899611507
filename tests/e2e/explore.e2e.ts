import type { Page } from "@playwright/test";
import { sendEnvelope } from "../support/api.ts";
import { expect, openPage, test, waitForScript } from "../support/browser-test.ts";
import { makeTraceEnvelope, type SentSpan } from "../support/make-trace-envelope.ts";

test.use({ permissions: ["clipboard-read", "clipboard-write"] });

const map = (page: Page) => page.getByRole("application", { name: /^Spans by time and duration/ });

/** Nine quick queries of free customers, and a slow one of a gold one. */
const SPANS: readonly SentSpan[] = [
  ["root", null, "http.server", "POST /checkout", 0, 1_000],
  ...Array.from(
    { length: 9 },
    (_, at): SentSpan => [`q${at}`, "root", "db", "SELECT * FROM carts", at, 10, { data: { "customer.tier": "free" } }],
  ),
  ["slow", "root", "db", "SELECT * FROM orders", 20, 900, { data: { "customer.tier": "gold" } }],
];

test("what is selected by keyboard is compared with the rest, and its values narrow the search", async ({
  page,
  server,
  project,
}) => {
  const traceId = crypto.randomUUID().replaceAll("-", "");
  await sendEnvelope(
    { url: server.url, dsn: project.dsn },
    makeTraceEnvelope(traceId, SPANS, { atMs: Date.now() - 5_000 }),
  );
  await expect.poll(async () => (await page.request.get(`/traces/${traceId}.md`)).status()).toBe(200);
  await openPage(page, `/traces?q=trace%3A${traceId}`);
  await waitForScript(page);
  await expect(page.getByText("11 spans.")).toBeVisible();

  // What is chosen by keyboard keeps the focus, so that the next key goes on from there.
  await page.keyboard.press("/");
  await expect(page.getByRole("combobox", { name: "Search spans" })).toBeFocused();
  const average = page.getByRole("checkbox", { name: "avg(duration)" });
  await average.focus();
  await page.keyboard.press("Space");
  await expect(page.getByRole("img", { name: /^avg\(span.duration\) over time/ })).toBeVisible();
  await expect(average).toBeFocused();
  const key = page.getByRole("combobox", { name: "Group by, key 1" });
  await key.focus();
  await page.keyboard.type("transaction");
  await expect(page.getByRole("list", { name: "Groups in the charts" })).toContainText("POST /checkout");
  await expect(key).toBeFocused();

  // It begins with the cell of most spans, which is that of the quick ones: all above them are the slow ones.
  await map(page).focus();
  await page.keyboard.press("ArrowUp");
  await expect(page.getByText(/ms: about 9 spans/)).toBeVisible();
  await page.keyboard.press("ArrowUp");
  for (let step = 0; step < 26; step++) await page.keyboard.press("Shift+ArrowUp");
  await expect(page.getByText(/: about 2 spans$/)).toBeVisible();
  await page.keyboard.press("Enter");
  const differences = page.getByRole("region", { name: "What differs" });
  await expect(differences.getByRole("listitem").filter({ hasText: "customer.tier free" })).toContainText("100 %");
  await expect(differences).toContainText("2 spans selected. 9 spans of the rest.");
  await expect(page.getByRole("region", { name: "Spans", exact: true }).getByRole("row")).toHaveCount(3);

  await page.getByRole("link", { name: "Traces", exact: true }).last().click();
  const traces = page.getByRole("region", { name: "Traces", exact: true });
  await expect(traces.getByRole("row", { name: /POST \/checkout/ })).toContainText("211");

  const leaveOut = differences.getByRole("link", { name: "Leave out customer.tier free" });
  await leaveOut.focus();
  await page.keyboard.press("Enter");
  await expect(page.getByRole("combobox", { name: "Search spans" })).toHaveValue(/!customer\.tier:"free"/);
  await expect(differences).toContainText("Every span is selected");
  await expect(differences).toBeFocused();
  await page.getByRole("link", { name: "Clear the selection" }).click();
  await expect(differences).toHaveCount(0);
  await expect(page).not.toHaveURL(/selection=/);
});

test("what is brushed by pointer becomes a search", async ({ page, server, project }) => {
  const traceId = crypto.randomUUID().replaceAll("-", "");
  await sendEnvelope(
    { url: server.url, dsn: project.dsn },
    makeTraceEnvelope(traceId, SPANS, { atMs: Date.now() - 5_000 }),
  );
  await expect.poll(async () => (await page.request.get(`/traces/${traceId}.md`)).status()).toBe(200);
  await openPage(page, `/traces?q=trace%3A${traceId}`);
  await waitForScript(page);
  await map(page).scrollIntoViewIfNeeded();
  const box = await map(page).boundingBox();
  if (!box) throw new Error("the map has no box");
  await page.mouse.move(box.x + box.width * 0.5, box.y + 2);
  await page.mouse.down();
  await page.mouse.move(box.x + box.width - 2, box.y + box.height * 0.4, { steps: 5 });
  await page.mouse.up();
  await expect(page.getByRole("region", { name: "What differs" })).toContainText("2 spans selected");
  // Who gets the link sees the same spans.
  await page.getByText("Save view").click();
  await page.getByRole("button", { name: "Copy link" }).click();
  await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe(page.url());
  await page.keyboard.press("Escape");
  await page.getByRole("link", { name: "Search only these" }).click();
  await expect(page.getByText("2 spans.")).toBeVisible();
  await page.getByText("As a table").click();
  await expect(page.getByRole("region", { name: "Spans by duration and time" }).getByRole("row")).toHaveCount(3);
});

test("a figure of an attribute is typed, drawn and sorted by, and taken away again", async ({
  page,
  server,
  project,
}) => {
  const traceId = crypto.randomUUID().replaceAll("-", "");
  const spans = [3, 4, 250].map(
    (items, at): SentSpan => [
      `c${at}`,
      null,
      at < 2 ? "cart" : "bulk",
      "put",
      at,
      10,
      { data: { "cart.items": items } },
    ],
  );
  await sendEnvelope(
    { url: server.url, dsn: project.dsn },
    makeTraceEnvelope(traceId, spans, { atMs: Date.now() - 5_000 }),
  );
  await expect.poll(async () => (await page.request.get(`/traces/${traceId}.md`)).status()).toBe(200);
  await openPage(page, `/traces?q=trace%3A${traceId}&view=aggregates`);
  await waitForScript(page);
  const figure = page.getByRole("combobox", { name: "Figure of an attribute" });
  await figure.fill("mean(cart.items)");
  await figure.press("Enter");
  expect(await figure.evaluate((field: HTMLInputElement) => field.validity.patternMismatch)).toBe(true);
  await figure.fill("avg(cart.items)");
  await figure.press("Enter");
  await expect(page.getByRole("img", { name: "avg(cart.items) over time, up to 250" })).toBeVisible();
  await page.getByRole("link", { name: "avg(cart.items)" }).click();
  const rows = page.getByRole("region", { name: "Groups of spans" }).getByRole("row");
  await expect(rows.nth(1)).toContainText(/bulk.*250/);
  await expect(rows.nth(2)).toContainText(/cart.*3\.5/);
  await page.getByRole("checkbox", { name: "avg(cart.items)" }).uncheck();
  await expect(page.getByRole("img", { name: /cart.items/ })).toHaveCount(0);
  await expect(figure).toHaveValue("");
});

test("an attribute that no span has is named, with the nearest one", async ({ page, server, project }) => {
  const traceId = crypto.randomUUID().replaceAll("-", "");
  await sendEnvelope(
    { url: server.url, dsn: project.dsn },
    makeTraceEnvelope(traceId, SPANS, { atMs: Date.now() - 5_000 }),
  );
  await expect.poll(async () => (await page.request.get(`/traces/${traceId}.md`)).status()).toBe(200);
  await openPage(page, "/traces?q=span.opp%3Adb");
  await expect(page.getByRole("alert")).toContainText("Did you mean span.op:?");
});
