import { expect, test } from "vitest";
import { withOwnLast } from "./project.ts";

test("forms begin with a project of the organization, and with Culprit's own where there is no other", () => {
  const order = (...slugs: string[]) => withOwnLast(slugs.map((slug) => ({ slug }))).map(({ slug }) => slug);
  expect(order("culprit", "shop", "web")).toEqual(["shop", "web", "culprit"]);
  expect(order("culprit")).toEqual(["culprit"]);
});
