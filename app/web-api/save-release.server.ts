import { z } from "zod";
import type { Workspace } from "../access/workspace.ts";
import type { Project } from "../domain/project.ts";
import type { Release } from "../domain/release.ts";
import { cleanReleaseVersion, MAX_RELEASE_LENGTH } from "../domain/release-version.ts";
import { deployFields } from "../features/releases/add-deploy.server.ts";
import { RELEASE_HAS_EVENTS } from "../features/releases/change-release.server.ts";
import { refusal } from "./answers.ts";
import { requireNamedProjects } from "./find-named.server.ts";
import { commitIn, toCommits } from "./to-commits.ts";

/** The most commits of one call. Tools send 20 unless told otherwise. */
const MAX_COMMITS = 10_000;
/** The largest body, because lists of commits with their files are long. Bytes. */
export const MAX_RELEASE_BODY_BYTES = 20_000_000;

export const versionText = z
  .string()
  .trim()
  .refine(
    (version) => cleanReleaseVersion(version) !== null,
    `must have 1 to ${MAX_RELEASE_LENGTH} characters, no slash or line break, and not be a dot, two dots or "latest"`,
  );

/** Milliseconds since 1970. Times without a zone are UTC. */
const instantIn = z.iso
  .datetime({ offset: true, local: true, error: "must be a date and time of RFC 3339" })
  .transform((text) => Date.parse(/(?:z|[+-]\d\d:?\d\d)$/i.test(text) ? text : `${text}Z`));
const projectName = z.union([z.string(), z.int()], "must be a slug or a number").describe("slug or number");

const fields = {
  projects: z.array(projectName).max(1000).optional(),
  ref: z.string().max(250).nullish(),
  url: z.string().max(2000).nullish(),
  status: z.enum(["open", "archived"]).nullish(),
  dateStarted: instantIn.nullish(),
  dateReleased: instantIn.nullish(),
  refs: z
    .array(
      z.object({
        repository: z.string().max(200),
        commit: z.string().min(1).max(64),
        previousCommit: z.string().max(64).nullish(),
      }),
    )
    .max(100)
    .nullish()
    .describe(
      "the newest commit of each repository, where no list is sent: nothing is fetched from there. An empty list takes the commits away",
    ),
  commits: z
    .array(commitIn)
    .max(MAX_COMMITS)
    .nullish()
    .describe("newest first; takes the place of those that are there"),
};

export const releaseChange = z.object(fields);
export const newRelease = z.object({ version: versionText, ...fields });
export type ReleaseChange = z.output<typeof releaseChange>;

export const newDeploy = z.object({
  ...deployFields,
  dateStarted: instantIn.nullish(),
  dateFinished: instantIn.nullish(),
  projects: z
    .array(projectName)
    .max(1000)
    .nullish()
    .describe("those that were deployed; without it all of the release"),
});

/**
 * Creates a release or adds to it. Never takes a project away, not even when the list is empty, as `archive` sends it.
 * `project`: the one that the path names.
 * @throws a 400 answer when a project does not exist, or when one must be named.
 */
export async function saveRelease(
  workspace: Workspace,
  version: string,
  { project, body, now }: { project: Project | null; body: ReleaseChange; now: number },
): Promise<{ release: Release; isNew: boolean }> {
  const { state, scope, user } = workspace;
  const projectIds = await toProjectIds(workspace, body.projects, project);
  const { release, isNew } = await state.releases
    .saveRelease(scope, { version, projectIds, at: now, ...toFields(body) })
    .catch((error: unknown) => {
      // The name is valid. The release exists, but only in projects that the caller cannot see.
      throw error instanceof RangeError ? refusal(400, "projects: name at least one project for this release") : error;
    });
  await saveCommits(workspace, version, body, now);
  // A new project counts, too: commits may have named its issues before.
  if (body.commits || body.refs || projectIds.length > 0)
    await state.releases.resolveFixedIssues(scope, version, { userId: user?.id ?? null, at: now });
  return { release: (await state.releases.getRelease(scope, version)) ?? release, isNew };
}

/** @throws a 400 answer if events have the release, or if it also belongs to other projects; 404 if it is gone. */
export async function deleteRelease(
  { state, scope }: Workspace,
  release: Release,
  project: Project | null,
): Promise<void> {
  if (project && release.projects.length > 1)
    throw refusal(400, "This release is of other projects too: delete it without naming a project.");
  const result = await state.releases.deleteRelease(scope, release.version);
  if (result === "has-events") throw refusal(400, RELEASE_HAS_EVENTS);
  if (result === "not-found") throw refusal(404, "The requested release does not exist");
}

/**
 * The ids of the named projects and of the project in the path, without repetition.
 * @throws a 400 answer that names the project that does not exist.
 */
export async function toProjectIds(
  workspace: Workspace,
  names: ReadonlyArray<string | number> | null | undefined,
  project: Project | null,
): Promise<number[]> {
  const named = await requireNamedProjects(workspace, names ?? []);
  return [...new Set([...named, ...(project ? [project] : [])].map(({ id }) => id))];
}

async function saveCommits(
  { state, scope }: Workspace,
  version: string,
  { commits, refs }: ReleaseChange,
  now: number,
): Promise<void> {
  if (commits) await state.releases.setCommits(scope, version, toCommits(commits, now));
  // `set-commits --clear` sends an empty list of refs.
  else if (refs?.length === 0) await state.releases.setCommits(scope, version, []);
  // The server cannot ask a repository for the commits between two others.
  if (refs && refs.length > 0)
    await state.releases.setHeads(
      scope,
      version,
      refs.map(({ repository, commit, previousCommit }) => ({
        repository,
        commitId: commit,
        previousCommitId: previousCommit || null,
      })),
      now,
    );
}

/**
 * The changed fields of the release. Without `ref`, the release was built from the commit of the first ref. `HEAD` does not count, because
 * it may mean another commit tomorrow.
 */
function toFields({ ref, refs, url, status, dateStarted, dateReleased }: ReleaseChange) {
  const head = refs?.find(({ commit }) => !/^HEAD\b/.test(commit))?.commit;
  const builtFrom = ref === undefined ? head : ref;
  return {
    ...(builtFrom === undefined ? {} : { ref: builtFrom }),
    ...(url === undefined ? {} : { url }),
    ...(status ? { status } : {}),
    ...(dateStarted === undefined ? {} : { startedAt: dateStarted }),
    ...(dateReleased === undefined ? {} : { releasedAt: dateReleased }),
  };
}
