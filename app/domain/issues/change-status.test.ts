import { describe, expect, test } from "vitest";
import { type CurrentStatus, changeStatus, restoreStatus } from "./change-status.ts";

const current = (change: Partial<CurrentStatus> = {}): CurrentStatus => ({
  issueId: 7,
  projectId: 1,
  status: "unresolved",
  substatus: "new",
  lastResolution: null,
  ...change,
});
const IN_RELEASE = { kind: "release", version: "app@1" } as const;

describe("changing a status", () => {
  test("keeps the substatus for undo, and a reopened issue is not new", () => {
    expect(changeStatus(current(), "archived", undefined)?.substatus).toBe("new");
    expect(changeStatus(current({ status: "archived" }), "unresolved", undefined)?.substatus).toBe("ongoing");
  });

  test("does nothing to an issue that has the status", () => {
    expect(changeStatus(current(), "unresolved", undefined)).toBeNull();
    expect(changeStatus(current({ status: "archived" }), "archived", IN_RELEASE)).toBeNull();
  });

  test("gives a resolved issue another resolution, and leaves its own when none is given", () => {
    const resolved = current({ status: "resolved", lastResolution: IN_RELEASE });
    expect(changeStatus(resolved, "resolved", undefined)).toBeNull();
    expect(changeStatus(resolved, "resolved", { ...IN_RELEASE })).toBeNull();
    expect(changeStatus(resolved, "resolved", null)?.resolution).toBeNull();
    expect(changeStatus(resolved, "resolved", { kind: "next_release", after: "app@1" })?.resolution).toEqual({
      kind: "next_release",
      after: "app@1",
    });
  });
});

describe("undo", () => {
  test("waits for what it waited for last, unless it is told", () => {
    const reopened = current({ lastResolution: IN_RELEASE });
    expect(restoreStatus(reopened, { status: "resolved", substatus: "new" })?.resolution).toEqual(IN_RELEASE);
    expect(restoreStatus(reopened, { status: "resolved", substatus: "new", resolution: null })?.resolution).toBeNull();
  });

  test("of the substatus alone is no activity, and of nothing changes nothing", () => {
    expect(restoreStatus(current(), { status: "unresolved", substatus: "ongoing" })?.isActivity).toBe(false);
    expect(restoreStatus(current(), { status: "unresolved", substatus: "new" })).toBeNull();
  });
});
