import { z } from "zod";
import { isList } from "../features/input/describe-input.ts";
import type { Endpoint, EndpointAnswer, EndpointBody } from "./endpoint.ts";
import { detail } from "./shapes.ts";

/** Descriptions of the names in the braces of paths. */
const PATH_NAMES: Record<string, string> = {
  organization: "Slug or number",
  project: "Slug or number",
  issue: "Number or short id; of feedback that is listed among issues, only where the answer says so",
  event: "32 hexadecimal digits; of an issue also `latest` and `oldest`",
  release: "Version, percent-encoded",
  file: "Id",
  key: "Number or public key",
  tag: "Key of a tag",
  repository: "Number",
};

type Paths = Record<string, Record<string, object>>;

/** The OpenAPI 3.1 document. `paths`: from `toPaths`. `rootUrl`: `https://host[:port]`. */
export function toOpenApi(paths: Paths, { version, rootUrl }: { version: string; rootUrl: string }) {
  return {
    openapi: "3.1.0",
    info: {
      title: "Culprit web API",
      version,
      description: "Sentry's paths and field names, for everything that this version supports.",
      license: { name: "MIT", identifier: "MIT" },
    },
    servers: [{ url: `${rootUrl}/api/0` }],
    security: [{ token: [] }],
    paths,
    components: {
      securitySchemes: { token: { type: "http", scheme: "bearer", description: "Made on /settings/tokens." } },
      schemas: { Refusal: toSchema(detail, "output") },
    },
  };
}

/** The paths of the OpenAPI document. Making them for the whole API takes some 30 ms. */
export function toPaths(endpoints: readonly Endpoint[]): Paths {
  const paths: Paths = {};
  for (const endpoint of endpoints) {
    paths[endpoint.path] = { ...paths[endpoint.path], [endpoint.method.toLowerCase()]: toOperation(endpoint) };
  }
  return paths;
}

function toOperation({ method, path, scopes, summary, query, body, answers }: Endpoint) {
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => name);
  return {
    operationId: `${method.toLowerCase()} ${path}`.replace(/[^a-z0-9]+/gi, "-").replace(/-$/, ""),
    summary,
    ...toSecurity(scopes),
    parameters: [
      ...names.map((name) => ({
        name,
        in: "path",
        required: true,
        description: PATH_NAMES[name],
        schema: { type: "string" },
      })),
      ...Object.entries(query?.shape ?? {}).map(toParameter),
    ],
    ...(body && { requestBody: toRequestBody(body) }),
    responses: {
      ...Object.fromEntries(Object.entries(answers).map(([status, answer]) => [status, toResponse(answer)])),
      default: {
        description: "An error: says in one sentence what is wrong.",
        content: { "application/json": { schema: { $ref: "#/components/schemas/Refusal" } } },
      },
    },
  };
}

function toSecurity(scopes: Endpoint["scopes"]) {
  if (scopes === "public") return { security: [] };
  if (scopes === "any-token") return { description: "Any token.", "x-scopes": [] };
  return { description: `Scope: ${scopes.join(" or ")}.`, "x-scopes": scopes };
}

function toParameter([name, field]: [string, z.core.$ZodType]) {
  const { description, ...schema } = toSchema(field, "input");
  const isRequired = !z.safeParse(field, undefined).success;
  return {
    name,
    in: "query",
    ...(description ? { description } : {}),
    ...(isRequired ? { required: true } : {}),
    ...(isList(field) ? { style: "form", explode: true } : {}),
    schema,
  };
}

function toResponse({ what, json, isFile = false }: EndpointAnswer) {
  const content = {
    ...(json && { "application/json": { schema: toSchema(json, "output") } }),
    ...(isFile && { "application/octet-stream": {} }),
  };
  return { description: what, ...(Object.keys(content).length > 0 && { content }) };
}

function toRequestBody({ json, form, multipart = {} }: EndpointBody) {
  const parts = Object.entries(multipart).map(([name, description]) => [name, { type: "string", description }]);
  return {
    required: true,
    content: {
      ...(json && { "application/json": { schema: toSchema(json, "input") } }),
      ...(form && { "application/x-www-form-urlencoded": { schema: toSchema(form, "input") } }),
      ...(parts.length > 0 && {
        "multipart/form-data": { schema: { type: "object", properties: Object.fromEntries(parts) } },
      }),
    },
  };
}

function toSchema(schema: z.core.$ZodType, io: "input" | "output") {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io });
  return rest;
}
