import { afterAll, beforeAll, expect, test } from "vitest";
import { getJson, send, sendEnvelope, waitFor } from "../support/api.ts";
import { makeProject } from "../support/make-project.ts";
import { startServer, type TestServer } from "../support/start-server.ts";

const PATH = "/organizations/default/monitors/";

let server: TestServer;

beforeAll(async () => {
  server = await startServer();
});
afterAll(async () => {
  await server?.[Symbol.asyncDispose]();
});

interface ApiMonitor {
  id: string;
  slug: string;
  environments: Array<{ name: string; lastCheckIn: string; lastCheckInStatus: string }>;
}

const list = (query = "") => getJson<ApiMonitor[]>(server, `${PATH}${query}`);

function toEnvelope(checkIn: object): string {
  return `{}\n{"type":"check_in"}\n${JSON.stringify(checkIn)}\n`;
}

test("monitors are those that check-ins name, and a check-in that is sent again changes nothing", async () => {
  expect(await list()).toEqual([]);
  const id = crypto.randomUUID().replaceAll("-", "");
  const schedule = { type: "interval", value: 1, unit: "day" };
  await sendEnvelope(
    server,
    toEnvelope({
      check_in_id: id,
      monitor_slug: "Nightly Backup",
      status: "in_progress",
      environment: "staging",
      monitor_config: { schedule, checkin_margin: 5, timezone: "UTC" },
    }),
  );
  const [made] = await waitFor("the monitor", async () => {
    const found = await list();
    return found.length > 0 && found;
  });
  expect(made).toEqual({
    id: expect.stringMatching(/^\d+$/),
    slug: "nightly-backup",
    name: "nightly-backup",
    type: "cron_job",
    status: "active",
    isMuted: false,
    owner: null,
    dateCreated: expect.stringMatching(/Z$/),
    project: { id: "1", name: "shop", slug: "shop", platform: expect.any(String) },
    config: {
      schedule_type: "interval",
      schedule: [1, "day"],
      checkin_margin: 5,
      max_runtime: null,
      timezone: "UTC",
      failure_issue_threshold: null,
      recovery_threshold: null,
    },
    environments: [
      {
        name: "staging",
        status: "active",
        isMuted: false,
        dateCreated: expect.stringMatching(/Z$/),
        lastCheckIn: expect.stringMatching(/Z$/),
        lastCheckInStatus: "in_progress",
        nextCheckIn: expect.stringMatching(/Z$/),
        nextCheckInLatest: expect.stringMatching(/Z$/),
        activeIncident: null,
      },
    ],
  });

  const ended = toEnvelope({
    check_in_id: id,
    monitor_slug: "Nightly Backup",
    status: "error",
    environment: "staging",
  });
  await sendEnvelope(server, ended);
  const after = await waitFor("its end", async () => {
    const [monitor] = await list();
    return monitor?.environments[0]?.lastCheckInStatus === "error" && monitor;
  });
  await sendEnvelope(server, ended);
  await sendEnvelope(server, toEnvelope({ check_in_id: id, monitor_slug: "last", status: "ok" }));
  await waitFor("the last one", async () => (await list("?query=LAST")).length === 1);
  expect((await list("?query=nightly"))[0]).toEqual(after);
});

test("monitors page by their Link header, and are filtered by project and environment", async () => {
  const other = await makeProject(server, "other");
  for (const slug of ["a", "b", "c"])
    await sendEnvelope({ ...server, dsn: other.dsn }, toEnvelope({ monitor_slug: slug, status: "ok" }));
  await waitFor("three monitors", async () => (await list("?project=other")).length === 3);
  const response = await fetch(`${server.url}/api/0${PATH}?project=${other.id}&per_page=2`, {
    headers: { authorization: `Bearer ${server.token}` },
  });
  expect(response.headers.get("x-check-ins-left-out")).toBeNull();
  expect(await response.json()).toMatchObject([{ slug: "a" }, { slug: "b" }]);
  const cursor = /rel="next"; results="true"; cursor="([^"]+)"/.exec(response.headers.get("link") ?? "")?.[1];
  expect(await list(`?project=other&cursor=${cursor}`)).toMatchObject([{ slug: "c" }]);
  expect(await list("?environment=staging")).toMatchObject([{ slug: "nightly-backup" }]);
  await expect(list("?project=nobody")).rejects.toThrow("404");
});

