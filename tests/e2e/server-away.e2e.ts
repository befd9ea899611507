import { DatabaseSync } from "node:sqlite";
import { dataPaths } from "../../app/data-folder/data-paths.ts";
import { expect, openPage, sendEvent, signInByForm, test } from "../support/browser-test.ts";
import { findFreePort } from "../support/find-free-port.ts";
import { makeError } from "../support/make-event.ts";

test.use({ isSignedIn: false });

test("a list that one looks at outlives a restart of the server, says that it hears nothing, and catches up", async ({
  page,
  startOwnServer,
  complaints,
}) => {
  complaints.expect(/Failed to load resource|net::ERR_/);
  const server = await startOwnServer({ port: await findFreePort() });
  await signInByForm(page, server);
  const first = page.getByRole("row").filter({ hasText: "FirstError" });
  await sendEvent(server, makeError("First"));
  await expect(first).toBeVisible();
  // Asked for a moment before the server goes: the next question comes when nobody answers.
  await sendEvent(server, makeError("Second"));
  const strip = page.getByRole("status").getByRole("link", { name: /new issue/ });
  await expect(strip).toHaveText(/^1 new issue/);
  await sendEvent(server, makeError("Third"));
  await server.kill9();

  const notice = page.getByRole("status").filter({ hasText: "No connection to the server" });
  await expect(notice).toBeVisible();
  await expect(first).toBeVisible();
  await expect(page.getByRole("heading", { name: "Issues", level: 1 })).toBeVisible();

  await startOwnServer({ dataDir: server.dataDir, port: server.port });
  await expect(notice).toHaveCount(0);
  await expect(strip).toHaveText(/^2 new issues/);
});

test("a page that cannot be fetched says so, and comes by itself once the server answers", async ({
  page,
  startOwnServer,
  complaints,
}) => {
  complaints.expect(/Failed to load resource|net::ERR_/);
  const server = await startOwnServer();
  await signInByForm(page, server);
  const go = async (key: string, name: string) => {
    await page.keyboard.press("g");
    await page.keyboard.press(key);
    await expect(page.getByRole("heading", { name, level: 1 })).toBeVisible();
  };
  // Its code is there from now on; what is missing is its data.
  await go("p", "Projects");
  await go("i", "Issues");
  await page.context().setOffline(true);
  await go("p", "The server does not answer");
  await expect(page.getByRole("heading", { name: "The server does not answer" })).toBeVisible();
  await expect(page.getByRole("textbox", { name: "What were you doing?" })).toHaveCount(0);
  await page.context().setOffline(false);
  await expect(page.getByRole("heading", { name: "Projects", level: 1 })).toBeVisible();
});

test("who waits for an event goes on waiting while the server is away", async ({
  page,
  startOwnServer,
  complaints,
}) => {
  complaints.expect(/Failed to load resource|net::ERR_/);
  const server = await startOwnServer();
  await signInByForm(page, server);
  const database = new DatabaseSync(dataPaths(server.dataDir).state, { timeout: 10_000 });
  database.exec("BEGIN IMMEDIATE");
  const eventId = await sendEvent(server, makeError("Waiting"));
  await openPage(page, `${server.url}/events/${eventId}`);
  const heading = page.getByRole("heading", { name: "Received, being processed" });
  await expect(heading).toBeVisible();
  const asked = page.waitForEvent("requestfailed");
  await page.context().setOffline(true);
  await asked;
  await page.waitForEvent("requestfailed");
  await expect(heading).toBeVisible();
  database.exec("COMMIT");
  database.close();
  await page.context().setOffline(false);
  await expect(page.getByRole("heading", { name: "WaitingError", level: 1 })).toBeVisible();
});
