import type { NotificationSettings } from "../../domain/notification.ts";
import type { Scope } from "../../domain/scope.ts";

/** The people and channels that hear of each project's issues. Nothing is saved for a project outside of the scope. */
export interface NotificationStore {
  /** `DEFAULT_NOTIFICATION_SETTINGS` where nobody has changed them. */
  getNotificationSettings(scope: Scope, projectId: number): Promise<NotificationSettings>;
  saveNotificationSettings(scope: Scope, projectId: number, settings: NotificationSettings): Promise<void>;
}
