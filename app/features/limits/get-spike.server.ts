import type { Workspace } from "../../access/workspace.ts";
import { isSpikeHeld } from "../../domain/volume/decide-volume.ts";

/** A flood of errors that is being left out. The numbers are errors of the current hour. */
export interface Spike {
  arrived: number;
  notStored: number;
  bound: number;
  /** The usual number of errors in an hour. */
  usual: number;
}

/** Null: the project stores all its errors, or nothing unusual comes. */
export async function getSpike({ state, scope }: Workspace, projectId: number, now: number): Promise<Spike | null> {
  const [hour, rules] = await Promise.all([
    state.volumes.getProjectHour(scope, { projectId, at: now }),
    state.rules.getRules(scope, projectId),
  ]);
  if (hour === null || hour.spike === null || rules?.volume.isSpikeProtected !== true || !isSpikeHeld(hour))
    return null;
  const { arrived, stored, spike } = hour;
  return { arrived, notStored: arrived - stored, ...spike };
}
