import { expect, test } from "vitest";
import { findRelation } from "./exception-relation.ts";

const of = (type: string, mechanism: object) => ({ type, mechanism: { type: "chained", ...mechanism } });
const VALUES = [
  of("NullPointerException", { exception_id: 3, parent_id: 1 }),
  of("TimeoutException", { type: "suppressed", exception_id: 2, parent_id: 1 }),
  of("IllegalStateException", { exception_id: 1, parent_id: 0 }),
  of("IOException", { source: "suppressed[0]", exception_id: 4, parent_id: 0 }),
  of("OrderException", { type: "generic", exception_id: 0 }),
];

test.each([
  [0, { kind: "cause", parent: "IllegalStateException" }],
  [1, { kind: "suppressed", parent: "IllegalStateException" }],
  [2, { kind: "cause", parent: "OrderException" }],
  [3, { kind: "suppressed", parent: "OrderException" }],
  [4, null],
])("the relation of exception %i is %o", (index, relation) => {
  expect(findRelation(VALUES, index)).toEqual(relation);
});
