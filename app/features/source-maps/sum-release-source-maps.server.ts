import type { Workspace } from "../../access/workspace.ts";
import { narrowScope } from "../../domain/scope.ts";
import { groupMissingMaps } from "./group-missing-maps.ts";

/** How far the source maps of a release have come in one project. */
export interface ReleaseSourceMaps {
  /** Scripts that were uploaded for the release, and those that events want and nobody uploaded. */
  fileCount: number;
  mappedCount: number;
  /** The missing source maps of the release's events. */
  wantedCount: number;
}

/** Null when source maps do not matter: none was uploaded for the release, and no event of it needs one. */
export async function sumReleaseSourceMaps(
  workspace: Workspace,
  { projectId, release }: { projectId: number; release: string },
): Promise<ReleaseSourceMaps | null> {
  const { state, scope } = workspace;
  const [scripts, rows] = await Promise.all([
    state.artifacts.countReleaseScripts(scope, { projectId, release }),
    state.artifacts.listMissingSourceMaps(narrowScope(scope, [projectId]), { release, isForeign: false }),
  ]);
  const groups = groupMissingMaps(rows);
  const debugIds = groups.flatMap(({ debugId }) => debugId ?? []);
  const files = debugIds.length === 0 ? [] : await state.artifacts.findFilesByDebugId(scope, projectId, debugIds);
  // The newest come first, and are the ones that count.
  const uploadedAt = new Map(
    files
      .filter(({ type }) => type === "source_map")
      .map((file) => [file.debugId, file.uploadedAt] as const)
      .reverse(),
  );
  const counted = new Set(files.filter(({ sourceMapUrl }) => sourceMapUrl !== null).map(({ debugId }) => debugId));
  // What was uploaded since, waits for its events to be mapped, and for nobody's upload. One that was there before an event
  // came that still wants it is of no use.
  const wanted = groups.filter(({ debugId, lastSeenAt }) => {
    const at = debugId === null ? undefined : uploadedAt.get(debugId);
    return at === undefined || at < lastSeenAt;
  });
  if (scripts.count === 0 && wanted.length === 0) return null;
  return {
    fileCount: scripts.count + wanted.filter(({ debugId }) => debugId === null || !counted.has(debugId)).length,
    mappedCount: scripts.mappedCount,
    wantedCount: wanted.length,
  };
}
