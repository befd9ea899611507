import type { Workspace } from "../../access/workspace.ts";
import type { Scope } from "../../domain/scope.ts";

let lastChange: Promise<unknown> = Promise.resolve();

/**
 * Changes the row and the blob of an upload, one change at a time: otherwise an upload could find the blob that another
 * request is about to delete. A change must not begin another one.
 */
export async function changeUploads<Result>(change: () => Promise<Result>): Promise<Result> {
  const turn = lastChange.then(change);
  lastChange = turn.catch(() => {});
  return await turn;
}

/** Takes an upload from the projects of the scope, and deletes its blob if no other project has it. False: there is no such upload. */
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
