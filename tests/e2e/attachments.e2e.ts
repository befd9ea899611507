import { readFileSync } from "node:fs";
import { sendEnvelope, toEventEnvelope, waitForEvent } from "../support/api.ts";
import { expect, openPage, test } from "../support/browser-test.ts";
import { makeError } from "../support/make-event.ts";

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
