import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterAll, beforeAll, expect, test } from "vitest";
import { findBrokenEntry } from "../../app/backup/check-state.server.ts";
import { signIn, type Visitor } from "../support/browse.ts";
import { startServer, type TestServer } from "../support/start-server.ts";

interface Exported {
  id: number;
  at: string;
  actor: { kind: string; name: string; address: string | null };
  action: string;
  target: { kind: string; name: string };
  changes: Array<{ field: string; before?: unknown; after?: unknown }>;
}

let server: TestServer;
let owner: Visitor;

beforeAll(async () => {
  server = await startServer();
  owner = await signIn(server);
});
afterAll(() => server?.[Symbol.asyncDispose]());

async function find(search: string): Promise<Exported[]> {
  const { status, html } = await owner.open(`/settings/audit/export?format=json&q=${encodeURIComponent(search)}`);
  expect(status).toBe(200);
  return JSON.parse(html);
}

test("a change of a page names the member and the address, and stands on the page with both sides", async () => {
  await owner.post("/settings/teams", { intent: "create", name: "Shop" });
  await owner.post("/settings/teams/shop", { intent: "rename", name: "The shop" });
  const [edit] = await find("action:team.edit");
  expect(edit).toMatchObject({
    actor: { kind: "member", name: expect.stringContaining("<owner@example.com>"), address: "127.0.0.1" },
    target: { kind: "team", name: "shop" },
    changes: expect.arrayContaining([{ field: "name", before: "Shop", after: "The shop" }]),
  });
  const page = await owner.open("/settings/audit?q=target%3Ashop&check=on");
  expect(page.html).toContain("changed a team");
  expect(page.html).toContain("The chain fits");
  expect((await owner.open("/settings/audit?q=nonsense%3Ax")).html).toContain('role="alert"');
});

test("a change of the web API names the token", async () => {
  const answer = await fetch(`${server.url}/api/0/organizations/default/repos/`, {
    method: "POST",
    headers: { authorization: `Bearer ${server.token}`, "content-type": "application/json" },
    body: JSON.stringify({ name: "acme/shop", provider: "github" }),
  });
  expect(answer.status).toBe(201);
  expect(await find("action:repository.create")).toEqual([
    expect.objectContaining({
      actor: expect.objectContaining({ kind: "token" }),
      target: expect.objectContaining({ name: "acme/shop" }),
    }),
  ]);
});

test("sign-ins are entries, and strangers cannot fill the log with failed ones", async () => {
  expect((await find("action:session.begin")).length).toBeGreaterThan(0);
  for (let attempt = 0; attempt < 5; attempt++)
    await fetch(`${server.url}/sign-in`, {
      method: "POST",
      headers: { origin: server.url },
      body: new URLSearchParams({ email: "owner@example.com", password: `wrong ${attempt}` }),
    });
  const failed = await find("action:session.failed");
  expect(failed).toHaveLength(1);
  expect(failed[0]?.changes).toContainEqual({ field: "members", after: ["owner@example.com"] });
});

test("a token that expired or was revoked is answered 401 with why, and its last use has an address", async () => {
  const make = async (expires: string) => {
    const { html } = await owner.post("/settings/tokens", {
      intent: "create",
      kind: "personal",
      name: `for ${expires}`,
      scope: "org:read",
      expires,
    });
    return /SENTRY_AUTH_TOKEN=(sntryu_[0-9a-f]{64})/.exec(html)?.[1] ?? html;
  };
  const use = (token: string) =>
    fetch(`${server.url}/api/0/organizations/default/`, { headers: { authorization: `Bearer ${token}` } });
  expect(
    (await owner.post("/settings/tokens", { intent: "create", kind: "personal", name: "x", expires: "8" })).status,
  ).toBe(400);
  const [expiring, revoked] = [await make("7"), await make("never")];
  expect((await use(expiring)).status).toBe(200);
  const page = await owner.open("/settings/tokens");
  expect(page.html).toContain("A token expires within two weeks.");
  expect(page.html).toContain("127.0.0.1");
  expect(page.html).toContain("never expires");
  using database = new DatabaseSync(join(server.dataDir, "state.sqlite"), { timeout: 5_000 });
  database.exec(`UPDATE api_tokens SET expires_at = ${Date.now() - 1} WHERE name = 'for 7'`);
  const id = String(database.prepare("SELECT id FROM api_tokens WHERE name = 'for never'").get()?.id);
  await owner.post("/settings/tokens", { intent: "revoke", token: id });
  for (const [token, word] of [
    [expiring, "expired"],
    [revoked, "was revoked"],
  ] as const) {
    const answer = await use(token);
    expect(answer.status).toBe(401);
    expect(await answer.text()).toContain(word);
  }
});

test("a token of the organization deletes projects with org:admin alone, which only owners can give it", async () => {
  const make = async (scope: string) => {
    const { html } = await owner.post("/settings/tokens", {
      intent: "create",
      kind: "organization",
      name: scope,
      scope,
    });
    return /SENTRY_AUTH_TOKEN=(sntrys_[\w+/=]+)/.exec(html)?.[1] ?? html;
  };
  const created = await fetch(`${server.url}/api/0/organizations/default/projects/`, {
    method: "POST",
    headers: { authorization: `Bearer ${server.token}`, "content-type": "application/json" },
    body: JSON.stringify({ name: "Gone", slug: "gone" }),
  });
  expect(created.status).toBe(201);
  const remove = async (token: string) =>
    fetch(`${server.url}/api/0/projects/default/gone/`, {
      method: "DELETE",
      headers: { authorization: `Bearer ${token}` },
    });
  expect((await remove(await make("project:admin"))).status).toBe(403);
  const owners = await make("org:admin");
  expect((await remove(owners)).status).toBe(204);
  expect(await find("action:project.delete")).toEqual([
    expect.objectContaining({ actor: expect.objectContaining({ kind: "token", name: "org:admin" }) }),
  ]);
});

test("the log is a table, too, in which no cell begins a formula", async () => {
  await owner.post("/settings/teams", { intent: "create", name: '=1+1, "x"' });
  const { html } = await owner.open("/settings/audit/export?format=csv");
  const [head, ...lines] = html.trimEnd().split("\r\n");
  expect(head).toBe("entry,time,actor kind,actor,action,target kind,target,address,changes,hash");
  expect(lines.length).toBeGreaterThan(3);
  for (const line of lines) expect(line).not.toMatch(/(^|,)"?[=+@]/);
  expect((await owner.open("/settings/audit/export?format=xml")).status).toBe(400);
});

test("a change by somebody else is found: on the page, and by the check of a data folder", async () => {
  using database = new DatabaseSync(join(server.dataDir, "state.sqlite"));
  expect(findBrokenEntry(database)).toBeNull();
  database.exec("DROP TRIGGER audit_entries_stay_as_they_are");
  database.exec("UPDATE audit_entries SET actor_name = 'Eve' WHERE id = 3");
  expect(findBrokenEntry(database)).toMatchObject({ id: 3 });
  expect((await owner.open("/settings/audit?check=on")).html).toContain("The chain is broken at entry 3");
});
