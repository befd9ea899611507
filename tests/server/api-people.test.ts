import { afterAll, beforeAll, expect, test } from "vitest";
import { dataPaths } from "../../app/data-folder/data-paths.ts";
import { openSqliteState } from "../../app/stores/sqlite/open-sqlite-state.ts";
import { signIn } from "../support/browse.ts";
import { makeToken } from "../support/make-token.ts";
import { startServer, type TestServer } from "../support/start-server.ts";

let server: TestServer;

beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server?.[Symbol.asyncDispose]());

async function call(method: string, path: string, body?: object, token = server.token) {
  const answer = await fetch(`${server.url}/api/0${path}`, {
    method,
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    ...(body && { body: JSON.stringify(body) }),
  });
  const text = await answer.text();
  return { status: answer.status, json: text === "" ? null : JSON.parse(text) };
}

test("a team is made, gets members and projects, and is shown with its projects", async () => {
  const made = await call("POST", "/organizations/default/teams/", { name: "Checkout", slug: "checkout" });
  expect(made).toMatchObject({ status: 201, json: { slug: "checkout", name: "Checkout", memberCount: 0 } });
  expect((await call("POST", "/organizations/default/teams/", { slug: "checkout" })).status).toBe(409);
  expect((await call("POST", "/organizations/default/teams/", {})).json.detail).toContain("name: is required");

  const joined = await call("POST", "/organizations/default/members/me/teams/checkout/");
  expect(joined).toMatchObject({ status: 201, json: { memberCount: 1, isMember: true } });
  const project = await call("POST", "/teams/default/checkout/projects/", { name: "Till" });
  expect(project).toMatchObject({ status: 201, json: { slug: "till", team: { slug: "checkout" } } });
  expect((await call("POST", "/organizations/default/projects/", { name: "Cart" })).json.teams).toEqual([]);
  const given = await call("POST", "/projects/default/cart/teams/checkout/");
  expect(given).toMatchObject({ status: 201, json: { teams: [{ slug: "checkout" }] } });
  const projects = await call("GET", "/teams/default/checkout/projects/");
  expect(projects.json.map(({ slug }: { slug: string }) => slug).sort()).toEqual(["cart", "till"]);
  expect((await call("GET", "/projects/default/cart/teams/")).json).toMatchObject([{ slug: "checkout" }]);
  expect(await call("DELETE", "/projects/default/cart/teams/checkout/")).toMatchObject({
    status: 200,
    json: { teams: [] },
  });
  expect((await call("GET", "/teams/default/checkout/members/")).json).toMatchObject([
    { id: "1", teams: ["checkout"] },
  ]);

  expect((await call("PUT", "/teams/default/checkout/", { slug: "tills" })).json.slug).toBe("tills");
  expect((await call("GET", "/teams/default/checkout/")).status).toBe(404);
  expect((await call("DELETE", "/organizations/default/members/1/teams/tills/")).json.memberCount).toBe(0);
  expect((await call("DELETE", "/teams/default/tills/")).status).toBe(204);
  expect((await call("GET", "/organizations/default/teams/")).json).toEqual([]);
});

test("somebody is invited, changed and removed, by the rules of the pages", async () => {
  await call("POST", "/organizations/default/teams/", { slug: "web" });
  const invited = await call("POST", "/organizations/default/members/", {
    email: "Grace@example.com",
    orgRole: "admin",
    teamRoles: [{ teamSlug: "web", role: null }],
  });
  expect(invited).toMatchObject({
    status: 201,
    json: { email: "grace@example.com", pending: true, user: null, orgRole: "admin", teams: ["web"] },
  });
  const { id } = invited.json;
  expect((await call("GET", "/organizations/default/members/")).json).toMatchObject([
    { id: "1", orgRole: "owner" },
    { id },
  ]);
  expect((await call("GET", `/organizations/default/members/${id}/`)).json.pending).toBe(true);
  expect((await call("DELETE", `/organizations/default/members/${id}/`)).status).toBe(204);
  expect((await call("GET", `/organizations/default/members/${id}/`)).status).toBe(404);

  const bad = [
    await call("POST", "/organizations/default/members/", { email: "owner@example.com" }),
    await call("POST", "/organizations/default/members/", { email: "nonsense" }),
    await call("POST", "/organizations/default/members/", {
      email: "x@example.com",
      teamRoles: [{ teamSlug: "none" }],
    }),
    await call("PUT", "/organizations/default/members/1/", { orgRole: "billing" }),
    await call("PUT", "/organizations/default/members/1/", { orgRole: "viewer" }),
    await call("DELETE", "/organizations/default/members/1/"),
    await call("GET", "/organizations/default/members/99/"),
  ];
  expect(bad.map(({ status }) => status)).toEqual([409, 400, 400, 400, 409, 409, 404]);
  expect((await call("PUT", "/organizations/default/members/1/", { teams: ["web"] })).json.teams).toEqual(["web"]);
  expect((await call("GET", "/projects/default/culprit/members/")).json).toMatchObject([
    { email: "owner@example.com" },
  ]);
});

