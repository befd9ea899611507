import { randomBytes } from "node:crypto";
import type { Workspace } from "../../access/workspace.ts";
import type { Project } from "../../domain/project.ts";
import { toPlatform } from "./platforms.ts";
import { createSampleEnvelope } from "./sample-event.ts";

/** The sample takes the same path as every other event, so it proves that the path works. */
export async function sendSampleEvent(
  workspace: Workspace,
  project: Project,
  now: number,
): Promise<{ ok: true; eventId: string } | { ok: false; status: number; detail: string }> {
  const keys = await workspace.state.projects.listKeys(workspace.scope, project.id);
  const key = keys.find(({ isEnabled }) => isEnabled);
  if (!key) return { ok: false, status: 409, detail: "every key of the project is disabled" };
  const eventId = randomBytes(16).toString("hex");
  const envelope = createSampleEnvelope({ platform: toPlatform(project.platform), eventId, now });
  const accepted = await workspace.acceptEnvelope(key.publicKey, Buffer.from(envelope, "utf8"));
  return accepted.ok ? { ok: true, eventId } : accepted;
}
