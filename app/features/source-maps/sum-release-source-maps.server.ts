import type { Workspace } from "../../access/workspace.ts";
import { narrowScope } from "../../domain/scope.ts";
import { groupMissingMaps } from "./group-missing-maps.ts";

/** The state of a release's source maps in one project. */
export interface ReleaseSourceMaps {
  /** Scripts that were uploaded for the release, and scripts that events need but nobody uploaded. */
  fileCount: number;
  mappedCount: number;
  /** The number of missing source maps of the release's events. */
  wantedCount: number;
}

/** Null: source maps do not matter, because none was uploaded for the release and none of its events needs one. */
export async function sumReleaseSourceMaps(
  workspace: Workspace,
  { projectId, release }: { projectId: number; release: string },
): Promise<ReleaseSourceMaps | null> {
  const { state, scope } = workspace;
  const [scripts, rows] = await Promise.all([
    state.artifacts.countReleaseScripts(scope, { projectId, release }),
    state.artifacts.listMissingSourceMaps(narrowScope(scope, [projectId]), { release, isForeign: false }),
  ]);
  const groups = groupMissingMaps(rows.filter(({ type }) => type === "source_map"));
  const debugIds = groups.flatMap(({ debugId }) => debugId ?? []);
  const files = debugIds.length === 0 ? [] : await state.artifacts.findFilesByDebugId(scope, projectId, debugIds);
  // The newest files come first, and are the ones that count.
  const uploadedAt = new Map(
    files
      .filter(({ type }) => type === "source_map")
      .map((file) => [file.debugId, file.uploadedAt] as const)
      .reverse(),
  );
  const counted = new Set(files.filter(({ sourceMapUrl }) => sourceMapUrl !== null).map(({ debugId }) => debugId));
  // If a map was uploaded since, its events still have to be mapped, and no upload is missing. If it was already there when an
  // event came that still needs it, it is of no use.
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
