import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  type ApiEvent,
  expectAsDocumented,
  getJson,
  send,
  sendEnvelope,
  toEventEnvelope,
  waitFor,
  waitForEvent,
} from "../support/api.ts";
import { signIn } from "../support/browse.ts";
import { makeProject } from "../support/make-project.ts";
import { makeToken } from "../support/make-token.ts";
import { makeTraceEnvelope, type SentSpan } from "../support/make-trace-envelope.ts";
import { startServer, type TestServer } from "../support/start-server.ts";

// What `@sentry/mcp-server` and the `sentry` command ask besides what sentry-cli does.

const ORGANIZATION = "/organizations/default";

let server: TestServer;
let event: ApiEvent;

beforeAll(async () => {
  server = await startServer();
  const plans = ["pro", "pro", "free"];
  const contexts = { trace: { trace_id: "12345678901234567890123456789012", span_id: "1234567890123456" } };
  const ids = plans.map(() => crypto.randomUUID().replaceAll("-", ""));
  for (const [index, plan] of plans.entries()) {
    const { envelope } = toEventEnvelope(
      { message: "one issue", tags: { plan }, environment: "staging", contexts },
      ids[index],
    );
    await sendEnvelope(server, envelope);
  }
  const events = await Promise.all(ids.map((id) => waitForEvent(server, id)));
  event = events[0] as ApiEvent;
});
afterAll(async () => {
  await server?.[Symbol.asyncDispose]();
});

async function refusal(method: "GET" | "PUT", path: string, body?: object): Promise<string> {
  const response =
    method === "PUT"
      ? await send(server, method, path, body)
      : await fetch(`${server.url}/api/0${path}`, { headers: { authorization: `Bearer ${server.token}` } });
  await expectAsDocumented(server, method, path, response);
  return `${response.status} ${((await response.json()) as { detail: string }).detail}`;
}

test("who the token stands for; an organization's stands for nobody", async () => {
  expect(await getJson(server, "/auth/")).toMatchObject({ email: server.owner.email, id: expect.any(String) });
  const build = { ...server, token: await makeToken(server, { scopes: ["org:ci"] }) };
  await expect(getJson(build, "/auth/")).rejects.toThrow("403");
});

test("regions of a user: this server alone", async () => {
  expect(await getJson(server, "/users/me/regions/")).toEqual({ regions: [{ name: "default", url: server.url }] });
});

test("a path that is not there is not taken for a thing that is missing", async () => {
  expect(await refusal("GET", `${ORGANIZATION}/nothing/`)).toMatch(/^404 Culprit has nothing at this path/);
  for (const [path, words] of [
    ["dashboards/?per_page=100", "no dashboards"],
    [`issues/${event.groupID}/autofix/`, "no Seer"],
    ["agents/conversations/?statsPeriod=7d", "no list of conversations"],
    ["profiling/flamegraph/", "only as they were sent"],
  ])
    expect(await refusal("GET", `${ORGANIZATION}/${path}`)).toMatch(new RegExp(`^404 Culprit .*${words}`));
  // `sentry issue link` and `sentry token create` show these.
  const integrations = `${ORGANIZATION}/issues/${event.groupID}/integrations/?per_page=100`;
  expect(await refusal("GET", integrations)).toMatch(/^404 Culprit has no integrations.* on its page/);
  const made = await send(server, "POST", `${ORGANIZATION}/org-auth-tokens/`, { name: "ci" });
  expect([made.status, made.headers.get("allow"), await made.json()]).toEqual([
    405,
    "GET",
    { detail: expect.stringContaining("Settings, Tokens") },
  ]);
});

test("`projectSlug` is another word for `project`", async () => {
  await makeProject(server, "kiosk");
  const list = (query: string) =>
    getJson<Array<{ detectorIds: string[] }>>(server, `${ORGANIZATION}/workflows/?${query}`);
  expect(await list("projectSlug=kiosk")).toEqual(await list("project=kiosk"));
  expect(await list("projectSlug=kiosk")).toHaveLength(1);
  expect(await list("projectSlug=$all")).toEqual(await list(""));
  expect(await refusal("GET", `${ORGANIZATION}/monitors/?projectSlug=nothing`)).toBe(
    "404 The requested project does not exist",
  );
});

test("a project says which signals it has", async () => {
  const has = () => getJson<object>(server, "/projects/default/shop/");
  const checkIn = { check_in_id: crypto.randomUUID().replaceAll("-", ""), monitor_slug: "nightly", status: "ok" };
  await sendEnvelope(server, `{}\n{"type":"check_in"}\n${JSON.stringify(checkIn)}\n`);
  const signals = { hasSessions: false, hasReplays: false, hasProfiles: false };
  const found = await waitFor("the check-in", async () => {
    const project = await has();
    return "hasMonitors" in project && project.hasMonitors && project;
  });
  expect(found).toMatchObject(signals);
});

test("a short id leads to its issue", async () => {
  const { shortId } = await getJson<{ shortId: string }>(server, `/issues/${event.groupID}/`);
  expect(await getJson(server, `${ORGANIZATION}/shortids/${shortId.toLowerCase()}/?collapse=stats`)).toMatchObject({
    organizationSlug: "default",
    projectSlug: "shop",
    shortId,
    groupId: event.groupID,
    group: { id: event.groupID, shortId },
  });
  expect(await refusal("GET", `${ORGANIZATION}/shortids/SHOP-999/`)).toBe("404 The requested issue does not exist");
});

