import { afterAll, beforeAll, expect, test } from "vitest";
import { getJson, waitForEvent } from "../support/api.ts";
import { makeMinidump } from "../support/make-minidump.ts";
import { startServer, type TestServer } from "../support/start-server.ts";

// Crash reporters upload a dump, as Crashpad does it for the SDK for C and C++.

let server: TestServer;

beforeAll(async () => {
  server = await startServer();
});
afterAll(async () => {
  await server?.[Symbol.asyncDispose]();
});

function upload(form: FormData): Promise<Response> {
  const { username, pathname } = new URL(server.dsn ?? "");
  const query = `sentry_client=sentry.native/0.13.0&sentry_key=${username}`;
  return fetch(`${server.url}/api${pathname}/minidump/?${query}`, { method: "POST", body: form });
}

test("a minidump becomes an event that says what stopped the program, and keeps the file", async () => {
  const form = new FormData();
  form.append("sentry", JSON.stringify({ release: "shop@1.2.0" }));
  form.append("upload_file_minidump", new Blob([Uint8Array.from(makeMinidump())]), "crash.dmp");
  const answered = await upload(form);
  expect([answered.status, answered.headers.get("content-type")]).toEqual([200, "text/plain; charset=utf-8"]);
  const id = await answered.text();
  expect(id).toMatch(/^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
  const eventId = id.replaceAll("-", "");
  expect(await waitForEvent(server, eventId)).toMatchObject({
    title: "SIGSEGV in shop",
    platform: "native",
    release: { version: "shop@1.2.0" },
  });
  const files = await getJson<unknown[]>(server, `/projects/default/shop/events/${eventId}/attachments/`);
  expect(files).toMatchObject([{ name: "crash.dmp", type: "event.minidump" }]);
});

test("something else than a minidump is refused with the reason", async () => {
  const form = new FormData();
  form.append("upload_file_minidump", new Blob(["PK"]), "crash.zip");
  const answered = await upload(form);
  expect(answered.status).toBe(400);
  expect(await answered.json()).toMatchObject({ detail: expect.stringContaining("those begin with MDMP") });
});

test("a dump that could never be taken gets 413, and not 503", async () => {
  const form = new FormData();
  form.append("upload_file_minidump", new Blob([Buffer.alloc(88 * 1024 * 1024, "MDMP")]), "crash.dmp");
  expect((await upload(form)).status).toBe(413);
});
