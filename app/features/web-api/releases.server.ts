import type { Project } from "../../domain/project.ts";
import type { Release } from "../../domain/release.ts";
import type { Engine } from "../../engine/engine.ts";
import { readReleaseParam } from "../releases/release-paths.ts";
import { linkHeader, readCursor, readLimit, refusal } from "./answers.server.ts";
import { requireNamedProjects, requireOrganization, requireProject } from "./authorize.server.ts";
import { newReleaseBody, type ReleaseChange, releaseChangeBody } from "./endpoints/release-endpoints.ts";
import { readBody } from "./read-body.server.ts";
import { serializeRelease } from "./serialize-release.ts";
import { toCommits } from "./to-commits.ts";

/** Lists of commits with their files are long. */
const MAX_RELEASE_BODY_BYTES = 20_000_000;

/** Whose releases a path is about: the organization's, or one project's. */
export interface ReleaseScope {
  project: Project | null;
}

/** @throws a 404 answer. */
export async function requireReleaseScope(
  engine: Engine,
  params: { org: string; project?: string | undefined },
): Promise<ReleaseScope> {
  await requireOrganization(engine, params.org);
  return { project: params.project === undefined ? null : await requireProject(engine, params.project) };
}

/** `param` as the router gives it. @throws a 404 answer, also when the release is of other projects only. */
export async function requireRelease({ state }: Engine, param: string, { project }: ReleaseScope): Promise<Release> {
  const release = await state.releases.getRelease(readReleaseParam(param));
  if (!release || (project && !release.projects.some(({ projectId }) => projectId === project.id)))
    throw refusal(404, "The requested release does not exist");
  return release;
}

export async function answerRelease(engine: Engine, release: Release) {
  return serializeRelease(release, await mapProjects(engine));
}

/** All there are, by id. */
export async function mapProjects({ state }: Pick<Engine, "state">): Promise<Map<number, Project>> {
  return new Map((await state.projects.listProjects()).map((project) => [project.id, project]));
}

export async function listReleasesForApi(engine: Engine, { project }: ReleaseScope, url: URL) {
  const sort = url.searchParams.get("sort") || "date";
  if (sort !== "date" && sort !== "semver") throw refusal(400, "sort must be date or semver");
  const status = url.searchParams.get("status") || null;
  if (status !== null && status !== "open" && status !== "archived")
    throw refusal(400, "status must be open or archived");
  const text = url.searchParams.get("query")?.trim();
  const page = await engine.state.releases.listReleases({
    projectIds: project ? [project.id] : null,
    ...(status ? { status } : {}),
    ...(text ? { text } : {}),
    sort,
    cursor: readCursor(url),
    limit: readLimit(url),
  });
  const projects = await mapProjects(engine);
  return {
    releases: page.releases.map((release) => serializeRelease(release, projects)),
    link: linkHeader(url, { previous: page.previousCursor, next: page.nextCursor }),
  };
}

/** Makes a release or adds to it: never takes a project away, also when the list is empty, as `archive` sends it. */
export async function saveReleaseFromApi(engine: Engine, { project }: ReleaseScope, request: Request, now: number) {
  const body = await readBody(request, newReleaseBody, { maxBytes: MAX_RELEASE_BODY_BYTES });
  const named = await requireNamedProjects(engine, body.projects ?? []);
  const { release, isNew } = await engine.state.releases.saveRelease({
    version: body.version,
    projectIds: [...new Set([...named, ...(project ? [project] : [])].map(({ id }) => id))],
    at: now,
    ...toFields(body),
  });
  await saveCommits(engine, release.version, body, now);
  return { release: await rereadRelease(engine, release), isNew };
}

export async function changeReleaseFromApi(engine: Engine, release: Release, request: Request, now: number) {
  const body = await readBody(request, releaseChangeBody, { maxBytes: MAX_RELEASE_BODY_BYTES });
  const named = await requireNamedProjects(engine, body.projects ?? []);
  await engine.state.releases.saveRelease({
    version: release.version,
    projectIds: named.map(({ id }) => id),
    at: now,
    ...toFields(body),
  });
  await saveCommits(engine, release.version, body, now);
  return rereadRelease(engine, release);
}

/** @throws a 400 answer when an event names it, or when it is of other projects too; 404. */
export async function deleteReleaseFromApi(engine: Engine, release: Release, { project }: ReleaseScope): Promise<void> {
  if (project && release.projects.length > 1)
    throw refusal(400, "This release is of other projects too: delete it without naming a project.");
  const result = await engine.state.releases.deleteRelease(release.version);
  if (result === "has-events") throw refusal(400, "Events name this release, so it stays; it can be archived.");
  if (result === "not-found") throw refusal(404, "The requested release does not exist");
}

async function saveCommits(
  { state }: Engine,
  version: string,
  { commits, refs }: ReleaseChange,
  now: number,
): Promise<void> {
  if (commits) await state.releases.setCommits(version, toCommits(commits, now));
  // `set-commits --clear` sends an empty list of refs.
  else if (refs?.length === 0) await state.releases.setCommits(version, []);
  // Nothing here can ask a repository for the commits between.
  if (refs && refs.length > 0)
    await state.releases.setHeads(
      version,
      refs.map(({ repository, commit, previousCommit }) => ({
        repository,
        commitId: commit,
        previousCommitId: previousCommit || null,
      })),
      now,
    );
}

/** Of refs, the first one's commit is what the release was built from; `HEAD` is another commit tomorrow. */
function toFields({ ref, refs, url, status, dateStarted, dateReleased }: ReleaseChange) {
  const head = refs?.find(({ commit }) => !/^HEAD\b/.test(commit))?.commit;
  const builtFrom = ref === undefined ? head : ref;
  return {
    ...(builtFrom === undefined ? {} : { ref: builtFrom }),
    ...(url === undefined ? {} : { url }),
    ...(status ? { status } : {}),
    ...(dateStarted === undefined ? {} : { startedAt: toInstant(dateStarted) }),
    ...(dateReleased === undefined ? {} : { releasedAt: toInstant(dateReleased) }),
  };
}

/** What names no zone is UTC. */
export function toInstant(text: string | null): number | null {
  if (text === null) return null;
  return Date.parse(/(?:z|[+-]\d\d:?\d\d)$/i.test(text) ? text : `${text}Z`);
}

async function rereadRelease({ state }: Engine, release: Release): Promise<Release> {
  return (await state.releases.getRelease(release.version)) ?? release;
}
