import { expect, openPage, signIn, test } from "../support/browser-test.ts";
import { findViolations, isSerious } from "../support/find-violations.ts";
import { startMailServer } from "../support/mail-server.ts";
import { startWebhookReceiver } from "../support/webhook-receiver.ts";

const PAGE = "/projects/shop/notifications";

test("somebody changes the addresses and channels of a project, by keyboard, and tests them", async ({
  page,
  startOwnServer,
  complaints,
}) => {
  complaints.expect(/status of 400/);
  await using mail = await startMailServer();
  await using receiver = await startWebhookReceiver();
  const server = await startOwnServer({
    env: { SMTP_URL: mail.url, MAIL_FROM: "errors@example.com", ALLOW_PRIVATE_WEBHOOKS: "1" },
  });
  await signIn(page, server);
  await openPage(page, server.url + PAGE);
  await expect(page.getByRole("heading", { name: "Notifications", level: 1 })).toBeVisible();
  await expect(page.getByRole("list", { name: "Alert rules that cover this project" })).toContainText(
    "When an issue of shop is new, comes back after it was resolved, comes back from the archive or escalates, tell the members of the project and the addresses and channels of the project, each time.",
  );

  const addresses = page.getByLabel("E-mail addresses, one a line");
  await addresses.fill("nonsense");
  await page.getByRole("button", { name: "Save", exact: true }).press("Enter");
  await expect(addresses).toHaveAccessibleDescription(/“nonsense” is not an address of e-mail/);
  await expect(addresses).toHaveValue("nonsense");
  await addresses.fill("ada@example.com\nbob@example.com");
  await page.getByRole("button", { name: "Save", exact: true }).press("Enter");
  await expect(page.getByRole("status").filter({ hasText: "Saved." })).toBeVisible();
  await expect(addresses).toHaveValue("ada@example.com\nbob@example.com");

  await page.getByRole("link", { name: "Add a channel" }).press("Enter");
  await page
    .getByRole("list", { name: "Kinds of channels" })
    .getByRole("link", { name: "Webhook", exact: true })
    .press("Enter");
  await page.getByLabel("Name", { exact: true }).fill("Our program");
  await page.getByLabel("Address", { exact: true }).fill(receiver.url);
  await page.getByRole("button", { name: "Add, and tell it of shop" }).press("Enter");
  // What is shown once takes the focus.
  await expect(page.getByLabel("Secret of the webhook")).toHaveValue(/^whsec_/);
  const secret = await page.getByLabel("Secret of the webhook").inputValue();
  await openPage(page, server.url + PAGE);
  await expect(page.getByRole("checkbox", { name: "Our program" })).toBeChecked();
  const channels = page.getByRole("list", { name: "Addresses and channels of this project" });
  await expect(channels.getByRole("listitem")).toHaveCount(3);

  const hook = channels.getByRole("listitem").filter({ hasText: "Our program" });
  receiver.answerWith((_, res) => void res.writeHead(403).end("bad token"));
  await hook.getByRole("button", { name: "Send a test to Our program" }).press("Enter");
  await expect(page.getByRole("alert").filter({ hasText: "403 bad token" })).toBeVisible();
  await expect(hook).toContainText("fails");
  await expect(channels.getByRole("listitem").first()).toContainText("Our program");
  const violations = await findViolations(page);
  expect(violations.filter(isSerious)).toEqual([]);
  receiver.answerWith((_, res) => void res.end("ok"));
  await hook.getByRole("button", { name: "Send a test to Our program" }).press("Enter");
  await expect(
    page.getByRole("status").filter({ hasText: "Test sent to Our program. It answered: 200 ok" }),
  ).toBeVisible();
  await expect(hook).toContainText("works again");
  await channels.getByRole("button", { name: "Send a test to ada@example.com" }).press("Enter");
  await expect(page.getByRole("status").filter({ hasText: "Test sent to ada@example.com." })).toBeVisible();
  expect(mail.received.map(({ to }) => to)).toEqual([["ada@example.com"]]);

  await hook.getByRole("link", { name: "Our program" }).press("Enter");
  await page.getByRole("button", { name: "Make a new secret" }).press("Enter");
  await expect(page.getByLabel("Secret of the webhook")).toHaveValue(/^whsec_/);
  expect(await page.getByLabel("Secret of the webhook").inputValue()).not.toBe(secret);
  await page.getByRole("button", { name: "Delete" }).press("Enter");
  await expect(page.getByRole("status").filter({ hasText: "The channel is deleted." })).toBeVisible();
  await expect(page.getByRole("heading", { name: "No channel yet" })).toBeVisible();
});

test("without mail the page says what to set, and the project's settings lead to it", async ({ page, project }) => {
  await openPage(page, `/projects/${project.slug}/settings`);
  await page.getByRole("link", { name: "Notifications" }).click();
  await expect(page.getByRole("status").filter({ hasText: "Mail is not set up" })).toContainText("SMTP_URL");
  await expect(page.getByRole("link", { name: `New and returning issues of ${project.slug}` })).toBeVisible();
  await expect(page.getByRole("heading", { name: "None", exact: true })).toBeVisible();
});

test("the settings lead to the background jobs, which say when they ran", async ({ page }) => {
  await openPage(page, "/settings");
  await page.getByRole("link", { name: "Background jobs" }).click();
  const deliver = page.getByRole("listitem").filter({ has: page.getByRole("heading", { name: "Deliver" }) });
  await expect(deliver).toContainText("works");
  await expect(deliver).toContainText("Last run");
});
