import type { FileReport, FoundFile, ResolvedWith } from "../domain/symbolication.ts";
import type { ArtifactIndex } from "../stores/state/artifact-index.ts";
import type { FoundArtifactFile } from "../stores/state/artifact-store.ts";
import type { ArtifactLookups } from "./artifact-lookups.ts";
import { candidateUrls, fileNameOf, joinUrl } from "./frame-urls.ts";
import type { MapShare } from "./map-memory.ts";
import type { PublicFiles } from "./public-files.ts";
import type { ReadTurns } from "./read-turns.ts";
import type { SourceMapCache, UploadedFile } from "./source-map-cache.ts";

/** The number of files that one event fetches at once. */
const FETCHES_AT_ONCE = 4;

/** A file that fits: from an upload, or fetched from where the application serves it (`container` is `url` then). */
export type AnsweringFile = Omit<FoundArtifactFile, "container"> & Pick<UploadedFile, "container">;

/** A generated file with frames, and the uploads that were found for it. */
export interface FileWork {
  path: string;
  debugId: string | null;
  candidates: string[];
  report: FileReport;
  generated: AnsweringFile | null;
  map: AnsweringFile | null;
  /** The maps and files that bear its debug id; newest upload first. */
  mapsOfId: readonly FoundArtifactFile[];
  filesOfId: readonly FoundArtifactFile[];
  /** The map is in the generated file itself. */
  isInline: boolean;
}

export interface ResolveContext {
  projectId: number;
  release: string | null;
  dist: string | null;
  lookups: ArtifactLookups;
  artifacts: Pick<ArtifactIndex, "listArtifactFiles">;
  files: SourceMapCache;
  share: MapShare;
  turns: ReadTurns;
  /** Whether the event's deadline is over, so that new work would be useless. */
  isLate(): boolean;
  /** Absent: nothing is fetched. */
  publicFiles?: PublicFiles;
}

/** Finds the uploads that answer for files: by debug id, then by URL within release and dist. Fills their reports. */
export async function resolveFiles(works: readonly FileWork[], context: ResolveContext): Promise<void> {
  const ids = works.flatMap(({ debugId }) => (debugId === null ? [] : [debugId]));
  const byId = ids.length === 0 ? new Map() : await context.lookups.byDebugId(context.projectId, ids);
  for (const work of works) {
    if (work.debugId !== null) takeAnswers(work, byId.get(work.debugId) ?? [], "debug-id");
  }
  const unresolved = works.filter(({ generated, map }) => generated === null && map === null);
  const { release, dist } = context;
  if (release !== null && unresolved.length > 0) {
    const urls = unresolved.flatMap(({ candidates }) => candidates.flatMap((url) => [url, `${url}.map`]));
    const byUrl = await context.lookups.byUrl({ projectId: context.projectId, release, dist }, urls);
    for (const work of unresolved) {
      for (const url of work.candidates) {
        const answers = (byUrl.get(url) ?? []).filter(({ type }) => type === "minified_source");
        if (answers.length > 0 && work.generated === null) takeAnswers(work, answers, "release");
      }
      // Only the maps were uploaded, under the URLs next to the files.
      for (const url of work.generated === null ? work.candidates : []) {
        const answers = (byUrl.get(`${url}.map`) ?? []).filter(({ type }) => type === "source_map");
        if (answers.length > 0 && work.map === null) takeAnswers(work, answers, "release");
      }
    }
  }
  if (context.publicFiles !== undefined && (await context.publicFiles.isEnabled(context.projectId))) {
    const lacking = works.filter(({ generated, map }) => generated === null && map === null);
    await inLanes(lacking, (work) => takePublicFile(work, context));
  }
  const referring = works.filter(({ generated, map }) => generated !== null && map === null);
  const [served, uploaded] = [
    referring.filter(({ generated }) => generated?.container === "url"),
    referring.filter(({ generated }) => generated?.container !== "url"),
  ];
  await Promise.all([
    ...uploaded.map((work) => followReference(work, context)),
    inLanes(served, (work) => followReference(work, context)),
  ]);
}

/** An event may name 200 files of others' servers, and all events share the few that are fetched at a time. */
async function inLanes(works: readonly FileWork[], run: (work: FileWork) => Promise<void>): Promise<void> {
  const left = works.values();
  await Promise.all(
    Array.from({ length: FETCHES_AT_ONCE }, async () => {
      for (const work of left) await run(work);
    }),
  );
}

/** Fetches the generated file from where it is served, when no upload has it. */
async function takePublicFile(work: FileWork, context: ResolveContext): Promise<void> {
  if (!/^https?:/i.test(work.path)) return;
  const file = await fetchFile(work, context, { url: work.path, type: "minified_source" });
  if (file === null) return;
  work.generated = file;
  work.report.upload.state = "found";
  work.report.upload.resolvedWith = "scraping";
  work.report.generatedFile = { state: "found", file: toFoundFile(file) };
}

