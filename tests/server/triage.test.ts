import { afterAll, beforeAll, expect, test } from "vitest";
import { dataPaths } from "../../app/data-folder/data-paths.ts";
import { hashPasswordSync } from "../../app/features/auth/password.server.ts";
import { openSqliteState } from "../../app/stores/sqlite/open-sqlite-state.ts";
import { scopeOf } from "../../app/stores/state/contract/fixture.ts";
import type { State } from "../../app/stores/state/state.ts";
import { getJson, listIssues, send, sendEnvelope, toEventEnvelope, waitForIssues } from "../support/api.ts";
import { signIn } from "../support/browse.ts";
import { startServer, type TestServer } from "../support/start-server.ts";
// For the hash that is made here: it costs what the server expects.
import "../support/quick-passwords.mjs";

const GRACE = { email: "grace@example.com", password: "a password of grace" };

interface Triaged {
  id: string;
  shortId: string;
  assignedTo: { type: string; id: string; name: string; email?: string } | null;
  priority: string;
}

let server: TestServer;
let issueId: string;
let graceId: number;
let teamId: number;
/** The same data that the server has. */
let state: State;
const ALL = scopeOf(...Array.from({ length: 20 }, (_, id) => id));

/** Grace sees the project through her team. */
beforeAll(async () => {
  server = await startServer();
  await sendEnvelope(server, toEventEnvelope({ message: "It broke" }).envelope);
  const [issue] = await waitForIssues(server, 1);
  issueId = issue?.id ?? "";
  state = await openSqliteState({ path: dataPaths(server.dataDir).state });
  graceId = await state.people.createMember({
    ...{ email: GRACE.email, name: "Grace Hopper", passwordHash: hashPasswordSync(GRACE.password), role: "member" },
    ...{ teamIds: [], projectIds: [], at: Date.now() },
  });
  const made = await state.members.createTeam(ALL, { slug: "shop", name: "Shop", memberId: graceId, at: Date.now() });
  teamId = made.ok ? made.team.id : 0;
});
afterAll(async () => {
  await state?.close();
  await server?.[Symbol.asyncDispose]();
});

const put = async (body: object) => {
  const response = await send(server, "PUT", `/issues/${issueId}/`, body);
  return { status: response.status, body: (await response.json()) as Triaged & { detail?: string } };
};
const search = async (query: string) => (await listIssues(server, query)).length;

test("an issue is assigned by the names of stock tools, and found by who works on it", async () => {
  expect((await put({ assignedTo: "grace@example.com" })).body.detail).toContain(
    "assignedTo: grace@example.com does not see the project",
  );
  // Nothing is changed, neither what stands before it nor what stands after it.
  const refused = await put({ priority: "high", assignedTo: "grace@example.com", status: "resolved" });
  expect(refused).toMatchObject({
    status: 400,
    body: { detail: "assignedTo: grace@example.com does not see the project of this issue; nothing was changed" },
  });
  expect(await getJson(server, `/issues/${issueId}/`)).toMatchObject({ status: "unresolved", priority: "medium" });
  const projectIds = (await state.projects.listProjects(ALL)).map(({ id }) => id);
  await state.members.changeTeam(ALL, { teamId, projectIds });
  const byMail = await put({ assignedTo: "grace@example.com" });
  expect(byMail.body.assignedTo).toEqual({
    type: "user",
    id: String(graceId),
    name: "Grace Hopper",
    email: GRACE.email,
  });
  expect(await search("assigned:grace@example.com")).toBe(1);
  expect(await search('assignee:"Grace Hopper"')).toBe(1);
  expect(await search("assigned:gr*")).toBe(1);
  expect(await search("assigned:[none, #shop]")).toBe(0);
  expect(await search("is:assigned !assigned:none")).toBe(1);
  for (const team of [`team:${teamId}`, "team:shop"])
    expect((await put({ assignedTo: team })).body.assignedTo).toMatchObject({ type: "team", name: "shop" });
  expect(await search("assigned:#shop")).toBe(1);
  expect((await put({ assignedTo: "" })).body.assignedTo).toBeNull();
  expect(await search("is:unassigned")).toBe(1);
  const { activity } = await getJson<{ activity: Array<{ type: string; data: object }> }>(
    server,
    `/issues/${issueId}/activities/`,
  );
  expect(activity.slice(0, 3).map(({ type }) => type)).toEqual(["unassigned", "assigned", "assigned"]);
});

