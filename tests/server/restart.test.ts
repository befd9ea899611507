import { expect, test } from "vitest";
import {
  type ApiEvent,
  getJson,
  getLatestEvent,
  listIssues,
  projectIdOf,
  send,
  sendEnvelope,
  sumOutcomes,
  toEventEnvelope,
  waitForEvent,
} from "../support/api.ts";
import { type Page, signIn, type Visitor } from "../support/browse.ts";
import { findFreePort } from "../support/find-free-port.ts";
import { makeProject } from "../support/make-project.ts";
import { startServer, type TestServer } from "../support/start-server.ts";
import { makeTempFolder } from "../support/temp-folder.ts";

const failure = (name: string) => ({
  user: { id: "4711" },
  tags: { plan: "pro" },
  exception: {
    values: [
      {
        type: `${name}Error`,
        value: `${name} failed`,
        stacktrace: { frames: [{ function: `do${name}`, filename: `${name}.js`, lineno: 1, in_app: true }] },
      },
    ],
  },
});

/** Everything that people and machines see, as one value to compare. */
async function readAll(server: TestServer, { open }: Visitor) {
  const issues = await listIssues(server);
  const pages: Page[] = [];
  for (const path of ["/issues?period=90d", "/projects", "/arrived", "/projects/shop/settings"])
    pages.push(await open(path));
  const project = projectIdOf(server);
  return {
    issues: issues.sort((a, b) => Number(a.id) - Number(b.id)),
    latest: await Promise.all(issues.map((issue) => getLatestEvent(server, issue))),
    events: await getJson<ApiEvent[]>(server, "/projects/default/shop/events/"),
    projects: await getJson(server, "/organizations/default/projects/"),
    keys: await getJson(server, "/projects/default/shop/keys/"),
    ledger: {
      accepted: await sumOutcomes(server, { project, outcome: "accepted" }),
      refused: await sumOutcomes(server, { project, reason: "malformed_envelope" }),
      all: await sumOutcomes(server, { project }),
    },
    pages: pages.map(({ status, url }) => [status, url]),
  };
}

test("a restart keeps events, issues and their status, projects, keys, limits, the ledger, and who is signed in", async () => {
  using data = makeTempFolder();
  const first = await startServer({ dataDir: data.path, port: await findFreePort() });
  const visitor = await signIn(first);
  const ids: string[] = [];
  for (const name of ["Cart", "Cart", "Pay", "Login"]) {
    const { eventId, envelope } = toEventEnvelope(failure(name));
    expect((await sendEnvelope(first, envelope)).status).toBe(200);
    ids.push(eventId);
  }
  await sendEnvelope(first, "no envelope");
  for (const id of ids) await waitForEvent(first, id);
  const [pay] = await listIssues(first, "PayError");
  const [login] = await listIssues(first, "LoginError");
  await send(first, "PUT", `/issues/${pay?.id}/`, { status: "resolved" });
  await send(first, "PUT", `/issues/${login?.id}/`, { status: "ignored" });
  await send(first, "PUT", "/projects/default/shop/", { allowedDomains: ["*.example.com"] });
  await makeProject(first, "mobile", { rateLimit: { count: 7, window: 60 } });
  await expect.poll(() => sumOutcomes(first, { project: projectIdOf(first), reason: "malformed_envelope" })).toBe(1);

  const before = await readAll(first, visitor);
  expect(before.issues.map(({ status, count }) => [status, count])).toEqual([
    ["unresolved", "2"],
    ["resolved", "1"],
    ["ignored", "1"],
  ]);
  expect(await first.stop()).toBe(0);
  await using second = await startServer({ dataDir: data.path, port: first.port });
  expect(await readAll(second, visitor)).toEqual(before);
  expect(second.dsn).toBe(first.dsn);

  // It goes on where it was: the next event of a resolved issue is a regression, a known id is known.
  const { eventId, envelope } = toEventEnvelope(failure("Pay"));
  await sendEnvelope(second, envelope);
  await waitForEvent(second, eventId);
  expect(await getJson(second, `/issues/${pay?.id}/`)).toMatchObject({
    status: "unresolved",
    substatus: "regressed",
    count: "2",
  });
  const [known = ""] = ids;
  await sendEnvelope(second, toEventEnvelope(failure("Cart"), known).envelope);
  await expect.poll(() => sumOutcomes(second, { project: projectIdOf(second), reason: "event_id_seen" })).toBe(1);
});
