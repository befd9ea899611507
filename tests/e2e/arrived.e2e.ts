import type { Page } from "@playwright/test";
import { send, sendEnvelope, sumOutcomes, toEventEnvelope, waitFor } from "../support/api.ts";
import { expect, openPage, test, waitForScript } from "../support/browser-test.ts";
import { makeError } from "../support/make-event.ts";

/** Outcome, reason, kind and number of each line of the ledger, and its foot. */
async function readLedger(page: Page): Promise<{ lines: string[][]; total: number }> {
  const rows = page.getByRole("region", { name: "Items by outcome, kind and reason" }).getByRole("row");
  const cells = await rows.evaluateAll((all) =>
    all.map((row) => [...row.querySelectorAll("th, td")].map((cell) => cell.textContent?.trim() ?? "")),
  );
  const [, ...lines] = cells;
  const foot = lines.pop();
  return { lines, total: toNumber(foot?.at(-1)) };
}

const toNumber = (text = ""): number => Number(text.replaceAll(",", ""));

test("What arrived tells where every item went, and the numbers add up", async ({ page, project, server }) => {
  const target = { url: server.url, dsn: project.dsn };
  await project.store(makeError("Kept"), makeError("Kept"));
  // The same event again.
  const { envelope } = toEventEnvelope(makeError("Twice"), "d".repeat(32));
  expect((await sendEnvelope(target, envelope)).status).toBe(200);
  expect((await sendEnvelope(target, envelope)).status).toBe(200);
  // What the SDK says that it never sent.
  const report = {
    timestamp: Date.now() / 1000,
    discarded_events: [
      { reason: "sample_rate", category: "error", quantity: 5 },
      { reason: "before_send", category: "transaction", quantity: 2 },
    ],
  };
  await sendEnvelope(target, `{}\n{"type":"client_report"}\n${JSON.stringify(report)}\n`);
  // Of a kind that nobody knows.
  await sendEnvelope(target, '{}\n{"type":"hologram"}\n{}\n');
  // What is over a limit.
  const limited = await send(server, "PUT", `/projects/default/${project.slug}/keys/${project.keyId}/`, {
    rateLimit: { count: 1, window: 3600 },
  });
  expect(limited.status).toBe(200);
  for (const _ of [1, 2, 3, 4]) await sendEnvelope(target, toEventEnvelope(makeError("Many")).envelope);

  await waitFor("the ledger", async () => {
    const limited = await sumOutcomes(server, { outcome: "rate_limited" });
    return limited >= 3;
  });

  await openPage(page, `/arrived?project=${project.slug}`);
  await expect(async () => {
    await page.reload();
    const { lines, total } = await readLedger(page);
    const sums = Object.fromEntries(
      lines.map(([outcome, reason, kind, count]) => [`${outcome}/${reason}/${kind}`, toNumber(count)]),
    );
    expect(sums).toEqual({
      "Stored/—/Errors": 4,
      "Duplicate/event id seen/Errors": 1,
      "Rate limited/Over the limit of its DSN key/Errors": 3,
      "Dropped by the SDK/Not sampled/Errors": 5,
      "Dropped by the SDK/Dropped by beforeSend/Transactions": 2,
      "Not supported/unknown item type/Unknown kinds": 1,
      "Stored/—/Client reports": 1,
    });
    expect(total).toBe(Object.values(sums).reduce((sum, count) => sum + count, 0));
  }).toPass();

  const main = page.getByRole("main");
  await expect(main).toContainText("17 items, of which");
  await expect(page.getByRole("figure", { name: /^Items that arrived/ })).toHaveAccessibleName(/17 items/);

  await waitForScript(page);
  await page.getByRole("combobox", { name: "Kind" }).selectOption({ label: "Transactions" });
  await expect(page).toHaveURL(/category=transaction/);
  await expect(main).toContainText("2 items, of which");
  await page.getByRole("combobox", { name: "Kind" }).selectOption({ label: "All kinds" });
  await page.getByRole("combobox", { name: "Time range" }).selectOption({ label: "Last 7 days" });
  await expect(page).toHaveURL(/period=7d/);
  await expect(main).toContainText("17 items, of which");
});

test("the choices of What arrived are those of its address, also on the way back", async ({ page, project }) => {
  await project.store(makeError("Kept"));
  await openPage(page, `/arrived?project=${project.slug}`);
  const range = page.getByRole("combobox", { name: "Time range" });
  await range.focus();
  await range.selectOption({ label: "Last 7 days" });
  await expect(page).toHaveURL(/period=7d/);
  await expect(range).toBeFocused();
  await page.goBack();
  await expect(page).not.toHaveURL(/period=7d/);
  await expect(range).toHaveValue("1d");
  // Nothing of this kind came: a longer look keeps what was chosen.
  await page.getByRole("combobox", { name: "Kind" }).selectOption({ label: "Replays" });
  await page.getByRole("link", { name: "Look at 90 days" }).click();
  await expect(page).toHaveURL(/period=90d/);
  await expect(range).toHaveValue("90d");
  await expect(page.getByRole("combobox", { name: "Kind" })).toHaveValue("replay");
  await expect(page.getByRole("combobox", { name: "Project" })).toHaveValue(project.slug);
});

test("What arrived says when nothing did", async ({ page, project }) => {
  await openPage(page, `/arrived?project=${project.slug}`);
  await expect(page.getByRole("heading", { name: "Nothing arrived in this time" })).toBeVisible();
  await page.getByRole("link", { name: "Connect an application" }).click();
  await expect(page.getByRole("heading", { name: "Projects", level: 1 })).toBeVisible();
});
