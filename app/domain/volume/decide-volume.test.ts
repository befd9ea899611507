import { describe, expect, test } from "vitest";
import { decideVolume, type IssueHour, isSpikeHeld, type ProjectHour, type VolumeEvent } from "./decide-volume.ts";
import { FIRST_EVENTS_KEPT, findSpikeBound, MAX_SPARED_AN_HOUR } from "./spike-bound.ts";
import { EVERYTHING_STORED, type VolumeSettings } from "./volume-settings.ts";

const HOUR = 500_000;

/** Decides about events of project 1, and remembers. Issues have had `before` events. */
function open(settings: Partial<VolumeSettings>, { bound = 3, before = 100 } = {}) {
  const project: ProjectHour = { spike: { bound, usual: 1 }, arrived: 0, stored: 0, spared: 0 };
  const issues = new Map<string, IssueHour>();
  const counted = new Map<number, number>();
  const decide = (events: Array<Partial<VolumeEvent>>) => {
    const whole = events.map((event) => ({ projectId: 1, hour: HOUR, issueId: 1, isTransition: false, ...event }));
    const reasons = decideVolume(
      {
        settingsOf: (projectId) => (projectId === 1 ? { ...EVERYTHING_STORED, ...settings } : undefined),
        projectHour: () => project,
        issueHour(issueId, hour) {
          const key = `${issueId} ${hour}`;
          const known = issues.get(key) ?? { arrived: 0, leftOut: 0 };
          issues.set(key, known);
          return known;
        },
        issueEvents: (issueId) => counted.get(issueId) ?? before,
      },
      whole,
    );
    for (const { issueId } of whole) counted.set(issueId, (counted.get(issueId) ?? before) + 1);
    return reasons;
  };
  return { decide, project, issues };
}

const times = (count: number, event: Partial<VolumeEvent> = {}) => Array.from({ length: count }, () => event);

describe("spike protection", () => {
  test("leaves out what is beyond the bound", () => {
    const { decide, project } = open({ isSpikeProtected: true });
    expect(isSpikeHeld(project)).toBe(false);
    expect(decide(times(5))).toEqual([null, null, null, "spike-protection", "spike-protection"]);
    expect(project).toMatchObject({ arrived: 5, stored: 3, spared: 0 });
    expect(isSpikeHeld(project)).toBe(true);
  });

  test("keeps the first events of each new issue, across batches", () => {
    const { decide, project } = open({ isSpikeProtected: true }, { before: 0 });
    decide(times(FIRST_EVENTS_KEPT + 3));
    const first = decide(times(4, { issueId: 2 }));
    const later = decide(times(FIRST_EVENTS_KEPT, { issueId: 2 }));
    expect([...first, ...later].map((reason) => reason === null)).toEqual([
      ...times(FIRST_EVENTS_KEPT).map(() => true),
      ...times(4).map(() => false),
    ]);
    // Of the first issue, seven were within its first ones when the bound was reached.
    expect(project.spared).toBe(FIRST_EVENTS_KEPT - 3 + FIRST_EVENTS_KEPT);
  });

  test("keeps an event that brings an issue back", () => {
    const { decide } = open({ isSpikeProtected: true }, { bound: 0 });
    expect(decide([{}, { isTransition: true }])).toEqual(["spike-protection", null]);
  });

  test("ends also a flood of new issues", () => {
    const { decide } = open({ isSpikeProtected: true }, { bound: 0, before: 0 });
    const reasons = decide(Array.from({ length: MAX_SPARED_AN_HOUR + 5 }, (_, issueId) => ({ issueId })));
    expect(reasons.filter((reason) => reason !== null)).toHaveLength(5);
  });

  test("off, and in projects without settings, everything is stored", () => {
    expect(open({}).decide(times(9))).toEqual(times(9).map(() => null));
    expect(open({ isSpikeProtected: true }).decide(times(9, { projectId: 2 }))).toEqual(times(9).map(() => null));
  });
});

describe("samples of loud issues", () => {
  test("above the number one of so many is stored, again in each hour", () => {
    const { decide, issues } = open({ sampleAbove: 2, keepOneIn: 3 });
    const kept = (reasons: ReturnType<typeof decide>) => reasons.map((reason) => (reason === null ? 1 : 0)).join("");
    expect(kept(decide(times(5)))).toBe("11001");
    expect(kept(decide(times(4)))).toBe("0010");
    expect(kept(decide(times(3, { hour: HOUR + 1 })))).toBe("110");
    expect(kept(decide(times(2, { issueId: 2 })))).toBe("11");
    expect(issues.get(`1 ${HOUR}`)).toEqual({ arrived: 9, leftOut: 5 });
  });

  test("what a sample leaves out does not count for the bound", () => {
    const { decide, project } = open({ isSpikeProtected: true, sampleAbove: 1, keepOneIn: 100 });
    decide(times(50));
    expect([project.stored, isSpikeHeld(project)]).toEqual([1, false]);
  });
});

describe("the bound", () => {
  test("is five times what is usual, and never below a thousand", () => {
    expect(
      findSpikeBound(
        times(168).map(() => 300),
        168,
      ),
    ).toEqual({ usual: 300, bound: 1500 });
    expect(findSpikeBound([5, 5], 168)).toEqual({ usual: 0, bound: 1000 });
    expect(findSpikeBound([], 23)).toBeNull();
  });

  test("does not rise with some hours of a flood", () => {
    const quiet = times(152).map(() => 300);
    expect(findSpikeBound([...quiet, ...times(16).map(() => 90_000)], 1000)?.usual).toBe(300);
    expect(findSpikeBound([...quiet, ...times(17).map(() => 90_000)], 1000)?.usual).toBe(90_000);
  });
});
