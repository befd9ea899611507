import { expect, test } from "vitest";
import { DEFAULT_HEALTH_GOAL } from "../../../domain/releases/release-health.ts";
import { type CreateStateDatabase, createProject, EVERYTHING, openStore, scopeOf } from "./fixture.ts";

export function describeHealth(createDatabase: CreateStateDatabase): void {
  test("a project has its goal, or the default, and the audit log says who changed it", async () => {
    await using store = await openStore(createDatabase);
    const web = await createProject(store, "web");
    const api = await createProject(store, "api");
    const goal = { target: 0.999, floor: 0.95 };
    expect(await store.health.setGoal(scopeOf(api), web, goal)).toBe(false);
    expect(await store.health.setGoal(EVERYTHING, 99, goal)).toBe(false);
    expect(await store.health.setGoal(EVERYTHING, web, goal)).toBe(true);
    expect([...(await store.health.listGoals(scopeOf(web, api)))]).toEqual([
      [web, goal],
      [api, DEFAULT_HEALTH_GOAL],
    ]);
    const { entries } = await store.audit.listEntries(EVERYTHING, {
      ...{ where: { kind: "all", parts: [] }, before: null, limit: 1 },
    });
    expect(entries).toMatchObject([{ action: "project.edit", target: { name: "web" } }]);
    expect(await store.health.setGoal(EVERYTHING, web, null)).toBe(true);
    expect((await store.health.listGoals(scopeOf(web))).get(web)).toEqual(DEFAULT_HEALTH_GOAL);
    expect((await store.health.listGoals(scopeOf(api))).has(web)).toBe(false);
  });
}
