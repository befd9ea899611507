import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { getJson, send, sendEnvelope, toEventEnvelope, waitFor, waitForEvent } from "../support/api.ts";
import { signIn } from "../support/browse.ts";
import { startServer, type TestServer } from "../support/start-server.ts";

const PATH = "/organizations/default/sessions/";

let server: TestServer;

interface Answer {
  intervals: string[];
  groups: Array<{
    by: Record<string, string | number>;
    totals: Record<string, number | null>;
    series: Record<string, Array<number | null>>;
  }>;
}

const ask = (query: string) => getJson<Answer>(server, `${PATH}?statsPeriod=1h&${query}`);
const totals = async (query: string) =>
  (await ask(query)).groups.map(({ by, totals: ofGroup }) => [...Object.values(by), ...Object.values(ofGroup)]);

beforeAll(async () => {
  server = await startServer();
  const started = new Date().toISOString();
  const attrs = { release: "shop@1", environment: "production" };
  const sid = "7c7b6585-f901-4351-bf8d-02711b721929";
  const first = { sid, init: true, seq: 0, started, status: "ok", did: "ada", attrs };
  const crash = { sid, seq: 1, started, status: "crashed", errors: 1, did: "ada", attrs };
  const aggregates = [{ started, exited: 8, errored: 1 }];
  for (const [type, payload] of [
    ["session", first],
    ["session", crash],
    ["session", crash],
    ["sessions", { aggregates, attrs }],
    ["sessions", { aggregates: [{ started, exited: 2 }], attrs: { release: "shop@2" } }],
  ] as const) {
    await sendEnvelope(server, `{}\n{"type":"${type}"}\n${JSON.stringify(payload)}\n`);
  }
  await waitFor("the sessions", async () => {
    const [sum] = await totals("field=sum(session)");
    return sum?.[0] === 12;
  });
});
afterAll(async () => {
  await server?.[Symbol.asyncDispose]();
});

