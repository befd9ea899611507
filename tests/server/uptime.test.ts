import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { DatabaseSync } from "node:sqlite";
import { expect, test } from "vitest";
import { dataPaths } from "../../app/data-folder/data-paths.ts";
import { DAY_MS } from "../../app/domain/time.ts";
import { parseDsn, toEnvelopeUrl } from "../../app/protocol/dsn.ts";
import { getJson, send } from "../support/api.ts";
import { pressUndo, signIn } from "../support/browse.ts";
import { startServer } from "../support/start-server.ts";

test("an address is watched by the web API, shown to strangers on a status page, changed, paused and deleted", async () => {
  const shop = createServer((request, response) => response.end(request.headers["x-key"]));
  await new Promise<void>((resolve) => shop.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(shop.address() as AddressInfo).port}/health`;
  await using server = await startServer({ env: { ALLOW_PRIVATE_CHECKS: "1" } });
  const UPTIME = "/projects/default/shop/uptime/";
  const whole = { name: "Shop", url, intervalSeconds: 60 };
  for (const [change, field] of [
    [{ url: "shop" }, "url"],
    [{ intervalSeconds: 61 }, "intervalSeconds"],
    [{ timeoutMs: 99 }, "timeoutMs"],
    [{ assertions: ["status nice"] }, "assertions"],
    [{ headers: [["a b", "c"]] }, "headers"],
    [{ headers: [["x-a", "b\nx-c: d"]] }, "headers"],
    [{ name: "" }, "name"],
  ] as const) {
    const refused = await send(server, "POST", UPTIME, { ...whole, ...change });
    expect([change, refused.status, await refused.text()]).toEqual([change, 400, expect.stringContaining(field)]);
  }
  const made = await send(server, "POST", UPTIME, {
    ...whole,
    headers: [["x-key", "all is well"]],
    assertions: ["body contains all is well"],
    certificateDays: null,
  });
  expect(made.status).toBe(201);
  const { id } = (await made.json()) as { id: string };
  const read = () => getJson<Record<string, unknown>>(server, `${UPTIME}${id}/`);
  await expect.poll(async () => (await read()).uptimeStatus).toBe("up");
  const checks = await getJson<object[]>(server, `${UPTIME}1/checks/?statsPeriod=24h&per_page=1`);
  expect(checks).toMatchObject([{ checkStatus: "success", checkStatusReason: null, region: "here" }]);
  expect(checks.every((check) => "durationMs" in check && Number.isInteger(check.durationMs))).toBe(true);
  expect(await getJson(server, `${UPTIME}1/checks/?start=2020-01-01&end=2020-01-02`)).toEqual([]);
  expect(await read()).toMatchObject({ status: "active", url, method: "GET", timeoutMs: 10_000, lastReason: null });

  const owner = await signIn(server);
  const publish = (form: Record<string, string>) =>
    owner.post("/projects/shop/status-page", { intent: "save", title: "How the shop is", ...form });
  for (const [form, status] of [
    [{ slug: "shop" }, 400],
    [{ slug: "shop", monitor: "999" }, 400],
    [{ slug: "No Slug", monitor: id }, 400],
    [{ title: "", monitor: id }, 400],
  ] as const)
    expect([form, (await publish(form)).status]).toEqual([form, status]);
  const ask = () => fetch(`${server.url}/status/shop-now`);
  expect((await ask()).status).toBe(404);
  const withForeign = new URLSearchParams({ intent: "save", title: "How the shop is", slug: "shop-now", monitor: id });
  withForeign.append("monitor", "999");
  expect(await owner.post("/projects/shop/status-page", withForeign)).toMatchObject({
    status: 400,
    html: expect.stringContaining("One of these addresses is not checked in this project."),
  });
  expect((await publish({ slug: "shop-now", monitor: id })).status).toBe(200);
  const seen = await ask();
  const html = await seen.text();
  expect(seen.headers.get("cache-control")).toBe("public, max-age=30");
  expect(seen.headers.get("set-cookie")).toBeNull();
  // Not with the cookie of a member whose session goes on with this answer: caches that everybody shares would have it.
  using database = new DatabaseSync(dataPaths(server.dataDir).state, { timeout: 5_000 });
  database.exec(`UPDATE sessions SET expires_at = expires_at - ${2 * DAY_MS}`);
  const extended = await fetch(`${server.url}/status/shop-now`, { headers: { cookie: owner.cookie } });
  expect(extended.headers.get("set-cookie")).toContain("culprit_session=");
  expect(extended.headers.get("cache-control")).toBe("private, no-cache");
  expect(html).toContain("How the shop is");
  expect(html).toContain("All is up.");
  // Neither what is asked nor what is sent along.
  expect(html).not.toMatch(/127\.0\.0\.1:\d+\/health|all is well/);
  await publish({ slug: "shop-now", monitor: id, showsAddresses: "on" });
  expect(await (await ask()).text()).toContain(url);
  const takenDown = await owner.post("/projects/shop/status-page", { intent: "delete" });
  expect((await ask()).status).toBe(404);
  expect((await pressUndo(owner, takenDown, "restore-page")).html).toContain("The page is back at its address.");
  expect(await (await ask()).text()).toContain(url);
  const again = await pressUndo(owner, takenDown, "restore-page");
  expect([again.status, again.html.includes("There is nothing to undo")]).toEqual([409, true]);
  await owner.post("/projects/shop/status-page", { intent: "delete" });

  const changed = await send(server, "PUT", `${UPTIME}${id}/`, { assertions: [], status: "disabled" });
  expect(await changed.json()).toMatchObject({
    status: "disabled",
    assertions: [],
    headers: [["x-key", "all is well"]],
    uptimeStatus: "unknown",
  });
  expect(await getJson(server, "/organizations/default/uptime/?query=SHOP")).toMatchObject([{ id }]);
  expect((await send(server, "DELETE", `${UPTIME}${id}/`)).status).toBe(204);
  expect(await getJson(server, "/organizations/default/uptime/")).toEqual([]);
  expect((await send(server, "PUT", `${UPTIME}${id}/`, { name: "Gone" })).status).toBe(404);
  shop.closeAllConnections();
  shop.close();
});

test("a check is the root of a trace, with the spans of the server that it asked below it", async () => {
  await using server = await startServer({ env: { ALLOW_PRIVATE_CHECKS: "1" } });
  const dsn = parseDsn(server.dsn);
  if (dsn === null) throw new Error("the server has no project");
  const sent: Array<Promise<Response>> = [];
  // As an SDK that continues traces.
  const shop = createServer((request, response) => {
    const [, traceId, parentId] = String(request.headers.traceparent).split("-");
    const now = Date.now() / 1_000;
    const trace = { trace_id: traceId, span_id: "b".repeat(16), parent_span_id: parentId, op: "http.server" };
    const transaction = {
      transaction: "GET /health",
      start_timestamp: now - 0.01,
      timestamp: now,
      contexts: { trace },
    };
    const lines = [{ event_id: "a".repeat(32) }, { type: "transaction" }, { type: "transaction", ...transaction }];
    const body = lines.map((line) => JSON.stringify(line)).join("\n");
    if (sent.length === 0) sent.push(fetch(toEnvelopeUrl(dsn), { method: "POST", body }));
    response.end();
  });
  await new Promise<void>((resolve) => shop.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(shop.address() as AddressInfo).port}/health?key=secret`;
  await send(server, "POST", "/projects/default/shop/uptime/", { name: "Shop", url, intervalSeconds: 3_600 });
  const owner = await signIn(server);
  const findTrace = async () => /\/traces\/([0-9a-f]{32})/.exec((await owner.open("/uptime/1")).html)?.[1];
  await expect.poll(findTrace).toBeDefined();
  expect((await sent[0])?.status).toBe(200);
  const traceId = await findTrace();
  const read = () => getJson<unknown[]>(server, `/organizations/default/trace/${traceId}/`);
  await expect.poll(read).toMatchObject([
    {
      op: "uptime.check",
      description: url.replace("?key=secret", "").replace("http", "GET http"),
      parent_span_id: null,
      children: [{ op: "http.server", description: "GET /health" }],
    },
  ]);
  shop.closeAllConnections();
  shop.close();
});
