import { z } from "zod";
import type { Workspace } from "../../access/workspace.ts";
import type { PrivacyChoices } from "../../domain/privacy/privacy-settings.ts";
import type { Project } from "../../domain/project.ts";
import { NO_RULES } from "../../domain/project-rules.ts";
import { narrowScope } from "../../domain/scope.ts";
import { MAX_APDEX_MS } from "../../domain/spans/apdex.ts";
import { DAY_MS } from "../../domain/time.ts";
import { changeFilterLists } from "../../features/filters/change-filters.server.ts";
import { splitLines } from "../../features/filters/check-filters.ts";
import { type RuleRefusal, saveGroupingRules } from "../../features/grouping/save-grouping-rules.server.ts";
import { text } from "../../features/input/fields.ts";
import { changePrivacy } from "../../features/privacy/change-privacy.server.ts";
import { createProject } from "../../features/projects/create-project.server.ts";
import { deleteProject } from "../../features/projects/delete-project.server.ts";
import { originList, sayTaken, slugText } from "../../features/projects/project-form.ts";
import { toSlug } from "../../features/projects/project-slug.ts";
import type { Organization } from "../../stores/state/people-store.ts";
import { answer, nothing, refusal } from "../answers.ts";
import { type Endpoint, type EndpointAnswer, endpoint } from "../endpoint.ts";
import { projectWithTeams } from "../project-teams.server.ts";
import { privacyAnswer, projectAnswer, serializeOptions, serializePrivacy } from "../serialize-project.ts";

const platform = text(64).nullish();

const keyList = z.array(z.string().max(1000)).max(1000);

const newProject = z.object({ name: text(64), slug: slugText.nullish(), platform });
const projectChange = z.object({
  name: text(64).nullish(),
  slug: slugText.nullish(),
  platform,
  apdexThreshold: z
    .number()
    .int()
    .min(1)
    .max(MAX_APDEX_MS)
    .optional()
    .describe("milliseconds within which people are satisfied by a transaction"),
  scrapeJavaScript: z.boolean().optional().describe("whether source maps that nobody uploaded are fetched"),
  allowedDomains: originList.optional(),
  fingerprintingRules: z.string().optional().describe("one a line; they hold for events that come from then on"),
  groupingEnhancements: z
    .string()
    .optional()
    .describe("stack-trace rules, one a line; they hold as the fingerprint rules do"),
  dataScrubber: z.boolean().optional().describe("whether anything is masked, apart from addresses"),
  dataScrubberDefaults: z.boolean().optional().describe("whether the built-in rules are used"),
  scrubIPAddresses: z.boolean().optional().describe("whether addresses are left out"),
  sensitiveFields: keyList.optional().describe("names of keys whose values are masked"),
  safeFields: keyList.optional().describe("names of keys whose texts and numbers stay"),
  scrubbingRules: z.string().max(20_000).optional().describe("rules that name places, one a line"),
  relayPiiConfig: z.unknown().optional().describe("refused: scrubbingRules has what Culprit knows of it"),
  options: z
    .object({
      "filters:releases": z.string().max(50_000),
      "filters:error_messages": z.string().max(50_000),
      "filters:blacklisted_ips": z.string().max(50_000),
    })
    .partial()
    .optional()
    .describe("lists of filters, one entry a line"),
});

const PROJECT = "/projects/{organization}/{project}/";
const SIGNALS_WITHIN_MS = 90 * DAY_MS;
const detailedAnswer = z.object({
  ...projectAnswer.shape,
  ...privacyAnswer,
  fingerprintingRules: z.string(),
  groupingEnhancements: z.string(),
  hasSessions: z.boolean().describe("whether one was accepted in the last 90 days; so for the next three"),
  hasReplays: z.boolean(),
  hasProfiles: z.boolean(),
  hasMonitors: z.boolean(),
});
const one: EndpointAnswer = { what: "The project", json: projectAnswer };
const detailed: EndpointAnswer = { what: "The project", json: detailedAnswer };
const all: EndpointAnswer = { what: "Projects", json: z.array(projectAnswer) };