test("a viewer of chosen projects is invited, and gets others", async () => {
  for (const name of ["One", "Two"]) await call("POST", "/organizations/default/projects/", { name });
  const body = { email: "viewer@example.com", orgRole: "viewer", projects: ["two"] };
  const invited = await call("POST", "/organizations/default/members/", body);
  expect(invited).toMatchObject({ status: 201, json: { orgRole: "viewer", projects: ["two"] } });
  const wrong = await call("POST", "/organizations/default/members/", { ...body, projects: ["nothing"] });
  expect(wrong).toMatchObject({ status: 400, json: { detail: 'projects: there is no project "nothing"' } });
  const me = "/organizations/default/members/1/";
  expect((await call("PUT", me, { projects: ["one", "two"] })).json.projects.toSorted()).toEqual(["one", "two"]);
  expect((await call("PUT", me, { teams: [] })).json.projects).toHaveLength(2);
  expect((await call("PUT", me, { projects: [] })).json.projects).toEqual([]);
});

test("a token of the organization cannot make an owner, and the log of changes names it", async () => {
  const token = await makeToken(server, { scopes: ["member:admin", "org:write"] });
  const owner = { email: "o@example.com", orgRole: "owner" };
  expect((await call("POST", "/organizations/default/members/", owner, token)).status).toBe(403);
  expect((await call("DELETE", "/organizations/default/members/1/", undefined, token)).status).toBe(409);
  expect((await call("POST", "/organizations/default/members/", { email: "m@example.com" }, token)).status).toBe(201);
  const log = await call(
    "GET",
    "/organizations/default/audit-logs/?event=invitation.create&query=target:m@",
    undefined,
    token,
  );
  expect(log.json.rows).toMatchObject([
    { event: "invitation.create", actor: { kind: "token" }, target: { name: "m@example.com" } },
  ]);
  expect((await call("GET", "/organizations/default/audit-logs/?query=nonsense:x", undefined, token)).status).toBe(400);
});

test("changes of one team that come at once, by page and by API, are all kept", async () => {
  await call("POST", "/organizations/default/teams/", { slug: "crowd" });
  await call("POST", "/organizations/default/teams/", { slug: "other" });
  const state = await openSqliteState({ path: dataPaths(server.dataDir).state });
  const userIds: number[] = [];
  for (let index = 0; index < 12; index++)
    userIds.push(
      await state.people.createMember({
        ...{ email: `member${index}@example.com`, name: `Member ${index}`, passwordHash: "none", role: "member" },
        ...{ teamIds: [], projectIds: [], at: Date.now() },
      }),
    );
  await state.close();
  const [byPage = [], byApi = [], leaving = [], roles = []] = [0, 3, 6, 9].map((at) => userIds.slice(at, at + 3));
  const toTeam = (method: string, id: number) => call(method, `/organizations/default/members/${id}/teams/crowd/`);
  await Promise.all(leaving.map((id) => toTeam("POST", id)));
  const visitor = await signIn(server);
  // What each form shows is from before all of the changes.
  const page = (await visitor.open("/settings/teams/crowd")).html;
  const before = /name="member-before" value="([\d,]*)"/.exec(page)?.[1] ?? "";
  expect(before.split(",").map(Number)).toEqual(leaving);
  const check = (id: number) => {
    const fields = new URLSearchParams({
      intent: "access",
      "member-before": before,
      "project-before": "",
      "all-before": "0",
    });
    for (const each of [...leaving, id]) fields.append("member", String(each));
    return visitor.post("/settings/teams/crowd", fields);
  };
  const answers = await Promise.all([
    ...byPage.map(check),
    ...byApi.map((id) => toTeam("POST", id)),
    ...leaving.map((id) => toTeam("DELETE", id)),
    ...roles.map((id) => call("PUT", `/organizations/default/members/${id}/`, { orgRole: "admin" })),
    ...roles.map((id) => toTeam("POST", id)),
    call("PUT", "/teams/default/crowd/", { name: "Crowd of many" }),
    call("POST", "/projects/default/culprit/teams/crowd/"),
  ]);
  expect(answers.map(({ status }) => status).filter((status) => status >= 300)).toEqual([]);
  const members = (await call("GET", "/teams/default/crowd/members/")).json as Array<{ id: string; orgRole: string }>;
  const found = members.map(({ id }) => Number(id)).sort((one, two) => one - two);
  expect(found).toEqual([...byPage, ...byApi, ...roles].sort((one, two) => one - two));
  expect(
    members
      .filter(({ orgRole }) => orgRole === "admin")
      .map(({ id }) => Number(id))
      .sort(),
  ).toEqual(roles);
  expect((await call("GET", "/teams/default/crowd/")).json).toMatchObject({ name: "Crowd of many" });
  expect((await call("GET", "/projects/default/culprit/teams/")).json).toMatchObject([{ slug: "crowd" }]);

  // Teams of one member, changed on that person's page and by a team's.
  const [one = 0] = byApi;
  const teamsOf = async () => (await call("GET", `/organizations/default/members/${one}/`)).json.teams;
  const own = /name="team-before" value="([\d,]*)"/.exec((await visitor.open(`/settings/members/${one}`)).html)?.[1];
  const otherId = (await call("GET", "/teams/default/other/")).json.id;
  await toTeam("DELETE", one);
  const fields = new URLSearchParams({ intent: "access", "team-before": own ?? "", "project-before": "" });
  for (const id of [own ?? "", otherId]) fields.append("team", id);
  expect((await visitor.post(`/settings/members/${one}`, fields)).status).toBe(200);
  expect(await teamsOf()).toEqual(["other"]);
});
