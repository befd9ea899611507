import { z } from "zod";
import { SDK_FEATURES, type SdkFeature } from "../../domain/sdk-feature.ts";
import { text } from "../../features/input/fields.ts";
import { createKey, MAX_KEYS } from "../../features/projects/create-key.server.ts";
import { answer, nothing, refusal } from "../answers.ts";
import { type Endpoint, type EndpointAnswer, endpoint } from "../endpoint.ts";
import { keyAnswer, sdkLoaderOptions, serializeKey } from "../serialize-project.ts";

/** The limit of a key. A count of 0 or null removes it. */
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
const keyChange = newKey.extend({
  isActive: z.boolean().optional(),
  dynamicSdkLoaderOptions: sdkLoaderOptions.partial().optional(),
});

/** Changes the features that the body names. All others stay. */
function changeFeatures(
  features: readonly SdkFeature[],
  { hasPerformance, hasReplay, hasFeedback }: Partial<z.infer<typeof sdkLoaderOptions>>,
): SdkFeature[] {
  const wanted = { tracing: hasPerformance, replay: hasReplay, feedback: hasFeedback };
  return SDK_FEATURES.filter((feature) => wanted[feature] ?? features.includes(feature));
}

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
    async handle({ workspace, project, baseUrl }) {
      const keys = await workspace.state.projects.listKeys(workspace.scope, project.id);
      return answer(keys.map((key) => serializeKey(key, baseUrl)));
    },
  }),
  endpoint({
    method: "POST",
    path: KEYS,
    scopes: ["project:write"],
    summary: "Creates a DSN key. 409 when the project has 100.",
    body: { json: newKey },
    answers: { 201: one },
    async handle({ workspace, project, body, baseUrl, now }) {
      const created = await createKey(workspace, project, {
        label: body.name ?? body.label ?? "Unnamed",
        rateLimit: body.rateLimit ?? null,
        now,
      });
      if (created.ok) return answer(serializeKey(created.key, baseUrl), { status: 201 });
      throw created.reason === "too-many"
        ? refusal(409, `A project has at most ${MAX_KEYS} keys.`)
        : refusal(404, "The requested project does not exist");
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
    summary: "Renames, limits, disables or enables a key, and chooses what its loader script brings.",
    body: { json: keyChange },
    answers: { 200: one },
    async handle({ workspace, key, body, baseUrl }) {
      const label = body.name ?? body.label;
      const changed = await workspace.state.projects.changeKey(workspace.scope, key.id, {
        ...(label === undefined ? {} : { label }),
        ...(body.rateLimit === undefined ? {} : { rateLimit: body.rateLimit }),
        ...(body.isActive === undefined ? {} : { isEnabled: body.isActive }),
        ...(body.dynamicSdkLoaderOptions && {
          sdkFeatures: changeFeatures(key.sdkFeatures, body.dynamicSdkLoaderOptions),
        }),
      });
      if (!changed) throw refusal(404, "The requested key does not exist");
      await workspace.reloadKeys();
      return answer(serializeKey(changed, baseUrl));
    },
  }),
  endpoint({
    method: "DELETE",
    path: KEY,
    scopes: ["project:admin"],
    summary: "Deletes a key.",
    answers: { 204: { what: "Deleted", json: null } },
    async handle({ workspace, key }) {
      await workspace.state.projects.deleteKey(workspace.scope, key.id);
      await workspace.reloadKeys();
      return nothing();
    },
  }),
];