test("tags of an issue, all, one, and its values", async () => {
  const tags = `/issues/${event.groupID}/tags/`;
  const found = await waitFor("three events", async () => {
    const one = await getJson<{ totalValues: number }>(server, `${ORGANIZATION}${tags}plan/`);
    return one.totalValues === 3 && one;
  });
  expect(found).toMatchObject({
    key: "plan",
    uniqueValues: 2,
    topValues: [
      { value: "pro", count: 2, firstSeen: expect.stringMatching(/^20/), lastSeen: expect.stringMatching(/^20/) },
      { value: "free", count: 1 },
    ],
  });
  const all = await getJson<Array<{ key: string; topValues: object[] }>>(server, `${tags}?limit=1`);
  expect(all.find(({ key }) => key === "plan")?.topValues).toHaveLength(1);
  expect(await getJson(server, `${tags}plan/values/`)).toMatchObject([{ value: "pro" }, { value: "free" }]);
  expect(await getJson(server, `${tags}plan/values/?environment=staging`)).toHaveLength(2);
  expect(await refusal("GET", `${tags}plan/?environment=production`)).toContain("404");
  expect(await refusal("GET", `${tags}nothing/`)).toBe("404 The requested tag does not exist");
});

test("feedback is listed in the form of issues", async () => {
  const eventId = crypto.randomUUID().replaceAll("-", "");
  const feedback = { message: "The cart is empty\nagain", name: "Ann", contact_email: "ann@example.com" };
  const payload = { event_id: eventId, timestamp: Date.now() / 1000, platform: "javascript", contexts: { feedback } };
  await sendEnvelope(server, `{"event_id":"${eventId}"}\n{"type":"feedback"}\n${JSON.stringify(payload)}\n`);
  const ask = (query: string) =>
    getJson<object[]>(server, `${ORGANIZATION}/issues/?statsPeriod=30d&query=${encodeURIComponent(query)}`);
  const [found] = await waitFor("the feedback", async () => {
    const list = await ask("issue.category:feedback is:unresolved cart");
    return list.length > 0 && list;
  });
  expect(found).toMatchObject({
    id: expect.stringMatching(/^U\d+$/),
    shortId: expect.stringMatching(/^SHOP-U\d+$/),
    title: "User Feedback: The cart is empty",
    issueCategory: "feedback",
    status: "unresolved",
    metadata: { ...feedback, value: feedback.message },
  });
  const { id, shortId } = found as { id: string; shortId: string };
  for (const path of [`/issues/${id}/`, `${ORGANIZATION}/issues/${shortId.toLowerCase()}/?collapse=stats`])
    expect(await getJson(server, path)).toEqual(found);
  expect(await getJson(server, `${ORGANIZATION}/shortids/${shortId}/`)).toMatchObject({ groupId: id, group: found });
  const said = { type: "generic", groupID: id, id: eventId, message: feedback.message, contexts: { feedback } };
  expect(await getJson(server, `/issues/${id}/events/latest/`)).toMatchObject({
    entries: [{ type: "message", data: { formatted: feedback.message } }],
  });
  expect(await getJson(server, `/projects/default/shop/events/${eventId}/`)).toMatchObject(said);
  expect(await getJson(server, `/projects/default/shop/events/${eventId}/attachments/`)).toEqual([]);
  expect(await getJson(server, `${ORGANIZATION}/eventids/${eventId}/`)).toMatchObject({
    ...{ projectSlug: "shop", groupId: id, eventId, event: said },
  });
  for (const search of [shortId, eventId]) expect(await ask(search)).toEqual([found]);
  expect(await ask(id)).toEqual([]);
  const sorted = `${ORGANIZATION}/issues/?query=issue.category:feedback&sort=`;
  expect(await getJson(server, `${sorted}new`)).toHaveLength(1);
  expect(await refusal("GET", `${sorted}freq`)).toContain("400 sort: ");
  for (const event of ["latest", eventId])
    expect(await getJson(server, `${ORGANIZATION}/issues/${shortId}/events/${event}/`)).toMatchObject(said);
  for (const [query, events] of [
    ["", [said]],
    ["query=cart&statsPeriod=1h", [said]],
    ["query=nowhere", []],
    ["environment=nowhere", []],
    ["end=2026-01-01", []],
  ] as const)
    expect(await getJson(server, `/issues/${id}/events/?${query}`)).toMatchObject(events);
  expect(await refusal("GET", `/issues/${id}/events/?query=level:error`)).toContain("400 query: “level:”");
  expect(await refusal("GET", `/issues/${id}/events/${event.eventID}/`)).toContain("404");
  expect(await refusal("GET", "/issues/U999/")).toBe("404 The requested issue does not exist");
  expect(await refusal("GET", `/issues/${id}/tags/`)).toMatch(/^404 This is feedback/);
  const change = async (body: object) =>
    (await send(server, "PUT", `${ORGANIZATION}/issues/${shortId}/`, body)).json() as Promise<object>;
  expect(await change({ status: "resolved", hasSeen: true, assignedTo: "me" })).toMatchObject({
    ...{ id, status: "resolved", hasSeen: true, assignedTo: { type: "user" } },
  });
  expect(await change({ status: "ignored", substatus: "archived_forever" })).toMatchObject({ status: "ignored" });
  expect(await change({ status: "unresolved", hasSeen: false, assignedTo: "" })).toEqual(found);
  for (const [body, detail] of [
    [{ priority: "high" }, "priority: cannot be changed of feedback"],
    [{ status: "ignored", ignoreDuration: 30 }, "ignoreDuration: cannot be changed of feedback"],
    [{ status: "ignored", substatus: "archived_until_escalating" }, "substatus: of feedback"],
    [{ assignedTo: "nobody@example.com" }, "assignedTo: "],
    [{}, "Name a field to change"],
  ] as const)
    expect(await refusal("PUT", `/issues/${id}/`, body)).toContain(`400 ${detail}`);
  for (const search of [
    '(issue.category:"feedback" is:[unresolved, ignored]) "cart is"',
    "issue.category:feedback !is:resolved lastSeen:-1h",
    "issue.category:[feedback] (nowhere OR status:unresolved)",
    `issue.category:feedback ${shortId}`,
    `is:unresolved ${shortId.toLowerCase()} issue.category:feedback cart`,
  ])
    expect(await ask(search)).toEqual([found]);
  const before = `${ORGANIZATION}/issues/?query=issue.category:feedback&end=`;
  expect(await getJson(server, `${before}2026-01-01`)).toEqual([]);
  expect(await getJson(server, `${before}${new Date(Date.now() + 60_000).toISOString()}`)).toEqual([found]);
  for (const search of [
    "is:resolved",
    "nowhere",
    "!is:unresolved",
    "lastSeen:+1h",
    `${shortId} is:resolved`,
    "SHOP-U9",
  ])
    expect(await ask(`issue.category:feedback ${search}`)).toEqual([]);
  const errors = await ask("is:unresolved issue.category:error");
  expect(errors).toMatchObject([{ issueCategory: "error" }]);
  const refused = (query: string) => refusal("GET", `${ORGANIZATION}/issues/?query=${encodeURIComponent(query)}`);
  expect(await refused("issue.category:feedback level:error")).toMatch(/^400 query: .*level.* \(at character 25\)$/);
  expect(await refused("cart OR issue.category:feedback")).toMatch(/^400 query: .*within “OR”.* \(at character 9\)$/);
  expect(await refused("!issue.category:feedback")).toMatch(/^400 query: .*after “!”.* \(at character 2\)$/);
});

