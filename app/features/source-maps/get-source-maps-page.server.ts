import type { ArtifactBundle, ArtifactFile } from "../../domain/artifact.ts";
import type { Project } from "../../domain/project.ts";
import type { SourceMapPass } from "../../domain/source-map-pass.ts";
import type { Engine } from "../../engine/engine.ts";
import type { ExplainContext } from "../../symbolicate/upload-command.ts";
import { toExplainContext } from "./explain-context.server.ts";
import { groupWanted, type WantedGroup } from "./group-wanted.ts";
import { type ReleaseSourceMaps, sumReleaseSourceMaps } from "./sum-release-source-maps.server.ts";

export interface WantedItem extends WantedGroup {
  /** Whether an upload that came since answers for it. */
  isUploaded: boolean;
  /** The first few of them. */
  issues: Array<{ shortId: string; title: string }>;
}

export interface OpenedUpload {
  id: number;
  /** The first so many, in the order of their paths. */
  files: ArtifactFile[];
}

export interface SourceMapsPage {
  project: Project;
  /** Null: of all releases. */
  release: string | null;
  /** How far those of the release have come; null where none are a question, and of all releases. */
  sums: ReleaseSourceMaps | null;
  /** Whether the release has a page: uploads and events may name what is none. */
  hasReleasePage: boolean;
  wanted: WantedItem[];
  uploads: ArtifactBundle[];
  nextCursor: string | null;
  /** The one whose files are shown; null: none. */
  opened: OpenedUpload | null;
  pass: SourceMapPass;
  explain: ExplainContext;
}

const UPLOADS_PER_PAGE = 20;
const MAX_WANTED_SHOWN = 50;
const MAX_ISSUES_NAMED = 5;
const MAX_FILES_SHOWN = 200;

type SourceMapsEngine = Pick<Engine, "state" | "settings" | "sourceMapPass">;

/** `release`, `cursor` and `upload` are parameters of the URL. Null when there is no such project. */
export async function getSourceMapsPage(
  engine: SourceMapsEngine,
  { slug, url }: { slug: string; url: URL },
): Promise<SourceMapsPage | null> {
  const project = await engine.state.getProjectBySlug(slug);
  if (!project) return null;
  const release = url.searchParams.get("release") || null;
  const [known, sums, wanted, page, opened, explain] = await Promise.all([
    release === null ? null : engine.state.getRelease(release),
    release === null ? null : sumReleaseSourceMaps(engine.state, { projectId: project.id, release }),
    listWanted(engine, project, release),
    engine.state.listArtifactBundles({
      projectId: project.id,
      ...(release === null ? {} : { release }),
      cursor: url.searchParams.get("cursor") || null,
      limit: UPLOADS_PER_PAGE,
    }),
    openUpload(engine, project, url.searchParams.get("upload")),
    toExplainContext(engine, { projectId: project.id, url }),
  ]);
  return {
    project,
    release,
    sums,
    hasReleasePage: known !== null,
    wanted,
    uploads: page.bundles,
    nextCursor: page.nextCursor,
    opened,
    pass: engine.sourceMapPass(),
    explain,
  };
}

/** What events of a project wait for, most events first. */
export async function listWanted(
  { state }: Pick<Engine, "state">,
  { id: projectId }: Pick<Project, "id">,
  release: string | null,
): Promise<WantedItem[]> {
  const rows = await state.listWantedSourceMaps({
    projectIds: [projectId],
    isForeign: false,
    ...(release === null ? {} : { release }),
  });
  const groups = groupWanted(rows).slice(0, MAX_WANTED_SHOWN);
  const debugIds = groups.flatMap(({ debugId }) => debugId ?? []);
  const files = debugIds.length === 0 ? [] : await state.findFilesByDebugId(projectId, debugIds);
  const uploaded = new Set(files.filter(({ type }) => type === "source_map").map(({ debugId }) => debugId));
  const issues = await state.getIssues([
    ...new Set(groups.flatMap(({ issueIds }) => issueIds.slice(0, MAX_ISSUES_NAMED))),
  ]);
  const byId = new Map(issues.map((issue) => [issue.id, issue]));
  return groups.map((group) => ({
    ...group,
    isUploaded: group.debugId !== null && uploaded.has(group.debugId),
    issues: group.issueIds.slice(0, MAX_ISSUES_NAMED).flatMap((id) => {
      const issue = byId.get(id);
      return issue ? [{ shortId: issue.shortId, title: issue.title }] : [];
    }),
  }));
}

async function openUpload(
  { state }: Pick<Engine, "state">,
  project: Project,
  text: string | null,
): Promise<OpenedUpload | null> {
  if (text === null || !/^\d{1,15}$/.test(text)) return null;
  const bundle = await state.getArtifactBundle(Number(text));
  if (!bundle?.projectIds.includes(project.id)) return null;
  const files = await state.listArtifactFiles(bundle.id);
  return { id: bundle.id, files: files.slice(0, MAX_FILES_SHOWN) };
}
