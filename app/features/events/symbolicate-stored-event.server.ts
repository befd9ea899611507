import type { Workspace } from "../../access/workspace.ts";
import { narrowScope } from "../../domain/scope.ts";
import type { StoredEvent } from "../../domain/stored-event.ts";
import type { SymbolicationReport } from "../../domain/symbolication.ts";
import { isWhollySymbolicated } from "../../symbolicate/wanted-maps.ts";

/** Somebody waits for the page. Frames that are not mapped by then are shown as they were sent, and are mapped at the next look. */
const LIMIT_MS = 1_000;

export interface SymbolicatedStoredEvent {
  /** The mapped event. It is the stored one if there was nothing to map, or if mapping failed. */
  stored: StoredEvent;
  /** How each frame was mapped, or why not. Null: all frames were mapped when the event was stored. */
  report: SymbolicationReport | null;
}

/**
 * Maps a stored event by what was uploaded since, for somebody who looks at it. Waits at most a second. `withDiagnosis` also finds
 * files that nearly fit.
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
  // A look-up that took too long would have found nothing here: to look again is no advice.
  const isPointless = report.failure === "timed_out" && !(await hasSources(workspace, projectId));
  return { stored: mapped.stored, report: isPointless ? { ...report, failure: null } : report };
}

/** Whether source maps of the project were uploaded, or may be fetched from where it serves them. */
async function hasSources({ state, scope }: Workspace, projectId: number): Promise<boolean> {
  const ofProject = narrowScope(scope, [projectId]);
  const [{ bundles }, project] = await Promise.all([
    state.artifacts.listArtifactBundles(ofProject, { cursor: null, limit: 1 }),
    state.projects.getProject(ofProject, projectId),
  ]);
  return bundles.length > 0 || project?.fetchesSourceMaps === true;
}