test("owners by rule and who spoke last are suggested with their reasons, to the web API and the pages", async () => {
  const raw = "tags.level:error #shop\n";
  const saved = await send(server, "PUT", "/projects/default/shop/ownership/", {
    raw,
    autoAssignment: "Turn off Auto-Assignment",
  });
  expect(saved.status).toBe(200);
  const commented = await send(server, "POST", `/issues/${issueId}/comments/`, { text: "Mine?" });
  const comment = (await commented.json()) as { id: string };
  const { owners } = await getJson<{ owners: Array<{ type: string; owner: string; reason: string }> }>(
    server,
    `/issues/${issueId}/`,
  );
  expect(owners.map(({ type, owner, reason }) => [type, owner, reason])).toEqual([
    ["ownershipRule", `team:${teamId}`, "owns it by the rule tags.level:error #shop"],
    ["lastComment", "user:1", "wrote the last comment"],
  ]);
  const person = await signIn({ url: server.url, owner: GRACE });
  const { html } = await person.open(`/assignees?issue=${issueId}`);
  expect(JSON.parse(html)).toMatchObject([
    { assignee: { slug: "shop" }, why: "owns it by the rule tags.level:error #shop" },
    { assignee: { id: 1 } },
  ]);

  // The job has found the same by then, and searches, lists and menus of several issues know it.
  await expect.poll(() => search("assigned_or_suggested:#shop")).toBe(1);
  expect(await search("assigned_or_suggested:[my_teams, none]")).toBe(0);
  expect(await search("assigned_or_suggested:me")).toBe(1);
  const [listed] = (await listIssues(server, "assigned_or_suggested:me")) as unknown as Array<{ owners: object[] }>;
  expect(listed?.owners).toMatchObject([{ owner: `team:${teamId}` }, { owner: "user:1" }]);
  const many = await person.open(`/assignees?${new URLSearchParams([1, 2].map(() => ["issue", issueId]))}&issue=999`);
  expect(JSON.parse(many.html)).toHaveLength(2);
  const tooMany = Array.from({ length: 51 }, (_, id) => `issue=${id}`).join("&");
  expect((await person.open(`/assignees?${tooMany}`)).status).toBe(400);
  await put({ assignedTo: `user:${graceId}` });
  expect(await search("assigned_or_suggested:me"), "somebody else has it").toBe(0);
  await put({ assignedTo: "" });
  expect((await send(server, "DELETE", `/issues/${issueId}/comments/${comment.id}/`)).status).toBe(204);
});

test("links to other trackers are made, listed and removed by the web API", async () => {
  const path = `/issues/${issueId}/external-issues/`;
  const webUrl = "https://github.com/acme/shop/issues/7";
  expect((await send(server, "POST", path, { webUrl: "javascript:alert(1)" })).status).toBe(400);
  const made = await send(server, "POST", path, { webUrl });
  expect(made.status).toBe(201);
  const { id } = (await made.json()) as { id: string };
  expect(await getJson(server, path)).toMatchObject([{ id, issueId, webUrl, serviceType: "github.com" }]);
  expect((await send(server, "POST", path, { webUrl })).status).toBe(400);
  expect((await send(server, "DELETE", `${path}${id}/`)).status).toBe(204);
  expect((await send(server, "DELETE", `${path}${id}/`)).status).toBe(404);
  expect(await getJson(server, path)).toEqual([]);
});

