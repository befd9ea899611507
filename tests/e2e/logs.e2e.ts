import { sendEnvelope } from "../support/api.ts";
import { expect, openPage, test, waitForScript } from "../support/browser-test.ts";
import { findViolations } from "../support/find-violations.ts";
import { makeError } from "../support/make-event.ts";
import { makeLogEnvelope } from "../support/make-trace-envelope.ts";

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
  await sendEnvelope({ url: server.url, dsn: project.dsn }, envelope);
  await project.store(
    makeError("Charge", { contexts: { trace: { trace_id: traceId, span_id: traceId.slice(0, 16) } } }),
  );
  const rows = page.getByRole("table", { name: /^Log lines/ }).getByRole("row");
  await expect(async () => {
    await openPage(page, `/logs?project=${project.slug}`);
    await expect(rows).toHaveCount(4, { timeout: 500 });
  }).toPass();
  await waitForScript(page);
  await expect(rows.nth(1)).toContainText("charge was refused");
  await expect(page.getByRole("img", { name: /1 error, 1 warning, 1 info/ })).toBeVisible();

  const facets = page.getByRole("complementary", { name: "Facets" });
  await facets.getByRole("link", { name: "Leave out severity info" }).click();
  await expect(rows).toHaveCount(3);
  await facets.getByRole("link", { name: /^error/ }).click();
  await expect(rows).toHaveCount(2);
  await expect(page.getByRole("combobox", { name: "Search logs" })).toHaveValue("!severity:info severity:error");

  await page.keyboard.press("j");
  await page.keyboard.press("Enter");
  const line = page.getByRole("region", { name: /:/ }).filter({ hasText: "Around this line" });
  await expect(line).toContainText("cart loaded");
  await expect(line.getByRole("link", { name: /Trace/ })).toHaveAttribute("href", `/traces/${traceId}`);
  await expect(line.getByRole("link", { name: /^Issue/ })).toBeVisible();
  expect(await findViolations(page)).toEqual([]);
  await page.keyboard.press("Escape");
  await expect(line).toHaveCount(0);

  await openPage(page, `/logs?project=${project.slug}&q=${traceId}`);
  await expect(rows).toHaveCount(4);
  await page.emulateMedia({ colorScheme: "dark" });
  await page.setViewportSize({ width: 390, height: 844 });
  await openPage(page, `/logs?project=${project.slug}&q=is:new`);
  await expect(page.getByRole("heading", { name: "Nothing was searched for" })).toBeVisible();
});
