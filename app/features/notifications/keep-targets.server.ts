import type { NotificationSettings } from "../../domain/notification.ts";
import type { Project } from "../../domain/project.ts";
import type { Engine } from "../../engine/engine.ts";
import { listTargets } from "../../notifications/list-targets.ts";

export type NotificationParts = Pick<Engine, "state" | "notifications">;

/** Saves settings. Messages that wait for others go, those that wait for these are tried at once. */
export async function keepTargets(
  { state, notifications }: NotificationParts,
  { project, settings, now }: { project: Project; settings: NotificationSettings; now: number },
): Promise<void> {
  await state.notifications.saveNotificationSettings(project.id, settings);
  const ownerEmail = (await state.people.getOwner())?.email ?? null;
  const isMailSetUp = notifications.mailFrom !== null;
  await state.deliveries.keepTargets(project.id, listTargets(project.id, settings, { ownerEmail, isMailSetUp }), now);
}
