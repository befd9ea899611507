import type { Workspace } from "../../access/workspace.ts";
import { MIB } from "../../domain/bytes.ts";
import type { SentryEvent } from "../../domain/event.ts";
import type { FoundArtifactFile } from "../../stores/state/artifact-store.ts";
import { withDashes } from "../../symbolicate/upload-command.ts";

export interface CheckedDebugId {
  debugId: string;
  /**
   * `mismatch`: something was uploaded with the id, but no usable map. `skipped`: it needs none, because it is a script for which
   * the build wrote no map.
   */
  state: "found" | "skipped" | "missing" | "mismatch" | "timed_out";
  text: string;
  /** The file that has the id. */
  file: FoundArtifactFile | null;
}

/**
 * The highest number of uploads that are read to check them, and the highest number of bytes of maps. For further maps, it is
 * enough that they exist.
 */
const MAX_READ = 50;
const MAX_READ_BYTES = 32 * MIB;
const READ_LIMIT_MS = 2_000;

/**
 * Checks whether a project's uploads have readable source maps for debug ids (32 lower-case hex characters each). The results are
 * in the order of the ids. If only a script has the id, the script is read, because its map may be inside.
 */
export async function checkDebugIds(
  workspace: Workspace,
  projectId: number,
  debugIds: readonly string[],
): Promise<CheckedDebugId[]> {
  const files = await workspace.state.artifacts.findFilesByDebugId(workspace.scope, projectId, debugIds);
  const byId = Map.groupBy(files, ({ debugId }) => debugId ?? "");
  const unsure = debugIds.filter((id) => byId.has(id) && findMap(byId.get(id)) === null);
  const small = takeSmall(debugIds.flatMap((id) => findMap(byId.get(id)) ?? []));
  const read = await readUploads(workspace, projectId, {
    debugIds: [...unsure.slice(0, MAX_READ), ...small],
    limitMs: READ_LIMIT_MS,
  });
  const unread = unsure.flatMap((id) => (read.has(id) ? [] : (byId.get(id)?.[0] ?? [])));
  const uploadsWithMaps = await listUploadsWithMaps(workspace, unread);
  return debugIds.map((debugId) => {
    const answers = byId.get(debugId) ?? [];
    const map = findMap(answers);
    if (map !== null) {
      const found = { state: "found" as const, text: `Found: ${map.url ?? map.path} in upload ${map.bundleId}.` };
      const answer = read.get(debugId);
      return { debugId, file: map, ...(answer?.state === "mismatch" ? answer : found) };
    }
    const [script] = answers;
    if (script === undefined)
      return { debugId, state: "missing", text: "Nothing was uploaded with this debug id.", file: null };
    return { debugId, file: script, ...(read.get(debugId) ?? noMap(script, uploadsWithMaps)) };
  });
}

/** The debug ids of the first maps, as many as may be read at once. */
function takeSmall(maps: readonly FoundArtifactFile[]): string[] {
  const taken: string[] = [];
  let bytes = 0;
  for (const map of maps) {
    bytes += map.bytes;
    if (taken.length >= MAX_READ || bytes > MAX_READ_BYTES) break;
    if (map.debugId !== null) taken.push(map.debugId);
  }
  return taken;
}

function findMap(files: readonly FoundArtifactFile[] = []): FoundArtifactFile | null {
  return files.find(({ type }) => type === "source_map") ?? null;
}

/**
 * Whether a script needs no map. Bundlers write none for code of their own (a runtime, a manifest), but tools give such scripts a
 * debug id anyway. If the script names no map, and maps of other scripts were uploaded with it, none was left out.
 */
function noMap(
  script: FoundArtifactFile,
  uploadsWithMaps: ReadonlySet<number>,
): Pick<CheckedDebugId, "state" | "text"> {
  const name = script.url ?? script.path;
  if (script.sourceMapUrl === null && uploadsWithMaps.has(script.bundleId))
    return { state: "skipped", text: `${name} names no source map, and was uploaded with those of other scripts.` };
  return {
    state: "mismatch",
    text: `${name} was uploaded with this debug id, but no source map: upload both together.`,
  };
}

async function listUploadsWithMaps(
  { state, scope }: Workspace,
  scripts: readonly FoundArtifactFile[],
): Promise<Set<number>> {
  const found = new Set<number>();
  for (const bundleId of new Set(scripts.map((script) => script.bundleId))) {
    const files = await state.artifacts.listArtifactFiles(scope, bundleId);
    if (files.some(({ type }) => type === "source_map")) found.add(bundleId);
  }
  return found;
}

/** An event that was never sent, for asking what its frames lead to. */
const NO_EVENT: SentryEvent = {
  event_id: "0".repeat(32),
  type: "error",
  timestamp: 0,
  received: 0,
  platform: "javascript",
  level: "error",
};

/** The source map for each debug id in the uploads: uploaded, inside the script, or named by the script. */
export async function readUploads(
  { symbolicate }: Workspace,
  projectId: number,
  { debugIds, limitMs }: { debugIds: readonly string[]; limitMs: number },
): Promise<Map<string, Pick<CheckedDebugId, "state" | "text">>> {
  const read = new Map<string, Pick<CheckedDebugId, "state" | "text">>();
  if (debugIds.length === 0) return read;
  const frames = debugIds.map((id) => ({
    abs_path: `https://debug-id.invalid/${id}.js`,
    lineno: 1,
    colno: 1,
    debug_id: id,
  }));
  const event: SentryEvent = { ...NO_EVENT, stacktrace: { frames } };
  const { report } = await symbolicate({ event, grouping: null }, { projectId, limitMs });
  for (const { identity, sourceMap, upload } of report.files) {
    if (identity.debugId === null) continue;
    if (upload.state === "timed_out" || sourceMap.state === "timed_out")
      read.set(identity.debugId, { state: "timed_out", text: "Reading the upload took too long; ask again." });
    else if (sourceMap.state === "found") {
      const where =
        sourceMap.reference === "data:" ? "in the script itself" : (sourceMap.file?.url ?? sourceMap.file?.path);
      read.set(identity.debugId, { state: "found", text: `Found: ${where}.` });
    } else if (sourceMap.problem !== null)
      read.set(identity.debugId, { state: "mismatch", text: `The source map cannot be used: ${sourceMap.problem}.` });
  }
  return read;
}

/** Ids for lists of what is missing: `9b7990f8-…`. */
export function listIds(checked: readonly CheckedDebugId[], limit: number): string {
  const named = checked.slice(0, limit).map(({ debugId }) => withDashes(debugId));
  const rest = checked.length - named.length;
  return rest > 0 ? `${named.join(", ")} and ${rest} more` : named.join(", ");
}
