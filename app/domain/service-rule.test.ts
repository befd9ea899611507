import { expect, test } from "vitest";
import { findServiceRule } from "./service-rule.ts";

test("the first rule that fits decides", () => {
  const rules = [
    { service: "shop-admin", projectId: 1 },
    { service: "shop-*", projectId: 2 },
    { service: "shop-cart", projectId: 3 },
  ];
  expect(findServiceRule(rules, "shop-admin")?.projectId).toBe(1);
  expect(findServiceRule(rules, "shop-cart")?.projectId).toBe(2);
  expect(findServiceRule(rules, "shop")).toBeUndefined();
  expect(findServiceRule(rules, "my-shop-admin")).toBeUndefined();
  expect(findServiceRule([{ service: "*", projectId: 4 }], "")?.projectId).toBe(4);
});