describe("the sessions endpoint", () => {
  test("a release that no event names is there as soon as a session names it", async () => {
    const releases = await getJson<Array<{ version: string }>>(server, "/organizations/default/releases/");
    expect(releases.map(({ version }) => version).sort()).toEqual(["shop@1", "shop@2"]);
  });

  test("releases say how their sessions ended, if they are asked", async () => {
    interface Listed {
      version: string;
      projects: Array<{ healthData?: object }>;
    }
    const releases = "/organizations/default/releases/";
    const health = async (path: string) => {
      const found = await getJson<Listed | Listed[]>(server, path);
      return [found].flat().map(({ version, projects }) => [version, projects[0]?.healthData] as const);
    };
    const first = {
      ...{ hasHealthData: true, adoption: 100, crashFreeUsers: 0, crashFreeSessions: 90 },
      ...{ totalUsers: 1, totalSessions: 10, sessionsCrashed: 1, sessionsErrored: 2 },
      ...{ totalUsers24h: 1, totalSessions24h: 10, totalProjectUsers24h: 1, totalProjectSessions24h: 12 },
    };
    const listed = (await health(`${releases}?health=1&project=shop`)).sort(([one], [other]) => (one < other ? -1 : 1));
    expect(listed).toMatchObject([
      ["shop@1", first],
      ["shop@2", { hasHealthData: true, totalUsers: 0, crashFreeUsers: null, crashFreeSessions: 100 }],
    ]);
    expect(await health(`${releases}shop@1/?health=true`)).toMatchObject([["shop@1", first]]);
    expect(await health(`${releases}?query=shop@1`)).toEqual([["shop@1", undefined]]);
    const [[, { stats }]] = (await health(`${releases}?health=1&query=shop@1`)) as [[string, { stats: object }]];
    expect(Object.values(stats).flat()).toEqual([[expect.any(Number), 10]]);
    await expect(getJson(server, `${releases}?health=yes`)).rejects.toThrow("400");
  });

  test("releases of an environment are those that were deployed there, or had an error or a session there", async () => {
    const versions = async (environment: string) => {
      const path = `/organizations/default/releases/?environment=${environment}&health=1`;
      const releases = await getJson<Array<{ version: string }>>(server, path);
      return releases.map(({ version }) => version).sort();
    };
    expect(await versions("production")).toEqual(["shop@1"]);
    expect(await versions("staging")).toEqual([]);
    const deploy = { environment: "staging" };
    await send(server, "POST", "/organizations/default/releases/shop@1/deploys/", deploy);
    expect(await versions("staging")).toEqual(["shop@1"]);
    const { envelope, eventId } = toEventEnvelope({ message: "late", release: "shop@2", environment: "qa" });
    await sendEnvelope(server, envelope);
    await waitForEvent(server, eventId);
    expect(await versions("qa")).toEqual(["shop@2"]);
    expect(await versions("qa&environment=staging")).toEqual(["shop@1", "shop@2"]);
  });

  test("sums sessions, users and rates over the range and for each interval", async () => {
    const { groups, intervals } = await ask(
      "interval=30m&field=sum(session)&field=count_unique(user)&field=crash_free_rate(session)&field=crash_rate(user)&query=release:shop@1",
    );
    expect(groups).toHaveLength(1);
    expect(groups[0]).toMatchObject({
      by: {},
      totals: {
        "sum(session)": 10,
        "count_unique(user)": 1,
        "crash_free_rate(session)": 0.9,
        "crash_rate(user)": 1,
      },
    });
    const { series } = groups[0] as Answer["groups"][number];
    expect(series["sum(session)"]).toHaveLength(intervals.length);
    expect(series["sum(session)"]?.reduce((sum, value) => (sum ?? 0) + (value ?? 0), 0)).toBe(10);
    // Where there was no session there is no rate, rather than a good one.
    expect(series["crash_free_rate(session)"]).toContain(null);
  });

  test("groups by release, environment, project and status", async () => {
    expect(await totals("field=sum(session)&groupBy=release")).toEqual([
      ["shop@1", 10],
      ["shop@2", 2],
    ]);
    expect(await totals("field=sum(session)&groupBy=project&groupBy=environment")).toEqual([
      [1, "production", 10],
      [1, "", 2],
    ]);
    expect(
      await totals("field=sum(session)&field=count_unique(user)&groupBy=session.status&query=release:shop@1"),
    ).toEqual([
      ["healthy", 8, 0],
      ["errored", 1, 0],
      ["crashed", 1, 1],
      ["abnormal", 0, 0],
      ["unhandled", 0, 0],
    ]);
    expect(await totals("field=sum(session)&environment=production&project=shop")).toEqual([[10]]);
    expect(await totals("field=sum(session)&query=release:nobody@1")).toEqual([]);
  });

  test.each([
    ["", "field"],
    ["field=avg(session.duration)", "field"],
    ["field=sum(session)&groupBy=os", "groupBy"],
    ["field=crash_rate(session)&groupBy=session.status", "groupBy"],
    ["field=sum(session)&interval=1m&start=2020-01-01&end=2026-01-01&statsPeriod=90d", "interval"],
    ["field=sum(session)&query=user:1", "query"],
  ])("refuses %s and names %s", async (query, parameter) => {
    await expect(getJson(server, `${PATH}?${query}`)).rejects.toThrow(new RegExp(`answered 400: .*${parameter}`));
  });

  test("an update that came twice is in the ledger as a repeat", async () => {
    const ledger = await getJson<Answer>(
      server,
      "/organizations/default/stats_v2/?field=sum(quantity)&groupBy=outcome&category=session&statsPeriod=2h",
    );
    expect(ledger.groups.map(({ by, totals: sums }) => [by.outcome, sums["sum(quantity)"]]).sort()).toEqual([
      ["accepted", 4],
      ["invalid", 1],
    ]);
  });
});

test("the issues that spent the budget stand on the release, the project and the monitor", async () => {
  const exception = { values: [{ type: "CartError", value: "gone", mechanism: { type: "onerror", handled: false } }] };
  const { eventId, envelope } = toEventEnvelope({ exception, release: "shop@1", environment: "production" });
  await sendEnvelope(server, envelope);
  await waitForEvent(server, eventId);
  const person = await signIn(server);
  const goal = { project: "shop", measure: "sessions:crash_rate(session)", comparison: "goal", windowMinutes: "60" };
  const monitor = await person.post("/metric-monitors/new", { intent: "save", name: "Crashes", ...goal });
  const count = { ...goal, measure: "sessions:count()", comparison: "none", direction: "above", critical: "1" };
  const other = await person.post("/metric-monitors/new", { intent: "save", name: "Sessions", ...count });
  const listed = async (path: string) => (await person.open(path)).html.split("What spent the budget")[1] ?? "";
  for (const path of ["/releases/shop%401/health", "/projects/shop", new URL(monitor.url).pathname])
    expect([path, (await listed(path)).includes("CartError")]).toEqual([path, true]);
  expect(await listed(new URL(other.url).pathname)).toBe("");
});
