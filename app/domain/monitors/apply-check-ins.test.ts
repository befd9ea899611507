import { describe, expect, test } from "vitest";
import {
  type AppliedCheckIn,
  applyCheckIns,
  type KnownMonitors,
  MAX_ENVIRONMENTS_OF_MONITOR,
  MAX_MONITORS_OF_PROJECT,
} from "./apply-check-ins.ts";

const checkIn = (sequence: number, change: Partial<AppliedCheckIn> = {}): AppliedCheckIn => ({
  sequence,
  projectId: 1,
  receivedAt: 1000 + sequence,
  slug: "backup",
  environment: "production",
  status: "ok",
  config: null,
  checkInId: null,
  durationMs: null,
  release: null,
  traceId: null,
  exitStatus: null,
  output: null,
  ...change,
});
const NONE: KnownMonitors = { monitors: [], countByProject: new Map() };

describe("check-ins", () => {
  test("of one monitor and environment are one change, which the last one decides", () => {
    const { monitors } = applyCheckIns(NONE, [
      checkIn(1),
      checkIn(2, { status: "error" }),
      checkIn(3, { status: "in_progress" }),
    ]);
    expect(monitors).toMatchObject([
      {
        monitorId: null,
        createdAt: 1001,
        environments: [
          { checkInCount: 3, firstAt: 1001, lastAt: 1003, lastStatus: "in_progress", lastFinishedStatus: "error" },
        ],
      },
    ]);
  });

  test("make no monitor when the project is full, and are counted", () => {
    const known = { monitors: [], countByProject: new Map([[1, MAX_MONITORS_OF_PROJECT - 1]]) };
    const { monitors, overflows } = applyCheckIns(known, [
      checkIn(1),
      checkIn(2, { slug: "late" }),
      checkIn(3, { slug: "late" }),
      checkIn(4, { slug: "elsewhere", projectId: 2 }),
    ]);
    expect(monitors.map(({ slug }) => slug)).toEqual(["backup", "elsewhere"]);
    expect(overflows).toEqual([{ projectId: 1, checkInCount: 2, lastSlug: "late", lastAt: 1003 }]);
  });

  test("make no environment when the monitor is full, and known ones go on", () => {
    const names = Array.from({ length: MAX_ENVIRONMENTS_OF_MONITOR }, (_, index) => `e${index}`);
    const known = { ...NONE, monitors: [{ monitorId: 5, projectId: 1, slug: "backup", environments: names }] };
    const { monitors, overflows } = applyCheckIns(known, [
      checkIn(1, { environment: "e3" }),
      checkIn(2, { environment: "further" }),
    ]);
    expect(monitors).toMatchObject([{ monitorId: 5, environments: [{ name: "e3" }] }]);
    expect(overflows).toMatchObject([{ checkInCount: 1, lastSlug: "backup" }]);
  });
});
