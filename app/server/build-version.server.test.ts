import { expect, test } from "vitest";
import { toRelease } from "./build-version.server.ts";

test("our own release names version and commit, and the version alone where the commit is unknown", () => {
  expect(toRelease({ version: "1.2.3", commit: "0123456789ab-dirty" })).toBe("culprit@1.2.3+0123456789ab-dirty");
  expect(toRelease({ version: "1.2.3", commit: "unknown" })).toBe("culprit@1.2.3");
});
