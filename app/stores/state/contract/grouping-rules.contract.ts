import { expect, test } from "vitest";
import { apply, type CreateStateDatabase, createProject, groupingOf, NOON, occurrence, scopeOf } from "./fixture.ts";

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

  test("events are counted by the rules that decided them, until these are changed", async () => {
    await using database = await createDatabase();
    const store = await database.connect();
    const projectId = await createProject(store, "counted");
    const scope = scopeOf(projectId);
    const change = { projectId, userId: null, at: NOON };
    await store.groupingRules.saveRules(scope, { ...change, fingerprintRules: "type:A -> a\ntype:B -> b" });
    const ruled = (sequence: number, text: string, at: number) =>
      occurrence(sequence, text, {
        projectId,
        at,
        grouping: { ...groupingOf(text), ruling: { fingerprint: { line: 1, text }, stack: ["app:no -group"] } },
      });
    await apply(store, [
      ruled(0, "type:A -> a", NOON + 5),
      ruled(1, "type:A -> a", NOON),
      ruled(2, "type:B -> b", NOON),
    ]);
    await apply(store, [occurrence(3, "none", { projectId })]);
    expect(await store.groupingRules.listUses(scope, projectId)).toEqual([
      { kind: "stack", rule: "app:no -group", eventCount: 3, lastAt: NOON + 5 },
      { kind: "fingerprint", rule: "type:A -> a", eventCount: 2, lastAt: NOON + 5 },
      { kind: "fingerprint", rule: "type:B -> b", eventCount: 1, lastAt: NOON },
    ]);
    expect(await store.groupingRules.listUses(scopeOf(), projectId)).toEqual([]);
    await store.groupingRules.saveRules(scope, { ...change, fingerprintRules: "# less\n type:A -> a" });
    expect((await store.groupingRules.listUses(scope, projectId)).map(({ rule }) => rule)).toEqual([
      "app:no -group",
      "type:A -> a",
    ]);
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
