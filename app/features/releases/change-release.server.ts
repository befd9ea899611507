import { z } from "zod";
import type { Workspace } from "../../access/workspace.ts";
import type { Release } from "../../domain/release.ts";
import { readForm } from "../input/read-form.ts";
import { readIntent } from "../input/read-intent.ts";
import { deleteUpload } from "../source-maps/delete-upload.server.ts";
import { addDeploy, deployFields } from "./add-deploy.server.ts";

export type ReleaseChangeResult =
  | { ok: true; message: string; isDeleted?: true }
  /** `field`: a field of the form for deploys. `page`: the message is above everything. */
  | { ok: false; status: 400 | 404 | 409; field: keyof typeof deployFields | "page"; message: string };

export const RELEASE_HAS_EVENTS = "Events name this release, so it stays. It can be archived.";

const deployForm = z.object(deployFields);

/** Handles the forms of a release. The `intent` is that of the pressed button. */
export async function changeRelease(
  workspace: Workspace,
  { release, form, now }: { release: Release; form: FormData; now: number },
): Promise<ReleaseChangeResult> {
  const { version } = release;
  const save = (change: { status?: Release["status"]; releasedAt?: number }) =>
    workspace.state.releases.saveRelease(workspace.scope, { version, projectIds: [], at: now, ...change });
  const pressed = readIntent(form, ["archive", "restore", "finalize", "delete", "add-deploy", "delete-upload"]);
  if (!pressed.ok) return { ...pressed, field: "page" };
  switch (pressed.intent) {
    case "archive":
      await save({ status: "archived" });
      return { ok: true, message: "Archived. The list shows it only with the filter “Archived”." };
    case "restore":
      await save({ status: "open" });
      return { ok: true, message: "Restored." };
    case "finalize":
      await save({ releasedAt: now });
      return { ok: true, message: "Finalized. Lists order it by this moment." };
    case "delete":
      return deleteRelease(workspace, release);
    case "add-deploy": {
      const read = readForm(deployForm, form);
      if (!read.ok) return read;
      const deploy = { ...read.fields, projectIds: null, startedAt: null, finishedAt: now };
      await addDeploy(workspace, release, { deploy, now });
      return { ok: true, message: `Deploy to ${deploy.environment} recorded.` };
    }
    case "delete-upload": {
      const result = await deleteUpload(workspace, { release: version }, form);
      return result.ok ? result : { ...result, field: "page" };
    }
  }
}

async function deleteRelease({ state, scope }: Workspace, release: Release): Promise<ReleaseChangeResult> {
  const result = await state.releases.deleteRelease(scope, release.version);
  if (result === "deleted") return { ok: true, message: "Deleted.", isDeleted: true };
  return result === "not-found"
    ? { ok: false, status: 404, field: "page", message: "This release does not exist any more." }
    : { ok: false, status: 409, field: "page", message: RELEASE_HAS_EVENTS };
}
