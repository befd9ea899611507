import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { listIssues } from "../support/api.ts";
import { expect, openPage, signIn, test } from "../support/browser-test.ts";
import { findViolations, isSerious } from "../support/find-violations.ts";
import { makeServerClock } from "../support/server-clock.ts";
import { makeTempFolder } from "../support/temp-folder.ts";

test("an address is watched; strangers read on a status page that it is up, and its issue begins and ends with its outage", async ({
  page,
  browser,
  complaints,
  startOwnServer,
}) => {
  // It waits for jobs that look every few seconds.
  test.slow();
  let isDown = false;
  const web = createServer((_request, response) => response.writeHead(isDown ? 500 : 200).end());
  using folder = makeTempFolder();
  const clock = makeServerClock(folder.path);
  await new Promise<void>((resolve) => web.listen(0, "127.0.0.1", resolve));
  const server = await startOwnServer({ env: { ALLOW_PRIVATE_CHECKS: "1", ...clock.env } });
  await signIn(page, server);

  await openPage(page, `${server.url}/uptime`);
  await page.getByRole("link", { name: "Check an address" }).first().press("Enter");
  await page.getByLabel("Name", { exact: true }).fill("Web shop");
  await page
    .getByLabel("Address", { exact: true })
    .fill(`http://127.0.0.1:${(web.address() as AddressInfo).port}/health`);
  await page.getByRole("button", { name: "Check it" }).press("Enter");
  await expect(page.getByRole("heading", { name: "Web shop", level: 1 })).toBeVisible();
  await page.getByRole("button", { name: "Delete", exact: true }).press("Enter");
  await expect(page.getByRole("dialog", { name: "Delete Web shop?" }).getByText("Keep")).toBeFocused();
  await page.keyboard.press("Escape");
  await expect(page.getByRole("button", { name: "Delete", exact: true })).toBeFocused();
  await expect
    .poll(async () => {
      await page.reload();
      return page.getByText("all was well").count();
    })
    .toBe(1);

  await page.getByRole("link", { name: "Status page" }).press("Enter");
  complaints.expect(/status of 400/);
  await page.getByLabel("Title", { exact: true }).fill("How the shop is");
  await page.getByRole("button", { name: "Publish" }).press("Enter");
  await expect(page.getByText("Choose at least one address.")).toBeVisible();
  await page.getByRole("checkbox", { name: "Web shop" }).press("Space");
  await page.getByRole("button", { name: "Publish" }).press("Enter");
  const address = page.getByLabel("Address of the page");
  await expect(address).toHaveValue(/\/status\/[0-9a-f]{24}$/);
  expect((await findViolations(page)).filter(isSerious)).toEqual([]);
  const published = await address.inputValue();
  await page.getByRole("button", { name: "Take it down" }).press("Enter");
  await expect(page.getByText("The page is taken down.")).toBeVisible();
  await page.keyboard.press("u");
  await expect(page.getByText("The page is back at its address.")).toBeVisible();
  await expect(address).toHaveValue(published);

  // Somebody without an account, and without script.
  const stranger = await browser.newContext({ javaScriptEnabled: false });
  const seen = await stranger.newPage();
  await seen.goto(await address.inputValue());
  await expect(seen.getByRole("heading", { name: "How the shop is", level: 1 })).toBeVisible();
  await expect(seen.getByText("All is up.")).toBeVisible();
  await expect(seen.getByRole("list", { name: "Web shop: checks that went well, by day (UTC)" })).toContainText(
    "100 %",
  );
  await expect(seen.getByText("/health")).toHaveCount(0);
  await stranger.close();
  await openPage(page, await address.inputValue());
  expect((await findViolations(page)).filter(isSerious)).toEqual([]);

  isDown = true;
  const listTitles = async (query: string) => {
    clock.pass(10_000);
    return (await listIssues(server, query)).map(({ title }) => title);
  };
  const waiting = { intervals: [1_000], timeout: 40_000 };
  await expect.poll(() => listTitles("is:unresolved"), waiting).toEqual([expect.stringMatching(/^Web shop is down/)]);
  await openPage(page, `${server.url}/issues`);
  await page
    .getByRole("link", { name: /Web shop is down/ })
    .first()
    .click();
  await expect(page.getByRole("heading", { name: /^Web shop is down/, level: 1 })).toBeVisible();
  isDown = false;
  await expect.poll(() => listTitles("is:resolved"), waiting).toHaveLength(1);
  await page.reload();
  await expect(page.getByText(/Resolved by itself: it answers again/).first()).toBeVisible();
  web.closeAllConnections();
  web.close();
});