test("what happened to an issue", async () => {
  await send(server, "PUT", `/issues/${event.groupID}/`, { status: "resolved" });
  await send(server, "PUT", `/issues/${event.groupID}/`, { status: "unresolved" });
  expect(await getJson(server, `${ORGANIZATION}/issues/${event.groupID}/activities/`)).toMatchObject({
    activity: [
      { type: "set_unresolved", user: { id: expect.any(String) } },
      { type: "set_resolved" },
      { type: "first_seen", user: null },
    ],
  });
});

test("environments, and an empty list while there are no teams", async () => {
  const environments = [{ id: "staging", name: "staging", isHidden: false }];
  expect(await getJson(server, `${ORGANIZATION}/environments/?project=shop`)).toEqual(environments);
  expect(await getJson(server, `${ORGANIZATION}/environments/?project=-1`)).toEqual(
    expect.arrayContaining(environments),
  );
  expect(await getJson(server, "/projects/default/shop/environments/")).toEqual(environments);
  for (const base of [ORGANIZATION, "/projects/default/shop"])
    expect(await getJson(server, `${base}/teams/`)).toEqual([]);
});

test("a search is checked part by part before it is made", async () => {
  const check = (query: string) => getJson<object>(server, `${ORGANIZATION}/events/validate/?${query}`);
  const search = "dataset=spans&project=shop&query=span.op:db&statsPeriod=14d";
  expect(await check(`${search}&field=span.op&field=span.duration&field=epm()&orderby=-epm()`)).toEqual({
    valid: true,
    dataset: [{ name: "spans", valid: true, error: null }],
    projects: [{ name: "shop", valid: true, error: null }],
    environment: [],
    field: [
      { name: "span.op", valid: true, error: null, attrType: "string" },
      { name: "span.duration", valid: true, error: null, attrType: "number" },
      { name: "epm()", valid: true, error: null, attrType: "number" },
    ],
    query: { valid: true, error: null, fields: [] },
    orderby: [{ name: "-epm()", valid: true, error: null, attrType: "number" }],
  });
  expect(await check("dataset=spans&field=count(nothing)&orderby=-nothing")).toMatchObject({
    valid: false,
    field: [{ valid: false, error: expect.stringContaining('field: "count(nothing)" is not supported') }],
    orderby: [{ name: "-nothing", valid: false, error: expect.stringContaining("sort: spans are sorted by") }],
  });
  expect(await check("dataset=spans&query=(span.op:db")).toMatchObject({
    valid: false,
    query: { valid: false, error: expect.stringContaining("This parenthesis is not closed.") },
  });
  expect(await check("dataset=logs&field=message&field=count()&orderby=-count()")).toMatchObject({ valid: true });
  expect(await check("dataset=errors&field=title&orderby=-timestamp&query=is:open(")).toMatchObject({ valid: false });
  expect(await check("dataset=errors&field=plan&field=plna&field=count()&orderby=-count")).toMatchObject({
    valid: false,
    field: [
      { valid: true },
      { valid: false, error: expect.stringContaining("The nearest is “plan”.") },
      { valid: true, attrType: "number" },
    ],
    orderby: [{ valid: true }],
  });
  expect(await check("dataset=dreams")).toMatchObject({ valid: false, dataset: [{ valid: false }] });
});

test("what was dropped, beside what was accepted", async () => {
  await sendEnvelope(
    server,
    `{}\n{"type":"client_report"}\n{"discarded_events":[{"reason":"before_send","category":"error","quantity":5}]}\n`,
  );
  const path = `${ORGANIZATION}/events-dropped/?dataset=errors&project=shop&statsPeriod=1h&interval=1h`;
  interface Dropped {
    meta: { start: number; end: number; interval: number };
    droppedEvents: Array<{ start: number; end: number }>;
    acceptedEvents: Array<{ count: number }>;
  }
  const answer = await waitFor("the report", async () => {
    const found = await getJson<Dropped>(server, path);
    return found.droppedEvents.length > 0 && found;
  });
  expect(answer.droppedEvents).toMatchObject([
    { type: "errors", category: "error", outcome: "client_discard", reason: "before_send", count: 5 },
  ]);
  expect(answer.acceptedEvents.reduce((sum, { count }) => sum + count, 0)).toBe(3);
  expect(answer.meta.interval).toBe(3_600_000);
  const [first] = answer.droppedEvents;
  expect(answer.meta.start <= (first?.start ?? 0) && (first?.end ?? 0) <= answer.meta.end).toBe(true);
  expect((await getJson<Dropped>(server, `${path}&outcome=filtered`)).droppedEvents).toEqual([]);
  expect((await getJson<Dropped>(server, `${path}&reason=before_send`)).droppedEvents).toHaveLength(1);
  expect((await getJson<Dropped>(server, path.replace("errors", "logs"))).acceptedEvents).toEqual([]);
  expect(await refusal("GET", `${ORGANIZATION}/events-dropped/`)).toMatch(/^400 dataset: is required/);
});