async function fetchFile(
  { report, debugId }: FileWork,
  { projectId, release, dist, publicFiles, isLate }: ResolveContext,
  { url, type }: Pick<FoundArtifactFile, "type"> & { url: string },
): Promise<AnsweringFile | null> {
  if (publicFiles === undefined || isLate()) return null;
  const answer = await publicFiles.fetch(projectId, url);
  if (answer.kind !== "fetched") {
    report.publicFetches.push({ url, outcome: answer.kind, reason: answer.reason });
    return null;
  }
  report.publicFetches.push({ url, outcome: "fetched", reason: null });
  return {
    bundleId: 0,
    container: "url",
    checksum: answer.version,
    path: url,
    url,
    type,
    debugId,
    sourceMapUrl: answer.sourceMapUrl,
    bytes: answer.bytes.length,
    uploadedAt: answer.fetchedAt,
    release,
    dist,
  };
}

function takeAnswers(work: FileWork, answers: readonly FoundArtifactFile[], resolvedWith: ResolvedWith): void {
  const { report } = work;
  const maps = answers.filter(({ type }) => type === "source_map");
  const generated = answers.filter(({ type }) => type === "minified_source");
  if (resolvedWith === "debug-id") {
    work.mapsOfId = maps;
    work.filesOfId = generated;
  }
  work.map = maps[0] ?? null;
  work.generated = findGenerated(work.map, generated, work.path);
  if (work.map === null && work.generated === null) return;
  report.upload.state = "found";
  report.upload.resolvedWith = resolvedWith;
  report.upload.olderUploadIds = listOlderUploads(work.map ?? work.generated, answers);
  if (work.map !== null) report.sourceMap.file = toFoundFile(work.map);
  report.generatedFile =
    work.generated === null ? { state: "skipped", file: null } : { state: "found", file: toFoundFile(work.generated) };
}

/** Chooses another map with the debug id of the file, and the generated file that belongs to it. */
export function takeMap(work: FileWork, map: AnsweringFile): void {
  const { report } = work;
  work.map = map;
  work.generated = findGenerated(map, work.filesOfId, work.path);
  report.sourceMap.file = toFoundFile(map);
  if (work.generated !== null) report.generatedFile = { state: "found", file: toFoundFile(work.generated) };
}

/**
 * The generated file from the same upload as the map. If one id belongs to several files, it is the one after which the map is named, or
 * the one with the path's name.
 */
function findGenerated(
  map: AnsweringFile | null,
  generated: readonly FoundArtifactFile[],
  path: string,
): FoundArtifactFile | null {
  const beside = generated.filter(({ bundleId }) => map !== null && bundleId === map.bundleId);
  return (
    beside.find((file) => map !== null && `${file.url ?? file.path}.map` === (map.url ?? map.path)) ??
    beside.find((file) => isNamed(file, path)) ??
    beside[0] ??
    generated.find((file) => isNamed(file, path)) ??
    generated[0] ??
    null
  );
}

function listOlderUploads(taken: AnsweringFile | null, answers: readonly FoundArtifactFile[]): number[] {
  const others = answers.filter(({ type, bundleId }) => type === taken?.type && bundleId !== taken.bundleId);
  return [...new Set(others.map(({ bundleId }) => bundleId))];
}

function isNamed(file: FoundArtifactFile, path: string): boolean {
  return fileNameOf(file.url ?? file.path) === fileNameOf(path);
}

/** Finds the map by the reference in the generated file. */
async function followReference(work: FileWork, context: ResolveContext): Promise<void> {
  const { generated, report } = work;
  if (generated === null) return;
  const reference =
    generated.sourceMapUrl ?? (await context.files.getGenerated(generated, context.turns))?.sourceMapUrl ?? null;
  report.sourceMap.reference = reference;
  if (reference === null) return;
  if (reference.startsWith("data:")) {
    work.isInline = true;
    report.sourceMap.reference = "data:";
    report.sourceMap.file = toFoundFile(generated);
    return;
  }
  const base = generated.url ?? work.path;
  const urls = candidateUrls(joinUrl(base, reference));
  report.sourceMap.lookedFor = urls;
  const { projectId, release, dist } = context;
  const answers: FoundArtifactFile[] = [];
  if (generated.debugId !== null)
    answers.push(...((await context.lookups.byDebugId(projectId, [generated.debugId])).get(generated.debugId) ?? []));
  if (release !== null) {
    const byUrl = await context.lookups.byUrl({ projectId, release, dist }, urls);
    for (const url of urls) answers.push(...(byUrl.get(url) ?? []));
  }
  let map: AnsweringFile | null = answers.find(({ type }) => type === "source_map") ?? null;
  if (map === null && generated.container === "url")
    map = await fetchFile(work, context, { url: joinUrl(base, reference), type: "source_map" });
  else if (map === null) {
    // The upload knows its own files, also those without a debug id.
    const siblings = await context.artifacts.listArtifactFiles(generated.bundleId);
    const sibling = siblings.find(({ type, url }) => type === "source_map" && url !== null && urls.includes(url));
    if (sibling !== undefined) map = { ...generated, ...sibling };
  }
  work.map = map;
  if (map !== null) report.sourceMap.file = toFoundFile(map);
}

export function toFoundFile(file: AnsweringFile): FoundFile {
  const { bundleId, path, url, type, debugId, release, dist, bytes, uploadedAt } = file;
  return { bundleId, path, url, type, debugId, release, dist, bytes, uploadedAt };
}