test("monitors are made, changed and deleted, and their runs are listed", async () => {
  const ask = async (method: "POST" | "PUT" | "DELETE", path: string, body: object = {}) => {
    const response = await send(server, method, path, body);
    const text = await response.text();
    return { status: response.status, json: text === "" ? null : JSON.parse(text) };
  };
  const config = { schedule_type: "crontab", schedule: "0 2 * * *", timezone: "Europe/Berlin", max_runtime: 5 };
  const made = await ask("POST", PATH, { project: "shop", name: "Night Shift", config });
  expect(made).toMatchObject({
    status: 201,
    json: { slug: "night-shift", name: "Night Shift", config, environments: [] },
  });
  expect((await ask("POST", PATH, { project: "shop", name: "Night Shift", config })).status).toBe(409);
  const bad = async (change: object) =>
    (await ask("POST", PATH, { project: "shop", name: "n", config, ...change })).json;
  expect((await bad({ config: { ...config, schedule: "61 * * * *" } })).detail).toContain(
    "Invalid value for minute: 61",
  );
  expect((await bad({ config: { ...config, grace: 3 } })).detail).toContain("grace");
  expect((await bad({ config: { ...config, timezone: "Mars/X" } })).detail).toContain("Mars/X");
  expect((await bad({ nmae: "x" })).detail).toContain("nmae");
  expect((await ask("POST", PATH, { project: "nobody", name: "n", config })).status).toBe(404);

  const team = (await ask("POST", "/organizations/default/teams/", { name: "Nights", slug: "nights" })).json;
  const owner = `team:${team.id}`;
  for (const [of, message] of [
    ["team:999", "owner: There is no team 999."],
    ["user:999", "owner: There is no member 999."],
    [owner, "owner: #nights does not see the project. Give them access first."],
  ] as const) {
    expect(await bad({ owner: of })).toEqual({ detail: message });
    expect(await bad({ config: { ...config, owner: of } })).toEqual({ detail: message });
    expect((await ask("PUT", `${PATH}night-shift/`, { owner: of })).json).toEqual({ detail: message });
  }
  expect((await ask("POST", "/projects/default/shop/teams/nights/")).status).toBe(201);

  const path = `${PATH}night-shift/`;
  const hourly = { schedule_type: "interval", schedule: [2, "hour"] };
  expect(await ask("PUT", path, { config: hourly, is_muted: true, name: "Shift", owner })).toMatchObject({
    status: 200,
    json: { name: "Shift", isMuted: true, config: hourly, owner: { type: "team", id: team.id } },
  });
  await sendEnvelope(server, toEnvelope({ monitor_slug: "night-shift", status: "ok", duration: 2 }));
  const [run] = await waitFor("the run", async () => {
    const runs = await getJson<object[]>(server, `${path}checkins/`);
    return runs.length > 0 && runs;
  });
  expect(run).toMatchObject({ status: "ok", duration: 2000, environment: "production", isLate: false });
  expect(await getJson(server, `${path}checkins/?statsPeriod=1h`)).toHaveLength(1);
  expect(await getJson(server, `${path}checkins/?start=2020-01-01&end=2020-01-02`)).toEqual([]);
  const hours = await getJson<Array<{ ts: number; ok: number; duration: number }>>(server, `${path}stats/`);
  expect(hours.reduce((sum, { ok }) => sum + ok, 0)).toBe(1);
  expect([hours.length, Math.max(...hours.map(({ duration }) => duration))]).toEqual([25, 2000]);
  const until = Math.ceil(Date.now() / 1000) + 1;
  const days = await getJson<object[]>(server, `${path}stats/?since=${until - 60 * 86_400}&until=${until}`);
  expect(days.length).toBeGreaterThanOrEqual(60);
  expect(days.at(-1)).toMatchObject({ ok: 1, error: 0, missed: 0 });
  expect(await getJson(server, `${path}stats/?resolution=1d&environment=staging`)).not.toContainEqual(
    expect.objectContaining({ ok: 1 }),
  );
  await expect(getJson(server, `${path}stats/?resolution=1s`)).rejects.toThrow("at most 1000 steps");
  expect(await ask("PUT", `/projects/default/shop/monitors/night-shift/`, { status: "disabled" })).toMatchObject({
    json: { status: "disabled", environments: [{ status: "disabled", nextCheckIn: null }] },
  });
  expect((await ask("DELETE", path)).status).toBe(202);
  expect((await ask("DELETE", path)).status).toBe(404);
});