describe("what cannot be done is refused with its name, never dropped", () => {
  const issues = "/projects/default/shop/issues/";

  test("keys of a search, in lists and in changes", async () => {
    const wrong: Array<[query: string, sentence: string]> = [
      ["tariff:pro", "“tariff:” is not known. Put quotes around what is text. (at character 1)"],
      [
        "is:unresolved !plann:pro",
        "“plann:” is not known. Did you mean plan:? Put quotes around what is text. (at character 16)",
      ],
      ["assigned:grace", "No member and no team is called “grace”."],
      ["assigned_or_suggested:grace", "No member and no team is called “grace”."],
      ["pay OR", "“OR” needs something to search for after it."],
      ["(pay", "This parenthesis is not closed."],
      ["timesSeen:many", "“timesSeen:” needs a number, like 100 or >1k. (at character 11)"],
      ["🔥 timesSeen:many", "“timesSeen:” needs a number, like 100 or >1k. (at character 13)"],
    ];
    for (const [query, sentence] of wrong) {
      for (const method of ["GET", "PUT"] as const) {
        expect(await refusal(method, `${issues}?${new URLSearchParams({ query })}`, { status: "resolved" })).toContain(
          `400 query: ${sentence}`,
        );
      }
    }
    expect(await getJson(server, `${issues}?${new URLSearchParams({ query: '"plan:pro"' })}`)).toEqual([]);
    expect(await refusal("GET", `${issues}?query=project:nowhere`)).toContain("There is no project “nowhere”.");
  });

  test("words that the page's search knows", async () => {
    const count = async (query: string, more = "") =>
      (await getJson<object[]>(server, `${ORGANIZATION}/issues/?${new URLSearchParams({ query })}${more}`)).length;
    expect(await count("environment:staging project:shop")).toBe(1);
    expect(await count("environment:production")).toBe(0);
    expect(await count("plan:pro")).toBe(1);
    expect(await count("plan:pro environment:staging one")).toBe(1);
    expect(await count("plan:pro", "&environment=production")).toBe(0);
    expect(await count("plan:gold")).toBe(0);
    expect(await count("plan:gold plan:free")).toBe(1);
    expect(await count("(plan:gold OR timesSeen:3) age:-1h")).toBe(1);
    expect(await count("!plan:pro has:plan")).toBe(1);
    expect(await count("!plan:[pro, free]")).toBe(0);
    expect(await count("plan:P*")).toBe(1);
    expect(await count(event.eventID)).toBe(1);
    expect(await count(String(event.contexts.trace?.trace_id))).toBe(1);
    expect(await count("f".repeat(32))).toBe(0);
    expect(await count("!project:shop")).toBe(0);
    expect(await count("project:shop", "&environment=staging")).toBe(1);
    expect(await refusal("GET", `${issues}?query=environment:production&environment=staging`)).toContain("400 query:");
    expect(await refusal("GET", `${issues}?query=project:culprit`)).toContain(
      "400 query: No project is both chosen beside the search and named in it.",
    );
  });

  test("fields of a change", async () => {
    const refused: Array<[object, string]> = [
      [{ status: "ignored", ignoreDuration: 0 }, "ignoreDuration: must be a whole number from 1 to 527040"],
      [{ status: "ignored", ignoreDuration: 527_041 }, "ignoreDuration: must be a whole number from 1 to 527040"],
      [{ status: "ignored", ignoreDuration: 1.5 }, "ignoreDuration: must be a whole number"],
      [{ status: "ignored", ignoreUntil: "2030-01-01" }, "ignoreUntil: must be an instant like"],
      [{ status: "ignored", ignoreUntil: "2020-01-01T00:00:00Z" }, "ignoreUntil: must be in the future"],
      [{ status: "ignored", ignoreUntil: "2999-01-01T00:00:00Z" }, "ignoreUntil: must be within a year"],
      [{ status: "ignored", statusDetails: { ignoreCount: 0 } }, "statusDetails.ignoreCount: must be a whole number"],
      [{ status: "ignored", ignoreCount: 1_000_001 }, "ignoreCount: must be a whole number from 1 to 1,000,000"],
      [{ status: "ignored", ignoreWindow: 5 }, "ignoreWindow: needs ignoreCount"],
      [{ status: "ignored", ignoreCount: 5, ignoreWindow: 10_081 }, "ignoreWindow: must be a whole number from 1 to"],
      [{ status: "ignored", ignoreUserCount: 1_001, ignoreUserWindow: 5 }, "ignoreUserCount: must be a whole number"],
      [{ status: "ignored", ignoreCount: 5, ignoreDuration: 5 }, "ignoreCount: cannot be combined with ignoreDuration"],
      [{ status: "ignored", ignoreCount: 5, statusDetails: { ignoreCount: 5 } }, "ignoreCount: is in statusDetails"],
      [{ status: "ignored", statusDetails: { ignoreUntilEscalating: true } }, "statusDetails.ignoreUntilEscalating: "],
      [{ status: "resolved", ignoreCount: 5 }, "status: must be ignored for the condition"],
      [
        { status: "ignored", substatus: "escalating" },
        "substatus: can only be archived_until_escalating, archived_forever",
      ],
      [
        { status: "ignored", substatus: "archived_until_escalating", ignoreCount: 5 },
        "substatus: archived_until_escalating cannot be combined with a condition",
      ],
      [{ status: "ignored", substatus: "archived_forever", ignoreCount: 5 }, "substatus: archived_forever cannot"],
      [
        { status: "ignored", substatus: "archived_until_condition_met" },
        "substatus: archived_until_condition_met needs",
      ],
      [{ status: "resolved", substatus: "archived_forever" }, "substatus: archived_forever is of an ignored issue"],
      [{ status: "ignored", substatus: "ongoing" }, "substatus: ongoing is of an unresolved issue"],
      [{ status: "ignored", snoozeDuration: 60 }, "snoozeDuration: is called ignoreDuration"],
      [{ assignedTo: "user:99" }, "assignedTo: there is no member and no team “user:99”"],
      [{ status: "resolved", priority: "urgent" }, "priority: must be high, medium, low, or null"],
      [{}, "Name a field to change"],
      [{ ignoreDuration: 5, priority: "high" }, "status: is needed beside ignoreDuration"],
      [
        { status: "odd" },
        'status: must be one of resolvedInNextRelease, unresolved, reopened, resolved, ignored, archived, muted, not "odd"',
      ],
    ];
    for (const [body, detail] of refused) {
      for (const path of [`/issues/${event.groupID}/`, `${issues}?id=${event.groupID}`])
        expect(await refusal("PUT", path, body)).toMatch(new RegExp(`^400 ${detail}`));
    }
    const taken = { status: "ignored", substatus: "archived_forever", assignedTo: "", snoozeDuration: null };
    expect((await send(server, "PUT", `/issues/${event.groupID}/`, taken)).status).toBe(200);
    const reopened = { status: "unresolved", statusDetails: {}, substatus: "ongoing" };
    expect((await send(server, "PUT", `/issues/${event.groupID}/`, reopened)).status).toBe(200);
  });

  test("an archive for a time or a count is answered back, and gone when the issue is reopened", async () => {
    const path = `/issues/${event.groupID}/`;
    const archive = async (condition: object) => {
      const answer = await send(server, "PUT", path, { status: "ignored", ...condition });
      expect(answer.status).toBe(200);
      const { statusDetails, substatus } = (await answer.json()) as { statusDetails: object; substatus: string };
      expect(await getJson(server, path)).toMatchObject({ status: "ignored", statusDetails, substatus });
      return { statusDetails, substatus };
    };
    const substatus = "archived_until_condition_met";
    // As `@sentry/mcp-server` sends it.
    const forAnHour = await archive({ substatus, ignoreDuration: 60 });
    const until = Date.parse((forAnHour.statusDetails as { ignoreUntil: string }).ignoreUntil);
    expect(Math.abs(until - Date.now() - 3_600_000)).toBeLessThan(600_000);
    expect(await archive({ substatus, ignoreCount: 100, ignoreWindow: 60 })).toEqual({
      substatus,
      statusDetails: { ignoreCount: 100, ignoreWindow: 60 },
    });
    expect(await archive({ statusDetails: { ignoreUserCount: 10 } })).toEqual({
      substatus,
      statusDetails: { ignoreUserCount: 10 },
    });
    // The MCP server's own default.
    const escalating = { substatus: "archived_until_escalating", statusDetails: {} };
    expect(await archive({ substatus: escalating.substatus })).toEqual(escalating);
    expect(await archive(escalating)).toEqual(escalating);
    expect(await archive({})).toEqual({ substatus: "archived_forever", statusDetails: {} });
    await send(server, "PUT", path, { status: "unresolved" });
    expect(await getJson(server, path)).toMatchObject({ status: "unresolved", statusDetails: {} });
  });

  test("an issue that is archived until two more events comes back with the second, and says why", async () => {
    const path = `/issues/${event.groupID}/`;
    await send(server, "PUT", path, { status: "ignored", ignoreCount: 2 });
    for (const status of ["ignored", "unresolved"]) {
      const id = crypto.randomUUID().replaceAll("-", "");
      await sendEnvelope(server, toEventEnvelope({ message: "one issue", tags: { plan: "pro" } }, id).envelope);
      await waitForEvent(server, id);
      expect(await getJson(server, path)).toMatchObject({ status });
    }
    const { activity } = await getJson<{ activity: unknown[] }>(server, `${path}activities/`);
    expect(activity[0]).toMatchObject({
      type: "set_unresolved",
      user: null,
      data: { archive: { kind: "events", count: 2, windowMinutes: null } },
    });
  });

  test("an issue comes back by itself once its time is over", async () => {
    const path = `/issues/${event.groupID}/`;
    const ignoreUntil = new Date(Date.now() + 1_500).toISOString();
    expect((await send(server, "PUT", path, { status: "ignored", ignoreUntil })).status).toBe(200);
    expect(await getJson(server, path)).toMatchObject({ status: "ignored", statusDetails: { ignoreUntil } });
    await waitFor(
      "the issue to come back",
      async () => (await getJson<{ status: string }>(server, path)).status === "unresolved",
    );
  });

  test("fields of projects and keys, with their limits", async () => {
    const refused: Array<[string, object, string]> = [
      ["/projects/default/shop/", { name: " " }, "name: must not be empty"],
      ["/projects/default/shop/", { name: "x".repeat(65) }, "name: must have at most 64 characters"],
      ["/projects/default/shop/", { slug: "No Slug" }, "slug: must have 1 to 50 lower-case letters"],
      ["/projects/default/shop/", { allowedDomains: "x" }, "allowedDomains: must be a list"],
      [
        "/projects/default/shop/",
        { allowedDomains: ["javascript:alert(1)"] },
        "allowedDomains: “javascript:alert(1)” is not an origin like",
      ],
      ["/projects/default/shop/", [], "the body: must be a JSON object"],
      ["/projects/default/shop/keys/1/", { isActive: "no" }, "isActive: must be true or false"],
      ["/projects/default/shop/keys/1/", { rateLimit: { count: 1 } }, "rateLimit.window: is required"],
      [
        "/projects/default/shop/keys/1/",
        { rateLimit: { count: 1.5, window: 9 } },
        "rateLimit.count: must be a whole number",
      ],
      [
        "/projects/default/shop/keys/1/",
        { rateLimit: { count: 1, window: 86_401 } },
        "rateLimit.window: must be at most 86400",
      ],
    ];
    for (const [path, body, detail] of refused) expect(await refusal("PUT", path, body)).toContain(`400 ${detail}`);
  });

  test("values of parameters; parameters that are not known are ignored", async () => {
    for (const [parameter, detail] of [
      ["sort=trends", 'sort: must be one of date, new, freq, user, priority, recommended, not "trends"'],
      ["statsPeriod=soon", "statsPeriod: must be like 24h or 14d"],
      ["statsPeriod=1000000d", "statsPeriod: must be at most 999999 of a unit, like 24h or 14d"],
      ["start=yesterday", "start: must be a date and time of RFC 3339"],
      ["start=2026-01-02&end=2026-01-01", "start: must be before end"],
      ["limit=1.5", "limit: must be a whole number from 1 to 100"],
      ["limit=101", "limit: must be a whole number from 1 to 100"],
      ["per_page=-1", "per_page: must be a whole number from 1 to 100"],
    ])
      expect(await refusal("GET", `${issues}?query=&${parameter}`)).toBe(`400 ${detail}`);
    expect(
      await getJson(server, `${issues}?query=&utc=true&collapse=stats&expand=owners&shortIdLookup=1`),
    ).toHaveLength(1);
  });
});

