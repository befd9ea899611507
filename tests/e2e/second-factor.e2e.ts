import { Secret, TOTP } from "otpauth";
import { expect, openPage, test } from "../support/browser-test.ts";
import { invitePerson } from "../support/invite-person.ts";

test("of two windows that set up a second factor, the later one shows that it is on", async ({
  page,
  server,
  project,
  browser,
  complaints,
}) => {
  complaints.expect(/status of 409/);
  await openPage(page, "/settings/invitations");
  const guest = await invitePerson(page, { browser, server, project, role: "member" });
  const [first, later] = [guest.page, await guest.context.newPage()];
  await openPage(first, "/second-factor");
  await first.getByLabel("Confirm with your password").fill(guest.password);
  await first.getByRole("button", { name: "Set up an app" }).click();
  const key = await first.getByLabel("Key", { exact: true }).inputValue();
  await openPage(later, "/second-factor");
  const code = new TOTP({ secret: Secret.fromBase32(key.replaceAll(" ", "")) }).generate();
  for (const window of [first, later]) {
    await window.getByLabel("Code that the app shows").fill(code);
    await window.getByRole("button", { name: "Turn on" }).click();
    await expect(window.getByRole("heading", { name: "Two-factor sign-in is on" })).toBeVisible();
  }
  await expect(later.getByText("Your second factor is on already.")).toBeVisible();
  await later.getByRole("link", { name: "Continue" }).click();
  await expect(later).toHaveURL(/\/issues/);
  await guest.context.close();
});
