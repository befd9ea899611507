import type { Engine } from "../../engine/engine.ts";
import { findUpload, type UploadsPlace } from "./list-uploads.server.ts";

export type DeletedUpload = { ok: true; message: string } | { ok: false; status: 404; message: string };

/** Deletes the whole upload whose number the form has as `upload`, also for the other releases and projects that it is of. */
export async function deleteUpload(
  { state, blobs }: Pick<Engine, "state" | "blobs">,
  place: UploadsPlace,
  form: FormData,
): Promise<DeletedUpload> {
  const bundle = await findUpload(state.artifacts, place, String(form.get("upload") ?? ""));
  const checksum = bundle && (await state.artifacts.deleteArtifactBundle(bundle.id));
  if (bundle === null || checksum === null)
    return { ok: false, status: 404, message: "This upload does not exist any more." };
  await blobs.delete(checksum);
  return { ok: true, message: `Upload ${bundle.id} is deleted. Frames that were mapped by it stay as they are.` };
}