test("errors by what is known of their issues, as `explore` and `search_events` ask for them", async () => {
  const { envelope, eventId } = toEventEnvelope({
    exception: { values: [{ type: "TypeError", value: "price is undefined" }] },
    breadcrumbs: { values: [{ timestamp: 1_795_740_101.5, message: "add" }] },
  });
  await sendEnvelope(server, envelope);
  await waitForEvent(server, eventId);
  const find = async (query: string) => {
    const path = `${ORGANIZATION}/events/?${new URLSearchParams({ dataset: "errors", field: "id", query })}`;
    return (await getJson<{ data: Array<{ id: string }> }>(server, path)).data.map(({ id }) => id);
  };
  expect(await find("error.type:TypeError")).toEqual([eventId]);
  expect(await find("error.value:PRICE error.type:Type*")).toEqual([eventId]);
  expect(await find("error.type:RangeError")).toEqual([]);
  expect(await find("!error.type:TypeError")).toEqual((await find("")).filter((id) => id !== eventId));
  const grouped = `${ORGANIZATION}/events/?${new URLSearchParams([
    ["dataset", "errors"],
    ["field", "error.type"],
    ["field", "count()"],
  ])}`;
  expect(await refusal("GET", grouped)).toBe(
    "400 field: errors are not grouped by error.type. Group them by issue or title",
  );
  const stored = await getJson<{ entries: Array<{ type: string; data: { values: Array<{ timestamp: string }> } }> }>(
    server,
    `/projects/default/shop/events/${eventId}/`,
  );
  const crumbs = stored.entries.find(({ type }) => type === "breadcrumbs");
  expect(crumbs?.data.values.map(({ timestamp }) => timestamp)).toEqual(["2026-11-27T00:41:41.500Z"]);
});

