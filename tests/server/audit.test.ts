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
afterAll(() => server?.stop());

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
