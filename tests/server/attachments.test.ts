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
  // What is resumed, or seeked in, is a part of the file.
  const address = `${server.url}/attachments/${eventId}/${last.id}`;
  const part = (headers: Record<string, string>) => fetch(address, { headers: { cookie: browser.cookie, ...headers } });
  const whole = await part({});
  const { "content-length": length, "accept-ranges": unit, etag = "" } = Object.fromEntries(whole.headers);
  expect([length, unit, etag]).toEqual([String(last.name.length), "bytes", `"${last.sha1}"`]);
  const middle = await part({ range: "bytes=5-7", "if-range": etag });
  expect([middle.status, await middle.text()]).toEqual([206, last.name.slice(5, 8)]);
  expect(middle.headers.get("content-range")).toBe(`bytes 5-7/${last.name.length}`);
  expect(middle.headers.get("content-length")).toBe("3");
  const changed = await part({ range: "bytes=5-7", "if-range": '"other"' });
  expect([changed.status, await changed.text()]).toEqual([200, last.name]);
  const behind = await part({ range: `bytes=${last.name.length}-` });
  expect([behind.status, behind.headers.get("content-range")]).toEqual([416, `bytes */${last.name.length}`]);
  const head = await fetch(address, { method: "HEAD", headers: { cookie: browser.cookie, range: "bytes=5-7" } });
  expect([head.status, head.headers.get("content-length")]).toEqual([200, length]);
  const byTool = await fetch(`${server.url}/api/0${list}${last.id}/?download=1`, {
    headers: { authorization: `Bearer ${server.token}`, range: "bytes=-4", "accept-encoding": "gzip" },
  });
  expect([byTool.status, await byTool.text()]).toEqual([206, ".txt"]);
  await expect(getJson(server, `${list}?cursor=x`)).rejects.toThrow("400");
});
