import { describe, expect, test } from "vitest";
import { HOUR_MS, MINUTE_MS } from "../time.ts";
import {
  ArchiveCount,
  type ArchiveProgress,
  type ArchiveRule,
  findArchiveRuleProblem,
  type KnownArchive,
  NO_PROGRESS,
} from "./archive-rule.ts";

const NOON = Date.UTC(2026, 4, 20, 12);

const known = (rule: ArchiveRule, more: Partial<KnownArchive> = {}): KnownArchive => ({
  rule,
  progress: NO_PROGRESS,
  hasUser: () => false,
  toUserId: (key) => key,
  ...more,
});
const at = (minutes: number, userKey: string | null = null) => {
  const instant = NOON + minutes * MINUTE_MS;
  return { occurredAt: instant, receivedAt: instant, userKey };
};

/** What each event did, counted by one batch for each, as a store keeps it between them. */
function count(rule: ArchiveRule, events: Array<ReturnType<typeof at>>): boolean[] {
  let progress: ArchiveProgress = NO_PROGRESS;
  const seen = new Set<string>();
  return events.map((event) => {
    const archive = new ArchiveCount(known(rule, { progress, hasUser: (key) => seen.has(key) }));
    const isBack = archive.add(event);
    progress = JSON.parse(JSON.stringify(archive.progress));
    if (event.userKey !== null) seen.add(event.userKey);
    return isBack;
  });
}

describe("an archived issue", () => {
  test("until more events comes back with the last of them, over batches and within one", () => {
    const rule: ArchiveRule = { kind: "events", count: 3, windowMinutes: null };
    expect(count(rule, [at(0), at(1), at(100_000)])).toEqual([false, false, true]);
    const archive = new ArchiveCount(known(rule, { progress: { seen: 1, recent: [] } }));
    expect([archive.add(at(0)), archive.add(at(0))]).toEqual([false, true]);
  });

  test("until more events within a window forgets those before it", () => {
    const rule: ArchiveRule = { kind: "events", count: 3, windowMinutes: 60 };
    expect(count(rule, [at(0), at(30), at(60), at(89)])).toEqual([false, false, false, true]);
    expect(count(rule, [at(0), at(0), at(61), at(122)])).toEqual([false, false, false, false]);
    expect(count(rule, [at(0), at(0), at(59)])).toEqual([false, false, true]);
  });

  test("until more users counts those it did not have, each once, and no event without a user", () => {
    const rule: ArchiveRule = { kind: "users", count: 2, windowMinutes: null };
    expect(count(rule, [at(0, "a"), at(1, "a"), at(2), at(3, "b")])).toEqual([false, false, false, true]);
    const archive = new ArchiveCount(known(rule, { hasUser: (key) => key === "old" }));
    const users = ["old", "a", "a", "b"].map((user) => archive.add(at(0, user)));
    expect(users).toEqual([false, false, false, true]);
  });

  test("until users within a window counts different ones, old ones too", () => {
    const rule: ArchiveRule = { kind: "users", count: 2, windowMinutes: 60 };
    expect(count(rule, [at(0, "a"), at(30, "a"), at(62, "b")])).toEqual([false, false, true]);
    expect(count(rule, [at(0, "a"), at(62, "b"), at(124, "a")])).toEqual([false, false, false]);
  });

  test("keeps a bounded number of slots, and writes nothing for a user whom it just had", () => {
    const rule: ArchiveRule = { kind: "events", count: 1_000_000, windowMinutes: 60 };
    const events = new ArchiveCount(known(rule));
    for (let minute = 0; minute < 10_000; minute++) events.add(at(minute));
    expect(events.progress.recent).toHaveLength(60);
    const users = new ArchiveCount(
      known({ ...rule, kind: "users", count: 5 }, { progress: { seen: 0, recent: [["a", NOON / MINUTE_MS]] } }),
    );
    users.add(at(0.5, "a"));
    expect(users.hasChanged).toBe(false);
  });

  test("for a time is no affair of events; a clock that was set back starts the window again", () => {
    expect(count({ kind: "until", until: NOON }, [at(1)])).toEqual([false]);
    const rule: ArchiveRule = { kind: "events", count: 3, windowMinutes: 60 };
    expect(count(rule, [at(500), at(500), at(0), at(0), at(0)])).toEqual([false, false, false, false, true]);
  });
});

test.each<[ArchiveRule, string | undefined]>([
  [{ kind: "until", until: NOON }, "until"],
  [{ kind: "until", until: Number.NaN }, "until"],
  [{ kind: "until", until: NOON + HOUR_MS }, undefined],
  [{ kind: "until", until: NOON + 367 * 24 * HOUR_MS }, "until"],
  [{ kind: "events", count: 0, windowMinutes: null }, "count"],
  [{ kind: "events", count: 1.5, windowMinutes: null }, "count"],
  [{ kind: "events", count: 1_000_000, windowMinutes: 10_080 }, undefined],
  [{ kind: "events", count: 1, windowMinutes: 10_081 }, "windowMinutes"],
  [{ kind: "users", count: 100_000, windowMinutes: null }, undefined],
  [{ kind: "users", count: 1_001, windowMinutes: 60 }, "count"],
])("the numbers of %j are checked", (rule, field) => {
  expect(findArchiveRuleProblem(rule, NOON)?.field).toBe(field);
});
