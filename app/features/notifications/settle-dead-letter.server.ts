import type { Project } from "../../domain/project.ts";
import type { DeliveryStore } from "../../stores/state/delivery-store.ts";
import type { NotificationResult } from "./notification-result.ts";

const GONE = { ok: false, status: 404, field: "letter", message: "This message is not there any more." } as const;

export async function retryDeadLetter(
  { state }: { state: { deliveries: Pick<DeliveryStore, "reviveDead"> } },
  { project, form, now }: { project: Project; form: FormData; now: number },
): Promise<NotificationResult> {
  const isDone = await state.deliveries.reviveDead(project.id, Number(form.get("letter")) || 0, now);
  return isDone ? { ok: true, message: "The message is tried again within a minute." } : GONE;
}

export async function deleteDeadLetter(
  { state }: { state: { deliveries: Pick<DeliveryStore, "deleteDead"> } },
  { project, form }: { project: Project; form: FormData },
): Promise<NotificationResult> {
  const isDone = await state.deliveries.deleteDead(project.id, Number(form.get("letter")) || 0);
  return isDone ? { ok: true, message: "Message deleted." } : GONE;
}
