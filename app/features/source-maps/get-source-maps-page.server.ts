import type { Workspace } from "../../access/workspace.ts";
import type { Project } from "../../domain/project.ts";
import { narrowScope } from "../../domain/scope.ts";
import type { SourceMapPass } from "../../domain/source-map-pass.ts";
import type { ExplainContext } from "../../symbolicate/upload-command.ts";
import { readUploads } from "./check-debug-ids.server.ts";
import { toExplainContext } from "./explain-context.server.ts";
import { groupMissingMaps, type MissingMapGroup } from "./group-missing-maps.ts";
import { listUploads, type UploadsPage } from "./list-uploads.server.ts";
import { type ReleaseSourceMaps, sumReleaseSourceMaps } from "./sum-release-source-maps.server.ts";

export interface MissingMapItem extends MissingMapGroup {
  isUploaded: boolean;
  /** Why that upload is of no use. Null: it can be used, or has not been read yet. */
  problem: string | null;
  /** The first issues that need it. */
  issues: Array<{ shortId: string; title: string }>;
}

export interface ListedMissingMaps {
  /** The first items, those with most events first. */
  items: MissingMapItem[];
  count: number;
}

export interface SourceMapsPage {
  project: Project;
  /** Null: all releases. */
  release: string | null;
  /** The state of the release's source maps. Null: source maps do not matter in the release, or the page is about all releases. */
  sums: ReleaseSourceMaps | null;
  /** Whether the release has a page. Uploads and events may name versions that are not releases. */
  hasReleasePage: boolean;
  wanted: ListedMissingMaps;
  uploads: UploadsPage;
  pass: SourceMapPass;
  explain: ExplainContext;
}

const MAX_WANTED_SHOWN = 50;
const MAX_ISSUES_NAMED = 5;
/** Milliseconds. The page does not wait longer for additional facts. */
const READ_LIMIT_MS = 300;

/** `release`, `cursor` and `upload` are parameters of the URL. */
export async function getSourceMapsPage(
  workspace: Workspace,
  { project, url }: { project: Project; url: URL },
): Promise<SourceMapsPage> {
  const release = url.searchParams.get("release") || null;
  const [known, sums, wanted, uploads, explain] = await Promise.all([
    release === null ? null : workspace.state.releases.getRelease(workspace.scope, release),
    release === null ? null : sumReleaseSourceMaps(workspace, { projectId: project.id, release }),
    listWanted(workspace, project, { release, dist: null }),
    listUploads(workspace, {
      place: { projectId: project.id, ...(release === null ? {} : { release }) },
      url,
    }),
    toExplainContext(workspace, { projectId: project.id, url }),
  ]);
  return {
    project,
    release,
    sums,
    hasReleasePage: known !== null,
    wanted,
    uploads,
    pass: workspace.sourceMapPass(),
    explain,
  };
}

/** The missing source maps of a project's events, those with most events first. Null: all releases, or all dists. */
export async function listWanted(
  workspace: Workspace,
  { id: projectId }: Pick<Project, "id">,
  of: { release: string | null; dist: string | null },
): Promise<ListedMissingMaps> {
  const { state, scope } = workspace;
  const rows = await state.artifacts.listMissingSourceMaps(narrowScope(scope, [projectId]), {
    isForeign: false,
    ...(of.release === null ? {} : { release: of.release }),
  });
  const all = groupMissingMaps(rows).filter(
    ({ releases }) => of.dist === null || releases.some(({ dist }) => dist === of.dist),
  );
  const groups = all.slice(0, MAX_WANTED_SHOWN);
  const debugIds = groups.flatMap(({ debugId }) => debugId ?? []);
  const files = debugIds.length === 0 ? [] : await state.artifacts.findFilesByDebugId(scope, projectId, debugIds);
  const uploaded = new Set(files.map(({ type, debugId }) => `${type} ${debugId}`));
  const isUploaded = ({ type, debugId }: MissingMapGroup) => debugId !== null && uploaded.has(`${type} ${debugId}`);
  // Few of these have a usable upload: reprocessing removes them.
  const uploadedIds = groups.flatMap((group) =>
    group.type === "source_map" && isUploaded(group) ? (group.debugId ?? []) : [],
  );
  const read = await readUploads(workspace, projectId, { debugIds: uploadedIds, limitMs: READ_LIMIT_MS });
  const issues = await state.issues.getIssues(scope, [
    ...new Set(groups.flatMap(({ issueIds }) => issueIds.slice(0, MAX_ISSUES_NAMED))),
  ]);
  const byId = new Map(issues.map((issue) => [issue.id, issue]));
  const items = groups.map((group) => ({
    ...group,
    isUploaded: isUploaded(group),
    problem: findProblem(read.get(group.debugId ?? "")),
    issues: group.issueIds.slice(0, MAX_ISSUES_NAMED).flatMap((id) => {
      const issue = byId.get(id);
      return issue ? [{ shortId: issue.shortId, title: issue.title }] : [];
    }),
  }));
  return { items, count: all.length };
}

function findProblem(read: { state: string; text: string } | undefined): string | null {
  return read?.state === "mismatch" ? read.text : null;
}
