import { describe, expect, test } from "vitest";
import { type OrderedRelease, toVersionKey } from "../releases/release-order.ts";
import { isOldNews, settleOnRelease, toSettledResolution } from "./resolutions.ts";

const release = (id: number, version: string, orderedAt = id): OrderedRelease => ({
  id,
  version,
  ...toVersionKey(version),
  orderedAt,
});
const OLD = release(1, "app@1.4.0");
const FIXED = release(2, "app@1.5.0");
const NEW = release(3, "app@1.6.0");
const find = (version: string) => [OLD, FIXED, NEW].find((one) => one.version === version) ?? null;

describe("old news", () => {
  test("fixed in a release: older releases are, that one and newer ones are not", () => {
    const resolution = { kind: "release", version: FIXED.version } as const;
    const verdicts = [OLD, FIXED, NEW].map((one) => isOldNews({ resolution, resolvedAt: 0 }, one, find));
    expect(verdicts).toEqual([true, false, false]);
  });

  test("fixed in a release that is not made yet: every release without a version is older", () => {
    const resolution = { kind: "release", version: "nightly-2" } as const;
    expect(isOldNews({ resolution, resolvedAt: 0 }, release(9, "nightly-1"), find)).toBe(true);
    expect(isOldNews({ resolution, resolvedAt: 0 }, release(9, "nightly-2"), find)).toBe(false);
    expect(isOldNews({ resolution: { kind: "release", version: "app@1.0.0" }, resolvedAt: 0 }, OLD, find)).toBe(false);
  });

  test("fixed in the next release: those up to the latest are", () => {
    const resolution = { kind: "next_release", after: FIXED.version } as const;
    const verdicts = [OLD, FIXED, NEW].map((one) => isOldNews({ resolution, resolvedAt: 0 }, one, find));
    expect(verdicts).toEqual([true, true, false]);
  });

  test("where there was no release, those made before the resolve are", () => {
    const waiting = { resolution: { kind: "next_release", after: null } as const, resolvedAt: 50 };
    expect(isOldNews(waiting, release(9, "x", 50), find)).toBe(true);
    expect(isOldNews(waiting, release(9, "x", 51), find)).toBe(false);
  });

  test("fixed by a commit: every release is, until one has the commit", () => {
    const resolution = { kind: "commit", commitId: "c", repository: "r" } as const;
    expect(isOldNews({ resolution, resolvedAt: 0 }, NEW, find)).toBe(true);
  });
});

test("a release answers the issues that waited for a newer one, or for a commit that it has", () => {
  const commit = { kind: "commit", commitId: "c", repository: "r" } as const;
  const waiting = [
    { issueId: 1, resolvedAt: 0, resolution: { kind: "next_release", after: FIXED.version } as const },
    { issueId: 2, resolvedAt: 0, resolution: { kind: "next_release", after: NEW.version } as const },
    { issueId: 3, resolvedAt: 0, resolution: commit },
    { issueId: 4, resolvedAt: 0, resolution: { ...commit, repository: "other" } },
    { issueId: 5, resolvedAt: 0, resolution: { kind: "release", version: OLD.version } as const },
  ];
  const hasCommit = ({ repository }: { repository: string }) => repository === "r";
  const settled = settleOnRelease(waiting, NEW, { findRelease: find, hasCommit });
  expect(settled.map(({ issueId }) => issueId)).toEqual([1, 3]);
  expect(settled[0]?.resolution).toEqual({ kind: "release", version: NEW.version });
});

describe("a request", () => {
  test("for the latest or the next release means the project's of that moment", () => {
    const project = { latest: NEW, withCommit: [] };
    expect(toSettledResolution({ kind: "latest_release" }, project)).toEqual({ kind: "release", version: NEW.version });
    expect(toSettledResolution({ kind: "next_release" }, project)).toEqual({
      kind: "next_release",
      after: NEW.version,
    });
    expect(toSettledResolution({ kind: "next_release", after: "x" }, project)).toEqual({
      kind: "next_release",
      after: "x",
    });
  });

  test("in a project without releases leaves time alone to decide, or waits for the first", () => {
    const project = { latest: null, withCommit: [] };
    expect(toSettledResolution({ kind: "latest_release" }, project)).toBeNull();
    expect(toSettledResolution({ kind: "next_release" }, project)).toEqual({ kind: "next_release", after: null });
    expect(toSettledResolution(null, project)).toBeNull();
  });

  test("for a commit means the oldest release that has it", () => {
    const request = { kind: "commit", commitId: "c", repository: "r" } as const;
    expect(toSettledResolution(request, { latest: null, withCommit: [NEW, FIXED] })).toEqual({
      kind: "release",
      version: FIXED.version,
    });
    expect(toSettledResolution(request, { latest: null, withCommit: [] })).toEqual(request);
  });
});
