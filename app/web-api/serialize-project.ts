import { z } from "zod";
import type { Team } from "../domain/people/team.ts";
import type { Project, ProjectKey } from "../domain/project.ts";
import type { ProjectRules } from "../domain/project-rules.ts";
import { toDsn, toLoaderUrl } from "../features/projects/project-dsn.ts";
import type { Organization } from "../stores/state/people-store.ts";
import { serializeTeamBrief, teamBrief } from "./serialize-people.ts";
import { id, instant, projectBrief } from "./shapes.ts";

export const organizationAnswer = z.object({
  id,
  slug: z.string(),
  name: z.string(),
  dateCreated: instant,
  status: z.object({ id: z.string(), name: z.string() }),
  isEarlyAdopter: z.boolean(),
  require2FA: z.boolean(),
  requireEmailVerification: z.boolean(),
  avatar: z.object({ avatarType: z.string(), avatarUuid: z.null() }),
  features: z.array(z.string()),
});

export function serializeOrganization(organization: Organization): z.input<typeof organizationAnswer> {
  return {
    id: "1",
    slug: organization.slug,
    name: organization.name,
    dateCreated: new Date(organization.createdAt).toISOString(),
    status: { id: "active", name: "active" },
    isEarlyAdopter: false,
    require2FA: organization.requiresSecondFactor,
    requireEmailVerification: false,
    avatar: { avatarType: "letter_avatar", avatarUuid: null },
    features: [],
  };
}

export function serializeProjectBrief(project: Project) {
  return { id: String(project.id), name: project.name, slug: project.slug, platform: project.platform };
}

export const projectAnswer = z.object({
  ...projectBrief.shape,
  dateCreated: instant,
  firstEvent: instant.nullable(),
  status: z.literal("active"),
  isPublic: z.boolean(),
  isBookmarked: z.boolean(),
  isMember: z.boolean(),
  hasAccess: z.boolean(),
  features: z.array(z.string()),
  options: z.record(z.string(), z.string()),
  scrapeJavaScript: z.boolean(),
  apdexThreshold: z.number().describe("Milliseconds"),
  allowedDomains: z.array(z.string()),
  organization: z.object({ id, slug: z.string(), name: z.string() }),
  teams: z.array(teamBrief),
  team: teamBrief.nullable(),
});

export function serializeProject(
  project: Project,
  organization: Organization,
  teams: ReadonlyArray<Pick<Team, "id" | "slug" | "name">>,
): z.input<typeof projectAnswer> {
  const briefs = teams.map(serializeTeamBrief);
  return {
    ...serializeProjectBrief(project),
    dateCreated: new Date(project.createdAt).toISOString(),
    firstEvent: project.firstEventAt === null ? null : new Date(project.firstEventAt).toISOString(),
    status: "active",
    isPublic: false,
    isBookmarked: false,
    isMember: true,
    hasAccess: true,
    features: [],
    options: serializeOptions(project, null),
    scrapeJavaScript: project.fetchesSourceMaps,
    apdexThreshold: project.apdexMs,
    allowedDomains: project.allowedOrigins.length > 0 ? project.allowedOrigins : ["*"],
    organization: { id: "1", slug: organization.slug, name: organization.name },
    teams: briefs,
    team: briefs[0] ?? null,
  };
}

/**
 * The settings of a project with the names of Sentry's options; lists have one entry a line. `rules` null: the options that only the answer
 * for one project has are left out.
 */
export function serializeOptions(project: Project, rules: ProjectRules | null): Record<string, string> {
  const origins = { "sentry:origins": project.allowedOrigins.join("\n") };
  if (rules === null) return origins;
  const { filters } = rules;
  return {
    ...origins,
    "filters:releases": filters.releases.join("\n"),
    "filters:error_messages": filters.errorMessages.join("\n"),
    "filters:blacklisted_ips": filters.ipAddresses.join("\n"),
  };
}

/** Privacy settings with Sentry's names. Addresses are always dropped, whatever the other settings say. */
export const privacyAnswer = {
  dataScrubber: z.boolean(),
  dataScrubberDefaults: z.boolean(),
  scrubIPAddresses: z.boolean(),
  sensitiveFields: z.array(z.string()),
  safeFields: z.array(z.string()),
  scrubbingRules: z.string(),
};

export function serializePrivacy({ privacy }: Pick<ProjectRules, "privacy">) {
  return {
    dataScrubber: privacy.masksData,
    dataScrubberDefaults: privacy.usesBuiltInRules,
    scrubIPAddresses: privacy.dropsAddresses,
    sensitiveFields: [...privacy.sensitiveKeys],
    safeFields: [...privacy.safeKeys],
    scrubbingRules: privacy.rules,
  };
}

const rateLimit = z.object({ count: z.int(), window: z.int().describe("seconds") });

/** Features of a key's loader script besides errors, with Sentry's names. */
export const sdkLoaderOptions = z.object({
  hasReplay: z.boolean(),
  hasPerformance: z.boolean(),
  hasFeedback: z.boolean(),
  /** The loader has no debug build with checks and log. Tools refuse a key that does not say so. */
  hasDebug: z.literal(false, "must be false: the loader script has no debug build"),
});

export const keyAnswer = z.object({
  id,
  name: z.string(),
  label: z.string(),
  public: z.string(),
  projectId: z.int(),
  isActive: z.boolean(),
  rateLimit: rateLimit.nullable(),
  dsn: z.object({ public: z.url(), security: z.url(), csp: z.url(), cdn: z.url() }),
  dynamicSdkLoaderOptions: sdkLoaderOptions,
  dateCreated: instant,
});

export function serializeKey(key: ProjectKey, baseUrl: string): z.input<typeof keyAnswer> {
  const api = `${baseUrl}/api/${key.projectId}`;
  return {
    id: String(key.id),
    name: key.label,
    label: key.label,
    public: key.publicKey,
    projectId: key.projectId,
    isActive: key.isEnabled,
    rateLimit: key.rateLimit === null ? null : { count: key.rateLimit.count, window: key.rateLimit.windowSeconds },
    dsn: {
      public: toDsn(baseUrl, key),
      security: `${api}/security/?sentry_key=${key.publicKey}`,
      csp: `${api}/csp-report/?sentry_key=${key.publicKey}`,
      cdn: toLoaderUrl(baseUrl, key),
    },
    dynamicSdkLoaderOptions: {
      hasReplay: key.sdkFeatures.includes("replay"),
      hasPerformance: key.sdkFeatures.includes("tracing"),
      hasFeedback: key.sdkFeatures.includes("feedback"),
      hasDebug: false,
    },
    dateCreated: new Date(key.createdAt).toISOString(),
  };
}
