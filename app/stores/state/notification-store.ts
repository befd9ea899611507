import type { NotificationSettings } from "../../domain/notification.ts";
import type { Scope } from "../../domain/scope.ts";

/** The addresses and channels of each project, which alert rules can tell. Nothing is saved for a project outside of the scope. */
export interface NotificationStore {
  /** `DEFAULT_NOTIFICATION_SETTINGS` if nobody has changed them. */
  getNotificationSettings(scope: Scope, projectId: number): Promise<NotificationSettings>;
  saveNotificationSettings(scope: Scope, projectId: number, settings: NotificationSettings): Promise<void>;
}
