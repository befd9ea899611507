import type { Project, ProjectKey } from "../../domain/project.ts";
import type { Organization } from "../../stores/state/people-store.ts";
import { toDsn } from "../projects/project-dsn.ts";

export function serializeOrganization(organization: Organization) {
  return {
    id: "1",
    slug: organization.slug,
    name: organization.name,
    dateCreated: new Date(organization.createdAt).toISOString(),
    status: { id: "active", name: "active" },
    isEarlyAdopter: false,
    require2FA: false,
    requireEmailVerification: false,
    avatar: { avatarType: "letter_avatar", avatarUuid: null },
    features: [],
  };
}

export function serializeProjectBrief(project: Project) {
  return { id: String(project.id), name: project.name, slug: project.slug, platform: project.platform };
}

export function serializeProject(project: Project, organization: Organization) {
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
    options: { "sentry:origins": project.allowedOrigins.join("\n") },
    scrapeJavaScript: project.fetchesSourceMaps,
    allowedDomains: project.allowedOrigins.length > 0 ? project.allowedOrigins : ["*"],
    organization: { id: "1", slug: organization.slug, name: organization.name },
    teams: [],
    team: null,
  };
}

export function serializeKey(key: ProjectKey, baseUrl: string) {
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
    },
    dateCreated: new Date(key.createdAt).toISOString(),
  };
}
