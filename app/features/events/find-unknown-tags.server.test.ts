import { expect, test, vi } from "vitest";
import type { Workspace } from "../../access/workspace.ts";
import type { Scope } from "../../domain/scope.ts";
import { ISSUE_VOCABULARY } from "../../domain/search/issue-vocabulary.ts";
import { findUnknownTags } from "./find-unknown-tags.server.ts";

test("a search with very many unknown tags asks the store a few times, and names the first ones", async () => {
  const hasTag = vi.fn(async (_: unknown, key: string) => key === "region");
  const tagDistributions = vi.fn(async () => ({ tags: [{ key: "region" }, { key: "plan" }] }));
  const workspace = { events: { hasTag, tagDistributions }, whenEventsStored: async () => {} };
  const keys = ["region", "plna", ...Array.from({ length: 90 }, (_, index) => `a${index}`)];
  const errors = await findUnknownTags(workspace as unknown as Pick<Workspace, "events" | "whenEventsStored">, {
    tags: keys.map((key, at) => ({ key, from: at, to: at + 1 })),
    vocabulary: ISSUE_VOCABULARY,
    projectIds: [1] as unknown as Scope["projectIds"],
  });
  expect(errors.map(({ from }) => from)).toEqual([1, 2, 3]);
  expect(errors[0]?.message).toContain("Did you mean plan:?");
  expect(new Set(hasTag.mock.calls.map(([, key]) => key)).size).toBe(4);
  expect(tagDistributions).toHaveBeenCalledTimes(1);
});
