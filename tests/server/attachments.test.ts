import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { getJson, sendEnvelope, toEventEnvelope, waitFor, waitForEvent } from "../support/api.ts";
import { signIn } from "../support/browse.ts";
import { startServer } from "../support/start-server.ts";

interface File {
  id: string;
  name: string;
  sha1: string;
}

/** Of one envelope (protocol 2.5). */
const MOST = 30;

test("every file of an event with many is listed, and can be downloaded", async () => {
  await using server = await startServer();
  const { eventId, envelope } = toEventEnvelope({ message: "with many files" });
  await sendEnvelope(server, envelope);
  await waitForEvent(server, eventId);
  const names = Array.from({ length: 5 * MOST }, (_, index) => `file-${index}.txt`);
  for (let from = 0; from < names.length; from += MOST) {
    const items = names.slice(from, from + MOST).map((filename) => {
      const header = JSON.stringify({ type: "attachment", length: filename.length, filename });
      return `${header}\n${filename}\n`;
    });
    expect((await sendEnvelope(server, `{"event_id":"${eventId}"}\n${items.join("")}`)).status).toBe(200);
  }
  const list = `/projects/default/shop/events/${eventId}/attachments/`;
  const second = await waitFor("the last file", async () => {
    const files = await getJson<File[]>(server, `${list}?cursor=100`);
    return files.length === 50 && files;
  });
  const response = await fetch(`${server.url}/api/0${list}`, { headers: { authorization: `Bearer ${server.token}` } });
  expect(response.headers.get("link")).toContain('rel="next"; results="true"; cursor="100"');
  const files = [...((await response.json()) as File[]), ...second];
  expect(files.map(({ name }) => name)).toEqual(names);
  const last = files.at(-1) as File;
  // @sentry/mcp-server refuses a list with a file that has none.
  expect(last.sha1).toBe(createHash("sha1").update(last.name).digest("hex"));
  const browser = await signIn(server);
  expect((await browser.open(`/attachments/${eventId}/${last.id}`)).html).toBe(last.name);
  await expect(getJson(server, `${list}?cursor=x`)).rejects.toThrow("400");
});
