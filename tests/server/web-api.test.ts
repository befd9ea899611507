import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  type ApiEvent,
  type ApiIssue,
  getJson,
  listIssues,
  projectIdOf,
  type StatsGroup,
  send,
  sendEnvelope,
  sumOutcomes,
  toEventEnvelope,
  waitFor,
  waitForEvent,
  waitForIssues,
} from "../support/api.ts";
import { startServer, type TestServer } from "../support/start-server.ts";

let server: TestServer;

beforeAll(async () => {
  server = await startServer();
});
afterAll(async () => {
  await server?.[Symbol.asyncDispose]();
});

const failure = (type: string, value: string) => ({
  exception: {
    values: [
      {
        type,
        value,
        stacktrace: { frames: [{ function: `throw${type}`, filename: `${type}.js`, lineno: 1, in_app: true }] },
      },
    ],
  },
});

async function report(event: Record<string, unknown>): Promise<ApiEvent> {
  const { eventId, envelope } = toEventEnvelope(event);
  expect((await sendEnvelope(server, envelope)).status).toBe(200);
  return waitForEvent(server, eventId);
}

describe("the web API", () => {
  test("without a token it answers 401 as JSON, with a wrong one too, and an unknown path 404", async () => {
    const wrong: Array<Record<string, string>> = [{}, { authorization: "Bearer wrong" }, { authorization: "Basic x" }];
    for (const headers of wrong) {
      const response = await fetch(`${server.url}/api/0/projects/`, { headers });
      expect(response.status).toBe(401);
      expect(response.headers.get("content-type")).toMatch(/^application\/json/);
      expect(await response.json()).toEqual({ detail: expect.any(String) });
    }
    const missing = await fetch(`${server.url}/api/0/nothing/here/`, {
      headers: { authorization: `Bearer ${server.token}` },
    });
    expect(missing.status).toBe(404);
    expect(await missing.json()).toEqual({ detail: expect.any(String) });
  });

  test("answers HEAD without a body, takes slashes as they come, and knows no path that is not well encoded", async () => {
    const call = (path: string, method = "GET") =>
      fetch(`${server.url}/api/0${path}`, { method, headers: { authorization: `Bearer ${server.token}` } });
    const head = await call("/organizations/", "HEAD");
    expect([head.status, head.headers.get("content-type"), await head.text()]).toEqual([200, "application/json", ""]);
    for (const path of ["/organizations", "/organizations/", "/projects/default/shop", "//projects/default/shop/"])
      expect((await call(path)).status, path).toBe(200);
    for (const path of ["/organizations/default/releases/%zz/", "/organizations/default/releases/a%2Fb/"]) {
      const missing = await call(path);
      expect([missing.status, await missing.json()], path).toEqual([404, { detail: expect.any(String) }]);
    }
    const patch = await call("/projects/default/shop/", "PATCH");
    expect([patch.status, patch.headers.get("allow")]).toEqual([405, "GET, PUT, DELETE"]);
  });

  test("says who the token belongs to", async () => {
    expect(await getJson(server, "/")).toMatchObject({ version: "0", user: { email: server.owner.email } });
  });

  test("lists the organization, its projects and their keys", async () => {
    expect(await getJson(server, "/organizations/")).toMatchObject([
      { slug: "default", features: [], require2FA: false },
    ]);
    const projects = await getJson<Array<{ id: string; slug: string }>>(server, "/organizations/default/projects/");
    expect(projects.map(({ slug }) => slug).sort()).toEqual(["culprit", "shop"]);
    const keys = await getJson<Array<{ public: string; dsn: { public: string } }>>(
      server,
      "/projects/default/shop/keys/",
    );
    expect(keys).toHaveLength(1);
    expect(server.dsn).toContain(keys[0]?.public);
  });

  test("makes, disables and deletes a key, and ingest obeys at once", async () => {
    const made = await send(server, "POST", "/projects/default/shop/keys/", { name: "mobile" });
    expect(made.status).toBe(201);
    const key = (await made.json()) as { id: string; public: string; dsn: { public: string } };
    const viaKey = { url: server.url, dsn: key.dsn.public.replace("localhost", "127.0.0.1") };
    expect((await sendEnvelope(viaKey, toEventEnvelope({ message: "by the new key" }).envelope)).status).toBe(200);
    expect((await send(server, "PUT", `/projects/default/shop/keys/${key.id}/`, { isActive: false })).status).toBe(200);
    expect((await sendEnvelope(viaKey, toEventEnvelope({ message: "refused" }).envelope)).status).toBe(403);
    expect((await send(server, "DELETE", `/projects/default/shop/keys/${key.id}/`)).status).toBe(204);
    expect((await sendEnvelope(viaKey, toEventEnvelope({ message: "refused" }).envelope)).status).toBe(403);
  });

  test("a rate limit answers 429 with the headers that SDKs read, and the ledger counts what was refused", async () => {
    const made = await send(server, "POST", "/projects/default/shop/keys/", {
      name: "limited",
      rateLimit: { count: 2, window: 60 },
    });
    const key = (await made.json()) as { dsn: { public: string }; rateLimit: unknown };
    expect(key.rateLimit).toEqual({ count: 2, window: 60 });
    const viaKey = { url: server.url, dsn: key.dsn.public.replace("localhost", "127.0.0.1") };
    const statuses: number[] = [];
    let limited: Response | undefined;
    for (let attempt = 0; attempt < 4; attempt++) {
      const response = await sendEnvelope(viaKey, toEventEnvelope({ message: "limited" }).envelope);
      statuses.push(response.status);
      if (response.status === 429) limited = response;
    }
    expect(statuses).toEqual([200, 200, 429, 429]);
    expect(Number(limited?.headers.get("retry-after"))).toBeGreaterThan(0);
    expect(limited?.headers.get("x-sentry-rate-limits")).toMatch(/^\d+:[a-z_;]*error[a-z_;]*:key/);
    expect(limited?.headers.get("access-control-expose-headers")).toMatch(/X-Sentry-Rate-Limits/i);
    await waitFor("the ledger", async () => (await sumOutcomes(server, { outcome: "rate_limited" })) === 2);
  });

  test("issues are found, changed, and regress when they happen again", async () => {
    const first = await report(failure("CheckoutError", "one"));
    await report(failure("CheckoutError", "two"));
    await report(failure("OtherError", "three"));
    const found = await waitFor("two events", async () => {
      const [issue] = await listIssues(server, "is:unresolved CheckoutError");
      return issue?.count === "2" && issue;
    });
    expect(found).toMatchObject({
      id: first.groupID,
      title: "CheckoutError: two",
      level: "error",
      status: "unresolved",
      substatus: "new",
    });

    const resolved = await send(server, "PUT", `/organizations/default/issues/?id=${found.id}`, { status: "resolved" });
    expect(resolved.status).toBe(200);
    expect(await listIssues(server, "is:unresolved CheckoutError")).toEqual([]);
    expect(await getJson(server, `/issues/${found.id}/`)).toMatchObject({ status: "resolved" });

    await report(failure("CheckoutError", "four"));
    const back = await waitFor("the regression", async () => {
      const [issue] = await listIssues(server, "is:regressed");
      return issue;
    });
    expect(back).toMatchObject({ id: found.id, status: "unresolved", substatus: "regressed", count: "3" });

    expect((await send(server, "PUT", `/issues/${found.id}/`, { status: "ignored" })).status).toBe(200);
    expect(await getJson(server, `/issues/${found.shortId}/`)).toMatchObject({ status: "ignored" });
    expect((await send(server, "PUT", `/issues/${found.id}/`, { status: "no such" })).status).toBe(400);
  });

  test("events of an issue come newest first, page by their Link header, and lead to their neighbours", async () => {
    for (let n = 0; n < 5; n++)
      await report({ ...failure("PagedError", `number ${n}`), timestamp: Date.now() / 1000 - 50 + n });
    const [issue] = await listIssues(server, "PagedError");
    const seen: string[] = [];
    let path: string | null = `/issues/${issue?.id}/events/?per_page=2`;
    while (path) {
      const response: Response = await fetch(`${server.url}/api/0${path}`, {
        headers: { authorization: `Bearer ${server.token}` },
      });
      seen.push(...((await response.json()) as ApiEvent[]).map(({ title }) => title));
      const next = /<([^>]+)>; rel="next"; results="true"/.exec(response.headers.get("link") ?? "")?.[1];
      path = next ? next.slice(next.indexOf("/api/0") + 6) : null;
    }
    expect(seen).toEqual([4, 3, 2, 1, 0].map((n) => `PagedError: number ${n}`));
    const latest = await getJson<ApiEvent & { previousEventID: string; nextEventID: null }>(
      server,
      `/issues/${issue?.id}/events/latest/`,
    );
    expect(latest.nextEventID).toBeNull();
    const previous = await getJson<ApiEvent>(server, `/issues/${issue?.id}/events/${latest.previousEventID}/`);
    expect(previous.title).toBe("PagedError: number 3");
    expect(await getJson(server, `/organizations/default/eventids/${latest.eventID}/`)).toMatchObject({
      groupId: issue?.id,
      projectSlug: "shop",
    });
  });

  test("events of an issue are searched by words, tags, users and ids, and an unknown key is refused", async () => {
    const base = Date.now() / 1000 - 50;
    const people = [{ id: "4711", email: "lena@example.com" }, { id: "4712", name: "Grace Hopper" }, undefined];
    for (const [index, user] of people.entries())
      await report({
        ...failure("SearchedError", `number ${index}`),
        timestamp: base + index,
        environment: index === 0 ? "staging" : "production",
        tags: { plan: index === 2 ? "trial" : "pro" },
        ...(user && { user }),
      });
    const [issue] = await listIssues(server, "SearchedError");
    const events = `/issues/${issue?.id}/events/`;
    const find = async (query: string) =>
      (await getJson<ApiEvent[]>(server, `${events}?query=${encodeURIComponent(query)}`)).map(({ title }) =>
        Number(title.at(-1)),
      );
    expect(await find("")).toEqual([2, 1, 0]);
    expect(await find("NUMBER plan:pro")).toEqual([1, 0]);
    expect(await find("!plan:pro")).toEqual([2]);
    expect(await find("environment:staging")).toEqual([0]);
    expect(await find("user:lena@example.com")).toEqual([0]);
    expect(await find('user:"Grace Hopper"')).toEqual([1]);
    expect(await find("user:4712")).toEqual([1]);
    expect(await find("hopper")).toEqual([1]);
    expect(await find("plan:basic")).toEqual([]);
    expect(await find("user.email:lena@* OR user.id:4712")).toEqual([1, 0]);
    expect(await find("!has:environment timestamp:-1h")).not.toContain(0);
    const [latest] = await getJson<ApiEvent[]>(server, events);
    expect(await find(latest?.eventID ?? "")).toEqual([2]);
    expect(await find("0".repeat(32))).toEqual([]);
    const ask = (query: string) =>
      fetch(`${server.url}/api/0${events}?query=${encodeURIComponent(query)}`, {
        headers: { authorization: `Bearer ${server.token}` },
      });
    for (const [query, sentence] of [
      ["nothing:here", "“nothing:” is not known"],
      ["is:new", "“is:” cannot be used. It says something about whole issues. (at character 1)"],
      ["timesSeen:>5", "“timesSeen:” cannot be used."],
      ["a OR", "“OR” needs something to search for after it."],
    ] as const) {
      const refused = await ask(query);
      expect(refused.status, query).toBe(400);
      expect(((await refused.json()) as { detail: string }).detail, query).toContain(sentence);
    }
    expect((await ask("x".repeat(2_001))).status).toBe(400);
  });

  test("stats_v2 groups by outcome, category, reason and project, and its sums add up", async () => {
    const query = "field=sum(quantity)&statsPeriod=1d&interval=1h";
    const stats = await getJson<{ intervals: string[]; groups: StatsGroup[] }>(
      server,
      `/organizations/default/stats_v2/?${query}&groupBy=outcome&groupBy=reason&groupBy=category&groupBy=project`,
    );
    expect(stats.intervals).toHaveLength(25);
    for (const group of stats.groups) {
      expect(Object.keys(group.by).sort()).toEqual(["category", "outcome", "project", "reason"]);
      expect(group.series["sum(quantity)"].reduce((sum, each) => sum + each, 0)).toBe(group.totals["sum(quantity)"]);
    }
    const whole = await getJson<{ groups: StatsGroup[] }>(server, `/organizations/default/stats_v2/?${query}`);
    expect(stats.groups.reduce((sum, group) => sum + group.totals["sum(quantity)"], 0)).toBe(
      whole.groups[0]?.totals["sum(quantity)"],
    );
    for (const wrong of [
      "field=avg(x)",
      "field=sum(quantity)&groupBy=colour",
      "field=sum(quantity)&interval=soon",
      "field=sum(quantity)&project=shop",
    ]) {
      const response = await fetch(`${server.url}/api/0/organizations/default/stats_v2/?${wrong}`, {
        headers: { authorization: `Bearer ${server.token}` },
      });
      expect(response.status, wrong).toBe(400);
      expect(((await response.json()) as { detail: string }).detail).not.toBe("");
    }
  });

  test("projects are made and renamed, and what is wrong with a field is said", async () => {
    const made = await send(server, "POST", "/organizations/default/projects/", {
      name: "Mobile App",
      platform: "javascript-react",
    });
    expect(made.status).toBe(201);
    expect(await made.json()).toMatchObject({ slug: "mobile-app" });
    expect((await send(server, "POST", "/organizations/default/projects/", { name: "Mobile App" })).status).toBe(409);
    expect((await send(server, "POST", "/organizations/default/projects/", {})).status).toBe(400);
    const renamed = await send(server, "PUT", "/projects/default/mobile-app/", {
      slug: "mobile",
      allowedDomains: ["*.example.com"],
    });
    expect(await renamed.json()).toMatchObject({ slug: "mobile", allowedDomains: ["*.example.com"] });
    expect(await listIssues(server, "", "mobile")).toEqual([]);
    const slower = await send(server, "PUT", "/projects/default/mobile/", { apdexThreshold: 1_200 });
    expect(await slower.json()).toMatchObject({ slug: "mobile", apdexThreshold: 1_200 });
    expect((await send(server, "PUT", "/projects/default/mobile/", { apdexThreshold: 0 })).status).toBe(400);
  });
});

