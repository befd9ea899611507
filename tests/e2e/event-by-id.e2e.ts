import { DatabaseSync } from "node:sqlite";
import { dataPaths } from "../../app/data-folder/data-paths.ts";
import { expect, openPage, sendEvent, signInByForm, test } from "../support/browser-test.ts";
import { makeError } from "../support/make-event.ts";

test.use({ isSignedIn: false });

test("the id that an SDK was given opens at once, and becomes the event's page by itself", async ({
  page,
  startOwnServer,
}) => {
  const server = await startOwnServer();
  await signInByForm(page, server);

  // Somebody else writes: the digest has to wait, ingest and pages do not.
  const database = new DatabaseSync(dataPaths(server.dataDir).state, { timeout: 10_000 });
  database.exec("BEGIN IMMEDIATE");
  const eventId = await sendEvent(server, makeError("Waiting"));
  await openPage(page, `${server.url}/events/${eventId}`);
  await expect(page.getByRole("heading", { name: "Received, being processed" })).toBeVisible();
  await expect(page.getByRole("main")).toContainText(eventId);
  database.exec("COMMIT");
  database.close();

  await expect(page.getByRole("heading", { name: "WaitingError", level: 1 })).toBeVisible();
  await expect(page).toHaveURL(new RegExp(`/issues/\\d+/events/${eventId}$`));
  await page.goBack();
  await expect(page.getByRole("heading", { name: "Issues", level: 1 })).toBeVisible();
});

test("an id that nobody was given is not found, and the page says where to look", async ({
  page,
  startOwnServer,
  complaints,
}) => {
  complaints.expect(/status of 404/);
  const server = await startOwnServer();
  await signInByForm(page, server);
  const answer = await page.goto(`${server.url}/events/${"0".repeat(32)}`);
  expect(answer?.status()).toBe(404);
  await expect(page.getByRole("main")).toContainText("It may have been refused: see “What arrived”.");
  expect((await page.goto(`${server.url}/events/nonsense`))?.status()).toBe(404);
  await expect(page.getByRole("main")).toContainText("An event id has 32 hexadecimal digits.");
});