test("the priority is set by hand, or left to level and frequency", async () => {
  expect((await put({ priority: "high" })).body.priority).toBe("high");
  expect([await search("priority:high"), await search("issue.priority:[medium, low]")]).toEqual([1, 0]);
  expect((await put({ priority: null })).body.priority).toBe("medium");
  const bulk = await send(server, "PUT", `/projects/default/shop/issues/?id=${issueId}`, { priority: "low" });
  expect(await bulk.json()).toEqual({ priority: "low", matchingCount: 1, changedCount: 1 });
  await put({ priority: null });
});

test("the pages assign, say who works on it, and undo", async () => {
  const person = await signIn({ url: server.url, owner: GRACE });
  const path = `/issues/${issueId}`;
  const assigned = await person.post(path, { intent: "assign", to: "me" });
  expect(assigned.html).toContain("Assigned to you.");
  const undo = /name="undo" value="(triage[^"]+)"/.exec(assigned.html)?.[1] ?? "";
  expect((await person.open("/issues?q=assigned%3Ame")).html).toContain("Grace Hopper");
  expect((await person.post(path, { undo })).html).toContain("Put back as it was.");
  expect((await getJson<Triaged>(server, `/issues/${issueId}/`)).assignedTo).toBeNull();
  expect((await person.post(path, { intent: "assign", to: "nobody@example.com" })).html).toContain(
    "there is no member and no team “nobody@example.com”",
  );
  const list = await person.post("/issues", { intent: "assign:me", issue: issueId });
  expect(list.html).toContain("1 issue assigned to Grace Hopper.");
  const prioritized = await person.post("/issues", { intent: "priority:high", issue: issueId });
  expect(prioritized.html).toContain("1 issue at high priority.");
  expect(await search("priority:high assigned:grace@example.com")).toBe(1);
});

test("comments are written, changed and deleted by the web API and the pages, each by its writer", async () => {
  const path = `/issues/${issueId}`;
  const added = await send(server, "POST", `${path}/comments/`, { text: "It is **the queue**, @grace" });
  expect(added.status).toBe(201);
  const { id } = (await added.json()) as { id: string };
  expect(await getJson(server, `${path}/notes/`)).toMatchObject([
    { id, type: "note", data: { text: "It is **the queue**, @grace", editedAt: null } },
  ]);
  expect(await getJson(server, `${path}/`)).toMatchObject({
    numComments: 1,
    isSubscribed: true,
    subscriptionDetails: { reason: "commented" },
  });
  const person = await signIn({ url: server.url, owner: GRACE });
  const page = await person.open(path);
  expect(page.html).toContain("<strong>the queue</strong>");
  expect(page.html).toContain("You are subscribed because");
  expect((await person.post(path, { intent: "delete-comment", comment: id })).html).toContain(
    "Only who wrote a comment can change or delete it.",
  );
  const own = await person.post(path, { intent: "comment", text: "<b>Mine</b>" });
  expect(own.html).toContain("Comment added.");
  expect(own.html).toContain("&lt;b&gt;Mine&lt;/b&gt;");
  expect((await person.post(path, { intent: "comment", text: "x".repeat(10_001) })).html).toContain(
    "A comment has at most 10000 characters.",
  );
  expect((await send(server, "PUT", `${path}/comments/${id}/`, { text: "The disk" })).status).toBe(200);
  const [mine] = await getJson<Array<{ id: string; user: { name: string } }>>(server, `${path}/comments/`);
  expect((await send(server, "DELETE", `${path}/comments/${mine?.id}/`)).status).toBe(403);
  const deleted = await person.post(path, { intent: "delete-comment", comment: mine?.id ?? "" });
  const undo = /name="undo" value="(comment\/[^"]+)"/
    .exec(deleted.html)?.[1]
    ?.replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">");
  expect((await person.post(path, { undo: undo ?? "" })).html).toContain("The comment is back.");
  expect((await send(server, "DELETE", `${path}/comments/${id}/`)).status).toBe(204);
  expect(await getJson(server, `${path}/comments/`)).toMatchObject([{ data: { text: "<b>Mine</b>" } }]);
});

