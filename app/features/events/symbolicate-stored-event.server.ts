import type { Workspace } from "../../access/workspace.ts";
import { narrowScope } from "../../domain/scope.ts";
import type { StoredEvent } from "../../domain/stored-event.ts";
import type { SymbolicationReport } from "../../domain/symbolication.ts";
import { isWhollySymbolicated } from "../../symbolicate/wanted-maps.ts";

/** The page waits no longer than this. Frames that are not mapped by then are shown as they were sent, and are mapped at the next visit. */
const LIMIT_MS = 1_000;

export interface SymbolicatedStoredEvent {
  /** The mapped event. It is the stored one if there was nothing to map, or if mapping failed. */
  stored: StoredEvent;
  /** How each frame was mapped, or why not. Null: all frames were mapped when the event was stored. */
  report: SymbolicationReport | null;
}

/**
 * Maps a stored event with source maps that were uploaded since, for a person who looks at it. Waits at most a second.
 * `withDiagnosis` also finds files that nearly match.
 */
export async function symbolicateStoredEvent(
  workspace: Workspace,
  projectId: number,
  stored: StoredEvent,
  { withDiagnosis = false }: { withDiagnosis?: boolean } = {},
): Promise<SymbolicatedStoredEvent> {
  if (isWhollySymbolicated(stored.event)) return { stored, report: null };
  const mapped = await workspace.symbolicate(stored, { projectId, limitMs: LIMIT_MS, withDiagnosis });
  const { report } = mapped;
  // The look-up timed out but could have found nothing, so the advice to look again would be wrong.
  const isPointless = report.failure === "timed_out" && !(await hasSources(workspace, projectId));
  return { stored: mapped.stored, report: isPointless ? { ...report, failure: null } : report };
}

/** Whether the project has uploaded source maps, or allows them to be fetched from where the application serves them. */
async function hasSources({ state, scope }: Workspace, projectId: number): Promise<boolean> {
  const ofProject = narrowScope(scope, [projectId]);
  const [{ bundles }, project] = await Promise.all([
    state.artifacts.listArtifactBundles(ofProject, { cursor: null, limit: 1 }),
    state.projects.getProject(ofProject, projectId),
  ]);
  return bundles.length > 0 || project?.fetchesSourceMaps === true;
}
