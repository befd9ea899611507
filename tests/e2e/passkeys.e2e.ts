import { expect, openPage, test } from "../support/browser-test.ts";

test.use({ isSignedIn: false });

test("somebody adds a passkey, signs in with it, and removes it", async ({ page, server }) => {
  // Browsers make passkeys for names.
  const origin = `http://localhost:${server.port}`;
  const client = await page.context().newCDPSession(page);
  await client.send("WebAuthn.enable");
  await client.send("WebAuthn.addVirtualAuthenticator", {
    options: {
      protocol: "ctap2",
      transport: "internal",
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  await openPage(page, `${origin}/sign-in?to=%2Fsettings%2Fsecurity`);
  await page.getByLabel("E-mail").fill(server.owner.email);
  await page.getByLabel("Password").fill(server.owner.password);
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
  await expect(page.getByRole("heading", { name: "Passkeys" })).toBeVisible();
  const panel = page.getByRole("region", { name: "Passkeys" });
  await panel.getByLabel("Name", { exact: true }).fill("Laptop");
  await panel.getByLabel("Confirm with your password").fill(server.owner.password);
  await panel.getByRole("button", { name: "Add a passkey" }).click();
  await expect(page.getByText("“Laptop” is added. You can sign in with it.")).toBeVisible();
  await page.request.post(`${origin}/sign-out`, { headers: { origin } });
  await page.goto(`${origin}/sign-in?to=%2Fsettings%2Fsecurity`);
  // The device answers by itself, also to what the field of the address suggests.
  await page
    .getByRole("button", { name: "Sign in with a passkey" })
    .click({ timeout: 2_000 })
    .catch(() => {});
  await expect(page.getByRole("list", { name: "Your passkeys" })).toContainText("last used");
  await page.getByRole("button", { name: "Remove the passkey Laptop" }).click();
  await expect(page.getByText("“Laptop” is removed.")).toBeVisible();
});
