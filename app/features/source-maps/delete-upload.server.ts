import type { Workspace } from "../../access/workspace.ts";
import { deleteArtifactBundle } from "./change-uploads.server.ts";
import { findUpload, type UploadsPlace } from "./list-uploads.server.ts";

export type DeletedUpload = { ok: true; message: string } | { ok: false; status: 404; message: string };

/** Deletes a whole upload for all its releases and all projects of the scope. The form has the id of the upload as `upload`. */
export async function deleteUpload(workspace: Workspace, place: UploadsPlace, form: FormData): Promise<DeletedUpload> {
  const bundle = await findUpload(workspace, place, String(form.get("upload") ?? ""));
  if (!bundle || !(await deleteArtifactBundle(workspace, workspace.scope, bundle.id)))
    return { ok: false, status: 404, message: "This upload does not exist any more." };
  return { ok: true, message: `Upload ${bundle.id} is deleted. Frames that it has mapped stay as they are.` };
}
