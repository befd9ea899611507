import { readFileSync } from "node:fs";
import { sendEnvelope, toEventEnvelope, waitForEvent } from "../support/api.ts";
import { expect, openPage, test } from "../support/browser-test.ts";
import { makeError } from "../support/make-event.ts";

test("files of an event are shown a hundred at a time", async ({ page, project, server }) => {
  const { eventId, envelope } = toEventEnvelope(makeError("With many files"));
  const to = { url: server.url, dsn: project.dsn };
  await sendEnvelope(to, envelope);
  for (let from = 0; from < 120; from += 30) {
    const files = Array.from({ length: 30 }, (_, index) => {
      const header = { type: "attachment", length: 4, filename: `file-${from + index}.txt` };
      return `${JSON.stringify(header)}\ntext\n`;
    });
    await sendEnvelope(to, `{"event_id":"${eventId}"}\n${files.join("")}`);
  }
  await waitForEvent(server, eventId, project.slug);
  const pages = page.getByRole("navigation", { name: "Pages of attachments" });
  const rows = page.getByRole("region", { name: "Attachments" }).last().getByRole("row");
  await expect(async () => {
    await openPage(page, `/events/${eventId}`);
    await expect(pages.getByRole("link", { name: "Next" })).toBeVisible({ timeout: 1_000 });
  }).toPass();
  await expect(rows).toHaveCount(101);
  await pages.getByRole("link", { name: "Next" }).click();
  await expect(rows.last()).toContainText("file-119.txt");
  await expect(rows).toHaveCount(21);
  await pages.getByRole("link", { name: "Previous" }).click();
  await expect(rows).toHaveCount(101);
});

test("an attachment has the size of the file that one downloads", async ({ page, project, server }) => {
  const { eventId, envelope } = toEventEnvelope(makeError("Attached"));
  const note = `{"type":"attachment","length":9,"filename":"note.txt","content_type":"text/plain"}\nnine byte\n`;
  const answer = await sendEnvelope({ url: server.url, dsn: project.dsn }, `${envelope}${note}`);
  expect(answer.status).toBe(200);
  await waitForEvent(server, eventId, project.slug);
  await openPage(page, `/events/${eventId}`);
  const row = page.getByRole("row").filter({ hasText: "note.txt" });
  await expect(row.getByRole("cell").last()).toHaveText("9 B");
  const [download] = await Promise.all([page.waitForEvent("download"), row.getByRole("link").click()]);
  expect(readFileSync(await download.path()).length).toBe(9);
});

test("a screenshot of an event is shown, and what only has its name is not", async ({ page, project, server }) => {
  const { eventId, envelope } = toEventEnvelope(makeError("With a screenshot"));
  const picture = readFileSync("public/icon-192.png");
  const files = [
    ["screenshot.png", picture],
    ["broken.png", Buffer.from("no picture")],
    ["note.txt", Buffer.from("a note")],
  ] as const;
  const items = files.flatMap(([filename, bytes]) => [
    Buffer.from(`${JSON.stringify({ type: "attachment", filename, length: bytes.length })}\n`),
    bytes,
    Buffer.from("\n"),
  ]);
  await sendEnvelope({ url: server.url, dsn: project.dsn }, Buffer.concat([Buffer.from(envelope), ...items]));
  await waitForEvent(server, eventId, project.slug);
  await openPage(page, `/events/${eventId}`);
  const list = page.getByRole("region", { name: "Attachments" }).last();
  const image = list.getByRole("img", { name: "Attached: screenshot.png" });
  await image.scrollIntoViewIfNeeded();
  await expect.poll(() => image.evaluate((drawn: HTMLImageElement) => drawn.naturalWidth)).toBe(192);
  await expect(list.getByRole("row", { name: /broken\.png/ })).toContainText("no image that a browser can show");
  await expect(list.getByRole("img")).toHaveCount(1);
});
