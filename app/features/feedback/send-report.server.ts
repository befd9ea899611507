import type { Workspace } from "../../access/workspace.ts";
import { MAX_CONTACT_LENGTH, MAX_MESSAGE_LENGTH } from "../../domain/feedback/feedback.ts";
import type { Project } from "../../domain/project.ts";

export interface Report {
  /** 32 lower-case hex characters. */
  eventId: string;
  name: string | null;
  email: string | null;
  comments: string;
}

export const REPORT_LIMITS = { comments: MAX_MESSAGE_LENGTH, contact: MAX_CONTACT_LENGTH } as const;

/** Accepts what a user wrote about an event like every other item. It is durable when this resolves, and listed a moment later. */
export async function sendReport(
  workspace: Pick<Workspace, "state" | "scope" | "acceptEnvelope">,
  project: Project,
  { eventId, name, email, comments }: Report,
): Promise<{ ok: true } | { ok: false; status: number; detail: string }> {
  const keys = await workspace.state.projects.listKeys(workspace.scope, project.id);
  const key = keys.find(({ isEnabled }) => isEnabled);
  if (!key) return { ok: false, status: 409, detail: "every key of the project is disabled" };
  const report = JSON.stringify({ event_id: eventId, name, email, comments });
  const envelope = `${JSON.stringify({ event_id: eventId })}\n{"type":"user_report"}\n${report}\n`;
  const accepted = await workspace.acceptEnvelope(key.publicKey, Buffer.from(envelope, "utf8"));
  return accepted.ok ? { ok: true } : accepted;
}
