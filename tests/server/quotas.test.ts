import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { getJson, listIssues, send, sendEnvelope, sumOutcomes, toEventEnvelope, waitFor } from "../support/api.ts";
import { signIn } from "../support/browse.ts";
import { startServer, type TestServer } from "../support/start-server.ts";

const quotas = "/projects/default/shop/quotas/";

interface ListedQuota {
  kind: string;
  period: string;
  limit: number;
  used: number;
  refused: number;
  resetsAt: string;
}

const report = async (server: Parameters<typeof sendEnvelope>[0]) => {
  const { envelope } = toEventEnvelope({ message: "hi", platform: "node" });
  return sendEnvelope(server, envelope);
};

test("a quota refuses what is over it, shows what is used, and a restart goes on from there", async () => {
  const dataDir = mkdtempSync(join(tmpdir(), "culprit-quotas-"));
  const first = await startServer({ dataDir });
  await refuseOverQuota(first).finally(() => first.stop());
  const second = await startServer({ dataDir });
  await goOn(second).finally(() => second.stop());
  rmSync(dataDir, { recursive: true, force: true });
});

async function refuseOverQuota(server: TestServer): Promise<void> {
  const visitor = await signIn(server);
  const empty = await visitor.open("/projects/shop/limits");
  expect([empty.status, empty.html.includes("No quota")]).toEqual([200, true]);

  const set = { intent: "set-quota", kind: "errors", period: "month", limit: "2" };
  const saved = await visitor.post("/projects/shop/limits", set);
  expect([saved.status, saved.html.includes("Quota saved: Errors, 2 a month.")]).toEqual([200, true]);
  const wrong = await visitor.post("/projects/shop/limits", { ...set, limit: "many" });
  expect([wrong.status, wrong.html.includes("must be a whole number")]).toEqual([400, true]);

  expect((await report(server)).status).toBe(200);
  expect((await report(server)).status).toBe(200);
  const refused = await report(server);
  expect(refused.status).toBe(429);
  expect(refused.headers.get("x-sentry-rate-limits")).toMatch(
    /^\d+:error;default;security:project:project_quota_month$/,
  );
  await waitFor("the events", async () => (await listIssues(server))[0]?.count === "2");
  await waitFor(
    "the refusal",
    async () => (await sumOutcomes(server, { outcome: "rate_limited", reason: "project_quota_month" })) === 1,
  );
  const [listed] = await getJson<ListedQuota[]>(server, quotas);
  expect(listed).toMatchObject({ kind: "errors", period: "month", limit: 2, used: 2, refused: 1 });
  expect(listed?.resetsAt).toMatch(/-01T00:00:00.000Z$/);
  const page = await visitor.open("/projects/shop/limits");
  expect(page.html).toContain("the quota is reached");
}

async function goOn(server: TestServer): Promise<void> {
  const visitor = await signIn(server);
  expect((await report(server)).status).toBe(429);

  // Raised, it holds at once. The server's own comes on top.
  const put = (path: string, body: object) => send(server, "PUT", path, body);
  expect((await put(quotas, { quotas: [{ kind: "errors", period: "month", limit: 5 }] })).status).toBe(200);
  expect((await report(server)).status).toBe(200);
  const ofServer = "/organizations/default/quotas/";
  expect((await put(ofServer, { quotas: [{ kind: "errors", period: "day", limit: 0 }] })).status).toBe(200);
  expect((await report(server)).headers.get("x-sentry-rate-limits")).toContain(":organization:server_quota_day");
  expect((await (await visitor.open("/settings/limits")).html).includes("at most")).toBe(true);
  const removed = await visitor.post("/settings/limits", { intent: "remove-quota", kind: "errors", period: "day" });
  expect([removed.status, removed.html.includes("Undo")]).toEqual([200, true]);
  expect((await report(server)).status).toBe(200);

  const twice = { kind: "spans", period: "day", limit: 1 };
  expect((await put(quotas, { quotas: [twice, twice] })).status).toBe(400);
  expect((await put(quotas, { quotas: [{ ...twice, limit: -1 }] })).status).toBe(400);
  expect((await put(quotas, { quotas: [{ ...twice, kind: "everything" }] })).status).toBe(400);
}
