import type { Workspace } from "../../access/workspace.ts";
import { findUpload, type UploadsPlace } from "./list-uploads.server.ts";

export type DeletedUpload = { ok: true; message: string } | { ok: false; status: 404; message: string };

/** Deletes the whole upload whose number the form has as `upload`, for all its releases and all projects of the scope. */
export async function deleteUpload(workspace: Workspace, place: UploadsPlace, form: FormData): Promise<DeletedUpload> {
  const bundle = await findUpload(workspace, place, String(form.get("upload") ?? ""));
  const deleted = bundle && (await workspace.state.artifacts.deleteArtifactBundle(workspace.scope, bundle.id));
  if (!bundle || !deleted) return { ok: false, status: 404, message: "This upload does not exist any more." };
  if (deleted.freedChecksum !== null) await workspace.blobs.delete(deleted.freedChecksum);
  return { ok: true, message: `Upload ${bundle.id} is deleted. Frames that it has mapped stay as they are.` };
}
