import { type ChildProcess, spawn } from "node:child_process";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { resolve } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect, test } from "vitest";
import { getJson, send } from "../support/api.ts";
import { signIn } from "../support/browse.ts";
import { startServer } from "../support/start-server.ts";

const LOCATIONS = "/organizations/default/uptime-locations/";
const UPTIME = "/projects/default/shop/uptime/";
const root = resolve(import.meta.dirname, "../..");

function startLocation(token: string, env: Record<string, string> = {}): ChildProcess & AsyncDisposable {
  const child = spawn(process.execPath, ["--disable-warning=ExperimentalWarning", "scripts/location.ts"], {
    cwd: root,
    env: { PATH: process.env.PATH, CULPRIT_LOCATION_TOKEN: token, ...env },
    stdio: ["ignore", "ignore", "pipe"],
  });
  return Object.assign(child, {
    async [Symbol.asyncDispose]() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      child.kill("SIGKILL");
      await exitOf(child);
    },
  });
}

function exitOf(child: ChildProcess): Promise<number | null> {
  return new Promise((done) => child.once("exit", (code) => done(code)));
}

test("a second process checks from elsewhere; killed, nothing is down; its token revoked, it ends", async () => {
  let asked = 0;
  const shop = createServer((request, response) => {
    asked += request.headers["x-key"] === "secret" ? 1 : 0;
    response.end();
  });
  await new Promise<void>((done) => shop.listen(0, "127.0.0.1", done));
  const url = `http://127.0.0.1:${(shop.address() as AddressInfo).port}/`;
  // The server itself may not ask such an address: each place has its own rule.
  await using server = await startServer();
  const owner = await signIn(server);
  const post = (form: Record<string, string>) => owner.post("/settings/locations", form);
  expect((await post({ intent: "create", name: "here" })).status).toBe(400);
  const { html } = await post({ intent: "create", name: "Frankfurt" });
  const token = /sntrys_[\w+/=]+/.exec(html.replaceAll("&#x3D;", "="))?.[0] ?? "";
  // A bare name would be looked for in npm's registry, and run with the token.
  expect(html).toMatch(/npx \.\/culprit-[\d.]+\.tgz location/);
  expect((await owner.open("/settings/locations")).html).not.toContain(token);
  expect((await post({ intent: "create", name: "FRANKFURT" })).status).toBe(409);

  const monitor = {
    name: "Inner shop",
    url,
    intervalSeconds: 30,
    locations: ["Frankfurt"],
    headers: [["x-key", "secret"]],
  };
  const refused = await send(server, "POST", UPTIME, { ...monitor, locations: ["Oslo"] });
  expect([refused.status, await refused.text()]).toEqual([400, expect.stringContaining("locations: ")]);
  expect((await send(server, "POST", UPTIME, { ...monitor, locations: [] })).status).toBe(400);
  const made = await send(server, "POST", UPTIME, monitor);
  expect(await made.json()).toMatchObject({ locations: ["Frankfurt"], downAt: "most", uptimeStatus: "unknown" });
  const read = () => getJson<Record<string, unknown>>(server, `${UPTIME}1/`);

  await using location = startLocation(token, { ALLOW_PRIVATE_CHECKS: "1" });
  await expect.poll(async () => (await read()).uptimeStatus).toBe("up");
  expect(asked).toBeGreaterThan(0);
  expect(await read()).toMatchObject({ places: [{ location: "Frankfurt", status: "up", lastReason: null }] });
  expect(await getJson(server, LOCATIONS)).toMatchObject([{ name: "Frankfurt", status: "active" }]);
  // Each check is a trace here, too.
  const page = (await owner.open("/uptime/1")).html;
  const traceId = /\/traces\/([0-9a-f]{32})/.exec(page)?.[1];
  const findSpans = () => getJson<unknown[]>(server, `/organizations/default/trace/${traceId}/`);
  await expect.poll(findSpans).toMatchObject([{ op: "uptime.check" }]);

  // What it tells is bounded, and what is told twice counts once.
  const tell = (results: unknown[], more: object = {}) =>
    fetch(`${server.url}/api/0/organizations/default/uptime-location-checks/`, {
      method: "POST",
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
      body: JSON.stringify({ listKey: null, version: "test", results, ...more }),
    });
  const { monitors } = (await (await tell([])).json()) as {
    monitors: Array<{ monitorId: number; settingsKey: string }>;
  };
  const result = {
    ...{ monitorId: 1, settingsKey: monitors[0]?.settingsKey, ageMs: 0, durationMs: 5, reason: null },
    ...{ httpStatus: 200, certificateEndsAt: null, traceId: "c".repeat(32) },
  };
  expect(
    await (
      await tell([
        { ...result, monitorId: 2 },
        { ...result, settingsKey: "other" },
      ])
    ).json(),
  ).toMatchObject({
    taken: 0,
    ignored: 2,
  });
  expect((await tell([{ ...result, reason: "x".repeat(501) }])).status).toBe(400);
  expect((await tell(Array.from({ length: 201 }, () => result))).status).toBe(400);

  const killed = exitOf(location);
  location.kill("SIGKILL");
  await killed;
  // As the job does after a minute and a half; the contract of the store has what it does to the monitors.
  using db = new DatabaseSync(`${server.dataDir}/state.sqlite`, { timeout: 5_000 });
  db.exec("UPDATE uptime_locations SET silent_since = last_seen_at");
  expect(await read()).toMatchObject({ places: [{ location: "Frankfurt", status: "unknown" }] });
  expect((await owner.open("/uptime/1")).html).toContain("Not heard of");
  expect(await getJson(server, LOCATIONS)).toMatchObject([{ status: "silent" }]);
  expect(await getJson(server, "/organizations/default/issues/?query=")).toEqual([]);
  {
    await using again = startLocation(token, { ALLOW_PRIVATE_CHECKS: "1" });
    await expect.poll(() => getJson(server, LOCATIONS)).toMatchObject([{ status: "active" }]);
    const ended = exitOf(again);
    again.kill("SIGTERM");
    expect(await ended).toBe(0);
  }

  const gone = await send(server, "DELETE", `${LOCATIONS}1/`);
  expect([gone.status, await gone.text()]).toEqual([409, expect.stringContaining("“Inner shop”")]);
  await post({ intent: "token", location: "1" });
  await using late = startLocation(token);
  let said = "";
  late.stderr?.on("data", (part) => {
    said += part;
  });
  expect(await exitOf(late)).toBe(1);
  expect(said).toContain("“Location Frankfurt” was revoked");
  shop.closeAllConnections();
  shop.close();
});
