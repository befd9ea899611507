import { expect, openPage, signIn, test } from "../support/browser-test.ts";
import { findViolations, isSerious } from "../support/find-violations.ts";
import { headerOf, startMailServer } from "../support/mail-server.ts";
import { makeServerClock } from "../support/server-clock.ts";
import { makeTempFolder } from "../support/temp-folder.ts";

test("a job is watched: it fails, somebody gets mail, and its issue ends when it runs again", async ({
  page,
  startOwnServer,
  complaints,
}) => {
  await using mail = await startMailServer();
  const server = await startOwnServer({ env: { SMTP_URL: mail.url, MAIL_FROM: "errors@example.com" } });
  const { username: key } = new URL(server.dsn ?? "");
  const ping = async (rest: string, body?: string) =>
    (await fetch(`${server.url}/api/1/cron/night-shift/${key}${rest}`, body ? { method: "POST", body } : {})).status;
  await signIn(page, server);

  await openPage(page, `${server.url}/crons`);
  await expect(page.getByRole("heading", { name: "No monitor yet" })).toBeVisible();
  await openPage(page, `${server.url}/crons/new`);
  await page.getByLabel("Name", { exact: true }).fill("Night Shift");
  await page.getByLabel("Crontab", { exact: true }).fill("30 2 * * 1-5");
  await expect(page.getByText("at 02:30, Monday through Friday, UTC")).toBeVisible();
  await page.getByLabel("Crontab", { exact: true }).fill("30 2 * * *");
  await page.getByLabel("Time zone", { exact: true }).fill("Europe/Berlin");
  await expect(page.getByText(/there is no 02:30 in Europe\/Berlin|there are two times 02:30/)).toBeVisible();
  await page.getByLabel("Crontab", { exact: true }).fill("61 * * * *");
  await expect(page.getByRole("status").filter({ hasText: "Invalid value for minute: 61" })).toBeVisible();
  await page.getByLabel("Crontab", { exact: true }).fill("30 2 * * *");
  const longest = page.getByLabel("Longest run (minutes)");
  await longest.fill("long");
  complaints.expect(/status of 400/);
  await page.getByRole("button", { name: "Make the monitor" }).press("Enter");
  await expect(longest).toBeFocused();
  await expect(longest).toHaveAccessibleDescription(/Must be a whole number from 0 to 40,320\./);
  await longest.fill("30");
  await longest.press("Enter");
  await expect(page.getByRole("heading", { name: "Night Shift", level: 1 })).toBeVisible();
  await expect(page.getByLabel("The end of a line of a crontab")).toHaveValue(/\/cron\/night-shift\/\w{32}\/\$\?$/);

  expect(await ping("/3", "dumping\nno space left on device")).toBe(202);
  await expect.poll(() => mail.received.length).toBe(1);
  const [letter] = mail.received;
  expect(letter && headerOf(letter, "subject")).toBe("[shop] New issue: night-shift failed");
  await openPage(page, `${server.url}/crons`);
  const row = page.getByRole("list", { name: "Monitors" }).getByRole("listitem");
  await expect(row).toContainText("Failed");
  const strip = row.getByRole("slider", { name: "Runs of Night Shift in the last 24 hours: 1 failed" });
  await strip.press("ArrowLeft");
  await expect(strip).toHaveAttribute("aria-valuetext", /: failed$/);
  expect((await findViolations(page)).filter(isSerious)).toEqual([]);

  await row.getByRole("link", { name: "Night Shift" }).press("Enter");
  await expect(page.getByText("no space left on device")).toBeVisible();
  expect((await findViolations(page)).filter(isSerious)).toEqual([]);
  expect(await ping("/0")).toBe(202);
  await expect
    .poll(async () => {
      await openPage(page, `${server.url}/issues/SHOP-1`);
      return await page.getByText("Resolved by itself: the job ran again").count();
    })
    .toBeGreaterThan(0);
});

test("a job that does not come opens an issue, which somebody hears of, and it ends by itself when the job is back", async ({
  page,
  startOwnServer,
}) => {
  // It waits for jobs that look every few seconds.
  test.slow();
  await using mail = await startMailServer();
  using folder = makeTempFolder();
  const clock = makeServerClock(folder.path);
  const server = await startOwnServer({
    env: { SMTP_URL: mail.url, MAIL_FROM: "errors@example.com", ...clock.env },
  });
  const { username: key } = new URL(server.dsn ?? "");
  const ping = async () => (await fetch(`${server.url}/api/1/cron/heartbeat/${key}/0`)).status;
  await signIn(page, server);
  await openPage(page, `${server.url}/crons/new`);
  await page.getByLabel("Name", { exact: true }).fill("Heartbeat");
  await page.getByLabel("Crontab", { exact: true }).fill("* * * * *");
  await page.getByRole("button", { name: "Make the monitor" }).press("Enter");
  await expect(page.getByRole("heading", { name: "Heartbeat", level: 1 })).toBeVisible();
  expect(await ping()).toBe(202);

  await expect
    .poll(
      () => {
        clock.pass(10_000);
        return mail.received.map((each) => headerOf(each, "subject"));
      },
      { intervals: [1_000], timeout: 40_000 },
    )
    .toEqual(["[shop] New issue: heartbeat did not run"]);
  await openPage(page, `${server.url}/crons`);
  const row = page.getByRole("list", { name: "Monitors" }).getByRole("listitem");
  await expect(row).toContainText("Missed");
  await openPage(page, `${server.url}/issues`);
  await page.getByRole("link", { name: "heartbeat did not run" }).first().click();
  await expect(page.getByRole("heading", { name: "heartbeat did not run", level: 1 })).toBeVisible();
  expect(await ping()).toBe(202);
  await expect
    .poll(async () => {
      await page.reload();
      return await page.getByText("Resolved by itself: the job ran again").count();
    })
    .toBeGreaterThan(0);
});
