import { expect, test } from "vitest";
import { MAX_ENVIRONMENTS_OF_PROJECT } from "../../domain/environments.ts";
import { EnvironmentLog } from "./environment-log.ts";

test("an environment that is seen again and again leaves room for others", () => {
  const seen = { projectId: 1, environment: "production", seenAt: 0 };
  const often = new Array(MAX_ENVIRONMENTS_OF_PROJECT).fill(seen);
  const due = new EnvironmentLog().listDue([...often, { ...seen, environment: "staging" }]);
  expect(new Set(due.map(({ environment }) => environment))).toEqual(new Set(["production", "staging"]));
});

test("each project has its own room, which known and new environments share", () => {
  const log = new EnvironmentLog();
  const name = (index: number) => ({ projectId: 1, environment: `review-${index}`, seenAt: 0 });
  const known = Array.from({ length: MAX_ENVIRONMENTS_OF_PROJECT - 1 }, (_, index) => name(index));
  log.markNoted(known);
  const other = { projectId: 2, environment: "production", seenAt: 0 };
  const due = log.listDue([name(-1), name(-2), other]);
  expect(due).toEqual([name(-1), other]);
});
