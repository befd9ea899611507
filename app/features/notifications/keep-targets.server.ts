import type { Workspace } from "../../access/workspace.ts";
import type { NotificationSettings } from "../../domain/notification.ts";
import type { Project } from "../../domain/project.ts";
import { listTargets } from "../../notifications/list-targets.ts";

/** Saves the settings. Waiting messages to other targets are dropped, and those to these targets are tried at once. */
export async function keepTargets(
  { state, scope, notifications }: Workspace,
  { project, settings, now }: { project: Project; settings: NotificationSettings; now: number },
): Promise<void> {
  await state.notifications.saveNotificationSettings(scope, project.id, settings);
  const ownerEmail = await notifications.findOwnerEmail();
  const isMailSetUp = notifications.mailFrom !== null;
  await state.deliveries.keepTargets(
    scope,
    project.id,
    listTargets(project.id, settings, { ownerEmail, isMailSetUp }),
    now,
  );
}
