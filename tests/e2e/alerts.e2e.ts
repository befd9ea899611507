import { waitForEvent } from "../support/api.ts";
import { expect, openPage, sendEvent, signIn, test } from "../support/browser-test.ts";
import { findFreePort } from "../support/find-free-port.ts";
import { headerOf, partsOf, startMailServer } from "../support/mail-server.ts";

test("somebody rehearses a rule, saves it, gets its mail, acknowledges by its link and resolves the issue; then silences the rule", async ({
  page,
  startOwnServer,
}) => {
  await using mail = await startMailServer();
  const port = await findFreePort();
  const env = { SMTP_URL: mail.url, MAIL_FROM: "errors@example.com", PUBLIC_URL: `http://127.0.0.1:${port}` };
  const server = await startOwnServer({ port, env });
  const report = async (message: string) => {
    const eventId = await sendEvent(server, { message, level: "fatal", environment: "production" });
    // A rehearsal looks once, at what is stored.
    await waitForEvent(server, eventId);
  };
  await signIn(page, server);
  // The rule that the project has from the start would tell the same.
  await openPage(page, `${server.url}/alerts`);
  await page.getByRole("button", { name: "Disable New and returning issues of shop" }).click();
  await expect(page.getByRole("status").filter({ hasText: "disabled." })).toBeVisible();
  await report("the till is stuck");

  await page.getByRole("link", { name: "New alert rule" }).click();
  await page.getByLabel("Name", { exact: true }).fill("Fatal ones");
  await page.getByLabel("Conditions, one a line").fill("level:fatal");
  await expect(page.getByText("if it fits level:fatal")).toBeVisible();
  await page.getByRole("button", { name: "Add a step" }).click();
  await expect(page.getByLabel("Minutes until step 1")).toBeFocused();
  await page.getByRole("group", { name: "Step 1" }).getByLabel("Members of the project").check();
  await expect(page.getByText("after 15 minutes, tell the members of the project")).toBeVisible();
  await page.getByRole("button", { name: "Add a step" }).click();
  await expect(page.getByText("Step 2: Choose who is told.")).toBeVisible();
  await page.getByRole("button", { name: "Remove step 2" }).click();
  await page.getByRole("button", { name: "Rehearse" }).click();
  const rehearsed = page.getByRole("region", { name: "When it would have fired" });
  await expect(rehearsed).toContainText("the till is stuck");
  await expect(rehearsed).toContainText("after 15 minutes: owner");
  expect(mail.received).toEqual([]);
  await page.getByRole("button", { name: "Create the rule" }).click();
  await expect(page.getByRole("status").filter({ hasText: "Saved." })).toBeVisible();

  await report("the cart is empty");
  await expect.poll(() => mail.received.length, { timeout: 20_000 }).toBe(1);
  const [letter] = mail.received;
  if (!letter) throw new Error("no mail came");
  expect(headerOf(letter, "subject")).toBe("[shop] New issue: the cart is empty");
  const { "text/plain": text = "" } = partsOf(letter);
  expect(text).toContain("by the alert rule “Fatal ones”");
  const path = /\/issues\/\d+/.exec(text)?.[0] ?? "";
  await openPage(page, server.url + path);
  await expect(page.getByRole("heading", { name: "the cart is empty", level: 1 })).toBeVisible();
  await expect(page.getByText("Nobody has acknowledged this issue yet.")).toBeVisible();
  await openPage(page, /^Acknowledge: (\S+)$/m.exec(text)?.[1] ?? "");
  await page.getByRole("button", { name: "Acknowledge" }).click();
  await expect(page.getByRole("heading", { name: "Acknowledged." })).toBeVisible();
  await openPage(page, server.url + path);
  await expect(page.getByText("owner acknowledged this issue")).toBeVisible();
  await page.keyboard.press("k");
  await expect(page.getByText("Nobody has acknowledged this issue yet.")).toBeVisible();
  await page.getByRole("button", { name: "Resolve", exact: true }).click();
  await expect(page.getByText("Resolved. It comes back by itself if it happens again.")).toBeVisible();
  await expect(page.getByText("Nobody has acknowledged this issue yet.")).toBeHidden();

  await page.getByRole("link", { name: "What alert rules told" }).click();
  await expect(page.getByRole("region", { name: "What Fatal ones saw of the issue" })).toContainText("Fired: told");
  await page.getByRole("link", { name: "Fatal ones" }).click();
  await page.getByRole("button", { name: "Silence for 1 hour: Fatal ones" }).click();
  const done = page.getByRole("status").filter({ hasText: "Silenced: the rule Fatal ones." });
  await expect(done).toBeVisible();
  await done.getByRole("button", { name: "Undo" }).click();
  await expect(page.getByRole("status").filter({ hasText: "Silence ended" })).toBeVisible();
});