test("errors have every field that stock tools ask for, null where none was sent", async () => {
  // The recommended ones and those of the examples of `@sentry/mcp-server`.
  const asked = [
    ...["issue", "title", "project", "timestamp", "level", "message", "error.type", "culprit", "user.email", "user.id"],
    ...["stack.filename", "stack.function", "stack.lineno", "error.handled", "user_agent.original", "browser.version"],
  ];
  const find = (fields: readonly string[]) =>
    getJson<{ data: Array<Record<string, unknown>> }>(
      server,
      `${ORGANIZATION}/events/?${new URLSearchParams([["dataset", "errors"], ...fields.map((name) => ["field", name])])}`,
    );
  const [row] = (await find(asked)).data;
  expect(Object.keys(row ?? {})).toEqual(asked);
  expect(row).toMatchObject({ project: "shop", "stack.filename": null, "user_agent.original": null });
  const groups = await find(["user_agent.original", "count()", "count_unique(user.id)"]);
  expect(groups.data).toMatchObject([{ "user_agent.original": null }]);
});

test("counts of a trace, and of replays, before tools ask for more", async () => {
  const traceId = crypto.randomUUID().replaceAll("-", "");
  const spans: SentSpan[] = [
    ["root", null, "http.server", "GET /", 0, 100],
    ["query", "root", "db", "SELECT 1", 10, 20],
  ];
  const dsn = String(server.dsn);
  await sendEnvelope({ url: server.url, dsn }, makeTraceEnvelope(traceId, spans, { atMs: Date.now() - 5_000 }));
  const path = `${ORGANIZATION}/trace-meta/${traceId}/?statsPeriod=14d`;
  const counts = await waitFor("the trace", async () => {
    const response = await fetch(`${server.url}/api/0${path}`, {
      headers: { authorization: `Bearer ${server.token}` },
    });
    return response.ok && (await response.json());
  });
  expect(counts).toMatchObject({ span_count: 2, errors: 0, logs: 0, span_count_map: { "http.server": 1, db: 1 } });
  expect(await refusal("GET", `${ORGANIZATION}/trace-meta/${"f".repeat(32)}/`)).toContain("404");
  const replays = `${ORGANIZATION}/replay-count/?returnIds=true&query=issue.id%3A%5B1%5D&data_source=errors&project=-1`;
  expect(await getJson(server, replays)).toEqual({});
});

