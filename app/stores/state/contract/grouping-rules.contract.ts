import { expect, test } from "vitest";
import { type CreateStateDatabase, NOON, scopeOf } from "./fixture.ts";

export function describeGroupingRules(createDatabase: CreateStateDatabase): void {
  test("a project begins without rules; what is saved, every connection notices", async () => {
    await using database = await createDatabase();
    const store = await database.connect();
    const other = await database.connect();
    const created = await store.projects.createProject({ slug: "rules", name: "Rules", platform: "node", at: NOON });
    if (!created.ok) throw new Error(created.reason);
    const projectId = created.project.id;
    const scope = scopeOf(projectId);
    expect(await store.groupingRules.getRules(scope, projectId)).toEqual({
      fingerprintRules: "",
      stackRules: "",
      revision: 0,
      changedAt: null,
      changedBy: null,
    });
    const before = await other.groupingRuleIndex.version();
    const change = { projectId, userId: null, at: NOON + 0.5 };
    expect(await store.groupingRules.saveRules(scope, { ...change, fingerprintRules: "type:A -> a" })).toMatchObject({
      ok: true,
      rules: { fingerprintRules: "type:A -> a", stackRules: "", revision: 1, changedAt: NOON },
    });
    await store.groupingRules.saveRules(scope, { ...change, stackRules: "app:no -group", revision: 1 });
    expect(await other.groupingRuleIndex.version()).toBeGreaterThan(before);
    expect(await other.groupingRuleIndex.listRules()).toEqual([
      { projectId, fingerprintRules: "type:A -> a", stackRules: "app:no -group", splits: [] },
    ]);
    expect(await store.groupingRules.saveRules(scope, { ...change, stackRules: "", revision: 1 })).toEqual({
      ok: false,
      reason: "changed-meanwhile",
    });
  });

  test("rules of a project outside of the scope do not exist", async () => {
    await using database = await createDatabase();
    const store = await database.connect();
    const nobody = scopeOf();
    expect(await store.groupingRules.getRules(nobody, 1)).toBeNull();
    const change = { projectId: 1, userId: null, at: NOON, stackRules: "app:no -group" };
    expect(await store.groupingRules.saveRules(nobody, change)).toEqual({ ok: false, reason: "not-found" });
    expect(await store.groupingRuleIndex.listRules()).toEqual([]);
  });
}
