import { z } from "zod";
import type { Project } from "../domain/project.ts";
import type { Commit, Deploy, Release } from "../domain/release.ts";
import { parseReleaseVersion } from "../domain/release-version.ts";
import { toIso, toIsoOrNull } from "./answers.ts";
import { type HealthByRelease, healthData } from "./release-health-data.server.ts";
import { instant } from "./shapes.ts";

export const deployAnswer = z.object({
  id: z.string(),
  projects: z.array(z.string()).describe("slugs of those that were deployed"),
  environment: z.string(),
  name: z.string().nullable(),
  url: z.string().nullable(),
  dateStarted: instant.nullable(),
  dateFinished: instant,
});

const author = z.object({ name: z.string().nullable(), email: z.string().nullable() });

export const releaseAnswer = z.object({
  id: z.int(),
  version: z.string(),
  shortVersion: z.string(),
  status: z.enum(["open", "archived"]),
  ref: z.string().nullable(),
  url: z.string().nullable(),
  dateCreated: instant,
  dateStarted: instant.nullable(),
  dateReleased: instant.nullable(),
  firstEvent: instant.nullable(),
  lastEvent: instant.nullable(),
  newGroups: z.int(),
  commitCount: z.int(),
  deployCount: z.int(),
  lastCommit: z.object({ id: z.string(), message: z.string(), dateCreated: instant, author }).nullable(),
  refs: z.array(
    z.object({
      repository: z.string(),
      commit: z.string(),
      previousCommit: z.string().nullable(),
      hasCommits: z.boolean().describe("whether the commits between the two are known"),
    }),
  ),
  lastDeploy: deployAnswer.nullable(),
  authors: z.array(author),
  owner: z.null(),
  data: z.object({}),
  projects: z.array(
    z.object({
      id: z.int(),
      slug: z.string(),
      name: z.string(),
      platform: z.string(),
      newGroups: z.int(),
      healthData: healthData.optional().describe("only if it was asked for"),
    }),
  ),
  versionInfo: z.object({
    package: z.string().nullable(),
    version: z.object({ raw: z.string() }),
    description: z.string(),
    buildHash: z.string().nullable(),
  }),
});

export const commitAnswer = z.object({
  id: z.string(),
  message: z.string(),
  dateCreated: instant,
  author,
  repository: z.object({ name: z.string() }).nullable(),
});

/**
 * `projects`: all projects, by id. `lastCommit`: the newest commit of the release, which `lastCommitId` names. `health`: null if the
 * request did not ask for it.
 */
export function serializeRelease(
  release: Release,
  {
    projects,
    lastCommit,
    health,
  }: { projects: ReadonlyMap<number, Project>; lastCommit: Commit | null; health: HealthByRelease | null },
): z.input<typeof releaseAnswer> {
  const parsed = parseReleaseVersion(release.version);
  const firstEvents = release.projects.flatMap(({ firstEventAt }) => firstEventAt ?? []);
  const lastEvents = release.projects.flatMap(({ lastEventAt }) => lastEventAt ?? []);
  const raw = parsed.package === null ? release.version : release.version.slice(parsed.package.length + 1);
  return {
    id: release.id,
    version: release.version,
    shortVersion: parsed.shortVersion,
    status: release.status,
    ref: release.ref,
    url: release.url,
    dateCreated: toIso(release.createdAt),
    dateStarted: toIsoOrNull(release.startedAt),
    dateReleased: toIsoOrNull(release.releasedAt),
    firstEvent: firstEvents.length === 0 ? null : toIso(Math.min(...firstEvents)),
    lastEvent: lastEvents.length === 0 ? null : toIso(Math.max(...lastEvents)),
    newGroups: release.projects.reduce((sum, { newIssueCount }) => sum + newIssueCount, 0),
    commitCount: release.commitCount,
    deployCount: release.deployCount,
    lastCommit: lastCommit && {
      id: lastCommit.id,
      message: lastCommit.message,
      dateCreated: toIso(lastCommit.at),
      author: { name: lastCommit.authorName, email: lastCommit.authorEmail },
    },
    refs: release.heads.map(({ repository, commitId, previousCommitId, hasCommits }) => ({
      repository,
      commit: commitId,
      previousCommit: previousCommitId,
      hasCommits,
    })),
    lastDeploy: release.lastDeploy && serializeDeploy(release.lastDeploy, release, projects),
    authors: release.authors.map(({ name, email }) => ({ name, email })),
    owner: null,
    data: {},
    projects: release.projects.flatMap(({ projectId, newIssueCount }) => {
      const project = projects.get(projectId);
      if (!project) return [];
      const { id, slug, name, platform } = project;
      // A number, unlike ids of projects elsewhere: tools refuse a text here.
      const data = health?.get(release.version)?.get(id);
      return [{ id, slug, name, platform, newGroups: newIssueCount, ...(data && { healthData: data }) }];
    }),
    versionInfo: {
      package: parsed.package,
      version: { raw },
      description: parsed.shortVersion,
      buildHash: parsed.semver?.build ?? null,
    },
  };
}

export function serializeDeploy(
  deploy: Deploy,
  release: Pick<Release, "projects">,
  projects: ReadonlyMap<number, Pick<Project, "slug">>,
): z.input<typeof deployAnswer> {
  const projectIds = deploy.projectIds ?? release.projects.map(({ projectId }) => projectId);
  return {
    id: String(deploy.id),
    projects: projectIds.flatMap((id) => projects.get(id)?.slug ?? []),
    environment: deploy.environment,
    name: deploy.name,
    url: deploy.url,
    dateStarted: toIsoOrNull(deploy.startedAt),
    dateFinished: toIso(deploy.finishedAt),
  };
}

export function serializeCommit(commit: Commit): z.input<typeof commitAnswer> {
  return {
    id: commit.id,
    message: commit.message,
    dateCreated: toIso(commit.at),
    author: { name: commit.authorName, email: commit.authorEmail },
    repository: commit.repository === "" ? null : { name: commit.repository },
  };
}
