import { randomBytes } from "node:crypto";
import { sendEnvelope } from "../support/api.ts";
import { expect, openPage, test, waitForScript } from "../support/browser-test.ts";
import { findViolations } from "../support/find-violations.ts";
import { makeError } from "../support/make-event.ts";
import { makeTraceEnvelope, toSpanId } from "../support/make-trace-envelope.ts";

const MINUTE_MS = 60_000;

test("a transaction is found in the list, and leads by an example to its trace, and to its issues", async ({
  page,
  server,
  project,
}) => {
  const send = async (name: string, ms: number, more: { status?: string; ids?: string } = {}) => {
    const traceId = more.ids ?? randomBytes(16).toString("hex");
    const envelope = makeTraceEnvelope(
      traceId,
      [
        ["root", null, "http.server", name, 0, ms, { status: more.status ?? "ok" }],
        ["query", "root", "db", "SELECT 1", 1, ms / 2],
      ],
      { atMs: Date.now() - 5 * MINUTE_MS, environment: "production" },
    );
    await sendEnvelope({ url: server.url, dsn: project.dsn }, envelope);
  };
  const slowest = randomBytes(16).toString("hex");
  for (const id of [17, 18, 19]) await send(`GET /orders/${id}`, 40);
  await send("GET /orders/20", 2_000, { ids: slowest, status: "internal_error" });
  await send("GET /", 5);
  await project.store(makeError("OrderMissing", { transaction: "GET /orders/17" }));

  const rows = page.getByRole("region", { name: "Transactions" }).getByRole("row");
  await expect(async () => {
    await openPage(page, `/performance?project=${project.slug}`);
    await expect(rows).toHaveCount(3, { timeout: 500 });
    await expect(rows.nth(1)).toContainText("25 %", { timeout: 500 });
  }).toPass();
  await waitForScript(page);
  await expect(rows.nth(1)).toContainText("GET /orders/?");
  // Three of four within 300 ms, and one beyond 1.2 s.
  await expect(rows.nth(1)).toContainText("0.75");
  await expect(rows.nth(1)).toContainText("none before");
  expect(await findViolations(page)).toEqual([]);

  await page.getByRole("searchbox", { name: "Search transactions and pages" }).fill("ORDERS");
  await page.keyboard.press("Enter");
  await expect(rows).toHaveCount(2);
  await page.getByRole("link", { name: "p95", exact: true }).click();
  await expect(page).toHaveURL(/q=ORDERS&sort=p95/);

  await rows.nth(1).getByRole("link").click();
  await expect(page.getByRole("heading", { level: 1, name: "GET /orders/?" })).toBeVisible();
  await expect(page.getByRole("figure", { name: /^Duration over time/ })).toBeVisible();
  await expect(
    page.getByRole("figure", { name: /^Durations from .*, half of them up to (?:39|4\d) ms/ }),
  ).toBeVisible();
  await expect(page.getByRole("list", { name: "Time by operation" }).getByRole("listitem")).toHaveText(/^db\d+ ms/);
  await expect(page.getByRole("list", { name: "Issues of this transaction" })).toContainText("OrderMissing");
  await expect(page.getByRole("region", { name: "Typical transactions" }).getByRole("row")).toHaveCount(4);
  expect(await findViolations(page)).toEqual([]);

  const slow = page.getByRole("region", { name: "Slowest transactions" }).getByRole("row").nth(1);
  await expect(slow).toContainText("internal_error");
  await slow.getByRole("link").click();
  await expect(page).toHaveURL(new RegExp(`/traces/${slowest}\\?span=${toSpanId("root")}`));
});

test("web vitals of a page say how many loads were good, and fit a phone", async ({ page, server, project }) => {
  for (const lcp of [1_200, 1_900, 5_000]) {
    const envelope = makeTraceEnvelope(
      randomBytes(16).toString("hex"),
      [["load", null, "pageload", "/products/:id", 0, 900]],
      {
        atMs: Date.now() - 2 * MINUTE_MS,
        platform: "javascript",
        measurements: { lcp: { value: lcp, unit: "millisecond" }, cls: { value: 0.3, unit: "" } },
      },
    );
    await sendEnvelope({ url: server.url, dsn: project.dsn }, envelope);
  }
  const row = page.getByRole("region", { name: "Web vitals by page" }).getByRole("row").nth(1);
  await expect(async () => {
    await openPage(page, `/performance?project=${project.slug}&view=vitals`);
    await expect(row).toContainText("of 3", { timeout: 500 });
  }).toPass();
  await expect(row).toContainText("/products/:id");
  await expect(row).toContainText("67 % good, 0 % to improve, 33 % poor");
  await expect(row.getByRole("cell").nth(3)).toContainText("poor");
  await expect(row.getByRole("cell").nth(2)).toContainText("not measured");
  expect(await findViolations(page)).toEqual([]);
  // A page leads to its loads, and back to where one was.
  await waitForScript(page);
  await page.keyboard.press("j");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("heading", { name: "/products/:id", level: 1 })).toBeVisible();
  await page.goBack();
  await expect(row.getByRole("link")).toBeFocused();

  await page.setViewportSize({ width: 390, height: 844 });
  await page.emulateMedia({ colorScheme: "dark" });
  for (const path of ["/performance?view=vitals", "/performance", "/performance/transaction?op=pageload"]) {
    const url = `${path}${path.includes("?") ? "&" : "?"}project=${project.slug}&name=/products/:id`;
    await openPage(page, url);
    await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
    expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
    expect(await findViolations(page)).toEqual([]);
    // Nor do the lists scroll sideways by themselves: every figure is in sight, with the word of its column.
    const list = page.getByRole("region", { name: /^(Web vitals by page|Transactions)$/ });
    for (const region of await list.all()) {
      expect(await region.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth), path).toBe(0);
      const word = await region
        .locator("[data-label]")
        .last()
        .evaluate((cell) => getComputedStyle(cell, "::before").content);
      expect(word).toMatch(/^"(TTFB|Apdex)"$/);
    }
  }
});

test("what is not there is said", async ({ page, project }) => {
  await openPage(page, `/performance?project=${project.slug}`);
  await expect(page.getByRole("heading", { name: "No transactions in this time and these projects" })).toBeVisible();
  await openPage(page, `/performance?project=${project.slug}&view=vitals`);
  await expect(page.getByRole("heading", { name: "No web vitals in this time" })).toBeVisible();
  await openPage(page, `/performance/transaction?project=${project.slug}&name=nothing&range=6h`);
  await expect(page.getByText("This page has no time range “6h”: it shows the last 24 hours.")).toBeVisible();
  await expect(page.getByRole("heading", { name: "It did not run in this time" })).toBeVisible();
});
