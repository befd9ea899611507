import { z } from "zod";
import type { Workspace } from "../../access/workspace.ts";
import type { Project } from "../../domain/project.ts";
import type { Commit, Release } from "../../domain/release.ts";
import { narrowScope } from "../../domain/scope.ts";
import { addDeploy } from "../../features/releases/add-deploy.server.ts";
import { parseReleaseCursor } from "../../stores/state/release-cursor.ts";
import { answer, answerPage, nothing } from "../answers.ts";
import { type Endpoint, type EndpointAnswer, endpoint } from "../endpoint.ts";
import { ENVIRONMENTS, PAGING, PROJECTS, requireCursor, toEnvironments, toPlace, toProjectScope } from "../query.ts";
import { getHealthOfReleases, type HealthByRelease } from "../release-health-data.server.ts";
import { listInEnvironments } from "../releases-in-environments.server.ts";
import {
  deleteRelease,
  MAX_RELEASE_BODY_BYTES,
  newDeploy,
  newRelease,
  releaseChange,
  saveRelease,
  toProjectIds,
} from "../save-release.server.ts";
import {
  commitAnswer,
  deployAnswer,
  releaseAnswer,
  serializeCommit,
  serializeDeploy,
  serializeRelease,
} from "../serialize-release.ts";

const MAX_COMMITS = 1000;
const READ: Endpoint["scopes"] = ["project:releases", "project:read"];
const WRITE: Endpoint["scopes"] = ["project:releases"];

const HEALTH = {
  health: z.enum(["0", "1", "true", "false"]).optional().describe("`1`: with the `healthData` of each project"),
};
const isAsked = (flag: string | undefined) => flag === "1" || flag === "true";

const one: EndpointAnswer = { what: "The release", json: releaseAnswer };

