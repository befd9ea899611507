import type { Workspace } from "../../access/workspace.ts";
import { createInTurn } from "../../domain/in-turn.ts";
import type { Scope } from "../../domain/scope.ts";

/**
 * Runs changes of an upload's row and blob one after the other. Otherwise an upload could find a blob that another request is about
 * to delete. A change must not start another one.
 */
export const changeUploads = createInTurn();

/** Removes an upload from the projects of the scope, and deletes its blob if no other project has it. False: there is no such upload. */
export async function deleteArtifactBundle(
  { state, blobs }: Pick<Workspace, "state" | "blobs">,
  scope: Scope,
  bundleId: number,
): Promise<boolean> {
  return await changeUploads(async () => {
    const deleted = await state.artifacts.deleteArtifactBundle(scope, bundleId);
    if (deleted?.freedChecksum) await blobs.delete(deleted.freedChecksum);
    return deleted !== null;
  });
}
