import { z } from "zod";
import type { Endpoint, EndpointAnswer } from "./endpoint.ts";
import { detail } from "./endpoints/shapes.ts";
import { ENDPOINTS } from "./endpoints.ts";

/** The OpenAPI 3.1 document of the table of endpoints. `rootUrl`: `https://host[:port]`. */
export function toOpenApi({ version, rootUrl }: { version: string; rootUrl: string }) {
  const paths: Record<string, Record<string, object>> = {};
  for (const endpoint of ENDPOINTS) {
    const path = paths[endpoint.path] ?? {};
    path[endpoint.method.toLowerCase()] = toOperation(endpoint);
    paths[endpoint.path] = path;
  }
  return {
    openapi: "3.1.0",
    info: {
      title: "Culprit web API",
      version,
      description: "Sentry's paths and field names, as far as this version has the things behind them.",
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

function toOperation({ method, path, scopes, summary, query, body, answers }: Endpoint) {
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
  return {
    operationId: `${method.toLowerCase()} ${path}`.replace(/[^a-z0-9]+/gi, "-").replace(/-$/, ""),
    summary,
    ...(scopes === "public"
      ? { security: [] }
      : { description: scopes.length === 0 ? "Any token." : `Scope: ${scopes.join(" or ")}.`, "x-scopes": scopes }),
    parameters: [
      ...names.map((name) => ({ name, in: "path", required: true, schema: { type: "string" } })),
      ...Object.entries(query ?? {}).map(([name, description]) => ({
        name,
        in: "query",
        description,
        schema: { type: "string" },
      })),
    ],
    ...(body && { requestBody: toRequestBody(body) }),
    responses: {
      ...Object.fromEntries(Object.entries(answers).map(([status, answer]) => [status, toResponse(answer)])),
      default: {
        description: "A refusal: what is wrong, in one sentence.",
        content: { "application/json": { schema: { $ref: "#/components/schemas/Refusal" } } },
      },
    },
  };
}

function toResponse({ what, json, isFile = false }: EndpointAnswer) {
  const content = {
    ...(json && { "application/json": { schema: toSchema(json, "output") } }),
    ...(isFile && { "application/octet-stream": {} }),
  };
  return { description: what, ...(Object.keys(content).length > 0 && { content }) };
}

function toRequestBody(body: NonNullable<Endpoint["body"]>) {
  if ("json" in body)
    return { required: true, content: { "application/json": { schema: toSchema(body.json, "input") } } };
  const properties = Object.fromEntries(
    Object.entries(body.multipart).map(([name, description]) => [name, { type: "string", description }]),
  );
  return { required: true, content: { "multipart/form-data": { schema: { type: "object", properties } } } };
}

function toSchema(schema: z.ZodType, io: "input" | "output") {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io });
  return rest;
}
