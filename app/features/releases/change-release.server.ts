import type { Workspace } from "../../access/workspace.ts";
import type { Release } from "../../domain/release.ts";
import { deleteUpload } from "../source-maps/delete-upload.server.ts";
import { toWebUrl } from "./to-web-url.ts";

export type ReleaseChangeResult =
  | { ok: true; message: string; isDeleted?: true }
  /** `field`: of the form of deploys; `page`: above everything. */
  | { ok: false; status: 400 | 404 | 409; field: "environment" | "url" | "name" | "page"; message: string };

const MAX_ENVIRONMENT_LENGTH = 64;
const MAX_NAME_LENGTH = 200;

/** Does what the pressed button's `intent` says: `archive`, `restore`, `finalize`, `delete`, `add-deploy`, `delete-upload`. */
export async function changeRelease(
  workspace: Workspace,
  { release, form, now }: { release: Release; form: FormData; now: number },
): Promise<ReleaseChangeResult> {
  const save = (change: { status?: Release["status"]; releasedAt?: number }) =>
    workspace.state.releases.saveRelease(workspace.scope, {
      version: release.version,
      projectIds: [],
      at: now,
      ...change,
    });
  switch (form.get("intent")) {
    case "archive":
      await save({ status: "archived" });
      return { ok: true, message: "Archived: lists leave it out unless they are asked for it." };
    case "restore":
      await save({ status: "open" });
      return { ok: true, message: "Restored." };
    case "finalize":
      await save({ releasedAt: now });
      return { ok: true, message: "Finalized: this is the moment that orders it among the others." };
    case "delete":
      return deleteRelease(workspace, release);
    case "add-deploy":
      return addDeploy(workspace, { release, form, now });
    case "delete-upload":
      return deleteReleaseUpload(workspace, release, form);
    default:
      return refused("page", "The form did not say what to do.");
  }
}

async function deleteRelease({ state, scope }: Workspace, release: Release): Promise<ReleaseChangeResult> {
  const result = await state.releases.deleteRelease(scope, release.version);
  if (result === "deleted") return { ok: true, message: "Deleted.", isDeleted: true };
  return result === "not-found"
    ? { ok: false, status: 404, field: "page", message: "This release does not exist any more." }
    : { ok: false, status: 409, field: "page", message: "Events name this release, so it stays. It can be archived." };
}

async function addDeploy(
  { state, scope }: Workspace,
  { release, form, now }: { release: Release; form: FormData; now: number },
): Promise<ReleaseChangeResult> {
  const text = (name: string) => String(form.get(name) ?? "").trim();
  const environment = text("environment");
  if (environment === "") return refused("environment", "Say where to, like production.");
  if (environment.length > MAX_ENVIRONMENT_LENGTH)
    return refused("environment", `At most ${MAX_ENVIRONMENT_LENGTH} characters.`);
  const name = text("name");
  if (name.length > MAX_NAME_LENGTH) return refused("name", `At most ${MAX_NAME_LENGTH} characters.`);
  const url = text("url");
  if (url !== "" && toWebUrl(url) === null) return refused("url", "An address begins with https:// or http://.");
  await state.releases.addDeploy(scope, release.version, {
    projectIds: null,
    environment,
    name: name || null,
    url: url || null,
    startedAt: null,
    finishedAt: now,
  });
  return { ok: true, message: `Deploy to ${environment} noted.` };
}

async function deleteReleaseUpload(
  workspace: Workspace,
  { version }: Release,
  form: FormData,
): Promise<ReleaseChangeResult> {
  const result = await deleteUpload(workspace, { release: version }, form);
  return result.ok ? result : { ...result, field: "page" };
}

function refused(field: "environment" | "url" | "name" | "page", message: string): ReleaseChangeResult {
  return { ok: false, status: 400, field, message };
}