/** The same endpoints for releases of the organization and for those of a project. */
function releaseEndpoints(base: "/organizations/{organization}" | "/projects/{organization}/{project}"): Endpoint[] {
  const releases = `${base}/releases/` as const;
  const release = `${releases}{release}/` as const;
  return [
    endpoint({
      method: "GET",
      path: releases,
      scopes: READ,
      summary: "Releases, newest first.",
      query: z.object({
        query: z.string().trim().optional().describe("Part of the version"),
        sort: z.enum(["date", "semver"]).default("date"),
        status: z.enum(["open", "archived"]).optional().describe("Both without it"),
        ...HEALTH,
        ...PROJECTS,
        ...ENVIRONMENTS,
        ...PAGING,
      }),
      answers: { 200: { what: "Releases", json: z.array(releaseAnswer) } },
      async handle({ workspace, project, query, url, now }) {
        const place = toPlace(query);
        requireCursor(place.cursor, (cursor) => parseReleaseCursor(cursor, query.sort));
        const scope = project ? narrowScope(workspace.scope, [project.id]) : await toProjectScope(workspace, query);
        const list = (at: typeof place) =>
          workspace.state.releases.listReleases(scope, {
            ...(query.status ? { status: query.status } : {}),
            ...(query.query ? { text: query.query } : {}),
            sort: query.sort,
            ...at,
          });
        const { environments } = toEnvironments(query);
        const page = environments
          ? await listInEnvironments(workspace, scope, { list, ...place, environments, now })
          : await list(place);
        const projects = await mapProjects(workspace);
        const health = isAsked(query.health)
          ? await getHealthOfReleases(workspace, scope, { ...page, now, ...(environments && { environments }) })
          : null;
        return answerPage(
          url,
          await Promise.all(
            page.releases.map(async (each) =>
              serializeRelease(each, { projects, health, lastCommit: await findLastCommit(workspace, each) }),
            ),
          ),
          page,
        );
      },
    }),
    endpoint({
      method: "POST",
      path: releases,
      scopes: WRITE,
      summary: "Creates a release, or adds to an existing one.",
      body: { json: newRelease, maxBytes: MAX_RELEASE_BODY_BYTES },
      answers: { 201: one, 208: { what: "It was there; the release as it is now", json: releaseAnswer } },
      async handle({ workspace, project, body, now }) {
        const { release, isNew } = await saveRelease(workspace, body.version, { project, body, now });
        return answerRelease(workspace, release, { status: isNew ? 201 : 208 });
      },
    }),
    endpoint({
      method: "GET",
      path: release,
      scopes: READ,
      summary: "One release.",
      query: z.object(HEALTH),
      answers: { 200: one },
      async handle({ workspace, release, query, now }) {
        const health = isAsked(query.health)
          ? await getHealthOfReleases(workspace, workspace.scope, { releases: [release], now })
          : null;
        return answerRelease(workspace, release, { health });
      },
    }),
    endpoint({
      method: "PUT",
      path: release,
      scopes: WRITE,
      summary: "Changes a release: finalizes, archives, sets its commits.",
      body: { json: releaseChange, maxBytes: MAX_RELEASE_BODY_BYTES },
      answers: { 200: one },
      async handle({ workspace, release, body, now }) {
        const saved = await saveRelease(workspace, release.version, { project: null, body, now });
        return answerRelease(workspace, saved.release);
      },
    }),
    endpoint({
      method: "DELETE",
      path: release,
      scopes: WRITE,
      summary: "Deletes a release that no event names; its artifacts stay. 400 when an event names it.",
      answers: { 204: { what: "Deleted", json: null } },
      async handle({ workspace, release, project }) {
        await deleteRelease(workspace, release, project);
        return nothing();
      },
    }),
    endpoint({
      method: "GET",
      path: `${release}commits/`,
      scopes: READ,
      summary: "Commits of a release, newest first, at most 1,000.",
      answers: { 200: { what: "Commits", json: z.array(commitAnswer) } },
      async handle({ workspace, release }) {
        return answer(
          (await workspace.state.releases.listCommits(workspace.scope, release.version, { limit: MAX_COMMITS })).map(
            serializeCommit,
          ),
        );
      },
    }),
    endpoint({
      method: "GET",
      path: `${release}previous-with-commits/`,
      scopes: READ,
      summary: "The previous release with commits; an empty object when there is none.",
      answers: { 200: { what: "A release, or an empty object", json: z.union([releaseAnswer, z.strictObject({})]) } },
      /** Tools read commits from this release on. After an empty object they take the newest commits. */
      async handle({ workspace, release }) {
        const previous = await workspace.state.releases.getPreviousRelease(workspace.scope, release.version, {
          withCommits: true,
        });
        return previous ? answerRelease(workspace, previous) : answer({});
      },
    }),
    endpoint({
      method: "GET",
      path: `${release}deploys/`,
      scopes: READ,
      summary: "Deploys of a release, newest first.",
      answers: { 200: { what: "Deploys", json: z.array(deployAnswer) } },
      async handle({ workspace, release }) {
        const [deploys, projects] = await Promise.all([
          workspace.state.releases.listDeploys(workspace.scope, release.version),
          mapProjects(workspace),
        ]);
        return answer(deploys.map((deploy) => serializeDeploy(deploy, release, projects)));
      },
    }),
    endpoint({
      method: "POST",
      path: `${release}deploys/`,
      scopes: WRITE,
      summary: "Records a deploy.",
      body: { json: newDeploy },
      answers: { 201: { what: "The deploy", json: deployAnswer } },
      async handle({ workspace, release, project, body, now }) {
        const { environment, name, url, dateStarted: startedAt = null, dateFinished } = body;
        const named = await toProjectIds(workspace, body.projects, project);
        const projectIds = named.length === 0 ? null : named;
        const finishedAt = dateFinished ?? now;
        const added = { environment, name, url, projectIds, startedAt, finishedAt };
        const deploy = await addDeploy(workspace, release, { deploy: added, now });
        return answer(serializeDeploy(deploy, release, await mapProjects(workspace)), { status: 201 });
      },
    }),
  ];
}

export const RELEASE_ENDPOINTS: readonly Endpoint[] = [
  ...releaseEndpoints("/organizations/{organization}"),
  ...releaseEndpoints("/projects/{organization}/{project}"),
];

async function answerRelease(
  workspace: Workspace,
  release: Release,
  { status = 200, health = null }: { status?: number; health?: HealthByRelease | null } = {},
): Promise<Response> {
  const [projects, lastCommit] = await Promise.all([mapProjects(workspace), findLastCommit(workspace, release)]);
  return answer(serializeRelease(release, { projects, lastCommit, health }), { status });
}

async function findLastCommit({ state, scope }: Workspace, { version, lastCommitId }: Release): Promise<Commit | null> {
  if (lastCommitId === null) return null;
  return (await state.releases.listCommits(scope, version, { limit: 1 }))[0] ?? null;
}

/** All projects that the caller sees, by id. */
async function mapProjects({ state, scope }: Workspace): Promise<Map<number, Project>> {
  return new Map((await state.projects.listProjects(scope)).map((project) => [project.id, project]));
}
