import { expect, openPage, signIn, test } from "../support/browser-test.ts";
import { findViolations, isSerious } from "../support/find-violations.ts";
import { startPushServer } from "../support/push-server.ts";

test("a browser is added, gets a test, and is removed; a person chooses what comes which way", async ({
  page,
  startOwnServer,
}) => {
  await using service = await startPushServer();
  const server = await startOwnServer({ env: { ALLOW_PRIVATE_WEBHOOKS: "1" } });
  // A headless browser allows no notifications, and its own push service is out of reach.
  const subscription = await service.subscribe("this-browser");
  await page.addInitScript((made) => {
    const given = { ...made, toJSON: () => made, unsubscribe: async () => true };
    Object.defineProperty(Notification, "permission", { get: () => "granted" });
    Notification.requestPermission = async () => "granted";
    PushManager.prototype.subscribe = async () => {
      sessionStorage.setItem("told", "yes");
      return given as unknown as PushSubscription;
    };
    PushManager.prototype.getSubscription = async () =>
      (sessionStorage.getItem("told") ? given : null) as PushSubscription | null;
  }, subscription);
  await signIn(page, server);
  await openPage(page, `${server.url}/settings`);
  const panel = page.getByRole("region", { name: "How you are told" });
  await expect(panel.getByText("You are told in no browser yet.")).toBeVisible();
  await panel.getByRole("button", { name: "Tell me in this browser" }).press("Enter");
  await expect(page.getByText("You are told in this browser from now on.")).toBeVisible();
  const item = panel.getByRole("listitem").filter({ hasText: "This browser" });
  await expect(item).toContainText("nothing sent yet");
  await item.getByRole("button", { name: /^Send a test to/ }).press("Enter");
  await expect(page.getByText(/^Test sent to Chrome on /)).toBeVisible();
  expect(service.refused).toEqual([]);
  expect(service.received.map(({ message }) => message.title)).toEqual(["Test: this is how Culprit tells you"]);
  expect((await findViolations(page)).filter(isSerious)).toEqual([]);

  await panel.getByRole("checkbox", { name: "Alert rules: Mail" }).press("Space");
  await panel.getByRole("button", { name: "Change what reaches you" }).press("Enter");
  await expect(page.getByText("Your choice is saved.")).toBeVisible();
  await expect(panel.getByRole("checkbox", { name: "Alert rules: Mail" })).not.toBeChecked();
  await item.getByRole("button", { name: /^Remove/ }).press("Enter");
  await expect(page.getByText("Nothing more comes in that browser.")).toBeVisible();
  await expect(panel.getByRole("button", { name: "Tell me in this browser" })).toBeVisible();
});