test("replays of a trace: an empty list, and a wrong question is refused", async () => {
  const path = `${ORGANIZATION}/replays/`;
  const asked = new URLSearchParams({
    query: "trace:12345678901234567890123456789012",
    statsPeriod: "14d",
    per_page: "5",
  });
  for (const name of ["id", "trace_ids", "error_ids", "started_at"]) asked.append("field", name);
  asked.set("sort", "-started_at");
  asked.set("project", "-1");
  const response = await fetch(`${server.url}/api/0${path}?${asked}`, {
    headers: { authorization: `Bearer ${server.token}` },
  });
  await expectAsDocumented(server, "GET", path, response);
  expect(await response.json()).toEqual({ data: [] });
  expect(await refusal("GET", `${path}?statsPeriod=soon`)).toBe("400 statsPeriod: must be like 24h or 14d");
  expect(await refusal("GET", `${path}?project=nope`)).toContain("404");
});

test("a key says all that tools want to know of its loader script", async () => {
  const keys = "/projects/default/shop/keys/";
  const [key] = await getJson<Array<{ id: string }>>(server, keys);
  const none = { hasReplay: false, hasPerformance: false, hasFeedback: false, hasDebug: false };
  expect(key).toMatchObject({ dynamicSdkLoaderOptions: none });
  const change = (dynamicSdkLoaderOptions: object) => ({ dynamicSdkLoaderOptions });
  expect(await refusal("PUT", `${keys}${key?.id}/`, change({ hasDebug: true }))).toContain("no debug build");
  const changed = await send(server, "PUT", `${keys}${key?.id}/`, change({ hasDebug: false, hasReplay: true }));
  expect(await changed.json()).toMatchObject(change({ ...none, hasReplay: true }));
});

test("what users said about an issue's events", async () => {
  const path = `${ORGANIZATION}/issues/${event.groupID}/user-reports/`;
  expect(await getJson(server, path)).toEqual([]);
  const said = { event_id: event.eventID, name: "Kim", email: "kim@shop.example", comments: "It broke" };
  await send(server, "POST", "/projects/default/shop/user-feedback/", said);
  const reports = await waitFor("the report", async () => {
    const found = await getJson<object[]>(server, `${path}?per_page=25`);
    return found.length > 0 && found;
  });
  const about = { eventID: event.eventID, event: { id: event.eventID, eventID: event.eventID } };
  expect(reports).toEqual([
    {
      id: expect.any(String),
      ...about,
      name: "Kim",
      email: said.email,
      comments: "It broke",
      dateCreated: expect.any(String),
      user: null,
    },
  ]);
  expect(await getJson(server, `/issues/${event.groupID}/user-reports/`)).toEqual(reports);
});

test("alert rules and metric monitors in the words of alerts and detectors", async () => {
  const rule = (name: string, more: object = {}) => ({
    name,
    conditions: [
      { id: "sentry.rules.conditions.first_seen_event.FirstSeenEventCondition" },
      { id: "sentry.rules.conditions.event_frequency.EventFrequencyCondition", value: 9, interval: "2h" },
    ],
    filters: [{ id: "sentry.rules.filters.level.LevelFilter", match: "eq", level: "40" }],
    actions: [{ id: "sentry.mail.actions.NotifyEmailAction", targetType: "Member", targetIdentifier: "1" }],
    frequency: 30,
    environment: "production",
    ...more,
  });
  const made = async (path: string, body: object) => {
    const response = await send(server, "POST", path, body);
    expect(response.status).toBe(201);
    return ((await response.json()) as { id: string }).id;
  };
  const ids = [];
  for (const name of ["Pay desk", "Search is slow"])
    ids.push(
      await made("/projects/default/shop/rules/", rule(name, name === "Pay desk" ? {} : { status: "disabled" })),
    );
  const metricId = await made(`${ORGANIZATION}/alert-rules/`, {
    ...{ name: "Few orders", projects: ["shop"], aggregate: "count()", dataset: "events", timeWindow: 5 },
    ...{ thresholdType: 1, triggers: [{ label: "critical", alertThreshold: 10, actions: [] }], resolveThreshold: 12 },
  });

  type Listed = Array<{ id: string; name: string; type?: string; detectorIds?: string[]; workflowIds?: string[] }>;
  const workflows = `${ORGANIZATION}/workflows/`;
  const detectors = `${ORGANIZATION}/detectors/`;
  const names = async (path: string) => (await getJson<Listed>(server, path)).map(({ name }) => name);
  const pay = await getJson<Listed[number]>(server, `${workflows}${ids[0]}/`);
  expect(pay).toMatchObject({
    name: "Pay desk",
    enabled: true,
    environment: "production",
    config: { frequency: 30 },
    triggers: {
      conditions: [
        { type: "first_seen_event", comparison: true },
        { type: "event_frequency_count", comparison: { value: 9, interval: "2hr" } },
      ],
    },
    actionFilters: [
      {
        conditions: [{ type: "level", comparison: { match: "eq", level: 40 } }],
        actions: [{ type: "email", config: { targetType: "user", targetIdentifier: "1" } }],
      },
    ],
    status: "active",
    conditions: [{ type: "first_seen_event" }, { type: "event_frequency_count" }, { type: "level" }],
    actions: [{ type: "email" }],
  });
  expect(await names(`${workflows}?query=desk&project=shop&per_page=1`)).toEqual(["Pay desk"]);
  expect(await names(`${workflows}?id=${ids[1]}&id=${ids[0]}&sortBy=-id`)).toEqual(["Search is slow", "Pay desk"]);
  const stream = pay.detectorIds?.[0] ?? "";
  expect(await getJson(server, `${detectors}${stream}/`)).toMatchObject({ type: "issue_stream", projectSlug: "shop" });
  expect(await names(`${workflows}?detector=${stream}&sortBy=name`)).toEqual(
    expect.arrayContaining(["Pay desk", "Search is slow"]),
  );
  expect(await names(`${workflows}?detector=9`)).toEqual([]);

  const [metric, ...others] = await getJson<Listed>(server, `${detectors}?query=type:metric_issue&sortBy=-id`);
  expect(others).toEqual([]);
  expect(metric).toMatchObject({
    ...{ id: metricId, name: "Few orders", type: "metric_issue", enabled: true, projectSlug: "shop" },
    dataSources: [{ queryObj: { snubaQuery: { aggregate: "count()", dataset: "events", timeWindow: 300 } } }],
    conditionGroup: {
      conditions: [
        { type: "lt", comparison: 10, conditionResult: 75 },
        { type: "gte", comparison: 12, conditionResult: 0 },
      ],
    },
  });
  expect(metric?.workflowIds).toEqual(expect.arrayContaining(ids));
  expect(await names(`${detectors}?query=!type:issue_stream few`)).toEqual(["Few orders"]);
  expect(await names(`${detectors}?query=type:error`)).toEqual([]);
  expect(await names(`${detectors}?per_page=1&cursor=1&type=metric_issue`)).toEqual([]);

  expect(await refusal("GET", `${detectors}?query=assignee:me`)).toBe(
    "400 query: assignee is not known. Known are name, type.",
  );
  expect(await refusal("GET", `${workflows}?sortBy=priority`)).toContain("400 sortBy: must be one of id, name");
  expect(await refusal("GET", `${workflows}?cursor=x`)).toContain("400 cursor");
  expect(await refusal("GET", `${workflows}999/`)).toBe("404 The requested alert does not exist");
  expect(await refusal("GET", `${detectors}999/`)).toBe("404 The requested detector does not exist");
});

