import type { Page } from "@playwright/test";
import { getJson, send } from "../support/api.ts";
import { createProject, expect, openPage, signIn, test, waitForScript } from "../support/browser-test.ts";
import { findViolations, isSerious } from "../support/find-violations.ts";
import { holdWrites } from "../support/hold-writes.ts";
import { makeError } from "../support/make-event.ts";

// Events that are on their way for longer than an answer waits. A job that failed begins again after ten seconds.
test.slow();
test.use({ isSignedIn: false });

const banner = (page: Page, words: RegExp) => page.getByRole("status").filter({ hasText: words });
const eventCount = (page: Page) =>
  page.getByRole("navigation", { name: "Views of this issue" }).getByRole("link", { name: /^Events/ });
const settled = { timeout: 40_000 };

const cart = (word: string, change: Record<string, unknown> = {}) =>
  makeError("CartError", {
    exception: { values: [{ type: "CartError", value: word }] },
    fingerprint: [word],
    ...change,
  });

test("a merge is undone: both issues say that events are on their way, and are right once they are there", async ({
  page,
  context,
  startOwnServer,
}) => {
  const server = await startOwnServer();
  await signIn(page, server);
  const project = await createProject(server, "carts");
  await project.store(cart("the cart is lost"), cart("the cart is empty"), cart("the cart is empty"));
  const [lost, empty] = await Promise.all(
    ["CARTS-1", "CARTS-2"].map((shortId) => getJson<{ id: string }>(server, `/issues/${shortId}/`)),
  );
  // The one with most events goes on.
  const both = `/projects/default/carts/issues/?id=${lost?.id}&id=${empty?.id}`;
  const merged = await send(server, "PUT", both, { merge: 1 });
  expect(merged.status).toBe(200);

  const held = holdWrites(server, "event_moves");
  await openPage(page, `${server.url}/projects/carts/grouping`);
  await page.getByRole("button", { name: /^Undo / }).click();
  await expect(banner(page, /^Events of CARTS-2 are being moved here/)).toBeVisible();
  await expect(eventCount(page)).toContainText("0");
  const other = await context.newPage();
  await openPage(other, `${server.url}/issues/CARTS-2/tags`);
  await expect(banner(other, /^Events of this issue are being moved to CARTS-1/)).toBeVisible();
  await expect(eventCount(other)).toContainText("3");
  expect((await findViolations(other)).filter(isSerious)).toEqual([]);
  expect(await getJson(server, "/issues/CARTS-2/")).toMatchObject({ isSettled: false });
  held.release();

  for (const [of, count] of [
    [page, "1"],
    [other, "2"],
  ] as const) {
    await expect(banner(of, /being moved/)).toHaveCount(0, settled);
    await expect(eventCount(of)).toContainText(count);
  }
  expect(await getJson(server, "/issues/CARTS-2/")).toMatchObject({ isSettled: true, count: "2" });
});

test("an issue is split, and the split undone: the answer waits for its events, or the page says that they are on their way", async ({
  page,
  startOwnServer,
}) => {
  const server = await startOwnServer();
  await signIn(page, server);
  const project = await createProject(server, "banks");
  for (const bank of ["Nord", "Sud"]) await project.store(cart("declined", { tags: { bank } }));
  await project.store(cart("declined"));

  const held = holdWrites(server, "event_moves");
  await openPage(page, `${server.url}/issues/BANKS-1/split?by=tags.bank`);
  await page.getByRole("button", { name: "Split BANKS-1" }).click();
  await expect(banner(page, /^Events of this issue are being grouped again/)).toBeVisible();
  await expect(eventCount(page)).toContainText("3");
  held.release();
  await expect(banner(page, /being grouped again/)).toHaveCount(0, settled);
  await expect(eventCount(page)).toContainText("1");

  await page.getByRole("button", { name: /^Undo / }).click();
  await expect(eventCount(page)).toContainText("3", settled);
  await expect(banner(page, /being moved|being grouped/)).toHaveCount(0);
});

test("an event is deleted: its issue says that it is being removed, and counts it no more once it is gone", async ({
  page,
  startOwnServer,
}) => {
  const server = await startOwnServer();
  await signIn(page, server);
  const project = await createProject(server, "gone");
  const [eventId, , third] = await project.store(makeError("Gone"), makeError("Gone"), makeError("Other"));

  const held = holdWrites(server, "deleted_events");
  await openPage(page, `${server.url}/events/${eventId}`);
  await page.getByRole("button", { name: "Delete this event…" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Delete event" }).click();
  await expect(banner(page, /^Deleted events of this issue are being removed/)).toBeVisible();
  await waitForScript(page);
  await expect(eventCount(page)).toContainText("2");
  held.release();
  // Whatever else is deleted takes along what is still to be hidden; the job itself comes back after half a minute.
  expect((await send(server, "DELETE", `/projects/default/gone/events/${third}/`)).status).toBe(202);
  await expect(banner(page, /being removed/)).toHaveCount(0, settled);
  await expect(eventCount(page)).toContainText("1");
});
