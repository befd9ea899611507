import { describe, expect, test } from "vitest";
import { type CurrentStatus, changeStatus, restoreStatus } from "./change-status.ts";

const current = (change: Partial<CurrentStatus> = {}): CurrentStatus => ({
  issueId: 7,
  projectId: 1,
  status: "unresolved",
  substatus: "new",
  lastResolution: null,
  lastArchive: null,
  ...change,
});
const UNTIL_100 = { kind: "events", count: 100, windowMinutes: null } as const;
const IN_RELEASE = { kind: "release", version: "app@1" } as const;

describe("changing a status", () => {
  test("keeps the substatus for undo, and a reopened issue is not new", () => {
    expect(changeStatus(current(), { status: "archived" })?.substatus).toBe("new");
    expect(changeStatus(current({ status: "archived" }), { status: "unresolved" })?.substatus).toBe("ongoing");
  });

  test("does nothing to an issue that has the status", () => {
    expect(changeStatus(current(), { status: "unresolved" })).toBeNull();
    expect(changeStatus(current({ status: "archived" }), { status: "archived", resolution: IN_RELEASE })).toBeNull();
  });

  test("gives a resolved issue another resolution, and leaves its own when none is given", () => {
    const resolved = current({ status: "resolved", lastResolution: IN_RELEASE });
    expect(changeStatus(resolved, { status: "resolved" })).toBeNull();
    expect(changeStatus(resolved, { status: "resolved", resolution: { ...IN_RELEASE } })).toBeNull();
    expect(changeStatus(resolved, { status: "resolved", resolution: null })?.resolution).toBeNull();
    expect(
      changeStatus(resolved, { status: "resolved", resolution: { kind: "next_release", after: "app@1" } })?.resolution,
    ).toEqual({
      kind: "next_release",
      after: "app@1",
    });
  });

  test("gives an archived issue another rule, counts from then, and forgets it with none", () => {
    const archived = current({ status: "archived", lastArchive: UNTIL_100 });
    expect(changeStatus(archived, { status: "archived", archive: { ...UNTIL_100 } })).toBeNull();
    expect(changeStatus(archived, { status: "archived" })).toMatchObject({ archive: null, keepsProgress: false });
    expect(changeStatus(current(), { status: "archived", archive: UNTIL_100 })?.archive).toEqual(UNTIL_100);
    expect(changeStatus(current(), { status: "resolved", archive: UNTIL_100 })?.archive).toBeNull();
  });
});

describe("undo", () => {
  test("waits for what it waited for last, unless it is told", () => {
    const reopened = current({ lastResolution: IN_RELEASE });
    expect(restoreStatus(reopened, { status: "resolved", substatus: "new" })?.resolution).toEqual(IN_RELEASE);
    expect(restoreStatus(reopened, { status: "resolved", substatus: "new", resolution: null })?.resolution).toBeNull();
  });

  test("goes on with the rule that the issue had last, and its count, unless it is told another", () => {
    const reopened = current({ lastArchive: UNTIL_100 });
    const back = { status: "archived", substatus: "new" } as const;
    expect(restoreStatus(reopened, back)).toMatchObject({ archive: UNTIL_100, keepsProgress: true });
    const other = { ...UNTIL_100, count: 5 };
    expect(restoreStatus(reopened, { ...back, archive: other })).toMatchObject({
      archive: other,
      keepsProgress: false,
    });
    expect(restoreStatus(reopened, { ...back, archive: null })?.archive).toBeNull();
  });

  test("of the substatus alone is no activity, and of nothing changes nothing", () => {
    expect(restoreStatus(current(), { status: "unresolved", substatus: "ongoing" })?.isActivity).toBe(false);
    expect(restoreStatus(current(), { status: "unresolved", substatus: "new" })).toBeNull();
  });
});
