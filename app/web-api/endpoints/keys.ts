import { randomBytes } from "node:crypto";
import { z } from "zod";
import { answer, nothing, refusal } from "../answers.ts";
import { type Endpoint, type EndpointAnswer, endpoint } from "../endpoint.ts";
import { keyAnswer, serializeKey } from "../serialize-project.ts";
import { text } from "../shapes.ts";

/** A count of 0 takes the limit away, as null does. */
const rateLimit = z
  .object({
    count: z.int().min(0),
    window: z.int().min(1).max(86_400).optional().describe("seconds"),
  })
  .transform(({ count, window }, context) => {
    if (count === 0) return null;
    if (window === undefined) {
      context.addIssue({ code: "custom", path: ["window"], message: "is required" });
      return z.NEVER;
    }
    return { count, windowSeconds: window };
  })
  .nullish();

const newKey = z.object({ name: text(64).optional(), label: text(64).optional(), rateLimit });
const keyChange = newKey.extend({ isActive: z.boolean().optional() });

const KEYS = "/projects/{organization}/{project}/keys/";
const KEY = `${KEYS}{key}/` as const;
const one: EndpointAnswer = { what: "The key", json: keyAnswer };

export const KEY_ENDPOINTS: readonly Endpoint[] = [
  endpoint({
    method: "GET",
    path: KEYS,
    scopes: ["project:read"],
    summary: "The DSN keys of a project.",
    answers: { 200: { what: "Keys", json: z.array(keyAnswer) } },
    async handle({ engine, project, baseUrl }) {
      const keys = await engine.state.projects.listKeys(project.id);
      return answer(keys.map((key) => serializeKey(key, baseUrl)));
    },
  }),
  endpoint({
    method: "POST",
    path: KEYS,
    scopes: ["project:write"],
    summary: "Creates a DSN key.",
    body: { json: newKey },
    answers: { 201: one },
    async handle({ engine, project, body, baseUrl, now }) {
      let key = await engine.state.projects.createKey({
        projectId: project.id,
        label: body.name ?? body.label ?? "Unnamed",
        publicKey: randomBytes(16).toString("hex"),
        at: now,
      });
      if (body.rateLimit) key = (await engine.state.projects.changeKey(key.id, { rateLimit: body.rateLimit })) ?? key;
      await engine.reloadKeys();
      return answer(serializeKey(key, baseUrl), { status: 201 });
    },
  }),
  endpoint({
    method: "GET",
    path: KEY,
    scopes: ["project:read"],
    summary: "One DSN key, by its number or its public key.",
    answers: { 200: one },
    handle: ({ key, baseUrl }) => answer(serializeKey(key, baseUrl)),
  }),
  endpoint({
    method: "PUT",
    path: KEY,
    scopes: ["project:write"],
    summary: "Renames, limits, disables or enables a key.",
    body: { json: keyChange },
    answers: { 200: one },
    async handle({ engine, key, body, baseUrl }) {
      const label = body.name ?? body.label;
      const changed = await engine.state.projects.changeKey(key.id, {
        ...(label === undefined ? {} : { label }),
        ...(body.rateLimit === undefined ? {} : { rateLimit: body.rateLimit }),
        ...(body.isActive === undefined ? {} : { isEnabled: body.isActive }),
      });
      if (!changed) throw refusal(404, "The requested key does not exist");
      await engine.reloadKeys();
      return answer(serializeKey(changed, baseUrl));
    },
  }),
  endpoint({
    method: "DELETE",
    path: KEY,
    scopes: ["project:admin"],
    summary: "Deletes a key.",
    answers: { 204: { what: "Deleted", json: null } },
    async handle({ engine, key }) {
      await engine.state.projects.deleteKey(key.id);
      await engine.reloadKeys();
      return nothing();
    },
  }),
];
