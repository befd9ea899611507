import { expect, test } from "vitest";
import type { Quota } from "../../../domain/quotas/quota.ts";
import { type CreateStateDatabase, createProject, NOON, openStore, scopeOf } from "./fixture.ts";

const daily: Quota = { kind: "errors", period: "day", limit: 1000 };
const monthly: Quota = { kind: "spans", period: "month", limit: 5 };

/** What projects and the server take at most. */
export function describeQuotas(createDatabase: CreateStateDatabase): void {
  test("quotas of projects and of the server are apart, and a change is seen by the version", async () => {
    await using store = await openStore(createDatabase);
    const projectId = await createProject(store, "shop");
    const scope = scopeOf(projectId);
    const { quotas, quotaIndex, directory } = store;
    expect(await quotas.listQuotas(scope, projectId)).toEqual([]);
    const before = await directory.version();
    expect(await quotas.saveQuotas(scope, projectId, [monthly, daily])).toBe(true);
    expect(await quotas.saveQuotas(scope, null, [daily])).toBe(true);
    expect(await directory.version()).toBeGreaterThan(before);
    expect(await quotas.listQuotas(scope, projectId)).toEqual([daily, monthly]);
    expect([...(await quotaIndex.listAllQuotas())]).toEqual([
      [null, [daily]],
      [projectId, [daily, monthly]],
    ]);
    expect(await quotas.saveQuotas(scope, projectId, [])).toBe(true);
    expect([...(await quotaIndex.listAllQuotas()).keys()]).toEqual([null]);
  });

  test("quotas of a project outside of the scope are neither read nor changed", async () => {
    await using store = await openStore(createDatabase);
    const projectId = await createProject(store, "shop");
    const other = scopeOf(projectId + 1);
    expect(await store.quotas.listQuotas(other, projectId)).toBeNull();
    expect(await store.quotas.saveQuotas(other, projectId, [daily])).toBe(false);
  });

  test("what was counted takes the place of what was saved before, and old windows go", async () => {
    await using store = await openStore(createDatabase);
    const { quotaIndex } = store;
    const use = { owner: "project:1", kind: "errors", period: "day", startedAt: NOON, used: 3 } as const;
    const old = { owner: "key:2", kind: "all", period: "60s", startedAt: NOON - 1, used: 1 } as const;
    await quotaIndex.saveUses([use, old], NOON - 1);
    await quotaIndex.saveUses([{ ...use, used: 4 }], NOON);
    expect(await quotaIndex.listUses()).toEqual([{ ...use, used: 4 }]);
  });

  test("the ledger knows what had passed", async () => {
    await using store = await openStore(createDatabase);
    const base = { projectId: 1, category: "error", reason: "", quantity: 1, receivedAt: NOON };
    await store.outcomes.addOutcomes([
      { ...base, outcome: "accepted" },
      { ...base, outcome: "filtered", reason: "localhost" },
      { ...base, outcome: "rate_limited", reason: "key_quota" },
      { ...base, outcome: "client_discard", reason: "sample_rate" },
      { ...base, outcome: "accepted", category: "transaction" },
      { ...base, outcome: "accepted", projectId: 2 },
      { ...base, outcome: "accepted", receivedAt: NOON - 3_600_000 },
    ]);
    const query = { categories: ["error", "default"], from: NOON };
    expect(await store.quotaIndex.sumAdmitted({ ...query, projectId: 1 })).toBe(2);
    expect(await store.quotaIndex.sumAdmitted({ ...query, projectId: null })).toBe(3);
  });
}