export const PROJECT_ENDPOINTS: readonly Endpoint[] = [
  endpoint({
    method: "GET",
    path: "/projects/",
    scopes: ["project:read", "project:releases"],
    summary: "All projects.",
    answers: { 200: all },
    handle: async ({ workspace }) => answer(await listProjects(workspace, workspace.organization)),
  }),
  endpoint({
    method: "GET",
    path: "/organizations/{organization}/projects/",
    scopes: ["org:read", "project:read", "project:releases"],
    summary: "All projects.",
    answers: { 200: all },
    handle: async ({ workspace, organization }) => answer(await listProjects(workspace, organization)),
  }),
  endpoint({
    method: "POST",
    path: "/organizations/{organization}/projects/",
    scopes: ["project:write"],
    summary: "Creates a project. 409 when the slug is taken.",
    body: { json: newProject },
    answers: { 201: one },
    async handle({ workspace, organization, body, now }) {
      const slug = body.slug ?? toSlug(body.name);
      if (slug === null) throw refusal(400, "slug: is required, because the name has no letters to make one of");
      const platform = body.platform ?? "other";
      const created = await createProject(workspace, { name: body.name, slug, platform, teamSlug: null, at: now });
      if (!created.ok) throw slugTaken(slug);
      return answer((await projectWithTeams(workspace, organization))(created.project), { status: 201 });
    },
  }),
  endpoint({
    method: "GET",
    path: PROJECT,
    scopes: ["project:read", "project:releases"],
    summary: "One project.",
    answers: { 200: detailed },
    async handle({ workspace, organization, project, now }) {
      return answer(await serializeDetailed(workspace, project, { organization, now }));
    },
  }),
  endpoint({
    method: "PUT",
    path: PROJECT,
    scopes: ["project:write"],
    summary: "Changes a project. 409 when the slug is taken.",
    body: { json: projectChange },
    answers: { 200: detailed },
    async handle({ workspace, organization, project, body, now }) {
      const { scrapeJavaScript, allowedDomains, apdexThreshold } = body;
      const { fingerprintingRules, groupingEnhancements } = body;
      const texts = {
        ...(fingerprintingRules === undefined ? {} : { fingerprintRules: fingerprintingRules }),
        ...(groupingEnhancements === undefined ? {} : { stackRules: groupingEnhancements }),
      };
      if (Object.keys(texts).length > 0) {
        const saved = await saveGroupingRules(workspace, project, { texts, now });
        if (!saved.ok) throw refusal(saved.status, sayRefusedRules(saved));
      }
      await changePrivacyBy(workspace, project, body);
      if (body.options) await changeLists(workspace, project, body.options);
      const changed = await workspace.state.projects.changeProject(workspace.scope, project.id, {
        ...(body.name ? { name: body.name } : {}),
        ...(body.slug ? { slug: body.slug } : {}),
        ...(body.platform ? { platform: body.platform } : {}),
        ...(scrapeJavaScript === undefined ? {} : { fetchesSourceMaps: scrapeJavaScript }),
        ...(apdexThreshold === undefined ? {} : { apdexMs: apdexThreshold }),
        ...(allowedDomains ? { allowedOrigins: allowedDomains } : {}),
      });
      if (!changed.ok) {
        throw changed.reason === "slug-taken" && body.slug
          ? slugTaken(body.slug)
          : refusal(404, "The requested project does not exist");
      }
      await workspace.reloadKeys();
      return answer(await serializeDetailed(workspace, changed.project, { organization, now }));
    },
  }),
  endpoint({
    method: "DELETE",
    path: PROJECT,
    // The use case checks more: the caller must be an owner, or a token of the organization with org:admin.
    scopes: ["project:admin", "org:admin"],
    summary:
      "Deletes a project with everything in it. Only owners can, and tokens of the organization with org:admin; never the server's own project.",
    answers: { 204: { what: "Deleted. Payload files follow within a day", json: null } },
    async handle({ workspace, project, now }) {
      const deleted = await deleteProject(workspace, { project, now });
      if (!deleted.ok) throw refusal(deleted.status, deleted.message);
      return nothing();
    },
  }),
];

const FIELD_NAMES = {
  masksData: "dataScrubber",
  usesBuiltInRules: "dataScrubberDefaults",
  dropsAddresses: "scrubIPAddresses",
  sensitiveKeys: "sensitiveFields",
  safeKeys: "safeFields",
  rules: "scrubbingRules",
} as const satisfies Record<keyof PrivacyChoices, keyof z.infer<typeof projectChange>>;

