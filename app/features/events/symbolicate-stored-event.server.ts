import type { Workspace } from "../../access/workspace.ts";
import { narrowScope } from "../../domain/scope.ts";
import type { StoredEvent } from "../../domain/stored-event.ts";
import type { SymbolicationReport } from "../../domain/symbolication.ts";
import { isWhollySymbolicated } from "../../symbolicate/wanted-maps.ts";

/** Somebody waits for it: what is not read by then is shown as it was sent, and is there when they look again. */
const LIMIT_MS = 1_000;

export interface SymbolicatedStoredEvent {
  /** As it was stored, where nothing is to be mapped or could be. */
  stored: StoredEvent;
  /** How each frame was mapped, or why not. Null: all of them were when the event was stored. */
  report: SymbolicationReport | null;
}

/**
 * A stored event for somebody to look at: mapped by what has been uploaded since it was stored. Waits at most a second.
 * `withDiagnosis` also finds what nearly fits; `withReport` asks about an event that is wholly mapped, too.
 */
export async function symbolicateStoredEvent(
  workspace: Workspace,
  projectId: number,
  stored: StoredEvent,
  { withReport = false, withDiagnosis = false }: { withReport?: boolean; withDiagnosis?: boolean } = {},
): Promise<SymbolicatedStoredEvent> {
  if (!withReport && isWhollySymbolicated(stored.event)) return { stored, report: null };
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