describe("the loss ledger", () => {
  test("stands across a restart, and every item is in exactly one bucket", async () => {
    await using first = await startServer({ env: {} });
    const { eventId, envelope } = toEventEnvelope({ message: "kept" });
    await sendEnvelope(first, envelope);
    await waitForEvent(first, eventId);
    await sendEnvelope(first, envelope);
    await sendEnvelope(first, "this is no envelope");
    await sendEnvelope(first, `{}\n{"type":"no_such_type"}\n{}\n`);
    await sendEnvelope(
      first,
      `{}\n{"type":"client_report"}\n{"discarded_events":[{"reason":"before_send","category":"error","quantity":5}]}\n`,
    );
    // What the API's own requests are traced with is in the ledger of Culprit's own project.
    const project = projectIdOf(first);
    const expected = { accepted: 2, invalid: 3, client_discard: 5 };
    const readBuckets = async (server: TestServer) => ({
      accepted: await sumOutcomes(server, { outcome: "accepted", project }),
      invalid: await sumOutcomes(server, { outcome: "invalid", project }),
      client_discard: await sumOutcomes(server, { outcome: "client_discard", project }),
    });
    await expect.poll(() => readBuckets(first)).toEqual(expected);
    await first.kill9();
    await using second = await startServer({ dataDir: first.dataDir });
    expect(await readBuckets(second)).toEqual(expected);
    expect(await sumOutcomes(second, { project })).toBe(10);
    const issues: ApiIssue[] = await waitForIssues(second, 1);
    expect(issues[0]?.count).toBe("1");
  });
});
