import type { Workspace } from "../../access/workspace.ts";
import { MIB } from "../../domain/bytes.ts";
import type { SentryEvent } from "../../domain/event.ts";
import type { FoundArtifactFile } from "../../stores/state/artifact-store.ts";
import { withDashes } from "../../symbolicate/upload-command.ts";

export interface CheckedDebugId {
  debugId: string;
  /**
   * `mismatch`: something was uploaded with the id, and no map that can be used. `skipped`: it needs none, as it is a script that
   * the build wrote no map for.
   */
  state: "found" | "skipped" | "missing" | "mismatch" | "timed_out";
  text: string;
  /** The file that answers. */
  file: FoundArtifactFile | null;
}

/** As many uploads are read to see whether they can be, and so many bytes of maps; of further maps, being there is enough. */
const MAX_READ = 50;
const MAX_READ_BYTES = 32 * MIB;
const READ_LIMIT_MS = 2_000;

/**
 * Whether uploads of a project answer for debug ids (32 lower-case hex characters each), in their order, with a source map that can
 * be read. Where only the script has the id, the script is read, as its map may be in it.
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

/** The debug ids of the first maps, as far as they may be read at once. */
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
 * Bundlers write none for what they make themselves (a runtime, a manifest), and tools give these a debug id anyway. Where the
 * script names no map and those of other scripts came with it, none was left out.
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

/** An event that was never sent: to ask what its frames lead to. */
const NO_EVENT: SentryEvent = {
  event_id: "0".repeat(32),
  type: "error",
  timestamp: 0,
  received: 0,
  platform: "javascript",
  level: "error",
};

/** The source map of the uploads with these debug ids: uploaded, inside the script, or named by the script. */
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

/** `9b7990f8-…`: for lists of what is missing. */
export function listIds(checked: readonly CheckedDebugId[], limit: number): string {
  const named = checked.slice(0, limit).map(({ debugId }) => withDashes(debugId));
  const rest = checked.length - named.length;
  return rest > 0 ? `${named.join(", ")} and ${rest} more` : named.join(", ");
}