async function changePrivacyBy(
  workspace: Workspace,
  project: Project,
  {
    dataScrubber,
    dataScrubberDefaults,
    scrubIPAddresses,
    sensitiveFields,
    safeFields,
    scrubbingRules,
    relayPiiConfig,
  }: z.infer<typeof projectChange>,
): Promise<void> {
  if (relayPiiConfig !== undefined && relayPiiConfig !== null && relayPiiConfig !== "")
    throw refusal(
      400,
      "relayPiiConfig: Culprit does not read Relay's configuration, and would mask other values than it says. Write rules as scrubbingRules, like: mask email from $user.email",
    );
  const change: Partial<PrivacyChoices> = {
    ...(dataScrubber === undefined ? {} : { masksData: dataScrubber }),
    ...(dataScrubberDefaults === undefined ? {} : { usesBuiltInRules: dataScrubberDefaults }),
    ...(scrubIPAddresses === undefined ? {} : { dropsAddresses: scrubIPAddresses }),
    ...(sensitiveFields === undefined ? {} : { sensitiveKeys: toKeyList(sensitiveFields) }),
    ...(safeFields === undefined ? {} : { safeKeys: toKeyList(safeFields) }),
    ...(scrubbingRules === undefined ? {} : { rules: scrubbingRules.replaceAll("\r\n", "\n").trim() }),
  };
  if (Object.keys(change).length === 0) return;
  const changed = await changePrivacy(workspace, project, change);
  if (!changed.ok) throw refusal(changed.status, `${FIELD_NAMES[changed.field]}: ${changed.message}`);
}

function toKeyList(keys: readonly string[]): string[] {
  return splitLines(keys.join("\n"));
}

async function changeLists(
  workspace: Workspace,
  project: Project,
  options: NonNullable<z.infer<typeof projectChange>["options"]>,
): Promise<void> {
  const {
    "filters:releases": releases,
    "filters:error_messages": messages,
    "filters:blacklisted_ips": addresses,
  } = options;
  const changed = await changeFilterLists(workspace, project, {
    ...(releases === undefined ? {} : { "release-version": splitLines(releases) }),
    ...(messages === undefined ? {} : { "error-message": splitLines(messages) }),
    ...(addresses === undefined ? {} : { "ip-address": splitLines(addresses) }),
  });
  if (!changed.ok) throw refusal(changed.status, `${changed.field}: ${changed.message}`);
}

async function listProjects(workspace: Workspace, organization: Organization) {
  const projects = await workspace.state.projects.listProjects(workspace.scope);
  return projects.map(await projectWithTeams(workspace, organization));
}

/** The project with its rules, which lists leave out. */
async function serializeDetailed(
  workspace: Workspace,
  project: Project,
  { organization, now }: { organization: Organization; now: number },
) {
  const { state, scope } = workspace;
  const [serialize, grouping, rules, accepted] = await Promise.all([
    projectWithTeams(workspace, organization),
    state.groupingRules.getRules(scope, project.id),
    state.rules.getRules(scope, project.id),
    state.outcomes.sumOutcomes(narrowScope(scope, [project.id]), {
      ...{ from: now - SIGNALS_WITHIN_MS, to: now, bucketMs: null, groupBy: ["category"] },
      ...{ outcomes: ["accepted"], categories: ["session", "replay", "profile", "profile_chunk", "monitor"] },
    }),
  ]);
  const has = (...categories: string[]) => accepted.some(({ category = "" }) => categories.includes(category));
  return {
    ...serialize(project),
    ...(rules && { options: serializeOptions(project, rules) }),
    ...serializePrivacy(rules ?? NO_RULES),
    fingerprintingRules: grouping?.fingerprintRules ?? "",
    groupingEnhancements: grouping?.stackRules ?? "",
    hasSessions: has("session"),
    hasReplays: has("replay"),
    hasProfiles: has("profile", "profile_chunk"),
    hasMonitors: has("monitor"),
  };
}

function sayRefusedRules({ field, message }: RuleRefusal): string {
  if (field === null) return message;
  return `${field === "fingerprintRules" ? "fingerprintingRules" : "groupingEnhancements"}: ${message}`;
}

function slugTaken(slug: string): Response {
  return refusal(409, sayTaken(slug));
}
