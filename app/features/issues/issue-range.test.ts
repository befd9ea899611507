import { describe, expect, test } from "vitest";
import { toIssueRange } from "./issue-range.ts";

const now = Date.UTC(2026, 4, 10, 12, 34, 56);
const DAY = 86_400_000;

describe("the time range of an issue", () => {
  test("is open, from when the issue was first seen, unless the URL says otherwise", () => {
    const range = toIssueRange(null, { firstSeenAt: now - 3 * DAY, now });
    expect(range).toMatchObject({ period: "all", from: null, to: null });
    expect(range.graph.from).toBeLessThanOrEqual(now - 3 * DAY);
  });

  test("the graph holds now, lies on whole buckets, and has at most sixty-one bars", () => {
    for (const period of ["all", "1d", "7d", "14d", "30d", "90d", "nonsense"]) {
      for (const age of [0, 1, 40, 4000]) {
        const { graph } = toIssueRange(period, { firstSeenAt: now - age * DAY, now });
        expect(graph.to).toBeGreaterThan(now);
        expect(graph.from % graph.bucketMs).toBe(0);
        if (age < 1000) expect((graph.to - graph.from) / graph.bucketMs).toBeLessThanOrEqual(62);
      }
    }
  });
});
