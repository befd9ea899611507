import type { Workspace } from "../../access/workspace.ts";
import type { Project } from "../../domain/project.ts";
import type { NotificationResult } from "./notification-result.ts";

const GONE = { ok: false, status: 404, field: "letter", message: "This message does not exist any more." } as const;

export async function retryDeadLetter(
  { state, scope }: Workspace,
  { project, form, now }: { project: Project; form: FormData; now: number },
): Promise<NotificationResult> {
  const isDone = await state.deliveries.reviveDead(scope, project.id, Number(form.get("letter")) || 0, now);
  return isDone ? { ok: true, message: "The message is sent again within a minute." } : GONE;
}

export async function deleteDeadLetter(
  { state, scope }: Workspace,
  { project, form }: { project: Project; form: FormData },
): Promise<NotificationResult> {
  const isDone = await state.deliveries.deleteDead(scope, project.id, Number(form.get("letter")) || 0);
  return isDone ? { ok: true, message: "Message deleted." } : GONE;
}
