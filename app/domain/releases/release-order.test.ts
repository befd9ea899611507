import { expect, test } from "vitest";
import { compareReleases, type OrderedRelease, toVersionKey } from "./release-order.ts";

const release = (version: string, orderedAt: number): OrderedRelease => ({
  id: orderedAt,
  version,
  ...toVersionKey(version),
  orderedAt,
});
/** Which of two is newer where the first one came later. */
const newer = (first: string, second: string) =>
  compareReleases(release(first, 2), release(second, 1)) > 0 ? first : second;

test("versions say which release is newer within a package, and dates else", () => {
  expect(newer("web@1.0", "web@2.0")).toBe("web@2.0");
  expect(newer("1.0", "2.0")).toBe("2.0");
  expect(newer("web@1.0", "api@2.0")).toBe("web@1.0");
  expect(newer("web@1.0", "2.0")).toBe("web@1.0");
  expect(newer("web@1.0", "web@main")).toBe("web@1.0");
  expect(newer("web@main", "web@1.0")).toBe("web@main");
});
