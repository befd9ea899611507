import { afterAll, beforeAll, expect, test } from "vitest";
import { signIn, type Visitor } from "../support/browse.ts";
import { startServer, type TestServer } from "../support/start-server.ts";

let server: TestServer;
let owner: Visitor;

beforeAll(async () => {
  server = await startServer();
  owner = await signIn(server);
});
afterAll(async () => {
  await server?.[Symbol.asyncDispose]();
});

async function join(name: string): Promise<{ visitor: Visitor; path: string }> {
  const { html } = await owner.post("/settings/invitations", { intent: "invite", role: "member" });
  const url = /http:\/\/[^"\s<]+\/invitation\/[\w-]{43}/.exec(html)?.[0] ?? "";
  const account = { name, email: `${name}@example.com`, password: "a long password" };
  await fetch(url, {
    method: "POST",
    redirect: "manual",
    headers: { origin: server.url },
    body: new URLSearchParams(account),
  });
  const members = (await owner.open("/settings/members")).html;
  const path = new RegExp(`href="(/settings/members/\\d+)"[^>]*>[^<]*${name}`).exec(members)?.[1] ?? "";
  return { visitor: await signIn({ url: server.url, owner: account }), path };
}

test("streams of a member end when the member is removed, and cannot be opened again", async () => {
  const { visitor, path } = await join("grace");
  const live = await fetch(`${server.url}/live`, { headers: { cookie: visitor.cookie } });
  const tail = await fetch(`${server.url}/logs/tail`, { headers: { cookie: visitor.cookie } });
  expect([live.status, tail.status]).toEqual([200, 200]);
  expect((await owner.post(path, { intent: "remove" })).status).toBe(200);
  // They have no other end for ten minutes.
  await Promise.all([live.text(), tail.text()]);
  expect(
    (await fetch(`${server.url}/live`, { headers: { cookie: visitor.cookie }, redirect: "manual" })).status,
  ).not.toBe(200);
});
