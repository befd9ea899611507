import { expect, test } from "vitest";
import { MAX_ENVIRONMENTS_OF_PROJECT } from "../../domain/environments.ts";
import { EnvironmentLog } from "./environment-log.ts";

test("an environment that is seen again and again leaves room for others", () => {
  const seen = { projectId: 1, environment: "production", seenAt: 0 };
  const often = new Array(MAX_ENVIRONMENTS_OF_PROJECT).fill(seen);
  const due = new EnvironmentLog().listDue([...often, { ...seen, environment: "staging" }]);
  expect(new Set(due.map(({ environment }) => environment))).toEqual(new Set(["production", "staging"]));
});
