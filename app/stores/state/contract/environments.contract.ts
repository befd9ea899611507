import { expect, test } from "vitest";
import { MAX_ENVIRONMENTS_OF_PROJECT } from "../../../domain/environments.ts";
import { DAY_MS, HOUR_MS } from "../../../domain/time.ts";
import {
  apply,
  type CreateStateDatabase,
  EVERYTHING,
  NOON,
  occurrence,
  openStore,
  scopeOf,
  titlesOf,
} from "./fixture.ts";

const RANGE = { from: NOON - HOUR_MS, to: NOON + HOUR_MS, bucketMs: HOUR_MS };

export function describeEnvironments(createDatabase: CreateStateDatabase): void {
  test("a project keeps so many apart, and events of further ones count all the same", async () => {
    await using store = await openStore(createDatabase);
    const full = Array.from({ length: MAX_ENVIRONMENTS_OF_PROJECT }, (_, index) =>
      occurrence(index, "a", { environment: `e${index}` }),
    );
    await apply(store, full);
    expect(await store.issues.listEnvironmentOverflows(EVERYTHING)).toEqual([]);
    const batch = [
      occurrence(2_000, "a", { environment: "late" }),
      occurrence(2_001, "a", { environment: "later" }),
      // One that is there, one that is always there, and one of a project with room.
      occurrence(2_002, "a", { environment: "e7" }),
      occurrence(2_003, "b", { environment: null }),
      occurrence(2_004, "c", { environment: "late", projectId: 2 }),
      occurrence(2_005, "d", { environment: "late" }),
    ];
    const [assigned] = await apply(store, batch);
    // As after a crash.
    await apply(store, batch);
    expect(await store.issues.listEnvironmentOverflows(scopeOf(1))).toEqual([
      { projectId: 1, eventCount: 3, lastName: "late", lastAt: NOON },
    ]);
    expect(await store.issues.listEnvironmentOverflows(scopeOf(2))).toEqual([]);
    const issueId = assigned?.issueId ?? 0;
    const eventCount = MAX_ENVIRONMENTS_OF_PROJECT + 3;
    expect(await store.issues.getIssue(EVERYTHING, issueId)).toMatchObject({ eventCount });
    const sumOf = async (environments?: string[]) => {
      const range = { ...RANGE, ...(environments === undefined ? {} : { environments }) };
      const counts = (await store.issues.listTrends(EVERYTHING, [issueId], range)).get(issueId) ?? [];
      return counts.reduce((sum, count) => sum + count, 0);
    };
    expect([await sumOf(), await sumOf(["e7"]), await sumOf(["later"])]).toEqual([eventCount, 2, 0]);
    expect(await titlesOf(store, { environments: ["late"] })).toEqual(["Error of c"]);
    expect(await titlesOf(store, { environments: [""] })).toEqual(["Error of b"]);
    expect(await titlesOf(store, { projectIds: [1], from: NOON - HOUR_MS })).toContain("Error of d");

    // The name has an id by now, from the other project: the event was not counted by it.
    const happened = { issueId, occurredAt: NOON, environment: "late", release: null, userKey: null };
    const by = { userId: null, at: NOON + 10, user: { field: "id", value: "1" }, label: "x" } as const;
    const deletion = await store.deletions.deleteUser(EVERYTHING, by);
    const { eventId } = occurrence(2_000, "a");
    await store.deletionWork.noteEvents(deletion, [{ projectId: 1, eventId, occurrence: happened, items: [] }]);
    expect(await sumOf()).toBe(eventCount - 1);
  });

  test("those not seen until the end of retention make room", async () => {
    await using store = await openStore(createDatabase);
    const full = Array.from({ length: MAX_ENVIRONMENTS_OF_PROJECT }, (_, index) =>
      occurrence(index, "a", { environment: `e${index}` }),
    );
    await apply(store, [...full, occurrence(1_500, "a", { environment: "late" })]);
    await apply(store, [occurrence(1_600, "a", { environment: "e1", at: NOON + 9 * DAY_MS })]);
    await store.dropBefore(NOON + 5 * DAY_MS);
    expect(await store.issues.listEnvironmentOverflows(EVERYTHING)).toEqual([]);
    await apply(store, [occurrence(1_700, "b", { environment: "late", at: NOON + 9 * DAY_MS })]);
    expect(await titlesOf(store, { environments: ["late"] })).toEqual(["Error of b"]);
  });
}
