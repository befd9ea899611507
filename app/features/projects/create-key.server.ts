import { randomBytes } from "node:crypto";
import type { Workspace } from "../../access/workspace.ts";
import type { Project, ProjectKey } from "../../domain/project.ts";

/** Enough keys for each application, team and build of a project. Ingest holds all keys in memory. */
export const MAX_KEYS = 100;

/** Makes a client key that ingest accepts at once. */
export async function createKey(
  { state, scope, reloadKeys }: Workspace,
  project: Pick<Project, "id">,
  { label, rateLimit = null, now }: { label: string; rateLimit?: ProjectKey["rateLimit"]; now: number },
): Promise<{ ok: true; key: ProjectKey } | { ok: false; reason: "too-many" | "no-project" }> {
  if ((await state.projects.listKeys(scope, project.id)).length >= MAX_KEYS) return { ok: false, reason: "too-many" };
  const publicKey = randomBytes(16).toString("hex");
  const key = await state.projects.createKey(scope, { projectId: project.id, label, publicKey, rateLimit, at: now });
  if (key === null) return { ok: false, reason: "no-project" };
  await reloadKeys();
  return { ok: true, key };
}
