import { expect, test } from "vitest";
import { getJson, listIssues, send, sendEnvelope, toEventEnvelope, waitFor } from "../support/api.ts";
import { signIn } from "../support/browse.ts";
import { startServer } from "../support/start-server.ts";

const broken = (type: string, filename: string) => ({
  platform: "node",
  exception: { values: [{ type, value: "it broke", stacktrace: { frames: [{ filename, in_app: true }] } }] },
});

interface OwnedIssue {
  id: string;
  title: string;
  assignedTo: { email?: string } | null;
}

interface Ownership {
  raw: string;
  autoAssignment: string;
}

test("rules are tried on stored events, and assign new issues once the project wants it", async () => {
  await using server = await startServer();
  const visitor = await signIn(server);
  const report = async (event: Record<string, unknown>) =>
    expect((await sendEnvelope(server, toEventEnvelope(event).envelope)).status).toBe(200);
  const change = (fields: Record<string, string>) => visitor.post("/projects/shop/owners", fields);
  const assigneeOf = async (title: string) => {
    const issues = await getJson<OwnedIssue[]>(server, "/projects/default/shop/issues/");
    return issues.find((issue) => issue.title.startsWith(title))?.assignedTo ?? null;
  };
  const members = await getJson<Array<{ email: string }>>(server, "/organizations/default/members/");
  const owner = members[0]?.email ?? "";

  await report(broken("OldError", "src/billing/old.ts"));
  await waitFor("the first event", async () => (await listIssues(server)).length === 1);
  const text = `path:src/billing/* ${owner}\ncodeowners:/docs/ #nobody`;
  const tried = await change({ intent: "try", text, event: "" });
  expect([tried.status, tried.html.includes("1 of 1 event would have an owner")]).toEqual([200, true]);
  expect((await getJson<Ownership>(server, "/projects/default/shop/ownership/")).raw).toBe("");
  const refused = await change({ intent: "save", text: `${text}\nsrc/* ${owner}` });
  expect([refused.status, refused.html.includes("Line 3, character 1")]).toEqual([400, true]);

  expect((await change({ intent: "save", text, assigning: "on" })).status).toBe(200);
  expect((await visitor.open("/projects/shop/owners")).html).toContain("is no team");
  const imported = await change({ intent: "import", codeowners: "/mobile/ @acme/mobile\n*.sql @ada" });
  expect([imported.status, imported.html.includes("1 rule imported")]).toEqual([200, true]);
  expect(await getJson<Ownership>(server, "/projects/default/shop/ownership/")).toMatchObject({
    raw: `codeowners:/mobile/ #mobile\npath:src/billing/* ${owner}`,
    autoAssignment: "Auto Assign to Issue Owner",
  });

  await report(broken("OtherError", "src/web/page.ts"));
  await report(broken("NewError", "src/billing/charge.ts"));
  await waitFor("the rule to assign", async () => (await assigneeOf("NewError")) !== null);
  expect(await assigneeOf("NewError")).toMatchObject({ email: owner });
  expect(await assigneeOf("OtherError")).toBeNull();
  const issues = await getJson<OwnedIssue[]>(server, "/projects/default/shop/issues/");
  const issue = issues.find(({ title }) => title.startsWith("NewError"));
  expect((await visitor.open(`/issues/${issue?.id}`)).html).toContain(`by the rule path:src/billing/* ${owner}`);

  const put = (body: object) => send(server, "PUT", "/projects/default/shop/ownership/", body);
  const off = await put({ raw: "tags.region:eu #europe\n", autoAssignment: "Turn off Auto-Assignment" });
  expect([off.status, await off.json()]).toMatchObject([200, { autoAssignment: "Turn off Auto-Assignment" }]);
  for (const body of [{ fallthrough: true }, { codeownersAutoSync: true }, { raw: "nothing" }])
    expect((await put(body)).status).toBe(400);
  expect((await put({ autoAssignment: "Auto Assign to Suspect Commits" })).status).toBe(400);
});

test("issues about a monitor go to the owner that its configuration names, whatever the rules say", async () => {
  await using server = await startServer();
  const visitor = await signIn(server);
  const [member] = await getJson<Array<{ email: string; user: { id: string } }>>(
    server,
    "/organizations/default/members/",
  );
  const schedule = { type: "interval", value: 1, unit: "day" };
  const fail = (slug: string, owner: string) => {
    const checkIn = { monitor_slug: slug, status: "error", monitor_config: { schedule, owner } };
    return sendEnvelope(server, `{}\n{"type":"check_in"}\n${JSON.stringify(checkIn)}\n`);
  };
  await fail("elsewhere", "user:99");
  await fail("nightly", `user:${member?.user.id}`);
  const issues = () => getJson<OwnedIssue[]>(server, "/projects/default/shop/issues/");
  const find = async (title: string) => (await issues()).find((issue) => issue.title === title);
  await waitFor("the owner", async () => (await find("nightly failed"))?.assignedTo?.email === member?.email);
  const { html } = await visitor.open(`/issues/${(await find("nightly failed"))?.id}`);
  expect(html).toContain("by the rule owner of the monitor nightly");
  expect((await find("elsewhere failed"))?.assignedTo).toBeNull();
});
