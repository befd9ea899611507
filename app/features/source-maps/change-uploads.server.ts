import type { Project } from "../../domain/project.ts";
import type { Engine } from "../../engine/engine.ts";

export type UploadsResult = { ok: true; message: string } | { ok: false; status: 400 | 404; message: string };

/** Does what the form says: `intent` `delete` with the number of an `upload`. */
export async function changeUploads(
  { state, blobs }: Pick<Engine, "state" | "blobs">,
  project: Pick<Project, "id">,
  form: FormData,
): Promise<UploadsResult> {
  if (form.get("intent") !== "delete") return { ok: false, status: 400, message: "The form did not say what to do." };
  const text = String(form.get("upload") ?? "");
  const bundle = /^\d{1,15}$/.test(text) ? await state.getArtifactBundle(Number(text)) : null;
  if (!bundle?.projectIds.includes(project.id))
    return { ok: false, status: 404, message: "This upload does not exist any more." };
  const checksum = await state.deleteArtifactBundle(bundle.id);
  if (checksum !== null) await blobs.delete(checksum);
  return { ok: true, message: `Upload ${bundle.id} is deleted. Frames that were mapped by it stay as they are.` };
}
