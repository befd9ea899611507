import { expect, test } from "vitest";
import { makeScope, type Right } from "../domain/scope.ts";
import { refuseRoute } from "./route-rights.server.ts";

const scope = (...rights: Right[]) => makeScope({ organizationId: 1, projectIds: [1], rights });

test("a route answers who has one of its rights, as the router names it", () => {
  expect(refuseRoute("issues/:issueId", "GET", scope("event:read"))).toBeNull();
  expect(refuseRoute("issues/:issueId.md/", "HEAD", scope("event:read"))).toBeNull();
  expect(refuseRoute("issues/:issueId", "POST", scope("event:read"))).toContain("event:write");
  expect(refuseRoute("issues/:issueId", "POST", scope("event:admin"))).toBeNull();
  expect(refuseRoute("settings", "POST", scope())).toBeNull();
  expect(refuseRoute("/", "GET", null)).toBeNull();
});

test("a route that declares nothing answers nobody, and one without a form is left to the router", () => {
  for (const each of [null, scope("org:admin", "event:admin")])
    expect(refuseRoute("secrets", "GET", each)).toContain("declares no rights");
  expect(refuseRoute("constructor", "GET", scope("org:admin"))).toContain("declares no rights");
  expect(refuseRoute("logs", "POST", scope())).toBeNull();
});