test("a bookmark, a subscription and a look are each person's own", async () => {
  const path = `/issues/${issueId}`;
  const person = await signIn({ url: server.url, owner: GRACE });
  await person.post(`${path}/mine`, { intent: "seen" });
  expect((await person.post(`${path}/mine`, { intent: "bookmark" })).html).toContain("Remove bookmark");
  expect((await person.open("/issues?q=bookmarks%3Ame")).html).toContain("It broke");
  expect(await search("bookmarks:me")).toBe(0);
  expect(await getJson(server, `${path}/`)).toMatchObject({
    isBookmarked: false,
    hasSeen: false,
    seenBy: [{ name: "Grace Hopper" }],
  });
  const change = { isBookmarked: true, isSubscribed: false, hasSeen: true };
  expect((await put(change)).body).toMatchObject(change);
  expect(await search("bookmarks:me")).toBe(1);
  expect((await person.post(`${path}/mine`, { intent: "unsubscribe" })).html).toContain("Subscribers get mail");
  expect((await person.post(`${path}/mine`, { intent: "burn" })).status).toBe(400);
});

test("a day shows what is mine, my teams’, unassigned and loud, and what changed since I looked", async () => {
  const person = await signIn({ url: server.url, owner: GRACE });
  const part = async (key: string) => {
    const { html } = await person.open("/day");
    return new RegExp(`<section aria-labelledby="day-${key}".*?</section>`, "s").exec(html)?.[0] ?? "";
  };
  await put({ assignedTo: "", priority: "high" });
  expect(await part("loud")).toContain("It broke");
  expect(await part("mine")).toContain("Nothing is assigned to you.");
  await put({ assignedTo: GRACE.email });
  expect(await part("mine")).toContain("It broke");
  expect(await part("loud")).not.toContain("It broke");
  await put({ assignedTo: `team:${teamId}` });
  expect(await part("teams")).toContain("It broke");
  await person.post(`/issues/${issueId}/mine`, { intent: "seen" });
  expect(await part("changed")).toContain("Nothing happened");
  await send(server, "POST", `/issues/${issueId}/comments/`, { text: "News" });
  expect(await part("changed")).toContain("commented");
});

test("an issue is linked to a task elsewhere, whose form opens filled in and names no user", async () => {
  const path = `/issues/${issueId}`;
  const person = await signIn({ url: server.url, owner: GRACE });
  const saved = await person.post(path, { intent: "tracker", address: "https://github.com/acme/shop" });
  expect(saved.html).toContain("New issues are made in GitHub from now on.");
  const form = new URL(/href="(https:\/\/github\.com[^"]+)"/.exec(saved.html)?.[1]?.replaceAll("&amp;", "&") ?? "");
  expect(form.pathname).toBe("/acme/shop/issues/new");
  expect(form.searchParams.get("title")).toContain("It broke");
  expect(form.searchParams.get("body")).toContain(`/issues/${issueId}`);
  expect((await person.post(path, { intent: "tracker", address: "tasks.example" })).html).toContain(
    "Must be the address of a repository",
  );
  expect((await person.post(path, { intent: "tracker", address: "https://tasks.example" })).html).toContain(
    "Choose one. The address does not say which tracker it is.",
  );
  const linked = await person.post(path, { intent: "link", url: "https://github.com/acme/shop/issues/12" });
  expect(linked.html).toContain("Linked to acme/shop#12.");
  expect((await person.post(path, { intent: "link", url: "javascript:alert(1)" })).html).toContain(
    "Must be an address that begins with https://",
  );
  const link = /name="link" value="(\d+)"/.exec(linked.html)?.[1] ?? "";
  const unlinked = await person.post(path, { intent: "unlink", link });
  expect(unlinked.html).toContain("The link to acme/shop#12 was removed.");
  const undo = /name="undo" value="([^"]+)"/.exec(unlinked.html)?.[1] ?? "";
  expect((await person.post(path, { undo })).html).toContain("Linked to acme/shop#12 again.");
  expect((await person.post(path, { undo })).html).toContain("The issue is linked to it already.");
});
