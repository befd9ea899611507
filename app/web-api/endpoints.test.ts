import { Ajv2020 } from "ajv/dist/2020.js";
import { describe, expect, test } from "vitest";
import { requireScope } from "./authorize.server.ts";
import { ENDPOINTS, findEndpoint } from "./endpoints.ts";
import { toOpenApi, toPaths } from "./to-open-api.ts";

test("no method of a path stands in the table twice", () => {
  const lines = ENDPOINTS.map(({ method, path }) => `${method} ${path.replace(/\{\w+\}/g, "*")}`);
  expect(lines).toEqual([...new Set(lines)]);
});

test("every endpoint says who may call it, and one that does not is closed to everybody", () => {
  expect(ENDPOINTS.filter(({ scopes }) => scopes.length === 0)).toEqual([]);
  expect(ENDPOINTS.filter(({ scopes }) => scopes === "public").map(({ path }) => path)).toEqual(["/openapi.json"]);
  const owner = {
    kind: "operator",
    user: null,
    scopes: ["project:admin", "org:read"],
    tokenName: null,
    tokenId: null,
  } as const;
  const call = () => requireScope(owner, { method: "GET", path: "/new/", scopes: [] });
  expect(call).toThrow(expect.objectContaining({ status: 403 }));
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
      "/organizations/{organization}/releases/{release}/previous-with-commits/",
    );
  });

  test("says which methods a path has, and knows nothing of other paths", () => {
    expect(findEndpoint("PATCH", "/projects/default/shop/keys/1/")).toEqual({
      endpoint: null,
      params: {},
      allowed: ["GET", "PUT", "DELETE"],
    });
    expect(findEndpoint("GET", "/no/such/path/")).toEqual({ endpoint: null, params: {}, allowed: [] });
    expect(findEndpoint("GET", "/organizations/default/releases//")).toMatchObject({ endpoint: expect.anything() });
  });
});

test("names in paths are decoded once, and a path that is not well encoded leads nowhere", () => {
  const params = (path: string) => findEndpoint("GET", path).params;
  expect(params("/organizations/default/releases/a%2Fb%252F%20c/")).toEqual({
    organization: "default",
    release: "a/b%2F c",
  });
  expect(findEndpoint("GET", "/organizations/default/releases/%zz/")).toEqual({
    endpoint: null,
    params: {},
    allowed: [],
  });
});

test("the document has every endpoint, with its scopes, parameters and answers", () => {
  const document = toOpenApi(toPaths(ENDPOINTS), { version: "1.2.3", rootUrl: "https://errors.example.com" });
  const count = Object.values(document.paths).reduce((sum, path) => sum + Object.keys(path).length, 0);
  expect(count).toBe(ENDPOINTS.length);
  expect(document.paths["/organizations/{organization}/releases/{release}/"]?.put).toMatchObject({
    "x-scopes": ["project:releases"],
    parameters: [{ name: "organization", in: "path", required: true }, { name: "release" }],
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

test("each schema of the document is one of JSON Schema 2020-12", () => {
  const { paths, components } = toOpenApi(toPaths(ENDPOINTS), {
    version: "1.2.3",
    rootUrl: "https://errors.example.com",
  });
  const ajv = new Ajv2020({ strict: false, validateFormats: false });
  const schemas = [...listSchemas(paths), ...Object.values(components.schemas)];
  expect(schemas.length).toBeGreaterThan(ENDPOINTS.length);
  const wrong = schemas.filter((schema) => !ajv.validateSchema(schema));
  expect(wrong).toEqual([]);
});

/** All schemas in parameters, bodies and answers. */
function listSchemas(part: object): object[] {
  return Object.entries(part).flatMap(([key, value]) => {
    if (typeof value !== "object" || value === null) return [];
    return key === "schema" ? [value] : listSchemas(value);
  });
}