test("tokens of the organization, the one that was used last first, for those who may make them", async () => {
  const path = `${ORGANIZATION}/org-auth-tokens/`;
  const used = await makeToken(server, { scopes: ["org:ci", "project:read"] });
  const unused = await makeToken(server, { scopes: ["org:ci"] });
  const personal = await makeToken(server, { kind: "personal", scopes: ["org:read"] });
  expect(await getJson({ ...server, token: used }, "/projects/default/shop/")).toMatchObject({ slug: "shop" });
  const tokens = await getJson<Array<{ tokenLastCharacters: string }>>(server, path);
  expect(tokens[0]).toEqual({
    id: expect.any(String),
    name: "organization with 2 scopes",
    scopes: ["org:ci", "project:read"],
    tokenLastCharacters: used.slice(-4),
    dateCreated: expect.stringMatching(/^20/),
    dateLastUsed: expect.stringMatching(/^20/),
    projectLastUsedId: null,
  });
  const hints = tokens.map(({ tokenLastCharacters }) => tokenLastCharacters);
  expect(hints).toContain(unused.slice(-4));
  expect(hints).not.toContain(personal.slice(-4));
  await expect(getJson({ ...server, token: personal }, path)).rejects.toThrow("403");
});

test("links that tools print lead to the pages", async () => {
  const { cookie } = await signIn(server);
  const follow = async (path: string, headers: HeadersInit = { cookie }) => {
    const response = await fetch(server.url + path, { headers, redirect: "manual" });
    return `${response.status} ${response.headers.get("location")}`;
  };
  expect(await follow("/organizations/default/issues/SHOP-1/")).toBe("302 /issues/SHOP-1");
  expect(await follow("/organizations/default/issues/?query=is%3Aresolved&project=1")).toBe(
    "302 /issues?project=shop&q=is%3Aresolved",
  );
  expect(await follow("/organizations/default/releases/shop%401.0/")).toBe("302 /releases/shop%401.0");
  expect(await follow("/organizations/default/issues/SHOP-1/", {})).toBe(
    `302 /sign-in?to=${encodeURIComponent("/organizations/default/issues/SHOP-1/")}`,
  );
  expect(await follow("/organizations/default/explore/")).toMatch(/^302 \/traces/);
  expect(await follow("/organizations/default/replays/")).toBe("404 null");
  expect((await fetch(`${server.url}/organizations/default/issues/SHOP-1/`, { headers: { cookie } })).status).toBe(200);
});

// It makes an issue, which the tests before do not count.
test("attachments of an event are listed and downloaded", async () => {
  const { envelope, eventId } = toEventEnvelope({ message: "with a file" });
  const file = "what the application attached";
  const header = { type: "attachment", length: file.length, filename: "note.txt", content_type: "text/plain" };
  await sendEnvelope(server, `${envelope}${JSON.stringify(header)}\n${file}\n`);
  const path = `/projects/default/shop/events/${eventId}/attachments/`;
  const [attachment] = await waitFor("the attachment", async () => {
    const found = await getJson<Array<{ id: string }>>(server, path);
    return found.length > 0 && found;
  });
  expect(attachment).toMatchObject({ name: "note.txt", mimetype: "text/plain", size: file.length, event_id: eventId });
  expect(await getJson(server, `${path}${attachment?.id}/`)).toEqual(attachment);
  const response = await fetch(`${server.url}/api/0${path}${attachment?.id}/?download=1`, {
    headers: { authorization: `Bearer ${server.token}` },
  });
  expect(response.headers.get("content-type")).toBe("text/plain");
  expect(await response.text()).toBe(file);
  expect(await refusal("GET", `${path}9-9/`)).toBe("404 The requested attachment does not exist");
  expect(await getJson(server, `/projects/default/shop/events/${event.eventID}/attachments/`)).toEqual([]);
  const unknown = `/projects/default/shop/events/${"0".repeat(32)}/attachments/`;
  expect(await refusal("GET", unknown)).toBe("404 The requested event does not exist");
});
