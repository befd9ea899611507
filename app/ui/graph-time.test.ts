import { afterEach, expect, test, vi } from "vitest";
import { formatBucket } from "./graph-time.ts";

const QUARTER = 900_000;

afterEach(() => void vi.unstubAllEnvs());

test("a bucket in which the clocks change names the zone of both its ends, and no other bucket does", () => {
  // No English locale has a name for this zone, so all show its offset.
  vi.stubEnv("TZ", "America/Santiago");
  const say = (from: string, bucketMs: number) => formatBucket(Date.parse(from), bucketMs, true);
  expect(say("2026-04-05T02:45Z", QUARTER)).toMatch(/GMT.3 – .*GMT.4/);
  expect(say("2026-04-05T02:30Z", QUARTER)).not.toContain("GMT");
  expect(say("2026-04-05T03:00Z", QUARTER)).not.toContain("GMT");
  expect(say("2026-09-06T03:00Z", 4 * QUARTER)).toMatch(/GMT.4 – .*GMT.3/);
  expect(formatBucket(Date.parse("2026-04-05T02:45Z"), QUARTER, false)).toBe("5 Apr, 02:45 – 03:00");
});
