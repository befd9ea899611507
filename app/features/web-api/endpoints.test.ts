import type { RouteConfigEntry } from "@react-router/dev/routes";
import { describe, expect, test } from "vitest";
import routes from "../../routes.ts";
import { ENDPOINTS, findEndpoint } from "./endpoints.ts";
import { toOpenApi } from "./to-open-api.ts";

/** Paths below `/api/0`, with every name as `*`. */
function listRoutePaths(entries: readonly RouteConfigEntry[], base: string): string[] {
  return entries.flatMap((entry) => {
    const path = entry.path ? `${base}/${entry.path}` : base;
    return entry.children ? listRoutePaths(entry.children, path) : [path.replace(/:\w+/g, "*")];
  });
}

test("every route of the web API has its line in the table, and every line its route", async () => {
  const api = (await routes).find(({ path }) => path === "api/0");
  const ofRoutes = listRoutePaths(api?.children ?? [], "").filter((path) => path !== "/*");
  const ofTable = ENDPOINTS.map(({ path }) => path.replace(/\{\w+\}/g, "*").replace(/\/$/, ""));
  expect([...new Set(ofTable)].sort()).toEqual([...new Set(ofRoutes)].sort());
});

test("no method of a path stands in the table twice", () => {
  const lines = ENDPOINTS.map(({ method, path }) => `${method} ${path.replace(/\{\w+\}/g, "*")}`);
  expect(lines).toEqual([...new Set(lines)]);
});

describe("finding an endpoint", () => {
  const find = (method: string, path: string) => findEndpoint(method, path).endpoint?.path;

  test("takes a slash at the end or none, and HEAD for GET", () => {
    expect(find("GET", "/organizations/")).toBe("/organizations/");
    expect(find("GET", "/organizations")).toBe("/organizations/");
    expect(find("HEAD", "/organizations/")).toBe("/organizations/");
    expect(find("GET", "/")).toBe("/");
    expect(find("GET", "")).toBe("/");
    expect(find("GET", "/openapi.json")).toBe("/openapi.json");
  });

  test("takes fixed words before names", () => {
    expect(find("GET", "/projects/default/shop/files/dsyms/unknown/")).toBe(
      "/projects/{organization}/{project}/files/dsyms/unknown/",
    );
    expect(find("GET", "/organizations/default/releases/1.0%2B2/previous-with-commits/")).toBe(
      "/organizations/{organization}/releases/{version}/previous-with-commits/",
    );
  });

  test("says which methods a path has, and knows nothing of other paths", () => {
    expect(findEndpoint("PATCH", "/projects/default/shop/keys/1/")).toEqual({
      endpoint: null,
      allowed: ["GET", "PUT", "DELETE"],
    });
    expect(findEndpoint("GET", "/no/such/path/")).toEqual({ endpoint: null, allowed: [] });
    expect(findEndpoint("GET", "/organizations/default/releases//")).toMatchObject({ endpoint: expect.anything() });
  });
});

test("the document has every endpoint, with its scopes, parameters and answers", () => {
  const document = toOpenApi({ version: "1.2.3", rootUrl: "https://errors.example.com" });
  const count = Object.values(document.paths).reduce((sum, path) => sum + Object.keys(path).length, 0);
  expect(count).toBe(ENDPOINTS.length);
  expect(document.paths["/organizations/{organization}/releases/{version}/"]?.put).toMatchObject({
    "x-scopes": ["project:releases"],
    parameters: [{ name: "organization", in: "path", required: true }, { name: "version" }],
    requestBody: {
      content: { "application/json": { schema: { properties: { commits: { anyOf: expect.any(Array) } } } } },
    },
    responses: {
      200: { content: { "application/json": { schema: { type: "object" } } } },
      default: { content: { "application/json": { schema: { $ref: "#/components/schemas/Refusal" } } } },
    },
  });
  const ids = Object.values(document.paths).flatMap((path) =>
    Object.values(path).map((operation) => (operation as { operationId: string }).operationId),
  );
  expect(new Set(ids).size).toBe(ids.length);
});
