import { candidateUrls } from "./frame-urls.ts";
import type { LoadedFile } from "./map-frame.ts";
import type { FileWork, ResolveContext } from "./resolve-files.ts";
import type { SourceLines } from "./source-lines.ts";
import { markTimedOut } from "./start-report.ts";

/** Reads the map of a file, and the generated file for its functions. Null: there is no map that can be used. */
export async function loadFile(work: FileWork, context: ResolveContext): Promise<LoadedFile | null> {
  const { report, generated, map: mapFile } = work;
  if (mapFile === null && !work.isInline) {
    if (generated === null) return null;
    report.sourceMap.state = "missing";
    report.sourceMap.error = "missing_sourcemap";
    return null;
  }
  const source = mapFile ?? generated;
  if (source === null) return null;
  const answer = await (work.isInline
    ? context.files.getInlineMap(source, context.turns)
    : context.files.getMap(source, context.turns));
  if (answer === null) return null;
  if (answer.kind === "refused") {
    report.sourceMap.state = answer.error === "missing_sourcemap" ? "missing" : "mismatch";
    report.sourceMap.error = answer.error;
    report.sourceMap.problem = answer.problem;
    return null;
  }
  const { map } = answer;
  const taken = context.share.take(map);
  if (taken === "event-has-too-much") {
    report.sourceMap.state = "mismatch";
    report.sourceMap.error = "sourcemap_too_large";
    report.sourceMap.problem = "the source maps of this event are too large together to be read at once";
    return null;
  }
  if (taken === "all-have-too-much") {
    markTimedOut(report);
    // Returned, not awaited, so that the map is let go. The next request finds the functions.
    return generated === null ? null : context.files.getGenerated(generated, context.turns).then(() => null);
  }
  const code = generated === null ? null : await context.files.getGenerated(generated, context.turns);
  const scopes = code?.scopes && context.share.take(code.scopes) === "held" ? code.scopes : null;
  report.sourceMap.state = "found";
  report.sourceMap.sourceCount = map.sourceCount;
  report.sourceMap.mappingCount = map.mappingCount;
  return {
    map,
    scopes,
    mapUrl: work.isInline ? (source.url ?? work.path) : (source.url ?? source.path),
    generatedUrl: work.path,
    resolvedWith: report.upload.resolvedWith ?? "release",
    loadSource: (absPath) => loadSource(work, context, absPath),
  };
}

/**
 * Loads a source that was uploaded as a file, for the release or in the same upload. Not for a late event: each frame may have another
 * source.
 */
async function loadSource(work: FileWork, context: ResolveContext, absPath: string): Promise<SourceLines | null> {
  if (context.isLate()) return null;
  const urls = candidateUrls(absPath);
  const { projectId, release, dist } = context;
  if (release !== null) {
    const byUrl = await context.lookups.byUrl({ projectId, release, dist }, urls);
    for (const url of urls) {
      const file = byUrl.get(url)?.find(({ type }) => type === "source");
      if (file !== undefined) return await context.files.getSource(file, context.turns);
    }
  }
  const { map } = work;
  if (map === null || map.container !== "zip") return null;
  const siblings = await context.artifacts.listArtifactFiles(map.bundleId);
  const sibling = siblings.find(({ type, url }) => type === "source" && url !== null && urls.includes(url));
  return sibling === undefined ? null : await context.files.getSource({ ...map, path: sibling.path }, context.turns);
}
