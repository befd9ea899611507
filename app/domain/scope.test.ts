import { expect, test } from "vitest";
import { hasRight, includesProject, makeScope, narrowScope } from "./scope.ts";

const scope = makeScope({ organizationId: 1, projectIds: [7, 2, 7, 5], rights: ["project:write"] });

test("holds each project once, in order", () => {
  expect(scope.projectIds).toEqual([2, 5, 7]);
  expect(includesProject(scope, 5)).toBe(true);
  expect(includesProject(scope, 6)).toBe(false);
});

test("narrowing never adds a project", () => {
  expect(narrowScope(scope, [5, 6, 2]).projectIds).toEqual([2, 5]);
  expect(narrowScope(scope, []).projectIds).toEqual([]);
  expect(narrowScope(narrowScope(scope, [5]), [2, 5]).projectIds).toEqual([5]);
});

test("narrowing keeps organization and rights", () => {
  expect(narrowScope(scope, [5])).toMatchObject({ organizationId: 1, rights: ["project:write"] });
});

test("a right may be implied by another", () => {
  expect(hasRight(scope, "project:read")).toBe(true);
  expect(hasRight(scope, "project:admin")).toBe(false);
  expect(hasRight(scope, "org:read", "project:write")).toBe(true);
});
